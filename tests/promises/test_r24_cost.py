"""R24: one person's cost is bounded: commands, sockets, bytes kept and sent back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn
from starlette.types import Message, Receive, Scope, Send

from novamas.house.input_bounds import LONGEST_DETAIL
from novamas.house.people.events import Post
from novamas.web.app import Doorkeeper
from novamas.web.command_reader import LONGEST_ID
from novamas.web.connections import (
    BODY_SECONDS,
    GRACE,
    HEADER_SECONDS,
    LARGEST_HEAD,
    Gate,
    GuardedServer,
)
from novamas.web.quotas import (
    BYTES_AT_ONCE,
    ONLOOKERS,
    REFUSALS_AT_ONCE,
    REMEMBERED,
    SOCKETS,
    Allowance,
    Allowances,
)
from novamas.web.routes.tables import Lobby
from novamas.web.server import RATE
from novamas.web.socket import TRY_AGAIN
from novamas.web.ws_frames import FramesProtocol
from tests.promises.figures import record
from tests.web.accounts import Accounts, bearer, open_accounts, table_with_staff
from tests.web.door import Signed, Socket, run

LONG = "x" * 900
"""As long a text as a command may hold."""


class Hand:
    """A clock that the test moves by hand."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def counted_by(accounts: Accounts, clock: Hand) -> Lobby:
    """The lobby of a house whose allowances go by a clock of the test."""
    lobby: Lobby = accounts.app.state.lobby
    lobby.allowances = Allowances(RATE, clock)
    return lobby


@contextlib.asynccontextmanager
async def several(accounts: Accounts, who: Signed | None, many: int) -> AsyncIterator[list[Socket]]:
    """So many sockets of one person, or of strangers."""
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(accounts.listening("t", who)) for _ in range(many)]


# Commands -----------------------------------------------------------------------------------------


@run
async def test_r24_more_sockets_give_nobody_more_commands() -> None:
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        counted_by(accounts, Hand())
        heard = 0
        async with several(accounts, ana, 4) as sockets:
            for number, each in enumerate(sockets):
                for turn in range(50):
                    each.ask("StepAway", under=f"{number}-{turn}")
            for each in sockets:
                answers = 0
                while answers < 50:
                    said = await each.receive()
                    answers += "type" not in said
                    heard += "refused" in said or "ack" in said
            # And nor do requests beside them.
            asked = await accounts.http.put(
                "/api/me/limits", json={"kind": "spend", "amount": 5}, headers=bearer(ana)
            )
            assert asked.status_code == 429
            assert asked.json()["why"] == "too_often"
        assert heard == 2 * RATE
        record("R24", "commands of one person at once, over four sockets", heard=heard, sent=200)


@run
async def test_r24_what_a_penniless_player_has_kept_is_bounded() -> None:
    """They are refused as fast as they can ask, with texts as long as they may be."""
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        clock = Hand()
        counted_by(accounts, clock)
        sent = told = 0
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            for number in range(600):
                clock.at += 0.02  # As fast as commands are heard.
                id = f"{number:0{LONGEST_ID}}"
                fields = {"id": LONG, "player": LONG, "on": LONG, "amount": 10}
                sent += len(json.dumps(fields))
                answer = await socket.give("PlaceStake", under=id, **fields)
                told = max(told, len(json.dumps(answer)))
        store = accounts.house.store
        await accounts.local.stop()
        kept = await accounts.house.blocking(lambda: list(store.outcomes("t")))
        refused = [each for each in kept if each.answer and each.who == "ana"]
        size = sum(len(each.command) + len(each.answer) for each in refused)
        assert 0 < len(refused) <= REFUSALS_AT_ONCE + clock.at
        assert max(len(each.answer) for each in refused) < 4 * LONGEST_DETAIL
        assert told < 4 * LONGEST_DETAIL + 4 * LONGEST_ID
        record(
            "R24",
            "refusals of one person who always asks",
            asked=600,
            sent_bytes=sent,
            kept=len(refused),
            kept_bytes=size,
        )


@pytest.mark.parametrize(
    "frame",
    [
        json.dumps({"id": "i" * 9_000, "do": "Sit"}),
        json.dumps({"id": "c1", "do": "d" * 9_000}),
        json.dumps({"id": "c1", "do": "Sit", "with": {"f" * 9_000: 1}}),
        json.dumps({"id": "c1", "do": "PlaceStake", "with": {"on": {"k" * 9_000: 1}}}),
        "{" * 9_000,
    ],
)
@run
async def test_r24_no_problem_sends_back_more_than_a_line(frame: str) -> None:
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", ana) as socket:
            socket.say(frame)
            answer = await socket.receive()
        assert "problem" in answer
        assert len(json.dumps(answer, ensure_ascii=False)) < 2 * LONGEST_DETAIL + LONGEST_ID


def test_r24_bytes_count_beside_commands() -> None:
    clock = Hand()
    allowance = Allowance(RATE, clock)
    heard = 0
    while allowance.allows(16_000):
        clock.at += 0.02
        heard += 16_000
    assert heard <= BYTES_AT_ONCE + clock.at * 4_096
    assert not allowance.allows(16_000)
    clock.at += 60
    assert allowance.allows(16_000)


def test_r24_what_is_remembered_of_strangers_is_bounded() -> None:
    allowances = Allowances(RATE, Hand())
    for number in range(REMEMBERED + 500):
        allowances.of(None, f"192.0.2.{number}")
    assert len(allowances._by_name) == REMEMBERED


