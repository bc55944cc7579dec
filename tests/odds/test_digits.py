"""The stated precision of the Fourier law, measured against a law of 45 digits, prison included.

The reference shares nothing with the law but the engine's own turns. It follows the prison as a
Markov chain: a matrix with a wave for each net result, raised to the number of coups by squaring,
and summed over all frequencies, in decimals of 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, log
from typing import Final, NamedTuple

import numpy as np
import pytest

from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.many_coups import RoundedResults, after_coups
from novamas.odds.play import Play, Prison
from novamas.rulebooks import load

DIGITS: Final = 60
NEGLIGIBLE: Final = -47 * log(10)
DEVIATIONS: Final = 15
"""Beyond so many deviations lies less than 10⁻⁴⁵."""
TWO_PI: Final = Decimal("6.28318530717958647692528676655900576839433879875021164194988918461563")


class Wave(NamedTuple):
    """A complex number in decimals."""

    real: Decimal
    imag: Decimal

    def plus(self, other: Wave) -> Wave:
        return Wave(self.real + other.real, self.imag + other.imag)

    def times(self, other: Wave) -> Wave:
        return Wave(
            self.real * other.real - self.imag * other.imag,
            self.real * other.imag + self.imag * other.real,
        )


NOTHING, ONE = Wave(Decimal(0), Decimal(0)), Wave(Decimal(1), Decimal(0))
Matrix = list[list[Wave]]


def wave(turns: Fraction) -> Wave:
    """The number on the unit circle after a part of a turn, by Taylor's series and doubling."""
    turns -= round(turns)
    angle = TWO_PI * turns.numerator / turns.denominator / 256
    terms, real, imag, k = Decimal(1), Decimal(0), Decimal(0), 0
    while abs(terms) > Decimal(10) ** -(DIGITS + 5) or k < 2:
        if k % 2:
            imag += terms if k % 4 == 1 else -terms
        else:
            real += terms if k % 4 == 0 else -terms
        k += 1
        terms = terms * angle / k
    found = Wave(real, imag)
    for _ in range(8):
        found = found.times(found)
    return found


def product(one: Matrix, other: Matrix) -> Matrix:
    size = range(len(one))
    rows: Matrix = []
    for i in size:
        row = []
        for j in size:
            total = NOTHING
            for k in size:
                total = total.plus(one[i][k].times(other[k][j]))
            row.append(total)
        rows.append(row)
    return rows


def power(matrix: Matrix, exponent: int) -> Matrix:
    size = range(len(matrix))
    found = [[ONE if i == j else NOTHING for j in size] for i in size]
    while exponent:
        if exponent % 2:
            found = product(found, matrix)
        matrix, exponent = product(matrix, matrix), exponent // 2
    return found


class Chain:
    """The prison of one layout as a Markov chain."""

    def __init__(self, house: str, layout: str) -> None:
        self.play = Play(Layout.read(load(house), layout))
        self.prisons: list[Prison] = [()]
        self.steps: list[list[tuple[int, int, int]]] = []
        for prison in self.prisons:
            steps = []
            for turn in self.play.turns(times=0 if prison else 1, prison=prison):
                if turn.prison not in self.prisons:
                    self.prisons.append(turn.prison)
                steps.append((self.prisons.index(turn.prison), turn.net, turn.pockets))
            self.steps.append(steps)
        carrier = Carrier(self.play)
        self.ends = [carrier.law(prison).outcomes for prison in self.prisons]

    def size(self, turns: float) -> float:
        """The logarithm of how much a coup leaves of a wave."""
        count = len(self.prisons)
        matrix = np.zeros((count, count), dtype=complex)
        for place, steps in enumerate(self.steps):
            for to, net, pockets in steps:
                matrix[place, to] += pockets / 37 * np.exp(2j * np.pi * turns * net)
        return float(np.log(max(abs(np.linalg.eigvals(matrix)))))

    def function(self, turns: Fraction, coups: int) -> Wave:
        """The characteristic function of the result after a number of coups."""
        count = len(self.prisons)
        matrix = [[NOTHING] * count for _ in range(count)]
        for place, steps in enumerate(self.steps):
            for to, net, pockets in steps:
                part = wave(turns * net).times(Wave(Decimal(pockets) / 37, Decimal(0)))
                matrix[place][to] = matrix[place][to].plus(part)
        total = NOTHING
        for reached, outcomes in zip(power(matrix, coups)[0], self.ends, strict=True):
            end = NOTHING
            for amount, chance in outcomes.items():
                weight = Decimal(chance.numerator) / chance.denominator
                end = end.plus(wave(turns * int(amount)).times(Wave(weight, Decimal(0))))
            total = total.plus(reached.times(end))
        return total


