"""Several servers on one store: who serves a table, and what happens when a server is gone."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from novamas.house.clock import ManualClock, monotonic
from novamas.house.house import House, SelfCheckError, TableExistsError
from novamas.house.leases import NoTableError
from novamas.house.log.store import Lease
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.verify import verify_table
from novamas.house.table.actor import TableActor, TableStoppedError
from novamas.house.table.answers import Answer
from novamas.house.table.events import BallMode
from novamas.house.views.event_view import Audience
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from tests.contracts.servers import LEASE, LONG, cut_off, die, server, tenancy_of
from tests.simulated_house.scene import simulated
from tests.simulated_house.store import Held, Medium

SOON = 10.0
"""Seconds within which anything that shall happen happens, also on a busy machine."""

ids = (f"c{number}" for number in itertools.count(1))


def played(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


@asynccontextmanager
async def opened(
    address: str | Medium, *names: str, seconds: float = LEASE
) -> AsyncIterator[list[House]]:
    """Servers of one house, one after the other."""
    async with AsyncExitStack() as stack:
        houses = []
        for name in names:
            house = server(address, name, seconds=seconds)
            stack.push_async_callback(house.close)
            await house.open()
            houses.append(house)
        yield houses


async def until(condition: Callable[[], bool]) -> float:
    """Waits for something, and tells how long it took."""
    began = monotonic()
    while not condition():
        assert monotonic() - began < SOON
        await asyncio.sleep(0.01)
    return monotonic() - began


async def sit(actor: TableActor, name: str, id: str | None = None) -> Answer:
    return await actor.submit(id or next(ids), commands.Sit(by=name))


async def set_up(house: House, table: str = "1") -> TableActor:
    actor = await house.set_up(table, "bg", Setup(), ball=BallMode.WHEEL)
    for command in (
        commands.TakePost(by="croupier 1", post="croupier"),
        commands.TakePost(by="inspector 1", post="inspector"),
        commands.OpenTable(by=MANAGEMENT),
    ):
        assert (await actor.submit(next(ids), command)).refusal is None
    return actor


def test_the_first_serves_what_is_there_and_the_second_knows_where() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one", "other") as (one, other):
            await set_up(one)
            await set_up(other, "2")
            await asyncio.sleep(100 * LEASE)
            assert list(one.tables) == ["1"]
            assert list(other.tables) == ["2"]
            there = await tenancy_of(other).where("1")
            assert there == Lease("one", "http://one.test")
            with pytest.raises(NoTableError):
                await tenancy_of(other).where("3")
            ((house_table, lease),) = await tenancy_of(one).others()
            assert (house_table.table, lease) == ("2", Lease("other", "http://other.test"))

    simulated(scene)


def test_who_ends_in_order_is_followed_at_once() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one", "other", seconds=12) as (one, other):
            actor = await set_up(one)
            assert (await sit(actor, "ana")).refusal is None
            taken: list[str] = []

            async def note(actor: TableActor) -> None:
                taken.append(actor.house_table.table)

            tenancy_of(other).on_taken = note
            await one.stop()
            assert await until(lambda: "1" in other.tables) < 3  # A lease would last for 12.
            assert "ana" in other.tables["1"].house_table.state.players
            await until(lambda: taken == ["1"])
            assert tenancy_of(other).takeovers == 1

    simulated(scene)


def test_who_dies_is_followed_when_his_lease_has_run_out() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one", "other") as (one, other):
            actor = await set_up(one)
            assert (await sit(actor, "ana", "first")).refusal is None
            await die(one)
            assert await until(lambda: "1" in other.tables) < 2 * LEASE
            successor = other.tables["1"]
            # What was answered stays answered, and what comes again does not happen again.
            again = await sit(successor, "ana", "first")
            assert (again.refusal, again.last) == (None, 5)
            assert (await sit(successor, "luis")).refusal is None
            # The dead server writes nothing more, and no client hears otherwise.
            with pytest.raises(TableStoppedError, match="another server"):
                await sit(actor, "eva")
            verdict = verify_table(other.store, "1")
            assert verdict.problems == []
            assert verdict.events == 6

    simulated(scene)


def test_who_lost_his_table_puts_it_down_at_once() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one") as (one,):
            actor = await set_up(one)
            _, follower = await actor.follow(audience=Audience.PUBLIC)
            lost: list[str] = []

            async def note(table: str) -> None:
                lost.append(table)

            tenancy_of(one).on_lost = note
            thief = Lease("thief", "http://thief.test")
            medium.leases["1"] = Held(medium.leases["1"].epoch + 1, thief, 3600.0)
            assert await until(lambda: "1" not in one.tables) < LEASE
            assert actor.failed == "another server serves this table now"
            assert follower.dropped
            assert lost == ["1"]
            assert tenancy_of(one).losses == 1
            there = await tenancy_of(one).where("1")
            assert there == thief

    simulated(scene)


def test_a_store_that_was_out_of_reach_is_taken_up_again(database: str) -> None:
    """On a real PostgreSQL, since it is its connection that is lost and made anew."""

    async def scene() -> None:
        async with opened(database, "one", seconds=LONG) as (one,):
            actor = await set_up(one)
            assert (await sit(actor, "ana")).refusal is None
            assert isinstance(one.store, PostgresStore)
            witness = PostgresStore(database)
            cut_off(witness, one.store)
            with pytest.raises(TableStoppedError, match="the store failed"):
                await sit(actor, "luis", "luis sits")
            # It is the same server, and need not wait until its own lease has run out.
            assert await until(lambda: one.tables.get("1") not in (None, actor)) < 5
            assert (await sit(one.tables["1"], "luis", "luis sits")).refusal is None
            assert verify_table(witness, "1").problems == []
            witness.close()

    played(scene)


def test_a_store_that_says_nothing_is_as_good_as_none() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one") as (one,):
            actor = await set_up(one)
            at_once, medium.loop.takes = medium.loop.takes, lambda _: 3 * LEASE
            blocked = asyncio.create_task(one.blocking(lambda: None))
            await asyncio.sleep(0)
            medium.loop.takes = at_once
            assert await until(lambda: actor.failed is not None) < 3 * LEASE
            assert "1" not in one.tables
            await blocked
            await until(lambda: one.tables.get("1") not in (None, actor))

    simulated(scene)


def test_a_table_is_set_up_once() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one", "other") as (one, other):
            both = await asyncio.gather(set_up(one), set_up(other), return_exceptions=True)
            assert sum(isinstance(each, TableExistsError) for each in both) == 1
            assert len(one.tables) + len(other.tables) == 1
            for house in (one, other):
                with pytest.raises(TableExistsError):
                    await set_up(house)
            await asyncio.sleep(100 * LEASE)
            assert len(one.tables) + len(other.tables) == 1

    simulated(scene)


def test_a_table_that_cannot_be_loaded_does_not_hold_up_the_others() -> None:
    async def scene(medium: Medium) -> None:
        async with opened(medium, "one", "other") as (one, other):
            await set_up(one, "bad")
            await set_up(one, "good")
            await die(one)
            medium.damage("bad", 2, b"x")
            await until(lambda: "good" in other.tables)
            await asyncio.sleep(100 * LEASE)
            assert list(other.tables) == ["good"]
            assert (await sit(other.tables["good"], "ana")).refusal is None
            assert await tenancy_of(other).where("bad") is None

    simulated(scene)


def test_a_server_that_refuses_to_start_says_why(database: str) -> None:
    async def scene() -> None:
        house = server(database, "one")
        house.clock = ManualClock(0)
        try:
            with pytest.raises(SelfCheckError, match="the clock is wrong"):
                await house.open()
        finally:
            await house.close()

    played(scene)


def test_logs_that_are_no_tables_are_left_alone(database: str) -> None:
    async def scene() -> None:
        async with opened(database, "one") as (one,):
            await set_up(one)
            await set_up(one, "*people")
            await one.stop()
            async with opened(database, "other") as (other,):
                assert list(other.tables) == ["1"]
                assert await tenancy_of(other).others() == []
                with pytest.raises(NoTableError):
                    await tenancy_of(other).where("*people")

    played(scene)
