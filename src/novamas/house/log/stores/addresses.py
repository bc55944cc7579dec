"""Which store an address is: a file of SQLite, a database of PostgreSQL, or memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from novamas.house.log.store import Store, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from novamas.house.log.stores.postgres import PostgresStore

POSTGRES = ("postgresql://", "postgres://")
"""How the address of a database begins; everything else is the path of a file."""
EXTRA = "pip install 'novamas[house,postgres]'"


def require_known(address: str) -> None:
    """Refuses the address of what is neither a file nor a PostgreSQL."""
    kind, is_address, _ = address.partition("://")
    if is_address and not is_shared(address):
        raise StoreError(f"{kind}://…: a store is a file, or a database at postgresql://…")


def is_shared(address: str | None) -> bool:
    """Whether several servers may use what is there."""
    return address is not None and address.startswith(POSTGRES)


def open_store(address: str | None) -> Store:
    """The store of an address, made where there is none; in memory where there is no address."""
    return MemoryStore() if address is None else open_durable(address)


def open_durable(address: str, *, read_only: bool = False) -> SqliteStore | PostgresStore:
    """The file or the database of an address; a file that is written is taken from all others."""
    require_known(address)
    if not is_shared(address):
        if read_only:
            return SqliteStore(address, read_only=True)

        from novamas.house.log.stores.file_lock import OwnedStore

        return OwnedStore(address)
    try:
        from novamas.house.log.stores.postgres import PostgresStore
    except ImportError:  # The driver may be there without the library that it needs.
        raise StoreError(f"a house on PostgreSQL needs psycopg: {EXTRA}") from None
    return PostgresStore(address, read_only=read_only)
