"""A player's profit, coup after coup, beside what the exact odds expected of their bets."""

from __future__ import annotations

from fractions import Fraction

import pytest

import novamas as nv
from novamas.game.cloth import spot
from novamas.house.people.events import Post as Role
from novamas.house.views.profit_view import LayoutOdds, PlayedCoup, ProfitPoint, of_coups, of_layout
from novamas.rulebooks import HOUSES
from tests.web.answers import check_shape
from tests.web.coups import lay, seat, spin
from tests.web.door import open_door, run


@pytest.mark.parametrize("house", HOUSES)
def test_the_odds_are_those_of_the_library(house: str) -> None:
    laid = ((spot("17"), 100), (spot("red"), 200))
    told, odds = of_layout(house, laid, 100), nv.odds(house, "17:100 red:200", divisible=True)
    assert told == LayoutOdds(
        gain=odds.gain.as_integer_ratio(),
        even=odds.even.as_integer_ratio(),
        expectation=odds.expectation.as_integer_ratio(),
        deviation=odds.deviation,
    )


def test_expectations_and_variances_add_up_and_a_coup_without_bets_expects_nothing() -> None:
    laid = ((spot("red"), 100),)
    coups = [PlayedCoup(3, 100, laid), PlayedCoup(4, 0, ()), PlayedCoup(7, -100, laid)]
    points = of_coups("ar", 100, coups)
    odds = nv.odds("ar", "red:100")
    assert [(each.coup, each.net) for each in points] == [(3, 100), (4, 100), (7, 0)]
    assert [Fraction(*each.expected) for each in points] == [
        odds.expectation,
        odds.expectation,
        2 * odds.expectation,
    ]
    assert points[2].spread == pytest.approx(float(2 * odds.variance) ** 0.5)


@run
async def test_a_player_is_told_their_own_profit_and_nobody_elses() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        await seat(door, "ana")
        await seat(door, "bea")
        await lay(door, "ana", n17=100)
        await spin(door, 17)
        await lay(door, "bea", n5=100)
        await spin(door, 6)
        await lay(door, "ana", n1=200)
        await spin(door, 2)
        path = "/api/tables/t/profit"
        answer = await door.http.get(path, headers=door.bearer(Role.PLAYER, "ana"))
        assert answer.status_code == 200, answer.text
        points = answer.json()
        for each in points:
            check_shape(ProfitPoint, each)
        assert [(each["coup"], each["net"]) for each in points] == [(1, 3500), (3, 3300)]
        assert points[-1]["expected"] == [-300, 37]
        assert (await door.http.get(path)).status_code == 401
