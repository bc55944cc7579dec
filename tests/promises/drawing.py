"""Many draws through the production function, on all the processors there are."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import numpy as np

from novamas.house.ball.fair_draw import SystemEntropy, draw
from tests.promises.battery import Numbers

AT_ONCE = 250_000
NONCES = {"ana": "17"}


def drawn_numbers(many: int, *, pockets: int) -> Numbers:
    """The pockets of the spins 1 to `many` of a table, each with a fresh secret of the house."""
    starts = range(1, many + 1, AT_ONCE)
    counts = [min(AT_ONCE, many + 1 - start) for start in starts]
    context = multiprocessing.get_context("spawn")
    workers = min(os.cpu_count() or 1, len(counts))
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        pieces = list(pool.map(some_numbers, starts, counts, repeat(NONCES), repeat(pockets)))
    return np.frombuffer(b"".join(pieces), np.uint8)


def some_numbers(first: int, count: int, nonces: dict[str, str], pockets: int) -> bytes:
    """The indices of the pockets of some spins in a row."""
    secret = SystemEntropy().secret
    spins = range(first, first + count)
    return bytes([draw("f2", spin, secret(), nonces, pockets=pockets) for spin in spins])
