"""How fast a house is: durable stakes, crowds, large coups, restarts."""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec

from bench.compiled_players import CompiledPlayer
from bench.longlog import LongTable
from bench.measure import Result, benchmark
from bench.players import Load, Player, connect, connected, percentile, run
from bench.server import Server, running
from novamas.game.settlement import settle
from novamas.house.house import House
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.table.commands import DrawBall
from novamas.house.table.subscriptions import Bundle, Subscription
from novamas.house.views.event_view import Audience
from novamas.table.commands import (
    CallNumber,
    CloseBetting,
    CollectLosers,
    LaunchBall,
    PayWinners,
)
from novamas.web.server import spare_the_collector
from novamas.web.ws_frames import pack

PLAYERS, MANY = 200, 800
ROUNDS = 3
SECONDS = 4.0
TABLE = "bench"
SOCKET = f"/api/tables/{TABLE}/socket"


@contextmanager
def file() -> Iterator[Path]:
    """The path of a temporary store."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "house.db"


class Measured(NamedTuple):
    """What a run of the players showed."""

    per_second: float
    p50: float
    p99: float
    work: float
    """Seconds of a processor that the server took for an answer. Other programs on the machine make
    a rate smaller and a wait longer; this they change little."""


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
    """A command as the socket takes it."""
    acting = {"as": by} if by else {}
    return msgspec.json.encode({"id": key, "do": do, "with": fields, **acting})


class Staff:
    """The management's socket: sets a table up, and acts for its staff."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._given = 0

    async def give(self, do: str, by: str | None = None, **fields: Any) -> None:
        """Gives a command and waits until it is accepted."""
        answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._player.on_answer = answered.set_result
        self._given += 1
        self._player.send(command(f"staff-{self._given}", do, by, **fields))
        answer = await answered
        if not answer.startswith(b'{"ack"'):
            raise RuntimeError(answer.decode())


@asynccontextmanager
async def table(server: Server, players: int) -> AsyncIterator[tuple[Staff, list[str]]]:
    """Opens a table with players who have chips, and returns their tokens."""
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
    """A stake that is accepted, however many came before."""
    name = f"p{player}"
    return command(
        f"{name}-{number}", "PlaceStake", id=f"{name}-{number}", player=name, on="17", amount=100
    )


def purchase(player: int, number: int) -> bytes:
    """Chips that the player's wallet pays for."""
    name = f"p{player}"
    return command(f"{name}-{number}", "BuyChips", player=name, amount=100, value_chips=True)


async def lay_stakes(
    server: Server, message: Callable[[int, int], bytes] = stake, *, players: int = PLAYERS
) -> Measured:
    """Players at one table, each of whom receives every stake or purchase of all."""
    async with table(server, players) as (_, tokens):
        people = [await connected(CompiledPlayer(SOCKET, token), server.port) for token in tokens]
        await asyncio.gather(*(player.ready for player in people))
        load = Load(message)
        for index, player in enumerate(people):
            load.add(index, player)
        measured = await _run(server, load)
        if load.refused:
            raise RuntimeError(load.refused[0].decode())
        # The last stakes are still on their way; who misses one never has as many as the rest.
        async with asyncio.timeout(30):
            while load.unanswered or len({player.events for player in people}) > 1:
                await asyncio.sleep(0.01)
        if any(player.gaps for player in people):
            raise RuntimeError("a player was not shown every event")
        for player in people:
            player.close()
    return measured


async def send_echoes(server: Server) -> Measured:
    """The same players against a bare server that echoes what they send."""
    people = [await connected(CompiledPlayer("/", None), server.port) for _ in range(PLAYERS)]
    load = Load(stake)
    for index, player in enumerate(people):
        load.add(index, player)
    measured = await _run(server, load)
    for player in people:
        player.close()
    return measured


async def _run(server: Server, load: Load) -> Measured:
    await asyncio.sleep(0.5)
    load.seconds.clear()
    began, worked = time.perf_counter(), server.worked()
    await asyncio.sleep(SECONDS)
    took, seconds = time.perf_counter() - began, list(load.seconds)
    work = (server.worked() - worked) / len(seconds)
    load.stop()
    return Measured(len(seconds) / took, percentile(seconds, 0.5), percentile(seconds, 0.99), work)


@benchmark
def durable_stakes() -> list[Result]:
    """Stakes acknowledged through sockets: SQLite, memory, and an echo, by turns."""
    durable: list[Measured] = []
    memory: list[Measured] = []
    echoed: list[Measured] = []
    for _ in range(ROUNDS):
        with file() as path, running("house", str(path)) as server:
            durable.append(run(lay_stakes(server)))
        with running("house") as server:
            memory.append(run(lay_stakes(server)))
        with running("echo") as server:
            echoed.append(run(send_echoes(server)))
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
        Result(
            name="house: the same, processor time of the server, the echo's against the house's",
            value=bare.work,
            unit="s",
            against=ours.work,
        ),
    ]


