"""Batches of events for the tests of a store, and all that a store has of a table."""

from novamas.house.log.codec import Encoded
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Batch, Entry, Head, Outcome, Record, Store
from novamas.table.accounts import Transfer


def records(count: int, *, table: str = "1", after: Head | None = None) -> tuple[Record, ...]:
    """So many events, chained after a head."""
    head = after or Head(0, GENESIS)
    made: list[Record] = []
    for seq in range(head.seq + 1, head.seq + count + 1):
        event = Encoded("BallLaunched", 1, b'{"n":%d}' % seq)
        made.append(link(table, seq, 1000 + seq, event, f"c{seq}", head.hash))
        head = Head(seq, made[-1].hash)
    return tuple(made)


def batch(count: int, *, table: str = "1", after: Head | None = None) -> Batch:
    """Events with a transfer and an outcome each."""
    made = records(count, table=table, after=after)
    return Batch(
        table,
        made[0].seq - 1,
        made,
        tuple(Entry(table, each.seq, Transfer("desk", "purse:ana", each.seq)) for each in made),
        tuple(Outcome(table, f"c{each.seq}", "ana", each.seq, each.seq, b"") for each in made),
    )


def everything(store: Store, table: str = "1") -> tuple[object, ...]:
    """All that a store has of a table."""
    return (
        list(store.tables()),
        store.head(table),
        list(store.read(table)),
        list(store.entries(table)),
        store.balances(table),
        sorted(store.outcomes(table)),
        store.snapshot(table),
        list(store.secrets(table)),
    )


def filled(store: Store) -> tuple[object, ...]:
    """Writes three events to a store and closes it; returns all that it has."""
    store.append(batch(3))
    before = everything(store)
    store.close()
    return before
