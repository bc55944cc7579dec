"""Italy, the maximum: what is above it, third parties, and limits that change during the day."""

from typing import Any

import pytest

from novamas.game.rulebook.behaviours import LimitsKept, Winning
from novamas.rulebooks import load, load_any
from novamas.table import commands
from novamas.table.events import LimitsChanged, StakesReturned
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Setup
from tests.rules.helpers import Table, coup, opened, place, refused, settle_line, settled

ENFORCED, POLICED = LimitsKept.ENFORCED, LimitsKept.POLICED
FIFTY = {"straight": {"min": 1, "max": 50}, "simple": {"max": 50}, "dozen": {"max": 50}}


def table_of_fifty(kept: LimitsKept = POLICED, **more: Any) -> Table:
    """A table with a maximum of 50 on a straight, a simple chance and a dozen."""
    players = {"ana": 500, "ben": 500, "eva": 500}
    return opened("it", players, limits=FIFTY, limits_kept=kept, **more)


def change(limits: object, by: Identity = "chief-1") -> commands.ChangeLimits:
    """The wish to change the placard."""
    return commands.ChangeLimits(by=by, limits=limits)


# Above the maximum --------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-15c")
@pytest.mark.parametrize(
    ("bet", "pocket", "won"),
    [("17:60", 17, 1750), ("17:51", 17, 1750), ("red:60", 9, 50), ("d1:80", 9, 100)],
)
def test_it_general_15c_what_is_won_above_the_maximum_is_not_paid_and_the_stake_comes_back(
    bet: str, pocket: int, won: int
) -> None:
    line = settle_line("it", pocket, bet, limits=FIFTY)
    assert (line.won, line.returned, line.lost) == (won, int(bet.split(":")[1]), 0)
    assert "IT-general-15c" in line.articles


@pytest.mark.rule("IT-general-15c")
@pytest.mark.parametrize("bet", ["17:50", "17:49"])
def test_it_general_15c_what_is_within_the_maximum_is_paid_whole(bet: str) -> None:
    line = settle_line("it", 17, bet, limits=FIFTY)
    assert line.won == 35 * int(bet.split(":")[1])
    assert "IT-general-15c" not in line.articles


@pytest.mark.rule("IT-general-15c")
def test_it_general_15c_a_winner_of_another_class_takes_nothing_of_the_excess() -> None:
    limits = {"straight": {"max": 50}, "split": {"max": 100}}
    lines = settled("it", 17, "17:60 17/20:10", limits=limits).lines
    assert sum(line.won for line in lines) == 50 * 35 + 10 * 17


@pytest.mark.rule("AMB-IT-11")
@pytest.mark.parametrize("bet", ["17:60", "red:60", "d1:60"])
def test_it_amb_11_a_stake_above_the_maximum_that_loses_is_lost_whole(bet: str) -> None:
    line = settle_line("it", 20, bet, limits=FIFTY)
    assert (line.lost, line.returned) == (60, 0)
    assert "AMB-IT-11" in line.articles


@pytest.mark.rule("IT-general-15b", "AMB-IT-11")
def test_it_general_15b_a_stake_of_unclear_value_has_no_right_of_its_own() -> None:
    table = table_of_fifty()
    table.stake("ana", "17:60", value_unclear=True)
    sums = coup(table, 20).of("ana")
    assert (sums.lost, sums.returned) == (60, 0)


@pytest.mark.rule("IT-general-15c", "IT-general-11")
def test_it_general_15c_the_maximum_stays_on_the_cloth_and_the_difference_goes_to_the_hand() -> (
    None
):
    table = table_of_fifty(winning=Winning.CLOTH)
    (id,) = table.stake("ana", "17:60")
    coup(table, 17)
    assert table.state.stakes[id].amount == 50
    assert table.purse("ana") == 500 - 60 + 1750 + 10


@pytest.mark.rule("IT-general-15b", "IT-general-15c")
def test_it_general_15b_the_maximum_is_for_all_that_a_player_has_on_the_spot() -> None:
    lines = settled("it", 17, "17:30 17:30 18:30", limits=FIFTY).lines
    winners = [(line.won, line.returned) for line in lines if line.won]
    assert winners == [(1050, 30), (700, 30)]


