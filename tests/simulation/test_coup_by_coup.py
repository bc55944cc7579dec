"""The compiled loops against the engine: the same recorded numbers, coup by coup."""

import random
from typing import Any

import pytest

from novamas.game.limits import Limits
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket, Wheel
from novamas.odds.layout import Layout
from novamas.odds.play import Play, read_choices
from novamas.odds.player import At, Game
from novamas.odds.systems import SYSTEMS, System, read_system
from novamas.rulebooks import HOUSES, load
from novamas.simulation.run import simulate

COUPS, PLAYERS = 60, 8
LIMITS = Limits.of({"simple": {"min": 5, "max": 320}, "straight": {"min": 1, "max": 60}})
ENDS = ("ruin", "target", "stopped", "playing")


def recorded(seed: int, wheel: Wheel) -> list[Pocket]:
    """Numbers with more zeros than a wheel has, so that prison is met again and again."""
    chance = random.Random(seed)  # noqa: S311 - any numbers will do
    return [
        0 if chance.random() < 0.15 else chance.choice(wheel.pockets)
        for _ in range(COUPS * PLAYERS)
    ]


def played(game: Game, numbers: list[Pocket]) -> tuple[list[int], list[int], str, int]:
    """What the purse was, and how much was laid, after each coup; how it ended, and when.

    The engine's side: each coup is settled by `settle`, and the system asked what it wants.
    """
    at = game.start()
    wealth, laid = [game.bankroll], [0]
    for done, number in enumerate(numbers):
        if isinstance(at, str):
            return wealth[1:], laid[1:], at, done
        times = game.lays(at)
        turn = game.play.pocket(number, times=times, prison=at.prison)
        wealth.append(at.wealth + turn.net)
        laid.append(laid[-1] + times)
        net, lay = at.net + turn.net, at.laid or times
        if turn.prison:
            at = At(wealth[-1], at.memory, lay, net, turn.prison)
        else:
            at = game.decided(at, laid=lay, net=net, wealth=wealth[-1])
    end = at if isinstance(at, str) else "playing"
    return wealth[1:], laid[1:], end, len(wealth) - 1


def compare(
    book: Rulebook,
    layout: str,
    system: System,
    *,
    choice: str = "prison",
    bankroll: int = 900,
    target: int | None = 1500,
    stop_loss: int | None = None,
    at_limit: str = "cap",
) -> None:
    numbers = recorded(len(layout) + len(system.name), book.wheel.pockets)
    result = simulate(
        book,
        layout,
        coups=COUPS,
        system=system,
        bankroll=bankroll,
        target=target,
        stop_loss=stop_loss,
        choice=choice,
        limits=LIMITS,
        at_limit=at_limit,  # type: ignore[arg-type]
        spins=numbers,
        marks=range(1, COUPS + 1),
        threads=1,
    )
    play = Play(Layout.read(book, layout), read_choices(choice), LIMITS)
    for player in range(PLAYERS):
        game = Game(
            play,
            system,
            bankroll,
            target=target,
            stop_loss=stop_loss,
            at_limit=at_limit,  # type: ignore[arg-type]
        )
        wealth, laid, end, done = played(game, numbers[player * COUPS : (player + 1) * COUPS])
        still = [wealth[-1] if wealth else bankroll] * (COUPS - done)
        assert (result.paths[player] + bankroll).tolist() == wealth + still
        assert result.laid[player].tolist() == laid + [laid[-1] if laid else 0] * (COUPS - done)
        assert ENDS[result.end[player]] == end
        assert result.coups[player] == done
        assert result.turnover[player] == (laid[-1] if laid else 0) * play.layout.stake


CHOICES = dict.fromkeys(("es", "fr"), ("prison", "half", "prison,half"))


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_at_every_house(house: str, system: str) -> None:
    for choice in CHOICES.get(house, ("prison",)):
        compare(load(house), "red:5", SYSTEMS[system], choice=choice)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    "layout", ["red:10 17:5 d1:7", "even:15 low:5 0:5", "17:5 14/17:5 16/20:5", "black:7"]
)
def test_a_fixed_layout_of_many_spots(house: str, layout: str) -> None:
    compare(load(house), layout, SYSTEMS["flat"], stop_loss=600, target=None)
    compare(load(house), layout, SYSTEMS["dalembert"], stop_loss=600, target=None)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("system", ["martingale", "labouchere:1,1,2", "fibonacci"])
def test_the_maximum_the_purse_and_the_stop_loss_bind(house: str, system: str) -> None:
    named = read_system(system)
    compare(load(house), "red:50", named, at_limit="restart", bankroll=5000, target=None)
    compare(load(house), "red:50", named, stop_loss=400, bankroll=1234, target=9999)
    compare(load(house), "red:100", named, bankroll=730, target=None)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_many_coups_in_one_go_come_to_what_they_come_to_one_by_one(house: str, system: str) -> None:
    """With a mark after each coup it is played alone; without marks as many go at once as can."""
    chance = random.Random(house + system)  # noqa: S311 - any numbers will do
    numbers = [chance.choice(load(house).wheel.pockets.pockets) for _ in range(501 * 37)]
    for bankroll in (300, 50_000):
        terms: dict[str, Any] = {
            "system": system,
            "bankroll": bankroll,
            "limits": LIMITS,
            "coups": 501,
            "spins": numbers,
        }
        single = simulate(load(house), "red:5", marks=range(1, 502), **terms)
        together = simulate(load(house), "red:5", marks=(), **terms)
        for name in ("net", "coups", "turnover", "end"):
            assert getattr(together, name).tolist() == getattr(single, name).tolist()


def test_a_system_of_ones_own() -> None:
    def after(state: tuple[int, int], laid: int, net: int, unit: int) -> tuple[int, int]:
        """Three after a loss of three in a row, nothing for a coup after a win."""
        if net > 0:
            return 0, 0
        losses = state[1] + (1 if net + unit * laid == 0 and laid > 0 else 0)
        return (3 if losses >= 3 else 1), losses % 3

    def wanted(state: tuple[int, int]) -> int:
        return state[0]

    own = System("mine", "an example", (1, 0), wanted, after)
    for house in ("ar", "es"):
        compare(load(house), "red:5", own)
