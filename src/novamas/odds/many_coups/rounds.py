"""Rounds: one layout after another, each followed through prison, as counts of ways.

A round begins when a layout is laid and ends when all of it is decided. Each round is independent
of those before it, so the ends of a single round determine the law of many coups. The ways are
counted in whole numbers: after k coups on a wheel of n pockets there are n to the k of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from novamas.odds.errors import TooLargeError
from novamas.odds.law import Amount, Carrier
from novamas.odds.play import Play, Prison

Ways: TypeAlias = dict[int, int]
"""Net result → how many sequences of pockets lead to it."""

MOST = 200_000
"""The most kinds of unfinished rounds that are followed at once."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """How a round can end, and how it can still be open, after each number of coups."""

    play: Play
    ended: tuple[Ways, ...]
    """`ended[k - 1]`: the rounds that end with exactly the k-th coup."""
    open: tuple[dict[tuple[int, Prison], int], ...]
    """`open[k]`: the rounds that are not over after k coups: net so far and prison → ways."""

    carrier: Carrier
    """Follows what is in prison; it keeps the laws that it has found."""
    lays_on: bool = False
    """Whether the layout is laid again while a part of it is in prison."""

    @property
    def pockets(self) -> int:
        """How many pockets the wheel has."""
        return len(self.play.wheel)

    @property
    def is_single(self) -> bool:
        """Whether every round is over after one coup."""
        return len(self.open) > 1 and not self.open[1]

    def carried(self, coups: int) -> dict[Amount, Fraction]:
        """The results of rounds that are open after a number of coups, if nothing new is laid."""
        found: dict[Amount, Fraction] = {}
        for (net, prison), ways in self.open[coups].items():
            share = Fraction(ways, self.pockets**coups)
            for amount, chance in self.carrier.law(prison).outcomes.items():
                found[amount + net] = found.get(amount + net, Fraction(0)) + share * chance
        return found


def rounds_of(play: Play, *, longest: int, lays_on: bool = False) -> Rounds:
    """The rounds of a layout, followed for a number of coups.

    While a part of it is in prison, the player waits. With `lays_on` they lay the layout again at
    every coup, and the round ends when nothing is in prison.
    """
    ended: list[Ways] = []
    open_: list[dict[tuple[int, Prison], int]] = [{(0, ()): 1}]
    while len(ended) < longest and open_[-1]:
        over: Ways = {}
        still: dict[tuple[int, Prison], int] = {}
        for (net, prison), ways in open_[-1].items():
            times = 1 if lays_on or not ended else 0
            for turn in play.turns(times=times, prison=prison):
                result = net + turn.net
                if turn.prison:
                    key = (result, turn.prison)
                    still[key] = still.get(key, 0) + ways * turn.pockets
                else:
                    over[result] = over.get(result, 0) + ways * turn.pockets
        if len(still) > MOST:
            raise TooLargeError("too many prisons are possible at once")
        ended.append(over)
        open_.append(still)
    return Rounds(play, tuple(ended), tuple(open_), Carrier(play), lays_on)
