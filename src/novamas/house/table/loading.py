"""Loading a table from its store: the newest snapshot, and the events since."""

from __future__ import annotations

from novamas.house import ledger
from novamas.house.log.codec import decode
from novamas.house.log.hash_chain import follows
from novamas.house.log.store import GENESIS, Store, StoreError
from novamas.house.table import snapshot
from novamas.house.table.batch import Loaded
from novamas.house.table.events import TableSetUp
from novamas.house.table.state import HouseTable, advance


def load_table(store: Store, table: str) -> Loaded:
    """Loads a table from its newest snapshot and the events since, or from the first event.

    Log and balances are read in one transaction. Call it in the store's thread.
    """
    with store.moment():
        return _load(store, table)


def _load(store: Store, table: str) -> Loaded:
    house_table, seq = _remembered(store, table)
    previous = GENESIS
    for record in store.read(table, after=max(seq - 1, 0)):
        if not follows(record, previous if record.seq != seq else record.previous):
            raise StoreError(f"event {record.seq} of {table} is not what was recorded")
        previous = record.hash
        if record.seq == seq:
            continue  # The snapshot was taken right after it.
        state = house_table.state if house_table is not None else None
        event = decode(record.type, record.version, record.payload, state)
        if house_table is None:
            if not isinstance(event, TableSetUp):
                raise StoreError(f"the log of {table} does not begin with its table")
            house_table = HouseTable.fresh(event)
        else:
            advance(house_table, event)
    if house_table is None:
        raise StoreError(f"there is no table {table!r}")
    found = store.balances(table)
    ledger.check(house_table, found)
    return Loaded(house_table, store.head(table), found)


def _remembered(store: Store, table: str) -> tuple[HouseTable | None, int]:
    outcome_of = store.snapshot(table)
    if outcome_of is None:
        return None, 0
    try:
        return snapshot.recall(outcome_of[1]), outcome_of[0]
    except snapshot.SnapshotError:
        return None, 0
