"""The cloth in a terminal: eighty columns, the house's words, stakes where they lie."""

import re

import pytest

from novamas import rulebooks
from novamas.drawing.layout import NotOnClothError
from novamas.drawing.lettering import columns, label
from novamas.drawing.piles import Pile
from novamas.drawing.text import cloth_text
from novamas.drawing.text_grid import DISC
from novamas.game.cloth import SIMPLE_CHANCES, spot
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.rulebook.model import Rulebook
from tests.more_zeros import HEADS, with_zeros

HOUSES = [pytest.param(rulebooks.load(id), id=id) for id in rulebooks.HOUSES]
HOUSES += [
    pytest.param(with_zeros(id, head), id=f"{id}-{head}") for id in ("ar", "bg") for head in HEADS
]


def everything(book: Rulebook) -> list[Pile]:
    """A stake of each of three players on every spot of the house."""
    return [
        Pile(offered, amount, player, 5)
        for offered in book.terms
        for player, amount in (("ana", 15), ("Константин", 123_450), ("x" * 200, 10**9))
    ]


@pytest.mark.parametrize("book", HOUSES)
def test_it_fits_eighty_columns(book: Rulebook) -> None:
    for text in (cloth_text(book), cloth_text(book, everything(book), dolly=0)):
        assert max(columns(line) for line in text.splitlines()) <= 80
    assert max(columns(line) for line in cloth_text(book).splitlines()) == 80


@pytest.mark.parametrize("book", HOUSES)
def test_three_rows_of_twelve_with_zero_on_the_left(book: Rulebook) -> None:
    lines = cloth_text(book).splitlines()
    for first in (3, 2, 1):
        row = next(line for line in lines if re.search(rf"[◆◇]\s*{first} ", line))
        found = [int(each) for each in re.findall(r"[◆◇]\s*(\d+)", row)]
        assert found == list(range(first, 37, 3))
    for zero in book.wheel.pockets.zeros:
        assert any(re.search(rf"[│┤├] *{zero} *[│├┤]", line[:20]) for line in lines), zero


@pytest.mark.parametrize("book", HOUSES)
def test_red_and_black_can_be_told_apart_without_colour(book: Rulebook) -> None:
    text = cloth_text(book)
    for name, mark in (("red", "◆"), ("black", "◇")):
        numbers = {int(each) for each in re.findall(rf"{mark}\s*(\d+)", text)}
        assert numbers == spot(name).numbers
        assert f"{mark} {book.word(name).upper()}" in text


@pytest.mark.parametrize("book", HOUSES)
def test_the_words_of_the_house_are_there(book: Rulebook) -> None:
    text = cloth_text(book)
    for name in SIMPLE_CHANCES:
        assert book.word(name).upper() in text
    for name in ("d1", "d2", "d3", "c1", "c2", "c3"):
        words = book.word(name).upper().split()
        # A box without room for its name shows its numbers, or what it pays.
        assert all(word in text for word in words) or label(book, spot(name)).middle in text


@pytest.mark.parametrize("book", HOUSES)
def test_frames_close(book: Rulebook) -> None:
    """Every line that leaves a character is met by the next one."""
    right, left = "└├─┴┬┼┌╭╰", "┘┤─┴┬┼┐"
    below, above = "│┌├┤┬┼┐╭", "│└├┤┴┼┘╰"
    grid = [line.ljust(80) for line in cloth_text(book).splitlines()]
    for row, line in enumerate(grid):
        for at, character in enumerate(line):
            after = line[at + 1] if at + 1 < 80 else " "
            assert (character in right) == (after in left), (row, at)
            under = grid[row + 1][at] if row + 1 < len(grid) else " "
            assert (character in below) == (under in above), (row, at)


@pytest.mark.parametrize("book", HOUSES)
def test_every_spot_shows_in_its_own_place(book: Rulebook) -> None:
    empty = cloth_text(book)
    shown: dict[str, str] = {}
    for offered in book.terms:
        text = cloth_text(book, [Pile(offered, 7, "ana")])
        cloth = "\n".join(text.splitlines()[: len(empty.splitlines())])
        assert cloth != empty.rstrip("\n"), offered
        assert cloth.count(DISC) == 1, offered
        assert cloth not in shown, (offered, shown.get(cloth))
        shown[cloth] = offered.name


