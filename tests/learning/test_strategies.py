"""Strategies choose where to bet; the same one plays at the table, compiled and plain."""

from __future__ import annotations

import random
from typing import Any

import pytest

import novamas as nv
from novamas.api import trials as trials_module
from novamas.game.errors import MissingExtraError

HOUSES = nv.houses()


def numbers_of(house: str, count: int) -> list[Any]:
    chance = random.Random(house)  # noqa: S311 - repeatable numbers for a test
    pockets = nv.load(house).wheel.pockets.pockets
    return [chance.choice(pockets[:2] if chance.random() < 0.2 else pockets) for _ in range(count)]


def without_compiler(*_: Any, **__: Any) -> Any:
    raise MissingExtraError("simulate", "numba", "maths")


def followed(view: nv.View) -> str | None:
    """Bets on the last number and on the colour that lost, and remembers how often."""
    view.memory["asked"] = view.memory.get("asked", 0) + 1
    assert view.memory["asked"] == view.coup == len(view.results) + 1
    if view.prison or not view.numbers or view.purse < 15:
        return None
    last = view.numbers[-1]
    colour = "black" if last in nv.spot("red").numbers else "red"
    return f"{last}:5 {colour}:10"


followed.choice = "half"  # type: ignore[attr-defined]


@pytest.mark.parametrize("house", HOUSES)
def test_a_strategy_earns_the_same_at_the_table_and_in_a_trial(house: str) -> None:
    numbers = numbers_of(house, 60)
    table = nv.Table(house, players={"ana": 1_000})
    played = list(table.play({"ana": followed}, numbers=numbers))
    found = nv.trials(house, followed, bankroll=1_000, coups=60, spins=numbers)
    held = sum(each.amount for each in table.prison)
    assert len(played) == 60
    assert list(found.net) == [table.purses["ana"] + held - 1_000]
    assert not found.compiled


@pytest.mark.parametrize(
    ("house", "system"),
    [*((house, "martingale") for house in HOUSES), ("es", "labouchere"), ("es", "paroli")],
)
def test_a_staking_is_the_same_compiled_plain_and_at_the_table(
    house: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = numbers_of(house, 40)
    strategy = nv.Staking("red:5", system=system)
    arguments: dict[str, Any] = {"bankroll": 400, "coups": 40, "spins": numbers}
    compiled = nv.trials(house, strategy, **arguments)
    monkeypatch.setattr(trials_module, "simulate", without_compiler)
    plain = nv.trials(house, strategy, **arguments)
    assert (compiled.compiled, plain.compiled) == (True, False)
    assert (list(plain.net), list(plain.turnover), list(plain.end)) == (
        list(compiled.net),
        list(compiled.turnover),
        list(compiled.end),
    )
    table = nv.Table(house, players={"ana": 400})
    list(table.play(strategy, numbers=numbers[: plain.coups[0]]))
    held = sum(each.amount for each in table.prison)
    assert [table.purses["ana"] + held - 400] == list(plain.net)


def test_a_staking_stays_within_the_limits_of_the_table() -> None:
    table = nv.Table("ar", players={"ana": 1_000}, limits={"simple": {"max": 20}})
    strategy = nv.Staking("red:10", system="martingale")
    laid = [-coup.net["ana"] for coup in table.play(strategy, numbers=[2, 2, 2, 2])]
    assert laid == [10, 20, 20, 20]


def test_players_have_notes_of_their_own() -> None:
    table = nv.Table("ar", players={"ana": 100, "luis": 100})
    plan = {"ana": followed, "luis": followed}
    assert len(list(table.play(plan, numbers=[1, 2, 3]))) == 3


def test_trials_repeat_with_the_seed_and_say_how_they_ended() -> None:
    def all_in(view: nv.View) -> str:
        return f"red:{view.purse}"

    arguments: dict[str, Any] = {"bankroll": 8, "target": 16, "players": 200}
    one = nv.trials("ar", all_in, seed=4, **arguments)
    assert one == nv.trials("ar", all_in, seed=4, **arguments)
    assert one != nv.trials("ar", all_in, seed=5, **arguments)
    assert set(one.coups) == {1}
    assert one.ends["ruin"] + one.ends["target"] == 200
    assert abs(one.mean + 8 / 37) < 4 * 8 / 200**0.5
    assert one.quantiles([0.0, 1.0]) == {0.0: -8, 1.0: 8}


def test_trials_agree_with_the_exact_odds() -> None:
    found = nv.trials("es", lambda _: "red:10 17:5", bankroll=10**6, coups=20, players=300)
    edge = float(nv.odds("es", "red:10 17:5").edge)
    turnover = sum(found.turnover) / found.players
    assert abs(found.mean + edge * turnover) < 4 * found.error


def test_a_bet_that_the_table_would_refuse_is_an_error_with_its_reason() -> None:
    with pytest.raises(nv.LayoutError, match="red:50 costs 50: 10 in hand"):
        nv.trials("ar", lambda _: "red:50", bankroll=10)
    with pytest.raises(nv.LayoutError, match="too little to play"):
        nv.trials("it", lambda _: "17:1", bankroll=10)
    with pytest.raises(nv.LayoutError, match="too little to play"):
        nv.trials("it", nv.Staking("17:1"), bankroll=10)
    with pytest.raises(nv.UsageError, match="strategy: expected a function"):
        nv.trials("it", "red:5", bankroll=10)  # type: ignore[arg-type]


@pytest.mark.parametrize("hundredths", [0, 7, 14, 28, 29, 50, 56, 57, 58, 100])
def test_quantiles_are_exact_for_every_share(hundredths: int) -> None:
    """Of a hundred players 7 % are seven; in floating point it is a little more, and gave eight."""
    found = nv.trials("ar", lambda view: f"red:{view.purse}", bankroll=1, coups=3, players=100)
    ordered = nv.Trials("ar", 3, range(100), found.coups, found.turnover, found.end, compiled=False)
    assert ordered.quantiles([hundredths / 100]) == {hundredths / 100: max(0, hundredths - 1)}
