"""Store addresses: a SQLite file, a PostgreSQL database, or memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novamas.house.log.store import Store, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from novamas.house.log.stores.postgres import PostgresStore

POSTGRES = ("postgresql://", "postgres://")
"""The prefixes of a database's address; everything else is the path of a file."""
EXTRA = "pip install 'novamas[house,postgres]'"


def require_known(address: str) -> None:
    """Refuses an address that is neither a file nor PostgreSQL."""
    kind, is_address, _ = address.partition("://")
    if is_address and not is_shared(address):
        raise StoreError(f"{kind}://…: a store is a file, or a database at postgresql://…")


def is_shared(address: str | None) -> bool:
    """Whether several servers may use the store."""
    return address is not None and address.startswith(POSTGRES)


def open_store(address: str | None) -> Store:
    """Opens the store of an address, or creates it; in memory if there is no address."""
    return MemoryStore() if address is None else open_durable(address)


def open_durable(address: str, *, read_only: bool = False) -> SqliteStore | PostgresStore:
    """Opens a file or a database; a file that is opened for writing is locked."""
    require_known(address)
    if not is_shared(address):
        if read_only:
            return SqliteStore(address, read_only=True)

        from novamas.house.log.stores.file_lock import OwnedStore

        return OwnedStore(address)
    try:
        from novamas.house.log.stores.postgres import PostgresStore
    except ImportError:  # The driver may be installed without the library that it needs.
        raise StoreError(f"a house on PostgreSQL needs psycopg: {EXTRA}") from None
    return PostgresStore(address, read_only=read_only)
