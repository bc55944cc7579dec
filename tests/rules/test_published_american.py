"""The published facts of the further houses: the wheel of 38, its neighbours, the largest wins."""

from itertools import pairwise

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.limits import placard
from novamas.game.money import times
from novamas.game.wheel import AMERICAN, BLACK, EUROPEAN, RED, Pocket, Wheel, is_zero
from novamas.rulebooks import load
from tests.rules.helpers import case, opened, settled

NEIGHBOURS = """
14-2-0-28-9 13-1-00-27-10 36-13-1-00-27 35-14-2-0-28 34-15-3-24-36 33-16-4-23-35 32-17-5-22-34
31-18-6-21-33 30-11-7-20-32 29-12-8-19-31 0-28-9-26-30 00-27-10-25-29 26-30-11-7-20 25-29-12-8-19
24-36-13-1-00 23-35-14-2-0 22-34-15-3-24 21-33-16-4-23 20-32-17-5-22 19-31-18-6-21 12-8-19-31-18
11-7-20-32-17 18-6-21-33-16 17-5-22-34-15 16-4-23-35-14 15-3-24-36-13 27-10-25-29-12 28-9-26-30-11
1-00-27-10-25 2-0-28-9-26 10-25-29-12-8 9-26-30-11-7 8-19-31-18-6 7-20-32-17-5 6-21-33-16-4
5-22-34-15-3 4-23-35-14-2 3-24-36-13-1
"""
"""The five pockets round each number, in the order of the wheel."""


def pocket(text: str) -> Pocket:
    """A pocket as it is written."""
    return text if text == "00" else int(text)


@pytest.mark.rule("FRAM-55-1.a", "SD-01")
@pytest.mark.parametrize("house", ["fram", "sd"])
def test_the_neighbours_on_the_wheel_of_38(house: str) -> None:
    wheel = load(house).wheel.pockets
    rows = [tuple(map(pocket, row.split("-"))) for row in NEIGHBOURS.split()]
    assert len({row[2] for row in rows}) == len(wheel) == 38
    for row in rows:
        assert wheel.neighbours(row[2]) == row


@pytest.mark.rule("FRAM-55-1.a", "FRAM-55-1.b", "SD-01")
def test_the_two_arcs_of_the_wheel_of_38() -> None:
    order = AMERICAN.order
    for place, number in enumerate(order):
        opposite = order[(place + 19) % 38]
        if number == 0:
            assert opposite == "00"
        elif not is_zero(number) and int(number) % 2:
            assert opposite == int(number) + 1
    for arc in (order[1:19], order[20:]):
        numbers = [int(number) for number in arc]
        red, odd = ([n in RED for n in numbers], [n % 2 for n in numbers])
        assert all(here != there for here, there in pairwise(red))
        assert (sum(red), sum(odd), sum(n < 19 for n in numbers)) == (9, 9, 9)
        assert sum(numbers) == 333
        # Pairs of even and pairs of odd numbers take turns, but for the first two.
        pairs = [set(odd[at : at + 2]) for at in range(2, 18, 2)]
        assert all(len(pair) == 1 for pair in pairs)
        assert all(here != there for here, there in pairwise(pairs))
    assert {*AMERICAN.neighbours(0, 1)} - {0} == {2, 28} <= BLACK
    assert {*AMERICAN.neighbours("00", 1)} - {"00"} == {1, 27} <= RED


@pytest.mark.rule("ESAM-01.II.b", "FRAM-55-1.a", "SD-01")
@pytest.mark.parametrize("wheel", [EUROPEAN, AMERICAN], ids=len)
def test_no_two_consecutive_numbers_adjoin(wheel: Wheel) -> None:
    numbers = [None if is_zero(number) else int(number) for number in wheel.order]
    for here, there in zip(numbers, [*numbers[1:], numbers[0]], strict=True):
        assert here is None or there is None or abs(here - there) > 1


@pytest.mark.rule("FRAM-S1", "SD-S1")
@pytest.mark.parametrize("house", ["fram", "sd"])
def test_in_how_many_number_bets_a_number_of_the_cloth_of_38_lies(house: str) -> None:
    bets = [spot for spot in load(house).terms if spot.kind.on_numbers]
    lies = {number: sum(number in spot.numbers for spot in bets) for number in AMERICAN}
    assert (lies[2], lies[0], lies["00"], lies[17]) == (14, 7, 7, 12)


WINS = {
    "straight": (1050, 700),
    "split": (1020, 680),
    "street": (1100, 660),
    "corner": (960, 640),
    "sixline": (1000, 600),
    "dozen": (1000, 480),
    "column": (1000, 480),
    "simple": (1000, 360),
    "five": (0, 600),
}
"""Class → the largest win in minima, in fr and in the three houses with the smaller maxima."""


@pytest.mark.parametrize(
    ("house", "across"),
    [
        case("FR-S1 FR-53.b FR-53.c FR-53.d FR-53.e FR-53.f FR-53.g FR-53.h FR-53.i", "fr", 1000),
        case("FRAM-55-3.d FRAM-55-3.e FRAM-55-3.i FRAM-55-3.k", "fram", None),
        case("FRAN-55-13.g1 FRAN-55-13.g2 FRAN-55-13.g7 FRAN-55-13.g8", "fran", 240),
        case("ESAM-V.d1 ESAM-V.d2 ESAM-V.d7 ESAM-V.d8", "esam", 240),
    ],
)
def test_the_largest_win_of_each_bet_in_minima(house: str, across: int | None) -> None:
    book, limits = load(house), placard(load(house), 5)
    straddled = False
    for spot, terms in book.terms.items():
        most = limits.maximum(terms)
        assert most is not None
        (line,) = settled(house, min(spot.numbers, key=str), f"{spot.name}:{most}").lines
        if spot.kind is SpotClass.STRADDLE:
            straddled, expected = True, across
        else:
            expected = WINS[spot.kind.value][house != "fr"]
        assert line.won == times(most, terms.pays) == 5 * (expected or 0), spot.name
    assert straddled == (across is not None)


@pytest.mark.rule("FRAM-55-3.l", "FRAM-55-3.m")
def test_what_equal_pieces_on_a_number_save_the_bank() -> None:
    """All that lies on 17 at the maximum of each class would cost and win so much more."""
    limits = placard(load("fram"), 1)
    on_17 = [spot for spot in load("fram").terms if spot.kind.on_numbers and 17 in spot.numbers]
    laid = {spot: limits.maximum(load("fram").terms[spot]) or 0 for spot in on_17}
    assert sum(laid.values()) == 800
    assert sum(times(most, load("fram").terms[spot].pays) for spot, most in laid.items()) == 7840
    table = opened("fram", {"ana": 1000}, limits=limits)
    for spot, most in laid.items():
        table.stake("ana", f"{spot.name}:{most}")
    table.close()
    assert table.state.on_cloth == 240
