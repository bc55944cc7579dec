"""Random numbers for the simulation: a stream of numbers from 0 to 36 for every player.

The generator is xoshiro256++ (Blackman and Vigna): 256 bits of state, period 2^256 - 1, and no
known failure in the large test batteries. It must not be used at a table where money is played.
Each player has their own stream, which SplitMix64 seeds from the seed and the player's number
alone, so the numbers do not depend on where and beside whom a player is simulated. Two of n streams
of length L would overlap with a probability of about n² L / 2^256.

A word gives four numbers at once: the integer part of 37⁴ · u / 2^43, where u is the upper 43 bits
of the word, is written in base 37. The few u that would make some fours likelier than others are
drawn again (Lemire's method), so that all 37⁴ fours are equally likely, and with them all numbers.
Sixteen streams are drawn side by side, because a processor does the same to many numbers at once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

SEATS: Final = 16
"""How many streams are drawn side by side; the compiler makes this a few vector instructions."""
AHEAD: Final = 128
"""The most numbers that are drawn at once for each of them."""

PAIRS: Final = np.uint64(37**2)
FOUR: Final = np.dtype("<u4")
"""Four numbers as two pairs, the first in the lower half."""
PAIR: Final = np.dtype("<u2")
SHIFT: Final = np.uint64(21)
"""The bits to drop from a word so that the rest times 37⁴ still fits into a word."""
PART: Final = np.uint64(43)
REST: Final = np.uint64(2**43 - 1)
UNEVEN: Final = np.uint64(2**43 % 37**4)

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_16 = np.uint64(16)
_23, _41, _45, _19, _17 = (np.uint64(n) for n in (23, 41, 45, 19, 17))


@njit(nogil=True)
def mixed(word: Any) -> Any:
    """Mixes a word as SplitMix64 does; different words stay different."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@njit(nogil=True)
def begun(seed: Any, player: Any) -> Any:
    """The first state of a player's stream."""
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
def pairs_of(word: Any) -> Any:
    """The two pairs of a word, the first in the lower half; and the value that decides rejection.

    They are the digits of 37⁴ · u / 2^43 in base 37², and a pair is 37 · one + other.
    """
    first = (word >> SHIFT) * PAIRS
    second = (first & REST) * PAIRS
    return np.uint32((first >> PART) | (second >> PART << _16)), second & REST


@njit(nogil=True)
def draw(fours: Any, count: int, streams: Any) -> None:
    """Draws `count` groups of four for each seat: the first of all seats, then the second."""
    for place in range(4 * SEATS):
        streams[5 * SEATS + place] = streams[place]
    for seat in range(SEATS):
        streams[4 * SEATS + seat] = 0
    for place in range(count):
        for seat in range(SEATS):
            word, a, b, c, d = word_of(
                streams[seat],
                streams[SEATS + seat],
                streams[2 * SEATS + seat],
                streams[3 * SEATS + seat],
            )
            streams[seat] = a
            streams[SEATS + seat] = b
            streams[2 * SEATS + seat] = c
            streams[3 * SEATS + seat] = d
            fours[np.uint64(place * SEATS + seat)], rest = pairs_of(word)
            streams[4 * SEATS + seat] |= np.uint64(rest < UNEVEN)
    for seat in range(SEATS):
        if streams[4 * SEATS + seat] != 0:
            # A word is rejected once in some thousand draws: this stream is drawn again.
            _draw_one(fours, count, streams, seat)


@njit(nogil=True)
def _draw_one(fours: Any, count: int, streams: Any, seat: int) -> None:
    """The fours of one seat, from the saved state of its stream, skipping rejected words."""
    a = streams[5 * SEATS + seat]
    b = streams[6 * SEATS + seat]
    c = streams[7 * SEATS + seat]
    d = streams[8 * SEATS + seat]
    for place in range(count):
        rest = np.uint64(0)
        while rest < UNEVEN:
            word, a, b, c, d = word_of(a, b, c, d)
            fours[np.uint64(place * SEATS + seat)], rest = pairs_of(word)
    streams[seat] = a
    streams[SEATS + seat] = b
    streams[2 * SEATS + seat] = c
    streams[3 * SEATS + seat] = d


@njit(nogil=True)
def begin(streams: Any, seat: int, seed: Any, player: Any) -> None:
    """Seeds the stream of a seat for a player."""
    a, b, c, d = begun(seed, player)
    streams[seat] = a
    streams[SEATS + seat] = b
    streams[2 * SEATS + seat] = c
    streams[3 * SEATS + seat] = d


def streams_of() -> Any:
    """Arrays for the states of the streams, their saved states, and the rejections."""
    # A state of zeros would only ever give zeros.
    return np.ones(9 * SEATS, dtype=np.uint64)


@njit(nogil=True, cache=True)
def _drawn(seed: int, player: int, fours: Any, streams: Any, found: Any) -> None:
    begin(streams, 0, seed, player)
    at = 0
    while at < len(found):
        draw(fours, AHEAD // 4, streams)
        for place in range(min(AHEAD // 4, len(found) - at)):
            found[at + place] = fours[place * SEATS]
        at += AHEAD // 4


def numbers(seed: int, player: int, count: int) -> Any:
    """The first numbers of a player's stream."""
    fours = np.zeros(AHEAD // 4 * SEATS, dtype=FOUR)
    found = np.empty((count + 3) // 4, dtype=FOUR)
    _drawn(seed, player, fours, streams_of(), found)
    return np.stack(np.divmod(found.view(PAIR), 37), axis=1).astype(np.uint8).ravel()[:count]
