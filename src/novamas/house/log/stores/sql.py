"""What the stores in SQL share: their statements, and reading by them.

SQLite and PostgreSQL hold the same tables. `Statements` has every statement that both of them run;
a `Dialect` has what differs. How a store connects, commits and is checked is its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Literal, LiteralString, NamedTuple

import msgspec

from novamas.house.log.store import GENESIS, Batch, Entry, Head, Outcome, Record
from novamas.table.accounts import Transfer

PART = 2_000
"""How many rows are read at a time."""
LAST = 2**62
"""Above every number in a store. `-LAST` is below every chain: single secrets are negative."""

Kind = Literal["text", "number", "bytes"]
"""What a column holds."""
RECORDS: tuple[Kind, ...] = (
    "text",
    "number",
    "number",
    "text",
    "number",
    "bytes",
    "text",
    "bytes",
    "bytes",
)
ENTRIES: tuple[Kind, ...] = ("text", "number", "number", "text", "text", "number")
BALANCES: tuple[Kind, ...] = ("text", "text", "number")
OUTCOMES: tuple[Kind, ...] = ("text", "text", "text", "number", "number", "bytes", "bytes")
"""The columns of the tables that get many rows at a time; the first is always the table's name."""


class Dialect(NamedTuple):
    """What differs between the stores."""

    schema: LiteralString
    """What stands before the name of a table, where a statement below has `novamas.`."""
    value: LiteralString
    """What stands for a value that is sent beside the statement, where one below has `?`."""
    rows: Callable[[Sequence[Kind]], LiteralString]
    """The rows of a table with these columns, in the way that the store inserts many at a time."""
    known: LiteralString
    """The outcomes of a list of commands, sent as JSON, of one table."""

    def translate(self, statement: LiteralString) -> LiteralString:
        """A statement below, as this store takes it."""
        return statement.replace("novamas.", self.schema).replace("?", self.value)

    def insert(
        self, table: LiteralString, columns: Sequence[Kind], *then: LiteralString
    ) -> LiteralString:
        """The statement that inserts many rows."""
        return " ".join(("INSERT INTO", self.translate(table), self.rows(columns), *then))


class Statements:
    """The statements that both stores run, in the dialect of one."""

    def __init__(self, dialect: Dialect) -> None:
        self.translate = write = dialect.translate
        self.insert_records = dialect.insert("novamas.records", RECORDS)
        self.insert_entries = dialect.insert("novamas.entries", ENTRIES)
        self.add_to_balances = dialect.insert(
            "novamas.balances",
            BALANCES,
            "ON CONFLICT (tbl, account) DO UPDATE SET amount = balances.amount + excluded.amount",
        )
        self.insert_outcomes = dialect.insert("novamas.outcomes", OUTCOMES)
        self.insert_secret = write("INSERT INTO novamas.secrets VALUES (?, ?, ?)")
        self.reseal_secret = write(
            "UPDATE novamas.secrets SET secret = ? WHERE tbl = ? AND chain = ?"
        )
        self.put_snapshot = write(
            "INSERT INTO novamas.snapshots VALUES (?, ?, ?)"
            " ON CONFLICT (tbl, seq) DO UPDATE SET memento = excluded.memento"
        )
        self.delete_old_snapshots = write(
            "DELETE FROM novamas.snapshots WHERE tbl = ? AND seq < (SELECT min(seq) FROM"
            " (SELECT seq FROM novamas.snapshots WHERE tbl = ? ORDER BY seq DESC LIMIT ?)"
            " AS newest)"
        )

        read = dialect.translate
        # One index step for each table, however long the logs are.
        self.tables = read(
            "WITH RECURSIVE names (tbl) AS (SELECT min(tbl) FROM novamas.records UNION ALL"
            " SELECT (SELECT min(tbl) FROM novamas.records WHERE tbl > names.tbl) FROM names"
            " WHERE names.tbl IS NOT NULL) SELECT tbl FROM names WHERE tbl IS NOT NULL"
        )
        self.head = read(
            "SELECT seq, hash FROM novamas.records WHERE tbl = ? ORDER BY seq DESC LIMIT 1"
        )
        self.records = read(
            "SELECT * FROM novamas.records WHERE tbl = ? AND seq <= ? AND seq > ?"
            " ORDER BY seq LIMIT ?"
        )
        self.entries = read(
            "SELECT seq, place, source, target, amount FROM novamas.entries"
            " WHERE tbl = ? AND (seq, place) > (?, ?) ORDER BY seq, place LIMIT ?"
        )
        self.balances = read(
            "SELECT account, amount FROM novamas.balances WHERE tbl = ? AND amount <> 0"
        )
        self.outcome = read("SELECT * FROM novamas.outcomes WHERE tbl = ? AND command = ?")
        self.known = dialect.known
        self.outcomes = read(
            "SELECT * FROM novamas.outcomes WHERE tbl = ? AND command > ? ORDER BY command LIMIT ?"
        )
        self.newest_snapshot = read(
            "SELECT seq, memento FROM novamas.snapshots WHERE tbl = ? AND seq >= ?"
            " ORDER BY seq DESC LIMIT 1"
        )
        self.oldest_snapshot = read(
            "SELECT seq, memento FROM novamas.snapshots WHERE tbl = ? AND seq >= ?"
            " ORDER BY seq LIMIT 1"
        )
        self.secret = read("SELECT secret FROM novamas.secrets WHERE tbl = ? AND chain = ?")
        self.secrets = read(
            "SELECT chain, secret FROM novamas.secrets WHERE tbl = ? AND chain > ?"
            " ORDER BY chain LIMIT ?"
        )


