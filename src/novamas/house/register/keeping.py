"""Keeping the register: its log in the house's store, written by any server of the house.

Nobody owns the register. Whoever writes says where he thinks the log stands; if another was there
first he reads what is new, decides again, and writes then. So what was decided is always decided on
what is really there.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from novamas.house import ledger
from novamas.house.chain import follows, link
from novamas.house.checkpoints import Blocking, Checkpoints, Witness
from novamas.house.clock import Clock
from novamas.house.codec import Encoded, UnknownEventError
from novamas.house.register import events
from novamas.house.register.events import RegisterEvent
from novamas.house.register.state import Register, evolve, transfers, wallet
from novamas.house.store import (
    GENESIS,
    Batch,
    ConflictError,
    Entry,
    Head,
    Record,
    Store,
    StoreError,
)

LOG: Final = "*people"
"""The register's name among the logs of a store; no table can be called so."""
VERSION: Final = 1
ATTEMPTS: Final = 50

EVENTS: Final[dict[str, type[RegisterEvent]]] = {
    name: each
    for name, each in vars(events).items()
    if isinstance(each, type) and issubclass(each, RegisterEvent) and each is not RegisterEvent
}
"""Every event of the register by its name."""

Decide = Callable[[Register, int], Iterable[RegisterEvent]]
"""What shall happen, by the register as it is and the time."""


def encode(event: RegisterEvent) -> Encoded:
    """An event as bytes."""
    return Encoded(type(event).__name__, VERSION, msgspec.json.encode(event))


def decode(record: Record) -> RegisterEvent:
    """An event from its bytes."""
    kind = EVENTS.get(record.type)
    if kind is None or record.version != VERSION:
        raise UnknownEventError(f"{record.type}/{record.version} is no event of the register")
    return msgspec.json.decode(record.payload, type=kind, strict=True)


def tables_of(store: Store) -> list[str]:
    """The logs of a store that are tables."""
    return [name for name in store.tables() if name != LOG]


class Kept:
    """The register as far as its log was read."""

    def __init__(self) -> None:
        self.register = Register()
        self.head = Head(0, GENESIS)

    def go_on(self, records: Iterable[Record]) -> list[RegisterEvent]:
        """Goes on by what was recorded since; gives the events."""
        made: list[RegisterEvent] = []
        for record in records:
            if record.seq != self.head.seq + 1 or not follows(record, self.head.hash):
                raise StoreError(f"event {record.seq} of the register is not what was recorded")
            event = decode(record)
            evolve(self.register, event, record.at)
            self.head = Head(record.seq, record.hash)
            made.append(event)
        return made

    def check(self, found: dict[str, int]) -> None:
        """Checks that the ledger sums to zero and agrees with every wallet."""
        if sum(found.values()):
            raise ledger.LedgerError("the register's ledger does not sum to zero")
        named = {account for account in found if account.startswith("wallet:")}
        for account in named | {wallet(name) for name in self.register.wallets}:
            kept = self.register.wallets.get(account.removeprefix("wallet:"), 0)
            if kept != found.get(account, 0):
                raise ledger.LedgerError(
                    f"{account}: the ledger shows {found.get(account, 0)}, the register {kept}"
                )
            if kept < 0:
                raise ledger.LedgerError(f"{account} is overdrawn")


class Registry:
    """The register of a house in use."""

    def __init__(
        self,
        store: Store,
        blocking: Blocking,
        clock: Clock,
        *,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self._store = store
        self._blocking = blocking
        self._clock = clock
        self._witness = Witness(LOG, checkpoints, blocking, clock)
        self.unwitnessed: str | None = None
        """Why it could not be written down how far the log has come; nothing is decided then."""
        self._kept = Kept()
        self._writing = asyncio.Lock()
        self.asked: Counter[tuple[str, str]] = Counter()
        """Table and command → how often it is under way on this server, for whoever carries."""
        self.on_change: list[Callable[[RegisterEvent], None]] = []
        """Told of each event, whichever server wrote it."""

    @property
    def register(self) -> Register:
        """The register as it was last read."""
        return self._kept.register

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._clock.now()

    async def open(self) -> None:
        """Reads the whole log, and checks the ledger."""
        await self.read()
        found = await self._blocking(lambda: self._store.balances(LOG))
        self._kept.check(found)

    async def read(self) -> None:
        """Reads what other servers wrote."""
        async with self._writing:
            await self._read()

    async def _read(self) -> None:
        after = self._kept.head.seq
        records = await self._blocking(lambda: list(self._store.read(LOG, after=after)))
        for event in self._kept.go_on(records):
            self._tell(event)

    async def do(self, decide: Decide) -> tuple[RegisterEvent, ...]:
        """Decides on the register as it really stands, and makes it durable before it counts."""
        async with self._writing:
            if self.unwitnessed is not None:
                raise StoreError(self.unwitnessed)
            for _ in range(ATTEMPTS):
                now = self._clock.now()
                wanted = tuple(decide(self._kept.register, now))
                if not wanted:
                    return ()
                try:
                    await self._append(wanted, now)
                except ConflictError:
                    await self._read()
                    continue
                return wanted
            raise StoreError("the register is written by too many at once")

    async def witness(self) -> None:
        """Writes down, apart from the log, how far it has come, whichever server wrote it."""
        try:
            await self._witness.see(self._kept.head)
        except StoreError as problem:
            self.unwitnessed = str(problem)
            raise
        self.unwitnessed = None

    async def _append(self, wanted: tuple[RegisterEvent, ...], now: int) -> None:
        batch = self.batch(wanted, now)
        await self._blocking(lambda: self._store.append(batch))
        self.count(wanted, batch)

    def batch(self, wanted: tuple[RegisterEvent, ...], now: int) -> Batch:
        """Events as they are made durable."""
        kept = self._kept
        head, records, entries = kept.head, [], []
        for event in wanted:
            record = link(LOG, head.seq + 1, now, encode(event), None, head.hash)
            records.append(record)
            # Events of one decision move money of one person once, so each can be told alone.
            moved = transfers(kept.register, event)
            entries += [Entry(LOG, record.seq, each) for each in moved]
            head = Head(record.seq, record.hash)
        return Batch(LOG, kept.head.seq, tuple(records), tuple(entries), ())

    def count(self, wanted: tuple[RegisterEvent, ...], batch: Batch) -> None:
        """Goes on from events that are durable, and tells everybody of them."""
        last = batch.records[-1]
        for event in wanted:
            evolve(self._kept.register, event, last.at)
        self._kept.head = Head(last.seq, last.hash)
        for event in wanted:
            self._tell(event)

    def _tell(self, event: RegisterEvent) -> None:
        for told in tuple(self.on_change):
            told(event)
