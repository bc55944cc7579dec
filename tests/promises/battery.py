"""The battery: every test we know of whether numbers of a wheel came by chance.

Each test gives the chance that an honest ball does as ill, on either side: too uneven, or too even
to be true. The battery believes a source unless one of these chances is so small that, with as many
tests as there are, an honest ball would show it once in a million batteries.
"""

import itertools
import math
import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novamas.game.wheel import BLACK, EUROPEAN, RED
from tests.promises.chances import chi_square, fit, normal, poisson

POCKETS = len(EUROPEAN)
Numbers = NDArray[np.uint8]
Counts = NDArray[np.int64]

FAMILY = 1e-6
"""How often an honest ball may fail the whole battery."""
LAGS = range(1, 51)
CHUNK = 1 << 20
ROWS_OF = 7
BIRTHDAYS = 32_768
MIDDLE = 18


class Result(NamedTuple):
    """One test: its name, and the chance of an honest ball to do as ill."""

    test: str
    chance: float


class Verdict(NamedTuple):
    """What the battery says of a source."""

    results: tuple[Result, ...]

    @property
    def worst(self) -> Result:
        """The test that an honest ball is least likely to do as ill at."""
        return min(self.results, key=lambda result: result.chance)

    @property
    def is_believed(self) -> bool:
        """Whether all together an honest ball could have done this (Bonferroni)."""
        return self.worst.chance * len(self.results) >= FAMILY

    def caught_by(self) -> list[str]:
        """The kinds of test that do not believe the source, each by itself."""
        least = FAMILY / len(self.results)
        kinds = [result.test.split(" ")[0] for result in self.results if result.chance < least]
        return sorted(set(kinds))


def judge(numbers: Numbers) -> Verdict:
    """Puts numbers through the whole battery."""
    tests = (
        frequencies(counted(numbers, POCKETS)),
        pairs(numbers),
        gaps(numbers),
        runs(numbers),
        coupons(numbers),
        lags(numbers),
        birthdays(numbers),
        linear(numbers),
    )
    return Verdict(tuple(itertools.chain(*tests)))


def how_many() -> int:
    """How many tests the battery has."""
    return 1 + POCKETS + 1 + POCKETS + 8 + 1 + 2 * len(LAGS) + 1 + 1


def counted(values: NDArray[np.integer], kinds: int) -> Counts:
    """How often each value came, a piece at a time, so that long series need little room."""
    counts = np.zeros(kinds, np.int64)
    for start in range(0, len(values), CHUNK):
        counts += np.bincount(values[start : start + CHUNK], minlength=kinds)
    return counts


def _even(counts: Counts) -> float:
    """Pearson's statistic of counts that should all be equal."""
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2).sum() / expected)


def frequencies(counts: Counts) -> Iterator[Result]:
    """How often each number came: all of them at once, and each by itself."""
    total = int(counts.sum())
    yield Result("frequencies", chi_square(_even(counts), POCKETS - 1))
    spread = math.sqrt(total * (POCKETS - 1)) / POCKETS
    for number, count in enumerate(counts):
        yield Result(f"pocket {number}", normal((int(count) - total / POCKETS) / spread))


