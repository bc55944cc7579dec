"""The source of a house's balls: chains of fresh seeds, encrypted for the store."""

from __future__ import annotations

from novamas.game.errors import NovamasError
from novamas.house.ball.fair_draw import Chain, Entropy, Secret, SystemEntropy
from novamas.house.ball.health import Monitor
from novamas.house.encryption import SealError, SealingKey
from novamas.house.table.events import BallChainCommitted

LENGTH = 4096
"""The length of a chain in spins: about two days at an automatic table."""
SAMPLES = 512
"""How many secrets the health monitor tests before each chain; none of them is used."""


class BrokenSourceError(NovamasError):
    """The source of the ball is broken, and how."""


class BallSource:
    """Makes chains for the tables of a house.

    Without a key it encrypts with one that is lost with the process: then the next process cannot
    settle a coup whose betting was closed.
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
        """A chain from a fresh seed, after the monitor has tested the source."""
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
        """The encrypted seed of a chain, for the store."""
        return self.key.seal(chain.seed, bound_to=seed_bound_to(table, chain.tip.hex()))

    def unseal(self, table: str, committed: BallChainCommitted, sealed: bytes | None) -> Chain:
        """The chain that was committed, from its encrypted seed."""
        if sealed is None:
            raise SealError("the seed of the ball is not in the store")
        seed = self.key.unseal(sealed, bound_to=seed_bound_to(table, committed.tip))
        chain = Chain(table, seed, committed.length)
        if chain.tip.hex() != committed.tip:
            raise SealError("the seed in the store is not that of the committed chain")
        return chain


def seed_bound_to(table: str, tip: str) -> bytes:
    """The associated data of an encrypted seed, so that it cannot be swapped."""
    return f"novamas seed 1\n{tip}\n{table}".encode()