def test_a_stake_in_a_square_shows_its_amount_and_one_on_a_line_a_disc() -> None:
    book = rulebooks.load("ar")
    piles = [Pile(spot("17"), 100, "ana", 5), Pile(spot("17"), 20, "luis", 10)]
    piles.append(Pile(spot("17/20"), 15, "ana", 5))
    text = cloth_text(book, piles, dolly=17)
    assert "[17]●◇20" in text
    assert "●120" in text
    assert "[17] negro" in text
    assert re.search(r"● pleno 17 +120  ana 100 \(20 × 5\), luis 20 \(2 × 10\)", text)
    assert re.search(r"● semipleno 17/20 +15  ana 15 \(3 × 5\)", text)


def test_menor_and_the_third_dozen_are_marked_on_their_line() -> None:
    lines = cloth_text(rulebooks.load("ar"), [Pile(spot("low+d3"), 50, "ana")]).splitlines()
    (marked,) = [line for line in lines if DISC in line and "TERCERA" in line]
    assert marked.endswith(f"{DISC}TERCERA DOCENA│")
    assert lines.index(marked) > len(lines) // 2, "below the numbers, on the side of menor"


def test_the_two_drawings_differ() -> None:
    heights = {
        rulebooks.load(id).cloth.drawing: len(cloth_text(rulebooks.load(id)).splitlines())
        for id in ("ar", "es", "it", "bg")
    }
    assert heights == {Drawing.FRENCH: 22, Drawing.AMERICAN: 15}


@pytest.mark.parametrize("house", ["ar", "bg"])
def test_two_zeros_share_the_head_and_the_dolly_names_its_zero(house: str) -> None:
    book = with_zeros(house, "two")
    lines = cloth_text(book, dolly="00").splitlines()
    upper = next(n for n, line in enumerate(lines) if line.startswith("│[00]"))
    lower = next(n for n, line in enumerate(lines) if line.startswith("│ 0  "))
    divided = next(n for n, line in enumerate(lines) if re.match(r"├────┤.*◇ 2 ", line))
    assert upper < divided < lower
    assert lines[-1] == "[00]", "a zero has no colour"


def test_a_column_whose_name_has_no_room_shows_what_it_pays() -> None:
    text = cloth_text(with_zeros("ar", "column"))
    assert text.count("│ 2:1  │") == 3


@pytest.mark.parametrize("book", HOUSES)
def test_colours_change_nothing_but_colours(book: Rulebook) -> None:
    piles = [Pile(spot("17"), 5, "ana"), Pile(spot("red"), 5, "ana")]
    plain = cloth_text(book, piles, dolly=0)
    coloured = cloth_text(book, piles, dolly=0, colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[1;97;41m◆" in coloured
    bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
    assert all(line.count("\x1b[0m") <= line.count("\x1b[") for line in coloured.splitlines())
    assert not any(re.search(r"\x1b\[(?!0m)[\d;]*m[^\x1b]*$", ln) for ln in coloured.splitlines())


def test_a_name_cannot_steer_the_terminal() -> None:
    text = cloth_text(rulebooks.load("bg"), [Pile(spot("17"), 5, "\x1b[2J\r\nana\x07")])
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", text)
    assert "ana" in text


def test_stakes_in_prison_and_held_to_be_placed_are_listed() -> None:
    book = rulebooks.load("it")
    vicini = book.announcements.calls["voisins"]
    text = cloth_text(book, [Pile(vicini, 9, "ana")], prison=[Pile(spot("red"), 1, "luis")])
    assert re.search(r"● vicini dello zero +9  ana 9", text)
    assert re.search(r"● en prison: rosso +1  luis 1", text)
    with pytest.raises(NotOnClothError, match="prison"):
        cloth_text(rulebooks.load("ar"), prison=[Pile(spot("red"), 1, "luis")])
    with pytest.raises(NotOnClothError, match="orphelins"):
        cloth_text(book, [Pile(book.announcements.calls["orphelins"], 5, "ana")])


def test_what_cannot_be_drawn_is_refused() -> None:
    book = rulebooks.load("it")
    with pytest.raises(NotOnClothError, match=r"d1\+d2"):
        cloth_text(book, [Pile(spot("d1+d2"), 5, "ana")])
    with pytest.raises(ValueError, match="whole amounts"):
        cloth_text(book, [Pile(spot("17"), 0, "ana")])
    with pytest.raises(ValueError, match="0 to 36"):
        cloth_text(book, dolly=-1)
