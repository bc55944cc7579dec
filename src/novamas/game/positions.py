"""Positions: what one player answers for on one spot, and where that exceeds a maximum.

A position is a player, by `Stake.whose`, and a spot. A stake's place is its number in the order in
which the stakes were laid. Settlement looks for the places of the positions above a maximum only:
all other stakes are settled one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from novamas.game.cloth import Spot
from novamas.game.payment_order import Noted, Paid
from novamas.game.stakes import Stake
from novamas.game.verdicts import Fate, Verdict

Position = tuple[str, Spot]
"""Who answers for it, and where."""


OverMaxima = dict[Spot, dict[str, int]]
"""Spot → player → what they answer for there, if it is above the maximum."""
There = tuple[Verdict, dict[str, int] | None, list[int], Noted]
"""What settlement knows of a spot while it settles the stakes on it: its verdict; what its players
above the maximum answer for (None if there are none); the places of their stakes; and the winners
among which those on the spot are noted. It has no names because settlement takes it apart for every
stake, and Python takes a plain tuple apart faster."""


_NOBODY: Noted = ([], [], [])
_NOWHERE: list[int] = []
"""What most spots of a coup have in common; nothing is ever added to them."""


class Positions(dict[Spot, There]):
    """The spots of a coup, with the positions above a maximum; a spot is added when asked for."""

    def __init__(self, verdicts: Mapping[Spot, Verdict], over: OverMaxima) -> None:
        super().__init__()
        self._verdicts = verdicts
        self._over = over
        self.paid: Paid = {}

    def __missing__(self, spot: Spot) -> There:
        verdict, over = self._verdicts[spot], self._over.get(spot)
        noted = _NOBODY
        if verdict.fate is not Fate.LOSES:
            turn = verdict.rank, verdict.kind.on_numbers
            noted = self.paid.get(turn) or self.paid.setdefault(turn, ([], [], []))
        there = self[spot] = verdict, over, _NOWHERE if over is None else [], noted
        return there

    def over(self, spot: Spot, laid: Sequence[Stake]) -> tuple[list[int], dict[int, list[int]]]:
        """The positions above the maximum of a spot, as far as their stakes were noted.

        Each is named by the place of its first stake, in their order. The second part has all the
        places of those with several stakes: most have one, and get no list.
        """
        firsts: list[int] = []
        several: dict[int, list[int]] = {}
        _, over, above, _ = self[spot]
        if over is None:
            return firsts, several
        by_player: dict[str, list[int]] = {}
        for place in above:
            stake = laid[place]
            whose = stake.principal or stake.player
            if stake.amount == over[whose]:
                firsts.append(place)
            elif whose in by_player:
                by_player[whose].append(place)
            else:
                firsts.append(place)
                by_player[whose] = several[place] = [place]
        return firsts, several


def above_maxima(
    stakes: Iterable[Stake],
    maxima: Mapping[Spot, int],
    on_spot: Mapping[Position, int] | None = None,
) -> OverMaxima:
    """The positions above a maximum.

    `on_spot` is the sum of every position, if the caller has counted them while stakes were laid.

    >>> from novamas.game.cloth import spot
    >>> laid = [Stake("b1", "ana", spot("17"), 30), Stake("b2", "ana", spot("17"), 30)]
    >>> above_maxima(laid, {spot("17"): 50}), above_maxima(laid, {spot("17"): 60})
    ({<straight 17>: {'ana': 60}}, {})
    """
    found: OverMaxima = {}
    if not maxima:
        return found
    if on_spot is not None:
        least = min(maxima.values())
        for where, amount in on_spot.items():
            if amount > least and amount > maxima.get(where[1], amount):
                found.setdefault(where[1], {})[where[0]] = amount
        return found
    sums: OverMaxima = {}
    for stake in stakes:
        if stake.spot in maxima:
            there = sums.setdefault(stake.spot, {})
            whose = stake.principal or stake.player
            there[whose] = there[whose] + stake.amount if whose in there else stake.amount
    for spot, there in sums.items():
        most = maxima[spot]
        over = {whose: amount for whose, amount in there.items() if amount > most}
        if over:
            found[spot] = over
    return found
