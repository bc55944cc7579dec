"""The store for many servers: PostgreSQL, in a schema of its own, with a lease on each table.

A batch is one transaction in one round trip, and durable when PostgreSQL confirms it. Several
servers may use one database: each table belongs to the server that holds its lease, and the
database itself refuses the writes of all others, however late they arrive.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, LiteralString

import psycopg
from psycopg import errors

from novamas.house.ledger import balances
from novamas.house.log.store import (
    NO_STORE,
    OLDER,
    SNAPSHOTS,
    Batch,
    ConflictError,
    Lease,
    LeaseLostError,
    StoreError,
    require_next,
    require_seeds,
)
from novamas.house.log.stores.postgres_schema import MIGRATIONS
from novamas.house.log.stores.postgres_tls import cautions, require_private, require_was_private
from novamas.house.log.stores.sql import Dialect, Kind, SqlStore, Statements, as_json

log = logging.getLogger(__name__)

APPLICATION = "novamas"
"""The application name of every connection of the house."""
DURABLE = {"fsync": "on", "full_page_writes": "on"}
"""Settings that the server must have for durability."""
SYNCHRONOUS = frozenset(("on", "remote_apply", "remote_write", "local"))
LEASE_LOST = "NV001"
PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""Timeouts of an unresponsive database: seconds, and milliseconds for TCP."""
BOUNDED: LiteralString = "SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = '10s'"
"""A server that hangs in the middle of a commit does not keep its table locked."""


COLUMNS: dict[Kind, LiteralString] = {
    "text": "json_array_elements_text(%s)",
    "number": "json_array_elements_text(%s)::bigint",
    "bytes": "decode(json_array_elements_text(%s), 'base64')",
}
"""A column of many rows, sent as one JSON array: the driver's own arrays are far slower."""


def _columns(columns: Sequence[Kind]) -> LiteralString:
    """Rows of one table of the house, whose name is sent once."""
    return f"SELECT %s, {', '.join(COLUMNS[kind] for kind in columns[1:])}"


