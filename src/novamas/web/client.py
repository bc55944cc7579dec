"""A typed client of a table's socket: gives commands, gets answers, follows events, comes back.

When the connection is lost the client connects again by itself, asks for what it missed, and sends
the commands that were not answered once more, under the same id: they happen once. Where a house
has several servers it goes to the one that serves the table, and to another when that one is gone.

At a drawn table it adds a fresh nonce of its own machine to every ball, unless told otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import fields
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from novamas.game.errors import NovamasError
from novamas.table.commands import Command, Sit
from novamas.web.player_nonces import Nonces
from novamas.web.socket import BAD_AFTER, BAD_TOKEN, ELSEWHERE, NO_TABLE, RESTART

WAITS = (0.0, 0.05, 0.1, 0.2, *[0.25] * 120)
"""How long the client waits before each try to come back, in seconds."""
LARGEST_MESSAGE = 2**26
CLOSE_TIMEOUT = 2.0


class Answered(NamedTuple):
    """What a command got."""

    id: str
    seq: int
    why: str = ""
    """Empty if it was accepted."""
    articles: tuple[str, ...] = ()
    detail: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether it happened."""
        return not self.why


class Message(NamedTuple):
    """An event as the client is shown it."""

    seq: int
    type: str
    data: dict[str, Any]
    yours: dict[str, Any]
    """What of it only this player is shown; often nothing."""


class ProblemError(NovamasError):
    """The house could not read a command, or is not there."""


