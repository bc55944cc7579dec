"""Nonsense for every argument of every public function: a `NovamasError`, and never a traceback."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novamas as nv
from novamas.odds.compare import compare as compare_books
from novamas.odds.edges import compare_edges, edges
from novamas.odds.layout import Layout
from novamas.odds.many_coups import after_coups
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play, read_choices
from novamas.odds.player import Game
from novamas.odds.purse_law import purses_after
from novamas.odds.ruin import ruin_of
from novamas.odds.systems import SYSTEMS, read_system, system_of
from novamas.simulation.run import simulate

lib: Any = nv
AR = nv.load("ar")
NONE = nv.Limits.of({})
PLAY = Play(Layout.read(AR, "red:10"))
GAME = Game(PLAY, SYSTEMS["martingale"], 30, target=60)
SPINS = [1, 2] * 10
CHOICE: dict[str, Any] = {"choice": "prison", "limits": NONE, "chip": 1}
PURSE: dict[str, Any] = {"target": 60, "stop_loss": 5, "at_limit": "cap"}
PLAYED: dict[str, Any] = {"coups": 5, "players": 4, "seed": 0, "threads": 1, "system": "flat"}
MADE = nv.simulate("ar", "red:10", coups=5, players=4)
ODDS = nv.odds("ar", "red:10")
LAW = after_coups(AR, "red:1", 10)
ROUNDED = after_coups(AR, "red:1", 10, exact=False)


ENVIRONMENT = nv.environment("es", bets="red:2 17:1")
STAKE = ("b1", "ana", nv.spot("red"), 5)
OWN = ("own", "a system of one's own", (1, 0))
WHY = nv.settle("ar", 17, "ana 17:5").explanations()[0][1]
TRIED: dict[str, Any] = {
    "bankroll": 100,
    "coups": 3,
    "players": 2,
    "target": 200,
    "stop_loss": 5,
    "limits": None,
    "chip": 1,
    "seed": 0,
    "spins": None,
}


@pytest.fixture(autouse=True, scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is nonsense as an argument may be the name of a file, which is written elsewhere."""
    with contextlib.chdir(tmp_path_factory.mktemp("nonsense")):
        yield


def table() -> Any:
    return lib.Table("it", players={"anna": 100}, seed=7)


def follow(_: nv.View) -> str:
    return "red:10"


def stepped(action: Any) -> Any:
    ENVIRONMENT.reset(seed=1)
    return ENVIRONMENT.step(action)


def played_by(strategy: nv.Staking) -> list[nv.Coup]:
    return list(table().play({"anna": strategy}, 2))


