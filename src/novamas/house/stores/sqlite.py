"""The embedded store: a current SQLite, in WAL mode with synchronous=FULL.

One file holds the logs, the ledger, what became of each command, the mementos and the secrets that
are not revealed yet. A batch is one transaction, and one fsync.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from novamas.house.ledger import Transfer, balances
from novamas.house.store import (
    GENESIS,
    Batch,
    ConflictError,
    Entry,
    Head,
    Outcome,
    Record,
    StoreError,
)

APPLICATION = 0x6E6F7661
"""What the file says it is: "nova"."""
SOUND_SQLITE = (3, 51, 3)
"""The first SQLite that does not corrupt a log when its WAL is reset."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE records (
        tbl TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL,
        version INTEGER NOT NULL, payload BLOB NOT NULL, command TEXT, previous BLOB NOT NULL,
        hash BLOB NOT NULL, PRIMARY KEY (tbl, seq)
    ) WITHOUT ROWID;
    CREATE TABLE entries (
        tbl TEXT NOT NULL, seq INTEGER NOT NULL, place INTEGER NOT NULL, source TEXT NOT NULL,
        target TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0 AND source <> target),
        PRIMARY KEY (tbl, seq, place)
    ) WITHOUT ROWID;
    CREATE TABLE balances (
        tbl TEXT NOT NULL, account TEXT NOT NULL, amount INTEGER NOT NULL,
        PRIMARY KEY (tbl, account)
    ) WITHOUT ROWID;
    CREATE TABLE outcomes (
        tbl TEXT NOT NULL, command TEXT NOT NULL, who TEXT NOT NULL, first INTEGER NOT NULL,
        last INTEGER NOT NULL, answer BLOB NOT NULL, PRIMARY KEY (tbl, command)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        tbl TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, memento BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE secrets (
        tbl TEXT NOT NULL, spin INTEGER NOT NULL, secret BLOB NOT NULL, PRIMARY KEY (tbl, spin)
    ) WITHOUT ROWID;
    """,
)
"""How the file came to its present shape; the file's user_version counts those that were done."""


class SqliteStore:
    """A store in one file."""

    def __init__(self, path: str | Path, *, vfs: str | None = None) -> None:
        self.path = Path(path)
        version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
        if version < SOUND_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old to be trusted")
        try:
            self._connection = apsw.Connection(str(self.path), vfs=vfs)
            self._connection.set_busy_timeout(2_000)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._migrate()
            if vfs is None:
                self.path.chmod(0o600)
        except apsw.Error as problem:
            raise StoreError(f"{self.path}: {problem}") from None
        self._heads: dict[str, Head] = {}

    def _migrate(self) -> None:
        connection = self._connection
        done = int(connection.pragma("user_version"))
        known = int(connection.pragma("application_id"))
        if done and known != APPLICATION:
            raise StoreError(f"{self.path} is a file of another program")
        if done > len(MIGRATIONS):
            raise StoreError(f"{self.path} was written by a newer version of the house ({done})")
        with connection:
            for migration in MIGRATIONS[done:]:
                connection.execute(migration)
            connection.pragma("application_id", APPLICATION)
            connection.pragma("user_version", len(MIGRATIONS))

    def append(self, batch: Batch) -> None:
        """Makes a batch durable in one transaction."""
        try:
            with self._connection:
                self._write(batch)
        except apsw.ConstraintError:
            self._heads.pop(batch.table, None)
            raise ConflictError(f"{batch.table} is not at {batch.after} any more") from None
        except apsw.Error as problem:
            self._heads.pop(batch.table, None)
            raise StoreError(f"{self.path}: {type(problem).__name__}: {problem}") from None
        if batch.records:
            last = batch.records[-1]
            self._heads[batch.table] = Head(last.seq, last.hash)

    def _write(self, batch: Batch) -> None:
        head = self.head(batch.table)
        if head.seq != batch.after:
            raise ConflictError(f"{batch.table} stands at {head.seq}, not at {batch.after}")
        cursor = self._connection.cursor()
        cursor.executemany("INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?)", batch.records)
        rows = [
            (entry.table, entry.seq, place, *entry.transfer)
            for place, entry in enumerate(batch.entries)
        ]
        cursor.executemany("INSERT INTO entries VALUES (?,?,?,?,?,?)", rows)
        moved = balances(entry.transfer for entry in batch.entries)
        cursor.executemany(
            "INSERT INTO balances VALUES (?,?,?)"
            " ON CONFLICT (tbl, account) DO UPDATE SET amount = amount + excluded.amount",
            [(batch.table, account, amount) for account, amount in moved.items() if amount],
        )
        cursor.executemany("INSERT INTO outcomes VALUES (?,?,?,?,?,?)", batch.outcomes)
        secrets = [(batch.table, spin, secret) for spin, secret in batch.secrets]
        cursor.executemany("INSERT INTO secrets VALUES (?,?,?)", secrets)
        if batch.snapshot is not None:
            last = batch.records[-1].seq if batch.records else batch.after
            cursor.execute(
                "INSERT INTO snapshots VALUES (?,?,?) ON CONFLICT (tbl) DO UPDATE"
                " SET seq = excluded.seq, memento = excluded.memento",
                (batch.table, last, batch.snapshot),
            )

    def tables(self) -> Sequence[str]:
        """The tables that have a log."""
        return [row[0] for row in self._connection.execute("SELECT tbl FROM records WHERE seq = 1")]

    def head(self, table: str) -> Head:
        """The end of a table's log."""
        if table not in self._heads:
            row = self._connection.execute(
                "SELECT seq, hash FROM records WHERE tbl = ? ORDER BY seq DESC LIMIT 1", (table,)
            ).fetchone()
            self._heads[table] = Head(*row) if row else Head(0, GENESIS)
        return self._heads[table]

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""
        most = until if until is not None else 2**62
        for row in self._connection.execute(
            "SELECT * FROM records WHERE tbl = ? AND seq > ? AND seq <= ? ORDER BY seq",
            (table, after, most),
        ):
            yield Record(*row)

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries of a table in order."""
        for tbl, seq, source, target, amount in self._connection.execute(
            "SELECT tbl, seq, source, target, amount FROM entries"
            " WHERE tbl = ? AND seq > ? ORDER BY seq, place",
            (table, after),
        ):
            yield Entry(tbl, seq, Transfer(source, target, amount))

    def balances(self, table: str) -> dict[str, int]:
        """The balance of each account of a table."""
        return dict(
            self._connection.execute(
                "SELECT account, amount FROM balances WHERE tbl = ? AND amount <> 0", (table,)
            )
        )

    def outcome(self, table: str, command: str) -> Outcome | None:
        """What became of a command, if it was here before."""
        row = self._connection.execute(
            "SELECT * FROM outcomes WHERE tbl = ? AND command = ?", (table, command)
        ).fetchone()
        return Outcome(*row) if row else None

    def snapshot(self, table: str) -> tuple[int, bytes] | None:
        """The newest memento of a table and the sequence it stands at."""
        row = self._connection.execute(
            "SELECT seq, memento FROM snapshots WHERE tbl = ?", (table,)
        ).fetchone()
        return (row[0], row[1]) if row else None

    def secret(self, table: str, spin: int) -> bytes | None:
        """The secret of a spin."""
        row = self._connection.execute(
            "SELECT secret FROM secrets WHERE tbl = ? AND spin = ?", (table, spin)
        ).fetchone()
        return row[0] if row else None

    def check(self) -> list[str]:
        """What is wrong with the file or with the way it is kept."""
        wrong: list[str] = []
        if self._connection.pragma("journal_mode") != "wal":
            wrong.append("the journal is not in WAL mode")
        if self._connection.pragma("synchronous") != 2:
            wrong.append("commits are not synchronous=FULL")
        if self._connection.pragma("user_version") != len(MIGRATIONS):
            wrong.append("the file's version is not this one's")
        sound = self._connection.pragma("quick_check")
        if sound != "ok":
            wrong.append(f"the file is damaged: {sound}")
        return wrong

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()
