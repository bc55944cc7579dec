"""The health monitor of a ball: a sequential test that is valid at any time.

Bettors play against the claim that the ball is honest. One bets on how often each number came, one
on what followed each number, and one on the bytes of the secrets, because a broken source behind
HMAC draws numbers that look random. Each starts with one unit and stakes it on what it has learnt.
Against an honest ball none can expect to gain, so by Ville's inequality the chance that their mean
wealth ever reaches a billion is below one in a billion, however long the test runs. A source that
is stuck, periodic or strongly biased makes them rich within a few hundred numbers.

The bound is the same for every number of pockets n. A bettor's forecast is a probability for each
of the n pockets, whatever it has seen, and these sum to one. A unit returns n times the probability
that it gave to the pocket that came. Against an honest ball each has the chance 1/n, so the
expected return is exactly one unit.

A repeated secret needs no bettor: two of 256 bits are never equal by chance.
"""

from __future__ import annotations

import hashlib
import math
from collections import deque

from novamas.house.ball.fair_draw import SECRET_BYTES

ALARM = 1e9
"""The wealth at which the ball counts as broken."""
REMEMBERED = 10_000
"""How many of the last secrets are remembered, as hashes, to find a repetition."""


class _Bettor:
    """Learns how often each outcome comes in one context, and bets on it."""

    def __init__(self, outcomes: int, prior: float) -> None:
        self._prior = prior
        self._seen = [0] * outcomes
        self._total = 0

    def gain(self, outcome: int) -> float:
        """The log of the return on a unit staked on its forecast; then it learns the outcome."""
        outcomes, prior = len(self._seen), self._prior
        chance = (self._seen[outcome] + prior) / (self._total + prior * outcomes)
        self._seen[outcome] += 1
        self._total += 1
        return math.log(chance * outcomes)


class Monitor:
    """Monitors the ball of one table, whose wheel has so many pockets."""

    def __init__(self, pockets: int) -> None:
        self._often = _Bettor(pockets, prior=0.5)
        self._after = [_Bettor(pockets, prior=0.05) for _ in range(pockets)]
        self._bytes = _Bettor(256, prior=0.5)
        self._last: int | None = None
        self._logs = [0.0, 0.0, 0.0]
        self._secrets: deque[bytes] = deque()
        self._known: set[bytes] = set()
        self.seen = 0

    def see(self, index: int) -> str | None:
        """Takes the index of a number's pocket; returns a text if the ball counts as broken."""
        self.seen += 1
        self._logs[0] += self._often.gain(index)
        if self._last is not None:
            self._logs[1] += self._after[self._last].gain(index)
        self._last = index
        return self._alarm()

    def see_secret(self, secret: bytes) -> str | None:
        """Takes a secret before it is committed to; returns a text if it must not be used."""
        if len(secret) != SECRET_BYTES:
            return f"the source of the ball gave {len(secret)} bytes, not {SECRET_BYTES}"
        digest = hashlib.sha256(secret).digest()
        if digest in self._known:
            return f"the source of the ball gave a secret twice, after {self.seen} numbers"
        self._known.add(digest)
        self._secrets.append(digest)
        if len(self._secrets) > REMEMBERED:
            self._known.discard(self._secrets.popleft())
        for byte in secret:
            self._logs[2] += self._bytes.gain(byte)
        return self._alarm()

    def _alarm(self) -> str | None:
        if self.log_wealth < math.log(ALARM):
            return None
        return f"the ball failed its health test after {self.seen} numbers"

    @property
    def log_wealth(self) -> float:
        """The log of the bettors' mean wealth."""
        top = max(self._logs)
        return top + math.log(sum(math.exp(each - top) for each in self._logs) / len(self._logs))