# Sockets ------------------------------------------------------------------------------------------


@run
async def test_r24_sockets_of_a_person_and_of_an_address_are_counted() -> None:
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        await accounts.known("cora", Post.CHIEF)
        ana, again = [await accounts.signed("ana", Post.PLAYER) for _ in range(2)]
        cora = await accounts.signed("cora", Post.CHIEF)
        async with several(accounts, ana, SOCKETS):
            closed = await accounts.listening("t", again).end_of_hello()
            assert closed.code == TRY_AGAIN
            async with accounts.listening("t", cora):
                pass  # Somebody else is let in.
            async with several(accounts, None, ONLOOKERS):
                closed = await accounts.listening("t", None).end_of_hello()
                assert closed.code == TRY_AGAIN
        async with accounts.listening("t", again):
            pass  # Once some are closed there is room.
        lobby: Lobby = accounts.app.state.lobby
        assert not lobby.allowances._sockets
        record("R24", "sockets at once", of_a_person=SOCKETS, onlookers_of_an_address=ONLOOKERS)


# Connections --------------------------------------------------------------------------------------


async def _app(_: Scope, receive: Receive, send: Send) -> None:
    """Reads the whole request, and says how long it was."""
    size = 0
    while True:
        message: Message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    start = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
    await send(start)
    await send({"type": "http.response.body", "body": f"{size:4}".encode()})


@contextlib.asynccontextmanager
async def served(gate: Gate) -> AsyncIterator[int]:
    """A server behind a gate, and its port."""
    config = uvicorn.Config(
        Doorkeeper(_app),
        log_config=None,
        log_level="warning",
        lifespan="off",
        ws=FramesProtocol,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_graceful_shutdown=1,
    )
    server = GuardedServer(config, gate)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield port
        finally:
            server.should_exit = True
            await serving


class Client:
    """A connection of a stranger."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int, gate: Gate) -> Client:
        """Connects, and waits until the house has noticed."""
        before = gate.accepted
        made = cls(*await asyncio.open_connection("127.0.0.1", port))
        async with asyncio.timeout(20):
            while gate.accepted <= before:
                await asyncio.sleep(0.001)
        return made

    async def say(self, text: bytes) -> None:
        self._writer.write(text)
        await self._writer.drain()

    async def hears(self) -> bytes:
        """What is answered; nothing if the house has ended the connection."""
        async with asyncio.timeout(20):
            try:
                return await self._reader.read(4_096)
            except ConnectionError:
                return b""

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [(b"", HEADER_SECONDS), (HEAD, HEADER_SECONDS), (POST, BODY_SECONDS)],
    ids=["nothing", "half a head", "half a body"],
)
@run
async def test_r24_whoever_sends_slowly_is_put_out(sent: bytes, seconds: float) -> None:
    clock = Hand()
    gate = Gate(10, clock=clock)
    async with served(gate) as port:
        slow = await Client.to(port, gate)
        await slow.say(sent)
        sending = sent == POST
        async with asyncio.timeout(20):
            while sending and not any(each.is_sending for each in gate._states):
                await asyncio.sleep(0.001)
        # A byte now and then buys no time.
        for _ in range(9):
            clock.at += seconds / 10
            gate.sweep()
            await slow.say(b"" if sent != HEAD else b"X-a: b\r\n")
        assert gate.slow == 0
        clock.at += seconds / 5
        gate.sweep()
        assert await slow.hears() == b""
        assert gate.slow == 1
        await slow.close()


@run
async def test_r24_who_waits_longest_gives_way_first() -> None:
    clock = Hand()
    gate = Gate(3, clock=clock)
    async with served(gate) as port:
        first, second, third = [await Client.to(port, gate) for _ in range(3)]
        clock.at += GRACE
        await first.say(HEAD + b"\r\n")
        assert (await first.hears()).startswith(b"HTTP/1.1 200")
        # The first has just asked for something: now the second has waited longest.
        fourth = await Client.to(port, gate)
        assert await second.hears() == b""
        for each in (first, third, fourth):
            await each.say(HEAD + b"\r\n")
            assert (await each.hears()).startswith(b"HTTP/1.1 200")
        assert gate.evicted == 1
        for each in (first, second, third, fourth):
            await each.close()


@run
async def test_r24_one_address_gives_way_to_itself() -> None:
    clock = Hand()
    gate = Gate(100, each=4, clock=clock)
    async with served(gate) as port:
        clients = [await Client.to(port, gate) for _ in range(4)]
        clock.at += GRACE
        clients.append(await Client.to(port, gate))
        assert await clients[0].hears() == b""
        for each in clients:
            await each.close()
    proxied = Gate(100, each=4, exempt=["127.0.0.0/8"], clock=clock)
    async with served(proxied) as port:
        clients = [await Client.to(port, proxied) for _ in range(8)]
        assert len(proxied) == 8
        for each in clients:
            await each.close()


@run
async def test_r24_people_leave_a_quarter_of_the_places() -> None:
    gate = Gate(8, clock=Hand())
    with contextlib.ExitStack() as stack:
        pairs = [socket.socketpair() for _ in range(8)]
        for pair in pairs:
            stack.enter_context(pair[0])
            stack.enter_context(pair[1])
        people = [gate.come(pair[0], "192.0.2.1") for pair in pairs]
        assert [each.is_known() for each in people] == [True] * 6 + [False] * 2
        people[0].ended()
        assert people[6].is_known()
