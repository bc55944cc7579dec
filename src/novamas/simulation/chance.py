"""Chance for the simulation: a stream of numbers from 0 to 36 for every player.

The generator is xoshiro256++ (Blackman and Vigna): 256 bits of state, period 2^256 - 1, and no known
failure in the large test batteries. It is no generator for a table where money is played. Each player
has a stream of his own, begun by SplitMix64 from the seed and the player's number alone, so that who
plays where, and beside whom, changes no number. Two of n streams of length L would overlap with a
probability of about n² L / 2^256.

A number is the integer part of 37 · u / 2^58, where u is the upper 58 bits of a word. The few u that
would make some numbers likelier than others are drawn again (Lemire's method), so that all 37 are
equally likely.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

POCKETS: Final = np.uint64(37)
SHIFT: Final = np.uint64(6)
"""A word less so many bits, times 37, still fits into a word."""
PART: Final = np.uint64(58)
REST: Final = np.uint64(2**58 - 1)
UNEVEN: Final = np.uint64(2**58 % 37)

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_23, _41, _45, _19, _17 = (np.uint64(n) for n in (23, 41, 45, 19, 17))


@njit(nogil=True)
def mixed(word: Any) -> Any:
    """A word scrambled as SplitMix64 does; different words stay different."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@njit(nogil=True)
def begun(seed: Any, player: Any) -> Any:
    """The state with which a player's stream begins."""
    start = mixed(mixed(np.uint64(seed) + _GOLDEN) ^ (np.uint64(player) * _GOLDEN))
    one = np.uint64(1)
    return (
        mixed(start + _GOLDEN),
        mixed(start + (one + one) * _GOLDEN),
        mixed(start + (one + one + one) * _GOLDEN),
        mixed(start + (one + one + one + one) * _GOLDEN) | one,
    )


@njit(nogil=True)
def word_of(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The next word, and the state after it."""
    total = a + d
    word = ((total << _23) | (total >> _41)) + a
    shifted = b << _17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << _45) | (d >> _19)
    return word, a, b, c, d


@njit(nogil=True)
def number_of(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The next number of the wheel, and the state after it."""
    word, a, b, c, d = word_of(a, b, c, d)
    product = (word >> SHIFT) * POCKETS
    while (product & REST) < UNEVEN:
        word, a, b, c, d = word_of(a, b, c, d)
        product = (word >> SHIFT) * POCKETS
    return product >> PART, a, b, c, d


@njit(nogil=True, cache=True)
def numbers(seed: int, player: int, count: int) -> Any:
    """The first numbers of a player's stream."""
    found = np.empty(count, dtype=np.uint8)
    a, b, c, d = begun(seed, player)
    for place in range(count):
        number, a, b, c, d = number_of(a, b, c, d)
        found[place] = number
    return found


@njit(nogil=True, cache=True)
def bare(seed: int, player: int, count: int) -> int:
    """The sum of the first numbers of a stream: the generator with nothing around it."""
    total = np.uint64(0)
    a, b, c, d = begun(seed, player)
    for _ in range(count):
        number, a, b, c, d = number_of(a, b, c, d)
        total += number
    return np.int64(total)