def pairs(numbers: Numbers) -> Iterator[Result]:
    """Numbers two by two: 1,369 pairs, each as likely as any other."""
    two = numbers[: len(numbers) // 2 * 2].reshape(-1, 2)
    counts = counted(two[:, 0] * np.uint16(POCKETS) + two[:, 1], POCKETS**2)
    yield Result("pairs", chi_square(_even(counts), POCKETS**2 - 1))


def waiting(chance: float, longest: int) -> NDArray[np.float64]:
    """The chance of 0, 1, 2 … failures before what comes with a chance does come."""
    return np.array([chance * (1 - chance) ** failures for failures in range(longest)])


def gaps(numbers: Numbers) -> Iterator[Result]:
    """How long each number keeps one waiting for its return."""
    law = waiting(1 / POCKETS, 2000)
    for number in range(POCKETS):
        waits = np.diff(np.flatnonzero(numbers == number)) - 1
        yield Result(f"gaps of {number}", fit(waits, law, least=1 / POCKETS))


def runs(numbers: Numbers) -> Iterator[Result]:
    """How long the simple chances run, and how long numbers go on rising or falling."""
    chances = {
        "red": RED,
        "black": BLACK,
        "even": range(2, POCKETS, 2),
        "odd": range(1, POCKETS, 2),
        "low": range(1, 19),
        "high": range(19, POCKETS),
    }
    law = waiting(19 / POCKETS, 200)
    for name, winning in chances.items():
        hit = np.isin(np.arange(POCKETS), list(winning))[numbers]
        edges = np.flatnonzero(np.diff(np.concatenate(([False], hit, [False])).astype(np.int8)))
        yield Result(f"runs of {name}", fit(edges[1::2] - edges[::2] - 1, law, least=1e-3))
    # The first run of each six numbers: unlike runs that follow each other these are independent.
    longer = [math.comb(POCKETS, length) / POCKETS**length for length in range(1, 7)]
    law = np.array([one - more for one, more in itertools.pairwise((*longer, 0.0))])
    sixes = numbers[: len(numbers) // 6 * 6].reshape(-1, 6)
    for name, steps in {
        "rising": sixes[:, 1:] > sixes[:, :-1],
        "falling": sixes[:, 1:] < sixes[:, :-1],
    }.items():
        lengths = np.logical_and.accumulate(steps, axis=1).sum(axis=1)
        yield Result(f"runs {name}", fit(lengths, law, least=1e-3))


def coupons(numbers: Numbers) -> Iterator[Result]:
    """How many numbers it takes until each of the 37 has come."""
    text = numbers.tobytes()
    lengths, start = [], 0
    while True:
        places = [text.find(number, start) for number in range(POCKETS)]
        if min(places) < 0:
            break
        lengths.append(max(places) + 1 - start)
        start += lengths[-1]
    yield Result("coupons", fit(np.array(lengths, np.int64), _coupon_law(), least=1 / POCKETS))


@cache
def _coupon_law() -> NDArray[np.float64]:
    """The chance that the last of the 37 comes as the first, the second, … number."""
    held = np.zeros(POCKETS + 1)
    held[0] = 1.0
    complete = [0.0]
    known = np.arange(POCKETS + 1) / POCKETS
    for _ in range(3000):
        again, new = held * known, held * (1 - known)
        held = again + np.concatenate(([0.0], new[:-1]))
        complete.append(held[-1])
    return np.diff(complete, prepend=0.0)


def lags(numbers: Numbers) -> Iterator[Result]:
    """Numbers some way apart: their pairs, and how far one is from the other."""
    apart = np.arange(POCKETS)
    far = (apart[None, :] - apart[:, None]) % POCKETS
    single = _even(counted(numbers, POCKETS))
    for lag in LAGS:
        later = np.concatenate((numbers[lag:], numbers[:lag]))
        codes = (numbers[i : i + CHUNK] for i in range(0, len(numbers), CHUNK))
        table = np.zeros(POCKETS**2, np.int64)
        for place, first in enumerate(codes):
            second = later[place * CHUNK : (place + 1) * CHUNK]
            table += np.bincount(first * np.uint16(POCKETS) + second, minlength=POCKETS**2)
        # Good's statistic: what the frequencies tell by themselves is taken off on both sides.
        joint = _even(table) - 2 * single
        yield Result(f"lag {lag} pairs", chi_square(joint, (POCKETS - 1) ** 2))
        steps = np.bincount(far.ravel(), weights=table, minlength=POCKETS).astype(np.int64)
        yield Result(f"lag {lag} steps", chi_square(_even(steps), POCKETS - 1))


def birthdays(numbers: Numbers) -> Iterator[Result]:
    """Marsaglia's birthday spacings of seven numbers in a row: the bane of congruential sources."""
    cells = POCKETS**ROWS_OF
    weights = POCKETS ** np.arange(ROWS_OF, dtype=np.int64)
    year = BIRTHDAYS * ROWS_OF
    years = len(numbers) // year
    equal = 0
    for start in range(0, years * year, year):
        days = numbers[start : start + year].reshape(-1, ROWS_OF) @ weights
        spacings = np.sort(np.diff(np.sort(days)))
        equal += int((spacings[1:] == spacings[:-1]).sum())
    yield Result("birthdays", poisson(equal, years * BIRTHDAYS**3 / (4 * cells)))


def linear(numbers: Numbers) -> Iterator[Result]:
    """Whether the halves of the wheel obey the relation that every Mersenne Twister obeys.

    A number below 18 shows the first bit of a fraction that was multiplied by 37, one above 18
    too; 18 shows nothing. In a twister some 135 of 19,938 such bits in a row always sum to zero.
    """
    taps = twister_taps()
    windows = len(numbers) - taps[-1]
    if windows <= 0:
        return
    high, shown = numbers > MIDDLE, numbers != MIDDLE
    odd, whole = np.zeros(windows, np.bool_), np.ones(windows, np.bool_)
    for tap in taps:
        odd ^= high[tap : tap + windows]
        whole &= shown[tap : tap + windows]
    seen = int(whole.sum())
    broken = int((odd & whole).sum())
    yield Result("linear", normal((broken - seen / 2) / math.sqrt(max(seen, 1) / 4)))


@cache
def twister_taps() -> tuple[int, ...]:
    """The relation of the twister, learnt from one seed by Berlekamp and Massey; it has no seed."""
    teacher = random.Random(37)  # noqa: S311 - It is the source that is to be caught.
    relation, length = shortest_relation(int(teacher.random() >= 0.5) for _ in range(2 * 19_950))
    return tuple(length - tap for tap in range(length, -1, -1) if relation >> tap & 1)


def shortest_relation(bits: Iterable[int]) -> tuple[int, int]:
    """The shortest linear relation that a series of bits obeys, as a polynomial, and its length.

    >>> shortest_relation([1, 1, 0, 1, 1, 0, 1, 1, 0])
    (7, 2)
    """
    now = before = 1
    length, since, seen = 0, 1, 0
    for place, bit in enumerate(bits):
        seen = seen << 1 | bit
        if (seen & now).bit_count() % 2 == 0:
            since += 1
            continue
        now, kept = now ^ before << since, now
        since += 1
        if 2 * length <= place:
            length, before, since = place + 1 - length, kept, 1
    return now, length
