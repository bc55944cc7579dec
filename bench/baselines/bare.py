"""The bare generator: one number of the wheel from each 64-bit word, without bias, and their sum.

The best of its kind because nothing can be left out: xoshiro256++ is among the fastest generators
that pass the large test batteries, it is compiled by the same compiler, its state stays in
registers, and Lemire's reduction costs one multiplication.
"""

from typing import Any

import numpy as np
from numba import njit

from novamas.game.wheel import EUROPEAN
from novamas.simulation.rng import begun, word_of

POCKETS, SHIFT, PART = np.uint64(len(EUROPEAN)), np.uint64(6), np.uint64(58)
REST, UNEVEN = np.uint64(2**58 - 1), np.uint64(2**58 % len(EUROPEAN))


@njit(nogil=True, cache=True)
def bare(seed: int, count: int) -> Any:
    """The sum of a number of draws."""
    total = np.uint64(0)
    a, b, c, d = begun(seed, 0)
    for _ in range(count):
        word, a, b, c, d = word_of(a, b, c, d)
        product = (word >> SHIFT) * POCKETS
        while (product & REST) < UNEVEN:
            word, a, b, c, d = word_of(a, b, c, d)
            product = (word >> SHIFT) * POCKETS
        total += product >> PART
    return total
