"""Backup: copies a whole house from one store to another, as of one moment.

The copy has everything: logs, ledgers, balances, outcomes of commands, snapshots and secrets. It
uses the stores' own interface, so the copy has no gap that a log could not have, and any kind of
store can be copied to any other. A copy is verified like any house, and compared with its source,
before it counts as a backup.
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
"""How many records are written at a time."""
NOT_EMPTY = "the store is not empty: a house is restored where there is none"

Each = TypeVar("Each")
Progress = Callable[[str, int], None]
"""Called with a log and how many of its events are done."""


class Durable(Store, Protocol):
    """A store that outlives the process."""

    def whole(self) -> AbstractContextManager[None]:
        """Everything appended in this context becomes durable together, or not at all."""


class BackupError(NovamasError):
    """Why there is no trustworthy copy."""


class Contents(NamedTuple):
    """A summary of everything that a store has of one log; equal summaries mean equal content."""

    events: int
    head: bytes
    transfers: bytes
    balances: bytes
    outcomes: bytes
    secrets: bytes
    snapshot: tuple[int, bytes] | None


def contents(store: Store, log: str) -> Contents:
    """Summarises a log; the hash of its head stands for all of its events."""
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
    """One hash of many values, independent of their order."""
    total = 0
    for value in values:
        total += int.from_bytes(hashlib.sha256(repr(value).encode()).digest())
    return (total % 2**256).to_bytes(32)


def copy_house(source: Store, target: Store, progress: Progress | None = None) -> None:
    """Copies everything into an empty store; the source must not change meanwhile."""
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
    # A snapshot belongs right after an event, so a batch ends there.
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
    """The transfers of a ledger, read along with the events."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._next = next(entries, None)

    def until(self, seq: int) -> Iterator[Entry]:
        """The transfers of the events up to this one."""
        while self._next is not None and self._next.seq <= seq:
            yield self._next
            self._next = next(self._entries, None)


def _parts(values: Iterator[Each]) -> Iterator[list[Each]]:
    while part := list(islice(values, PART)):
        yield part


def verify_copy(source: Store, copy: Store, progress: Progress | None = None) -> list[Verdict]:
    """Verifies every log of a copy, and compares it with the source."""
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
    """Backs a house up into a file, as of the moment at which it is read.

    The file gets its name once it is complete, verified and durable.
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
    """Restores a backup into an empty store, completely or not at all."""
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
