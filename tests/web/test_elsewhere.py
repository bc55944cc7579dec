"""What one's own bets of a coup would have brought at every other house."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import novamas as nv
from novamas.game.cloth import spot
from novamas.game.lines import Line
from novamas.game.stakes import Prisoner, Stake
from novamas.house.people.events import Post as Role
from novamas.house.views import elsewhere_view, explanations
from novamas.house.views.bets_view import CoupBets
from novamas.house.views.elsewhere_view import CoupElsewhere
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from tests.web.answers import check_shape
from tests.web.coups import lay, seat, spin
from tests.web.door import open_door, run

BETS = {"17": 50, "17/20": 20, "red": 100, "d2": 60, "low": 30}


def elsewhere(
    home: str, number: Any, bets: Mapping[str, int], *, chip: int = 2, language: str = "en"
) -> CoupElsewhere:
    """What the other houses make of the bets that ana laid at home."""
    lines = [
        Line(Stake(f"b{place}", "ana", spot(on), amount), articles=())
        for place, (on, amount) in enumerate(bets.items())
    ]
    return elsewhere_view.of_lines(
        load(home), 7, number, lines, choices={}, chip=chip, language=language
    )


def hand(bets: Mapping[str, int]) -> str:
    """The bets in the notation."""
    return " ".join(f"{on}:{amount}" for on, amount in bets.items())


@pytest.mark.parametrize("number", [0, 17, 20, 36])
@pytest.mark.parametrize("home", HOUSES)
def test_every_other_house_settles_as_the_library_does(home: str, number: int) -> None:
    told = elsewhere(home, number, BETS)
    assert (told.coup, told.number, told.stake) == (7, number, sum(BETS.values()))
    assert {each.on: each.amount for each in told.bets} == BETS
    assert [each.rulebook for each in told.houses] == [id for id in HOUSES if id != home]
    for house in told.houses:
        coup = nv.settle(house.rulebook, number, f"ana {hand(BETS)}", chip=2, as_laid=True)
        expected = {
            line.stake.spot.name: (line.won, line.returned, line.lost, line.held, line.articles)
            for line in coup.lines
        }
        assert house.settled is not None
        assert {
            line.on: (line.won, line.returned, line.lost, line.held) for line in house.settled.lines
        } == {on: parts for on, (*moved, _) in expected.items() for parts in [tuple(moved)]}
        assert house.settled.won - house.settled.lost == coup.net["ana"]
        for line in house.settled.lines:
            assert set(expected[line.on][-1]) <= {article.id for article in line.articles}
            assert line.sentences
        assert house.not_offered == ()


@pytest.mark.parametrize("home", HOUSES)
def test_the_edges_are_those_of_the_exact_odds(home: str) -> None:
    told = elsewhere(home, 17, BETS)
    edges = {home: told.edge, **{each.rulebook: each.edge for each in told.houses}}
    for house, edge in edges.items():
        exact = nv.odds(house, hand(BETS), divisible=True).edge
        assert edge == (exact.numerator, exact.denominator)


def test_a_number_that_a_wheel_does_not_have_settles_nothing_there() -> None:
    told = elsewhere("sd", "00", {"red": 100})
    for house in told.houses:
        assert (house.settled is not None) == ("00" in load(house.rulebook).wheel.pockets)
        assert house.edge is not None
    assert {each.rulebook for each in told.houses if each.settled} == {"fram"}


def test_a_bet_that_a_house_does_not_offer_is_named_and_the_others_are_settled() -> None:
    told = elsewhere("sd", 17, {"00": 10, "17": 10})
    by_house = {each.rulebook: each for each in told.houses}
    paris = by_house["fr"]
    assert paris.not_offered == ("00",)
    assert paris.settled is not None
    assert [(line.on, line.won) for line in paris.settled.lines] == [("17", 350)]
    assert paris.edge is None
    american = by_house["fram"]
    assert american.not_offered == ()
    assert american.settled is not None
    assert american.settled.won - american.settled.lost == 340
    assert american.edge == (1, 19)


def test_bets_of_which_a_house_takes_none_are_all_named() -> None:
    (bulgaria,) = (each for each in elsewhere("sd", 17, {"00": 10}).houses if each.rulebook == "bg")
    assert bulgaria.not_offered == ("00",)
    assert bulgaria.settled is not None
    assert bulgaria.settled.lines == ()


def test_stakes_on_one_spot_are_one_bet_and_prisoners_are_none() -> None:
    lines = [
        Line(Stake("b1", "ana", spot("red"), 40), articles=()),
        Line(Prisoner("b0", "ana", spot("black"), 80), articles=()),
        Line(Stake("b2", "ana", spot("red"), 60), articles=()),
    ]
    told = elsewhere_view.of_lines(load("es"), 3, 0, lines, choices={}, chip=2, language="en")
    assert [(each.on, each.amount) for each in told.bets] == [("red", 100)]
    assert told.stake == 100


def test_amounts_that_are_no_multiple_of_the_chip_are_settled_too() -> None:
    told = elsewhere("ar", 0, {"red": 25}, chip=10)
    (venice,) = (each for each in told.houses if each.rulebook == "it")
    coup = nv.settle("it", 0, "ana red:25", chip=5, as_laid=True)
    assert venice.settled is not None
    assert venice.settled.won - venice.settled.lost == coup.net["ana"]


def test_without_bets_no_house_is_asked() -> None:
    told = elsewhere("ar", 17, {})
    assert (told.bets, told.stake, told.edge, told.houses) == ((), 0, None, ())


def test_articles_are_in_the_readers_language() -> None:
    told = elsewhere("ar", 17, {"17": 10}, language="it")
    (venice,) = (each for each in told.houses if each.rulebook == "it")
    assert venice.settled is not None
    (line,) = venice.settled.lines
    articles = load("it").articles
    assert all(each.summary == articles[each.id].summary["it"] for each in line.articles)


@run
async def test_the_house_answers_with_ones_own_bets_alone() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana", "luis")
        await lay(door, "ana", n17=50, red=50)
        await lay(door, "luis", n17_20=50)
        await spin(door, 17)
        ana = door.bearer(Role.PLAYER, "ana")
        address = "/api/tables/t/coups/1/elsewhere"
        answer = await door.http.get(address, headers=ana)
        assert answer.status_code == 200
        told = answer.json()
        check_shape(CoupElsewhere, told)
        assert {each["on"]: each["amount"] for each in told["bets"]} == {"17": 50, "red": 50}
        assert told["net"] == 1700
        nets = {
            each["rulebook"]: each["settled"]["won"] - each["settled"]["lost"]
            for each in told["houses"]
        }
        assert nets == {id: 1700 for id in HOUSES if id != "es"}
        check_shape(explanations.CoupExplanation, told["houses"][0]["settled"])
        (luis,) = (await door.http.get(address, headers=door.bearer(Role.PLAYER, "luis"))).json()[
            "bets"
        ]
        assert luis == {"on": "17/20", "amount": 50}
        eva = (await door.http.get(address, headers=door.bearer(Role.PLAYER, "eva"))).json()
        assert (eva["bets"], eva["houses"]) == ([], [])


@run
async def test_the_bets_of_a_coup_are_told_without_the_names_of_others() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana", "luis", "eva")
        await lay(door, "ana", n17=50, red=50)
        await lay(door, "luis", n17=50)
        await lay(door, "eva", n17=70)
        await spin(door, 17)
        address = "/api/tables/t/coups/1/bets"
        answer = await door.http.get(address, headers=door.bearer(Role.PLAYER, "ana"))
        check_shape(CoupBets, answer.json())
        assert {each["on"]: each["amount"] for each in answer.json()["own"]} == {
            "17": 50,
            "red": 50,
        }
        assert answer.json()["others"] == [{"on": "17", "amount": 120}]
        for headers in (None, door.bearer(Role.CROUPIER), door.bearer(Role.PLAYER, "zoe")):
            shown = await door.http.get(address, headers=headers)
            assert shown.json()["own"] == []
            told = {each["on"]: each["amount"] for each in shown.json()["others"]}
            assert told == {"17": 170, "red": 50}
            assert not any(name in shown.text for name in ("ana", "luis", "eva"))
        assert (await door.http.get("/api/tables/t/coups/2/bets")).status_code == 404


@run
async def test_what_a_stake_in_prison_brings_is_not_asked_elsewhere() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana")
        await lay(door, "ana", red=50, black=60)
        await spin(door, 0)
        for on, choice in (("red", commands.Choice.PRISON), ("black", commands.Choice.HALF)):
            await door.must("t", commands.ChooseAfterZero(by="ana", id=f"ana-{on}", choice=choice))
        ana = door.bearer(Role.PLAYER, "ana")
        first = (await door.http.get("/api/tables/t/coups/1/elsewhere", headers=ana)).json()
        # What its owner chose at their own house counts; elsewhere nobody has chosen yet.
        assert (first["net"], first["held"]) == (-30, 50)
        (paris,) = (each for each in first["houses"] if each["rulebook"] == "fr")
        assert sum(line["held"] for line in paris["settled"]["lines"]) == 110
        await spin(door, 2)
        told = (await door.http.get("/api/tables/t/coups/2/elsewhere", headers=ana)).json()
        assert (told["number"], told["bets"]) == (2, [])


@pytest.mark.parametrize(("coup", "status"), [("2", 404), ("0", 422), ("x", 422)])
@run
async def test_a_coup_that_was_not_played_is_settled_nowhere(coup: str, status: int) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        await seat(door, "ana")
        await spin(door, 17)
        answer = await door.http.get(
            f"/api/tables/t/coups/{coup}/elsewhere", headers=door.bearer(Role.PLAYER, "ana")
        )
        assert answer.status_code == status