class TableClient:
    """A connection to one table of a house."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str | None,
        *,
        after: int | None = None,
        renew: Callable[[str], Awaitable[str]] | None = None,
        servers: Sequence[str] = (),
        nonces: bool = True,
    ) -> None:
        self._path = f"/api/tables/{quote(table)}/socket"
        self._servers = list(dict.fromkeys((url, *servers)))
        """Where the house is served: as told, and as it told itself."""
        self._server = url
        self._token = token
        self._tokens: dict[str, str] = {}
        """Server → the token that it gave."""
        self._renew = renew
        """Gives a new token of a server that knows none, as after a restart."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, tuple[str, asyncio.Future[Answered]]] = {}
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._ids = (f"{secrets.token_hex(6)}-{n}" for n in itertools.count(1))
        self._ready = asyncio.Event()
        self._ended: str | None = None
        """Why nothing can be given any more."""
        self._tries = 0
        """How often the client tried to come back since it last saw the table."""
        self._waits = True
        """Whether it waits before the next try: with a new token it does not."""
        self._sent_on = False
        """Whether it was shown to another server since it last saw the table."""
        self.seq = after or 0
        """The last event that the client has seen."""
        self._resumes = after is not None
        self.table: dict[str, Any] = {}
        """The table as it stood when the client last connected."""
        self.clock: dict[str, Any] = {}
        """When the step that the table is in will end, as the client was last told."""
        self.nonces = Nonces(table) if nonces else None
        """The player's part in the ball, and the record of it."""
        self._given: set[asyncio.Task[Answered]] = set()

    async def __aenter__(self) -> Self:
        await self._connect_first()
        self._reader = asyncio.create_task(self._read())
        ready = asyncio.create_task(self._ready.wait())
        try:
            await asyncio.wait((ready, self._reader), return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            # Whoever gives up before the client is ready leaves no connection behind.
            await self._end()
            raise
        finally:
            ready.cancel()
        if self._ended is not None:
            await self._end()
            raise ProblemError(self._ended)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._end()

    async def _end(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        await asyncio.gather(*self._given, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def give(
        self, command: Command, *, id: str | None = None, acting: bool = False
    ) -> Answered:
        """Gives a command and waits for its answer; `acting` sends `by` along (management)."""
        if self._ended is not None:
            raise ProblemError(self._ended)
        id = id or next(self._ids)
        request = {"id": id, "do": type(command).__name__, "with": _command_data(command)}
        if acting:
            request["as"] = command.by
        message = msgspec.json.encode(request).decode()
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting[id] = (message, future)
        if self._socket is not None:
            # What a lost connection did not take is sent again when the client is back.
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(message)
        try:
            answered = await future
        finally:
            self._waiting.pop(id, None)
        if isinstance(command, Sit) and answered.is_accepted and not acting and self.nonces:
            self._give_all(self.nonces.seated(command.by))
        return answered

    def set_text(self, text: str) -> None:
        """Begins every nonce with a text of one's own, from the spin to come on."""
        if self.nonces is None:
            raise ValueError("this client adds no nonces")
        self._give_all(self.nonces.set_text(text))

    def _give_all(self, commands: Sequence[Command]) -> None:
        """Gives commands whose answers nobody waits for."""
        for command in commands:
            task = asyncio.ensure_future(self.give(command))
            self._given.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[Answered]) -> None:
        self._given.discard(task)
        if not task.cancelled():
            task.exception()  # The connection ended: the proof has the nonce all the same.

    async def messages(self) -> AsyncIterator[Message]:
        """The events, as they come, each once; ends when the connection is given up."""
        while (message := await self._messages.get()) is not None:
            yield message

    # The connection -------------------------------------------------------------------------

    async def _connect_first(self) -> None:
        """Connects to the first server that is there."""
        for _ in self._servers[1:]:
            with contextlib.suppress(OSError):
                await self._connect()
                return
            self._try_another()
        await self._connect()

    async def _connect(self) -> None:
        """Connects, and sends what was not answered before anything new is sent."""
        query = f"?after={self.seq}" if self._resumes else ""
        address = f"{self._server.replace('http', 'ws', 1)}{self._path}{query}"
        token = self._tokens.get(self._server, self._token)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        socket = await connect(
            address,
            additional_headers=headers,
            max_size=LARGEST_MESSAGE,
            # All that comes is taken at once, and so the end of a connection never waits behind it.
            max_queue=None,
            close_timeout=CLOSE_TIMEOUT,
            compression=None,
            proxy=None,
        )
        sent: set[str] = set()
        try:
            with contextlib.suppress(ConnectionClosed):  # Whoever reads next finds out why.
                while left := {id: kept[0] for id, kept in self._waiting.items() if id not in sent}:
                    for id, message in left.items():
                        await socket.send(message)
                        sent.add(id)
        except BaseException:
            socket.transport.abort()  # Nobody else knows of it yet.
            raise
        self._socket = socket

    async def _read(self) -> None:
        try:
            while self._socket is not None:
                with contextlib.suppress(ConnectionClosed):
                    async for text in self._socket:
                        self._take(msgspec.json.decode(text))
                self._resumes = self._resumes or self._ready.is_set()
                if not await self._may_come_back(self._socket) or not await self._come_back():
                    break
        finally:
            self._ended = self._ended or "the connection was closed"
            for _, future in self._waiting.values():
                if not future.done():
                    future.set_exception(ProblemError(self._ended))
            self._messages.put_nowait(None)

    async def _may_come_back(self, ended: ClientConnection) -> bool:
        """Whether a new token may help, or time; what else is wrong stays wrong."""
        if ended.close_code == ELSEWHERE:
            self._go_to(ended.close_reason or "")
        elif ended.close_code == RESTART:
            self._try_another()
        elif ended.close_code == BAD_TOKEN and self._renew is not None:
            with contextlib.suppress(OSError, ProblemError):
                self._tokens[self._server] = await self._renew(self._server)
                self._waits = False
        elif ended.close_code in (BAD_TOKEN, BAD_AFTER, NO_TABLE):
            self._ended = f"the house refuses the connection: {ended.close_reason}"
            return False
        return True

    def _go_to(self, server: str) -> None:
        """Goes where it is sent; but two servers that send it to each other are given time."""
        if server.startswith(("http://", "https://")):
            self._waits, self._sent_on = self._sent_on, True
            self._server = server
            if server not in self._servers:
                self._servers.append(server)

    def _try_another(self) -> None:
        """The next server of those that are known."""
        at = self._servers.index(self._server)
        self._server = self._servers[(at + 1) % len(self._servers)]

    async def _come_back(self) -> bool:
        while self._tries < len(WAITS):
            await asyncio.sleep(WAITS[self._tries] if self._waits else 0.0)
            self._tries, self._waits = self._tries + 1, True
            with contextlib.suppress(OSError, InvalidHandshake, ConnectionClosed, EOFError):
                await self._connect()
                return True
            self._try_another()
        self._ended = "the house does not answer"
        return False

    # What comes -----------------------------------------------------------------------------

    def _take(self, data: dict[str, Any]) -> None:
        if "table" in data:
            self.table = data["table"]
            if not self._resumes:
                self.seq = self.table["seq"]
            if self.nonces is not None:
                self._give_all(self.nonces.connected(self.table, resumed=self._resumes))
            self._tries, self._sent_on = 0, False
            self._ready.set()
        elif "clock" in data:
            self.clock = data["clock"]
        elif "ack" in data:
            self._answer(Answered(data["ack"], seq=data["seq"]))
        elif "refused" in data:
            why, articles = data["why"], tuple(data["articles"])
            self._answer(Answered(data["refused"], data["seq"], why, articles, data["detail"]))
        elif "problem" in data:
            _, future = self._waiting.get(data["id"] or "", (None, None))
            if future is not None and not future.done():
                future.set_exception(ProblemError(data["problem"]))
        elif data["seq"] > self.seq:  # Otherwise it was seen before the connection was lost.
            self.seq = data["seq"]
            yours = data.get("yours", {})
            if self.nonces is not None:
                self._give_all(self.nonces.event(data))
            self._messages.put_nowait(Message(data["seq"], data["type"], data["data"], yours))

    def _answer(self, answered: Answered) -> None:
        _, future = self._waiting.get(answered.id, (None, None))
        if future is not None and not future.done():
            future.set_result(answered)


def _command_data(command: Command) -> dict[str, Any]:
    """What a command says: who asks is known to the house, and what is usual is not said."""
    told: dict[str, Any] = msgspec.to_builtins(command)
    usual = {each.name: each.default for each in fields(command)}
    return {
        name: value
        for name, value in told.items()
        if name != "by" and (name not in usual or value != usual[name])
    }
