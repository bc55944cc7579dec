"""How long exact odds take, and what prison adds to them."""

import time
from statistics import median

from bench.measure import Result, benchmark
from novamas.odds.many_coups import after_coups
from novamas.rulebooks import load

COUPS = 10**6
ROUNDS = 15


def seconds(house: str) -> float:
    """Seconds of the thread for the law of a million coups, and one answer from it."""
    began = time.thread_time()
    if not 0 < after_coups(load(house), "red:10", COUPS).ahead < 1:
        raise AssertionError("not a probability")
    return time.thread_time() - began


@benchmark
def a_law_with_prison() -> list[Result]:
    """The law of a million coups of red with prison, by turns with the one without."""
    seconds("es"), seconds("bg")
    pairs = [(seconds("es"), seconds("bg")) for _ in range(ROUNDS)]
    prison, without = (median(side) for side in zip(*pairs, strict=True))
    name = f"odds: the law of {COUPS:,} coups with prison, against the one without"
    return [Result(name=name, value=prison, unit="s", against=without, at_most=5)]
