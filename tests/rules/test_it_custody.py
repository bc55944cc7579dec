"""Italy, custody: what becomes of winnings that nobody collects."""

import pytest

from novamas.game.rulebook.behaviours import Winning
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import Table, coup, opened, refused, settled, stakes

REDS = (9, 12, 14, 16, 18, 19)
BOTH = pytest.mark.parametrize("winning", list(Winning))


def unattended(text: str, winning: Winning = Winning.HAND, **limits: object) -> Table:
    """A table at which ana has laid stakes and is not there to collect."""
    table = opened("it", {"ana": 100}, winning=winning, limits=limits)
    table.stake("ana", text, unattended=True)
    return table


def custody(table: Table) -> int:
    """What is set aside for ana."""
    return table.state.custody.get("ana", 0)


# On the numbers: at once --------------------------------------------------------------------------


@BOTH
@pytest.mark.rule("IT-general-14a", "X-07")
@pytest.mark.parametrize(
    ("bet", "aside"),
    [("9:5", 180), ("9/12:5", 90), ("7/9:5", 60), ("8/12:5", 45), ("7/12:5", 30)],
)
def test_it_general_14a_on_the_numbers_winnings_and_stake_are_set_aside_at_once(
    bet: str, aside: int, winning: Winning
) -> None:
    table = unattended(bet, winning)
    coup(table, 9)
    assert (custody(table), table.purse("ana"), table.state.on_cloth) == (aside, 95, 0)


@pytest.mark.rule("IT-general-14a")
def test_it_general_14a_the_line_cites_the_article() -> None:
    (line,) = settled("it", 9, stakes("9:5", away=True)).lines
    assert (line.won, line.returned, line.aside) == (175, 0, 180)
    assert "IT-general-14a" in line.articles
    assert "IT-general-14b" not in line.articles


@pytest.mark.rule("IT-general-14a")
def test_it_general_14a_the_pieces_of_an_announcement_are_set_aside_at_once() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    table.act(commands.StepAway(by="ana"))
    coup(table, 10)
    assert (custody(table), table.state.on_cloth) == (18, 0)


@pytest.mark.rule("IT-general-14a", "IT-gioco-9")
def test_it_general_14a_what_loses_is_lost_whoever_is_there() -> None:
    table = unattended("8:5 black:5")
    coup(table, 9)
    assert (custody(table), table.state.on_cloth, table.state.bank) == (0, 0, 10)


@pytest.mark.rule("IT-general-14a", "IT-general-15c")
def test_it_general_14a_the_excess_of_an_absent_winner_is_set_aside_too() -> None:
    table = unattended("9:60", straight={"max": 50})
    coup(table, 9)
    assert custody(table) == 1750 + 60


# On the boxes: after three further coups ----------------------------------------------------------


@BOTH
@pytest.mark.rule("IT-general-14b", "AMB-IT-10", "X-07")
def test_it_general_14b_on_a_simple_chance_all_rides_and_is_set_aside_after_three_coups(
    winning: Winning,
) -> None:
    table = unattended("red:5", winning)
    for number, rides, aside in zip(REDS, (10, 20, 40, 0), (0, 0, 0, 80), strict=False):
        coup(table, number)
        assert (table.state.on_cloth, custody(table)) == (rides, aside)
    assert (table.purse("ana"), table.state.bank) == (95, -75)
    coup(table, REDS[4])
    assert custody(table) == 80


@pytest.mark.rule("IT-general-14b", "AMB-IT-10")
@pytest.mark.parametrize("bet", ["d1:5", "c3:5"])
def test_it_general_14b_dozens_and_columns_ride_as_well(bet: str) -> None:
    table = unattended(bet)
    for number, rides, aside in zip((9, 12, 3, 6), (15, 45, 135, 0), (0, 0, 0, 405), strict=True):
        coup(table, number)
        assert (table.state.on_cloth, custody(table)) == (rides, aside)


@pytest.mark.rule("AMB-IT-10")
@pytest.mark.parametrize(("numbers", "lost"), [((9, 11), 10), ((9, 12, 14, 11), 40)])
def test_it_amb_10_if_the_box_loses_meanwhile_all_is_lost(
    numbers: tuple[int, ...], lost: int
) -> None:
    table = unattended("red:5")
    for number in numbers:
        tally = coup(table, number)
    assert tally.of("ana").lost == lost
    assert (custody(table), table.state.on_cloth, table.state.bank) == (0, 0, 5)


