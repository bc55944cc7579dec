"""Opens a house's store for reading: its address, its tables, and progress display."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from novamas.cli.arguments import written
from novamas.cli.errors import InputError
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.house.log.store import Store

REGISTER = "register"
"""The name that selects the register's log, unless a table has this name."""
EXTRA = "pip install 'novamas[house]'"


@contextmanager
def house_installed() -> Iterator[None]:
    """Tells the user which extra to install if the packages of the house are missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is not None and missing.name.partition(".")[0] == "novamas":
            raise
        message = f"{missing.name} is not installed: the house comes as an extra"
        raise InputError(message, hint=EXTRA) from None


def hint_for(problem: Exception) -> str:
    """A hint for a store that cannot be used, if there is one."""
    said = str(problem)
    if "NotADBError" in said or "file of another program" in said:
        return "a store is what `novamas house init` or `novamas serve --store` has made"
    if "is in use by another process" in said:
        return "end the house that runs on it first"
    if "CorruptError" in said:
        return "the file is damaged: keep it, and restore the last backup that verifies"
    if said.startswith("PostgreSQL: connection"):
        return "is the database up, and the address right? postgresql://USER@HOST:PORT/DATABASE"
    return ""


def require_store(address: str) -> None:
    """Raises an error for the address of a store that does not exist."""
    with house_installed():
        from novamas.house.log.store import StoreError
        from novamas.house.log.stores.addresses import is_shared, require_known
    try:
        require_known(address)
    except StoreError as problem:
        raise InputError(f"{problem}") from None
    if not is_shared(address) and not Path(address).is_file():
        hint = (
            "make one: novamas serve --local --store FILE, or novamas house init FILE --chief NAME"
        )
        raise InputError(f"{written(address)}: there is no such store", hint=hint)


@contextmanager
def opened(address: str) -> Iterator[Store]:
    """A read-only view of a store as of one moment; a house may run on it meanwhile."""
    require_store(address)
    from novamas.house.log.store import StoreError
    from novamas.house.log.stores.addresses import open_durable

    try:
        store = open_durable(address, read_only=True)
        try:
            yield store
        finally:
            store.close()
    except StoreError as problem:
        raise InputError(f"{problem}", hint=hint_for(problem)) from None


def logs_of(store: Store, wanted: str | None) -> Sequence[str]:
    """The requested log, or all of them: the tables' and the register's."""
    from novamas.house.leases import is_table
    from novamas.house.people.registry import LOG

    known = store.tables()
    if wanted in (LOG, REGISTER) and not (wanted in known and is_table(wanted)):
        if LOG not in known:
            raise InputError("this store has no register: no person was ever registered in it")
        return [LOG]
    return known if wanted is None and known else tables_of(store, wanted)


def tables_of(store: Store, wanted: str | None) -> Sequence[str]:
    """The requested table, or all of them."""
    from novamas.house.leases import is_table

    known = [name for name in store.tables() if is_table(name)]
    if wanted is None:
        if not known:
            hint = "a chief sets one up in the house, or: novamas serve --local --store FILE"
            raise InputError("no table was ever set up in this store", hint=hint)
        return known
    if wanted not in known:
        listed = ", ".join(known) or "none"
        raise InputError(f"there is no table {wanted!r} in this store", hint=f"tables: {listed}")
    return [wanted]


class Steps:
    """The progress of a step that goes through one log after the other."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown: Progress | None = None
        self._log = ""

    def __call__(self, log: str, many: int) -> None:
        """Shows how many events of a log were processed."""
        if self._shown is None or self._log != log:
            self._log, self._shown = log, Progress(log, f"events {self._what}")
        self._shown(many // 1_000 * 1_000)

    def done(self) -> None:
        """Takes the line away."""
        if self._shown is not None:
            self._shown.done()


class Progress:
    """The progress through a long log, on a terminal that can show it."""

    def __init__(self, table: str, what: str = "events") -> None:
        stream = sys.stderr
        self._table = table
        self._what = what
        self._terminal = Terminal.on(stream) if stream is not None and stream.isatty() else None
        self._shown = False

    def __call__(self, many: int) -> None:
        """Shows how many were processed."""
        if self._terminal is not None and many % 1_000 == 0:
            self._shown = True
            said = self._terminal.fit(f"{self._table}: {many:,} {self._what} …")
            self._terminal.out.write(f"\r{said}")
            self._terminal.out.flush()

    def done(self) -> None:
        """Takes the line away."""
        if self._terminal is not None and self._shown:
            self._terminal.out.write("\r\x1b[K")
            self._terminal.out.flush()
