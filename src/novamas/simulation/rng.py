"""Random numbers for the simulation: a stream of pockets for every player, on any wheel.

The generator is xoshiro256++ (Blackman and Vigna): 256 bits of state, period 2^256 - 1, and no
known failure in the large test batteries. It must not be used at a table where money is played.
Each player has their own stream, which SplitMix64 seeds from the seed and the player's number
alone, so the numbers do not depend on where and beside whom a player is simulated. Two of n streams
of length L would overlap with a probability of about n² L / 2^256.

A word gives four numbers at once. On a wheel of n pockets, the integer part of n⁴ · u / 2^43, where
u is the upper 43 bits of the word, is written in base n. The few u that would make some fours
likelier than others are drawn again (Lemire's method), so that all n⁴ fours are equally likely, and
with them all numbers. They are indices of `Wheel.pockets`. In the compiled code n is a constant.
Sixteen streams are drawn side by side, because a processor does the same to many numbers at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numba import njit
from numba.extending import overload, register_jitable

from novamas.simulation.kernel_cache import kept_njit
from novamas.simulation.player_arrays import SEATS, zeros_in_line

AHEAD: Final = 128
"""The most numbers that are drawn at once for each of them."""

FOUR: Final = np.dtype("<u4")
"""Four numbers as two pairs, the first in the lower half."""
PAIR: Final = np.dtype("<u2")
SHIFT: Final = np.uint64(21)
"""The bits to drop from a word, so that the rest times n² fits into a word."""
PART: Final = np.uint64(43)
REST: Final = np.uint64(2**43 - 1)

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


@register_jitable
def pairs_of(word: Any, squared: Any) -> Any:
    """The two pairs of a word, the first in the lower half; and the value that decides rejection.

    They are the digits of n⁴ · u / 2^43 in base n², which is `squared`; a pair is n · one + other.
    """
    first = (word >> SHIFT) * squared
    second = (first & REST) * squared
    return np.uint32((first >> PART) | (second >> PART << _16)), second & REST


def draw(pockets: int, fours: Any, count: int, streams: Any) -> None:
    """Draws `count` groups of four for each seat: the first of all seats, then the second.

    It is for compiled code, in which `pockets` is a constant.
    """
    raise NotImplementedError


@overload(draw, prefer_literal=True)
def _draw_for(pockets: Any, fours: Any, count: Any, streams: Any) -> Callable[..., None]:  # noqa: ARG001
    """The code for one number of pockets: a multiplication by a constant is the faster one."""
    number: int = pockets.literal_value
    squared, uneven = np.uint64(number**2), np.uint64(2**43 % number**4)

    def draw_all(pockets: Any, fours: Any, count: Any, streams: Any) -> None:  # noqa: ARG001
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
                fours[np.uint64(place * SEATS + seat)], rest = pairs_of(word, squared)
                streams[4 * SEATS + seat] |= np.uint64(rest < uneven)
        for seat in range(SEATS):
            if streams[4 * SEATS + seat] != 0:
                # A word is rejected once in some thousand draws: this stream is drawn again.
                _draw_one(fours, count, streams, seat, squared, uneven)

    return draw_all


@njit(nogil=True)
def _draw_one(fours: Any, count: int, streams: Any, seat: int, squared: Any, uneven: Any) -> None:
    """The fours of one seat, from the saved state of its stream, skipping rejected words."""
    a = streams[5 * SEATS + seat]
    b = streams[6 * SEATS + seat]
    c = streams[7 * SEATS + seat]
    d = streams[8 * SEATS + seat]
    for place in range(count):
        rest = np.uint64(0)
        while rest < uneven:
            word, a, b, c, d = word_of(a, b, c, d)
            fours[np.uint64(place * SEATS + seat)], rest = pairs_of(word, squared)
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
    streams = zeros_in_line(9 * SEATS, np.uint64)
    # A state of zeros would only ever give zeros.
    streams[:] = 1
    return streams


def fours_of() -> Any:
    """Room for the numbers that are drawn at once for all seats."""
    return zeros_in_line(AHEAD // 4 * SEATS, FOUR)


@cache
def drawer_of(pockets: int) -> Any:
    """`draw` for a wheel, as a function that Python can call."""

    @kept_njit(nogil=True)
    def draw_them(fours: Any, count: int, streams: Any) -> None:
        draw(pockets, fours, count, streams)

    return draw_them


@cache
def _stream_of(pockets: int) -> Any:
    """The function that draws a player's stream alone."""

    @kept_njit(nogil=True)
    def drawn(seed: int, player: int, fours: Any, streams: Any, found: Any) -> None:
        begin(streams, 0, seed, player)
        at = 0
        while at < len(found):
            draw(pockets, fours, AHEAD // 4, streams)
            for place in range(min(AHEAD // 4, len(found) - at)):
                found[at + place] = fours[place * SEATS]
            at += AHEAD // 4

    return drawn


def numbers(seed: int, player: int, count: int, *, pockets: int) -> Any:
    """The first numbers of a player's stream, as indices of pockets."""
    fours = fours_of()
    found = np.empty((count + 3) // 4, dtype=FOUR)
    _stream_of(pockets)(seed, player, fours, streams_of(), found)
    pairs = np.divmod(found.view(PAIR), pockets)
    return np.stack(pairs, axis=1).astype(np.uint8).ravel()[:count]