POSTGRES = Dialect(
    schema="novamas.",
    value="%s",
    rows=_columns,
    # Look each up by its key: otherwise the planner may scan them all.
    known="SELECT found.* FROM (SELECT DISTINCT json_array_elements_text(%s)) AS asked (command),"
    " LATERAL (SELECT * FROM novamas.outcomes AS kept WHERE kept.command = asked.command"
    " AND kept.tbl = %s OFFSET 0) AS found",
)


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database."""

    statements = Statements(POSTGRES)

    def __init__(self, address: str, *, read_only: bool = False) -> None:
        """Connects, and creates the schema if there is none; `read_only` changes nothing."""
        super().__init__()
        self._address = address
        self._read_only = read_only
        self._held: dict[str, int | None] = {}
        """Table → the epoch of the lease that this store holds; None once lost or released."""
        self._connect()

    def _connect(self) -> None:
        with self._store_errors():
            require_private(self._address)
            self._connection = psycopg.connect(
                self._address,
                autocommit=not self._read_only,
                application_name=APPLICATION,
                **PATIENCE,
            )
        try:
            with self._store_errors():
                require_was_private(self._connection.pgconn)
                self._open(read_only=self._read_only)
        except StoreError:
            self._connection.close()
            raise

    def reconnect(self) -> None:
        """Reconnects after the database was unreachable; no lease is held any more."""
        self._connection.close()
        self._heads.clear()
        self._held = dict.fromkeys(self._held)
        self._connect()

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """Turns the driver's errors into `StoreError`, without the address of the database."""
        try:
            yield
        except psycopg.Error as problem:
            raise StoreError(_describe_error(problem)) from None

    def _open(self, *, read_only: bool) -> None:
        if read_only:
            # Everything read is of one moment, whatever a running house writes.
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            done = self._version()
            if done != len(MIGRATIONS):
                raise StoreError(f"the database {OLDER if done else NO_STORE}")
            return
        self._connection.execute(BOUNDED)
        with self._connection.transaction():
            # If several servers start at once, one of them creates the schema.
            self._connection.execute("SELECT pg_advisory_xact_lock(hashtext('novamas'))")
            done = self._version()
            if done == len(MIGRATIONS):
                return
            if not done:
                self._connection.execute("CREATE SCHEMA novamas")
                self._connection.execute("CREATE TABLE novamas.version (done INTEGER NOT NULL)")
                self._connection.execute("INSERT INTO novamas.version VALUES (0)")
            for migration in MIGRATIONS[done:]:
                self._connection.execute(migration)
            self._connection.execute("UPDATE novamas.version SET done = %s", (len(MIGRATIONS),))

    def _version(self) -> int:
        """How many migrations were applied; refuses a schema of another program."""
        if self._one("SELECT 1 FROM pg_namespace WHERE nspname = 'novamas'") is None:
            return 0
        if self._one("SELECT to_regclass('novamas.version')") == (None,):
            raise StoreError("the database has a schema novamas of another program")
        row = self._one("SELECT done FROM novamas.version")
        done = int(row[0]) if row is not None else 0
        if done > len(MIGRATIONS):
            raise StoreError(f"the schema was written by a newer version of the house ({done})")
        return done

    def _fetch(self, query: LiteralString, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    def _one(self, query: LiteralString, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        return self._connection.execute(query, values).fetchone()

    # Appending ------------------------------------------------------------------------------

    def append(self, batch: Batch, *others: Batch) -> None:
        """Makes batches durable in one transaction, each under the lease of its log."""
        batches = (batch, *others)
        for each in batches:
            if self._held.get(each.table, 0) is None:
                raise _lease_lost(each.table, f"the lease of {each.table} is not held any more")
            if each.table in self._heads and self._heads[each.table].seq != each.after:
                # Other servers also write to a log without a lease.
                del self._heads[each.table]
            require_next(each, self.head(each.table))
            require_seeds(self, each)
        try:
            with self._connection.pipeline(), self._connection.transaction():
                for each in batches:
                    self._write(each)
        except errors.UniqueViolation:
            self._forget(batches)
            with self._store_errors():
                for each in batches:
                    require_next(each, self.head(each.table))
            raise ConflictError(f"a command of {batch.table} came twice", log=batch.table) from None
        except psycopg.Error as problem:
            self._forget(batches)
            if problem.sqlstate == LEASE_LOST:
                self._held[batch.table] = None
                raise _lease_lost(batch.table, _describe_error(problem)) from None
            raise StoreError(_describe_error(problem)) from None
        self._remember(batches)

    def _write(self, batch: Batch) -> None:
        run, table, execute = self.statements, batch.table, self._connection.execute
        if table in self._held:
            execute("SELECT novamas.require_lease(%s, %s)", (table, self._held[table]))
        if batch.records:
            _, *columns = zip(*batch.records, strict=True)
            execute(run.insert_records, (table, *map(as_json, columns)))
        if batch.entries:
            seqs = [entry.seq for entry in batch.entries]
            moves = zip(*(entry.transfer for entry in batch.entries), strict=True)
            places = range(len(seqs))
            execute(run.insert_entries, (table, *map(as_json, (seqs, places, *moves))))
            moved = balances(entry.transfer for entry in batch.entries)
            execute(run.add_to_balances, (table, as_json(moved), as_json(moved.values())))
        if batch.outcomes:
            _, *columns = zip(*batch.outcomes, strict=True)
            execute(run.insert_outcomes, (table, *map(as_json, columns)))
        for chain, secret in batch.secrets:
            execute(run.insert_secret, (table, chain, secret))
        for chain, secret in batch.resealed:
            execute(run.reseal_secret, (secret, table, chain))
        if batch.snapshot is not None:
            execute(run.put_snapshot, (table, batch.last, batch.snapshot))
            execute(run.delete_old_snapshots, (table, table, SNAPSHOTS))

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Everything appended in this context becomes durable together, or not at all."""
        self._heads.clear()
        try:
            with self._store_errors(), self._connection.transaction():
                # Another restore, or the first start of a house, waits here and then finds this
                # one.
                self._connection.execute("LOCK novamas.records IN SHARE ROW EXCLUSIVE MODE")
                yield
        except BaseException:
            self._heads.clear()
            raise

    # Reading --------------------------------------------------------------------------------

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Everything read in this context is of one moment."""
        if self._read_only:
            yield  # A read-only store is of one moment anyway.
            return
        self._heads.clear()
        with self._store_errors(), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield
        # Others may have written since to logs without a lease.
        self._heads.clear()

    # Leases ---------------------------------------------------------------------------------

    def take_lease(self, table: str, lease: Lease, *, seconds: float) -> bool:
        """Takes the lease of a table that nobody holds, or whose lease has expired.

        The database's clock decides, so that a server's wrong clock does no harm. A server that
        takes its own table again is fenced off from its own earlier writes.
        """
        row = None
        # A server in the middle of a commit keeps its table.
        with self._store_errors(), suppress(errors.LockNotAvailable):
            row = self._one(
                "INSERT INTO novamas.leases AS held"
                " VALUES (%s, 1, %s, %s, clock_timestamp() + %s * interval '1 second')"
                " ON CONFLICT (tbl) DO UPDATE SET epoch = held.epoch + 1, owner = excluded.owner,"
                " address = excluded.address, until = excluded.until"
                " WHERE held.until < clock_timestamp() OR held.owner = excluded.owner"
                " RETURNING epoch",
                (table, lease.owner, lease.address, seconds),
            )
        if row is None:
            return False
        self._held[table] = row[0]
        # The previous owner may have written since this store looked.
        self._heads.pop(table, None)
        return True

    def renew_leases(self, *, seconds: float) -> set[str]:
        """Renews the leases that this store holds; returns the tables that were lost."""
        held = {name: epoch for name, epoch in self._held.items() if epoch is not None}
        with self._store_errors():
            rows = self._connection.execute(
                "UPDATE novamas.leases SET until = clock_timestamp() + %s * interval '1 second'"
                " FROM unnest(%s::text[], %s::bigint[]) AS mine (name, held)"
                " WHERE tbl = name AND epoch = held RETURNING tbl",
                (seconds, list(held), list(held.values())),
            ).fetchall()
        lost = held.keys() - {name for (name,) in rows}
        for name in lost:
            self._held[name] = None
            self._heads.pop(name, None)
        return lost

    def release_lease(self, table: str) -> None:
        """Releases the lease of a table, for any server to take at once."""
        epoch = self._held.get(table)
        if epoch is not None:
            self._held[table] = None
            with self._store_errors():
                self._connection.execute(
                    "UPDATE novamas.leases SET until = '-infinity' WHERE tbl = %s AND epoch = %s",
                    (table, epoch),
                )

    def lease(self, table: str) -> Lease | None:
        """The present lease of a table, by the database's clock."""
        with self._store_errors():
            row = self._one(
                "SELECT owner, address FROM novamas.leases"
                " WHERE tbl = %s AND until >= clock_timestamp()",
                (table,),
            )
        return Lease(*row) if row else None

    def leases(self) -> dict[str, Lease]:
        """The present lease of each table."""
        with self._store_errors():
            rows = self._connection.execute(
                "SELECT tbl, owner, address FROM novamas.leases WHERE until >= clock_timestamp()"
            )
            return {table: Lease(owner, address) for table, owner, address in rows}

    # The database itself ----------------------------------------------------------------------

    def check(self) -> list[str]:
        """Checks the database and its settings."""
        with self._store_errors():
            wrong = [
                f"the database has {name}={found}"
                for name, wanted in DURABLE.items()
                if (found := self._setting(name)) != wanted
            ]
            if self._setting("synchronous_commit") not in SYNCHRONOUS:
                wrong.append("the database acknowledges commits before they are durable")
            if self._version() != len(MIGRATIONS):
                wrong.append("the schema's version is not this one's")
            for caution in cautions(self._connection):
                log.warning(caution)
        return wrong

    def others(self) -> int:
        """How many other connections of the house there are to this database."""
        with self._store_errors():
            row = self._one(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND application_name = %s AND pid <> pg_backend_pid()",
                (APPLICATION,),
            )
        return int(row[0]) if row else 0

    def _setting(self, name: str) -> str | None:
        row = self._one("SELECT current_setting(%s)", (name,))
        return row[0] if row else None

    def inspect(self) -> list[str]:
        """PostgreSQL checks its own files."""
        return []

    def close(self) -> None:
        """Releases every lease, and closes the connection."""
        try:
            for table in tuple(self._held):
                self.release_lease(table)
        except StoreError:
            pass  # The leases expire by themselves.
        finally:
            self._connection.close()


def _lease_lost(table: str, problem: str) -> LeaseLostError:
    return LeaseLostError(problem, log=table)


def _describe_error(problem: psycopg.Error) -> str:
    """The database's message in one line."""
    first_line = str(problem).strip().partition("\n")[0] or type(problem).__name__
    return f"PostgreSQL: {first_line}"
