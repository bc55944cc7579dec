"""Positions: what one player answers for on one spot, and where that exceeds a maximum.

A position is a player, by `Stake.whose`, and a spot. A stake's place is its number in the order in
which the stakes were laid. Settlement looks for the places of the positions above a maximum only:
all other stakes are settled one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from novamas.game.cloth import Spot
from novamas.game.stakes import Stake
from novamas.game.verdicts import Verdict

Position = tuple[str, Spot]
"""Who answers for it, and where."""


class There(NamedTuple):
    """What settlement knows of a spot while it settles the stakes on it."""

    verdict: Verdict
    over: dict[str, list[int]] | None
    """Player → the places of their stakes there, if above the maximum; None if nobody's are."""


class Positions(dict[Spot, There]):
    """The spots of a coup, with the positions above a maximum; a spot is added when asked for."""

    def __init__(self, verdicts: Mapping[Spot, Verdict], over: Iterable[Position]) -> None:
        super().__init__()
        self._verdicts = verdicts
        self._over: dict[Spot, dict[str, list[int]]] = defaultdict(dict)
        for whose, spot in over:
            self._over[spot][whose] = []

    def __missing__(self, spot: Spot) -> There:
        there = self[spot] = There(self._verdicts[spot], self._over.get(spot))
        return there

    def over(self, spot: Spot) -> list[list[int]]:
        """The places of each position above the maximum of a spot, as far as they were noted.

        The positions are in the order in which their first stakes were laid.
        """
        return sorted(filter(None, self._over.get(spot, {}).values()))

    def places(self, owner: str, spots: Iterable[Spot]) -> list[int]:
        """The places of a player's stakes above the maxima of some spots."""
        return [place for spot in spots for place in self._over.get(spot, {}).get(owner, ())]


def above_maxima(
    stakes: Iterable[Stake],
    maxima: Mapping[Spot, int],
    on_spot: Mapping[Position, int] | None = None,
) -> list[Position]:
    """The positions above a maximum.

    `on_spot` is the sum of every position, if the caller has counted them while stakes were laid.

    >>> from novamas.game.cloth import spot
    >>> laid = [Stake("b1", "ana", spot("17"), 30), Stake("b2", "ana", spot("17"), 30)]
    >>> above_maxima(laid, {spot("17"): 50}), above_maxima(laid, {spot("17"): 60})
    ([('ana', <straight 17>)], [])
    """
    if not maxima:
        return []
    if on_spot is not None:
        least = min(maxima.values())
        large = [(where, amount) for where, amount in on_spot.items() if amount > least]
        return [where for where, amount in large if amount > maxima.get(where[1], amount)]
    sums: dict[Spot, dict[str, int]] = {spot: {} for spot in maxima}
    for stake in stakes:
        there = sums.get(stake.spot)
        if there is not None:
            whose = stake.principal or stake.player
            there[whose] = there[whose] + stake.amount if whose in there else stake.amount
    return [
        (whose, spot)
        for spot, most in maxima.items()
        for whose, amount in sums[spot].items()
        if amount > most
    ]
