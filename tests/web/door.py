"""A house with its doors open to a test: HTTP and sockets, without a network between.

The application is called as a server would call it. So a test can hold a socket up, cut it off, or
look at the house behind it, at any moment it likes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Self

import httpx
from fastapi import FastAPI

from novamas.game import staffing
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.behaviours import Act, LimitsKept, Winning
from novamas.house.house import House
from novamas.house.log.store import Record, Store
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people import decide as people_decide
from novamas.house.people import events
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.registry import LOG, Decide, Registry
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import CountFloat, GiveTip, OpenBank, SignFloat
from novamas.house.table.events import BallMode
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.accounts import BANK
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from novamas.web.app import create_app
from novamas.web.sessions import People, digest

Role = Post

HOST = "127.0.0.1"
PATIENCE = 60.0
FLOAT = 1_000_000
"""What is in the bank of a table when it opens."""


class Closed(Exception):  # noqa: N818 - it reads as what happens to a socket
    """The house ended the socket."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}")
        self.code = code
        self.reason = reason


class Socket:
    """A client's end of a table's socket."""

    def __init__(self, app: FastAPI, path: str, query: str, headers: dict[str, str]) -> None:
        self._app = app
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), v.encode()) for name, v in headers.items()],
            "client": (HOST, 1),
            "server": (HOST, 80),
            "subprotocols": [],
            "state": {},
            "extensions": {},
        }
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        mark = secrets.token_hex(4)
        self._ids = (f"{mark}-{number}" for number in itertools.count(1))
        self.takes = asyncio.Event()
        """While it is not set nothing more is taken from the house: the client has stalled."""
        self.takes.set()
        self.taken = 0
        self.accepted = False
        self.table: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.clocks: list[dict[str, Any]] = []
        """What the house said of the time; it may be said between any two other things."""

    async def __aenter__(self) -> Self:
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._app(self._scope, self._in.get, self._send))
        first = await self._message()
        if first["type"] != "websocket.accept":
            raise Closed(403, "the handshake was refused")
        self.accepted = True
        hello = await self.receive()
        if "table" not in hello:
            raise AssertionError(hello)
        self.table = hello["table"]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.takes.set()
        await self.hang_up()

    async def end_of_hello(self) -> Closed:
        """How the house ends a socket that it lets in, but not to a table."""
        try:
            async with self:
                raise AssertionError("it was shown the table")
        except Closed as closed:
            return closed

    async def hang_up(self) -> None:
        """The client is gone."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1006})
        if self._task is not None:
            await asyncio.wait_for(self._task, PATIENCE)

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        await self.takes.wait()
        self.taken += 1
        self._out.put_nowait(dict(message))

    async def _message(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._out.get(), PATIENCE)

    async def receive(self) -> dict[str, Any]:
        """The next thing that the house says, but for the time."""
        while True:
            message = await self._message()
            if message["type"] == "websocket.close":
                raise Closed(message.get("code", 1000), message.get("reason") or "")
            said: dict[str, Any] = json.loads(message["text"])
            if "clock" not in said:
                return said
            self.clocks.append(said["clock"])

    def say(self, text: str | bytes) -> None:
        """Sends a frame as it is."""
        kind = "text" if isinstance(text, str) else "bytes"
        self._in.put_nowait({"type": "websocket.receive", kind: text})

    def ask(self, do: str, *, under: str | None = None, **fields: Any) -> str:
        """Asks for a command, under an id of its own or a new one, and does not wait."""
        request: dict[str, Any] = {"id": under or next(self._ids), "do": do}
        if "as_" in fields:
            request["as"] = fields.pop("as_")
        request["with"] = fields
        self.say(json.dumps(request))
        return str(request["id"])

    async def answer(self, id: str | None) -> dict[str, Any]:
        """The answer to a request; events that come before it are kept."""
        while True:
            said = await self.receive()
            if "type" in said:
                self.events.append(said)
            elif id in (said.get("ack"), said.get("refused"), said.get("id")):
                return said

    async def give(self, do: str, **fields: Any) -> dict[str, Any]:
        """Asks for a command and waits for its answer."""
        return await self.answer(self.ask(do, **fields))

    async def must(self, do: str, **fields: Any) -> dict[str, Any]:
        """Asks for a command that is done."""
        answer = await self.give(do, **fields)
        assert "ack" in answer, answer
        return answer

    async def problem(self, do: str, **fields: Any) -> str:
        """Asks for a command that cannot be read or is not for whoever asks."""
        answer = await self.give(do, **fields)
        assert "problem" in answer, answer
        return str(answer["problem"])

    async def until(self, seq: int) -> list[dict[str, Any]]:
        """All events so far, up to a sequence."""
        while not self.events or self.events[-1]["seq"] < seq:
            said = await self.receive()
            if "type" in said:
                self.events.append(said)
        return self.events

    async def end(self) -> Closed:
        """Waits until the house ends the socket."""
        while True:
            try:
                said = await self.receive()
            except Closed as closed:
                return closed
            if "type" in said:
                self.events.append(said)


@dataclass(frozen=True)
class Signed:
    """Someone who is signed in, and their token."""

    people: People
    token: str
    name: str
    role: Role

    @property
    def money(self) -> int:
        """What is in their wallet."""
        return self.people.registry.register.has(self.name)


class Door:
    """A house, and everything that leads into it."""

    def __init__(self, house: House, people: People, app: FastAPI) -> None:
        self.house = house
        self.people = people
        self.app = app
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}"
        )
        self._ids = (f"d{number}" for number in itertools.count(1))

    def write(self, decide: Decide) -> tuple[RegisterEvent, ...]:
        """Has something written into the register, now."""
        registry, now = self.people.registry, self.house.clock.now()
        kept = registry._kept
        kept.go_on(self.house.store.read(LOG, after=kept.head.seq))
        wanted = tuple(decide(registry.register, now))
        if wanted:
            batch = registry.batch(wanted, now)
            self.house.store.append(batch)
            registry.count(wanted, batch)
        return wanted

    def session(self, role: Role, name: str | None = None) -> Signed:
        """Someone with a token."""
        register = self.people.registry.register
        own = self.people._free_name(register) if role is Role.PLAYER else role.value
        chosen = name or own
        token, money = secrets.token_urlsafe(16), self.people.guest_money or 0
        if register.person(chosen) is None:
            made = events.PersonRegistered(name=chosen, posts=(role,), by="house", guest=True)
            self.write(lambda *_: [made])
            if role is Role.PLAYER:
                self.write(lambda *_: people_decide.give_play_money(chosen, money))
        self.write(
            lambda r, now: people_decide.open_session(
                r, chosen, role, digest(token), now=now, for_good=True
            )
        )
        return Signed(self.people, token, chosen, role)

    def bearer(self, role: Role, name: str | None = None) -> dict[str, str]:
        """The header of someone new with a token."""
        return {"Authorization": f"Bearer {self.session(role, name).token}"}

    def socket(
        self,
        table: str,
        session: Signed | None = None,
        *,
        after: object = None,
        headers: dict[str, str] | None = None,
        token: str | None = None,
        language: str | None = None,
    ) -> Socket:
        """A socket to a table."""
        query = [f"after={after}"] if after is not None else []
        query += [f"language={language}"] if language is not None else []
        token = session.token if session is not None else token
        if token is not None:
            query.append(f"token={token}")
        all_headers = {"host": HOST, **(headers or {})}
        return Socket(self.app, f"/api/tables/{table}/socket", "&".join(query), all_headers)

    async def set_up(
        self,
        table: str,
        rulebook: str,
        *,
        ball: BallMode = BallMode.WHEEL,
        limits: Limits = NO_LIMITS,
        winning: Winning | None = None,
        limits_kept: LimitsKept | None = None,
    ) -> TableActor:
        """A table of the house, staffed and open; nobody deals it but the test."""
        book = load(rulebook)
        setup = Setup(
            chip=10,
            limits=limits,
            winning=winning or book.betting.winners_stay,
            limits_kept=limits_kept or book.limits.kept[0],
            live=True,
        )
        actor = await self.house.set_up(table, rulebook, setup, ball=ball)
        for post in staffing.missing(book, {}):
            person = f"{post} {len(actor.house_table.state.posts_of(post)) + 1}"
            if book.posts[post].tables is not None:
                person += f" of {table}"  # Nobody holds it at all tables of a house.
            await self.must(table, commands.TakePost(by=person, post=post))
        await self.must(table, OpenBank(by=MANAGEMENT, amount=FLOAT))
        await self.enter_float(table)
        inspector = actor.house_table.state.who_may(Act.INSPECT_TABLE)
        if book.wheel.inspected and inspector is not None:
            await self.must(table, commands.InspectTable(by=inspector))
        await self.must(table, commands.OpenTable(by=MANAGEMENT))
        return actor

    async def enter_float(self, table: str) -> None:
        """The float of a table is counted and signed, where its book says so."""
        actor = self.house.tables[table]
        counter = actor.house_table.state.who_may(Act.COUNT_FLOAT)
        if actor.house_table.float_due is not None and counter is not None:
            await self.must(table, CountFloat(by=counter, counted=actor.balances[BANK]))
            await self.must(table, SignFloat(by=MANAGEMENT))

    async def must(self, table: str, command: Command) -> None:
        """Has a command done at a table, whoever it is that asks."""
        answer = await self.house.tables[table].submit(next(self._ids), command)
        assert answer.refusal is None, answer.refusal

    def records(self, table: str) -> list[Record]:
        """The log of a table."""
        return list(self.house.store.read(table))

    def facts(self) -> dict[str, Any]:
        """What must not change when nothing happens: heads and balances."""
        return {
            name: (actor.head, dict(actor.balances), self.house.store.balances(name))
            for name, actor in self.house.tables.items()
        }


async def people_of(house: House, *, guest_money: int | None = 1_000_000) -> People:
    """The people of a house; where it is open already, its register is opened here."""
    registry = house.registry or Registry(house.store, house.blocking, house.clock)
    if house.registry is None:
        await registry.open()
        house.registry = registry
    return People(registry, guest_money=guest_money)


NO_ROOM = Path("no room is built here")


@asynccontextmanager
async def open_door(
    store: Store | None = None,
    *,
    guest_money: int = 1_000_000,
    hosts: Any = (HOST,),
    room: Path = NO_ROOM,
) -> AsyncIterator[Door]:
    """A house that is open until the test is over."""
    house = House(store or MemoryStore())
    house.registry = Registry(house.store, house.blocking, house.clock)
    await house.open()
    people = await people_of(house, guest_money=guest_money)
    app = create_app(house, people, hosts=hosts, room=room)
    door = Door(house, people, app)
    try:
        yield door
    finally:
        await door.http.aclose()
        await house.close()


async def seat(door: Door, *players: str, amount: int = 1000, table: str = "t") -> None:
    """Seats players, each with value chips for an amount."""
    for player in players:
        await door.must(table, commands.Sit(by=player))
        buys = commands.BuyChips(by="croupier 1", player=player, amount=amount, value_chips=True)
        await door.must(table, buys)


async def tips(actor: TableActor, player: str, many: int) -> None:
    """Makes so many events, as fast as they come."""
    start, tip = actor.head.seq, GiveTip(by=player, amount=1)
    answers = await asyncio.gather(*(actor.submit(f"n{start}-{n}", tip) for n in range(many)))
    assert all(answer.refusal is None for answer in answers)


def seqs(events: list[dict[str, Any]]) -> list[int]:
    """The places of events in the log."""
    return [event["seq"] for event in events]


def run(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is a coroutine."""

    @wraps(test)
    def running(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), timeout=120))

    return running
