"""South Dakota: a wager that was accepted plays whole, above its maximum and below its minimum."""

from typing import Any

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.limits import Limit, Limits, limited, placard
from novamas.game.rulebook.behaviours import LimitsKept, Winning
from novamas.rulebooks import load, load_any
from novamas.table import commands, events
from novamas.table.decide.checks import require_lawful_placard
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.script import run_script
from novamas.table.state import Setup, State
from tests.rules.helpers import Table, case, coup, opened, place, refused, settle_line

LIMITS = {
    "straight": {"min": 1, "max": 25},
    "split": {"min": 5, "max": 50},
    "five": {"min": 1, "max": 125},
    "simple": {"min": 1, "max": 500},
}
ENFORCED, POLICED = LimitsKept.ENFORCED, LimitsKept.POLICED


def of_25(kept: LimitsKept = POLICED, **more: Any) -> Table:
    """A table with a maximum of 25 on a number and a minimum of 5 on a split."""
    players = {"ana": 1000, "luis": 1000}
    return opened("sd", players, limits=LIMITS, limits_kept=kept, **more)


# Policed ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("SD-G.4 AMB-SD-04", "17:40", 17, 1400),
        case("SD-G.4 AMB-SD-04", "black:700", 17, 700),
        case("SD-G.4 AMB-SD-04", "0/00/1/2/3:200", 3, 1200),
    ],
)
def test_sd_g_4_what_nobody_noticed_is_paid_in_its_entirety(bet: str, out: int, won: int) -> None:
    table = of_25()
    table.stake("ana", bet)
    sums = coup(table, out).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (won, int(bet.split(":")[1]), 0)
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert {"SD-G.4", "AMB-SD-04"} <= set(line.articles)


@pytest.mark.rule("SD-G.4")
@pytest.mark.parametrize("bet", ["17:40", "red:700"])
def test_sd_g_4_and_lost_in_its_entirety(bet: str) -> None:
    line = settle_line("sd", 20, bet, limits=LIMITS)
    assert (line.lost, line.returned) == (int(bet.split(":")[1]), 0)
    assert "SD-G.4" in line.articles


@pytest.mark.rule("SD-G.4")
@pytest.mark.parametrize("bet", ["17:25", "17:24"])
def test_sd_g_4_within_the_maximum_it_is_not_cited(bet: str) -> None:
    for out in (17, 20):
        assert "SD-G.4" not in settle_line("sd", out, bet, limits=LIMITS).articles


@pytest.mark.rule("SD-G.4", "AMB-SD-04")
def test_amb_sd_04_noticed_before_the_close_the_excess_goes_back() -> None:
    table = of_25()
    (id,) = table.stake("ana", "17:60")
    table.notice(id)
    assert (table.purse("ana"), table.state.stakes[id].amount) == (975, 25)
    sums = coup(table, 17).of("ana")
    assert (sums.won, sums.returned) == (875, 60)


@pytest.mark.rule("SD-G.4", "AMB-SD-04")
@pytest.mark.parametrize("by", ["dealer-1", "supervisor-1"])
@pytest.mark.parametrize(("bet", "won"), [("17:40", 1400), ("black:700", 700)])
def test_amb_sd_04_from_the_close_on_it_is_too_late(bet: str, won: int, by: str) -> None:
    table = of_25()
    (id,) = table.stake("ana", bet)
    table.close()
    notice = commands.NoticeExcess(by=by, id=id)
    refusal = refused(table, notice)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NOTICED_TOO_LATE,
        ("SD-G.4", "AMB-SD-04"),
    )
    table.pocket(17)
    assert refused(table, notice).why is RefusalReason.NOTICED_TOO_LATE
    assert coup_to_end(table) == won


def coup_to_end(table: Table) -> int:
    """Plays the coup to its end; what ana wins."""
    table.call()
    table.collect()
    table.pay()
    return table.tally.coups[-1].of("ana").won


@pytest.mark.rule("SD-G.4", "AMB-SD-04")
def test_amb_sd_04_after_no_spin_betting_is_open_and_it_can_be_noticed_again() -> None:
    table = of_25()
    (id,) = table.stake("ana", "17:40")
    table.close()
    table.void("too_few_turns")
    table.notice(id)
    assert table.state.stakes[id].amount == 25


@pytest.mark.rule("SD-G.4")
def test_sd_g_4_a_wager_of_unclear_value_plays_whole_too() -> None:
    table = of_25()
    table.stake("ana", "17:40", value_unclear=True)
    assert coup(table, 17).of("ana").won == 1400


@pytest.mark.rule("SD-G.4", "X-05")
def test_sd_g_4_what_is_below_the_minimum_plays() -> None:
    table = of_25()
    table.stake("ana", "17/20:2")
    table.close()
    assert not [event for event in table.events if isinstance(event, events.StakesReturned)]
    assert coup(table, 17).of("ana").won == 34


@pytest.mark.rule("SD-G.4", "X-02")
def test_sd_g_4_a_winner_above_its_maximum_stays_whole_where_winners_stay() -> None:
    table = of_25(winning=Winning.CLOTH)
    (id,) = table.stake("ana", "17:40")
    coup(table, 17)
    assert table.state.stakes[id].amount == 40


# Enforced -----------------------------------------------------------------------------------------


