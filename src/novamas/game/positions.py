"""Positions: which stakes of a coup one player has on one spot, and where they exceed a maximum.

A stake's place is its number in the order in which the stakes were laid. Settlement records the
stakes here in its single pass, so only stakes that need more are looked at twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from novamas.game.cloth import Spot
from novamas.game.stakes import Stake

if TYPE_CHECKING:
    from novamas.game.verdicts import Verdict


class There(NamedTuple):
    """What settlement knows of a spot while it settles the stakes on it."""

    verdict: Verdict
    firsts: dict[str, int] | None
    """Player who answers for stakes there → place of their first; None where no maximum applies."""
    most: float
    """The maximum."""


class Positions(dict[Spot, There]):
    """The spots of a coup; each is added with its first stake."""

    def __init__(
        self,
        stakes: Sequence[Stake],
        verdicts: Mapping[Spot, Verdict],
        maxima: Mapping[Spot, int],
    ) -> None:
        super().__init__()
        self._stakes = stakes
        self._verdicts = verdicts
        self._maxima = maxima
        self.again: dict[int, list[int]] = {}
        """First place → the places of a player's stakes on a spot, where there are several."""

    def __missing__(self, spot: Spot) -> There:
        most = self._maxima.get(spot, math.inf)
        there = There(self._verdicts[spot], {} if self._maxima else None, most)
        self[spot] = there
        return there

    def over(self, single: Iterable[int]) -> list[list[int]]:
        """The places of the stakes on each spot where a player has more than the maximum.

        `single` are the places of the stakes that exceed it on their own.
        """
        stakes = self._stakes
        found = {place: [place] for place in single} | {
            first: places
            for first, places in self.again.items()
            if sum(stakes[place].amount for place in places) > self[stakes[first].spot].most
        }
        if not found:
            return []
        turns: dict[Spot, list[int]] = {spot: [] for spot in self._maxima}
        for first in sorted(found):
            turns[stakes[first].spot].append(first)
        return [found[first] for firsts in turns.values() for first in firsts]

    def of(self, owner: str, spots: Iterable[Spot]) -> list[Stake]:
        """The stakes on some spots for which a player answers, in the order they were laid."""
        places: list[int] = []
        for spot in spots:
            firsts = self[spot].firsts
            first = None if firsts is None else firsts.get(owner)
            if first is not None:
                places += self.again.get(first, (first,))
        return [self._stakes[place] for place in sorted(places)]
