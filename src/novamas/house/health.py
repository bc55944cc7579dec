"""The health monitor of a ball: a sequential test that is valid at any time.

Two bettors play against the claim that every number is equally likely and independent of the one
before: each starts with one unit and stakes it on what it has learnt, one from how often each
number came, the other from what followed each number. Against an honest ball neither can expect to
gain, so (Ville) the chance that their mean wealth ever reaches a billion is below one in a
billion, however long one looks. A source that is stuck, that cycles or that leans hard makes them
rich within a few hundred numbers.
"""

from __future__ import annotations

import math

from novamas.game.wheel import POCKETS

ALARM = 1e9
"""The wealth at which the ball is not believed any more."""


class _Bettor:
    """Learns how often each number follows in one situation, and bets on it."""

    def __init__(self, prior: float) -> None:
        self._prior = prior
        self._seen = [0] * POCKETS
        self._total = 0

    def gain(self, number: int) -> float:
        """The log of what a unit staked on its forecast becomes; then it learns."""
        prior = self._prior
        chance = (self._seen[number] + prior) / (self._total + prior * POCKETS)
        self._seen[number] += 1
        self._total += 1
        return math.log(chance * POCKETS)


class Monitor:
    """Watches the numbers of one table."""

    def __init__(self) -> None:
        self._often = _Bettor(prior=0.5)
        self._after = [_Bettor(prior=0.05) for _ in range(POCKETS)]
        self._last: int | None = None
        self._logs = [0.0, 0.0]
        self.seen = 0

    def see(self, number: int) -> str | None:
        """Takes a number in; a text if the ball is not to be believed any more."""
        self.seen += 1
        self._logs[0] += self._often.gain(number)
        if self._last is not None:
            self._logs[1] += self._after[self._last].gain(number)
        self._last = number
        if self.log_wealth < math.log(ALARM):
            return None
        return f"the ball failed its health test after {self.seen} numbers"

    @property
    def log_wealth(self) -> float:
        """The log of the bettors' mean wealth."""
        top = max(self._logs)
        return top + math.log(sum(math.exp(each - top) for each in self._logs) / len(self._logs))
