"""Rounds as numbers: the model from which the law of very many coups is computed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from novamas.game.wheel import Wheel
from novamas.odds.many_coups.rounds import Rounds


class Term(NamedTuple):
    """A way for a round to end, or to be open: its probability, its place and its coups."""

    chance: float
    place: int
    coups: int


@dataclass(frozen=True, slots=True)
class Model:
    """The rounds as numbers: results as places on a lattice, net = base · coups + step · place."""

    base: int
    step: int
    ended: tuple[Term, ...]
    open: tuple[Term, ...]
    coups: int
    cut: float
    """The probability that some round lasts longer than was followed."""

    @property
    def is_single(self) -> bool:
        """Whether every round lasts one coup."""
        return all(term.coups == 1 for term in self.ended)


def followed_for(coups: int, wheel: Wheel) -> int:
    """For how many coups rounds must be followed so that longer ones are negligible.

    Only a zero keeps a round open, so the more zeros a wheel has, the longer rounds last.

    >>> from novamas.game.wheel import AMERICAN, EUROPEAN
    >>> followed_for(1_000_000, EUROPEAN), followed_for(1_000_000, AMERICAN)
    (14, 17)
    """
    return math.ceil(math.log(coups * 1e15, len(wheel) / len(wheel.zeros)))


def model_of(rounds: Rounds, coups: int) -> Model:
    """The model of rounds that were followed for long enough."""
    longest = len(rounds.ended)
    nets = [
        (Fraction(ways, rounds.pockets**length), net, length)
        for length, over in enumerate(rounds.ended, start=1)
        for net, ways in over.items()
    ]
    cut = Fraction(sum(rounds.open[-1].values()), rounds.pockets**longest)
    if cut:
        # A round that lasts longer than was followed is treated as decided at that point.
        nets += [(p, int(net), longest) for net, p in rounds.carried(longest).items()]
    tails = [(p, int(net), age) for age in range(longest) for net, p in rounds.carried(age).items()]
    base = min((net, length) for _, net, length in nets if length == 1)[0]
    apart = [net - base * length for _, net, length in (*nets, *tails)]
    step = gcd(*apart) or 1
    return Model(
        base,
        step,
        tuple(Term(float(p), (net - base * k) // step, k) for p, net, k in nets),
        tuple(Term(float(p), (net - base * k) // step, k) for p, net, k in tails),
        coups,
        float(cut * coups),
    )


class Mean(NamedTuple):
    """The mean and the variance of the results."""

    mean: float
    variance: float


def mean_of(rounds: Rounds, coups: int) -> Mean:
    """The mean and the variance after a number of coups, by the renewal-reward theorem.

    For rounds of one coup both are exact; otherwise they leave out terms that vanish with the
    coups.
    """
    longest = len(rounds.ended)
    ended = [
        (Fraction(ways, rounds.pockets**length), Fraction(net), length)
        for length, over in enumerate(rounds.ended, start=1)
        for net, ways in over.items()
    ]
    if rounds.open[-1]:
        ended += [(p, Fraction(net), longest) for net, p in rounds.carried(longest).items()]
    tails = [(p, Fraction(x), k) for k in range(longest) for x, p in rounds.carried(k).items()]
    zero = Fraction(0)
    lasting = sum((p * k for p, _, k in ended), zero)
    slope = sum((p * x for p, x, _ in ended), zero) / lasting
    bend = sum((p * (x - k * slope) ** 2 for p, x, k in ended), zero) / lasting
    # With g for the sum of p·k·exp(s·x − k·u) and t for that over the open rounds, C = t / g.
    g1 = sum((p * k * (x - k * slope) for p, x, k in ended), zero)
    g2 = sum((p * k * ((x - k * slope) ** 2 - k * bend) for p, x, k in ended), zero)
    t0 = sum((p for p, _, _ in tails), zero)
    t1 = sum((p * (x - k * slope) for p, x, k in tails), zero)
    t2 = sum((p * ((x - k * slope) ** 2 - k * bend) for p, x, k in tails), zero)
    c0, c1, c2 = 1 / lasting, -g1 / lasting**2, 2 * g1**2 / lasting**3 - g2 / lasting**2
    first = c1 * t0 + c0 * t1
    second = c2 * t0 + 2 * c1 * t1 + c0 * t2
    return Mean(float(coups * slope + first), float(coups * bend + second - first**2))
