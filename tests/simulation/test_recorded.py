"""Flat stakes on recorded numbers: looked up in the tables, as the compiled loops would play."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import novamas as nv
from novamas.game.errors import NovamasError
from novamas.rulebooks import HOUSES, load
from novamas.simulation import run
from novamas.simulation.recorded_play import play_recorded
from novamas.simulation.result import Result
from novamas.simulation.run import Progress, simulate

ARRAYS = ("net", "coups", "turnover", "end", "held", "paths", "laid", "at_play")
TERMS: dict[str, dict[str, Any]] = {
    "one player": {},
    "many players": {"coups": 40},
    "some of them, shown in part": {"coups": 7, "players": 50, "shown": 3},
    "a coup each": {"coups": 1},
    "marks": {"coups": 25, "marks": [3, 1, 25]},
    "no marks": {"coups": 25, "marks": []},
    "a purse": {"coups": 60, "bankroll": 90},
    "a purse and a target": {"coups": 60, "bankroll": 90, "target": 150},
    "a purse and a loss": {"coups": 60, "bankroll": 90, "target": 170, "stop_loss": 55},
    "a purse that is too small": {"coups": 60, "bankroll": 3},
    "a purse that is enough": {"coups": 60, "bankroll": 90, "target": 80},
}
LAYOUTS = ("red:10", "17:5", "red:10 17:5", "red:7 even:3 d1:4 0:1")


def both(monkeypatch: pytest.MonkeyPatch, *asked: Any, **terms: Any) -> tuple[Result, Result]:
    """What the tables answer, and what the compiled loops do."""
    quick = []

    def seen(*given: Any) -> Any:
        quick.append(given)
        return play_recorded(*given)

    with monkeypatch.context() as within:
        within.setattr(run, "play_recorded", seen)
        ours = simulate(*asked, **terms)
        assert len(quick) == 1
        within.setattr(run, "is_looked_up", lambda *_: False)
        loops = simulate(*asked, **terms, threads=1)
    return ours, loops


def same(ours: Result, loops: Result) -> None:
    for name in ARRAYS:
        one, other = getattr(ours, name), getattr(loops, name)
        assert one.dtype == other.dtype, name
        np.testing.assert_array_equal(one, other, err_msg=name)


@pytest.mark.parametrize("house", HOUSES)
def test_every_house_is_answered_as_by_the_loops(
    house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With many zeros, so that stakes are in prison when a play, a part or a purse ends."""
    book = load(house)
    chance = random.Random(house)  # noqa: S311 - any numbers will do
    pockets = list(book.wheel.pockets)
    spins = [0 if chance.random() < 0.2 else chance.choice(pockets) for _ in range(601)]
    for place, terms in enumerate(TERMS.values()):
        # The houses begin at different layouts: all of them meet all terms.
        layout = LAYOUTS[(place + HOUSES.index(house)) % len(LAYOUTS)]
        same(*both(monkeypatch, book, layout, spins=spins, **terms))


def test_a_prison_at_the_end_of_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a player has in prison is not the next one's."""
    held = []
    for choice in ("prison", "half"):
        for numbers in ([0] * 8, [1, 0, 0, 1, 0, 2, 1, 0]):
            for coups in (1, 2, 4, 8):
                terms: dict[str, Any] = {"spins": numbers, "coups": coups, "choice": choice}
                for purse in ({}, {"bankroll": 10}, {"bankroll": 15, "stop_loss": 5}):
                    ours, loops = both(monkeypatch, load("es"), "red:10", **terms, **purse)
                    same(ours, loops)
                    held += ours.held.tolist()
    assert {0, 10} <= {*held}


def test_money_that_could_overflow_goes_through_the_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("looked up")

    monkeypatch.setattr(run, "play_recorded", refused)
    with pytest.raises(NovamasError, match="win or lose more than"):
        simulate(load("ar"), "17:1000000000000000", spins=[17] * 100)
    high = (1 << 60) - 1
    assert simulate(load("ar"), "red:1", spins=[1, 2], bankroll=high, threads=1).net[0] == 0
    assert simulate(load("ar"), "red:1", spins=[1], system="martingale", threads=1).net[0] == 1


def test_how_far_it_came_is_told_once() -> None:
    told: list[Progress] = []
    simulate(load("ar"), "red:1", spins=[2] * 10, bankroll=4, tell=told.append)
    assert [far[:4] for far in told] == [(4, 10, 1, 1)]


def test_the_compiler_is_not_loaded() -> None:
    """It would take longer than the whole answer."""
    program = (
        "import sys\n"
        "from novamas.cli.main import main\n"
        "main(['simulate', 'es', 'red:10', '--spins', '/dev/stdin', '--json'])\n"
        "print('numba' in sys.modules, 'llvmlite' in sys.modules, file=sys.stderr)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], input="1 0 2\n", capture_output=True, text=True, check=True
    )
    assert '"net"' in said.stdout
    assert said.stderr == "False False\n"


def test_a_compiler_that_is_missing_is_named_whatever_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "novamas.simulation.run")
    with pytest.raises(NovamasError, match=r"install novamas\[maths\]"):
        nv.simulate("ar", "red:1", spins=[1])
