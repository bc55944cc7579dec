"""How fast a house is: stakes that are durable when they are acknowledged, crowds, large coups."""

import asyncio
import json
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from bench.measure import Result, benchmark
from bench.players import Load, Player, connect, percentile
from bench.server import Server, running

PLAYERS = 200
ROUNDS = 3
SECONDS = 4.0
TABLE = "bench"
SOCKET = f"/api/tables/{TABLE}/socket"


@contextmanager
def file() -> Iterator[Path]:
    """The path of a store that nobody needs afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "house.db"


class Measured(NamedTuple):
    """What a run of the players showed."""

    per_second: float
    p50: float
    p99: float


def ask(server: Server, path: str, token: str | None, **body: Any) -> Any:
    """Posts to a house."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"}
        | ({"Authorization": f"Bearer {token}"} if token else {}),
    )
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - it is our own loopback
        return json.load(answer)


def command(key: str, do: str, by: str | None = None, **fields: Any) -> bytes:
    """A command as it goes over the socket."""
    acting = {"as": by} if by else {}
    return msgspec.json.encode({"id": key, "do": do, "with": fields, **acting})


class Staff:
    """The management's socket: sets a table up, and acts for its staff."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._given = 0

    async def give(self, do: str, by: str | None = None, **fields: Any) -> None:
        """Gives a command and waits until it was accepted."""
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._player.on_answer = answered.set_result
        self._given += 1
        self._player.send(command(f"staff-{self._given}", do, by, **fields))
        answer = await answered
        if not answer.startswith(b'{"ack"'):
            raise RuntimeError(answer.decode())


@asynccontextmanager
async def table(server: Server, players: int) -> AsyncIterator[tuple[Staff, list[str]]]:
    """An open table with players who have chips: their tokens."""
    token = ask(server, "/api/sessions", None, key=server.key)["token"]
    body = {"table": TABLE, "rulebook": "bg", "ball": "wheel", "chip": 100}
    ask(server, "/api/tables", token, **body)
    socket = await connect(server.port, SOCKET, token)
    await socket.ready
    staff = Staff(socket)
    await staff.give("TakePost", "croupier 1", post="croupier")
    await staff.give("TakePost", "inspector 1", post="inspector")
    await staff.give("OpenTable")
    tokens: list[str] = []
    for number in range(players):
        name = f"p{number}"
        await staff.give("Sit", name)
        bought = {"player": name, "amount": 10**9, "value_chips": True}
        await staff.give("BuyChips", "croupier 1", **bought)
        tokens.append(ask(server, "/api/guests", None, name=name)["token"])
    yield staff, tokens
    socket.close()


def stake(player: int, number: int) -> bytes:
    """A stake that is taken, however many came before."""
    name = f"p{player}"
    return command(
        f"{name}-{number}", "PlaceStake", id=f"{name}-{number}", player=name, on="17", amount=100
    )


async def lay_stakes(server: Server) -> Measured:
    """200 players at one table, each shown every stake of all."""
    async with table(server, PLAYERS) as (_, tokens):
        # Every tenth reads each event, and sees to it that none is left out; the others count them.
        players = [
            await connect(server.port, SOCKET, token, hasty=bool(number % 10))
            for number, token in enumerate(tokens)
        ]
        await asyncio.gather(*(player.ready for player in players))
        load = Load(stake)
        for index, player in enumerate(players):
            load.add(index, player)
        measured = await _run(load)
        await asyncio.sleep(0.5)
        if load.refused:
            raise RuntimeError(load.refused[0].decode())
        if any(player.gaps for player in players) or len({p.events for p in players}) > 1:
            raise RuntimeError("a player was not shown every event")
        for player in players:
            player.close()
    return measured


async def send_echoes(server: Server) -> Measured:
    """The same players, to whom a bare server sends back what they send."""
    players = [await connect(server.port, "/", None) for _ in range(PLAYERS)]
    load = Load(stake)
    for index, player in enumerate(players):
        load.add(index, player)
    measured = await _run(load)
    for player in players:
        player.close()
    return measured


async def _run(load: Load) -> Measured:
    await asyncio.sleep(0.5)
    load.seconds.clear()
    began = time.perf_counter()
    await asyncio.sleep(SECONDS)
    took, seconds = time.perf_counter() - began, list(load.seconds)
    load.stop()
    return Measured(len(seconds) / took, percentile(seconds, 0.5), percentile(seconds, 0.99))


@benchmark
def durable_stakes() -> list[Result]:
    """Stakes acknowledged through sockets: SQLite, memory, and an echo, by turns."""
    durable: list[Measured] = []
    memory: list[Measured] = []
    echoed: list[Measured] = []
    for _ in range(ROUNDS):
        with file() as path, running("house", str(path)) as server:
            durable.append(asyncio.run(lay_stakes(server)))
        with running("house") as server:
            memory.append(asyncio.run(lay_stakes(server)))
        with running("echo") as server:
            echoed.append(asyncio.run(send_echoes(server)))
    ours, theirs, bare = (_middle(each) for each in (durable, memory, echoed))
    return [
        Result(
            name=f"house: durable stakes acknowledged, {PLAYERS} players, broadcasting",
            value=ours.per_second,
            unit="stakes/s",
            against=theirs.per_second,
            at_least=0.6,
        ),
        Result(
            name="house: the same, p50 of an answer, against memory",
            value=ours.p50,
            unit="s",
            against=theirs.p50,
        ),
        Result(
            name="house: the same, p99 of an answer, against memory",
            value=ours.p99,
            unit="s",
            against=theirs.p99,
        ),
        Result(
            name=f"house: durable stakes, each shown to {PLAYERS}, against a bare echo to one",
            value=ours.per_second,
            unit="stakes/s",
            against=bare.per_second,
        ),
    ]


def _middle(runs: list[Measured]) -> Measured:
    return Measured(*(median(column) for column in zip(*runs, strict=True)))
