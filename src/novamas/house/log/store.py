"""The store's contract: append-only logs, one a table, with what must be durable beside them.

What is appended together is all or nothing, over several logs too, and is durable when `append`
returns. Whatever a store is made of, the same contract tests run on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, runtime_checkable

from novamas.game.errors import NovamasError
from novamas.table.accounts import Transfer

NO_STORE = "is not a store of this version of the house"
OLDER = (
    "was written by an older version of the house: open it once with `novamas serve`, which brings"
    " it up to date"
)
"""Why a store is not read, where it may not be changed."""
GENESIS = bytes(32)
"""The hash before the first event of a log."""
SNAPSHOTS = 16
"""How many snapshots of a log are kept: a reader of recent events begins at an older one."""


class Record(NamedTuple):
    """An event as it stands in a log."""

    table: str
    seq: int
    """1, 2, 3 … without a gap."""
    at: int
    """When it was recorded: milliseconds since 1970, by the house's clock."""
    type: str
    version: int
    payload: bytes
    command: str | None
    """The id of the command that brought it about."""
    previous: bytes
    hash: bytes
    """Over all of the above but `table`'s store: see `novamas.house.log.hash_chain`."""


class Entry(NamedTuple):
    """A transfer of the ledger, with the event that made it."""

    table: str
    seq: int
    transfer: Transfer


class Outcome(NamedTuple):
    """What became of a command: so that one that comes twice happens once."""

    table: str
    command: str
    who: str
    first: int
    """The sequence of its first event; 0 for a command that brought none about."""
    last: int
    answer: bytes
    """What was answered, to be answered again."""
    digest: bytes = b""
    """Of the command itself: another command under the same id is refused."""


def single_secret(spin: int) -> int:
    """Where the secret of a spin of version 0.1.0 lies among those of the chains of its table."""
    return -spin


class Head(NamedTuple):
    """The end of a log."""

    seq: int
    hash: bytes


class Batch(NamedTuple):
    """What is made durable together."""

    table: str
    after: int
    """The sequence that the log must stand at; otherwise the batch is refused."""
    records: tuple[Record, ...]
    entries: tuple[Entry, ...]
    outcomes: tuple[Outcome, ...]
    secrets: tuple[tuple[int, bytes], ...] = ()
    """Chain of the ball's secrets → its seed, sealed, and kept apart from the log."""
    snapshot: bytes | None = None
    """The table after the last record, where one is due."""
    resealed: tuple[tuple[int, bytes], ...] = ()
    """Chain of the ball's secrets → its seed under another key, in place of the one before."""


class StoreError(NovamasError):
    """The store cannot do what was asked; nothing of the batch is there."""


class ConflictError(StoreError):
    """The log does not stand where the batch expects it: another writer was here."""

    def __init__(self, problem: str, *, log: str = "") -> None:
        super().__init__(problem)
        self.log = log
        """Which of the logs it is, where several were to be appended to."""


class LeaseLostError(ConflictError):
    """Another server has taken the table over: what this one would write did not happen."""


MOVED = "another server serves this table now"
"""What is said of a table whose lease is lost."""


class Lease(NamedTuple):
    """Who serves a table."""

    owner: str
    """A server, from its start to its end."""
    address: str
    """Where he is reached."""


def require_next(batch: Batch, head: Head) -> None:
    """A batch goes on exactly where its log ends, and is whole in itself."""
    table, after = batch.table, batch.after
    if head.seq != after:
        raise ConflictError(f"{table} stands at {head.seq}, not at {after}", log=table)
    previous = head.hash
    for seq, record in enumerate(batch.records, after + 1):
        if record.table != table or record.seq != seq or record.previous != previous:
            raise ConflictError(
                f"event {record.seq} does not follow {seq - 1} of {table}", log=table
            )
        previous = record.hash
    last = after + len(batch.records)
    for entry in batch.entries:
        if entry.table != table or not after < entry.seq <= last:
            raise ConflictError(
                f"a transfer of event {entry.seq} comes without its event", log=table
            )


def require_seeds(store: Store, batch: Batch) -> None:
    """A seed is sealed anew where there is one."""
    for chain, _ in batch.resealed:
        if store.secret(batch.table, chain) is None:
            raise ConflictError(f"{batch.table} has no seed of chain {chain}", log=batch.table)


class Store(Protocol):
    """What the house asks of a store. One thread at a time."""

    def append(self, batch: Batch, *others: Batch) -> None:
        """Makes batches of one or more logs durable in one transaction, all of it or nothing."""

    def moment(self) -> AbstractContextManager[None]:
        """All that is read within it stands as of one moment, whatever others go on to write."""

    def tables(self) -> Sequence[str]:
        """The tables that have a log, by name."""

    def head(self, table: str) -> Head:
        """The end of a table's log; sequence 0 and `GENESIS` where there is none."""

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries of a table in order."""

    def balances(self, table: str) -> dict[str, int]:
        """The balance of each account of a table, kept up with each batch."""

    def outcome(self, table: str, command: str) -> Outcome | None:
        """What became of a command, if it was here before."""

    def snapshot(self, table: str, *, since: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot of a table and the sequence it stands at.

        With `since`, the oldest of those kept that stand at that sequence or later.
        """

    def known(self, table: str, commands: Sequence[str]) -> list[Outcome]:
        """What became of those of some commands that were here before, in any order."""

    def outcomes(self, table: str) -> Iterator[Outcome]:
        """What became of every command of a table, in any order."""

    def secret(self, table: str, chain: int) -> bytes | None:
        """The sealed seed of a chain."""

    def secrets(self, table: str) -> Iterator[tuple[int, bytes]]:
        """The sealed seed of every chain of a table."""

    def check(self) -> list[str]:
        """What is wrong with the store itself: settings, version, integrity. Empty if sound.

        It takes a moment at most, however much there is; `inspect` looks at the rest.
        """

    def inspect(self) -> list[str]:
        """What is wrong with what `check` had no time for; from any thread, while play goes on."""

    def close(self) -> None:
        """Releases what the store holds."""


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store that several servers use at once: a table belongs to the one that has its lease.

    Whoever has lost a lease, or let it go, appends nothing more to that table.
    """

    def take_lease(self, table: str, lease: Lease, *, seconds: float) -> bool:
        """Takes a table that nobody serves, or whose server has not been heard of in time."""

    def renew_leases(self, *, seconds: float) -> set[str]:
        """Keeps the tables that this store holds; gives those that were lost."""

    def release_lease(self, table: str) -> None:
        """Lets a table go, for any server to take at once."""

    def lease(self, table: str) -> Lease | None:
        """Who serves a table now."""

    def leases(self) -> dict[str, Lease]:
        """Who serves each table that is served now."""

    def reconnect(self) -> None:
        """Begins anew after the store was out of reach; no lease is held any more."""
