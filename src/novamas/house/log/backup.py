"""Backup: a whole house copied from one store to another, all of it as of one moment.

What is copied is everything that a house has: logs, ledgers, balances, what became of each command,
snapshots and secrets. It goes through the stores' own doors, so that no copy has a gap that a log
could not have, and it does not matter what either store is made of. A copy is verified like any
house, and held against what it was copied from, before it is called one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from novamas.game.errors import NovamasError
from novamas.house.log.store import Batch, Entry, Store
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import Verdict
from novamas.house.log.verify_house import verify_log

PART = 2_000
"""How much is written at a time."""
NOT_EMPTY = "the store is not empty: a house is restored where there is none"

Each = TypeVar("Each")
Progress = Callable[[str, int], None]
"""Told of a log, and of how many of its events were gone through."""


class Durable(Store, Protocol):
    """A store that outlives the process."""

    def whole(self) -> AbstractContextManager[None]:
        """What is appended meanwhile is durable together, or nothing of it is."""


class BackupError(NovamasError):
    """Why there is no copy that could be trusted."""


class Contents(NamedTuple):
    """All that a store has of one log, in short: two that are equal have the same."""

    events: int
    head: bytes
    transfers: bytes
    balances: bytes
    outcomes: bytes
    secrets: bytes
    snapshot: tuple[int, bytes] | None


def contents(store: Store, log: str) -> Contents:
    """What a store has of a log; the hash of its head stands for all of its events."""
    head = store.head(log)
    return Contents(
        head.seq,
        head.hash,
        _digest(store.entries(log)),
        _digest(store.balances(log).items()),
        _digest(store.outcomes(log)),
        _digest(store.secrets(log)),
        store.snapshot(log),
    )


def _digest(values: Iterable[object]) -> bytes:
    """One hash for many values, in whatever order a store gives them."""
    total = 0
    for value in values:
        total += int.from_bytes(hashlib.sha256(repr(value).encode()).digest())
    return (total % 2**256).to_bytes(32)


def copy_house(source: Store, target: Store, progress: Progress | None = None) -> None:
    """Copies all that a store has to one that has nothing; the first must not move meanwhile."""
    if target.tables():
        raise BackupError(NOT_EMPTY)
    for log in source.tables():
        _copy_events(source, target, log, progress)
        after = target.head(log).seq
        for outcomes in _parts(source.outcomes(log)):
            target.append(Batch(log, after, (), (), tuple(outcomes)))
        for secrets in _parts(source.secrets(log)):
            target.append(Batch(log, after, (), (), (), tuple(secrets)))


def _copy_events(source: Store, target: Store, log: str, progress: Progress | None) -> None:
    remembered, snapshot = source.snapshot(log) or (0, None)
    entries = _Entries(source.entries(log))
    # A snapshot stands right after an event: so a batch ends there.
    for after, until in ((0, remembered), (remembered, None)):
        if until == 0:
            continue
        for records in _parts(source.read(log, after=after, until=until)):
            last = records[-1].seq
            kept = snapshot if last == remembered else None
            moved = tuple(entries.until(last))
            target.append(Batch(log, records[0].seq - 1, tuple(records), moved, (), (), kept))
            if progress is not None:
                progress(log, last)


class _Entries:
    """The transfers of a ledger, taken as far as the events have come."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._next = next(entries, None)

    def until(self, seq: int) -> Iterator[Entry]:
        """The transfers of the events up to one."""
        while self._next is not None and self._next.seq <= seq:
            yield self._next
            self._next = next(self._entries, None)


def _parts(values: Iterator[Each]) -> Iterator[list[Each]]:
    while part := list(islice(values, PART)):
        yield part


def verify_copy(source: Store, copy: Store, progress: Progress | None = None) -> list[Verdict]:
    """Verifies every log of a copy, and that nothing of it differs from the source."""
    verdicts = []
    if list(source.tables()) != list(copy.tables()):
        raise BackupError("the copy has other logs than the house")
    for log in copy.tables():
        verdict = verify_log(copy, log, (), partial(progress, log) if progress else None)
        if not verdict.is_sound:
            raise BackupError(f"{log}: {'; '.join(verdict.problems)}")
        if contents(source, log) != contents(copy, log):
            raise BackupError(f"{log}: the copy is not what the house has")
        verdicts.append(verdict)
    return verdicts


def back_up(
    source: Store,
    path: Path,
    *,
    copying: Progress | None = None,
    verifying: Progress | None = None,
) -> list[Verdict]:
    """Makes a file that is a house: the whole of another, as of the moment at which it is read.

    The file is there once it is whole, verified and durable.
    """
    if path.exists():
        raise BackupError(f"{path} is there already, and is left as it is")
    beside = path.with_name(f"{path.name}.part")
    _remove(beside)
    try:
        with closing(SqliteStore(beside)) as target:
            with target.whole():
                copy_house(source, target, copying)
            verdicts = verify_copy(source, target, verifying)
        _settle(beside)
        beside.rename(path)
        _settle(path.absolute().parent)
    finally:
        _remove(beside)
    return verdicts


def restore(
    source: Store,
    target: Durable,
    *,
    copying: Progress | None = None,
    verifying: Progress | None = None,
) -> list[Verdict]:
    """Makes a house of a backup, in a store that has nothing; all of it or nothing."""
    with target.whole():
        copy_house(source, target, copying)
        return verify_copy(source, target, verifying)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Makes a file, or the names in a folder, durable."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
