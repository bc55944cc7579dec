"""Odd units: at a live table no choice of a stake makes money round in its owner's favour."""

from __future__ import annotations

import pytest

from novamas.game.cloth import spot
from novamas.game.limits import Limits
from novamas.game.lines import Reason
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.rulebooks import HOUSES, load
from tests.rules.helpers import opened, place, refused

CHIPS = (2, 10, 100)


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("house", HOUSES)
def test_every_stake_that_a_live_table_takes_comes_out_even(house: str, chip: int) -> None:
    book = load(house)
    rounded = set(book.settled.rounded)
    for place_on in book.terms:
        for many in (1, 2, 3):
            stakes = [Stake("b", "ana", place_on, many * chip, chip=chip)]
            for pocket in range(37):
                for line in settle(book, pocket, stakes).lines:
                    assert not rounded & set(line.articles), (place_on.name, many, pocket)
                    assert all(each.reason is not Reason.LOOSE for each in line.unplayed)


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("amount", [1, 9, 11, 15])
@pytest.mark.parametrize("house", HOUSES)
def test_a_live_table_takes_no_other(house: str, amount: int) -> None:
    table = opened(house, {"ana": 1000}, chip=10, live=True)
    for on in ("17", "red"):
        assert refused(table, place("ana", f"{on}:{amount}")).why == "not_whole_chips"


@pytest.mark.rule("IT-general-15c", "X-03")
def test_it_winnings_that_ride_up_to_the_maximum_ride_in_whole_chips() -> None:
    """Else a chip of 300 under a maximum of 1000 has 100 that zero gives back undivided."""
    book = load("it")
    limits = Limits.of({"simple": {"max": 1000}})
    stake = Stake("b", "ana", spot("red"), 600, chip=300, away=True)
    (line,) = settle(book, 9, [stake], limits=limits).lines
    assert (line.stays, line.aside) == (900, 300)
    (zero,) = settle(book, 0, [Stake("b", "ana", spot("red"), line.stays, chip=300)]).lines
    assert zero.unplayed == ()