def as_json(values: Iterable[object]) -> str:
    """Values as one text of JSON, bytes as base64."""
    return msgspec.json.encode(list(values)).decode()


class SqlStore(ABC):
    """A store in SQL: reading, and the ends of the logs that it remembers."""

    statements: ClassVar[Statements]

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    @abstractmethod
    def _store_errors(self) -> AbstractContextManager[None]:
        """Turns the driver's errors into `StoreError`."""

    @abstractmethod
    def _fetch(self, query: LiteralString, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Runs a query, and returns all of its rows."""

    def _rows(self, query: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
        with self._store_errors():
            return self._fetch(query, values)

    def _row(self, query: LiteralString, *values: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(query, *values)), None)

    def _parts(
        self, query: LiteralString, *values: Any, after: tuple[Any, ...], key: slice
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of a long query, some at a time; `key` is where a row has what it is after."""
        while True:
            rows = self._rows(query, *values, *after, PART)
            yield from rows
            if len(rows) < PART:
                return
            after = rows[-1][key]

    # Remembered heads ---------------------------------------------------------------------------

    def _remember(self, batches: Sequence[Batch]) -> None:
        """Remembers the new heads of the logs of a commit."""
        for each in batches:
            if each.records:
                last = each.records[-1]
                self._heads[each.table] = Head(last.seq, last.hash)

    def _forget(self, batches: Sequence[Batch]) -> None:
        """Forgets the heads of the logs of a failed commit."""
        for each in batches:
            self._heads.pop(each.table, None)

    # Reading ------------------------------------------------------------------------------------

    def tables(self) -> Sequence[str]:
        """The tables that have a log, by name."""
        return [name for (name,) in self._rows(self.statements.tables)]

    def head(self, table: str) -> Head:
        """The end of a table's log."""
        known = self._heads.get(table)
        if known is not None:
            return known
        row = self._row(self.statements.head, table)
        found = Head(*row) if row else Head(0, GENESIS)
        self._heads[table] = found
        return found

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""
        most = until if until is not None else LAST
        rows = self._parts(self.statements.records, table, most, after=(after,), key=slice(1, 2))
        return (Record(*row) for row in rows)

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries of a table in order."""
        rows = self._parts(self.statements.entries, table, after=(after, 2**31 - 1), key=slice(2))
        return (Entry(table, seq, Transfer(*transfer)) for seq, _, *transfer in rows)

    def balances(self, table: str) -> dict[str, int]:
        """The balance of each account of a table."""
        return dict(self._rows(self.statements.balances, table))

    def outcome(self, table: str, command: str) -> Outcome | None:
        """The outcome of a command, if it was given before."""
        row = self._row(self.statements.outcome, table, command)
        return Outcome(*row) if row else None

    def known(self, table: str, commands: Sequence[str]) -> list[Outcome]:
        """The outcomes of those commands that were given before, in one query."""
        rows = self._rows(self.statements.known, as_json(commands), table)
        return [Outcome(*row) for row in rows]

    def outcomes(self, table: str) -> Iterator[Outcome]:
        """The outcomes of all commands of a table; no command has an empty id."""
        rows = self._parts(self.statements.outcomes, table, after=("",), key=slice(1, 2))
        return (Outcome(*row) for row in rows)

    def snapshot(self, table: str, *, since: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot of a table, or the oldest since a sequence, and its sequence."""
        run = self.statements
        query = run.newest_snapshot if since is None else run.oldest_snapshot
        row = self._row(query, table, since or 0)
        return (row[0], row[1]) if row else None

    def secret(self, table: str, chain: int) -> bytes | None:
        """The encrypted seed of a chain."""
        row = self._row(self.statements.secret, table, chain)
        return row[0] if row else None

    def secrets(self, table: str) -> Iterator[tuple[int, bytes]]:
        """The encrypted seeds of all chains of a table."""
        rows = self._parts(self.statements.secrets, table, after=(-LAST,), key=slice(1))
        return ((chain, secret) for chain, secret in rows)
