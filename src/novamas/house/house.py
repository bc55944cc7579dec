"""The house: its store, its tables and their actors, from the self-check at the door to the end.

A table is set up once, by its first event, and is found again in the store at every start. The
start is refused, with the reason, when the house could not keep what it promises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from novamas.house import ledger, memento
from novamas.house.actor import Loaded, Services, TableActor
from novamas.house.ball import Entropy, SystemEntropy
from novamas.house.chain import link
from novamas.house.clock import Clock, SystemClock
from novamas.house.codec import decode, encode
from novamas.house.events import BallMode, TableSetUp
from novamas.house.hall import Hall, advance
from novamas.house.health import Monitor
from novamas.house.store import Batch, Head, Store, StoreError
from novamas.table.state import Setup

EARLIEST = 1_577_836_800_000
"""A clock that is before 2020 is not believed."""


class SelfCheckError(Exception):
    """Why the house does not open."""


class House:
    """A house with its tables."""

    def __init__(
        self, store: Store, *, clock: Clock | None = None, entropy: Entropy | None = None
    ) -> None:
        self.store = store
        self.clock = clock or SystemClock()
        self.entropy = entropy or SystemEntropy()
        self.tables: dict[str, TableActor] = {}
        # One thread does all the writing, so a store is never used by two at once.
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")

    async def blocking(self, work: Callable[[], Any]) -> Any:
        """Runs something that waits for the disk, off the house's own thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    async def open(self) -> None:
        """Checks itself, then loads every table of the store and begins to serve it."""
        await self.blocking(self._self_check)
        for name in await self.blocking(self.store.tables):
            loaded = await self.blocking(partial(load_table, self.store, name))
            self._serve(loaded)

    def _self_check(self) -> None:
        """Refuses to open where the house could not keep what it promises (R18)."""
        wrong = list(self.store.check())
        if self.clock.now() < EARLIEST:
            wrong.append("the clock is wrong: it shows a time before 2020")
        secret = self.entropy.secret()
        if len(secret) < 32 or secret == self.entropy.secret():
            wrong.append("the source of the ball is broken: it gave the same secret twice")
        newest = 0
        for name in self.store.tables():
            head = self.store.head(name)
            last = next(self.store.read(name, after=head.seq - 1), None)
            newest = max(newest, last.at if last is not None else 0)
        if newest > self.clock.now() + 60_000:
            wrong.append("the clock is wrong: the log has events of a later time")
        if wrong:
            raise SelfCheckError("; ".join(wrong))

    def _serve(self, loaded: Loaded) -> TableActor:
        monitor = Monitor()
        for _, number in loaded.hall.drawn:
            if number is not None:
                monitor.see(number)
        services = Services(self.store, self.blocking, self.clock, self.entropy)
        actor = TableActor(loaded, services, monitor=monitor)
        self.tables[loaded.hall.table] = actor
        actor.start()
        return actor

    async def set_up(
        self,
        table: str,
        rulebook: str,
        setup: Setup,
        *,
        ball: BallMode,
        book: str | None = None,
    ) -> TableActor:
        """Sets a table up, as the first event of a new log."""
        if table in self.tables:
            raise ValueError(f"there is a table {table!r} already")
        event = TableSetUp(
            table=table,
            rulebook=rulebook,
            book=book,
            ball=ball,
            limits=setup.limits.as_data(),
            winning=setup.winning.value,
            limits_kept=setup.limits_kept.value,
            chip=setup.chip,
            colours=setup.colours,
            rotation=setup.rotation,
            live=setup.live,
        )
        hall = Hall.fresh(event)
        record = link(table, 1, self.clock.now(), encode(event), None, bytes(32))
        batch = Batch(table, 0, (record,), (), ())
        await self.blocking(lambda: self.store.append(batch))
        return self._serve(Loaded(hall, Head(1, record.hash), {}))

    async def close(self) -> None:
        """Serves what waits at every table, then closes the store."""
        await asyncio.gather(*(actor.stop() for actor in self.tables.values()))
        await self.blocking(self.store.close)
        self._writer.shutdown()


def load_table(store: Store, table: str) -> Loaded:
    """A table from its newest memento and the events since; or from the first event on."""
    hall, seq = _remembered(store, table)
    head = store.head(table)
    for record in store.read(table, after=seq):
        state = hall.state if hall is not None else None
        event = decode(record.type, record.version, record.payload, state)
        if hall is None:
            if not isinstance(event, TableSetUp):
                raise StoreError(f"the log of {table} does not begin with its table")
            hall = Hall.fresh(event)
        else:
            advance(hall, event)
    if hall is None:
        raise StoreError(f"there is no table {table!r}")
    found = store.balances(table)
    ledger.check(hall, found)
    secret = None
    if hall.commitment is not None:
        secret = store.secret(table, hall.commitment.spin)
    return Loaded(hall, head, found, secret)


def _remembered(store: Store, table: str) -> tuple[Hall | None, int]:
    kept = store.snapshot(table)
    if kept is None:
        return None, 0
    try:
        return memento.recall(kept[1]), kept[0]
    except memento.MementoError:
        return None, 0