def law_of_45_digits(
    chain: Chain, coups: int, *, mean: float, deviation: float
) -> Callable[[int], tuple[Decimal, Decimal]]:
    """A function of a result: the probability of it, and of it or less."""
    low = round(mean - DEVIATIONS * deviation)
    width = ceil(2 * DEVIATIONS * deviation)
    waves = [
        (j, chain.function(Fraction(j, width), coups))
        for j in range(1, width)
        if coups * chain.size(j / width) > NEGLIGIBLE
    ]

    def law(net: int) -> tuple[Decimal, Decimal]:
        exactly, at_most = Decimal(1), Decimal(net - low + 1)
        for j, value in waves:
            back = value.times(wave(Fraction(-j * net, width)))
            exactly += back.real
            # The waves from low to net are a geometric series.
            first, last = wave(Fraction(-j * low, width)), wave(Fraction(-j * (net + 1), width))
            above = Wave(first.real - last.real, first.imag - last.imag)
            step = wave(Fraction(-j, width))
            below = Wave(1 - step.real, -step.imag)
            size = below.real**2 + below.imag**2
            ratio = above.times(Wave(below.real / size, -below.imag / size))
            at_most += value.times(ratio).real
        return exactly / width, at_most / width

    return law


CASES = [
    ("ar", "red:1", 1_000_000),
    ("es", "red:1", 1_000),
    ("es", "red:1", 1_000_000),
    ("es", "red:2", 20_000),
    ("it", "red:2", 100_000),
    ("fr", "red:2", 5_000),
]


@pytest.mark.parametrize(("house", "layout", "coups"), CASES)
def test_the_stated_precision_holds_to_45_digits(house: str, layout: str, coups: int) -> None:
    found = after_coups(load(house), layout, coups, exact=False)
    assert isinstance(found, RoundedResults)
    assert found.precision < 1e-10
    with localcontext() as context:
        context.prec = DIGITS
        law = law_of_45_digits(
            Chain(house, layout), coups, mean=found.mean, deviation=found.deviation
        )
        places = {found.quantile(share) for share in (1e-6, 0.01, 0.25, 0.5, 0.75, 0.99)}
        for net in (*places, max(places) + 1):
            exactly, at_most = law(net)
            stated = Decimal(found.precision)
            assert abs(Decimal(float(found.chance(net))) - exactly) <= stated
            assert abs(Decimal(float(found.at_most(net))) - at_most) <= stated


def test_the_reference_is_exact_where_the_law_is() -> None:
    """It is the law in whole numbers, to 45 digits."""
    exact = after_coups(load("es"), "red:2", 60, exact=True)
    with localcontext() as context:
        context.prec = DIGITS
        law = law_of_45_digits(Chain("es", "red:2"), 60, mean=0, deviation=10)
        for net in (-20, -7, 0, 5):
            for mine, truth in zip(law(net), (exact.chance(net), exact.at_most(net)), strict=True):
                assert isinstance(truth, Fraction)
                whole = Decimal(truth.numerator) / truth.denominator
                assert abs(mine - whole) < Decimal(10) ** -45
