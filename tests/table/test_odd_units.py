"""Odd units: at a live table no choice of a stake makes money round in its owner's favour."""

from __future__ import annotations

import pytest

from novamas.game import staffing
from novamas.game.cloth import SpotClass, spot
from novamas.game.limits import Limits
from novamas.game.lines import Reason
from novamas.game.rulebook.behaviours import Act, ChipKind, ZeroRule
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.odds.one_coup import odds_of
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup, State
from tests.rules.helpers import Table, opened, place, refused

CHIPS = (2, 10, 100)


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("house", HOUSES)
def test_every_stake_that_a_live_table_takes_comes_out_even(house: str, chip: int) -> None:
    """Each stake has a player of its own, so that a coup settles every one as if it lay alone."""
    book = load(house)
    rounded = set(book.settled.rounded)
    stakes = [
        Stake(f"{where.name} {many}", f"{where.name} {many}", where, many * chip, chip=chip)
        for where in book.terms
        for many in (1, 2, 3)
    ]
    for pocket in book.wheel.pockets:
        lines = settle(book, pocket, stakes).lines
        assert len(lines) == len(stakes)
        for line in lines:
            assert rounded.isdisjoint(line.articles), (line.stake.id, pocket)
            assert all(each.reason is not Reason.LOOSE for each in line.unplayed)


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("amount", [1, 9, 11, 15])
@pytest.mark.parametrize("house", HOUSES)
def test_a_live_table_takes_no_other(house: str, amount: int) -> None:
    table = opened(house, {"ana": 1000}, chip=10, live=True)
    for on in ("17", "red"):
        assert refused(table, place("ana", f"{on}:{amount}")).why == "not_whole_chips"


HALVED = [
    (house, each.name)
    for house in HOUSES
    for each in load(house).terms
    if each.kind is SpotClass.STRADDLE
    or (
        each.kind is SpotClass.SIMPLE
        and load(house).zero.simple in (ZeroRule.HALF, ZeroRule.CHOICE)
    )
]
"""Every spot of which some article takes or pays a half of whole units."""


def test_the_spots_that_are_halved() -> None:
    """Straddles at 1/2 and in halves, and simple chances under a half or a choice."""
    found = {house: sum(1 for at, _ in HALVED if at == house) for house in HOUSES}
    straddles = {"ar": 5, "es": 4, "fr": 4, "fran": 4, "esam": 4}
    chances = dict.fromkeys(("es", "fr", "fran", "esam"), 6)
    assert found == {house: straddles.get(house, 0) + chances.get(house, 0) for house in HOUSES}


@pytest.mark.rule("X-03", "AMB-X-03")
@pytest.mark.parametrize(("house", "on"), HALVED)
def test_a_live_table_takes_only_stakes_that_divide(house: str, on: str) -> None:
    """The odds warn of an odd stake; a live table refuses it and takes the even one."""
    table = opened(house, {"ana": 1000}, chip=2, live=True)
    for amount in (1, 3, 5, 7, 101):
        assert odds_of(load(house), f"{on}:{amount}").rounded
        assert refused(table, place("ana", f"{on}:{amount}")).why == "not_whole_chips"
    assert not odds_of(load(house), f"{on}:10").rounded
    table.stake("ana", f"{on}:10")
    # Stakes that are laid apart come out even too: each is a number of even chips.
    table.stake("ana", f"{on}:2")
    rounded = set(load(house).settled.rounded)
    for pocket in load(house).wheel.pockets:
        lines = settle(load(house), pocket, table.state.stakes.values()).lines
        assert not any(rounded & set(line.articles) for line in lines)


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("house", HOUSES)
def test_a_live_table_has_no_odd_chip(house: str) -> None:
    table = Table(State.fresh(load(house), Setup(live=True, chip=5)))
    for post in staffing.missing(load(house), {}):
        number = len(table.state.posts_of(post)) + 1
        table.act(commands.TakePost(by=f"{post}-{number}", post=post))
    if load(house).wheel.inspected:
        table.act(commands.InspectTable(by=table.staff(Act.INSPECT_TABLE)))
    assert refused(table, commands.OpenTable(by=MANAGEMENT)).articles == ("X-03",)
    even = opened(house, {"ana": 0}, chip=2, live=True)
    seller = even.staff(Act.SELL_CHIPS)
    odd = commands.BuyChips(by=seller, player="ana", amount=30, chip=5)
    # The French table sells no colour at all.
    colour = ChipKind.COLOUR in load(house).chips.on_numbers
    assert (refused(even, odd).why == "not_whole_chips") is colour
    even.act(commands.BuyChips(by=seller, player="ana", amount=30))


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
