"""Several servers of one house: whoever comes to the wrong one is told where to go."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from novamas.house.ball import verify_ball
from novamas.house.ball.seeds import BallSource
from novamas.house.encryption import SealingKey
from novamas.house.log.checkpoints import Checkpoints
from novamas.house.log.store import Lease, SharedStore
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.verify import verify_table
from novamas.house.log.verify_house import verify_log
from novamas.house.people.events import Post as Role
from novamas.house.people.registry import LOG
from novamas.house.table.commands import GiveTip
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.web.client import ProblemError, TableClient
from novamas.web.server import LocalHouse, Options, Parts
from novamas.web.socket_schema import socket_schema
from tests.cli.running import bad, good, novamas
from tests.contracts.servers import LEASE, LONG, die
from tests.postgres import Postgres
from tests.simulated_house.clock import Machine
from tests.simulated_house.loop import Thread
from tests.simulated_house.scene import simulated
from tests.simulated_house.store import Connection, Held, Medium
from tests.web.door import run
from tests.web.serving import Served, served
from tests.web.several_doors import doors, until

ONE = "http://one.test"

TRY_AGAIN = 1013
"""The close code of a server that asks a client to come back."""


# Told where to go ---------------------------------------------------------------------------------


@run
async def test_http_shows_the_way_to_the_server_of_a_table(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("mesa 1", "es")
        staff = other.bearer(Role.CROUPIER)
        for path in ("", "/events?after=2&most=5", "/coups", "/why", "/payments", "/export"):
            asked = f"/api/tables/mesa%201{path}"
            answer = await other.http.get(asked, headers=staff)
            assert answer.status_code == 307
            assert answer.headers["Location"] == f"{ONE}{asked}"
            assert "another server" in answer.json()["detail"]
        assert (await one.http.get("/api/tables/mesa%201")).status_code == 200
        nowhere = await other.http.get("/api/tables/none")
        assert nowhere.status_code == 404
        assert nowhere.json() == {
            "detail": "there is no table 'none'",
            "why": "no_such_thing",
        }


@run
async def test_a_table_that_nobody_serves_yet_is_worth_another_try(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("1", "es")
        await die(other.house)
        await one.house.stop()
        answer = await other.http.get("/api/tables/1")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "1"
        closed = await other.socket("1").end_of_hello()
        assert closed.code == 1013


@run
async def test_a_socket_is_let_in_and_shown_the_way(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("1", "es")
        closed = await other.socket("1", token=ONE).end_of_hello()
        assert (closed.code, closed.reason) == (4421, ONE)
        assert (await other.socket("2").end_of_hello()).code == 4404
        assert "4421" in socket_schema()["closes"]


@run
async def test_the_tables_of_the_house_are_listed_with_where_they_are(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("1", "es")
        await other.set_up("2", "it")
        first, second = (await other.http.get("/api/tables")).json()
        assert (first["table"], first["at"], first["phase"]) == ("1", ONE, None)
        assert (first["rulebook"], first["chip"], first["out_of_play"]) == ("es", 10, None)
        assert (second["table"], second["at"], second["phase"]) == ("2", None, "betting")
        await die(other.house)
        await one.house.stop()
        first, _ = (await other.http.get("/api/tables")).json()
        assert (first["at"], first["out_of_play"]) == (None, "no server serves it yet")


def test_what_was_under_way_when_a_table_moved_is_asked_again_elsewhere() -> None:
    async def scene(medium: Medium) -> None:
        async with doors(medium, "one", "other", lease=LEASE) as (one, other):
            await one.set_up("1", "bg")
            ana = one.session(Role.PLAYER, "ana")
            async with one.socket("1", ana) as socket:
                await socket.must("Sit")
                await die(one.house)
                await until(lambda: "1" in other.house.tables)
                socket.ask("StepAway", under="away")
                closed = await socket.end()
                # Nobody was told that it did not happen: the next server says what came of it.
                assert closed.code == 1013
                assert [event["type"] for event in socket.events] == ["PlayerSat"]
            again = other.session(Role.PLAYER, "ana")
            async with other.socket("1", again, after=socket.events[-1]["seq"]) as socket:
                assert (await socket.must("StepAway", under="away"))["ack"] == "away"

    simulated(scene)


def test_the_dealer_comes_with_the_table_and_leaves_with_it() -> None:
    def local(medium: Medium, name: str, *, tables: bool) -> LocalHouse:
        shared = "postgresql://simulated"
        parts = Parts(
            store=cast("SharedStore", Connection(medium, name)),
            clock=Machine(medium.loop).clock(),
            source=BallSource(key=key),
            writer=Thread(),
        )
        address = f"http://{name}.test"
        return LocalHouse(Options(store=shared, tables=tables, lease=LONG, address=address), parts)

    key = SealingKey()

    async def scene(medium: Medium) -> None:
        one, other = local(medium, "one", tables=False), local(medium, "other", tables=True)
        try:
            await other.open()
            assert sorted(other.croupiers) == sorted(HOUSES)
            await one.open()
            assert one.croupiers == {}
            await other.close()
            await until(lambda: sorted(one.croupiers) == sorted(HOUSES))
            assert all(actor.failed is None for actor in one.house.tables.values())
            thief = Lease("thief", "http://thief.test")
            for table, held in medium.leases.items():
                medium.leases[table] = Held(held.epoch + 1, thief, held.until)
            await until(lambda: one.croupiers == {})
        finally:
            await one.close()

    simulated(scene)


@run
async def test_every_server_witnesses_the_register_that_they_share(
    database: str, tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("one", "other")]
    one, other = (
        LocalHouse(Options(store=database, tables=False, lease=LONG, checkpoints=str(file)))
        for file in files
    )
    try:
        await one.open()
        await other.open()
        await one.people.guest("ana")
        await other.people.guest("luis")
    finally:
        await other.close()
        await one.close()
    store = PostgresStore(database)
    for file in files:
        assert verify_log(store, LOG, Checkpoints(file).read()).unwitnessed == 0
    last = store.head(LOG).seq
    store._connection.execute(
        "DELETE FROM novamas.records WHERE tbl = %s AND seq = %s", (LOG, last)
    )
    for file in files:
        assert verify_log(store, LOG, Checkpoints(file).read()).problems
    store.close()


# The client ---------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """Two servers of one house, of which the first serves every table."""

    database: str
    owner: Served
    other: Served

    async def renew(self, url: str) -> str:
        async with httpx.AsyncClient(base_url=url) as http:
            try:
                answer = await http.post("/api/guests", json={"name": "ana"})
            except httpx.HTTPError as problem:
                raise ProblemError(str(problem)) from None
        if answer.status_code != 201:
            raise ProblemError(answer.text)
        return str(answer.json()["token"])


@pytest.fixture(scope="module")
def pair(postgres_server: Postgres) -> Iterator[Pair]:
    database = postgres_server.database()
    with served(database) as owner, served(database) as other:
        yield Pair(database, owner, other)
    postgres_server.give_back(database)


def test_the_client_follows_and_loses_nothing(database: str) -> None:
    with served(database) as owner, served(database) as other:
        pair = Pair(database, owner, other)
        asyncio.run(asyncio.wait_for(follow(pair), 60))
    store = PostgresStore(database, read_only=True)
    verdict = verify_table(store, "bg")
    assert verdict.problems == []
    laid = [r.command for r in store.read("bg") if r.type == "TipGiven"]
    assert laid == [f"n{number}" for number in range(40)]
    store.close()
    assert pair.other.complained == []


async def follow(pair: Pair) -> None:
    """Begins at the wrong server, is shown the way, and goes on when the right one closes."""
    url = pair.other.url
    client = TableClient(url, "bg", await pair.renew(url), renew=pair.renew)
    seen: list[int] = []
    async with client:
        first = client.table["seq"]
        assert (await client.give(commands.Sit(by="ana"))).is_accepted
        bought = commands.BuyChips(by="ana", player="ana", amount=10_000)
        assert (await client.give(bought)).is_accepted
        for number in range(40):
            if number == 20:
                ending = asyncio.create_task(asyncio.to_thread(pair.owner.end, signal.SIGTERM))
            tip = GiveTip(by="ana", amount=1)
            assert (await client.give(tip, id=f"n{number}")).is_accepted
        assert await ending == 0
        last = client.seq
        async for message in client.messages():
            seen.append(message.seq)
            if message.seq >= last:
                break
    assert seen == list(range(first + 1, last + 1))
    # Whoever took the table over committed itself to a chain of its own.
    assert client.nonces is not None
    found = verify_ball.verdict(client.nonces.proof(), [], "bg")
    assert found["problems"] == []
    assert found["chains"]["taken_up"] == 1


def test_who_knows_several_servers_needs_only_one_that_is_there(pair: Pair) -> None:
    async def come() -> None:
        urls = ["http://127.0.0.1:9", pair.other.url]
        async with TableClient(urls[0], "es", None, servers=urls) as client:
            assert client.table["table"] == "es"

    asyncio.run(come())


def test_a_browser_s_socket_hears_where_to_go(pair: Pair) -> None:
    async def come() -> None:
        address = pair.other.url.replace("http", "ws", 1) + "/api/tables/es/socket"
        for _ in range(60):
            async with connect(address, proxy=None) as socket:
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
            if socket.close_code != TRY_AGAIN:
                break
            # On a machine that stalled no server has the table for a moment: it says to come back.
            await asyncio.sleep(0.5)
        assert (socket.close_code, socket.close_reason) == (4421, pair.owner.url)

    asyncio.run(come())


# The commands -------------------------------------------------------------------------------------


def test_what_looks_at_a_store_looks_at_a_database_too(pair: Pair) -> None:
    database = pair.database  # The house goes on meanwhile.
    verdicts = json.loads(good("verify", "log", database, "--json"))["logs"]
    assert sorted(each["table"] for each in verdicts) == sorted((LOG, *HOUSES))
    assert all(each["sound"] for each in verdicts)
    assert "summing to zero" in good("verify", "ledger", database, "es")
    assert "coups are as they were committed to" in good("verify", "ball", database, "it")
    assert "there is no table 'none'" in bad("verify", "ball", database, "none")


def test_a_server_is_reached_under_the_name_that_it_gives(database: str) -> None:
    named = ["--address", "https://one.example.org/"]
    with served(database, more=named) as owner, served(database) as other:
        answer = httpx.get(f"{other.url}/api/tables/es")
        assert answer.headers["Location"] == "https://one.example.org/api/tables/es"
        for host, status in (("one.example.org", 200), ("two.example.org", 421)):
            asked = httpx.get(f"{owner.url}/api/tables/es", headers={"Host": host})
            assert asked.status_code == status


@pytest.mark.parametrize(
    "address", ["one.example.org", "ftp://one", "http://", "http://a:x", f"http://{'a' * 120}"]
)
def test_an_address_is_one(address: str) -> None:
    store = "postgresql://nobody@127.0.0.1:1/none"
    told = bad("serve", "--local", "--store", store, "--address", address)
    assert "is not the address of a server" in told


def test_an_address_is_for_a_house_of_several_servers() -> None:
    assert "several servers share a database" in bad(
        "serve", "--local", "--address", "http://one.example.org"
    )


def test_servers_that_share_a_database_share_the_key_of_the_ball() -> None:
    told = bad("serve", "--local", "--store", "postgresql://nobody@127.0.0.1:1/none")
    assert "servers that share a database need the same key of the ball" in told
    assert "--ball-key FILE" in told


def test_a_database_that_is_not_there_is_told_without_its_password() -> None:
    nowhere = "postgresql://ana:hush@127.0.0.1:1/none"
    for command in (
        ("serve", "--local", "--port", "0", "--store", nowhere, "--ball-key", "unused"),
        ("verify", "log", nowhere),
    ):
        ran = novamas(*command)
        assert ran.code != 0
        assert "PostgreSQL" in ran.err
        assert "hush" not in ran.err
