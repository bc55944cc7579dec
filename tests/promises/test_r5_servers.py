"""R5 on several servers: a retry happens once, wherever it comes.

16 players, each with three devices, give the same commands again and again to two servers of one
house, in any order and at the same time, while the server that has the table is killed under them.
The model of R5 is held against the log and every answer.

Each death waits until a lease has run out by the clock of a real PostgreSQL, so there are few. In
R4 players repeat commands at every server (`retry`, `double`) under every fault, in simulated time.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from contextlib import AsyncExitStack, closing

import httpx

from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.verify_house import verify_log
from novamas.table.commands import Command
from novamas.web.client import TableClient
from tests.promises.figures import SOAK
from tests.promises.retrying import (
    PLAYERS,
    Answers,
    Got,
    Model,
    Wish,
    ask_again,
    ask_everything,
    foreign,
    prepare,
    report,
)
from tests.promises.running import Running, Starter

DEATHS = 10 if SOAK else 2
TURNS = 100 // DEATHS
"""How often a player asks between two deaths; about 120 questions in all."""
LEASE = 1.0


def test_r5_a_retry_to_several_servers_happens_once(database: str) -> None:
    with Starter() as starter:
        running = [start(starter, database), start(starter, database)]
        try:
            answers = asyncio.run(asyncio.wait_for(under_deaths(starter, database, running), 240))
        finally:
            for each in running:
                each.end()
    with closing(PostgresStore(database, read_only=True)) as store:
        for log in store.tables():
            assert verify_log(store, log).problems == []
        how = f"48 sockets of 16 players at two servers, {DEATHS} deaths of the one with the table"
        report(how, Model(store.read("1")), answers)


def start(starter: Starter, database: str, port: int = 0) -> Running:
    return starter.start(port=port, store=database, tables=False, lease=LEASE)


def url(running: Running) -> str:
    return running.url.rstrip("/")


async def under_deaths(starter: Starter, database: str, running: list[Running]) -> Answers:
    servers = [url(each) for each in running]
    async with AsyncExitStack() as stack, httpx.AsyncClient(timeout=30) as http:
        await prepare(http, servers[0], running[0].token("management"))
        devices: dict[str, list[TableClient]] = {}
        for place, name in enumerate(PLAYERS):
            home = servers[place % 2]
            token = (await http.post(f"{home}/api/guests", json={"name": name})).json()["token"]
            # The player's devices begin at either server, with one token.
            clients = [TableClient(servers[n % 2], "1", token, servers=servers) for n in range(3)]
            devices[name] = [await stack.enter_async_context(each) for each in clients]
        turns = dict.fromkeys(PLAYERS, 0)
        waiting: dict[tuple[TableClient, str], asyncio.Lock] = defaultdict(asyncio.Lock)

        async def give(id: str, command: Command) -> Got:
            """Through one socket after the other; so that some is left for after each death."""
            by = str(command.by)
            turns[by] += 1
            while answers.deaths < DEATHS and turns[by] > TURNS * (answers.deaths + 1):
                await asyncio.sleep(0.02)
            client = devices[by][turns[by] % 3]
            async with waiting[client, id]:
                answered = await client.give(command, id=id)
            await asyncio.sleep(0.04 if answers.deaths < DEATHS else 0.0)
            return Got(answered.why, answered.seq)

        chance = random.Random(7)  # noqa: S311 - which commands come twice is no secret
        answers = Answers()
        asking = asyncio.create_task(ask_everything(give, answers, chance, count=40))
        for _ in range(DEATHS):
            await asyncio.sleep(chance.uniform(0.1, 0.4))
            assert not asking.done(), "they were done before the next death"
            await die(starter, database, running, answers)
        await asking
        for id, command in foreign(
            chance, [Wish(id, each[0]) for id, each in answers.first.items()]
        ):
            assert (await give(id, command)).why == "command_of_another"
        await ask_again(give, answers)
        return answers


async def die(starter: Starter, database: str, running: list[Running], answers: Answers) -> None:
    """Kills the server that has the table, waits for its heir, and starts it again."""
    with closing(PostgresStore(database)) as store:
        while (lease := store.lease("1")) is None:
            await asyncio.sleep(0.02)
        place = [url(each) for each in running].index(lease.address)
        running[place].kill()
        # What it had still said is heard before its heir can say anything: the lease lasts longer.
        await asyncio.sleep(0.2)
        answers.deaths += 1
        while (heir := store.lease("1")) is None or heir == lease:
            await asyncio.sleep(0.02)
    running[place] = await asyncio.to_thread(start, starter, database, running[place].port)
