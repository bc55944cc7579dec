"""Who works at a simulated house: the cashier, the chief, the croupiers of a wheel.

Each is a process of its own, and reaches the servers over the network like everybody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from websockets.exceptions import ConnectionClosed

from novamas.game import staffing
from novamas.house.people.events import Post
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.web.client import Answered, ProblemError, TableClient
from tests.simulated_house.invariants import Sent
from tests.simulated_house.network import Response

if TYPE_CHECKING:
    from tests.simulated_house.world import World

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the simulation's own people
PATIENCE = 12.0
"""Seconds after which somebody gives up."""
GONE = (OSError, ProblemError, TimeoutError, ConnectionClosed)
"""What it is like when a house does not answer."""


class Person:
    """Somebody with an account and a process of their own."""

    def __init__(self, world: World, name: str, post: Post) -> None:
        self.world = world
        self.name = name
        self.post = post
        self.process = world.loop.process(name)
        self.token: str | None = None
        self.clients: dict[str, TableClient] = {}
        self.proofs: list[dict[str, Any]] = []
        self._ids = (f"{name}-{number}" for number in itertools.count(1))
        self._turn = asyncio.Lock()

    def start(self, work: Any) -> asyncio.Task[Any]:
        """Does something in this person's process."""
        return self.world.loop.start(self.process, work)

    # Requests -------------------------------------------------------------------------------

    async def ask(self, method: str, path: str, body: Any = None, *, tries: int = 6) -> Response:
        """Asks the servers one after the other until one answers."""
        for number in range(tries):
            server = self.world.servers[number % len(self.world.servers)]
            with contextlib.suppress(OSError):
                answer = await self._request(method, server.address + path, body)
                if answer.status == 401 and self.post is Post.PLAYER:
                    self.token = None
                elif answer.status not in (500, 503):
                    return answer
            await asyncio.sleep(0.3)
        raise OSError("nobody answers")

    async def _request(self, method: str, url: str, body: Any) -> Response:
        if self.token is None and self.post is Post.PLAYER:
            address = url[: url.index("/", 8)]
            await self.renew(address)
        network = self.world.network
        answer = await network.request(method, url, body, token=self.token)
        while answer.status == 307:
            answer = await network.request(
                method, answer.headers["location"], body, token=self.token
            )
        return answer

    async def renew(self, address: str) -> str:
        """Signs in."""
        if self.post is not Post.PLAYER:
            raise ProblemError("staff is signed in from the beginning")
        body = {"name": self.name, "password": PASSWORD, "by": "token"}
        answer = await self.world.network.request("POST", f"{address}/api/sign-in", body)
        if answer.status != 200:
            raise ProblemError(f"{answer.status} {answer.data}")
        self.token = str(answer.data["token"])
        return self.token

    # A table --------------------------------------------------------------------------------

    async def client(self, table: str) -> TableClient:
        """The client at a table, connected."""
        async with self._turn:
            known = self.clients.get(table)
            if known is not None and known._ended is None:
                return known
            await self.drop(table)
            servers = [server.address for server in self.world.servers]
            if self.token is None:
                for address in servers:
                    with contextlib.suppress(OSError, ProblemError):
                        await self.renew(address)
                        break
            made = TableClient(
                servers[0],
                table,
                self.token,
                servers=servers,
                renew=self.renew if self.post is Post.PLAYER else None,
                nonces=self.post is Post.PLAYER,
            )
            self.clients[table] = await made.__aenter__()
            return made

    async def drop(self, table: str) -> None:
        """Leaves the connection, and keeps what it proves."""
        client = self.clients.pop(table, None)
        if client is None:
            return
        if client.nonces is not None:
            self.proofs.append(client.nonces.proof())
        await client.__aexit__(None, None, None)

    async def have(self, work: Any) -> Any:
        """Does something in this person's process, for somebody who waits for it."""
        return await self.start(work)

    async def give(self, table: str, command: Command, *, id: str | None = None) -> Answered:
        """Gives a command, and holds the house to its answer."""
        client = await self.client(table)
        fields = msgspec.to_builtins(command)
        sent = Sent(
            table, id or next(self._ids), self.name, self.post, type(command).__name__, fields
        )
        answered = await client.give(command, id=sent.id)
        self.heard(sent, answered)
        return answered

    def heard(self, sent: Sent, answered: Answered) -> None:
        """Has an answer compared with the log."""
        if answered.is_accepted:
            told = {"ack": sent.id, "seq": answered.seq}
        else:
            told = {"refused": sent.id, "why": answered.why}
        self.world.checks.answered(sent, told)


class Cashier(Person):
    """Whoever is at the cash desk: asks again until it is done, under the same id."""

    async def hand_in(self, name: str, amount: int) -> None:
        """A player brings money."""
        await self._do(f"/api/desk/{name}/in", amount, amount)

    async def pay_out(self, name: str, amount: int) -> None:
        """A player is paid."""
        await self._do(f"/api/desk/{name}/out", amount, -amount)

    async def _do(self, path: str, amount: int, change: int) -> None:
        id = next(self._ids)
        answer = await self.ask("POST", path, {"amount": amount, "id": id})
        if answer.status == 200:
            self.world.checks.desk_answered(id, change)


class Croupiers:
    """The staff of a wheel: deals as the table's phase wants it, for as long as somebody plays."""

    def __init__(self, world: World, table: str, book: str) -> None:
        self._world = world
        self._table = table
        posts = load(book).posts
        wanted = staffing.missing(load(book), {})
        self.people = [
            (
                Person(
                    world,
                    f"c{number}",
                    Post.CHIEF if posts[post].watches else Post.CROUPIER,
                ),
                post,
            )
            for number, post in enumerate(wanted, 1)
        ]

    async def deal(self, chance: Random) -> None:
        """Deals until the world ends."""
        while True:
            with contextlib.suppress(*GONE):
                async with asyncio.timeout(PATIENCE):
                    await self._step(chance)
            await asyncio.sleep(0.7)

    async def _step(self, chance: Random) -> None:
        shown = await self._world.chief.ask("GET", f"/api/tables/{self._table}")
        phase = shown.data["phase"]
        match phase:
            case "opening":
                for person, post in self.people:
                    take = commands.TakePost(by=person.name, post=post)
                    await person.have(person.give(self._table, take))
                chief = self._world.chief
                await chief.give(self._table, commands.OpenTable(by=chief.name))
            case "betting" | "choosing":
                if await self._one(commands.LaunchBall):
                    await asyncio.sleep(1.0)
                await self._one(commands.CloseBetting)
            case "closed":
                await self._one(commands.PocketBall, number=chance.randrange(37))
            case "pocketed":
                await self._one(commands.CallNumber)
            case "collecting":
                await self._one(commands.CollectLosers)
            case "paying":
                await self._one(commands.PayWinners)
            case _:
                pass

    async def _one(self, command: type[Command], **fields: Any) -> bool:
        """Whoever may do it, does it."""
        for person, _ in self.people:
            if person.post is Post.CHIEF:
                continue
            given = command(by=person.name, **fields)
            answered = await person.have(person.give(self._table, given))
            if answered.is_accepted:
                return True
        return False