@benchmark
def answers_to_many() -> list[Result]:
    """Durable stakes at a table of 800 players and at one of 200, by turns."""
    measured: dict[int, list[Measured]] = {PLAYERS: [], MANY: []}
    for _ in range(ROUNDS):
        for players, runs in measured.items():
            with file() as path, running("house", str(path)) as server:
                runs.append(run(lay_stakes(server, players=players)))
    few, many = (_middle(runs) for runs in measured.values())
    name = f"house: durable stakes, each shown to all of {MANY} players, against {PLAYERS}"
    return [
        Result(
            name=f"{name}, p99 of an answer",
            value=many.p99,
            unit="s",
            against=few.p99,
        ),
        Result(
            name=name,
            value=many.per_second,
            unit="stakes/s",
            against=few.per_second,
        ),
        Result(
            name=f"{name}, processor time of the server for a stake",
            value=many.work,
            unit="s",
            against=few.work,
        ),
    ]


@benchmark
def durable_purchases() -> list[Result]:
    """Chips bought from wallets, wallet and table in one transaction: SQLite against memory."""
    durable: list[Measured] = []
    memory: list[Measured] = []
    for _ in range(ROUNDS):
        with file() as path, running("house", str(path)) as server:
            durable.append(run(lay_stakes(server, purchase)))
        with running("house") as server:
            memory.append(run(lay_stakes(server, purchase)))
    ours, theirs = _middle(durable), _middle(memory)
    return [
        Result(
            name=f"house: durable purchases of chips acknowledged, {PLAYERS} players",
            value=ours.per_second,
            unit="purchases/s",
            against=theirs.per_second,
        ),
        Result(
            name="house: the same, p99 of an answer, against memory",
            value=ours.p99,
            unit="s",
            against=theirs.p99,
        ),
    ]


def _middle(runs: list[Measured]) -> Measured:
    return Measured(*(median(column) for column in zip(*runs, strict=True)))


# A crowd ------------------------------------------------------------------------------------------

CROWD = 500
STEADY = 120
"""Stakes that are laid 50 ms apart while the crowd watches."""
FILLING = 4_000
"""Long stakes that fill every buffer on the way to a client that reads nothing."""


class Seen(NamedTuple):
    """What a crowd saw."""

    p50: float
    p99: float
    gaps: int


async def show_crowd(server: Server, *, stalled: bool) -> Seen:
    """Publishes single stakes to a crowd; optionally one client of it reads nothing."""
    async with table(server, 1) as (_, tokens):
        player = await connect(server.port, SOCKET, tokens[0])
        await player.ready
        lame = await connect(server.port, SOCKET, None, reads=False) if stalled else None
        await fill(player, FILLING, "before")
        while player.events < FILLING:
            await asyncio.sleep(0.01)
        crowd = [await connect(server.port, SOCKET, None) for _ in range(CROWD - stalled)]
        await asyncio.gather(*(each.ready for each in crowd))
        sent: dict[int, float] = {}
        took: list[float] = []
        for each in crowd:
            each.on_event = lambda seq: took.append(time.perf_counter() - sent[seq])
        before = player.seq
        for number in range(1, STEADY + 1):
            sent[before + number] = time.perf_counter()
            player.send(stake(0, number))
            await asyncio.sleep(0.05)
        async with asyncio.timeout(30):
            while any(each.events < STEADY for each in crowd):
                await asyncio.sleep(0.01)
        gaps = sum(each.gaps for each in crowd)
        for each in crowd:
            each.close()
        if lame is not None:
            await fill(player, FILLING * 2, "after")
            await let_go(lame)
        player.close()
    return Seen(percentile(took, 0.5), percentile(took, 0.99), gaps)


async def fill(player: Player, stakes: int, when: str) -> None:
    """Lays stakes with very long names, as fast as the house accepts them."""
    left = stakes
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def answered(payload: bytes) -> None:
        nonlocal left
        left -= 1
        if not payload.startswith(b'{"ack"') and not done.done():
            done.set_exception(RuntimeError(payload.decode()))
        if not left and not done.done():
            done.set_result(None)

    player.on_answer = answered
    for number in range(stakes):
        id = f"{when}-{number}-".ljust(900, "x")
        key = f"{when}-{number}"
        player.send(command(key, "PlaceStake", id=id, player="p0", on="17", amount=100))
        if number % 200 == 199:
            await asyncio.sleep(0.01)
    await done
    player.on_answer = None


async def let_go(lame: Player) -> None:
    """Checks that the house has disconnected a client that read nothing."""
    await asyncio.sleep(3)
    lame.resume()
    async with asyncio.timeout(30):
        while lame.closed is None:
            await asyncio.sleep(0.01)


