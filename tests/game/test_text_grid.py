"""The cloth on a grid of characters, lying and upright: each spot has a place of its own."""

from collections import Counter

import pytest

from novamas import rulebooks
from novamas.drawing.piles import Pile
from novamas.drawing.text_grid import Grid, Size
from novamas.game.cloth import SpotClass, spot
from novamas.game.rulebook.model import Rulebook
from tests.more_zeros import HEADS, with_zeros

HOUSES = [pytest.param(rulebooks.load(id), id=id) for id in rulebooks.HOUSES]
HOUSES += [pytest.param(with_zeros("ar", head), id=f"ar-{head}") for head in HEADS]
SIZES = [Size(), Size(104, 6, 3), Size(60, 7, 1, upright=True), Size(79, 9, 2, upright=True)]


def text_of(grid: Grid, *piles: Pile, prison: tuple[Pile, ...] = ()) -> str:
    rows = grid.cells(piles, prison=prison)
    return "\n".join("".join(character for character, _ in row) for row in rows)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("book", HOUSES)
def test_every_spot_has_a_place_of_its_own_in_every_size(book: Rulebook, size: Size) -> None:
    grid = Grid(book, size)
    assert grid.columns <= size.width
    taken = Counter(place for each in book.terms for place in grid.anchors(each))
    shared = {place for place, times in taken.items() if times > 1}
    assert not {each.name for each in book.terms if shared & {*grid.anchors(each)}}
    assert all(row < grid.rows and column < grid.columns for row, column in taken)


@pytest.mark.parametrize("book", HOUSES)
def test_an_upright_cloth_has_rows_of_three_and_every_chance(book: Rulebook) -> None:
    grid = Grid(book, Size(60, 7, 1, upright=True))
    lines = text_of(grid).splitlines()
    for first in range(1, 37, 3):
        assert any(
            all(f"{number:>2} " in line for number in range(first, first + 3)) for line in lines
        )
    for each in (offered for offered in book.terms if offered.kind is SpotClass.SIMPLE):
        assert book.word(each.name).upper().split()[0] in text_of(grid)


@pytest.mark.parametrize("upright", [False, True])
def test_a_prisoner_lies_on_the_outer_side_of_its_chance(*, upright: bool) -> None:
    size = Size(60, 7, 1, upright=True) if upright else Size()
    grid = Grid(rulebooks.load("es"), size)
    held = Pile(spot("red"), 50, "ana", 10)
    assert "▒50" not in text_of(grid)
    drawn = text_of(grid, Pile(spot("red"), 20, "ana", 10), prison=(held,))
    assert "▒50" in drawn
    assert "●20" in drawn


def test_one_line_holds_a_number_and_its_stake() -> None:
    grid = Grid(rulebooks.load("es"), Size(60, 7, 1, upright=True))
    drawn = text_of(grid, Pile(spot("17"), 50, "ana", 10), Pile(spot("36"), 12_500, "ana", 10))
    assert "◇17●50" in drawn
    assert "◆36●│" in drawn.replace(" ", "")