@pytest.mark.rule("AMB-IT-10", "IT-gioco-14")
def test_it_amb_10_a_zero_meanwhile_divides_what_rides() -> None:
    table = unattended("red:5")
    coup(table, 9)
    coup(table, 12)
    sums = coup(table, 0).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (10, 10, 0)
    assert (table.state.on_cloth, custody(table)) == (0, 0)


@pytest.mark.rule("AMB-IT-10", "IT-gioco-13")
def test_it_amb_10_a_zero_meanwhile_takes_what_rides_on_a_dozen() -> None:
    table = unattended("d1:5")
    coup(table, 9)
    assert coup(table, 0).of("ana").lost == 15


@pytest.mark.rule("AMB-IT-10", "IT-general-15b")
def test_it_amb_10_what_rides_past_the_maximum_is_set_aside_at_once() -> None:
    table = unattended("red:5", simple={"max": 12})
    for number, rides, aside in zip(REDS, (10, 12, 12, 0), (0, 8, 20, 44), strict=False):
        coup(table, number)
        assert (table.state.on_cloth, custody(table)) == (rides, aside)
    assert table.state.bank == -(5 + 10 + 12 + 12)


@pytest.mark.rule("AMB-IT-10", "IT-general-15b")
def test_it_amb_10_two_stakes_of_one_player_ride_up_to_one_maximum() -> None:
    table = unattended("red:5 red:5", simple={"max": 12})
    coup(table, 9)
    assert (table.state.on_cloth, custody(table)) == (12, 8)
    coup(table, 12)
    assert (table.state.on_cloth, custody(table)) == (12, 20)


@pytest.mark.rule("AMB-IT-10", "IT-general-15b")
@pytest.mark.parametrize(
    ("laid", "first"), [("d3:5 d3:5", "away"), ("d3:5 d3:5", "there"), ("d3:5 d3:10", "away")]
)
def test_it_amb_10_what_rides_has_the_room_that_another_winner_leaves(
    laid: str, first: str
) -> None:
    """A winner that its owner leaves on the cloth counts towards the maximum too."""
    table = opened("it", {"ana": 100}, winning=Winning.CLOTH, limits={"dozen": {"max": 10}})
    for place, bet in enumerate(laid.split()):
        table.stake("ana", bet, unattended=(place == 0) is (first == "away"))
    coup(table, 35)
    stayed = {stake.away: stake.amount for stake in table.state.stakes.values()}
    assert stayed == {True: 5, False: 5}
    assert custody(table) == 10


@pytest.mark.rule("AMB-IT-10", "AMB-IT-13", "IT-general-16")
def test_it_amb_13_what_rides_is_bound_by_a_maximum_lowered_meanwhile() -> None:
    table = unattended("red:5", simple={"max": 100})
    coup(table, 9)
    table.act(commands.ChangeLimits(by="chief-1", limits={"simple": {"max": 15}}))
    coup(table, 12)
    assert coup(table, 14).of("ana").won == 15
    assert (table.state.on_cloth, custody(table)) == (15, 20)


@pytest.mark.rule("IT-general-14b")
def test_it_general_14b_the_line_cites_the_article() -> None:
    (line,) = settled("it", 9, stakes("red:5", away=True)).lines
    assert (line.stays, line.aside) == (10, 0)
    assert {"IT-general-14b", "AMB-IT-10"} <= set(line.articles)
    (line,) = settled("it", 16, stakes("red:40", away=True, waited=2)).lines
    assert (line.stays, line.aside) == (0, 80)


# A player who steps away and comes back -----------------------------------------------------------


@BOTH
@pytest.mark.rule("IT-general-14a", "IT-general-14b", "X-07")
def test_it_general_14_the_stakes_of_a_player_who_stepped_away_are_unattended(
    winning: Winning,
) -> None:
    table = opened("it", {"ana": 100}, winning=winning)
    table.stake("ana", "red:5 9:5")
    table.act(commands.StepAway(by="ana"))
    for number in REDS[:4]:
        coup(table, number)
    assert (custody(table), table.state.on_cloth, table.purse("ana")) == (180 + 80, 0, 90)


