"""The embedded store: a current SQLite, in WAL mode with synchronous=FULL.

One file holds the logs, the ledger, the outcomes of commands, the snapshots and the secrets that
are not revealed yet. A batch is one transaction, and one fsync.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote

import apsw

from novamas.house.ledger import balances
from novamas.house.log.store import (
    NO_STORE,
    OLDER,
    SNAPSHOTS,
    Batch,
    ConflictError,
    StoreError,
    require_next,
    require_seeds,
)
from novamas.house.log.stores.sql import Dialect, Kind, SqlStore, Statements

APPLICATION = 0x6E6F7661
"""The application id in the file: "nova"."""
SOUND_SQLITE = (3, 51, 3)
"""The first SQLite version that does not corrupt a database when its WAL is reset."""

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
        tbl TEXT NOT NULL, chain INTEGER NOT NULL, secret BLOB NOT NULL, PRIMARY KEY (tbl, chain)
    ) WITHOUT ROWID;
    CREATE TABLE faults (
        id INTEGER PRIMARY KEY, tbl TEXT NOT NULL, after INTEGER NOT NULL, problem TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE outcomes ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
    CREATE TABLE mementos (
        tbl TEXT NOT NULL, seq INTEGER NOT NULL, memento BLOB NOT NULL, PRIMARY KEY (tbl, seq)
    ) WITHOUT ROWID;
    INSERT INTO mementos SELECT tbl, seq, memento FROM snapshots;
    DROP TABLE snapshots;
    ALTER TABLE mementos RENAME TO snapshots;
    """,
    # Version 0.1.0 stored a secret of 32 bytes for each spin, in a column of another name. All but
    # the newest are revealed in the log; the newest may be that of a running ball.
    """
    CREATE TABLE seeds (
        tbl TEXT NOT NULL, chain INTEGER NOT NULL, secret BLOB NOT NULL, PRIMARY KEY (tbl, chain)
    ) WITHOUT ROWID;
    INSERT INTO seeds SELECT * FROM secrets;
    DROP TABLE secrets;
    ALTER TABLE seeds RENAME TO secrets;
    DELETE FROM secrets WHERE length(secret) = 32 AND chain < (
        SELECT max(chain) FROM secrets AS newest
        WHERE newest.tbl = secrets.tbl AND length(newest.secret) = 32
    );
    UPDATE secrets SET chain = -chain WHERE length(secret) = 32;
    """,
)
"""The migrations in order; the file's user_version counts those that were applied."""
DOOR = 0.3
"""Seconds that the check on opening may take; a large file is inspected afterwards."""
SYNCHRONOUS_FULL = 2
CLOSED = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError)
"""SQLite's errors when a file cannot be opened, for whatever reason."""
READING = apsw.SQLITE_OPEN_READONLY
READING_AND_WRITING = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


def _values(columns: Sequence[Kind]) -> LiteralString:
    return f"VALUES ({', '.join('?' * len(columns))})"


SQLITE = Dialect(
    schema="",
    value="?",
    rows=_values,
    known="SELECT * FROM outcomes WHERE command IN (SELECT value FROM json_each(?)) AND tbl = ?",
)