QUESTIONS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "houses": (lib.houses, (), {}),
    "systems": (lib.systems, (), {}),
    "load": (lib.load, ("ar",), {}),
    "parse": (lib.parse, ("17:5",), {}),
    "spot": (lib.spot, ("17",), {}),
    "settle": (
        lib.settle,
        ("ar", 17, "ana 17:5"),
        {"prison": (), "limits": None, "chip": 1, "winning": "hand"}
        | {"last": False, "as_laid": False},
    ),
    "odds": (lib.odds, ("ar", "red:10"), {**CHOICE, "divisible": False}),
    "compare": (lib.compare, ("red:10",), {**CHOICE, "houses": ["ar"]}),
    "simulate": (
        lib.simulate,
        ("ar", "red:10"),
        {**CHOICE, **PLAYED, **PURSE, "bankroll": 90, "progress": False},
    ),
    "simulate spins": (lib.simulate, ("ar", "red:10"), {"spins": SPINS, "coups": 5}),
    "simulate prison": (lib.simulate, ("es", "red:10"), {"to_the_end": True, **PLAYED}),
    "cloth": (
        lib.cloth,
        ("ar", "ana 17:5"),
        {"number": 17, "chip": 1, "orientation": "landscape"},
    ),
    "read_log": (lib.read_log, ("nowhere.db",), {"table": None}),
    "connect": (
        lib.connect,
        ("http://127.0.0.1:1", "es", "ana"),
        {"token": None, "patience": 1.0},
    ),
    "Seat.buy": (lib.connect("http://127.0.0.1:1", "es", "ana").buy, (5,), {}),
    "Table": (lib.Table, ("it",), {"players": {"ana": 1}, "seed": 1, "limits": None}),
    "Table.sit": (lambda *a: table().sit(*a), ("bob", 5), {}),
    "Table.stake": (lambda *a: table().stake(*a), ("anna", "17:5"), {}),
    "Table.spin": (lambda **k: table().spin(**k), (), {"number": 5}),
    "Table.choose": (lambda *a: table().choose(*a), ("anna", "half"), {}),
    "Table.play": (lambda *a, **k: list(table().play(*a, **k)), ("red:10",), {"coups": 1}),
    "environment": (
        lib.environment,
        ("es",),
        {"actions": "layout", "bets": ["red:2"], "most": 1, "bankroll": 9, "coups": 5}
        | {"goal": "net", "target": 20, "limits": None, "chip": 1, "render_mode": None},
    ),
    "Environment.reset": (ENVIRONMENT.reset, (), {"seed": 1, "options": None}),
    "Environment.reset numbers": (
        lambda numbers: ENVIRONMENT.reset(options={"numbers": numbers}),
        ([1],),
        {},
    ),
    "Environment.step": (stepped, (0,), {}),
    "Environment.name_of": (ENVIRONMENT.name_of, (0,), {}),
    "trials": (lib.trials, ("ar", lib.Staking("red:10")), {**TRIED, "progress": False}),
    "trials in Python": (lib.trials, ("ar", follow), dict(TRIED)),
    "Trials.quantiles": (lib.trials("ar", follow, **TRIED).quantiles, ([0.5],), {}),
    "Bet": (lib.Bet, (lib.spot("17"), 5), {}),
    "Stake": (lambda *a: lib.settle("ar", 17, lib.Stake(*a)), (*STAKE, 1), {}),
    "Prisoner": (lambda *a: lib.settle("es", 0, prison=[lib.Prisoner(*a)]), STAKE, {}),
    "System": (lambda *a: system_of(lib.System(*a)), OWN, {}),
    "Staking at a table": (lambda *a: played_by(lib.Staking(*a)), ("red:10", "flat", "half"), {}),
    "Record.of": (lib.Record.of, (table().record().as_data(),), {"load": None}),
    "Rulebook.article": (AR.article, ("AR-14.b",), {}),
    "Rulebook.find": (AR.find, ("14",), {}),
    "Rulebook.offers": (AR.offers, (lib.spot("17"),), {}),
    "Rulebook.word": (AR.word, ("red",), {}),
    "Article.text": (AR.article("AR-14.b").text, ("en",), {}),
    "Explanation.summary": (WHY.summary, (AR.article("AR-14.b"),), {}),
    "Limits.changed": (NONE.changed, ({},), {}),
    "Limits.maxima": (NONE.maxima, (AR,), {}),
    "Limits.apart": (NONE.apart, (AR,), {}),
    "Staking": (lib.Staking, ("red:10",), {"system": "flat", "choice": "prison"}),
    "widget": (lib.widget, (table(),), {"language": "en"}),
    "dump_record": (lib.dump_record, (table().record(), os.devnull), {}),
    "load_record": (lib.load_record, ("nowhere.json",), {"house": None}),
    "Limits.of": (lib.Limits.of, ({},), {}),
    "Rulebook.from_toml": (lib.Rulebook.from_toml, ("id =",), {"name": "a book"}),
    "Coup.explain": (lib.settle("ar", 17, "ana 17:5").explain, (None,), {"language": "en"}),
    "odds_of": (odds_of, (AR, "red:10"), {**CHOICE, "divisible": False}),
    "after_coups": (after_coups, (AR, "red:1", 5), {**CHOICE, "lays_on": False, "exact": None}),
    "ruin_of": (ruin_of, (AR, "red:10", 30), {**CHOICE, **PURSE, "coups": 4, "lays_on": False}),
    "purses_after": (purses_after, (GAME, 3), {"exact": None, "effort": 1.0}),
    "Game": (Game, (PLAY, SYSTEMS["flat"], 30), {**PURSE, "lays_on": False}),
    "Layout": (Layout, (AR, nv.parse("red:10")), {"chip": 1}),
    "Layout.read": (Layout.read, (AR, "red:10"), {"chip": 1}),
    "read_choices": (read_choices, ("prison",), {}),
    "read_system": (read_system, ("flat",), {}),
    "system_of": (system_of, ("flat",), {}),
    "compare_books": (compare_books, ("red:10",), {**CHOICE, "books": [AR]}),
    "edges": (edges, (AR,), {}),
    "compare_edges": (compare_edges, (AR, AR), {}),
    "run.simulate": (simulate, (AR, "red:10"), {**PLAYED, "marks": [1], "shown": 3, "tell": None}),
    "Simulation.quantiles": (MADE.quantiles, ([0.5],), {}),
    "Simulation.histogram": (MADE.histogram, (10,), {}),
    "Simulation.fan": (MADE.fan, ([0.5],), {}),
    "Simulation.frame": (MADE.frame, (None,), {}),
    "Simulation.plot": (MADE.plot, ("x.gif",), {}),
    "Odds.frame": (ODDS.frame, (None,), {}),
    "Odds.plot": (ODDS.plot, ("x.gif",), {}),
    "Results.quantile": (LAW.quantile, (0.5,), {}),
    "Results.histogram": (ROUNDED.histogram, (10,), {}),
    "Results.chance": (LAW.chance, (1,), {}),
    "Results.at_most": (ROUNDED.at_most, (1,), {}),
    "Results.as_data": (LAW.as_data, ([0.5],), {}),
}
ARGUMENTS = [
    (name, place)
    for name, (_, given_, named) in QUESTIONS.items()
    for place in (*range(len(given_)), *named)
]
KNOWN: list[Any] = [
    *(None, True, -1, 0, 1.5, 1e3, 2.5, float("nan"), float("inf"), 2**64, 10**30, -(2**70), 1j),
    *("", "17", "red:10", "reset", "x" * 300, "\0", b"17", [], [5, 2], [1.7], ["17"], (None,)),
    *(
        {},
        {"a": 1},
        set(),
        object(),
        lambda *_: None,
        np.int64(3),
        np.float64(0.5),
        np.array([1, 2]),
    ),
    *(np.array([[1]]), [[1]], [np.int64(1)], Fraction(1, 2), range(10**15), ..., nv.NovamasError),
]
"""What callers have passed, and what their mistakes look like."""


