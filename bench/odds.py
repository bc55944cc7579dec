"""How long exact odds take, and what prison adds to them."""

import time
from statistics import median

from bench.measure import Result, benchmark
from novamas.odds.many_coups import after_coups
from novamas.rulebooks import load

COUPS = 10**6
ROUNDS = 15
FAR = 0.05


def seconds(house: str) -> float:
    """Seconds of the thread for the law of a million coups, and one answer from it."""
    began = time.thread_time()
    law = after_coups(load(house), "red:10", COUPS)
    below = law.at_most(round(law.mean))
    took = time.thread_time() - began
    if abs(below - 0.5) > FAR:
        raise AssertionError(f"{below} of all results are below the average")
    return took


@benchmark
def a_law_with_prison() -> list[Result]:
    """The law of a million coups of red with prison, by turns with the one without."""
    seconds("es"), seconds("bg")
    pairs = [(seconds("es"), seconds("bg")) for _ in range(ROUNDS)]
    prison, without = (median(side) for side in zip(*pairs, strict=True))
    name = f"odds: the law of {COUPS:,} coups with prison, against the one without"
    return [Result(name=name, value=prison, unit="s", against=without, at_most=5)]
