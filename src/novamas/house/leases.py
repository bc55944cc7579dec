"""Leases: which tables of a shared store this server serves.

Several servers of one house share a store. Each takes the leases of tables that nobody serves,
renews them, and stops a table at once when its lease is lost. When a server dies, its leases
expire, and the others take over its tables where the log ends. The store refuses late writes of a
server that lost its lease; so however late it notices, nothing is lost or doubled.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from novamas.game.errors import NovamasError
from novamas.house import failures
from novamas.house.clock import monotonic
from novamas.house.log.codec import decode
from novamas.house.log.store import MOVED, Lease, SharedStore, StoreError
from novamas.house.table.events import TableSetUp
from novamas.house.table.state import HouseTable

if TYPE_CHECKING:
    from novamas.house.house import House
    from novamas.house.table.actor import TableActor

log = logging.getLogger(__name__)

SECONDS = 3.0
"""Seconds after which a lease expires that is not renewed."""
LOOKS = 6
"""Checks per lease time; every second one renews the leases."""
RESTS = 10
"""How many lease times a server waits before it tries again a table that it could not load."""
SILENT = "the store has not answered for as long as a lease lasts"


class NoTableError(NovamasError, LookupError):
    """There is no such table in the house."""


class Leases:
    """The tables that one server of a house serves."""

    def __init__(self, store: SharedStore, lease: Lease, *, seconds: float = SECONDS) -> None:
        self.store = store
        self.lease = lease
        """The identity and the address of this server."""
        self.on_taken: Callable[[TableActor], Coroutine[Any, Any, None]] | None = None
        """Called with every table that was taken over after the start."""
        self.on_lost: Callable[[str], Awaitable[None]] | None = None
        """Called with every table that was stopped because of its lease."""
        self.takeovers = 0
        """How many tables were taken over after the start."""
        self.losses = 0
        """How many tables were lost."""
        self._seconds = seconds
        self._house: House
        self._is_open = False
        self._turn = asyncio.Lock()
        """Held while a table is set up or taken over, so that it is done once."""
        self._keeping: asyncio.Task[None] | None = None
        self._asides: set[asyncio.Task[None]] = set()
        self._renewed = 0.0
        """When the leases were last renewed."""
        self._reached = True
        """Whether the store could be reached at the last attempt."""
        self._resting: dict[str, float] = {}
        """Table → until when it is not tried again, because it could not be loaded."""
        self._shown: dict[str, HouseTable] = {}
        """Tables on other servers, as they were set up."""

    # For the house --------------------------------------------------------------------------

    async def open(self, house: House) -> None:
        """Takes every table that nobody serves; one that cannot be loaded is an error."""
        self._house, self._is_open = house, True
        self._renewed = monotonic()
        for name in await self._free():
            if await self._take(name):
                await house.take_up(name)
        self._keeping = asyncio.create_task(self._keep(), name="leases")

    @asynccontextmanager
    async def claim(self, table: str) -> AsyncIterator[bool]:
        """Whether a table is new; if so, this server gets its lease, unless setting it up fails."""
        async with self._turn:
            _, known = await self._house.blocking(partial(self._look_up, table))
            taken = not known and await self._take(table)
            try:
                yield taken
            finally:
                if taken and table not in self._house.tables:
                    await self.let_go(table)

    async def let_go(self, table: str) -> None:
        """Releases a lease."""
        await self._house.blocking(partial(self.store.release_lease, table))

    async def pause(self) -> None:
        """Stops taking tables; leases that are held stay until they are released."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
            self._keeping = None

    async def end(self) -> None:
        """Releases every table, so that another server can take it at once."""
        if not self._is_open:
            return  # The house was never opened.
        await self.pause()
        if self._asides:
            await asyncio.wait(tuple(self._asides), timeout=self._seconds)
        try:
            for name in tuple(self._house.tables):
                await self.let_go(name)
        except StoreError as problem:
            # The leases expire by themselves.
            log.warning("leases are left to run out", extra={"why": str(problem)})

    # Where tables are -----------------------------------------------------------------------

    async def where(self, table: str) -> Lease | None:
        """The lease of a table that is not served here; None if nobody serves it at the moment."""
        lease, known = await self._house.blocking(partial(self._look_up, table))
        if not known:
            raise NoTableError(table)
        return None if lease is None or lease.owner == self.lease.owner else lease

    def _look_up(self, table: str) -> tuple[Lease | None, bool]:
        lease = self.store.lease(table)
        return lease, is_table(table) and next(self.store.read(table, until=1), None) is not None

    async def others(self) -> list[tuple[HouseTable, Lease | None]]:
        """The tables that are not served here, as they were set up, and their leases."""
        names, leases = await self._house.blocking(lambda: (self._names(), self.store.leases()))
        served_elsewhere: list[tuple[HouseTable, Lease | None]] = []
        for name in names:
            if name in self._house.tables:
                continue
            if name not in self._shown:
                self._shown[name] = await self._house.blocking(partial(self._set_up, name))
            lease = leases.get(name)
            own = lease is not None and lease.owner == self.lease.owner
            served_elsewhere.append((self._shown[name], None if own else lease))
        return served_elsewhere

    def _set_up(self, table: str) -> HouseTable:
        first = next(self.store.read(table, until=1))
        event = decode(first.type, first.version, first.payload, None)
        if not isinstance(event, TableSetUp):
            raise StoreError(f"the log of {table} does not begin with its table")
        return HouseTable.fresh(event)

    def _names(self) -> list[str]:
        return [name for name in self.store.tables() if is_table(name)]

    # Keeping --------------------------------------------------------------------------------

    async def _keep(self) -> None:
        """Renews leases, stops lost tables and takes free ones, while the house is open."""
        looks = 0
        while True:
            await asyncio.sleep(self._seconds / LOOKS)
            looks += 1
            try:
                if not self._reached:
                    await self._house.blocking(self._reach)
                    log.warning("the store is reached again")
                    self._reached = True
                    self._renewed = monotonic()
                if looks % 2:
                    await self._renew()
                await self._clear()
                for name in await self._free():
                    async with self._turn:
                        await self._take_over(name)
            except StoreError as problem:
                await self._lose_all(failures.reported(failures.STORE_FAILED, problem))
                self._reached = False
            except Exception:
                # A server is useless without its leases: it tries again.
                log.exception("the leases were not looked after")

    def _reach(self) -> None:
        """Reconnects to the store, and checks it as at the start."""
        self.store.reconnect()
        wrong = self.store.check()
        if wrong:
            raise StoreError("; ".join(wrong))

    async def _renew(self) -> None:
        """Renews the leases; a store that does not answer in time counts as unreachable."""
        asked = monotonic()
        renewing = asyncio.ensure_future(
            self._house.blocking(partial(self.store.renew_leases, seconds=self._seconds))
        )
        left = self._renewed + self._seconds - asked
        done, _ = await asyncio.wait((renewing,), timeout=max(left, self._seconds / 3))
        if not done:
            held = list(self._house.tables)
            await self._lose_all(SILENT)
            await renewing
            for name in held:
                await self.let_go(name)
        for name in sorted(await renewing):
            await self._put_down(name, MOVED)
        self._renewed = asked

    async def _clear(self) -> None:
        """Releases tables whose store failed; the next owner loads what is really stored."""
        for name, actor in tuple(self._house.tables.items()):
            if actor.failed is not None and actor.store_failed:
                await self._put_down(name, actor.failed)
                await self.let_go(name)

    async def _lose_all(self, reason: str) -> None:
        for name in tuple(self._house.tables):
            await self._put_down(name, reason)

    async def _put_down(self, table: str, reason: str) -> None:
        """Stops a table here at once, without waiting for the store."""
        actor = self._house.tables.pop(table, None)
        if actor is None:
            return
        actor.fail(reason)
        self.losses += 1
        if self.on_lost is not None:
            await self.on_lost(table)
        self._aside(actor.stop())

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs a task in the background: the leases do not wait for it."""
        task = asyncio.create_task(work)
        self._asides.add(task)
        task.add_done_callback(self._done_aside)

    def _done_aside(self, task: asyncio.Task[None]) -> None:
        self._asides.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log.error("a table is not dealt, or did not end in order", exc_info=problem)

    async def _free(self) -> Sequence[str]:
        """The tables that nobody serves, including those that this server stopped."""
        names, leases = await self._house.blocking(lambda: (self._names(), self.store.leases()))
        now = monotonic()
        return [
            name
            for name in names
            if leases.get(name, self.lease).owner == self.lease.owner
            and name not in self._house.tables
            and self._resting.get(name, 0.0) <= now
        ]

    async def _take(self, table: str) -> bool:
        taking = partial(self.store.take_lease, table, self.lease, seconds=self._seconds)
        taken: bool = await self._house.blocking(taking)
        return taken

    async def _take_over(self, table: str) -> None:
        """Takes over a table that another server left, or that this one stopped."""
        if table in self._house.tables or not await self._take(table):
            return
        began = monotonic()
        try:
            actor = await self._house.take_up(table)
        except Exception as problem:  # noqa: BLE001 - the other tables must go on
            self._resting[table] = monotonic() + RESTS * self._seconds
            log.error("a table cannot be taken up", extra={"table": table, "why": str(problem)})  # noqa: TRY400 - the reason is logged as text
            await self.let_go(table)
            return
        self.takeovers += 1
        self._shown.pop(table, None)
        took = round(1000 * (monotonic() - began))
        log.info("a table is taken up", extra={"table": table, "seq": actor.head.seq, "ms": took})
        if self.on_taken is not None:
            self._aside(self.on_taken(actor))
        # Loading a long log takes a while, in which no lease was renewed.
        await self._renew()


def is_table(log: str) -> bool:
    """Whether a log of the store is a table's; other names begin with an asterisk."""
    return not log.startswith("*")


def called(log: str) -> str:
    """The name of a log for people: its table's name, or "the register".

    >>> called("es"), called("*people")
    ('es', 'the register')
    """
    return log if is_table(log) else "the register"
