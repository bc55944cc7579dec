"""Chance for the simulation: a stream of numbers from 0 to 36 for every player.

The generator is xoshiro256++ (Blackman and Vigna): 256 bits of state, period 2^256 - 1, and no
known failure in the large test batteries. It is no generator for a table where money is played.
Each player has a stream of his own, begun by SplitMix64 from the seed and the player's number
alone, so that who plays where, and beside whom, changes no number. Two of n streams of length L
would overlap with a probability of about n² L / 2^256.

A word gives four numbers at once: the integer part of 37⁴ · u / 2^43, where u is the upper 43 bits
of the word, is written in base 37. The few u that would make some fours likelier than others are
drawn again (Lemire's method), so that all 37⁴ fours are equally likely, and with them all numbers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

POCKETS: Final = np.uint64(37)
PAIRS: Final = np.uint64(37**2)
BY_POCKETS: Final = np.uint64(1772)
"""Times this and less 16 bits, a number below 37² is divided by 37."""
BY_PAIRS: Final = np.uint64(3137303)
"""Times this and less 32 bits, a number below 37⁴ is divided by 37²."""
FOURS: Final = np.uint64(37**4)
FOUR: Final = np.dtype("<u4")
"""Four numbers, the first in the first byte."""
SHIFT: Final = np.uint64(21)
"""A word less so many bits, times 37⁴, still fits into a word."""
PART: Final = np.uint64(43)
REST: Final = np.uint64(2**43 - 1)
UNEVEN: Final = np.uint64(2**43 % 37**4)

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_8, _16, _24, _32 = (np.uint64(n) for n in (8, 16, 24, 32))
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
def four_of(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Four numbers as one below 37⁴, and the state after it."""
    word, a, b, c, d = word_of(a, b, c, d)
    product = (word >> SHIFT) * FOURS
    while (product & REST) < UNEVEN:
        word, a, b, c, d = word_of(a, b, c, d)
        product = (word >> SHIFT) * FOURS
    return np.uint32(product >> PART), a, b, c, d


@njit(nogil=True)
def fill(fours: Any, count: int, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Writes the next numbers of a stream, four to a place; gives the state after them.

    First come the fours and then, many at once, their numbers, one in each byte.
    """
    for place in range(count):
        fours[np.uint64(place)], a, b, c, d = four_of(a, b, c, d)
    for place in range(count):
        four = np.uint64(fours[np.uint64(place)])
        pair = (four * BY_PAIRS) >> _32
        other = four - pair * PAIRS
        one = (pair * BY_POCKETS) >> _16
        three = (other * BY_POCKETS) >> _16
        two, last = pair - one * POCKETS, other - three * POCKETS
        fours[np.uint64(place)] = one | (two << _8) | (three << _16) | (last << _24)
    return a, b, c, d


@njit(nogil=True, cache=True)
def _filled(seed: int, player: int, fours: Any) -> None:
    a, b, c, d = begun(seed, player)
    fill(fours, len(fours), a, b, c, d)


def numbers(seed: int, player: int, count: int) -> Any:
    """The first numbers of a player's stream."""
    fours = np.empty((count + 3) // 4, dtype=FOUR)
    _filled(seed, player, fours)
    return fours.view(np.uint8)[:count]
