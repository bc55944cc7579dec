"""Argentina: the minimum and the maximum of each bet, and how they are kept."""

from typing import Any

import pytest

from novamas.game.rulebook.behaviours import LimitsKept
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import StakesReturned
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import State
from tests.rules.helpers import Table, case, coup, opened, place, refused, settle_line

LIMITS: dict[str, dict[str, int]] = {
    "straight": {"min": 2, "max": 100},
    "dozen": {"min": 5, "max": 500},
    "column": {"min": 5, "max": 400},
    "simple": {"min": 5, "max": 300},
}


def enforced(players: dict[str, int], limits: Any = LIMITS) -> Table:
    """A table that refuses what would pass a maximum."""
    return opened("ar", players, limits=limits, limits_kept="enforced")


# The minimum --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bets", "sent_back"),
    [
        case("AR-13 X-05", "17:1", 1),
        case("AR-13", "17:2", 0),
        case("AR-13 X-05", "17:1 17:1", 0),
        case("AR-13 X-05", "17:1 20:1", 2),
        case("AR-13", "red:4 black:5", 4),
        case("AMB-AR-19", "d1+d2:9", 9),
        case("AMB-AR-19", "d1+d2:5", 5),
        case("AMB-AR-19", "d1+d2:10", 0),
        case("AMB-AR-19", "c2+c3:8 c2+c3:2", 0),
        case("AMB-AR-19", "low+d3:9", 9),
    ],
)
def test_ar_13_what_is_below_the_minimum_at_the_close_is_returned(
    bets: str, sent_back: int
) -> None:
    table = opened("ar", {"ana": 1000}, limits=LIMITS)
    table.stake("ana", bets)
    on_cloth = table.state.on_cloth
    table.close()
    assert table.state.on_cloth == on_cloth - sent_back
    if sent_back:
        for _, _, articles in table.last(StakesReturned).returned:
            assert {"AR-13", "X-05"} <= set(articles)


@pytest.mark.rule("AMB-AR-19")
def test_ar_13_each_half_of_menor_and_third_dozen_reaches_the_minimum_of_its_box() -> None:
    limits = {"simple": {"min": 5}, "dozen": {"min": 20}}
    for amount, plays in ((39, 0), (40, 40)):
        table = opened("ar", {"ana": 100}, limits=limits)
        table.stake("ana", f"low+d3:{amount}")
        table.close()
        assert table.state.on_cloth == plays


@pytest.mark.rule("AR-13", "X-05")
def test_ar_13_the_minimum_is_not_judged_before_the_close() -> None:
    table = opened("ar", {"ana": 10}, limits=LIMITS)
    table.stake("ana", "17:1")
    table.launch()
    assert table.state.on_cloth == 1
    table.close()
    assert table.state.on_cloth == 0
    assert coup(table, 17).of("ana").returned == 1
    assert table.purse("ana") == 10


@pytest.mark.rule("AMB-AR-10")
def test_ar_14_a_part_that_comes_down_may_be_below_the_minimum_of_its_class() -> None:
    limits = {"straight": {"max": 100}, "split": {"min": 5, "max": 200}}
    line = settle_line("ar", 17, "17:101", limits=limits)
    assert line.hand - 36 * 100 == 18


