"""France, article 53, at all three roulettes: the placard changes only by closing and reopening."""

from typing import Any

import pytest

from novamas.game.limits import placard
from novamas.rulebooks import load, load_any
from novamas.table.script import run_script
from tests.rules.helpers import case

HOUSES = [
    case("FR-53.l FR-53.k", "fr"),
    case("FRAM-55-3.n", "fram"),
    case("FRAN-55-13.b", "fran"),
]
every_house = pytest.mark.parametrize("house", HOUSES)


def stake(id: str, on: str, amount: int) -> dict[str, Any]:
    """A stake of ana."""
    return {"do": "stake", "id": id, "player": "ana", "on": on, "amount": amount}


def coup(number: int) -> list[dict[str, Any]]:
    """A coup with that number."""
    return [{"do": "no_more_bets"}, {"do": "number", "number": number}]


def reopen(house: str, minimum: int) -> dict[str, Any]:
    """The table is closed and opened again with the placard of another minimum."""
    return {"do": "reopen", "limits": placard(load(house), minimum).as_data()}


def played(house: str, *script: dict[str, Any]) -> dict[str, Any]:
    """What comes of a script at a table with a minimum of 5."""
    limits = placard(load(house), 5).as_data()
    table = {"rulebook": house, "limits": limits, "purses": {"ana": 1000}}
    return run_script({**table, "script": list(script)}, load_any)


@every_house
@pytest.mark.rule("AMB-FR-11", "X-06")
def test_fr_53_l_a_table_that_reopens_has_a_new_placard(house: str) -> None:
    most = placard(load(house), 10).as_data()["straight"]["max"]
    outcome = played(
        house,
        {"do": "change_limits", "limits": {"straight": {"max": 1000}}},
        reopen(house, 10),
        stake("a", "8", most),
        stake("b", "8", 1),
        stake("c", "11", 9),
        *coup(8),
    )
    assert outcome["refused"] == [0, 3]
    sums = outcome["coups"][0]["players"]["ana"]
    # 9 are short of the new minimum.
    assert (sums["won"], sums["returned"]) == (35 * most, most + 9)


@every_house
@pytest.mark.rule("AMB-FR-11")
def test_amb_fr_11_what_lies_goes_back_and_the_players_keep_seat_and_chips(house: str) -> None:
    outcome = played(house, stake("a", "17", 10), reopen(house, 10), stake("a", "20", 20))
    assert not outcome["refused"]
    assert outcome["purses"] == {"ana": 980}


@every_house
@pytest.mark.rule("AMB-FR-11")
def test_amb_fr_11_not_while_betting_is_closed(house: str) -> None:
    outcome = played(house, {"do": "no_more_bets"}, reopen(house, 10))
    assert outcome["refused"] == [1]


@pytest.mark.rule("AMB-FR-11", "FR-53.l", "FR-52.z2")
def test_amb_fr_11_not_with_a_stake_in_prison() -> None:
    held = [stake("a", "red", 10), *coup(0)]
    assert played("fr", *held, reopen("fr", 10))["refused"] == [3]
    assert played("fr", *held, *coup(9), reopen("fr", 10))["refused"] == []


@pytest.mark.parametrize("house", ["ar", "es", "it", "bg"])
@pytest.mark.rule("FR-53.l")
def test_fr_53_l_other_houses_do_not_reopen(house: str) -> None:
    table = {"rulebook": house, "purses": {"ana": 100}}
    script = [{"do": "reopen", "limits": {"straight": {"max": 300}}}]
    assert run_script({**table, "script": script}, load_any)["refused"] == [0]