@pytest.mark.rule("IT-general-15b")
def test_it_general_15b_the_piece_of_an_announcement_counts_towards_the_maximum() -> None:
    table = opened("it", {"ana": 500}, limits={"split": {"max": 20}})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=90))
    table.stake("ana", "10/11:10")
    sums = coup(table, 10).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (20 * 17, 25, 75)


@pytest.mark.rule("IT-general-15b")
def test_it_general_15b_another_player_has_a_maximum_of_his_own() -> None:
    table = table_of_fifty()
    table.stake("ana", "17:50")
    table.stake("ben", "17:50")
    tally = coup(table, 17)
    assert (tally.of("ana").won, tally.of("ben").won) == (1750, 1750)


# Third parties ------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-15b", "AMB-IT-12")
def test_it_general_15b_an_accomplice_counts_with_the_player_for_whom_he_plays() -> None:
    table = table_of_fifty()
    (mine,) = table.stake("ben", "17:30")
    table.stake("eva", "17:30", laid_for=mine)
    tally = coup(table, 17)
    assert (tally.of("ben").won, tally.of("ben").returned) == (1050, 30)
    assert (tally.of("eva").won, tally.of("eva").returned) == (700, 30)


@pytest.mark.rule("IT-general-15b", "AMB-IT-12")
def test_it_amb_12_the_later_stake_is_cut_and_cites_the_third_party() -> None:
    table = table_of_fifty()
    (theirs,) = table.stake("eva", "17:30")
    (mine,) = table.stake("ben", "17:30", laid_for=theirs)
    table.pocket(17)
    table.call()
    assert table.state.settlement is not None
    lines = {line.stake.id: line for line in table.state.settlement.lines}
    assert (lines[theirs].won, lines[mine].won) == (1050, 700)
    assert {"IT-general-15b", "AMB-IT-12"} <= set(lines[mine].articles)
    assert "AMB-IT-12" not in lines[theirs].articles


@pytest.mark.rule("IT-general-15b")
def test_it_general_15b_the_accomplice_of_an_accomplice_plays_for_the_same_player() -> None:
    table = table_of_fifty()
    (first,) = table.stake("ana", "17:20")
    (second,) = table.stake("ben", "17:20", laid_for=first)
    table.stake("eva", "17:20", laid_for=second)
    tally = coup(table, 17)
    assert [tally.of(name).won for name in ("ana", "ben", "eva")] == [700, 700, 350]


@pytest.mark.rule("IT-general-15b")
def test_it_general_15b_an_accomplice_who_loses_loses_whole() -> None:
    table = table_of_fifty()
    (mine,) = table.stake("ben", "17:30")
    table.stake("eva", "17:30", laid_for=mine)
    assert coup(table, 20).of("eva").lost == 30


