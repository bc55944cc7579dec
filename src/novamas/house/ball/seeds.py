"""Where the balls of a house come from: chains of fresh seeds, sealed for the store."""

from __future__ import annotations

from novamas.game.errors import NovamasError
from novamas.house.ball.fair_draw import Chain, Entropy, Secret, SystemEntropy
from novamas.house.ball.health import Monitor
from novamas.house.encryption import SealError, SealingKey
from novamas.house.table.events import BallChainCommitted

LENGTH = 4096
"""How many spins a chain lasts: about two days at an automatic table."""
SAMPLES = 512
"""How many secrets the health monitor looks at before each chain; none of them is used."""


class BrokenSourceError(NovamasError):
    """The source of the ball is not to be believed, and why."""


class BallSource:
    """Makes chains for the tables of a house.

    Without a key of its own it seals with one that ends with the process: then a coup that is
    closed at that moment cannot be settled by the next process.
    """

    def __init__(
        self,
        entropy: Entropy | None = None,
        key: SealingKey | None = None,
        *,
        length: int = LENGTH,
        samples: int = SAMPLES,
    ) -> None:
        self.entropy = entropy or SystemEntropy()
        self.key = key or SealingKey()
        self._length = length
        self._samples = samples

    def chain(self, table: str, monitor: Monitor) -> Chain:
        """A chain of a fresh seed, once the monitor has seen that the source is sound."""
        for _ in range(self._samples):
            self._secret(monitor)
        return Chain(table, self._secret(monitor), self._length)

    def _secret(self, monitor: Monitor) -> Secret:
        secret = Secret(self.entropy.secret())
        alarm = monitor.see_secret(secret)
        if alarm is not None:
            raise BrokenSourceError(alarm)
        return secret

    def seal(self, table: str, chain: Chain) -> bytes:
        """The seed of a chain as the store keeps it."""
        return self.key.seal(chain.seed, bound_to=seed_bound_to(table, chain.tip.hex()))

    def unseal(self, table: str, committed: BallChainCommitted, sealed: bytes | None) -> Chain:
        """The chain that was committed, from its sealed seed."""
        if sealed is None:
            raise SealError("the seed of the ball is not in the store")
        seed = self.key.unseal(sealed, bound_to=seed_bound_to(table, committed.tip))
        chain = Chain(table, seed, committed.length)
        if chain.tip.hex() != committed.tip:
            raise SealError("the seed in the store is not that of the committed chain")
        return chain


def seed_bound_to(table: str, tip: str) -> bytes:
    """What a sealed seed belongs to, so that nobody puts another in its place."""
    return f"novamas seed 1\n{tip}\n{table}".encode()
