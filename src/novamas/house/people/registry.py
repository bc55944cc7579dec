"""The registry: the register's log in the house's store, written by any server of the house.

The register has no lease; it uses optimistic concurrency. A writer states the sequence that it
expects; if another server was first, it reads the new events, decides again, and then writes. So
every decision is based on the present state. Money that moves between a wallet and a table is
written together with the table's events, in one transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import msgspec

from novamas.game.errors import NovamasError
from novamas.house import ledger
from novamas.house.clock import Clock
from novamas.house.log.checkpoints import Blocking, Checkpoints, Witness
from novamas.house.log.codec import Encoded, unknown
from novamas.house.log.hash_chain import follows, link
from novamas.house.log.store import (
    GENESIS,
    Batch,
    ConflictError,
    Entry,
    Head,
    Outcome,
    Record,
    Store,
    StoreError,
)
from novamas.house.people import events, snapshot
from novamas.house.people.decide import RegisterError
from novamas.house.people.events import RegisterEvent
from novamas.house.people.state import Register, evolve, transfers, wallet
from novamas.house.people.transfers import Move, counterparts
from novamas.house.refusals import Problem

LOG: Final = "*people"
"""The register's name among the logs of a store; no table can have it."""
VERSION: Final = 1
ATTEMPTS: Final = 50
SNAPSHOT_EVERY: Final = 1_000
"""Events between two snapshots; with more people there are more events between them."""

EVENTS: Final[dict[str, type[RegisterEvent]]] = {
    name: each
    for name, each in vars(events).items()
    if isinstance(each, type) and issubclass(each, RegisterEvent) and each is not RegisterEvent
}
"""Every event of the register by its name."""

Decide = Callable[[Register, int], Iterable[RegisterEvent]]
"""Decides what to write, given the register and the time."""


def encode(event: RegisterEvent) -> Encoded:
    """Encodes an event."""
    return Encoded(type(event).__name__, VERSION, msgspec.json.encode(event))


def decode(record: Record) -> RegisterEvent:
    """Decodes an event."""
    kind = EVENTS.get(record.type)
    if kind is None or record.version != VERSION:
        raise unknown(record.type, record.version, newest=VERSION if kind is not None else 0)
    return msgspec.json.decode(record.payload, type=kind, strict=True)


class Order(NamedTuple):
    """A command to the register with an id, so that a repeated one is carried out once."""

    id: str
    who: str
    digest: bytes
    """The digest of the command: a different one under the same id is refused."""


class OvertakenError(NovamasError):
    """A table's decision about a wallet no longer holds: another server was first."""


class Kept:
    """The register as far as its log was read."""

    def __init__(self) -> None:
        self.register = Register()
        self.head = Head(0, GENESIS)
        self.snapshot_at = 0
        """The sequence of the newest snapshot, as far as it is known."""

    @classmethod
    def load(cls, store: Store) -> Kept:
        """Loads the register from its newest snapshot and the events since, as of one moment."""
        kept = cls()
        with store.moment():
            remembered = store.snapshot(LOG)
            register = snapshot.recall(remembered[1]) if remembered is not None else None
            if remembered is not None and register is not None:
                kept._begin_at(store, remembered[0], register)
            kept.go_on(store.read(LOG, after=kept.head.seq))
            kept.check(store.balances(LOG))
        return kept

    def _begin_at(self, store: Store, seq: int, register: Register) -> None:
        """Begins with a snapshot, and checks that the event before it exists."""
        last = next(store.read(LOG, after=seq - 1, until=seq), None)
        if last is None:
            raise StoreError(f"a snapshot of event {seq} of the register outlived its log")
        if not follows(last, last.previous):
            raise StoreError(f"event {seq} of the register is not what was recorded")
        self.register, self.head, self.snapshot_at = register, Head(seq, last.hash), seq

    def go_on(self, records: Iterable[Record]) -> list[RegisterEvent]:
        """Applies further records; returns their events."""
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


def batch_of(
    kept: Kept, wanted: tuple[RegisterEvent, ...], now: int, order: Order | None = None
) -> Batch:
    """The batch that appends events after those that were read."""
    head, records, entries = kept.head, [], []
    for event in wanted:
        record = link(LOG, head.seq + 1, now, encode(event), None, head.hash)
        records.append(record)
        entries += [Entry(LOG, record.seq, each) for each in transfers(event, kept.register)]
        head = Head(record.seq, record.hash)
    outcomes: tuple[Outcome, ...] = ()
    if order is not None:
        first, last = records[0].seq, head.seq
        outcomes = (Outcome(LOG, order.id, order.who, first, last, b"", order.digest),)
    due = head.seq - kept.snapshot_at >= SNAPSHOT_EVERY + len(kept.register.people)
    taken = snapshot.after(kept.register, wanted, now) if due else None
    return Batch(LOG, kept.head.seq, tuple(records), tuple(entries), outcomes, snapshot=taken)


