"""A store in memory: the simplest implementation of the contract, and a baseline for speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from novamas.house.ledger import balances
from novamas.house.log.store import (
    GENESIS,
    SNAPSHOTS,
    Batch,
    ConflictError,
    Entry,
    Head,
    Outcome,
    Record,
    require_next,
    require_seeds,
)


class MemoryStore:
    """Keeps everything until the process ends."""

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = defaultdict(list)
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._balances: dict[str, dict[str, int]] = defaultdict(dict)
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        self._snapshots: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
        self._secrets: dict[tuple[str, int], bytes] = {}

    def append(self, batch: Batch, *others: Batch) -> None:
        """Adds batches to the store atomically."""
        batches = (batch, *others)
        for each in batches:
            self._require(each)
        for each in batches:
            self._take(each)

    def _require(self, batch: Batch) -> None:
        table = batch.table
        require_next(batch, self.head(table))
        asked = [(table, outcome.command) for outcome in batch.outcomes]
        if len({*asked}) < len(asked) or any(each in self._outcomes for each in asked):
            raise ConflictError(f"a command of {table} was answered before", log=table)
        require_seeds(self, batch)

    def _take(self, batch: Batch) -> None:
        table = batch.table
        self._records[table].extend(batch.records)
        self._entries[table].extend(batch.entries)
        kept = self._balances[table]
        for account, amount in balances(entry.transfer for entry in batch.entries).items():
            kept[account] = kept.get(account, 0) + amount
        for outcome in batch.outcomes:
            self._outcomes[table, outcome.command] = outcome
        for chain, secret in (*batch.secrets, *batch.resealed):
            self._secrets[table, chain] = secret
        if batch.snapshot is not None:
            kept_there = self._snapshots[table]
            kept_there[:] = [*kept_there, (self.head(table).seq, batch.snapshot)][-SNAPSHOTS:]

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Only one thread uses it, so nothing is written between two reads."""
        yield

    def tables(self) -> Sequence[str]:
        """The tables that have a log, by name."""
        return sorted(table for table, records in self._records.items() if records)

    def head(self, table: str) -> Head:
        """The end of a table's log."""
        records = self._records.get(table)
        return Head(records[-1].seq, records[-1].hash) if records else Head(0, GENESIS)

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""
        yield from self._records.get(table, [])[max(after, 0) : until]

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries of a table in order."""
        yield from (entry for entry in self._entries.get(table, []) if entry.seq > after)

    def balances(self, table: str) -> dict[str, int]:
        """The balance of each account of a table."""
        kept = self._balances.get(table, {})
        return {account: amount for account, amount in kept.items() if amount}

    def outcome(self, table: str, command: str) -> Outcome | None:
        """The outcome of a command, if it was given before."""
        return self._outcomes.get((table, command))

    def snapshot(self, table: str, *, since: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot of a table, or the oldest since a sequence, and its sequence."""
        snapshots = self._snapshots.get(table, [])
        if since is None:
            return snapshots[-1] if snapshots else None
        return next((each for each in snapshots if each[0] >= since), None)

    def secret(self, table: str, chain: int) -> bytes | None:
        """The encrypted seed of a chain."""
        return self._secrets.get((table, chain))

    def known(self, table: str, commands: Sequence[str]) -> list[Outcome]:
        """The outcomes of those commands that were given before."""
        found = (self._outcomes.get((table, command)) for command in {*commands})
        return [outcome for outcome in found if outcome is not None]

    def outcomes(self, table: str) -> Iterator[Outcome]:
        """The outcomes of all commands of a table."""
        yield from (kept for (name, _), kept in sorted(self._outcomes.items()) if name == table)

    def secrets(self, table: str) -> Iterator[tuple[int, bytes]]:
        """The encrypted seeds of all chains of a table."""
        yield from (
            (chain, s) for (name, chain), s in sorted(self._secrets.items()) if name == table
        )

    def check(self) -> list[str]:
        """Memory needs no check."""
        return []

    def inspect(self) -> list[str]:
        """Memory needs no inspection."""
        return []

    def close(self) -> None:
        """There is nothing to release."""
