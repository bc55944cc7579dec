"""File locks: one process at a time writes to a store that is a file.

A system lock on a file beside the store, `house.db.lock`, marks the owner. The system releases it
when the process ends in whatever way, so a leftover file blocks nobody. Readers (a backup, a
verification) need no lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from novamas.house.log.store import StoreError
from novamas.house.log.stores.sqlite import SqliteStore


class InUseError(StoreError):
    """Another process uses the store."""


class OwnedStore(SqliteStore):
    """A store in a file that no other process can write to."""

    def __init__(self, path: str | Path) -> None:
        """Locks the file and opens it, or creates it."""
        self._beside = _beside(Path(path))
        self._lock = _claim(Path(path))
        try:
            super().__init__(path)
        except BaseException:
            self._release()
            raise

    def close(self) -> None:
        """Closes the file, and releases the lock."""
        try:
            super().close()
        finally:
            self._release()

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            # It is removed while it is held, so that a process that waited for it sees that it is
            # gone.
            with contextlib.suppress(OSError):
                self._beside.unlink()
            os.close(lock)


def _beside(path: Path) -> Path:
    """The lock file: one for a store, through whichever link it is opened."""
    return Path(f"{os.path.realpath(path)}.lock")


def _claim(path: Path) -> int | None:
    """Takes the lock of a store; None if there can be none: opening the store then says why."""
    beside = _beside(path)
    while True:
        try:
            lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except (OSError, ValueError):
            return None  # There is no such folder, or it is not writable.
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(lock, 32).decode(errors="replace").strip()
            os.close(lock)
            whose = f" (process {holder})" if holder.isdecimal() else ""
            raise InUseError(
                f"{path} is in use by another process{whose}: a file has one server"
            ) from None
        if _is(beside, lock):
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
            return lock
        os.close(lock)  # The previous owner removed it: there is a new file by now, or none.


def _is(path: Path, descriptor: int) -> bool:
    """Whether a path still names the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