@pytest.mark.rule("AMB-IT-10")
def test_it_amb_10_who_comes_back_takes_what_rides() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    coup(table, 12)
    table.act(commands.ComeBack(by="ana"))
    assert table.state.stakes[id].amount == 20
    table.act(commands.WithdrawStake(by="ana", id=id))
    assert (table.purse("ana"), custody(table)) == (115, 0)


@BOTH
@pytest.mark.rule("AMB-IT-10", "IT-general-11")
def test_it_amb_10_what_rides_is_an_ordinary_stake_once_its_owner_is_back(winning: Winning) -> None:
    table = opened("it", {"ana": 100}, winning=winning)
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    table.act(commands.ComeBack(by="ana"))
    sums = coup(table, 12).of("ana")
    assert sums.won == 10
    stays = 10 if winning is Winning.CLOTH else 0
    assert (table.state.on_cloth, table.purse("ana")) == (stays, 95 + 20 - stays)


@pytest.mark.rule("AMB-IT-10")
def test_it_amb_10_an_absence_that_ended_does_not_count_in_the_next() -> None:
    table = opened("it", {"ana": 1000})
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    for number in REDS[:3]:
        coup(table, number)
    table.act(commands.ComeBack(by="ana"))
    table.act(commands.StepAway(by="ana"))
    for number in REDS[:3]:
        coup(table, number)
        assert custody(table) == 0
    coup(table, REDS[3])
    assert custody(table) == 5 * 2**7


@BOTH
@pytest.mark.rule("AMB-IT-10")
def test_it_amb_10_who_is_back_before_the_payment_is_no_longer_away(winning: Winning) -> None:
    table = opened("it", {"ana": 100}, winning=winning)
    (id,) = table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    table.pocket(9)
    table.call()
    table.act(commands.ComeBack(by="ana"))
    table.collect()
    table.pay()
    assert (table.state.stakes[id].away, table.state.stakes[id].waited) == (False, None)


@pytest.mark.rule("AMB-IT-10", "IT-general-14b")
def test_it_amb_10_who_steps_away_after_the_call_has_collected_that_win() -> None:
    table = opened("it", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "red:5")
    table.pocket(9)
    table.call()
    table.act(commands.StepAway(by="ana"))
    table.collect()
    table.pay()
    assert table.purse("ana") == 100
    # The next win is the first that nobody collects, and rides for three coups.
    for number in REDS[:3]:
        coup(table, number)
    assert (custody(table), table.state.on_cloth) == (0, 40)
    coup(table, REDS[3])
    assert custody(table) == 80


# Claiming -----------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-14a")
def test_it_general_14a_what_was_set_aside_is_given_to_its_owner_by_the_croupier() -> None:
    table = unattended("9:5")
    claim = commands.ClaimCustody(by="croupier-1", player="ana")
    refusal = refused(table, claim)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NOTHING_IN_CUSTODY,
        ("IT-general-14a",),
    )
    coup(table, 9)
    for by in ("ana", "chief-1"):
        other = commands.ClaimCustody(by=by, player="ana")
        assert refused(table, other).why is RefusalReason.NOT_OF_THIS_POST
    table.act(claim)
    said = table.last(events.CustodyClaimed)
    assert (said.amount, said.articles) == (180, ("IT-general-14a",))
    assert (table.purse("ana"), table.state.custody) == (275, {})


@pytest.mark.rule("IT-general-14a")
def test_it_general_14a_nobody_leaves_for_good_while_the_house_keeps_chips_for_him() -> None:
    table = unattended("9:5")
    coup(table, 9)
    refusal = refused(table, commands.Leave(by="ana"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.STAKES_ON_THE_CLOTH,
        ("IT-general-14a",),
    )
    table.act(commands.CloseTable(by=MANAGEMENT))
    table.act(commands.ClaimCustody(by="croupier-1", player="ana"))
    table.act(commands.Leave(by="ana"))
    assert table.last(events.PlayerLeft).amount == 275
