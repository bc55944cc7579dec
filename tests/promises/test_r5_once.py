"""R5: a retry happens once.

16 players, each with three devices, give the same commands again and again, in any order and at the
same time, before and after restarts. A plain model of purses and stakes is held against the log and
against every answer: a command happens once, under one name, and is always answered the same.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import defaultdict
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx

from novamas.house.clock import ManualClock
from novamas.house.house import House
from novamas.house.log.store import Store
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table.actor import TableActor, TableStoppedError
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.state import Setup
from novamas.web.client import TableClient
from tests.promises.retrying import (
    PLAYERS,
    PURSE,
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
from tests.promises.staff import Staff

# At a table of this process -----------------------------------------------------------------------


class Restarts:
    """A house that is closed and opened, or dies and is found again, while others go on asking."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lives = 0
        self._path = folder / "0.db"
        self.house: House
        self._open = asyncio.Event()

    async def begin(self) -> None:
        self.house = House(SqliteStore(self._path), clock=ManualClock())
        await self.house.open()
        self._open.set()

    async def close(self) -> None:
        """Ends in order."""
        self._open.clear()
        await self.house.close()
        await self.begin()

    async def die(self) -> None:
        """Ends without a word; what was on the disk at this moment is all there is."""
        self._open.clear()
        self._lives += 1
        before, self._path = self._path, self._folder / f"{self._lives}.db"
        ended = self.house

        def copy() -> None:
            for suffix in ("", "-wal"):
                shutil.copy(f"{before}{suffix}", f"{self._path}{suffix}")

        # By the thread that writes, so that it is one moment; who is answered later is not heard.
        await ended.blocking(copy)
        await self.begin()
        for actor in ended.tables.values():
            actor.fail("died")
        await ended.close()

    @property
    def table(self) -> TableActor:
        return self.house.tables["1"]

    async def give(self, id: str, command: Command) -> Got:
        """Asks until there is an answer of the house as it now is."""
        while True:
            await self._open.wait()
            house = self.house
            try:
                answer = await self.table.submit(id, command)
            except TableStoppedError:
                await asyncio.sleep(0)
                continue
            if house is self.house and self._open.is_set():
                why = answer.refusal.why.value if answer.refusal is not None else ""
                return Got(why, answer.last)


def test_r5_a_retry_happens_once_across_restarts(tmp_path: Path) -> None:
    asyncio.run(across_restarts(tmp_path))


async def across_restarts(folder: Path) -> None:
    chance = random.Random(5)  # noqa: S311 - which commands come twice is no secret
    restarts = Restarts(folder)
    await restarts.begin()
    await restarts.house.set_up("1", "bg", Setup(), ball=BallMode.WHEEL)
    staff = Staff("bg")
    seats = [each for name in PLAYERS for each in staff.seats(name, PURSE)]
    for number, command in enumerate([*staff.opening(), *seats]):
        assert not (await restarts.give(f"ready-{number}", command)).why
    answers = Answers()
    asking = asyncio.create_task(ask_everything(restarts.give, answers, chance, count=60))
    for life in range(8):
        await asyncio.sleep(0.15)
        if life % 2:
            await restarts.close()
        else:
            answers.deaths += 1
            await restarts.die()
    await asking
    for id, command in foreign(chance, [Wish(id, each[0]) for id, each in answers.first.items()]):
        assert (await restarts.give(id, command)).why == "command_of_another"
    await restarts.close()
    await ask_again(restarts.give, answers)
    store: Store = restarts.house.store
    model = Model(store.read("1"))
    assert verify_table(store, "1").is_sound
    report("48 devices of 16 players, 9 restarts of the house under them", model, answers)
    await restarts.house.close()


# At a house in another process --------------------------------------------------------------------


def test_r5_a_retry_over_sockets_happens_once(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with Starter() as starter:
        running = starter.start(port=0, store=str(path), tables=False)
        tokens: dict[str, str] = {}
        answers = asyncio.run(over_sockets(running, tokens))
        running.kill()
        again = starter.start(port=running.port, store=str(path), tables=False)
        asyncio.run(over_sockets(again, tokens, answers))
        again.stop()
    store = SqliteStore(path)
    assert verify_table(store, "1").is_sound
    report("48 sockets of 16 players, a kill, and all of it again", Model(store.read("1")), answers)
    store.close()


async def over_sockets(
    running: Running, tokens: dict[str, str], before: Answers | None = None
) -> Answers:
    url = running.url.rstrip("/")
    management = running.token("management")
    async with AsyncExitStack() as stack, httpx.AsyncClient() as http:
        if before is None:
            await prepare(http, url, management)
        devices: dict[str, list[TableClient]] = {}
        for name in PLAYERS:
            if name not in tokens:
                opened = await http.post(f"{url}/api/guests", json={"name": name})
                tokens[name] = opened.json()["token"]
            device = partial(TableClient, url, "1", tokens[name])
            connecting = [stack.enter_async_context(device()) for _ in range(3)]
            devices[name] = [await each for each in connecting]
        turns = dict.fromkeys(PLAYERS, 0)
        waiting: dict[tuple[TableClient, str], asyncio.Lock] = defaultdict(asyncio.Lock)

        async def give(id: str, command: Command) -> Got:
            """Through one of the player's sockets after the other."""
            by = str(command.by)
            turns[by] += 1
            client = devices[by][turns[by] % 3]
            async with waiting[client, id]:
                answered = await client.give(command, id=id)
            return Got(answered.why, answered.seq)

        if before is not None:
            await ask_again(give, before)
            return before
        chance = random.Random(6)  # noqa: S311 - which commands come twice is no secret
        answers = Answers()
        await ask_everything(give, answers, chance, count=25)
        asked = [Wish(id, each[0]) for id, each in answers.first.items()]
        for id, command in foreign(chance, asked):
            assert (await give(id, command)).why == "command_of_another"
        # A refusal is kept with the next event: so the last word before the kill is an event.
        last = commands.PlaceStake(by="p0", id="last", player="p0", on="red", amount=2)
        take_back = commands.WithdrawStake(by="p0", id=_lying(devices["p0"][0]))
        for wish in (Wish("p0-back", take_back), Wish("p0-last", last)):
            answers.take(wish, await give(wish.id, wish.command))
        return answers


def _lying(client: TableClient) -> str:
    """A stake of a player's that lies on the cloth, or one that never did."""
    return next((each["id"] for each in client.table["stakes"]), "none")
