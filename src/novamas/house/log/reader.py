"""The log reader: reads a whole log in parts while play goes on.

Only one thread uses the store. A reader of a whole log asks that thread for one part after the
other, and does its work in its own thread, so that no stake waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Protocol

from novamas.house.log.store import Record, Store

PART = 500
"""How many events are read at a time."""


class Log(Protocol):
    """A source of events."""

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order."""


class PatientLog:
    """The logs of a store, read through the store's thread."""

    def __init__(self, store: Store, thread: Executor) -> None:
        self._store = store
        self._thread = thread

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order; must not be called in the store's thread."""
        while until is None or after < until:
            end = after + PART if until is None else min(after + PART, until)
            part = self._thread.submit(self._part, table, after, end).result()
            if not part:
                return
            yield from part
            after = part[-1].seq

    def snapshot(self, table: str, *, within: int) -> tuple[int, bytes] | None:
        """The oldest snapshot within the last so many events, or else the newest one.

        None if the log has no more events than that: it is read from its first one.
        """
        return self._thread.submit(self._snapshot, table, within).result()

    def _snapshot(self, table: str, within: int) -> tuple[int, bytes] | None:
        since = self._store.head(table).seq - within
        if since <= 0:
            return None
        return self._store.snapshot(table, since=since) or self._store.snapshot(table)

    def _part(self, table: str, after: int, until: int) -> list[Record]:
        return list(self._store.read(table, after=after, until=until))