@pytest.mark.rule("IT-general-15b", "X-04")
def test_it_general_15b_where_the_maximum_is_enforced_the_accomplice_is_refused() -> None:
    table = table_of_fifty(ENFORCED)
    (mine,) = table.stake("ben", "17:30")
    refusal = refused(table, place("eva", "17:21", laid_for=mine, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("IT-general-15b",))
    table.stake("eva", "17:20", laid_for=mine)
    table.stake("eva", "17:50")


# Enforced or policed ------------------------------------------------------------------------------


@pytest.mark.rule("X-04", "IT-general-15b")
@pytest.mark.parametrize("on", ["17", "red", "d1"])
def test_it_x_04_an_enforced_maximum_refuses_the_stake_when_it_is_laid(on: str) -> None:
    table = table_of_fifty(ENFORCED)
    refusal = refused(table, place("ana", f"{on}:51"))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("IT-general-15b",))
    table.stake("ana", f"{on}:50")
    assert refused(table, place("ana", f"{on}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("X-04")
def test_it_x_04_a_stake_is_not_moved_above_an_enforced_maximum_either() -> None:
    table = table_of_fifty(ENFORCED)
    (id, _) = table.stake("ana", "17:30 18:30")
    refusal = refused(table, commands.MoveStake(by="ana", id=id, on="18"))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("IT-general-15b",))


@pytest.mark.rule("X-04")
def test_it_x_04_a_table_enforces_unless_it_is_set_to_police() -> None:
    assert Setup.usual(load("it")).limits_kept is ENFORCED
    table = table_of_fifty(ENFORCED)
    (id,) = table.stake("ana", "17:50")
    notice = commands.NoticeExcess(by="croupier-1", id=id)
    refusal = refused(table, notice)
    assert (refusal.why, refusal.articles) == (RefusalReason.LIMITS_ARE_ENFORCED, ("X-04",))


@pytest.mark.rule("X-04")
@pytest.mark.parametrize(
    ("settings", "indexes"), [({}, []), ({"limits": "policed"}, []), ({"limits": "enforced"}, [0])]
)
def test_it_x_04_a_script_is_policed_unless_it_says_otherwise(
    settings: dict[str, str], indexes: list[int]
) -> None:
    script = [{"do": "stake", "id": "b", "player": "ana", "on": "17", "amount": 60}]
    data = {
        "rulebook": "it",
        "limits": FIFTY,
        "purses": {"ana": 100},
        "settings": settings,
        "script": script,
    }
    assert run_script(data, load_any)["refused"] == indexes


@pytest.mark.rule("IT-general-15b", "X-04")
@pytest.mark.parametrize("by", ["chief-1", "croupier-1"])
@pytest.mark.parametrize("bet", ["17:60", "red:60", "d1:60"])
def test_it_general_15b_an_excess_noticed_before_the_ball_falls_goes_back(
    by: str, bet: str
) -> None:
    table = table_of_fifty()
    (id,) = table.stake("ana", bet)
    table.close()
    table.act(commands.NoticeExcess(by=by, id=id))
    ((_, amount, articles),) = table.last(StakesReturned).returned
    assert (amount, articles) == (10, ("IT-general-15b",))
    assert (table.purse("ana"), table.state.stakes[id].amount) == (450, 50)


@pytest.mark.rule("IT-general-15b", "AMB-IT-12")
def test_it_general_15b_of_a_player_and_his_accomplice_the_later_gets_the_excess_back() -> None:
    table = table_of_fifty()
    (mine,) = table.stake("ben", "17:30")
    (theirs,) = table.stake("eva", "17:30", laid_for=mine)
    table.notice(mine)
    assert (table.purse("ben"), table.purse("eva")) == (470, 480)
    assert table.state.stakes[theirs].amount == 20


@pytest.mark.rule("IT-general-15b")
@pytest.mark.parametrize("bet", ["17:60", "red:60"])
def test_it_general_15b_once_the_ball_lies_in_its_pocket_it_is_too_late_to_notice(bet: str) -> None:
    table = table_of_fifty()
    (id,) = table.stake("ana", bet)
    table.pocket(20)
    refusal = refused(table, commands.NoticeExcess(by="chief-1", id=id))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOTICED_TOO_LATE, ("IT-general-15b",))


@pytest.mark.rule("IT-general-15b")
def test_it_general_15b_a_player_notices_nothing_and_what_is_within_is_no_excess() -> None:
    table = table_of_fifty()
    (id,) = table.stake("ana", "17:50")
    assert (
        refused(table, commands.NoticeExcess(by="ben", id=id)).why is RefusalReason.NOT_OF_THIS_POST
    )
    assert (
        refused(table, commands.NoticeExcess(by="chief-1", id=id)).why
        is RefusalReason.NOTHING_IN_EXCESS
    )


# Limits that change during the day ----------------------------------------------------------------


