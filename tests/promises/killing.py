"""A house that a test kills, the players who lay stakes there meanwhile, and its staff."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import LiteralString, NamedTuple

import httpx
from websockets.protocol import State as Connection

from novamas.game.wheel import EUROPEAN
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.table.loading import load_table
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.web.client import ProblemError, TableClient
from tests.promises.running import Running, Starter
from tests.promises.staff import Staff

PACE = dict.fromkeys(("betting", "launched", "running", "called", "paying"), 1.0)
TABLES = ("drawn", "wheel")
STAKE = 100
STAKES: LiteralString = (
    "SELECT seq, command FROM novamas.records WHERE tbl = ? AND type = 'StakePlaced'"
)


@dataclass
class House:
    """The house under test, with the process that happens to run it."""

    starter: Starter
    folder: Path
    http: httpx.AsyncClient = field(default_factory=httpx.AsyncClient)
    running: Running = field(init=False)
    _opened: dict[str, str] = field(default_factory=dict)

    def start(self, port: int = 0) -> None:
        self.running = self.starter.start(
            port=port,
            store=str(self.folder / "house.db"),
            checkpoints=str(self.folder / "checkpoints"),
            tables=False,
            pace=PACE,
        )

    @property
    def url(self) -> str:
        return self.running.url.rstrip("/")

    @property
    def servers(self) -> list[str]:
        """Where the house is served."""
        return [self.url]

    async def guest(self, name: str, server: str) -> str:
        """A player's token at the house as it runs now."""
        return await self._token(f"{server}/api/guests", name=name)

    async def management(self, server: str) -> str:
        """The management's token at the house as it runs now."""
        key = self.running.keys["management"]
        if key not in self._opened:
            self._opened[key] = await self._token(f"{server}/api/sessions", key=key)
        return self._opened[key]

    async def _token(self, where: str, **body: str) -> str:
        try:
            answer = await self.http.post(where, json=body)
        except httpx.HTTPError as problem:
            raise ProblemError(str(problem)) from None
        if answer.status_code != 201:
            raise ProblemError(answer.text)
        return str(answer.json()["token"])


class Player:
    """Lays one stake after the other, and knows what they were told of each."""

    def __init__(self, house: House, name: str, table: str) -> None:
        self._house = house
        self.name = name
        self.table = table
        self.acked: dict[str, int] = {}
        self.refused: set[str] = set()
        self.sent: str | None = None
        """The stake about which they have no answer yet."""
        self.seated = asyncio.Event()
        self.coups = 0
        """How many coups they have seen end."""
        self._seen = 0
        self._chance = random.Random(name)  # noqa: S311 - how they play is no secret
        self.client: TableClient | None = None

    @property
    def in_flight(self) -> str | None:
        """Their stake that is under way on an open connection."""
        socket = self.client._socket if self.client is not None else None
        return self.sent if socket is not None and socket.state is Connection.OPEN else None

    async def play(self, stop: asyncio.Event) -> None:
        url, renew = self._house.url, partial(self._house.guest, self.name)
        servers = self._house.servers
        client = TableClient(url, self.table, await renew(url), renew=renew, servers=servers)
        async with client:
            self.client = client
            self._seen = client.table["seq"]
            follower = asyncio.create_task(self._follow(client))
            await client.give(commands.Sit(by=self.name))
            await self._buy(client)
            self.seated.set()
            for number in itertools.count(1):
                if stop.is_set():
                    break
                await self._lay(client, f"{self.name}-{number}")
                await asyncio.sleep(self._chance.uniform(0, 0.03))
        await follower

    async def _buy(self, client: TableClient) -> None:
        buying = commands.BuyChips(by=self.name, player=self.name, amount=1_000 * STAKE)
        answered = await client.give(buying)
        assert answered.is_accepted, answered

    async def _lay(self, client: TableClient, id: str) -> None:
        self.sent = id
        spot = self._chance.choice(("red", "17", "d1", "odd", "8/11"))
        stake = commands.PlaceStake(by=self.name, id=id, player=self.name, on=spot, amount=STAKE)
        answered = await client.give(stake, id=id)
        self.sent = None
        if answered.is_accepted:
            self.acked[id] = answered.seq
            return
        self.refused.add(id)
        if answered.why == "exceeds_purse":
            await self._buy(client)
        elif answered.why != "betting_is_closed":
            raise AssertionError(f"{self.name} was refused: {answered}")
        await asyncio.sleep(self._chance.uniform(0, 0.1))

    async def _follow(self, client: TableClient) -> None:
        """The player is shown every event once and in order, across all the kills."""
        async for message in client.messages():
            assert message.seq == self._seen + 1
            self._seen = message.seq
            self.coups += message.type == "CoupEnded"