@benchmark
def a_crowd_with_one_stalled() -> list[Result]:
    """500 sockets at one table, alternately with and without one that reads nothing."""
    whole: list[Seen] = []
    lame: list[Seen] = []
    for _ in range(ROUNDS):
        for runs, stalled in ((whole, False), (lame, True)):
            with running("house") as server:
                runs.append(run(show_crowd(server, stalled=stalled)))
    gaps = sum(seen.gaps for seen in whole + lame)
    if gaps:
        raise RuntimeError(f"the crowd missed {gaps} events")
    with_one, without = (median(seen.p99 for seen in runs) for runs in (lame, whole))
    middle, usual = (median(seen.p50 for seen in runs) for runs in (lame, whole))
    name = f"house: from a stake to {CROWD} sockets, no gaps, one of them stalled"
    return [
        Result(name=f"{name}, p50", value=middle, unit="s", against=usual),
        Result(name=f"{name}, p99", value=with_one, unit="s", against=without),
    ]


# A large coup -------------------------------------------------------------------------------------

LARGE = 50_000
AT_ONCE = 500


async def settle_large(path: Path) -> tuple[float, float]:
    """50,000 stakes by 500 players, 200 of them connected: seconds to the end, and to settle.

    The house has followed the coup from its beginning, so the players' explanations come with it.
    """
    store = SqliteStore(path)
    long = LongTable(store, players=500)
    long.commit(remember=False)
    house = House(store)
    await house.open()
    actor = house.tables["1"]
    state, croupier = actor.house_table.state, "croupier 1"
    for number, each in enumerate((LaunchBall, CloseBetting, DrawBall, CallNumber, CollectLosers)):
        await actor.submit(f"first {number}", each(by=croupier))
    stakes = long.stakes(LARGE)
    while laid := list(islice(stakes, AT_ONCE)):
        await asyncio.gather(*(actor.submit(each.id, each) for each in laid))
    if len(state.stakes) != LARGE:
        raise RuntimeError(f"{len(state.stakes)} of {LARGE} stakes were taken")
    began = time.perf_counter()
    settle(state.book, 17, list(state.stakes.values()), limits=state.limits)
    alone = time.perf_counter() - began
    followers = [
        (await actor.follow(audience=Audience.PUBLIC, player=f"player {number}"))[1]
        for number in range(PLAYERS)
    ]
    watching = Shown()
    shown = asyncio.gather(*(watching.until_the_end(each) for each in followers))
    for number, each in enumerate((LaunchBall, CloseBetting, DrawBall)):
        await actor.submit(f"ball {number}", each(by=croupier))
    began = time.perf_counter()
    for number, each in enumerate((CallNumber, CollectLosers, PayWinners)):
        await actor.submit(f"end {number}", each(by=croupier))
    explained = sum(await shown)
    took = time.perf_counter() - began
    await house.close()
    if explained != PLAYERS:
        raise RuntimeError(f"the coup was explained to {explained} of {PLAYERS} players")
    return took, alone


class Shown:
    """What players were shown of a coup. Messages for many are looked at once, as they are sent."""

    def __init__(self) -> None:
        self._known: dict[Bundle, tuple[bool, bool]] = {}

    async def until_the_end(self, follower: Subscription) -> int:
        """Encodes what is published for a socket until the coup ends; counts explanations."""
        explained = 0
        while True:
            for bundle in await follower.wait_and_take():
                if bundle not in self._known:
                    sent = bundle.made(pack)
                    self._known[bundle] = b'"why":' in sent, b'"CoupEnded"' in sent
                explains, ends = self._known[bundle]
                explained += explains
                if ends:
                    return explained


@benchmark
def a_coup_of_fifty_thousand() -> list[Result]:
    """A coup called, collected, paid, durable and published, against the settlement alone."""
    spare_the_collector()
    runs: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        with file() as path:
            runs.append(asyncio.run(settle_large(path)))
    took, alone = (median(column) for column in zip(*runs, strict=True))
    name = f"house: a coup of {LARGE:,} stakes settled, durable and published to {PLAYERS}"
    return [Result(name=name, value=took, unit="s", against=alone)]


# A restart ----------------------------------------------------------------------------------------

MILLION = 1_000_000
STARTS = 5


@benchmark
def a_restart() -> list[Result]:
    """A house with a million events, from its start until it accepts a stake."""
    with file() as path, file() as empty:
        for each, events in ((path, MILLION), (empty, 1)):
            store = SqliteStore(each)
            long = LongTable(store)
            long.grow(events)
            long.grow(long.loaded.head.seq + 500, remember=False)
            store.close()
        pairs = [(start(path), start(empty)) for _ in range(STARTS)]
    # The best of several runs: other programs on the machine can only make it slower.
    alone, whole = (min(column) for column in zip(*(one for one, _ in pairs), strict=True))
    usual = min(other[1] for _, other in pairs)
    name = f"house: ready to play with {MILLION:,} events in the log"
    return [
        Result(name=name, value=alone, unit="s", against=2.0, at_most=1),
        Result(
            name=f"{name}, with Python and all it loads, against a start with hardly any",
            value=whole,
            unit="s",
            against=usual,
            at_most=2,
        ),
    ]


def start(path: Path) -> tuple[float, float]:
    """Seconds that a house itself needs to be ready to play, and with the start of Python."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "bench.restart", str(path)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(told.stdout), time.perf_counter() - began
