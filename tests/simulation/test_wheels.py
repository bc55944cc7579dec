"""The simulation on wheels with more zeros, and recorded numbers with a double zero."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from novamas.game.errors import UsageError
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.odds.layout import Layout
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play
from novamas.odds.player import Game
from novamas.odds.ruin import ruin_of
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import load
from novamas.simulation.run import simulate
from tests.cli.running import bad, good
from tests.odds.wheels import on_wheel
from tests.simulation.nearness import BOUND, LIMITS, near

LOOPS = [
    ("bg", 2, "flat"),
    ("bg", 2, "martingale"),
    ("bg", 2, "labouchere"),
    ("es", 2, "labouchere"),
    ("bg", 3, "martingale"),
    ("es", 3, "flat"),
]
"""House, zeros and system. The compiler needs seconds for each; that every system is played as it
should be is shown elsewhere, on wheels whose loops are compiled anyway."""
COUPS, PLAYERS = 60, 8


def recorded(book: Rulebook, seed: int) -> list[Pocket]:
    """Numbers with more zeros than the wheel has, so that prison is met again and again."""
    chance = random.Random(seed)  # noqa: S311 - any numbers will do
    wheel = book.wheel.pockets
    return [
        chance.choice(wheel.zeros if chance.random() < 0.15 else wheel.pockets)
        for _ in range(COUPS * PLAYERS)
    ]


@pytest.mark.parametrize(("house", "zeros", "system"), LOOPS)
def test_recorded_numbers_come_to_what_the_engine_pays(house: str, zeros: int, system: str) -> None:
    book = on_wheel(house, zeros)
    numbers = recorded(book, zeros)
    for layout in ("red:5", "00:5 0/00/1/2/3:5 red:10"):
        terms: dict[str, Any] = {"system": system, "bankroll": 900, "limits": LIMITS}
        found = simulate(book, layout, coups=COUPS, spins=numbers, marks=range(1, 61), **terms)
        play = Play(Layout.read(book, layout), limits=LIMITS)
        for player in range(PLAYERS):
            game = Game(play, SYSTEMS[system], 900)
            at, wealth = game.start(), 900
            for number in numbers[player * COUPS : (player + 1) * COUPS]:
                if isinstance(at, str):
                    break
                _, at, wealth = game.after(at, number)
            assert found.net[player] + 900 == wealth


@pytest.mark.parametrize(("house", "zeros", "system"), LOOPS[2:])
def test_drawn_numbers_come_to_the_exact_odds(house: str, zeros: int, system: str) -> None:
    book = on_wheel(house, zeros)
    terms: dict[str, Any] = {"target": 100, "coups": 12, "limits": LIMITS, "system": system}
    truth = ruin_of(book, "red:5", 60, **terms)
    found = simulate(book, "red:5", bankroll=60, players=200_000, seed=17, shown=0, **terms)
    assert near(found.ends["ruin"], truth.ruin)
    assert near(found.ends["target"], truth.reached)
    assert near(found.figures["coups"], truth.duration)
    assert near(found.figures["net"], float(truth.purse) - 60)
    for layout in ("00:1", "0/00/1/2/3:5", "17:1"):
        kept = simulate(book, layout, coups=500, players=20_000, shown=0).figures["edge"]
        assert near(kept, odds_of(book, layout).edge)
    assert BOUND == 4


def test_a_further_zero_is_recorded_as_its_text() -> None:
    book = on_wheel("bg", 2)
    assert simulate(book, "00:1 0:2", spins=["00", 0, 5]).net.tolist() == [33 + 69 - 3]
    array: Any = np.array([0, 36, 36], dtype=np.int8)
    assert simulate(book, "0:1", spins=array).net.tolist() == [35 - 2]
    assert simulate(book, "0:1", spins=[*array]).net.tolist() == [35 - 2]


@pytest.mark.parametrize(
    ("zeros", "spins", "named"),
    [
        (1, [17, "00"], "'00', in place 2, is not on the wheel of bg1: expected a whole number"),
        (2, [37], "37, in place 1, is not on the wheel of bg2: .* 0 to 36, or '00'"),
        (2, ["000"], "'000', in place 1"),
        (2, ["0"], "'0', in place 1"),
        (2, ["17"], "'17', in place 1"),
        (2, [1.0], "1.0, in place 1"),
        (2, [True], "True, in place 1"),
        (2, [-1], "-1, in place 1"),
        (2, np.array([3, 37]), "37, in place 2"),
        (2, np.array([[1, 2]]), "spins: expected a list of numbers"),
    ],
)
def test_a_number_that_is_not_on_the_wheel_is_named(zeros: int, spins: Any, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        simulate(on_wheel("bg", zeros), "red:1", spins=spins)


@pytest.fixture
def american(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A house with a double zero, as the command line gets it."""
    book = on_wheel("bg", 2)
    monkeypatch.setattr("novamas.cli.arguments.house", lambda _: book)
    monkeypatch.chdir(tmp_path)
    return book.id


def test_a_file_with_a_double_zero(american: str) -> None:
    file = Path("evening.csv")
    file.write_text('number\n"00"\n00\n0\n07\n', "utf-8")
    data = json.loads(good("simulate", american, "00:1", "--spins", str(file), "--json"))
    assert data["figures"]["net"]["value"] == 2 * 35 - 2
    file.write_text("number\n17\n000\n", "utf-8")
    said = bad("simulate", american, "00:1", "--spins", str(file))
    assert "evening.csv, line 3: '000'" in said
    assert "the wheel of bg2 has the numbers 0 to 36 and 00" in said


def test_a_file_with_a_double_zero_at_a_house_without(tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    file.write_text("00 17\n", "utf-8")
    said = bad("simulate", "bg", "17:1", "--spins", str(file))
    assert "line 1: '00'" in said
    assert "the wheel of bg has the numbers 0 to 36;" in said
    assert load("bg").wheel.pockets.described == "0 to 36"
