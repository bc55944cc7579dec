"""A store in memory that takes nothing more once a test says that it is full."""

from __future__ import annotations

from novamas.house.log.store import Batch, StoreError
from novamas.house.log.stores.memory import MemoryStore


class FullStore(MemoryStore):
    """A store that takes nothing more from some moment on."""

    is_full = False

    def append(self, batch: Batch, *others: Batch) -> None:
        if self.is_full:
            raise StoreError("the disk is full")
        super().append(batch, *others)
