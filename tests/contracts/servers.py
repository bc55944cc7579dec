"""Servers of one house on one store, and the ways in which a test cuts one off."""

from typing import cast

from novamas.house.house import House
from novamas.house.leases import Leases
from novamas.house.log.store import Lease, SharedStore
from novamas.house.log.stores.postgres import PostgresStore
from tests.simulated_house.loop import Thread
from tests.simulated_house.store import Connection, Medium

LEASE = 1.5
"""Seconds; leases that run out do so in simulated time."""
LONG = 6.0
"""Seconds, where no lease shall run out: only what is let go or stolen changes its server."""


def server(address: str | Medium, name: str, *, seconds: float = LEASE) -> House:
    """A server of the house, that is not open yet."""
    lease = Lease(name, f"http://{name}.test")
    if isinstance(address, str):
        store = PostgresStore(address)
        return House(store, leases=Leases(store, lease, seconds=seconds))
    there = cast("SharedStore", Connection(address, name))
    return House(there, leases=Leases(there, lease, seconds=seconds), writer=Thread())


def tenancy_of(house: House) -> Leases:
    assert house.leases is not None
    return house.leases


async def die(house: House) -> None:
    """From now on a server looks after nothing, but does not know it; its leases run out."""
    await tenancy_of(house).pause()


def cut_off(witness: PostgresStore, store: PostgresStore) -> None:
    """Ends the connection of a store from the database's side."""
    pid = store._connection.info.backend_pid
    witness._connection.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
