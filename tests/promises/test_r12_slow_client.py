"""R12: a slow client hurts nobody.

500 sockets follow one table, and by turns one of them takes nothing any more. The application is
called as a server calls it, so that a client can be held up at will, and the steps of the loop be
counted: the others wait as many with it as without it. Seconds are only written down.
"""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import AsyncIterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from fastapi import FastAPI

from novamas.house.clock import ManualClock
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableActor
from novamas.house.table.subscriptions import Bundle, Subscription
from novamas.house.views.event_view import Audience
from novamas.web import socket as web_socket
from novamas.web.app import create_app
from novamas.web.wires import EXTENSION, Listener
from tests.promises.figures import record
from tests.prompt import PromptHouse
from tests.web.door import HOST, NO_ROOM, Door, people_of, run, seat, tips

CROWD = 500
BURST = 400
BURSTS = 13
"""More than is kept for anybody who takes nothing."""
KEPT = 4096
"""How many messages are kept for a follower before it is let go."""
TOO_SLOW = 1013
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def without_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps heartbeats out of the bursts: what is sent with one comes a step sooner."""
    monkeypatch.setattr(web_socket, "BEAT", 10 * PATIENCE)


@lru_cache(maxsize=2 * BURST)
def places(message: bytes) -> tuple[int, ...]:
    """The place in the log of an event; what goes to many is read once."""
    said = json.loads(message)
    return (int(said["seq"]),) if "seq" in said else ()


class Steps:
    """Counts the steps of the loop, and reads the time."""

    def __init__(self) -> None:
        self.now = 0

    async def count(self) -> None:
        while True:
            self.now += 1
            await asyncio.sleep(0)


class Client:
    """A socket at the table; it is its own wire, as a connection of the house's server is."""

    def __init__(self, app: FastAPI, steps: Steps, *, after: int | None = None) -> None:
        self._steps = steps
        self._listener: Listener | None = None
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.takes = asyncio.Event()
        self.takes.set()
        self.shown = asyncio.Event()
        """Set once it was shown the table."""
        self.start = 0
        self.seqs: list[int] = []
        self.arrived: list[tuple[int, float]] = []
        """At which step and at what time each sending came."""
        self.closed: int | None = None
        scope: dict[str, Any] = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": "/api/tables/t/socket",
            "raw_path": b"/api/tables/t/socket",
            "query_string": b"" if after is None else f"after={after}".encode(),
            "headers": [(b"host", HOST.encode())],
            "client": (HOST, 1),
            "server": (HOST, 80),
            "subprotocols": [],
            "state": {},
            "extensions": {EXTENSION: self},
        }
        self._in.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(app(scope, self._in.get, self._send))

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        await self.takes.wait()
        if message["type"] == "websocket.close":
            self.closed = message["code"]
        elif message["type"] == "websocket.send":
            said = json.loads(message["text"])
            if "table" in said:
                self.start = said["table"]["seq"]
                self.shown.set()
            elif "seq" in said:
                self.seqs.append(said["seq"])

    @property
    def is_writable(self) -> bool:
        return self.takes.is_set()

    def listen(self, listener: Listener | None) -> None:
        self._listener = listener

    def pause(self) -> None:
        raise AssertionError("it sends nothing")

    resume = pause

    def write(self, bundles: Sequence[Bundle]) -> None:
        assert self.takes.is_set()
        for bundle in bundles:
            for message in bundle.messages:
                self.seqs += places(message)
        self.arrived.append((self._steps.now, time.perf_counter()))

    async def drained(self) -> None:
        await self.takes.wait()

    def take_again(self) -> None:
        self.takes.set()
        if self._listener is not None:
            self._listener.writable()

    async def hang_up(self) -> None:
        if self._listener is not None:
            self._listener.lost()
        await self.task


@asynccontextmanager
async def crowd(steps: Steps) -> AsyncIterator[tuple[TableActor, FastAPI, list[Client]]]:
    """A table with everybody looking on; what it does takes the same steps every time."""
    house = PromptHouse(MemoryStore(), clock=ManualClock())
    await house.open()
    people = await people_of(house)
    app = create_app(house, people, hosts=(HOST,), room=NO_ROOM)
    door = Door(house, people, app)
    try:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        clients = []
        for _ in range(CROWD):
            clients.append(Client(app, steps))
            await clients[-1].shown.wait()
        counting = asyncio.create_task(steps.count())
        # What stays is not looked through for dead objects, in whichever burst that would fall.
        gc.collect()
        gc.freeze()
        try:
            yield actor, app, clients
        finally:
            gc.unfreeze()
            counting.cancel()
            await asyncio.gather(*(each.hang_up() for each in clients))
    finally:
        await door.http.aclose()
        await house.close()


