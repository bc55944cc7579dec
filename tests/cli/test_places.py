"""Moving over the cloth: arrows reach every spot, in both ways of drawing it, at every house."""

import pytest

from novamas.cli.fullscreen.places import STEPS, Places
from novamas.drawing.text_grid import Grid, Size, upright
from novamas.game.cloth import SPOTS
from novamas.rulebooks import HOUSES, load


def places(house: str, *, turned: bool) -> Places:
    book = load(house)
    return Places(Grid(book, upright(book.cloth.drawing, 60) if turned else Size()))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("house", HOUSES)
def test_arrows_reach_every_spot(*, house: str, turned: bool) -> None:
    cloth = places(house, turned=turned)
    reached, ahead = set(), [cloth.of(SPOTS["17"])]
    seen = set()
    while ahead:
        cursor = ahead.pop()
        if cursor in seen:
            continue
        seen.add(cursor)
        reached.add(cursor.place.spot)
        ahead += [cloth.moved(cursor, direction) for direction in STEPS]
    assert reached == set(load(house).terms)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("house", HOUSES)
def test_every_place_is_under_its_own_cell(*, house: str, turned: bool) -> None:
    cloth = places(house, turned=turned)
    for spot in load(house).terms:
        for which, anchor in enumerate(cloth.grid.anchors(spot)):
            found = cloth.at(*anchor)
            assert found is not None
            assert (found.place.spot, found.place.which) == (spot, which)


def test_a_way_through_wide_boxes_keeps_its_line() -> None:
    cloth = places("it", turned=False)
    cursor = cloth.of(SPOTS["7"])
    for _ in range(3):
        cursor = cloth.moved(cursor, "down")
    assert cursor.place.spot.name in {"low", "even"}
    for _ in range(3):
        cursor = cloth.moved(cursor, "up")
    assert cursor.place.spot.name == "7"


def test_shift_goes_from_box_to_box() -> None:
    cloth = places("ar", turned=False)
    cursor = cloth.moved(cloth.of(SPOTS["17"]), "right", boxes_only=True)
    assert cursor.place.spot.name == "20"
