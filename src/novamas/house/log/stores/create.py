"""Creating a store: a failed start leaves no file behind.

A new file gets its name once everything in it is complete. A server opens its file under its own
name, and removes it again if it fails to open and nothing was written.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from novamas.house.log.store import StoreError
from novamas.house.log.stores.addresses import is_shared
from novamas.house.log.stores.file_lock import OwnedStore

BESIDE = ("", "-wal", "-shm", "-journal")
"""The suffixes of SQLite's files."""


@contextmanager
def new_file(address: str) -> Iterator[str]:
    """Yields the address at which to open, write and close a store.

    If the file exists already, or it is a database, that is the address itself. Otherwise it is a
    temporary file beside it, which gets its name on success, and is removed on failure.
    """
    path = Path(address)
    if is_shared(address) or not _can_be_made(path):
        yield address
        return
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        yield str(beside)
        _settle(beside)
        os.link(beside, path)
        _settle(path.absolute().parent)
    except FileExistsError:
        raise StoreError(f"{path} was made by somebody else meanwhile; look at it first") from None
    except StoreError as problem:
        raise StoreError(str(problem).replace(str(beside), str(path))) from None
    finally:
        _remove(beside)


def require_place(address: str) -> None:
    """Refuses a path where no file can be, before asking for anything to put into it."""
    if is_shared(address):
        return
    path = Path(address)
    folder = path.absolute().parent
    if path.is_dir():
        raise StoreError(f"{address or 'a path without a name'} is a folder: a store is a file")
    if not folder.is_dir():
        raise StoreError(f"{path}: there is no folder {folder}")
    if not path.exists() and not os.access(folder, os.W_OK):
        raise StoreError(f"{folder} may not be written by the user who runs this")


def _can_be_made(path: Path) -> bool:
    """Whether there is no such file, but a folder in which it can be created."""
    folder = path.absolute().parent
    with suppress(OSError, ValueError):  # A path cannot contain NUL.
        return not path.exists() and folder.is_dir() and os.access(folder, os.W_OK)
    return False


def _settle(path: Path) -> None:
    """Makes a file, or the names in a folder, durable."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remove(path: Path) -> None:
    for suffix in BESIDE:
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


class Unmade:
    """The files that do not exist when a house starts, to be removed if it fails to open."""

    def __init__(self, store: str | None, keys: Iterable[str | Path], log: str | None) -> None:
        """Notes which files do not exist; `keys` are those that the start creates."""
        self._is_shared = is_shared(store)
        self._store = None if store is None or self._is_shared else Path(store)
        self._made_store = _absent(self._store)
        self._keys = [each for each in map(_absent, keys) if each is not None]
        self._log = _absent(log)

    def take_back(self) -> None:
        """Removes the created files, if they contain nothing."""
        with suppress(OSError):
            if self._log is not None and self._log.stat().st_size == 0:
                self._log.unlink()
        made = [each for each in (self._made_store, *self._keys) if each is not None]
        if self._is_shared or not any(each.exists() for each in made):
            return
        # If the store cannot be opened, another process uses it, and perhaps the keys too.
        with suppress(StoreError, OSError, ValueError):
            if self._store is None or not self._store.exists():
                self._remove_made()
                return
            with closing(OwnedStore(self._store)) as store:
                # Otherwise there is data that was encrypted or signed with the keys.
                if not store.tables():
                    self._remove_made()

    def _remove_made(self) -> None:
        for key in self._keys:
            key.unlink(missing_ok=True)
        if self._made_store is not None:
            _remove(self._made_store)


def _absent(path: str | Path | None) -> Path | None:
    with suppress(OSError, ValueError):
        if path is not None and not Path(path).exists():
            return Path(path)
    return None