class Seen(NamedTuple):
    """What some bursts were like for all but the one that may take nothing."""

    waits: list[list[int]]
    """For each burst the steps that each waited for it."""
    seconds: list[float]


async def show(
    actor: TableActor, steps: Steps, others: list[Client], followed: Subscription
) -> tuple[Seen, int]:
    """Shows bursts to the crowd: what the others saw, and the most that waited for one follower."""
    seen, kept = Seen([], []), 0
    for _ in range(BURSTS):
        step, moment = steps.now, time.perf_counter()
        sendings = [len(each.arrived) for each in others]
        await tips(actor, "ana", BURST)
        async with asyncio.timeout(PATIENCE):
            while any(each.seqs[-1:] != [actor.head.seq] for each in others):
                await asyncio.sleep(0)
        assert [len(each.arrived) - 1 for each in others] == sendings, "a burst comes at once"
        seen.waits.append([each.arrived[-1][0] - step for each in others])
        seen.seconds.extend(each.arrived[-1][1] - moment for each in others)
        kept = max(kept, waiting_in(followed))
    return seen, kept


def waiting_in(followed: Subscription) -> int:
    """How many messages wait for a follower."""
    return sum(len(bundle.messages) for bundle in followed._bundles)


async def let_go(actor: TableActor, followed: Subscription, slow: Client) -> None:
    """Nothing is kept any more for who took nothing; who looks again finds out."""
    assert followed.overtaken
    assert followed not in actor._subscriptions
    assert not followed._bundles
    assert len(actor._subscriptions) == CROWD - 1
    slow.take_again()
    await asyncio.wait_for(asyncio.shield(slow.task), PATIENCE)
    # On a machine that stood still the house may have given it up without a word.
    assert slow.closed in (TOO_SLOW, None)


async def come_back(app: FastAPI, steps: Steps, slow: Client, last: int) -> Client:
    """Who was let go comes back for the rest."""
    back = Client(app, steps, after=slow.seqs[-1])
    async with asyncio.timeout(PATIENCE):
        while back.seqs[-1:] != [last]:
            await asyncio.sleep(0)
    back.seqs[:0] = slow.seqs
    return back


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


@run
async def test_r12_nobody_waits_for_a_client_that_takes_nothing() -> None:
    steps, most = Steps(), 0
    usual, lame = Seen([], []), Seen([], [])
    async with crowd(steps) as (actor, app, clients):
        start = actor.head.seq
        # The one that others come after, and then the one that comes after all others.
        for slow in (clients[0], clients[-1]):
            followed = list(actor._subscriptions)[clients.index(slow)]
            others = [each for each in clients if each is not slow]
            before, _ = await show(actor, steps, others, followed)
            slow.takes.clear()
            after, kept = await show(actor, steps, others, followed)
            await let_go(actor, followed, slow)
            assert {*map(tuple, after.waits)} == {*map(tuple, before.waits)}
            assert BURST < kept <= KEPT
            most = max(most, kept)
            for all_of, one in ((usual, before), (lame, after)):
                all_of.waits.extend(one.waits)
                all_of.seconds.extend(one.seconds)
            clients.remove(slow)
            clients.append(await come_back(app, steps, slow, actor.head.seq))
        whole = list(range(start + 1, actor.head.seq + 1))
        assert all(each.seqs == whole for each in clients), "all of it, in order"
    record(
        "R12",
        f"{CROWD} sockets at one table, one of which takes nothing",
        events_shown_to_each=len(whole),
        gaps=0,
        most_steps_of_the_loop_until_all_others_had_them=max(map(max, lame.waits)),
        steps_without_it=max(map(max, usual.waits)),
        most_messages_kept_for_it=most,
        p50_ms_of_bursts_of_400=1000 * percentile(lame.seconds, 0.5),
        p50_ms_without_it=1000 * percentile(usual.seconds, 0.5),
        p99_ms_of_bursts_of_400=1000 * percentile(lame.seconds, 0.99),
        p99_ms_without_it=1000 * percentile(usual.seconds, 0.99),
    )


def test_r12_what_is_kept_for_a_client_is_bounded() -> None:
    async def offered() -> None:
        slow = Subscription(audience=Audience.PUBLIC, player=None, capacity=10)
        for number in range(100):
            slow.offer(Bundle([b"one", b"two", b"three"]))
            assert waiting_in(slow) == (3 * (number + 1) if number < 3 else 0)
        assert slow.dropped
        assert slow.take() == []

    asyncio.run(offered())
