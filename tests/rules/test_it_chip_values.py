"""Italy, what a colour chip is worth, and in which chips pieces are counted (AMB-IT-30)."""

from typing import Any

import pytest

from novamas.game.limits import Counted, short_stakes
from novamas.game.rulebook.behaviours import ChipKind
from novamas.table import commands
from novamas.table.events import ChipsBought, StakesReturned
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import Table, coup, opened, place, refused

VALUE, COLOUR = ChipKind.VALUE, ChipKind.COLOUR


def buy(player: str = "ana", amount: int = 120, **more: Any) -> commands.BuyChips:
    """The wish to buy chips."""
    return commands.BuyChips(by="croupier-1", player=player, amount=amount, **more)


def of_twelve(**more: Any) -> Table:
    """A table whose chip is 4, at which ana has bought chips of 12."""
    return opened("it", {"ana": 600}, chip=4, chips={"ana": 12}, **more)


def plays(table: Table, *spots: str) -> bool:
    """Whether just these spots are in play once betting is closed."""
    table.close()
    return {stake.spot.name for stake in table.state.stakes.values()} == set(spots)


# What is sold -------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-1", "AMB-IT-30")
@pytest.mark.parametrize("chip", [4, 8, 12, 400])
def test_it_amb_30_a_colour_chip_is_sold_at_a_multiple_of_the_tables_chip(chip: int) -> None:
    table = opened("it", {"ana": 0}, chip=4)
    table.act(buy(chip=chip))
    assert table.last(ChipsBought).chip == table.state.players["ana"].chip == chip


@pytest.mark.rule("IT-general-1", "AMB-IT-30")
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("chip", [2, 6, 10, 14])
def test_it_amb_30_at_any_other_value_the_purchase_is_refused(chip: int, *, live: bool) -> None:
    table = opened("it", {"ana": 0}, chip=4, live=live)
    refusal = refused(table, buy(amount=840, chip=chip))
    assert refusal.why is RefusalReason.CHIP_NOT_A_MULTIPLE
    assert refusal.articles == ("IT-general-1", "AMB-IT-30")
    assert (table.purse("ana"), table.state.players["ana"].colour) == (0, None)


@pytest.mark.rule("IT-general-1", "AMB-IT-30", "IT-general-2b")
def test_it_amb_30_nobody_goes_round_the_five_pieces_with_small_chips() -> None:
    table = opened("it", {"ana": 0}, chip=20, live=True)
    assert refused(table, buy(chip=2)).why is RefusalReason.CHIP_NOT_A_MULTIPLE
    table.act(buy(amount=200))
    table.stake("ana", "17:20")
    assert plays(table)


@pytest.mark.rule("AMB-IT-30")
def test_it_amb_30_the_rule_is_for_colour_chips_alone() -> None:
    table = opened("it", {"ana": 0}, chip=4)
    table.act(buy(chip=6, value_chips=True))
    ana = table.state.players["ana"]
    assert (ana.purse, ana.colour, ana.chip) == (120, None, 4)


@pytest.mark.rule("AMB-IT-30", "IT-gioco-4b")
def test_it_amb_30_who_holds_value_chips_may_buy_a_colour_of_any_allowed_value() -> None:
    table = opened("it", {"ana": 60}, chip=4, value_chips=["ana"])
    assert refused(table, buy(chip=6)).why is RefusalReason.CHIP_NOT_A_MULTIPLE
    table.act(buy(chip=12))
    ana = table.state.players["ana"]
    assert (ana.purse, ana.chip, ana.value_chips) == (180, 12, False)
    assert ana.colour is not None
    assert refused(table, buy(chip=4)).why is RefusalReason.CHIP_VALUE_IS_SET


# The pieces ---------------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-30", "IT-general-2a")
@pytest.mark.parametrize(("amount", "does"), [(60, True), (48, False), (72, True)])
@pytest.mark.parametrize("on", ["red", "d1", "c3"])
def test_it_amb_30_five_pieces_on_a_chance_are_five_of_ones_own_chips(
    on: str, amount: int, *, does: bool
) -> None:
    table = of_twelve()
    table.stake("ana", f"{on}:{amount}")
    assert plays(table, on) == does
    if not does:
        assert table.last(StakesReturned).returned == (
            ("s1", amount, ("IT-general-2a", "AMB-IT-21")),
        )


@pytest.mark.rule("AMB-IT-30", "IT-general-2b")
@pytest.mark.parametrize(("laid", "does"), [("17:60", True), ("17:24 20:24", False)])
def test_it_amb_30_five_pieces_on_the_numbers_are_five_of_ones_own_chips(
    laid: str, *, does: bool
) -> None:
    table = of_twelve()
    table.stake("ana", laid)
    table.close()
    assert bool(table.state.stakes) == does


@pytest.mark.rule("AMB-IT-30", "IT-general-6b")
@pytest.mark.parametrize(("amount", "does"), [(16, False), (19, False), (20, True), (28, True)])
def test_it_amb_30_value_chips_on_a_simple_chance_are_five_of_the_tables_chips(
    amount: int, *, does: bool
) -> None:
    table = of_twelve()
    table.stake("ana", f"red:{amount}", chips=VALUE)
    assert plays(table, "red") == does
    if not does:
        assert table.last(StakesReturned).returned == (
            ("s1", amount, ("IT-general-6b", "AMB-IT-21")),
        )


@pytest.mark.rule("AMB-IT-30", "AMB-IT-20", "IT-general-6a")
@pytest.mark.parametrize(("amount", "does"), [(3, False), (4, True)])
@pytest.mark.parametrize("on", ["17", "17/20", "d1", "c3"])
def test_it_amb_30_value_chips_elsewhere_are_one_of_the_tables_chips(
    on: str, amount: int, *, does: bool
) -> None:
    table = of_twelve()
    table.stake("ana", f"{on}:{amount}", chips=VALUE)
    assert plays(table, on) == does


