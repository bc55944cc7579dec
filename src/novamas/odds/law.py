"""A law: every result that a layout can end with and its probability, as exact fractions.

A layout is followed until all of it is decided. Zero may put a part in prison, and prison is a
Markov chain: a further zero leads from one state of the prison to the next, and every other pocket
ends it. The chain is solved exactly, not cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, NamedTuple, TypeAlias

from novamas.odds.errors import TooLargeError
from novamas.odds.play import Play, Prison, Turn

Amount: TypeAlias = int | Fraction
Moments: TypeAlias = tuple[Fraction, ...]
"""The mean of the result, of its square and of its cube."""

DEPTH: Final = 8
"""For how many zeros in a row the outcomes of a divisible stake are listed."""


@dataclass(frozen=True, slots=True)
class Law:
    """The law of the result of a layout, or of what is left of it in prison."""

    outcomes: Mapping[Amount, Fraction]
    """Net result → probability."""
    unlisted: Fraction
    """The probability of results beyond those listed; only a divisible stake has any."""
    moments: Moments
    coups: Fraction
    """How many coups it takes on average."""


NOTHING: Final = Law({0: Fraction(1)}, Fraction(0), (Fraction(0),) * 3, Fraction(0))
"""The law if nothing is in play."""


class _Branch(NamedTuple):
    weight: Fraction
    net: Amount
    law: Law


class Carrier:
    """Follows prisoners until they are decided.

    A stake of whole units halves until it is one unit, which halves no further (X-03). With a
    `divisible` stake every half is exact, as in the published odds. Such a stake never stops
    halving, but each half is a scaled copy of the whole, so its law can still be solved.
    """

    def __init__(self, play: Play, *, divisible: bool = False) -> None:
        self.play = play
        self.pockets = len(play.wheel)
        self.divisible = divisible
        self._known: dict[Prison, Law] = {(): NOTHING}

    def law(self, prison: Prison) -> Law:
        """The law of prisoners while nothing new is laid."""
        if prison not in self._known:
            self._known[prison] = self._solved(prison)
        return self._known[prison]

    def after(self, turns: Iterable[Turn]) -> Law:
        """The law after these pockets."""
        return _mixed([self._branch(turn) for turn in turns])

    def _branch(self, turn: Turn) -> _Branch:
        return _Branch(Fraction(turn.pockets, self.pockets), turn.net, self.law(turn.prison))

    def _solved(self, prison: Prison) -> Law:
        turns = self.play.wait(prison)
        again = [turn for turn in turns if self._is_picture(turn.prison, of=prison)]
        ends = [self._branch(turn) for turn in turns if turn not in again]
        if not again:
            return _mixed(ends)
        (zero,) = again
        ratio = Fraction(zero.prison[0].amount, prison[0].amount)
        return _repeated(ends, Fraction(zero.pockets, self.pockets), net=zero.net, ratio=ratio)

    def _is_picture(self, later: Prison, *, of: Prison) -> bool:
        """Whether a prison repeats itself or, for a divisible stake, a scaled copy of itself."""
        if later == of:
            return True
        if not self.divisible or len(later) != len(of):
            return False
        first, before = later[0], of[0]
        return all(
            (a.spot, a.zeros) == (b.spot, b.zeros)
            and a.amount * before.amount == b.amount * first.amount
            for a, b in zip(later, of, strict=True)
        )


def _moved(moments: Moments, by: Amount) -> Moments:
    """The moments of a result after adding a constant."""
    full = (Fraction(1), *moments)
    return tuple(
        sum((comb(k, j) * Fraction(by) ** (k - j) * full[j] for j in range(k + 1)), Fraction(0))
        for k in range(1, len(full))
    )


def _mixed(branches: Iterable[_Branch]) -> Law:
    """The law of one coup that leads into these branches."""
    outcomes: dict[Amount, Fraction] = {}
    unlisted = Fraction(0)
    moments: Moments = (Fraction(0),) * 3
    coups = Fraction(1)
    for weight, net, law in branches:
        for amount, chance in law.outcomes.items():
            outcomes[amount + net] = outcomes.get(amount + net, Fraction(0)) + weight * chance
        unlisted += weight * law.unlisted
        moved = _moved(law.moments, net)
        moments = tuple(m + weight * more for m, more in zip(moments, moved, strict=True))
        coups += weight * law.coups
    return Law(dict(sorted(outcomes.items())), unlisted, moments, coups)


def _repeated(ends: list[_Branch], chance: Fraction, *, net: Amount, ratio: Fraction) -> Law:
    """The law of a coup that ends in branches or leads back to itself, scaled by a ratio.

    With X for the result, X = net + ratio · X in the case that it leads back.
    """
    once = _mixed(ends)
    moments: list[Fraction] = []
    for k, ended in enumerate(once.moments, start=1):
        full = (Fraction(1), *moments)
        lower = sum(
            (comb(k, j) * Fraction(net) ** (k - j) * ratio**j * full[j] for j in range(k)),
            Fraction(0),
        )
        moments.append((ended + chance * lower) / (1 - chance * ratio**k))
    coups = once.coups / (1 - chance)
    if ratio == 1:
        if net:
            raise TooLargeError("a prison that costs something at every zero never shrinks")
        outcomes = {amount: p / (1 - chance) for amount, p in once.outcomes.items()}
        return Law(outcomes, once.unlisted / (1 - chance), tuple(moments), coups)
    listed: dict[Amount, Fraction] = {}
    unlisted, weight, offset, size = Fraction(0), Fraction(1), Fraction(0), Fraction(1)
    for _ in range(DEPTH):
        for amount, p in once.outcomes.items():
            result = offset + size * amount
            listed[result] = listed.get(result, Fraction(0)) + weight * p
        unlisted += weight * once.unlisted
        offset, size, weight = offset + size * net, size * ratio, weight * chance
    return Law(dict(sorted(listed.items())), unlisted + weight, tuple(moments), coups)
