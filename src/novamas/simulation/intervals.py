"""Averages and shares with intervals that hold, or none where no honest interval can be given.

The interval of a share is exact (Clopper and Pearson): it holds the truth at least 95 times of 100,
for few cases and for none. The interval of an average is Student's. It is given only where the sum
over the players is nearly normal, and that is not read from the sample alone, because a sample
cannot show what is too rare to be in it:

- No single coup may move the sum by more than a small part of its standard deviation. How much one
  coup can move follows from the layout, the system, the maximum and the purse. If the rare large
  stakes are not in the sample, its deviation is too small, and the rule fails, as it should.
- The players must be many for how skew their results are (Cochran: 25 times the squared skewness).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, isnan, lgamma, log, log1p, sqrt
from typing import Any, Final

NAN: Final = float("nan")
NORMAL: Final = 1.959963984540054
MISSED: Final = 0.05
"""How often an interval may miss the truth."""
KNOWN_STEP: Final = 0.2
"""The largest part of the standard deviation of a sum that one coup may move, if that is known."""
STEP: Final = 0.1
"""The same where the deviation is that of the sample, which luck may have made too large."""
COCHRAN: Final = 25
LEAST_PLAYERS: Final = 100
"""From fewer players the skewness cannot be estimated."""
FEW: Final = "no interval: too few rare results"
CLIMBS: Final = "no interval: rare large stakes decide it"
LASTS: Final = "no interval: rare long plays decide it"
ONE: Final = "one player: no error"


@dataclass(frozen=True)
class Figure:
    """An average, or a share, with its standard error and an interval of 95 %.

    An unknown value is nan: the error for a single player, and the interval where none holds.
    """

    value: float
    error: float
    low: float
    high: float
    reason: str = ""
    """Why there is no interval."""

    @property
    def has_error(self) -> bool:
        """Whether its error is known."""
        return not isnan(self.error)

    @property
    def has_interval(self) -> bool:
        """Whether it has an interval."""
        return not isnan(self.low)

    def as_data(self) -> dict[str, float | None]:
        """As plain data; None for an unknown value."""
        names = ("value", "error", "low", "high")
        values = {name: getattr(self, name) for name in names}
        return {name: None if isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True)
class Shape:
    """What is known of a sum over players before it is played."""

    step: float
    """The most that one coup can move it; inf if there is no bound."""
    variance: float | None = None
    """The variance of one coup, where each is like the others; None to take that of the sample."""
    skewness: float | None = None
    """The skewness of a player's result, where it is known."""
    is_known: bool = False
    """Whether the variance of a coup is all there is to the error: every player plays alike."""
    is_certain: bool = False
    """Whether it is the same for every player."""
    reason: str = CLIMBS
    """Why there is no interval where one coup can move it too far."""


def total(values: Any) -> int:
    """The exact sum of 64-bit integers, as a whole number of any size.

    >>> import numpy as np
    >>> total(np.full(4, 2**62)) == 2**64
    True
    """
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())


def average(values: Any, shape: Shape, *, coups: int = 0) -> Figure:
    """The average of some players' values; `coups` is how many rounds there were in all."""
    count = len(values)
    if not count:
        return Figure(NAN, NAN, NAN, NAN)
    mean = total(values) / count if values.dtype.kind == "i" else float(values.mean())
    if shape.is_certain:
        return Figure(mean, 0.0, mean, mean) if count > 1 else Figure(mean, NAN, NAN, NAN, ONE)
    return _interval(mean, values - mean, shape, coups=coups)


def kept(net: Any, turnover: Any, shape: Shape, *, coups: int) -> Figure | None:
    """The share of the stakes that the house has kept; None if nothing was staked."""
    staked = total(turnover)
    if not staked:
        return None
    value = -total(net) / staked
    # A ratio of two averages: its error is that of the residuals.
    found = _interval(0.0, net + value * turnover, shape, coups=coups)
    size = staked / len(net)
    return Figure(
        value, found.error / size, value + found.low / size, value + found.high / size, found.reason
    )


def _interval(mean: float, apart: Any, shape: Shape, *, coups: int) -> Figure:
    """The interval of a mean, from the distances of the values from it."""
    count = len(apart)
    if count < 2:
        return Figure(mean, NAN, NAN, NAN, ONE)
    largest = float(abs(apart).max())
    scaled = apart / largest if largest else apart
    second = float((scaled**2).sum())
    error = largest * sqrt(second / (count - 1) / count)
    deviation, part = error * count, STEP
    if shape.variance is not None:
        deviation, part = sqrt(shape.variance * coups), KNOWN_STEP
    if shape.step > part * deviation:
        return Figure(mean, error, NAN, NAN, shape.reason)
    if shape.is_known:
        error = deviation / count
        return Figure(mean, error, mean - NORMAL * error, mean + NORMAL * error)
    skewness = shape.skewness
    if skewness is None and count >= LEAST_PLAYERS and second:
        skewness = float((scaled**3).sum()) / count / (second / count) ** 1.5
    if skewness is None or count < COCHRAN * skewness**2:
        return Figure(mean, error, NAN, NAN, FEW)
    half = student(count - 1) * error
    return Figure(mean, error, mean - half, mean + half)


def share(count: int, of: int) -> Figure:
    """A share with its exact interval, which also holds for few cases and for none.

    >>> share(0, 100).high < 0.04
    True
    """
    if not of:
        return Figure(NAN, NAN, NAN, NAN)
    p, side = count / of, MISSED / 2
    low = high = 0.0
    if count:
        low = _solved(lambda x: beta(x, count, of - count + 1), side)
    if count < of:
        high = _solved(lambda x: beta(x, count + 1, of - count), 1 - side)
    return Figure(p, sqrt(p * (1 - p) / of), low, high if count < of else 1.0)


@lru_cache(maxsize=64)
def student(freedom: int) -> float:
    """How many standard errors make an interval of 95 %, by Student's distribution.

    >>> round(student(1), 4), round(student(9), 4), round(student(10**6), 4)
    (12.7062, 2.2622, 1.96)
    """
    x = _solved(lambda x: beta(x, freedom / 2, 0.5), MISSED)
    return sqrt(freedom * (1 - x) / x)


def _solved(rising: Callable[[float], float], value: float) -> float:
    """Where a function that rises from 0 to 1 has a value."""
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if rising(middle) < value:
            low = middle
        else:
            high = middle
        if high - low <= 1e-15 * high:
            break
    return (low + high) / 2


def beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function, by its continued fraction (Lentz).

    >>> round(beta(0.5, 2, 3), 6)
    0.6875
    """
    if x <= 0 or x >= 1:
        return float(x > 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 100_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * found
