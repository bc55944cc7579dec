"""How close the simulation is to the machine's limit, and how far ahead of other programs.

Loops of one thread are compared by thread time, so that other programs on the machine matter
little; threads and workers are compared by wall-clock time. Both sides run alternately in many
short rounds, and the best round of each counts, because noise can only make a round slower.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.baselines import loop, vectorised
from bench.baselines.bare import bare
from bench.baselines.lanes import lanes
from bench.measure import Result, benchmark
from novamas.game.limits import Limits
from novamas.odds.layout import Layout
from novamas.odds.play import Play
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import load
from novamas.simulation.payoff_tables import Tables
from novamas.simulation.plan import Plan, most_times
from novamas.simulation.player_block import play_block
from novamas.simulation.run import simulate

ROUNDS = 15
DRAWN = 4_000_000
LIMITS = Limits.of({"simple": {"min": 5, "max": 500}})
PACKAGES = Path("build") / "packages"
BASELINES = Path(__file__).with_name("baselines")


def plan(house: str, layout: str, system: str, *, coups: int, bankroll: int | None) -> Plan:
    """A plan for the loop."""
    play = Play(Layout.read(load(house), layout), limits=LIMITS)
    return Plan(
        play=play,
        system=SYSTEMS[system],
        tables=Tables(play, most_times(play)),
        coups=coups,
        bankroll=bankroll,
        target=None,
        stop_loss=None,
        at_limit="cap",
        seed=7,
        marks=(),
        shown=0,
    )


def rates(*works: Callable[[], int]) -> list[float]:
    """Coups per second of thread time: the best of several alternating rounds."""
    best = [0.0] * len(works)
    for work in works:
        work()
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            began = time.thread_time()
            done = work()
            best[place] = max(best[place], done / (time.thread_time() - began))
    return best


def drawn() -> int:
    """The bare generator."""
    bare(7, DRAWN)
    return DRAWN


def played(asked: Plan, players: int) -> Callable[[], int]:
    """Plays a number of players of a plan."""
    return lambda: int(play_block(asked, 0, players).coups.sum())


@benchmark
def a_thread_against_the_bare_generator() -> list[Result]:
    """Flat, martingale, Labouchère and prison, against drawing alone."""
    results = []
    for name, house, layout, system, at_least in (
        ("flat layout", "ar", "red:10 17:5 d1:5", "flat", 0.7),
        ("martingale", "ar", "red:10", "martingale", 0.5),
        ("Labouchère", "ar", "red:10", "labouchere", 0.45),
        ("prison in Spain", "es", "red:10", "flat", 0.4),
        ("flat layout on two zeros", "sd", "red:10 00:5 d1:5", "flat", 0.7),
    ):
        asked = plan(house, layout, system, coups=10_000, bankroll=1_000_000)
        ours, generator = rates(played(asked, DRAWN // 10_000), drawn)
        results.append(
            Result(
                name=f"simulation: {name} against the bare generator, one thread",
                value=ours,
                unit="coups/s",
                against=generator,
                at_least=at_least,
            )
        )
    return results


@benchmark
def flat_play_against_the_best_bare_generator() -> list[Result]:
    """Flat play against four numbers a word in sixteen lanes, the fastest drawing that we know."""
    asked = plan("ar", "red:10 17:5 d1:5", "flat", coups=10_000, bankroll=1_000_000)
    ours, best = rates(played(asked, DRAWN // 10_000), lambda: lanes(7, DRAWN))
    name = "simulation: flat layout against the best bare generator, one thread"
    return [Result(name=name, value=ours, unit="coups/s", against=best, at_least=0.6)]


@benchmark
def two_threads_against_one() -> list[Result]:
    """The same long simulation by two threads and by one."""
    best = {1: 0.0, 2: 0.0}
    terms: dict[str, Any] = {"coups": 100_000, "players": 10_240, "shown": 0, "limits": LIMITS}
    for _ in range(ROUNDS):
        for threads in (1, 2):
            result = simulate(load("ar"), "red:5", threads=threads, **terms)
            best[threads] = max(best[threads], result.coups.sum() / result.seconds)
    name = "simulation: two threads against one"
    return [Result(name=name, value=best[2], unit="coups/s", against=best[1], at_least=1.8)]


def start(*words: str, folder: str) -> "subprocess.Popen[bytes]":
    """A process of the cluster."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]]
    quiet = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=quiet, stdout=nowhere, stderr=nowhere)