@pytest.mark.rule("AMB-IT-30", "IT-general-2b")
def test_it_amb_30_on_the_numbers_only_colour_chips_count() -> None:
    table = of_twelve()
    table.stake("ana", "17:48")
    table.stake("ana", "17:60 20:60", chips=VALUE)
    table.close()
    assert {stake.kind for stake in table.state.stakes.values()} == {VALUE}


@pytest.mark.rule("AMB-IT-30", "X-05")
@pytest.mark.parametrize(
    ("colour", "value", "kinds"),
    [
        (48, 12, {COLOUR, VALUE}),
        (48, 8, {VALUE}),
        (12, 8, {VALUE}),
        (12, 4, set()),
        (48, 4, {VALUE}),
    ],
)
def test_it_amb_30_on_a_chance_all_that_one_has_there_counts_by_its_worth(
    colour: int, value: int, kinds: set[ChipKind]
) -> None:
    table = of_twelve()
    table.stake("ana", f"red:{colour}")
    table.stake("ana", f"red:{value}", chips=VALUE)
    table.close()
    assert {stake.kind for stake in table.state.stakes.values()} == kinds


@pytest.mark.rule("AMB-IT-30", "IT-general-6b")
def test_it_amb_30_what_value_chips_lack_is_told_by_its_value() -> None:
    table = of_twelve()
    table.stake("ana", "red:16", chips=VALUE)
    table.stake("ana", "black:48")
    state = table.state
    value, colour = short_stakes(state.book, state.stakes.values(), state.limits)
    assert (value.counted, value.least, value.there) == (Counted.VALUE, 20, 16)
    assert (colour.counted, colour.least, colour.there) == (Counted.CHIPS_ON_SPOT, 5, 4)


@pytest.mark.rule("AMB-IT-30")
def test_it_amb_30_a_part_of_an_announcement_in_value_chips_need_be_no_whole_colour_chips() -> None:
    table = opened("it", {"val": 100}, chip=4, value_chips=["val"])
    table.act(commands.Announce(by="val", id="t", player="val", call="tiers", amount=60))
    table.act(commands.WithdrawStake(by="val", id="t", amount=18))
    assert [stake.amount for stake in table.state.stakes.values()] == [7] * 6
    colour = of_twelve()
    colour.act(commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=144))
    part = commands.WithdrawStake(by="ana", id="t", amount=36)
    assert refused(colour, part).why is RefusalReason.NOT_WHOLE_CHIPS


# Zero ---------------------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-30", "AMB-IT-02", "IT-gioco-14", "IT-gioco-15a")
@pytest.mark.parametrize(
    ("kind", "amount", "sums"),
    [(VALUE, 28, (12, 12, 4)), (COLOUR, 60, (24, 24, 12)), (VALUE, 60, (28, 28, 4))],
)
def test_it_amb_30_zero_divides_by_the_chips_in_which_the_stake_is_counted(
    kind: ChipKind, amount: int, sums: tuple[int, int, int]
) -> None:
    table = of_twelve()
    table.stake("ana", f"red:{amount}", chips=kind)
    found = coup(table, 0).of("ana")
    assert (found.returned, found.lost, found.held) == sums


@pytest.mark.rule("AMB-IT-30", "IT-gioco-15a")
def test_it_amb_30_an_odd_colour_chip_and_an_odd_value_chip_are_two_odd_chips() -> None:
    table = of_twelve()
    table.stake("ana", "red:60", chips=COLOUR)
    table.stake("ana", "red:28", chips=VALUE)
    found = coup(table, 0).of("ana")
    assert (found.returned, found.lost, found.held) == (36, 36, 16)


# After a conversion -------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-30", "IT-general-4a")
def test_it_amb_30_after_a_conversion_what_one_lays_is_value() -> None:
    table = of_twelve()
    table.act(commands.StepAway(by="ana"))
    table.act(commands.ComeBack(by="ana"))
    table.stake("ana", "red:20 17:4")
    assert {(s.kind, s.chip) for s in table.state.stakes.values()} == {(VALUE, 4)}
    found = coup(table, 0).of("ana")
    assert (found.returned, found.lost, found.held) == (8, 8 + 4, 4)


@pytest.mark.rule("AMB-IT-30", "IT-general-4a", "IT-gioco-5")
def test_it_amb_30_after_a_conversion_no_colour_chip_is_left_to_lay() -> None:
    table = of_twelve()
    table.stake("ana", "17:36")
    table.act(commands.StepAway(by="ana"))
    table.act(commands.ComeBack(by="ana"))
    refusal = refused(table, place("ana", "20:24", chips=COLOUR))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_PURSE, ("IT-gioco-5",))
    # What they lay now does not fill up the five pieces of the colour that lies there.
    table.stake("ana", "20:24")
    assert plays(table, "20")


@pytest.mark.rule("AMB-IT-30", "IT-general-4a", "IT-gioco-4a")
def test_it_amb_30_who_has_changed_his_colour_may_buy_chips_of_another_value() -> None:
    table = of_twelve()
    table.stake("ana", "17:60")
    table.act(commands.StepAway(by="ana"))
    table.act(commands.ComeBack(by="ana"))
    assert refused(table, buy(chip=8)).why is RefusalReason.CHIP_VALUE_IS_SET
    coup(table, 5)
    table.act(buy(chip=8))
    (id,) = table.stake("ana", "17:40")
    stake = table.state.stakes[id]
    assert (stake.kind, stake.chip, stake.pieces) == (COLOUR, 8, 5)
