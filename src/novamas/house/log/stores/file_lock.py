"""Owning a file: one process at a time writes to a store that is a file.

A lock of the system on a file beside the store, `house.db.lock`, says whose the store is. It is let
go when the process ends, however it ends: a file that is left behind binds nobody. Whoever only
reads (a backup, a verification) asks for no lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from novamas.house.log.store import StoreError
from novamas.house.log.stores.sqlite import SqliteStore


class InUseError(StoreError):
    """Another process has the store."""


class OwnedStore(SqliteStore):
    """A store in a file that no other process writes to meanwhile."""

    def __init__(self, path: str | Path) -> None:
        """Takes the file, opens it, and makes it where there is none."""
        self._beside = _beside(Path(path))
        self._lock = _claim(Path(path))
        try:
            super().__init__(path)
        except BaseException:
            self._release()
            raise

    def close(self) -> None:
        """Closes the file, and lets others have it."""
        try:
            super().close()
        finally:
            self._release()

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            # It is taken away while it is held: whoever waited for this one sees that it is gone.
            with contextlib.suppress(OSError):
                self._beside.unlink()
            os.close(lock)


def _beside(path: Path) -> Path:
    """The file of the lock: one for a store, by whichever link it is reached."""
    return Path(f"{os.path.realpath(path)}.lock")


def _claim(path: Path) -> int | None:
    """Takes the lock of a store; None where none can be made, for the store says why itself."""
    beside = _beside(path)
    while True:
        try:
            lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except (OSError, ValueError):
            return None  # There is no such folder, or it may not be written.
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
        os.close(lock)  # Whoever had it before took it away: there is another by now, or none.


def _is(path: Path, descriptor: int) -> bool:
    """Whether a path still names the file that is open."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
