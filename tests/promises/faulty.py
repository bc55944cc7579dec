"""A disk that fails when the test wants it to: what SQLite is told by a file system that is broken.

It stands between SQLite and the real files, and passes everything on until it is told to fail. The
write-ahead log is where a commit lives or dies, so faults are counted there.
"""

from __future__ import annotations

import itertools
from enum import StrEnum

import apsw

_NAMES = (f"faulty-{number}" for number in itertools.count(1))


class Fault(StrEnum):
    """How a disk fails."""

    WRITE = "a write fails with EIO"
    TORN = "half of a write arrives, then EIO"
    FULL = "no space is left (ENOSPC)"
    SYNC = "fsync fails"
    DEAD = "fsync fails, and everything after it"


class FaultyDisk(apsw.VFS):
    """A file system whose write-ahead logs fail at a chosen write or fsync."""

    def __init__(self) -> None:
        self.name = next(_NAMES)
        super().__init__(self.name, "")
        self.fault: Fault | None = None
        self.left = 0
        """How many more operations of the kind succeed."""
        self.once = False
        """Whether the disk works again after the one failure."""
        self.failures = 0

    def break_down(self, fault: Fault, *, after: int, once: bool) -> None:
        """Lets the disk fail after so many more operations of the kind."""
        self.fault, self.left, self.once = fault, after, once

    def mend(self) -> None:
        """Lets the disk work again."""
        self.fault = None

    def xOpen(  # noqa: N802 - SQLite's own name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        """Opens a file that may fail."""
        return _FaultyFile(self, name, flags)

    def due(self, *kinds: Fault) -> bool:
        """Whether this operation is one that fails."""
        dead = self.fault is Fault.DEAD and self.failures
        if not dead:
            if self.fault not in kinds:
                return False
            if self.left:
                self.left -= 1
                return False
        self.failures += 1
        if self.once:
            self.fault = None
        return True


class _FaultyFile(apsw.VFSFile):
    def __init__(
        self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk = disk
        self._is_log = bool(flags[0] & apsw.SQLITE_OPEN_WAL)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's own name
        if self._is_log:
            fault = self._disk.fault
            if self._disk.due(Fault.WRITE, Fault.TORN, Fault.FULL):
                if fault is Fault.TORN:
                    super().xWrite(data[: len(data) // 2], offset)
                raise apsw.FullError if fault is Fault.FULL else apsw.IOError
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's own name
        if self._is_log and self._disk.due(Fault.SYNC, Fault.DEAD):
            raise apsw.IOError
        super().xSync(flags)
