"""France, article 53: the placard from the minimum, and how the French roulette keeps it."""

import pytest

from novamas.game.limits import Limit, placard
from novamas.game.rulebook.behaviours import LimitsKept
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Setup, State
from tests.rules.helpers import Table, case, coup, opened, place, refused


@pytest.mark.parametrize(
    ("on", "times"),
    [
        case("FR-53.b", "red", 1000),
        case("FR-53.b", "odd", 1000),
        case("FR-53.b", "high", 1000),
        case("FR-53.c", "17", 30),
        case("FR-53.c", "0", 30),
        case("FR-53.d", "0/3", 60),
        case("FR-53.e", "16/18", 100),
        case("FR-53.e", "0/1/2", 100),
        case("FR-53.f", "25/29", 120),
        case("FR-53.f", "0/1/2/3", 120),
        case("FR-53.g", "13/18", 200),
        case("FR-53.h", "d3", 500),
        case("FR-53.h", "c1", 500),
        case("FR-53.i", "d1+d2", 2000),
        case("FR-53.i", "c2+c3", 2000),
    ],
)
@pytest.mark.parametrize("minimum", [1, 5])
def test_fr_53_the_maximum_is_a_multiple_of_the_minimum(minimum: int, on: str, times: int) -> None:
    most = times * minimum
    table = opened("fr", {"ana": 100_000}, limits=placard(load("fr"), minimum))
    refusal = refused(table, place("ana", f"{on}:{most + 1}"))
    assert refusal.why is RefusalReason.EXCEEDS_MAXIMUM
    table.stake("ana", f"{on}:{most}")
    assert refused(table, place("ana", f"{on}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("FR-S1", "FR-53.a", "FR-53.i")
def test_fr_s1_one_placard_follows_from_one_minimum() -> None:
    limits = placard(load("fr"), 2)
    data = limits.as_data()
    assert {name: each["max"] for name, each in data.items()} == {
        "straight": 60,
        "split": 120,
        "street": 200,
        "corner": 240,
        "sixline": 400,
        "dozen": 1000,
        "column": 1000,
        "simple": 2000,
    }
    assert {each["min"] for each in data.values()} == {2}
    apart = limits.apart(load("fr"))
    assert {spot.name: limit for spot, limit in apart.items()} == dict.fromkeys(
        ("d1+d2", "d2+d3", "c1+c2", "c2+c3"), Limit(2, 4000)
    )


@pytest.mark.rule("FR-53.j", "FR-53.k", "FR-S1")
def test_fr_53_j_the_minimum_may_be_raised_before_the_table_opens_and_the_maxima_with_it() -> None:
    table = Table(State.fresh(load("fr"), Setup(limits=placard(load("fr"), 5))))
    limits = placard(load("fr"), 10).as_data()
    table.act(commands.ChangeLimits(by=MANAGEMENT, limits=limits))
    assert table.state.limits.as_data() == limits
    assert limits["straight"] == {"min": 10, "max": 300}


@pytest.mark.rule("FR-53.l", "AMB-FR-11", "X-06")
def test_fr_53_l_the_placard_of_an_open_table_does_not_change() -> None:
    table = opened("fr", {"ana": 100}, limits=placard(load("fr"), 5))
    for person in (MANAGEMENT, "chief-1"):
        change = commands.ChangeLimits(by=person, limits={"straight": {"max": 300}})
        refusal = refused(table, change)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.LIMITS_STAY_WHILE_OPEN,
            ("FR-53.l", "AMB-FR-11", "X-06"),
        )
    coup(table, 17)
    assert refused(table, change).why is RefusalReason.LIMITS_STAY_WHILE_OPEN


@pytest.mark.rule("AMB-FR-12", "FR-53.c")
def test_amb_fr_12_the_maximum_binds_each_player_on_each_spot() -> None:
    table = opened("fr", {"ana": 1000, "luc": 1000}, limits=placard(load("fr"), 5))
    table.stake("ana", "17:100 17:50 20:150")
    table.stake("luc", "17:150")
    assert refused(table, place("ana", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("AMB-FR-12")
def test_amb_fr_12_a_stake_laid_for_another_counts_with_who_laid_it() -> None:
    table = opened("fr", {"ana": 100, "luc": 100}, limits={"straight": {"max": 10}})
    table.stake("ana", "17:10")
    table.stake("luc", "17:10", laid_for="s1")
    assert refused(table, place("luc", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("AMB-FR-13", "X-04", "FR-S1", "AMB-FR-12")
def test_amb_fr_13_a_stake_above_the_maximum_is_refused_and_not_cut() -> None:
    assert Setup.usual(load("fr")).limits_kept is LimitsKept.ENFORCED
    table = opened("fr", {"ana": 1000}, limits=placard(load("fr"), 5))
    refusal = refused(table, place("ana", "17:155"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.EXCEEDS_MAXIMUM,
        ("FR-S1", "AMB-FR-12", "AMB-FR-13"),
    )
    table.stake("ana", "17:150")
    refusal = refused(table, commands.NoticeExcess(by="croupier-1", id="s1"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LIMITS_ARE_ENFORCED,
        ("X-04", "AMB-FR-13"),
    )


@pytest.mark.rule("X-05", "FR-53.a", "FR-S1")
def test_x_05_the_minimum_is_judged_at_the_close_on_all_that_lies_on_a_spot() -> None:
    table = opened("fr", {"ana": 100}, limits=placard(load("fr"), 5))
    table.stake("ana", "17:2 17:3 20:4 d1+d2:4")
    table.close()
    returned = table.last(events.StakesReturned).returned
    assert [(id, amount) for id, amount, _ in returned] == [("s3", 4), ("s4", 4)]
    assert all({"FR-53.a", "X-05"} <= set(articles) for _, _, articles in returned)
    assert (table.purse("ana"), table.state.on_cloth) == (95, 5)