@pytest.mark.rule("X-04", "AMB-SD-04")
def test_x_04_a_table_that_enforces_its_limits_refuses_what_is_above_them() -> None:
    assert load("sd").limits.kept == (ENFORCED, POLICED)
    assert Setup.usual(load("sd")).limits_kept is ENFORCED
    table = of_25(ENFORCED)
    refusal = refused(table, place("ana", "17:40"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.EXCEEDS_MAXIMUM,
        ("X-04", "SD-12.08"),
    )


@pytest.mark.rule("X-04")
def test_x_04_a_stake_laid_for_another_counts_with_who_laid_it() -> None:
    table = of_25(ENFORCED)
    table.stake("ana", "17:25")
    table.stake("luis", "17:25", laid_for="s1")
    assert refused(table, place("luis", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("X-05")
def test_x_05_there_what_is_below_the_minimum_goes_back() -> None:
    table = of_25(ENFORCED)
    table.stake("ana", "17/20:2 17:5")
    table.close()
    ((id, amount, articles),) = table.last(events.StakesReturned).returned
    assert (id, amount, articles) == ("s1", 2, ("X-05",))


@pytest.mark.rule("SD-G.4", "X-04")
@pytest.mark.parametrize(
    ("settings", "refused_at"), [({}, []), ({"limits": "enforced"}, [0])], ids=["unsaid", "said"]
)
def test_x_04_a_script_is_policed_unless_it_says_otherwise(
    settings: dict[str, str], refused_at: list[int]
) -> None:
    script = {
        "rulebook": "sd",
        "settings": settings,
        "limits": {"straight": {"max": 10}},
        "purses": {"ana": 100},
        "script": [{"do": "stake", "id": "b1", "player": "ana", "on": "17", "amount": 11}],
    }
    assert run_script(script, load_any)["refused"] == refused_at


# The placard --------------------------------------------------------------------------------------


@pytest.mark.rule("NV-12", "SD-12.08")
def test_nv_12_the_placard_of_a_new_table_follows_from_its_minimum() -> None:
    limits = placard(load("sd"), 10)
    expected = {
        "straight": 30,
        "split": 60,
        "street": 90,
        "corner": 120,
        "five": 150,
        "sixline": 180,
        "dozen": 360,
        "column": 360,
        "simple": 540,
    }
    assert {kind.value: limits[kind] for kind in load("sd").cloth.plan.classes} == {
        name: Limit(10, 10 * times) for name, times in expected.items()
    }


LAWFUL = {kind.value: {"min": 1, "max": 100} for kind in limited(load("sd"))}


def with_law(highest: int | None, house: str = "sd", **limits: dict[str, int]) -> Table:
    """An open table, where the law sets the highest bet; the test fails if it may not open."""
    return opened(house, {"ana": 1000}, limits=LAWFUL | limits, highest_bet=highest)


@pytest.mark.rule("SD-12.08", "AMB-SD-05")
def test_sd_12_08_no_placard_goes_above_the_highest_bet_of_the_law() -> None:
    with_law(100)
    with_law(None, simple={"max": 5000})  # The house has not said what it is.
    with_law(100, "fram", simple={"max": 101})  # No law of that house.
    with pytest.raises(AssertionError, match=r"limits\.five: no bet may be more than 100"):
        with_law(100, five={"min": 1, "max": 101})


@pytest.mark.rule("SD-12.08", "AMB-SD-05")
def test_sd_12_08_a_class_without_a_maximum_is_above_every_bet() -> None:
    lawful = {kind: limits for kind, limits in LAWFUL.items() if kind != "street"}
    state = State.fresh(load("sd"), Setup(limits=Limits.of(lawful), highest_bet=100))
    with pytest.raises(Refused) as unlimited:
        require_lawful_placard(state.book, state.setup, state.limits)
    refusal = unlimited.value.refusal
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LIMITS_NOT_VALID,
        ("SD-12.08", "AMB-SD-05"),
    )
    assert refusal.detail == "limits.street: no bet may be more than 100"


@pytest.mark.rule("SD-12.08", "NV-12")
def test_sd_12_08_the_placard_from_the_minimum_stays_below_the_highest_bet() -> None:
    limits = placard(load("sd"), 10, highest=1000)
    assert limits[SpotClass.STRAIGHT] == Limit(10, 300)
    assert limits[SpotClass.SIMPLE] == Limit(10, 1000)
    assert placard(load("fr"), 10, highest=1000) == placard(load("fr"), 10)


@pytest.mark.rule("SD-12.08", "X-06")
def test_sd_12_08_nor_does_a_placard_that_is_changed_before_the_table_opens() -> None:
    state = State.fresh(load("sd"), Setup(limits=Limits.of(LAWFUL), highest_bet=100))
    change = commands.ChangeLimits(by=MANAGEMENT, limits={"simple": {"max": 101}})
    refusal = refused(Table(state), change)
    assert refusal.articles == ("SD-12.08", "AMB-SD-05")


@pytest.mark.rule("X-06")
def test_x_06_the_limits_of_an_open_table_do_not_change() -> None:
    table = of_25()
    for person in (MANAGEMENT, "supervisor-1"):
        change = commands.ChangeLimits(by=person, limits={"straight": {"max": 300}})
        refusal = refused(table, change)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.LIMITS_STAY_WHILE_OPEN,
            ("X-06",),
        )
