"""R12, over the wire: a client that reads nothing is let go, and the others see all.

Real connections to the house's own server, with small buffers on the way, so that they are soon
full. How many messages are kept beyond them is counted in the house.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI

from bench.players import Player, connect
from novamas.house.clock import ManualClock
from novamas.house.log.stores.memory import MemoryStore
from novamas.web.app import create_app
from novamas.web.connections import Gate, GuardedServer
from novamas.web.ws_frames import FramesProtocol
from tests.promises.figures import record
from tests.prompt import PromptHouse
from tests.web.door import HOST, NO_ROOM, Door, people_of, run, seat, tips

OTHERS = 25
BURST = 200
MOST_BURSTS = 200
KEPT = 4096
"""How many messages are kept for a follower before it is let go."""
SMALL = 16_384
"""Bytes of each buffer of the system between the house and a client."""
SOCKET = "/api/tables/t/socket"
PATIENCE = 60.0


@asynccontextmanager
async def served(app: FastAPI) -> AsyncIterator[int]:
    """The house's server on a port of its own, with little room in the system's buffers."""
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        lifespan="off",
        ws=FramesProtocol,
        ws_ping_interval=None,
        timeout_graceful_shutdown=1,
    )
    server = GuardedServer(config, Gate(4 * OTHERS))
    with socket.create_server((HOST, 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        port = listening.getsockname()[1]
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield port
        finally:
            server.should_exit = True
            await serving


async def who_reads_nothing(port: int) -> Player:
    """A client that asks for the table, and then takes nothing of it."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    narrow.setblocking(False)  # noqa: FBT003 - the system names it so
    loop = asyncio.get_running_loop()
    await loop.sock_connect(narrow, (HOST, port))
    made = Player(SOCKET, None, reads=False)
    await loop.create_connection(lambda: made, sock=narrow)
    return made


@run
async def test_r12_over_the_wire_one_that_reads_nothing_is_let_go() -> None:
    house = PromptHouse(MemoryStore(), clock=ManualClock())
    await house.open()
    people = await people_of(house)
    app = create_app(house, people, hosts=(HOST,), room=NO_ROOM)
    door = Door(house, people, app)
    try:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        async with served(app) as port, asyncio.timeout(PATIENCE):
            slow = await who_reads_nothing(port)
            while not actor._subscriptions:
                await asyncio.sleep(0.001)
            (followed,) = actor._subscriptions
            others = [await connect(port, SOCKET, None) for _ in range(OTHERS)]
            await asyncio.gather(*(each.ready for each in others))
            bursts, kept = 0, 0
            while not followed.overtaken:
                bursts += 1
                assert bursts < MOST_BURSTS, "what is kept for it has no end"
                await tips(actor, "ana", BURST)
                while any(each.seq < actor.head.seq for each in others):
                    await asyncio.sleep(0)
                waiting = sum(len(bundle.messages) for bundle in followed._bundles)
                kept = max(kept, waiting)
            await tips(actor, "ana", BURST)
            while any(each.seq < actor.head.seq for each in others):
                await asyncio.sleep(0)
            assert BURST < kept <= KEPT
            assert not followed._bundles
            assert followed not in actor._subscriptions
            assert {(each.gaps, each.events) for each in others} == {(0, BURST * (bursts + 1))}
            slow.resume()
            while slow.closed is None:
                await asyncio.sleep(0.001)
            for each in others:
                each.close()
            while any(each.closed is None for each in others):
                await asyncio.sleep(0.001)
    finally:
        await door.http.aclose()
        await house.close()
    record(
        "R12",
        f"{OTHERS + 1} real connections, one of which reads nothing",
        events=BURST * (bursts + 1),
        gaps=0,
        events_until_it_was_let_go=BURST * bursts,
        most_messages_kept_for_it=kept,
    )
