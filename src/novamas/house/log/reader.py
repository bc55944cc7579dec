"""The log reader: a log from its first event to its last, a part at a time, while play goes on.

The store is used by one thread alone. Whoever wants to go through a whole log asks that thread for
a part of it again and again, and does the work elsewhere, so that no stake waits for a reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Protocol

from novamas.house.log.store import Record, Store

PART = 500
"""How many events are read at a time."""


class Log(Protocol):
    """Where events are read."""

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""


class PatientLog:
    """The logs of a store, read through the thread that the store belongs to."""

    def __init__(self, store: Store, thread: Executor) -> None:
        self._store = store
        self._thread = thread

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order; not to be used in the store's own thread."""
        while until is None or after < until:
            end = after + PART if until is None else min(after + PART, until)
            part = self._thread.submit(self._part, table, after, end).result()
            if not part:
                return
            yield from part
            after = part[-1].seq

    def snapshot(self, table: str, *, within: int) -> tuple[int, bytes] | None:
        """The oldest snapshot among the last so many events, or else the newest there is."""
        return self._thread.submit(self._snapshot, table, within).result()

    def _snapshot(self, table: str, within: int) -> tuple[int, bytes] | None:
        since = self._store.head(table).seq - within
        return self._store.snapshot(table, since=max(since, 0)) or self._store.snapshot(table)

    def _part(self, table: str, after: int, until: int) -> list[Record]:
        return list(self._store.read(table, after=after, until=until))