def fault(name: str, place: int | str, value: Any) -> str:
    """What a question with nonsense in one place raises, if it is no `NovamasError`."""
    function, given_, named = QUESTIONS[name]
    values, words = list(given_), dict(named)
    if isinstance(place, int):
        values[place] = value
    else:
        words[place] = value
    try:
        function(*values, **words)
    except nv.NovamasError:
        return ""
    except Exception as problem:  # noqa: BLE001 - that is what is looked for.
        return f"{name}, {place}: {type(problem).__name__}: {problem}"
    return ""


@pytest.mark.parametrize("name", QUESTIONS)
def test_known_nonsense_is_told(name: str) -> None:
    for place in (place for question, place in ARGUMENTS if question == name):
        for value in KNOWN:
            assert not fault(name, place, value)


def test_what_never_ends_is_refused() -> None:
    for name, place in (("simulate spins", "spins"), ("run.simulate", "marks")):
        assert not fault(name, place, itertools.count())


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.binary()
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    argument=st.sampled_from(ARGUMENTS),
    value=st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scalars, inner, max_size=2),
        max_leaves=4,
    ),
)
def test_any_nonsense_is_told(argument: tuple[str, int | str], value: Any) -> None:
    assert not fault(*argument, value)


def test_every_argument_of_every_public_function_is_asked() -> None:
    named = {name: getattr(nv, name) for name in nv.__all__}
    functions = {each for each in named.values() if callable(each) and not isinstance(each, type)}
    for function in functions:
        takes = list(signature(function).parameters)
        asked: set[str] = set()
        for about, given_, words in QUESTIONS.values():
            if about is function:
                asked |= {*takes[: len(given_)], *words}
        assert asked >= set(takes), function


SAID: list[tuple[Callable[[], Any], str]] = [
    (lambda: lib.simulate("ar", "red:10", bankroll=10.5), "bankroll: expected a whole number"),
    (lambda: lib.simulate("ar", "red:10", spins=[1.7]), "spins: the number 1.7, in place 1"),
    (lambda: lib.simulate("ar", "red:10", spins=["17"]), "spins: the number '17', in place 1"),
    (lambda: lib.simulate("ar", "red:10", spins="17"), "spins: expected a list of numbers"),
    (lambda: lib.simulate("ar", "red:10", at_limit="reset"), "at_limit: expected one of cap"),
    (lambda: lib.simulate("ar", "red:10", coups=1e3), "coups: expected a whole number"),
    (
        lambda: lib.simulate("ar", "red:10", bankroll=9, target=2**64),
        "target: expected a whole number of at most",
    ),
    (lambda: lib.simulate("ar", [lib.Bet(lib.spot("17"), 2.5)]), "not 2.5"),
    (lambda: lib.simulate("ar", "red:10", threads=2.0), "threads: expected a whole number"),
    (lambda: simulate(AR, "red:10", marks=[9, 2_000]), "marks: expected a whole number of at most"),
    (lambda: simulate(AR, "red:10", marks=[0]), "marks: expected a whole number of at least 1"),
    (lambda: simulate(nv.load("es"), PLAY.layout), "layout: expected one of es, not one of ar"),
    (lambda: read_system("labouchere:99999999999999999999"), "system: a line is written"),
    (lambda: ruin_of(AR, "red:10", 10.5, target=20), "bankroll: expected a whole number"),  # type: ignore[arg-type]
    (lambda: after_coups(AR, "red:1", 1e3), "coups: expected a whole number"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "told"), SAID, ids=range(len(SAID)))
def test_the_argument_is_named(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(nv.NovamasError) as raised:
        call()
    assert told in str(raised.value)


def test_marks_are_sorted_and_each_counts_once() -> None:
    """Marks that were not in order once kept a simulation from ever ending."""
    numbers = [1, 2, 2, 4, 1]
    mixed = simulate(AR, "red:1", spins=numbers, marks=[5, 2, 2])
    assert mixed.plan.marks == (2, 5)
    assert mixed.paths.tolist() == [[0, -1]]
