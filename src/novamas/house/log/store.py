"""The store's contract: append-only logs, one for each table, and what is durable with them.

An append is atomic, over several logs too, and durable when `append` returns. Every kind of store
passes the same contract tests.
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
"""Why a store that must be migrated cannot be opened read-only."""
GENESIS = bytes(32)
"""The hash before the first event of a log."""
SNAPSHOTS = 16
"""How many snapshots of a log are kept; readers of recent events start at an older one."""


class Record(NamedTuple):
    """An event as it is stored in a log."""

    table: str
    seq: int
    """1, 2, 3 … without gaps."""
    at: int
    """When it was recorded: milliseconds since 1970, by the house's clock."""
    type: str
    version: int
    payload: bytes
    command: str | None
    """The id of the command that caused it."""
    previous: bytes
    hash: bytes
    """The hash of the fields above: see `novamas.house.log.hash_chain`."""


class Entry(NamedTuple):
    """A transfer of the ledger, with the event that made it."""

    table: str
    seq: int
    transfer: Transfer


class Outcome(NamedTuple):
    """The outcome of a command, so that a repeated command is carried out once."""

    table: str
    command: str
    who: str
    first: int
    """The sequence of its first event; 0 for a command without events."""
    last: int
    answer: bytes
    """The answer, to be sent again."""
    digest: bytes = b""
    """The digest of the command: a different command under the same id is refused."""


def single_secret(spin: int) -> int:
    """The key of a single secret of version 0.1.0 among the secrets of a table's chains."""
    return -spin


class Head(NamedTuple):
    """The end of a log."""

    seq: int
    hash: bytes


class Batch(NamedTuple):
    """What is made durable together."""

    table: str
    after: int
    """The sequence at which the log must be; otherwise the batch is refused."""
    records: tuple[Record, ...]
    entries: tuple[Entry, ...]
    outcomes: tuple[Outcome, ...]
    secrets: tuple[tuple[int, bytes], ...] = ()
    """Chain of the ball's secrets → its encrypted seed, kept apart from the log."""
    snapshot: bytes | None = None
    """The table after the last record, if a snapshot is due."""
    resealed: tuple[tuple[int, bytes], ...] = ()
    """Chain of the ball's secrets → its seed under another key; replaces the stored one."""

    @property
    def last(self) -> int:
        """The sequence at which the log is after it."""
        return self.after + len(self.records)


class StoreError(NovamasError):
    """The store cannot do what was asked; nothing of the batch was written."""


class ConflictError(StoreError):
    """The log is not where the batch expects it: another writer was here."""

    def __init__(self, problem: str, *, log: str = "") -> None:
        super().__init__(problem)
        self.log = log
        """The log with the conflict, if several were to be appended to."""


class LeaseLostError(ConflictError):
    """Another server has taken over the table: the write did not happen."""


MOVED = "another server serves this table now"
"""The reason for a table whose lease is lost."""


class Lease(NamedTuple):
    """Which server serves a table."""

    owner: str
    """One run of a server."""
    address: str
    """The server's public address."""


def require_next(batch: Batch, head: Head) -> None:
    """Checks that a batch continues exactly at the end of its log, without gaps."""
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
    for entry in batch.entries:
        if entry.table != table or not after < entry.seq <= batch.last:
            raise ConflictError(
                f"a transfer of event {entry.seq} comes without its event", log=table
            )


def require_seeds(store: Store, batch: Batch) -> None:
    """Checks that seeds are replaced only where there is one."""
    for chain, _ in batch.resealed:
        if store.secret(batch.table, chain) is None:
            raise ConflictError(f"{batch.table} has no seed of chain {chain}", log=batch.table)


class Store(Protocol):
    """The interface of a store. One thread at a time."""

    def append(self, batch: Batch, *others: Batch) -> None:
        """Makes batches of one or more logs durable in one transaction."""

    def moment(self) -> AbstractContextManager[None]:
        """Everything read in this context is of one moment, whatever others write."""

    def tables(self) -> Sequence[str]:
        """The tables that have a log, by name."""

    def head(self, table: str) -> Head:
        """The end of a table's log; sequence 0 and `GENESIS` where there is none."""

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries of a table in order."""

    def balances(self, table: str) -> dict[str, int]:
        """The balance of each account of a table, updated with each batch."""

    def outcome(self, table: str, command: str) -> Outcome | None:
        """The outcome of a command, if it was given before."""

    def snapshot(self, table: str, *, since: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot of a table and its sequence.

        With `since`, the oldest stored one at that sequence or later.
        """

    def known(self, table: str, commands: Sequence[str]) -> list[Outcome]:
        """The outcomes of those commands that were given before, in any order."""

    def outcomes(self, table: str) -> Iterator[Outcome]:
        """The outcomes of all commands of a table, in any order."""

    def secret(self, table: str, chain: int) -> bytes | None:
        """The encrypted seed of a chain."""

    def secrets(self, table: str) -> Iterator[tuple[int, bytes]]:
        """The encrypted seeds of all chains of a table."""

    def check(self) -> list[str]:
        """Checks the store itself: settings, version, integrity. Empty if sound.

        It is quick, whatever the size of the store; `inspect` does the rest.
        """

    def inspect(self) -> list[str]:
        """Checks what takes longer than `check` may; from any thread, while play goes on."""

    def close(self) -> None:
        """Releases the store's resources."""


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store that several servers use at once; each table has a lease.

    A server that has lost or released a lease can no longer append to that table.
    """

    def take_lease(self, table: str, lease: Lease, *, seconds: float) -> bool:
        """Takes the lease of a table that nobody holds, or whose lease has expired."""

    def renew_leases(self, *, seconds: float) -> set[str]:
        """Renews the leases that this store holds; returns the tables that were lost."""

    def release_lease(self, table: str) -> None:
        """Releases the lease of a table, for any server to take at once."""

    def lease(self, table: str) -> Lease | None:
        """The present lease of a table."""

    def leases(self) -> dict[str, Lease]:
        """The present lease of each table."""

    def reconnect(self) -> None:
        """Reconnects after the store was unreachable; no lease is held any more."""