async def deal(house: House, opened: asyncio.Event, stop: asyncio.Event) -> None:
    """Deals the table that has a wheel of its own, coup after coup, as its staff."""
    staff = Staff("bg")
    url, renew = house.url, house.management
    client = TableClient(url, "wheel", await renew(url), renew=renew, servers=house.servers)
    async with client:
        for command in staff.opening():
            await client.give(command, acting=command.by != MANAGEMENT)
        opened.set()
        for number in itertools.cycle(EUROPEAN.pockets):
            await asyncio.sleep(0.3)
            for command in staff.coup(number):
                await client.give(command, acting=True)
                await asyncio.sleep(0.05)
                if stop.is_set():
                    return


async def until_they_are_back(players: list[Player]) -> None:
    """Waits until half of the players lay stakes again."""
    before = {player.name: len(player.acked) + len(player.refused) for player in players}
    while (
        sum(len(player.acked) + len(player.refused) > before[player.name] for player in players)
        < len(players) // 2
    ):
        await asyncio.sleep(0.01)


async def until_one_is_under_way(players: list[Player]) -> None:
    """Waits until somebody has sent a stake and was not answered yet."""
    while not any(player.in_flight for player in players):
        await asyncio.sleep(0)


async def until_every_table_has_dealt(players: list[Player]) -> None:
    """Waits until a coup has ended at each table; most kills come sooner than its end."""
    while {player.table for player in players if player.coups} != set(TABLES):
        await asyncio.sleep(0.01)


async def set_up(house: House) -> None:
    bearer = {"Authorization": f"Bearer {await house.management(house.url)}"}
    for table, rulebook in (("drawn", "ar"), ("wheel", "bg")):
        body = {
            "table": table,
            "rulebook": rulebook,
            "ball": table,
            "chip": STAKE,
            "colours": 16,
        }
        answer = await house.http.post(f"{house.url}/api/tables", json=body, headers=bearer)
        assert answer.status_code == 201, answer.text


@asynccontextmanager
async def playing(house: House, players: list[Player], stop: asyncio.Event) -> AsyncIterator[None]:
    """Lets the tables be dealt and the players play, until `stop` is set."""
    async with asyncio.TaskGroup() as tasks:
        opened = asyncio.Event()
        tasks.create_task(deal(house, opened, stop))
        await opened.wait()
        for player in players:
            tasks.create_task(player.play(stop))
        for player in players:
            await player.seated.wait()
        yield


# Looking at what a dead process left --------------------------------------------------------------


class Told(NamedTuple):
    """What the players know at one moment."""

    acked: dict[str, dict[str, int]]
    """Player → the stakes that were acknowledged, and where in the log they stand."""
    refused: dict[str, set[str]]
    in_flight: set[str]


class Inspector:
    """Compares the logs after each kill with what the players were told."""

    def __init__(self, players: list[Player]) -> None:
        self._players = players
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._checked = dict.fromkeys((player.name for player in players), 0)
        self.in_flight: list[int] = []
        self.had_happened = 0
        self.coups: dict[str, int] = {}

    def told(self) -> Told:
        """What everybody was told until now."""
        players = self._players
        return Told(
            acked={player.name: dict(player.acked) for player in players},
            refused={player.name: set(player.refused) for player in players},
            in_flight={id for player in players if (id := player.in_flight) is not None},
        )

    def check(
        self, store: SqliteStore | PostgresStore, table: str, told: Told, *, from_first: bool
    ) -> None:
        """Checks that a table has what was told, once.

        Stakes that an earlier check has seen are checked again only with `from_first`.
        """
        loaded = load_table(store, table)
        # Nothing that stood in the log before stands there otherwise now.
        seq, digest = self._heads.get(table, (0, b""))
        for seen in store.read(table, after=seq - 1, until=seq):
            assert seen.hash == digest
        assert loaded.head.seq >= seq
        self._heads[table] = loaded.head
        # No stake happened twice, and none that was refused happened at all.
        laid: dict[str, int] = {}
        for at, command in store._fetch(store.statements.translate(STAKES), (table,)):
            assert command not in laid, f"{command} happened twice"
            laid[command] = at
        for player in self._players:
            if player.table == table:
                first = 0 if from_first else self._checked[player.name]
                acked = told.acked[player.name]
                for id, at in itertools.islice(acked.items(), first, None):
                    assert laid.get(id) == at, f"{id} was acknowledged at {at} and is lost"
                self._checked[player.name] = len(acked)
                assert not told.refused[player.name] & laid.keys()
        self.had_happened += len(told.in_flight & laid.keys())
