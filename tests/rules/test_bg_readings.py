"""Bulgaria, what no article says: winners, absence, and the limits of a table."""

import pytest

from novamas.game.rulebook.behaviours import LimitsKept, Winning
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Setup
from tests.rules.helpers import coup, opened, place, refused


@pytest.mark.rule("X-02")
def test_x_02_what_wins_goes_to_the_hand_unless_the_table_says_otherwise() -> None:
    assert Setup.usual(load("bg")).winning is Winning.HAND
    table = opened("bg", {"ana": 100})
    table.stake("ana", "red:10")
    coup(table, 9)
    assert (table.purse("ana"), table.state.on_cloth) == (110, 0)
    table = opened("bg", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "red:10")
    coup(table, 9)
    assert (table.purse("ana"), table.state.on_cloth) == (100, 10)


@pytest.mark.rule("X-07")
def test_x_07_what_wins_for_a_player_who_is_away_goes_to_his_hand() -> None:
    table = opened("bg", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "17:10 black:10")
    table.act(commands.StepAway(by="ana"))
    coup(table, 17)
    assert (table.purse("ana"), table.state.on_cloth) == (80 + 360 + 20, 0)
    assert not table.state.custody


@pytest.mark.rule("X-04", "AMB-BG-08")
def test_amb_bg_08_a_stake_above_the_maximum_of_the_table_is_refused() -> None:
    assert Setup.usual(load("bg")).limits_kept is LimitsKept.ENFORCED
    limits = {"straight": {"max": 10}, "simple": {"max": 100}}
    table = opened("bg", {"ana": 1000, "luis": 1000}, limits=limits)
    table.stake("ana", "17:6")
    for bet in ("17:5", "20:11", "red:101"):
        refusal = refused(table, place("ana", bet))
        assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("AMB-BG-08",))
    table.stake("ana", "17:4 20:10 red:100 d1:500")
    notice = commands.NoticeExcess(by="croupier-1", id="s1")
    refusal = refused(table, notice)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LIMITS_ARE_ENFORCED,
        ("X-04", "AMB-BG-08"),
    )
    # What one lays for another counts with who lays it.
    table.stake("luis", "17:10", laid_for="s1")
    assert refused(table, place("luis", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM
    with pytest.raises(AssertionError, match="limits are enforced"):
        opened("bg", {}, limits_kept=LimitsKept.POLICED)


@pytest.mark.rule("X-05", "AMB-BG-08")
def test_x_05_the_minimum_is_judged_at_the_end_of_betting() -> None:
    table = opened("bg", {"ana": 100}, limits={"straight": {"min": 5}})
    table.stake("ana", "17:2 17:3 20:4 red:1")
    table.close()
    assert table.last(events.StakesReturned).returned == (("s3", 4, ("X-05",)),)
    assert table.purse("ana") == 94


@pytest.mark.rule("X-06")
def test_x_06_the_limits_of_an_open_table_do_not_change() -> None:
    table = opened("bg", {"ana": 100}, limits={"straight": {"max": 10}})
    change = commands.ChangeLimits(by=MANAGEMENT, limits={"straight": {"max": 20}})
    refusal = refused(table, change)
    assert (refusal.why, refusal.articles) == (RefusalReason.LIMITS_STAY_WHILE_OPEN, ("X-06",))