@pytest.mark.rule("IT-general-16", "X-06")
def test_it_general_16_the_chief_changes_the_limits_during_the_day() -> None:
    table = table_of_fifty()
    table.act(change({"straight": {"max": 20}}))
    said = table.last(LimitsChanged)
    assert (said.by, said.articles) == ("chief-1", ("IT-general-16", "AMB-IT-27"))
    assert said.limits["straight"] == {"min": 1, "max": 20}
    assert said.limits["simple"] == {"max": 50}
    table.stake("ana", "17:30")
    assert coup(table, 17).of("ana").won == 20 * 35


@pytest.mark.rule("IT-general-16", "X-06")
def test_it_general_16_the_management_may_and_neither_croupier_nor_player() -> None:
    table = table_of_fifty()
    table.act(change({"straight": {"max": 20}}, by=MANAGEMENT))
    for by in ("croupier-1", "ana"):
        assert (
            refused(table, change({"straight": {"max": 500}}, by)).why
            is RefusalReason.NOT_OF_THIS_POST
        )


@pytest.mark.rule("IT-general-16", "AMB-IT-13")
def test_it_amb_13_the_limits_do_not_change_under_a_running_coup() -> None:
    table = table_of_fifty()
    table.stake("ana", "17:50")
    table.close()
    table.act(change({"straight": {"max": 20}}))
    table.pocket(17)
    table.call()
    table.collect()
    table.pay()
    assert table.tally.coups[-1].of("ana").won == 1750
    table.stake("ana", "17:50")
    assert coup(table, 17).of("ana").won == 700


@pytest.mark.rule("AMB-IT-13", "IT-general-16")
@pytest.mark.parametrize(("pocket", "won", "lost"), [(17, 700, 0), (18, 0, 50)])
def test_it_amb_13_a_stake_left_on_the_cloth_is_bound_by_a_lowered_maximum(
    pocket: int, won: int, lost: int
) -> None:
    table = table_of_fifty(winning=Winning.CLOTH)
    table.stake("ana", "17:50")
    table.close()
    table.act(change({"straight": {"max": 20}}))
    coup(table, 17)
    sums = coup(table, pocket).of("ana")
    assert (sums.won, sums.lost) == (won, lost)


@pytest.mark.rule("AMB-IT-13", "IT-general-16")
def test_it_amb_13_a_stake_left_on_the_cloth_is_noticed_under_the_lowered_maximum() -> None:
    table = table_of_fifty(winning=Winning.CLOTH)
    (id,) = table.stake("ana", "17:50")
    table.close()
    table.act(change({"straight": {"max": 20}}))
    coup(table, 17)
    table.notice(id)
    assert table.state.stakes[id].amount == 20


@pytest.mark.rule("AMB-IT-13", "IT-general-16")
def test_it_amb_13_a_stake_left_on_the_cloth_must_reach_a_raised_minimum() -> None:
    table = table_of_fifty(winning=Winning.CLOTH)
    table.stake("ana", "17:10")
    table.close()
    table.act(change({"straight": {"min": 15}}))
    coup(table, 17)
    table.close()
    ((_, amount, articles),) = table.last(StakesReturned).returned
    assert (amount, articles) == (10, ("X-05", "IT-general-15a"))


@pytest.mark.rule("IT-general-16")
@pytest.mark.parametrize(
    "limits",
    [
        {"straight": {"min": 60}},
        {"straight": {"max": 0}},
        {"straight": {"max": 2.5}},
        {"straight": {"maximum": 20}},
        {"straddle": {"max": 20}},
        {"straight": 20},
        [20],
    ],
)
def test_it_general_16_a_placard_that_makes_no_sense_is_refused(limits: object) -> None:
    table = table_of_fifty()
    assert refused(table, change(limits)).why is RefusalReason.LIMITS_NOT_VALID
    assert table.state.limits.as_data() == FIFTY


@pytest.mark.rule("IT-general-15a")
def test_it_general_15a_the_sign_shows_the_limits_of_the_table() -> None:
    table = table_of_fifty()
    assert table.state.limits.as_data() == FIFTY
    table.act(change({"column": {"min": 5, "max": 80}}))
    assert table.last(LimitsChanged).limits == {**FIFTY, "column": {"min": 5, "max": 80}}
    assert table.state.limits.as_data() == table.last(LimitsChanged).limits
