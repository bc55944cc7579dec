"""The simulation against the exact law; the same seed, the same answer; what there is on Ctrl-C."""

import json
import resource
from collections.abc import Callable
from typing import Any

import pytest

from novamas.odds.errors import TooLargeError
from novamas.odds.many_coups import after_coups
from novamas.odds.one_coup import odds_of
from novamas.odds.ruin import ruin_of
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import HOUSES, load
from novamas.simulation.charts import expected, law_of
from novamas.simulation.run import Progress, simulate
from tests.promises.figures import SOAK
from tests.simulation.nearness import BOUND, LIMITS, near

TURNS = {"es": ("prison", "half"), "fr": ("prison", "half")}
PLAYED = [
    (system, house)
    for row, system in enumerate(SYSTEMS)
    for column, house in enumerate(HOUSES)
    if SOAK or system == "flat" or (row + column) % 4 == 0
]
"""Each pair compiles a loop of its own: a quarter of them is played here, and all in the soak."""


@pytest.mark.parametrize(("system", "house"), PLAYED)
def test_every_system_at_every_house_within_four_standard_errors(system: str, house: str) -> None:
    for choice in TURNS.get(house, ("prison",)):
        terms: dict[str, Any] = {
            "system": system,
            "target": 100,
            "coups": 12,
            "limits": LIMITS,
            "choice": choice,
        }
        truth = ruin_of(load(house), "red:5", 60, **terms)
        found = simulate(
            load(house), "red:5", bankroll=60, players=200_000, seed=17, shown=0, **terms
        )
        assert near(found.ends["ruin"], truth.ruin)
        assert near(found.ends["target"], truth.reached)
        assert near(found.ends["playing"], truth.playing)
        assert near(found.figures["coups"], truth.duration)
        assert near(found.figures["turnover"], truth.turnover)
        assert near(found.figures["net"], float(truth.purse) - 60)
        law = law_of(found)
        assert law is not None
        assert law.mean == pytest.approx(float(truth.purse) - 60)
        bars = zip(found.histogram(), expected(found, law), strict=True)
        for (_, _, part), share in bars:
            assert abs(part - share) <= BOUND * (share * (1 - share) / found.players) ** 0.5


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("layout", ["red:10", "17:5 d1:10", "even:15 0:2"])
def test_the_law_after_many_coups(house: str, layout: str) -> None:
    """Where nothing is in prison at the end, every result is as likely as the exact law says."""
    truth = after_coups(load(house), layout, 40)
    found = simulate(load(house), layout, coups=40, players=200_000, seed=5)
    # A prisoner at the end counts whole here, and by what they will bring there.
    slack = 15 / 37 * 2 if load(house).zero.simple.imprisons else 0.0
    error = found.figures["net"].error
    assert abs(found.mean - truth.mean) <= BOUND * error + slack
    if not slack:
        for share in (0.1, 0.5, 0.9):
            net = found.quantiles([share])[share]
            spread = BOUND * (share * (1 - share) / found.players) ** 0.5
            assert float(truth.at_most(net)) >= share - spread
            assert float(truth.at_most(net - 1)) <= share + spread


@pytest.mark.parametrize("house", HOUSES)
def test_what_the_house_keeps(house: str) -> None:
    edge = odds_of(load(house), "17:1").edge
    assert near(simulate(load(house), "17:1", coups=500, players=20_000).figures["edge"], edge)


def same(one: Any, other: Any) -> bool:
    return json.dumps(one.as_data()) == json.dumps(other.as_data())


