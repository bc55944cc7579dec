"""Loading a table from its store: the newest memento, and the events since."""

from __future__ import annotations

from novamas.house import ledger, memento
from novamas.house.chain import follows
from novamas.house.codec import decode
from novamas.house.events import TableSetUp
from novamas.house.hall import Hall, advance
from novamas.house.store import GENESIS, Store, StoreError
from novamas.house.work import Loaded


def load_table(store: Store, table: str) -> Loaded:
    """A table from its newest memento and the events since; or from the first event on.

    Log and balances are read as of one moment: for the thread that the store belongs to.
    """
    with store.moment():
        return _load(store, table)


def _load(store: Store, table: str) -> Loaded:
    hall, seq = _remembered(store, table)
    previous = GENESIS
    for record in store.read(table, after=max(seq - 1, 0)):
        if not follows(record, previous if record.seq != seq else record.previous):
            raise StoreError(f"event {record.seq} of {table} is not what was recorded")
        previous = record.hash
        if record.seq == seq:
            continue  # The memento stands right after it.
        state = hall.state if hall is not None else None
        event = decode(record.type, record.version, record.payload, state)
        if hall is None:
            if not isinstance(event, TableSetUp):
                raise StoreError(f"the log of {table} does not begin with its table")
            hall = Hall.fresh(event)
        else:
            advance(hall, event)
    if hall is None:
        raise StoreError(f"there is no table {table!r}")
    found = store.balances(table)
    ledger.check(hall, found)
    return Loaded(hall, store.head(table), found)


def _remembered(store: Store, table: str) -> tuple[Hall | None, int]:
    kept = store.snapshot(table)
    if kept is None:
        return None, 0
    try:
        return memento.recall(kept[1]), kept[0]
    except memento.MementoError:
        return None, 0
