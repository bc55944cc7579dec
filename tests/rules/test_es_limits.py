"""Spain, limits: the maxima from the minimum, and how a house without excess keeps them."""

import pytest

from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import LimitsKept
from novamas.rulebooks import load, load_any
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Setup, State
from tests.rules.helpers import Table, coup, opened, place, refused


@pytest.mark.rule("ES-G.4")
@pytest.mark.parametrize(
    ("on", "times"),
    [
        ("17", 30),
        ("0/3", 60),
        ("16/18", 90),
        ("0/2/3", 90),
        ("25/29", 120),
        ("0/1/2/3", 120),
        ("13/18", 180),
        ("c1", 360),
        ("d3", 360),
        ("c1+c2", 720),
        ("d2+d3", 720),
        ("red", 540),
        ("low", 540),
    ],
)
@pytest.mark.parametrize("minimum", [1, 5])
def test_es_g_4_the_maximum_is_a_multiple_of_the_minimum(on: str, times: int, minimum: int) -> None:
    most = times * minimum
    table = opened("es", {"ana": 10_000}, limits=placard(load("es"), minimum))
    refusal = refused(table, place("ana", f"{on}:{most + 1}"))
    assert refusal.why is RefusalReason.EXCEEDS_MAXIMUM
    assert refusal.articles == ("ES-G.4",)
    table.stake("ana", f"{on}:{most}")
    assert refused(table, place("ana", f"{on}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("ES-G.4")
def test_es_g_4_a_placard_from_a_minimum_of_5() -> None:
    limits = placard(load("es"), 5).as_data()
    assert {name: limit["max"] for name, limit in limits.items()} == {
        "straight": 150,
        "split": 300,
        "street": 450,
        "corner": 600,
        "sixline": 900,
        "dozen": 1800,
        "column": 1800,
        "simple": 2700,
    }
    assert {limit["min"] for limit in limits.values()} == {5}


@pytest.mark.rule("ES-G.4", "X-05")
@pytest.mark.parametrize("on", ["d1+d2", "c2+c3"])
def test_es_g_4_a_double_plays_from_the_minimum_of_one_box(on: str) -> None:
    table = opened("es", {"ana": 100, "luis": 100}, limits=placard(load("es"), 10))
    table.stake("ana", f"{on}:10")
    table.stake("luis", f"{on}:9")
    table.close()
    assert [stake.player for stake in table.state.stakes.values()] == ["ana"]


@pytest.mark.rule("ES-G.4", "X-04")
def test_es_g_4_the_maximum_binds_each_player_on_each_spot() -> None:
    table = opened("es", {"ana": 1000, "luis": 1000}, limits=placard(load("es"), 5))
    table.stake("ana", "17:100 17:50 20:150")
    table.stake("luis", "17:150")
    assert refused(table, place("ana", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM
    # A stake that is moved takes its amount along.
    move = commands.MoveStake(by="ana", id="s3", on="17")
    assert refused(table, move).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("X-04")
def test_x_04_a_house_without_articles_on_excess_enforces_its_limits() -> None:
    assert Setup.usual(load("es")).limits_kept is LimitsKept.ENFORCED
    table = opened("es", {"ana": 1000}, limits={"straight": {"max": 100}})
    refusal = refused(table, place("ana", "17:101"))
    assert refusal.why is RefusalReason.EXCEEDS_MAXIMUM
    table.stake("ana", "17:100")
    refusal = refused(table, commands.NoticeExcess(by="croupier-1", id="s1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.LIMITS_ARE_ENFORCED, ("X-04",))


@pytest.mark.rule("X-04")
def test_x_04_no_table_of_this_house_can_be_policed() -> None:
    stake = {"do": "stake", "id": "b1", "player": "ana", "on": "17", "amount": 11}
    script = {
        "rulebook": "es",
        "settings": {"limits": "policed"},
        "limits": {"straight": {"max": 10}},
        "purses": {"ana": 100},
        "script": [stake],
    }
    assert run_script(script, load_any)["refused"] == [0]
    with pytest.raises(AssertionError, match="limits are enforced"):
        opened("es", {}, limits_kept=LimitsKept.POLICED)


@pytest.mark.rule("X-04")
def test_x_04_a_stake_laid_for_another_counts_with_who_laid_it() -> None:
    table = opened("es", {"ana": 100, "luis": 100}, limits={"straight": {"max": 10}})
    table.stake("ana", "17:10")
    table.stake("luis", "17:10", laid_for="s1")
    assert refused(table, place("luis", "17:1")).why is RefusalReason.EXCEEDS_MAXIMUM


@pytest.mark.rule("X-05")
def test_x_05_the_minimum_is_judged_at_the_close_on_all_that_lies_on_a_spot() -> None:
    table = opened("es", {"ana": 100}, limits=placard(load("es"), 5))
    table.stake("ana", "17:2 17:3 20:4 red:4")
    table.close()
    returned = table.last(events.StakesReturned).returned
    assert returned == (("s3", 4, ("X-05",)), ("s4", 4, ("X-05",)))
    assert (table.purse("ana"), table.state.on_cloth) == (95, 5)


@pytest.mark.rule("ES-G.5", "X-06")
def test_es_g_5_the_limits_of_an_open_table_do_not_change() -> None:
    table = opened("es", {"ana": 100}, limits=placard(load("es"), 5))
    for person in (MANAGEMENT, "chief-1"):
        change = commands.ChangeLimits(by=person, limits={"straight": {"max": 300}})
        refusal = refused(table, change)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.LIMITS_STAY_WHILE_OPEN,
            ("ES-G.5",),
        )
    coup(table, 17)
    assert refused(table, change).why is RefusalReason.LIMITS_STAY_WHILE_OPEN


@pytest.mark.rule("ES-G.5")
def test_es_g_5_before_the_table_opens_they_may() -> None:
    table = Table(State.fresh(load("es")))
    limits = placard(load("es"), 10).as_data()
    table.act(commands.ChangeLimits(by=MANAGEMENT, limits=limits))
    assert table.state.limits.as_data() == limits