# The maximum --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "most", "articles"),
    [
        case("AR-13", "17", 100, ("AR-13",)),
        case("AR-13", "red", 300, ("AR-13",)),
        case("AR-13", "d2", 500, ("AR-13",)),
        case("AR-13", "c3", 400, ("AR-13",)),
        case("AR-17.a", "d1+d2", 1000, ("AR-13", "AR-17.a")),
        case("AR-17.a", "d2+d3", 1000, ("AR-13", "AR-17.a")),
        case("AR-17.a", "c1+c2", 800, ("AR-13", "AR-17.a")),
        case("AR-17.a", "c2+c3", 800, ("AR-13", "AR-17.a")),
        case("AR-17.b AMB-AR-17", "low+d3", 600, ("AR-13", "AR-17.b")),
    ],
)
def test_ar_13_and_17_the_most_that_a_player_may_have_on_a_spot(
    name: str, most: int, articles: tuple[str, ...]
) -> None:
    table = enforced({"ana": 5000})
    table.stake("ana", f"{name}:{most - 10}")
    refusal = refused(table, place("ana", f"{name}:11"))
    assert refusal.why is RefusalReason.EXCEEDS_MAXIMUM
    assert refusal.articles == articles
    table.stake("ana", f"{name}:10")
    assert refused(table, place("ana", f"{name}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.parametrize(
    ("simple", "dozen", "most"),
    [
        case("AR-17.b AMB-AR-17", 300, 500, 600),
        case("AR-17.b AMB-AR-17", 1000, 500, 2000),
        case("AR-17.b AMB-AR-17", 500, 500, 1000),
    ],
)
def test_ar_17_menor_and_third_dozen_take_twice_the_maximum_of_menor(
    simple: int, dozen: int, most: int
) -> None:
    table = enforced({"ana": 5000}, {"simple": {"max": simple}, "dozen": {"max": dozen}})
    assert refused(table, place("ana", f"low+d3:{most + 1}")).why is RefusalReason.EXCEEDS_MAXIMUM
    table.stake("ana", f"low+d3:{most}")


@pytest.mark.rule("AR-17.b")
def test_ar_17_without_a_maximum_of_menor_the_dozens_do_not_bind_it() -> None:
    table = enforced({"ana": 5000}, {"dozen": {"max": 500}})
    table.stake("ana", "low+d3:5000")
    assert table.state.on_cloth == 5000


@pytest.mark.rule("AMB-AR-29")
def test_ar_13_the_maximum_is_of_each_player_and_each_spot() -> None:
    table = enforced({"ana": 500, "luis": 500})
    table.stake("ana", "17:60")
    table.stake("luis", "17:100")
    table.stake("ana", "17:40 20:100")
    assert refused(table, place("ana", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM
    assert refused(table, place("luis", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("AMB-AR-29")
def test_ar_13_what_is_laid_for_another_counts_for_the_one_who_lays_it() -> None:
    table = enforced({"ana": 500, "luis": 500})
    (hers,) = table.stake("ana", "17:100")
    table.stake("luis", "17:100", laid_for=hers)
    assert coup(table, 17).of("luis").won == 3500


@pytest.mark.rule("AR-13")
def test_ar_13_a_move_does_not_pass_a_maximum_either() -> None:
    table = enforced({"ana": 500})
    table.stake("ana", "17:60")
    (other,) = table.stake("ana", "20:60")
    move = commands.MoveStake(by="ana", id=other, on="17")
    assert refused(table, move).why is RefusalReason.EXCEEDS_MAXIMUM
    table.act(commands.MoveStake(by="ana", id=other, on="23"))


# How they are kept --------------------------------------------------------------------------------


@pytest.mark.rule("X-04")
def test_x_04_this_house_keeps_its_limits_either_way_and_enforces_them_first() -> None:
    assert State.fresh(load("ar")).setup.limits_kept is LimitsKept.ENFORCED
    for kept in ("enforced", "policed"):
        opened("ar", {"ana": 10}, limits_kept=kept)


@pytest.mark.rule("X-04", "AR-13")
def test_x_04_enforced_refuses_and_policed_lets_stand() -> None:
    assert (
        refused(enforced({"ana": 150}), place("ana", "17:101")).why is RefusalReason.EXCEEDS_MAXIMUM
    )
    table = opened("ar", {"ana": 150}, limits=LIMITS)
    table.stake("ana", "17:101")
    assert table.state.on_cloth == 101


@pytest.mark.rule("X-04")
def test_x_04_where_limits_are_enforced_there_is_no_excess_to_notice() -> None:
    table = enforced({"ana": 150})
    (id,) = table.stake("ana", "17:100")
    refusal = refused(table, commands.NoticeExcess(by="tallador-1", id=id))
    assert refusal.why is RefusalReason.LIMITS_ARE_ENFORCED
    assert refusal.articles == ("X-04",)


@pytest.mark.rule("X-06")
def test_x_06_the_limits_of_an_open_table_do_not_change() -> None:
    table = opened("ar", {"ana": 150}, limits=LIMITS)
    change = commands.ChangeLimits(by=MANAGEMENT, limits={"straight": {"max": 10}})
    refusal = refused(table, change)
    assert refusal.why is RefusalReason.LIMITS_STAY_WHILE_OPEN
    assert refusal.articles == ("X-06",)


@pytest.mark.rule("AR-13", "X-06")
def test_x_06_before_the_table_opens_the_reparticion_fixes_them() -> None:
    table = Table(State.fresh(load("ar")))
    limits = {"straight": {"min": 2, "max": 10}}
    table.act(commands.ChangeLimits(by=MANAGEMENT, limits=limits))
    assert table.state.limits.as_data() == limits