@benchmark
def two_workers_against_one_process() -> list[Result]:
    """Two single-threaded workers of a Dask cluster beside one single-threaded process."""
    from distributed import Client

    terms: dict[str, Any] = {"coups": 1_000_000, "players": 40_960, "shown": 0, "limits": LIMITS}
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder) / "scheduler.json"
        host = ("--host", "127.0.0.1", "--no-dashboard")
        processes = [
            start("scheduler", *host, "--port", "0", "--scheduler-file", str(at), folder=folder)
        ]
        try:
            while not at.exists() or not at.read_text():
                time.sleep(0.1)
            address = json.loads(at.read_text())["address"]
            worker = ("worker", address, *host, "--nthreads", "1", "--no-nanny")
            processes += [start(*worker, folder=folder) for _ in range(2)]
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(2)
            rate = {"alone": 0.0, "cluster": 0.0}
            simulate(load("ar"), "red:5", cluster=address, coups=1_000, players=1_000)
            for _ in range(3):
                for who, how in (("alone", {"threads": 1}), ("cluster", {"cluster": address})):
                    result = simulate(load("ar"), "red:5", **terms, **how)
                    rate[who] = max(rate[who], result.coups.sum() / result.seconds)
        finally:
            # Workers first: a worker without its scheduler waits for it to come back.
            for process in reversed(processes):
                process.kill()
                process.wait()
    name = "simulation: two Dask workers against one process"
    return [
        Result(
            name=name, value=rate["cluster"], unit="coups/s", against=rate["alone"], at_least=1.7
        )
    ]


RECORDED = """
import sys
import numpy as np
spins = np.array(open(sys.argv[1]).read().split(), dtype=np.int64)
red = np.zeros(37, dtype=bool)
red[[1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]] = True
print(int(np.where(red[spins], 10, -10).sum()))
"""
"""What one would write for recorded numbers and red."""


@benchmark
def recorded_numbers_against_numpy() -> list[Result]:
    """700,000 recorded numbers, red: the command against a NumPy program, both with their start."""
    numbers = random.Random(7)  # noqa: S311 - any numbers will do
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "spins.txt"
        file.write_text("\n".join(str(numbers.randrange(37)) for _ in range(700_000)))
        command = str(Path(sys.executable).with_name("novamas"))
        programs = (
            [command, "simulate", "ar", "red:10", "--spins", str(file), "--json"],
            [sys.executable, "-c", RECORDED, str(file)],
        )
        best = [float("inf")] * 2
        answers = ["", ""]
        for _ in range(ROUNDS):
            for place, program in enumerate(programs):
                began = time.perf_counter()
                said = subprocess.run(program, check=True, capture_output=True, text=True)
                best[place] = min(best[place], time.perf_counter() - began)
                answers[place] = said.stdout
    if json.loads(answers[0])["figures"]["net"]["value"] != int(answers[1]):
        raise AssertionError("the two programs answer differently")
    name = "simulation: 700,000 recorded numbers against a NumPy program, start included"
    return [Result(name=name, value=best[0], unit="s", against=best[1], at_most=3)]


def nets() -> Sequence[int]:
    """What red brings in each pocket."""
    play = Play(Layout.read(load("ar"), "red:1"))
    return [play.pocket(pocket).net for pocket in play.wheel]


@benchmark
def against_what_one_would_write() -> list[Result]:
    """Red, flat: one thread against a plain loop and a vectorised program."""
    paid = nets()
    free = plan("ar", "red:5", "flat", coups=100_000, bankroll=None)
    purse = plan("ar", "red:5", "flat", coups=10_000, bankroll=50_000)

    def plainly() -> int:
        loop.play(paid, players=10, coups=10_000, purse=10_000)
        return 100_000

    def vector() -> int:
        vectorised.play(paid, players=40, coups=100_000)
        return DRAWN

    ours, plain = rates(played(purse, DRAWN // 10_000), plainly)
    unbound, numpy = rates(played(free, DRAWN // 100_000), vector)
    return [
        Result(
            name="simulation: flat, one thread, against a plain Python loop",
            value=ours,
            unit="coups/s",
            against=plain,
            at_least=100,
        ),
        Result(
            name="simulation: flat, one thread, against a vectorised NumPy program",
            value=unbound,
            unit="coups/s",
            against=numpy,
            at_least=1.7,
        ),
    ]


@benchmark
def against_the_packages() -> list[Result]:
    """Red, flat: against the packages of PyPI, which are installed separately."""
    uv = Path(sys.executable).with_name("uv")
    lock = Path("requirements") / "bench.lock"
    command = [str(uv), "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
    subprocess.run([*command, "--target", str(PACKAGES), "-r", str(lock)], check=True)
    (ours,) = rates(
        played(plan("ar", "red:5", "flat", coups=10_000, bankroll=50_000), DRAWN // 10_000)
    )
    results = []
    for package, at_least in (("pyroulette", 1_000), ("roulette-simulator", None)):
        program = [sys.executable, str(BASELINES / "packages.py"), package, str(PACKAGES)]
        said = subprocess.run(program, check=True, capture_output=True, text=True).stdout
        what = package if at_least else f"{package}, which only spins"
        results.append(
            Result(
                name=f"simulation: flat, one thread, against {what}",
                value=ours,
                unit="coups/s",
                against=float(said),
                at_least=at_least,
            )
        )
    return results