@pytest.mark.parametrize("system", ["flat", "martingale", "labouchere"])
@pytest.mark.parametrize("house", ["ar", "es"])
def test_threads_and_blocks_change_nothing(
    house: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(threads: int, seed: int = 9) -> Any:
        return simulate(
            load(house),
            "red:5",
            coups=300,
            players=3_001,
            bankroll=400,
            limits=LIMITS,
            system=system,
            seed=seed,
            threads=threads,
        )

    one = asked(1)
    assert same(one, asked(1))
    assert same(one, asked(2))
    assert same(one, asked(5))
    assert not same(one, asked(1, seed=10))
    monkeypatch.setattr("novamas.simulation.run.BLOCK_PLAYERS", 16)
    assert same(one, asked(3))
    assert one.is_whole


def test_an_interruption_gives_what_there_is() -> None:
    def stop(progress: Progress) -> None:
        if progress.players >= 100:
            raise KeyboardInterrupt

    terms: dict[str, Any] = {"coups": 200_000, "seed": 4, "threads": 2, "shown": 0}
    some = simulate(load("ar"), "red:1", players=20_000, tell=stop, **terms)
    assert 100 <= some.players < 20_000
    assert not some.is_whole
    assert (some.coups == 200_000).all()
    assert set(some.net.tolist()) <= set(range(-200_000, 200_001))


def test_an_interruption_tells_of_those_who_still_play() -> None:
    def stop(progress: Progress) -> None:
        if progress.coups >= 10**8:
            raise KeyboardInterrupt

    some = simulate(load("es"), "red:10", coups=10**15, players=20, tell=stop, threads=2)
    assert some.players == 0
    assert 16 <= len(some.at_play) <= 20
    assert some.played == some.at_play[:, 1].sum() >= 10**8
    kept = some.kept_so_far
    assert kept is not None
    assert abs(kept.value - 1 / 73) < 5 * kept.error
    assert some.as_data()["played"] == some.played


def test_progress_tells_rate_and_time_left() -> None:
    told: list[Progress] = []
    simulate(load("ar"), "red:1", coups=1_000, players=2_000, tell=told.append, threads=2)
    assert told[-1].coups == told[-1].total == 2_000_000
    assert told[-1].left == 0
    assert told[-1].rate > 0
    assert [each.coups for each in told] == sorted(each.coups for each in told)


def test_memory_is_flat_in_coups() -> None:
    def most() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    simulate(load("ar"), "red:1", coups=1_000, players=100)
    before = most()
    simulate(load("ar"), "red:1", coups=1_000_000, players=100)
    assert most() - before < 8_000


def test_a_line_may_grow_long() -> None:
    """A reverse Labouchère that only wins writes a line as long as the play."""
    found = simulate(load("ar"), "red:1", system="reverse-labouchere", spins=[1] * 3_000)
    numbers, line = 0, [1, 2, 3, 4]
    for _ in range(3_000):
        laid = line[0] + line[-1]
        numbers += laid
        line.append(laid)
    assert found.net[0] == numbers


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: simulate(load("ar"), "red:1", spins=[37]), "not on the wheel"),
    (lambda: simulate(load("ar"), "red:1", spins=[]), "no numbers"),
    (lambda: simulate(load("ar"), "red:1", spins=[1, 2], coups=3), "2 numbers were recorded"),
    (lambda: simulate(load("ar"), "red:1", spins=[1, 2], coups=1, players=3), "for 2 players"),
    (lambda: simulate(load("ar"), "red:1", target=10), "name the bankroll"),
    (lambda: simulate(load("ar"), "red:1", seed=-1), "seed"),
    (
        lambda: simulate(load("ar"), "red:1", threads=0),
        "threads: expected a whole number of at least 1",
    ),
    (lambda: simulate(load("ar"), "red:1", coups=10**16), "coups: expected a whole number"),
    (lambda: simulate(load("ar"), "red:1", players=0), "players: expected a whole number"),
    (
        lambda: simulate(load("ar"), "red:1", bankroll=-1),
        "bankroll: expected a whole number of at least 0",
    ),
]


@pytest.mark.parametrize(("ask", "says"), REFUSED)
def test_what_cannot_be_played_is_refused(ask: Callable[[], Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ask()


def test_stakes_beyond_what_can_be_counted_need_a_bound() -> None:
    """Doubled at every coup, the stake would soon be more than a whole number of 64 bits pays."""
    with pytest.raises(TooLargeError, match="set limits"):
        simulate(load("ar"), "17:1", coups=80, spins=[2] * 80, system="martingale")


def test_stakes_that_are_not_proportional_need_a_bound() -> None:
    with pytest.raises(TooLargeError, match="set limits"):
        simulate(load("es"), "red:1", coups=40, spins=[2] * 40, system="martingale")