class SqliteStore(SqlStore):
    """A store in one file."""

    statements = Statements(SQLITE)

    def __init__(
        self, path: str | Path, *, vfs: str | None = None, read_only: bool = False
    ) -> None:
        """Opens the file, or creates it; `read_only` does not change it."""
        super().__init__()
        self.path = Path(path)
        self._vfs = vfs
        self._read_only = read_only
        self._seen_whole = False
        self._inspecting: apsw.Connection | None = None
        version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
        if version < SOUND_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} is too old to be trusted")
        flags = READING if read_only else READING_AND_WRITING
        try:
            self._connect(str(self.path), flags)
        except CLOSED as problem:
            if not self._lies_still():
                raise StoreError(self._closed(problem)) from None
            # Nothing writes there, so it can be read without any lock.
            with self._store_errors():
                still = f"file:{quote(str(self.path.absolute()))}?immutable=1"
                self._connect(still, flags | apsw.SQLITE_OPEN_URI)

    def _connect(self, name: str, flags: int) -> None:
        with self._store_errors(but=CLOSED):
            self._connection = apsw.Connection(name, flags=flags, vfs=self._vfs)
        try:
            with self._store_errors(but=CLOSED):
                self._open()
        except (StoreError, *CLOSED):
            self._connection.close()
            raise

    def _lies_still(self) -> bool:
        """Whether a read-only file is where not even a WAL could be written beside it."""
        return (
            self._read_only
            and self.path.is_file()
            and os.access(self.path, os.R_OK)
            and not os.access(self.path.absolute().parent, os.W_OK)
            and not self._has_wal()
        )

    def _has_wal(self) -> bool:
        wal = Path(f"{self.path}-wal")
        return wal.exists() and wal.stat().st_size > 0

    def _closed(self, problem: apsw.Error) -> str:
        """Why the file cannot be opened, which SQLite does not say."""
        folder = self.path.absolute().parent
        if self.path.is_dir():
            return f"{self.path} is a folder: a store is a file"
        if not folder.is_dir():
            return f"{self.path}: there is no folder {folder}"
        if self.path.exists() and not os.access(self.path, os.R_OK):
            return f"{self.path} may not be read by the user who runs this"
        if self._read_only and self._has_wal():
            wal = f"{self.path.name}-wal"
            return f"{folder} may not be written: copy {self.path.name} and {wal} where it may"
        if not self._read_only and not os.access(self.path, os.W_OK):
            return f"{self.path} may not be written by the user who runs this"
        if not self._read_only and not os.access(folder, os.W_OK):
            return f"{folder} may not be written by the user who runs this"
        return f"{self.path}: {type(problem).__name__}: {problem}"

    @contextmanager
    def _store_errors(self, *, but: tuple[type[apsw.Error], ...] = ()) -> Iterator[None]:
        """Turns SQLite's errors into `StoreError`, with the name of the file."""
        try:
            yield
        except but:
            raise
        except apsw.Error as problem:
            raise StoreError(f"{self.path}: {type(problem).__name__}: {problem}") from None

    def _open(self) -> None:
        connection = self._connection
        connection.set_busy_timeout(2_000)
        done = self._version()
        if self._read_only:
            if done != len(MIGRATIONS):
                raise StoreError(f"{self.path} {OLDER if done else NO_STORE}")
            # Everything read is of one moment, whatever a running house writes.
            connection.execute("BEGIN")
            self._version()
            return
        connection.pragma("journal_mode", "WAL")
        connection.pragma("synchronous", SYNCHRONOUS_FULL)
        connection.pragma("foreign_keys", 1)
        if self._vfs is None:
            self.path.chmod(0o600)
        if done < len(MIGRATIONS):
            with connection:
                for migration in MIGRATIONS[done:]:
                    connection.execute(migration)
                connection.pragma("application_id", APPLICATION)
                connection.pragma("user_version", len(MIGRATIONS))

    def _version(self) -> int:
        """How many migrations were applied; refuses a file of another program."""
        done = int(self._connection.pragma("user_version"))
        program = self._connection.pragma("application_id")
        is_new = not self._connection.execute("SELECT count(*) FROM sqlite_schema").get
        if program != APPLICATION and not (is_new and not done and not program):
            raise StoreError(f"{self.path} is a file of another program")
        if done > len(MIGRATIONS):
            raise StoreError(f"{self.path} was written by a newer version of the house ({done})")
        return done

    def append(self, batch: Batch, *others: Batch) -> None:
        """Makes batches durable in one transaction."""
        batches = (batch, *others)
        for each in batches:
            require_next(each, self.head(each.table))
            require_seeds(self, each)
        at_work = batch
        try:
            with self._connection:
                for at_work in batches:
                    self._write(at_work)
        except apsw.ConstraintError:
            self._forget(batches)
            raise ConflictError(
                f"{at_work.table} is not at {at_work.after} any more, or a command came twice",
                log=at_work.table,
            ) from None
        except apsw.Error as problem:
            self._forget(batches)
            reason = f"{self.path}: {type(problem).__name__}: {problem}"
            self._write_over(batch, reason)
            raise StoreError(reason) from None
        self._remember(batches)

    def _write_over(self, batch: Batch, reason: str) -> None:
        """Overwrites what a failed commit may have left behind.

        When fsync fails, the batch is in the WAL all the same, and a restart would find it though
        it was never acknowledged. The next commit begins at the same place; so a record of the
        fault replaces the batch, even if its own fsync fails too.
        """
        with suppress(apsw.Error), self._connection:
            self._connection.execute(
                "INSERT INTO faults (tbl, after, problem) VALUES (?,?,?)",
                (batch.table, batch.after, reason),
            )

    def _write(self, batch: Batch) -> None:
        run, table, cursor = self.statements, batch.table, self._connection.cursor()
        cursor.executemany(run.insert_records, batch.records)
        rows = [
            (entry.table, entry.seq, place, *entry.transfer)
            for place, entry in enumerate(batch.entries)
        ]
        cursor.executemany(run.insert_entries, rows)
        moved = balances(entry.transfer for entry in batch.entries)
        cursor.executemany(
            run.add_to_balances,
            [(table, account, amount) for account, amount in moved.items() if amount],
        )
        cursor.executemany(run.insert_outcomes, batch.outcomes)
        cursor.executemany(run.insert_secret, [(table, *sealed) for sealed in batch.secrets])
        cursor.executemany(
            run.reseal_secret, [(secret, table, chain) for chain, secret in batch.resealed]
        )
        if batch.snapshot is not None:
            cursor.execute(run.put_snapshot, (table, batch.last, batch.snapshot))
            cursor.execute(run.delete_old_snapshots, (table, table, SNAPSHOTS))

    def _fetch(self, query: LiteralString, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Everything read in this context is of one moment."""
        with self._store_errors():
            if self._connection.in_transaction:
                yield  # A read-only store is of one moment anyway.
                return
            self._connection.execute("BEGIN")
            self._heads.clear()
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Everything appended in this context becomes durable together, or not at all."""
        with self._store_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            self._heads.clear()
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._heads.clear()
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def check(self) -> list[str]:
        """Checks the file and its settings."""
        connection = self._connection
        wrong: list[str] = []
        with self._store_errors():
            if connection.pragma("journal_mode") != "wal":
                wrong.append("the journal is not in WAL mode")
            if connection.pragma("synchronous") != SYNCHRONOUS_FULL:
                wrong.append("commits are not synchronous=FULL")
            if connection.pragma("user_version") != len(MIGRATIONS):
                wrong.append("the file's version is not this one's")
        until = time.monotonic() + DOOR
        connection.set_progress_handler(lambda: time.monotonic() > until, 1_000)
        try:
            wrong += _damage(connection)
            self._seen_whole = True
        except apsw.InterruptError:
            pass  # It is a large file; `inspect` does the rest.
        finally:
            connection.set_progress_handler(None)
        return wrong

    def inspect(self) -> list[str]:
        """Inspects a file that was too large for the check on opening."""
        if self._seen_whole:
            return []
        with (
            self._store_errors(),
            closing(apsw.Connection(str(self.path), flags=READING, vfs=self._vfs)) as apart,
        ):
            return _damage(apart)

    def close(self) -> None:
        """Closes the file; a running inspection ends with it."""
        inspecting = self._inspecting
        if inspecting is not None:
            inspecting.interrupt()
        with self._store_errors():
            self._connection.close()


def _damage(connection: apsw.Connection) -> list[str]:
    try:
        sound = connection.pragma("quick_check")
    except apsw.InterruptError:
        raise
    except apsw.Error as problem:
        sound = str(problem)
    return [] if sound == "ok" else [f"the file is damaged: {sound}"]