class Registry:
    """The register of a running house."""

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
        """Why the last checkpoint could not be written; meanwhile nothing is decided."""
        self.stopped: str | None = None
        """Why the register is stopped until the house is opened again."""
        self._kept = Kept()
        self._writing = asyncio.Lock()
        self.on_change: list[Callable[[RegisterEvent], None]] = []
        """Called with each event, whichever server wrote it."""

    @property
    def register(self) -> Register:
        """The register as it was last read."""
        return self._kept.register

    @property
    def head(self) -> Head:
        """The head of the log when it was last read."""
        return self._kept.head

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._clock.now()

    async def open(self) -> None:
        """Reads the register as of one moment, and checks the ledger."""
        async with self._writing:
            self._kept = await self._blocking(lambda: Kept.load(self._store))

    async def recheck(self) -> None:
        """Compares the wallets with the ledger again, while the house is open."""
        async with self._writing:
            head, found = await self._blocking(self._at_one_moment)
            if head == self._kept.head:
                self._kept.check(found)

    def _at_one_moment(self) -> tuple[Head, dict[str, int]]:
        with self._store.moment():
            return self._store.head(LOG), self._store.balances(LOG)

    async def read(self) -> None:
        """Reads what other servers wrote."""
        async with self._writing:
            await self._read()

    async def _read(self) -> None:
        after = self._kept.head.seq
        records = await self._blocking(lambda: list(self._store.read(LOG, after=after)))
        for event in self._kept.go_on(records):
            self._notify(event)

    async def do(self, decide: Decide, *, order: Order | None = None) -> tuple[RegisterEvent, ...]:
        """Decides on the present register, and writes the events before they take effect.

        An `order` whose id was carried out before is not carried out again.
        """
        async with self._writing:
            for _ in range(ATTEMPTS):
                self._require_sound()
                if order is not None and await self._is_done(order):
                    return ()
                now = self._clock.now()
                wanted = tuple(decide(self._kept.register, now))
                if not wanted:
                    return ()
                batch = self.batch(wanted, now, order)
                try:
                    await self._blocking(partial(self._store.append, batch))
                except ConflictError:
                    await self._read()
                    continue
                self.count(wanted, batch)
                return wanted
            raise StoreError("the register is written by too many at once")

    async def _is_done(self, order: Order) -> bool:
        found = await self._blocking(lambda: self._store.outcome(LOG, order.id))
        if found is None:
            return False
        if (found.who, found.digest) != (order.who, order.digest):
            raise RegisterError(Problem.ID_REUSED, "id: something else was done under it")
        return True

    async def append_with(self, batch: Batch, moves: Sequence[Move]) -> None:
        """Makes a table's batch durable together with its moves in the register.

        Raises an OvertakenError, and writes nothing, if a wallet or a limit no longer allows the
        table's decision.
        """
        async with self._writing:
            for _ in range(ATTEMPTS):
                self._require_sound()
                now = self._clock.now()
                try:
                    wanted = tuple(counterparts(self._kept.register, batch.table, moves, now))
                except RegisterError as problem:
                    raise OvertakenError(str(problem)) from problem
                if not wanted:
                    await self._blocking(lambda: self._store.append(batch))
                    return
                own = self.batch(wanted, now)
                try:
                    await self._blocking(partial(self._store.append, batch, own))
                except ConflictError as conflict:
                    if conflict.log != LOG:
                        raise
                    await self._read()
                    continue
                self.count(wanted, own)
                return
            raise StoreError("the register is written by too many at once")

    def stop(self, why: str) -> None:
        """Stops the register: nothing is decided on accounts that do not agree."""
        self.stopped = why

    def _require_sound(self) -> None:
        why = self.stopped or self.unwitnessed
        if why is not None:
            raise StoreError(why)

    async def witness(self) -> None:
        """Writes a checkpoint of the log, whichever server wrote it."""
        try:
            await self._witness.see(self._kept.head)
        except StoreError as problem:
            self.unwitnessed = str(problem)
            raise
        self.unwitnessed = None

    def batch(
        self, wanted: tuple[RegisterEvent, ...], now: int, order: Order | None = None
    ) -> Batch:
        """The batch that appends these events."""
        return batch_of(self._kept, wanted, now, order)

    def count(self, wanted: tuple[RegisterEvent, ...], batch: Batch) -> None:
        """Applies events that are durable, and calls the listeners."""
        last = batch.records[-1]
        for event in wanted:
            evolve(self._kept.register, event, last.at)
        self._kept.head = Head(last.seq, last.hash)
        if batch.snapshot is not None:
            self._kept.snapshot_at = last.seq
        for event in wanted:
            self._notify(event)

    def _notify(self, event: RegisterEvent) -> None:
        for listener in tuple(self.on_change):
            listener(event)
