"""France, article 41, at all three roulettes: stakes without an owner, until they are declared."""

from typing import Any

import pytest

from novamas.rulebooks import load, load_any
from novamas.table.script import run_script
from tests.rules import helpers
from tests.rules.helpers import case, opened

LIMITS = {"simple": {"min": 5, "max": 40}}
HOUSES = [case("FR-41.b", "fr"), case("FRAM-41", "fram"), case("FRAN-41", "fran")]
every_house = pytest.mark.parametrize("house", HOUSES)


def coup(number: int) -> list[dict[str, Any]]:
    """A coup with that number."""
    return [{"do": "no_more_bets"}, {"do": "number", "number": number}]


def orphan(id: str = "b") -> dict[str, Any]:
    """The staff finds a stake abandoned."""
    return {"do": "orphan", "id": id}


def abandoned(house: str, bet: str, *then: dict[str, Any], **table: Any) -> dict[str, Any]:
    """What comes of a stake `b` of ana that nobody claims."""
    on, amount = bet.split(":")
    stake = {"do": "stake", "id": "b", "player": "ana", "on": on, "amount": int(amount)}
    script = [{**stake, "unattended": True}, *then]
    purses = {"ana": 100, "luc": 100}
    return run_script({"rulebook": house, "purses": purses, "script": script, **table}, load_any)


@every_house
@pytest.mark.rule("FR-41.a", "FR-41.c", "AMB-FR-10")
def test_fr_41_b_on_a_chance_stake_and_gains_ride_until_they_are_declared(house: str) -> None:
    outcome = abandoned(house, "red:5", *coup(9), *coup(12), orphan(), *coup(14))
    assert not outcome["refused"]
    assert outcome["custody"] == {"ana": 20}
    assert outcome["purses"] == {"ana": 95, "luc": 100}
    assert outcome["bank"] == -15


@every_house
@pytest.mark.rule("AMB-FR-10")
@pytest.mark.parametrize(("bet", "aside"), [("9:5", 180), ("9/12:5", 90), ("7/12:5", 30)])
def test_amb_fr_10_on_the_numbers_all_is_set_aside_at_the_first_win(
    bet: str, aside: int, house: str
) -> None:
    outcome = abandoned(house, bet, *coup(9), orphan(), *coup(9))
    assert outcome["custody"] == {"ana": aside}
    # Nothing lies there any more that could be declared.
    assert outcome["refused"] == [3]


@every_house
@pytest.mark.rule("AMB-FR-10")
def test_amb_fr_10_what_rides_stops_at_the_maximum_and_the_rest_is_set_aside(house: str) -> None:
    reds = (9, 12, 14, 16)
    outcome = abandoned(
        house, "red:5", *(step for red in reds for step in coup(red)), limits=LIMITS
    )
    # 10, 20, 40, and then 40 of 80: 40 stay and 40 are set aside.
    assert outcome["custody"] == {"ana": 40}


@every_house
@pytest.mark.rule("FR-41.b", "AMB-FR-10")
def test_amb_fr_10_what_loses_meanwhile_is_lost(house: str) -> None:
    outcome = abandoned(house, "red:5", *coup(9), *coup(8), orphan())
    assert not outcome.get("custody")
    assert (outcome["refused"], outcome["bank"]) == ([5], 5)


@pytest.mark.rule("AMB-FR-10", "FR-52.z3")
def test_amb_fr_10_what_zero_leaves_is_set_aside_in_fr() -> None:
    outcome = abandoned("fr", "red:10", *coup(0), *coup(9))
    assert outcome["custody"] == {"ana": 10}


@pytest.mark.rule("AMB-FR-10", "FRAN-41", "FRAN-55-12.z")
def test_amb_fr_10_what_zero_leaves_is_set_aside_in_fran() -> None:
    outcome = abandoned("fran", "red:10", *coup(0))
    assert outcome["custody"] == {"ana": 5}


@every_house
@pytest.mark.rule("FR-41.a")
def test_fr_41_a_only_a_stake_of_unknown_owner_is_an_orphan(house: str) -> None:
    stake = {"do": "stake", "id": "own", "player": "luc", "on": "red", "amount": 10}
    outcome = abandoned(house, "red:5", stake, orphan("own"), orphan("none"), orphan())
    assert outcome["refused"] == [2, 3]
    assert outcome["custody"] == {"ana": 5}


@every_house
@pytest.mark.rule("FR-41.c")
def test_fr_41_c_between_coups_alone_and_never_while_betting_is_closed(house: str) -> None:
    outcome = abandoned(house, "red:5", {"do": "no_more_bets"}, orphan())
    assert outcome["refused"] == [2]


@pytest.mark.parametrize("house", ["ar", "es", "it", "bg"])
@pytest.mark.rule("FR-41.b")
def test_fr_41_b_other_houses_declare_nothing(house: str) -> None:
    assert abandoned(house, "red:5", orphan())["refused"] == [1]


@every_house
@pytest.mark.rule("FR-41.d")
def test_fr_41_d_an_owner_who_proves_a_right_has_the_sum_back(house: str) -> None:
    outcome = abandoned(house, "red:5", *coup(9), orphan(), {"do": "claim", "player": "ana"})
    assert not outcome["refused"]
    assert outcome["purses"]["ana"] == 105
    assert not outcome.get("custody")


@pytest.mark.parametrize(
    ("house", "cited"),
    [
        case("FR-41.b FR-41.c", "fr", {"FR-41.b", "FR-41.c"}),
        case("FRAM-41", "fram", {"FRAM-41"}),
        case("FRAN-41", "fran", {"FRAN-41"}),
    ],
)
def test_fr_41_what_is_declared_cites_its_article(house: str, cited: set[str]) -> None:
    assert set(load(house).absence.cites.declared) == cited


@pytest.mark.rule("AMB-FR-10", "X-03")
@pytest.mark.parametrize("house", ["fr", "fran"])
def test_amb_fr_10_at_a_live_table_only_whole_chips_ride(house: str) -> None:
    table = opened(house, {"ana": 100}, live=True, chip=2)
    table.stake("ana", "d1+d2:10", unattended=True)
    # Half of ten is won; of fifteen units a chip of two would be broken.
    assert helpers.coup(table, 17).of("ana").won == 5
    assert [stake.amount for stake in table.state.stakes.values()] == [14]
    assert table.state.custody["ana"] == 1
