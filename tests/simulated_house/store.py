"""The medium that the servers of a simulated house share, and each server's own way to it.

What is appended is durable when the medium has it; whether whoever asked for it ever learns so is
another matter. Between two questions of one server another may write, unless they are asked at one
moment. Leases run by the medium's own clock, and carry an epoch, as in PostgreSQL.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, NamedTuple

from novamas.house.log.store import Batch, Lease, LeaseLostError, StoreError
from novamas.house.log.stores.memory import MemoryStore
from tests.simulated_house.loop import PROCESS, SimulatedLoop

READS = ("tables head read entries balances outcome snapshot known outcomes secret secrets").split()
"""What is asked of a store and changes nothing."""


STANDS = 0.5
"""How often a slow server stands still between two questions."""


class Held(NamedTuple):
    """A lease as the medium has it."""

    epoch: int
    lease: Lease
    until: float


class Medium(MemoryStore):
    """What survives every crash."""

    def __init__(self, loop: SimulatedLoop, chance: Random) -> None:
        super().__init__()
        self.loop = loop
        self.chance = chance
        self.leases: dict[str, Held] = {}
        self.on_append: Callable[[tuple[Batch, ...], str], None] = lambda *_: None
        """Told of everything that has become durable, and of who wrote it."""

    def damage(self, log: str, seq: int, payload: bytes) -> None:
        """Puts something else in the place of what an event says."""
        self._records[log][seq - 1] = self._records[log][seq - 1]._replace(payload=payload)

    def backup(self) -> dict[str, Any]:
        """Everything that is durable now, but for the leases."""
        kept = {}
        for name, value in vars(self).items():
            if isinstance(value, dict) and name != "leases":
                kept[name] = copy.copy(value)
                for key, each in value.items():
                    if isinstance(each, list | dict):
                        kept[name][key] = copy.copy(each)
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Puts an earlier moment in the place of what is there; nobody serves anything."""
        vars(self).update(kept)
        for table, held in self.leases.items():
            self.leases[table] = held._replace(epoch=held.epoch + 1, until=-1.0)


class Connection:
    """One server's connection to the medium: a `SharedStore`."""

    def __init__(self, medium: Medium, server: str) -> None:
        self._medium = medium
        self._server = server
        self._held: dict[str, int | None] = {}
        self._moments = 0
        """How many questions are being asked at one moment; then nobody writes between them."""
        self.is_cut = False
        """Whether the medium cannot be reached."""
        self.torn: list[str] = []
        """How the next commits fail: "before" they are durable, or "after"."""
        self.faults = 0
        """How often the medium failed this server."""
        self.interleaves = 0.05
        """How often another server's work is done between two questions of this one."""

    def __getattr__(self, name: str) -> Any:
        if name not in READS:
            raise AttributeError(name)
        ask = getattr(self._medium, name)

        def asked(*args: Any, **more: Any) -> Any:
            self._turn()
            found = ask(*args, **more)
            return iter(list(found)) if isinstance(found, Iterator) else found

        return asked

    def _turn(self) -> None:
        """Another server may get in between, and the medium may be out of reach."""
        medium = self._medium
        process = PROCESS.get(medium.loop.world)
        if self.is_cut or medium.loop.is_over:
            self.faults += 1
            raise StoreError("the medium is not reached")
        if self._moments:
            return
        suspended = medium.loop.suspended
        if suspended is not None and medium.chance.random() < STANDS:
            suspended.stand(medium.chance.uniform(0.001, 0.1))
        elif medium.chance.random() < self.interleaves:
            others = medium.loop.waiting(but=process)
            if others:
                medium.loop.begin(medium.chance.choice(others))

    @contextmanager
    def moment(self) -> Iterator[None]:
        """What is asked meanwhile is told of one moment."""
        self._turn()
        self._moments += 1
        try:
            yield
        finally:
            self._moments -= 1

    def append(self, *batches: Batch) -> None:
        """Makes batches durable, all of them or nothing."""
        self._turn()
        for batch in batches:
            if batch.table in self._held:
                self._require_lease(batch.table)
        torn = self.torn.pop(0) if self.torn else None
        if torn == "before":
            self.faults += 1
            raise StoreError("the medium failed before the commit")
        self._medium.append(*batches)
        self._medium.on_append(batches, self._server)
        if torn == "after":
            self.faults += 1
            raise StoreError("the medium did not answer to the commit")

    def _require_lease(self, table: str) -> None:
        epoch, held = self._held[table], self._medium.leases.get(table)
        if epoch is None or held is None or held.epoch != epoch:
            self._held[table] = None
            raise LeaseLostError(f"the lease of {table} is not held any more")

    def check(self) -> list[str]:
        """The medium is sound as long as it is reached."""
        self._turn()
        return []

    def inspect(self) -> list[str]:
        """There is nothing that was not looked at."""
        self._turn()
        return []

    def close(self) -> None:
        """Lets every table go."""
        with suppress(StoreError):
            for table in tuple(self._held):
                self.release_lease(table)

    # Leases ---------------------------------------------------------------------------------

    def take_lease(self, table: str, lease: Lease, *, seconds: float) -> bool:
        """Takes a table that nobody serves, or whose server has not been heard of in time."""
        self._turn()
        now, leases = self._medium.loop.time(), self._medium.leases
        held = leases.get(table)
        if held is not None and held.until >= now and held.lease.owner != lease.owner:
            return False
        epoch = 1 if held is None else held.epoch + 1
        leases[table] = Held(epoch, lease, now + seconds)
        self._held[table] = epoch
        return True

    def renew_leases(self, *, seconds: float) -> set[str]:
        """Keeps the tables that this connection holds; gives those that were lost."""
        self._turn()
        now, leases = self._medium.loop.time(), self._medium.leases
        lost = set()
        for table, epoch in self._held.items():
            if epoch is None:
                continue
            held = leases.get(table)
            if held is not None and held.epoch == epoch:
                leases[table] = held._replace(until=now + seconds)
            else:
                lost.add(table)
        for table in lost:
            self._held[table] = None
        return lost

    def release_lease(self, table: str) -> None:
        """Lets a table go, for any server to take at once."""
        self._turn()
        epoch = self._held.get(table)
        held = self._medium.leases.get(table)
        if epoch is not None:
            self._held[table] = None
            if held is not None and held.epoch == epoch:
                self._medium.leases[table] = held._replace(until=-1.0)

    def lease(self, table: str) -> Lease | None:
        """Who serves a table now."""
        return self.leases().get(table)

    def leases(self) -> dict[str, Lease]:
        """Who serves each table that is served now."""
        self._turn()
        now = self._medium.loop.time()
        return {
            table: held.lease
            for table, held in sorted(self._medium.leases.items())
            if held.until >= now
        }

    def reconnect(self) -> None:
        """Begins anew after the medium was out of reach; no lease is held any more."""
        self._turn()
        self._held = dict.fromkeys(self._held)
