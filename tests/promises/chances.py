"""Chances of statistics, far into their tails, with nothing but what numpy and math have."""

import math

import numpy as np
from numpy.typing import NDArray

Law = NDArray[np.float64]


def either_side(below: float, above: float) -> float:
    """The chance of being as far out on either side."""
    return min(1.0, 2 * min(below, above))


def normal(score: float) -> float:
    """The chance that a normal score is as far from zero.

    >>> round(normal(1.959964), 6), normal(0.0)
    (0.05, 1.0)
    """
    return math.erfc(abs(score) / math.sqrt(2))


def fewer(count: int, mean: float) -> float:
    """The chance of fewer than `count` events of a Poisson law.

    >>> round(fewer(1, 2.0), 6) == round(math.exp(-2), 6)
    True
    """
    return _sum(range(count), mean)


def at_least(count: int, mean: float) -> float:
    """The chance of `count` events or more of a Poisson law."""
    if count <= mean:
        return 1 - fewer(count, mean)
    # Past its top the law falls faster than any power, so that the rest can be left out.
    return _sum(range(count, count + 1000 + 40 * math.isqrt(count)), mean)


def _sum(counts: range, mean: float) -> float:
    if not counts:
        return 0.0
    events = np.arange(counts.start, counts.stop, dtype=np.float64)
    first = math.lgamma(counts.start + 1)
    grown = np.cumsum(np.log(np.maximum(events[1:], 1.0)))
    factorials = first + np.concatenate(([0.0], grown))
    logs = events * math.log(mean) - mean - factorials if mean > 0 else np.where(events, -1e9, 0.0)
    return float(min(1.0, np.exp(logs).sum()))


def poisson(count: int, mean: float) -> float:
    """The chance that a Poisson law gives as many, or as few."""
    return either_side(fewer(count + 1, mean), at_least(count, mean))


def chi_square(statistic: float, freedom: int) -> float:
    """The chance of as large, or as small, a chi-square of an even number of degrees.

    With 2m degrees it is above x as often as a Poisson law of mean x/2 is below m.

    >>> round(chi_square(50.998460, 36), 6), round(chi_square(23.268609, 36), 6)
    (0.1, 0.1)
    """
    if freedom <= 0 or freedom % 2:
        raise ValueError(f"an even number of degrees of freedom, not {freedom}")
    half, mean = freedom // 2, max(statistic, 0.0) / 2
    if mean >= half:
        return min(1.0, 2 * fewer(half, mean))
    return min(1.0, 2 * at_least(half, mean))


def fit(values: NDArray[np.int64], law: Law, *, least: float) -> float:
    """Whether values came by a law, in classes of which none is rarer than `least`.

    What is longer than the law goes counts as the longest.
    """
    classes, chances = _classes(law, least)
    if not len(values):
        return 0.0  # An honest ball has some.
    counts = np.bincount(classes[np.minimum(values, len(law) - 1)], minlength=len(chances))
    expected = chances * len(values)
    return chi_square(float(((counts - expected) ** 2 / expected).sum()), len(chances) - 1)


def _classes(law: Law, least: float) -> tuple[NDArray[np.int64], Law]:
    """Which class each value is in, and the chance of each class; an odd number of classes."""
    ends: list[int] = []
    gathered, rest = 0.0, 1.0
    for value, chance in enumerate(law):
        gathered += float(chance)
        if gathered >= least * (1 - 1e-9) and rest - gathered >= least:
            ends.append(value)
            rest -= gathered
            gathered = 0.0
    if len(ends) % 2:
        ends.pop()
    classes = np.searchsorted(np.array(ends), np.arange(len(law)), side="left").astype(np.int64)
    chances = np.zeros(len(ends) + 1)
    np.add.at(chances, classes, law)
    chances[-1] += 1 - chances.sum()
    return classes, chances
