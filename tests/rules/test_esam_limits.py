"""Spain, American roulette, limits: the maxima from the minimum, for a whole session."""

from typing import Any

import pytest

from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import LimitsKept
from novamas.rulebooks import load, load_any
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Setup, State
from tests.rules.helpers import Table, case, coup, opened, place, refused


@pytest.mark.parametrize(
    ("on", "times", "article"),
    [
        case("ESAM-V.d1", "red", 360, "ESAM-V.d1"),
        case("ESAM-V.d1", "low", 360, "ESAM-V.d1"),
        case("ESAM-V.d2", "17", 20, "ESAM-V.d2"),
        case("ESAM-V.d2", "0", 20, "ESAM-V.d2"),
        case("ESAM-V.d3", "0/3", 40, "ESAM-V.d3"),
        case("ESAM-V.d4", "16/18", 60, "ESAM-V.d4"),
        case("ESAM-V.d4", "0/2/3", 60, "ESAM-V.d4"),
        case("ESAM-V.d5", "25/29", 80, "ESAM-V.d5"),
        case("ESAM-V.d5", "0/1/2/3", 80, "ESAM-V.d5"),
        case("ESAM-V.d6", "13/18", 120, "ESAM-V.d6"),
        case("ESAM-V.d7", "c1", 240, "ESAM-V.d7"),
        case("ESAM-V.d7", "d3", 240, "ESAM-V.d7"),
        case("ESAM-V.d8", "c1+c2", 480, "ESAM-V.d8"),
        case("ESAM-V.d8", "d2+d3", 480, "ESAM-V.d8"),
    ],
)
@pytest.mark.parametrize("minimum", [1, 5])
def test_esam_v_d_the_maximum_is_a_multiple_of_the_minimum(
    on: str, times: int, article: str, minimum: int
) -> None:
    most = times * minimum
    table = opened("esam", {"ana": 10_000}, limits=placard(load("esam"), minimum))
    refusal = refused(table, place("ana", f"{on}:{most + 1}"))
    assert refusal.why is RefusalReason.EXCEEDS_MAXIMUM
    assert article in refusal.articles
    table.stake("ana", f"{on}:{most}")
    assert refused(table, place("ana", f"{on}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("ESAM-V.a", "ESAM-V.d1", "ESAM-V.d2", "ESAM-V.d7")
def test_esam_v_a_a_placard_has_one_minimum() -> None:
    limits = placard(load("esam"), 5).as_data()
    assert {limit["min"] for limit in limits.values()} == {5}
    assert {name: limit["max"] for name, limit in limits.items()} == {
        "straight": 100,
        "split": 200,
        "street": 300,
        "corner": 400,
        "sixline": 600,
        "dozen": 1200,
        "column": 1200,
        "simple": 1800,
    }


@pytest.mark.rule("ESAM-V.a", "X-05")
def test_esam_v_a_what_is_below_the_minimum_goes_back_at_the_close() -> None:
    table = opened("esam", {"ana": 100}, limits=placard(load("esam"), 5))
    table.stake("ana", "17:2 17:3 20:4 red:4 d1+d2:4")
    table.close()
    returned = table.last(events.StakesReturned).returned
    assert [(id, amount) for id, amount, _ in returned] == [("s3", 4), ("s4", 4), ("s5", 4)]
    assert all({"ESAM-V.a", "X-05"} <= set(articles) for _, _, articles in returned)
    assert table.state.on_cloth == 5


@pytest.mark.rule("X-04")
def test_x_04_a_house_without_articles_on_excess_enforces_its_limits() -> None:
    assert Setup.usual(load("esam")).limits_kept is LimitsKept.ENFORCED
    table = opened("esam", {"ana": 1000}, limits={"straight": {"max": 100}})
    table.stake("ana", "17:100")
    refusal = refused(table, commands.NoticeExcess(by="croupier-1", id="s1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.LIMITS_ARE_ENFORCED, ("X-04",))


# The session --------------------------------------------------------------------------------------


@pytest.mark.rule("ESAM-01.2.a", "X-06")
def test_esam_2_a_the_limits_of_a_table_in_play_do_not_change() -> None:
    table = opened("esam", {"ana": 100}, limits=placard(load("esam"), 5))
    for person in (MANAGEMENT, "chief-1"):
        change = commands.ChangeLimits(by=person, limits={"straight": {"max": 300}})
        refusal = refused(table, change)
        assert refusal.why is RefusalReason.LIMITS_STAY_WHILE_OPEN
        assert refusal.articles == ("ESAM-01.2.a", "AMB-ESAM-05")
    coup(table, 17)
    assert refused(table, change).why is RefusalReason.LIMITS_STAY_WHILE_OPEN


@pytest.mark.rule("ESAM-01.2.a")
def test_esam_2_a_before_the_table_is_in_play_they_may() -> None:
    table = Table(State.fresh(load("esam")))
    limits = placard(load("esam"), 10).as_data()
    table.act(commands.ChangeLimits(by=MANAGEMENT, limits=limits))
    assert table.state.limits.as_data() == limits


@pytest.mark.rule("ESAM-01.2.a", "AMB-ESAM-05")
@pytest.mark.parametrize("do", ["change_limits", "reopen"])
def test_amb_esam_05_reopening_the_table_does_not_change_them_either(do: str) -> None:
    script: list[dict[str, Any]] = [
        {"do": do, "limits": {"straight": {"max": 200}}},
        {"do": "stake", "id": "a", "player": "ana", "on": "17", "amount": 101},
        {"do": "stake", "id": "b", "player": "ana", "on": "17", "amount": 100},
    ]
    table = {
        "rulebook": "esam",
        "limits": {"straight": {"min": 5, "max": 100}},
        "purses": {"ana": 500},
        "script": script,
    }
    outcome = run_script(table, load_any)
    assert outcome["refused"] == [0, 1]
    assert outcome["refusals"][0]["articles"] == ["ESAM-01.2.a", "AMB-ESAM-05"]
