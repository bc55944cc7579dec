"""A typed client of a table's socket: commands, answers, events, and reconnection.

When the connection is lost, the client reconnects by itself, asks for what it missed, and sends
unanswered commands again under the same id: they are carried out once. If a house has several
servers, it connects to the one that serves the table, and to another when that one fails.

At a drawn table it contributes a fresh nonce to every ball by default.
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
"""Seconds to wait before each attempt to reconnect."""
LARGEST_MESSAGE = 2**26
CLOSE_TIMEOUT = 2.0


class Answered(NamedTuple):
    """The answer to a command."""

    id: str
    seq: int
    why: str = ""
    """The reason of a refusal; empty if the command was accepted."""
    articles: tuple[str, ...] = ()
    detail: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the command was accepted."""
        return not self.why


class Message(NamedTuple):
    """An event as this client sees it."""

    seq: int
    type: str
    data: dict[str, Any]
    yours: dict[str, Any]
    """The private part of the event for this player; often empty."""


class ProblemError(NovamasError):
    """The house could not read a command, or cannot be reached."""


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
        """The addresses of the house's servers, as given and as learned from the house."""
        self._server = url
        self._token = token
        self._tokens: dict[str, str] = {}
        """Server → the token that it gave."""
        self._renew = renew
        """Gets a new token from a server that does not know the old one, as after a restart."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, tuple[str, asyncio.Future[Answered]]] = {}
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._ids = (f"{secrets.token_hex(6)}-{n}" for n in itertools.count(1))
        self._ready = asyncio.Event()
        self._ended: str | None = None
        """Why the client has given up; None while it runs."""
        self._tries = 0
        """Attempts to reconnect since the last successful connection."""
        self._waits = True
        """Whether to wait before the next attempt; with a new token it does not."""
        self._sent_on = False
        """Whether a server has redirected it since the last successful connection."""
        self.seq = after or 0
        """The sequence number of the last event seen."""
        self._resumes = after is not None
        self.table: dict[str, Any] = {}
        """The state of the table at the last connection."""
        self.clock: dict[str, Any] = {}
        """When the current step of the table ends, from the last clock message."""
        self.nonces = Nonces(table) if nonces else None
        """The player's contribution to the ball, and the record of it."""
        self._given: set[asyncio.Task[Answered]] = set()

    async def __aenter__(self) -> Self:
        await self._connect_first()
        self._reader = asyncio.create_task(self._read())
        ready = asyncio.create_task(self._ready.wait())
        try:
            await asyncio.wait((ready, self._reader), return_when=asyncio.FIRST_COMPLETED)
        except BaseException:
            # A caller that gives up before the client is ready leaves no connection behind.
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
        """Gives a command and waits for its answer; `acting` also sends `by` (management)."""
        if self._ended is not None:
            raise ProblemError(self._ended)
        id = id or next(self._ids)
        request = {"id": id, "do": type(command).__name__, "with": _command_data(command)}
        if acting:
            request["as"] = str(command.by)
        message = msgspec.json.encode(request).decode()
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting[id] = (message, future)
        if self._socket is not None:
            # A command that a lost connection did not take is sent again after reconnecting.
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(message)
        try:
            answered = await future
        finally:
            self._waiting.pop(id, None)
        if isinstance(command, Sit) and answered.is_accepted and not acting and self.nonces:
            self._give_all(self.nonces.seated(str(command.by)))
        return answered

    def set_text(self, text: str) -> None:
        """Begins every nonce with the player's own text, from the next spin on."""
        if self.nonces is None:
            raise ValueError("this client adds no nonces")
        self._give_all(self.nonces.set_text(text))

    def _give_all(self, commands: Sequence[Command]) -> None:
        """Gives commands without waiting for their answers."""
        for command in commands:
            task = asyncio.ensure_future(self.give(command))
            self._given.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[Answered]) -> None:
        self._given.discard(task)
        if not task.cancelled():
            task.exception()  # The connection ended: the proof has the nonce all the same.

    async def messages(self) -> AsyncIterator[Message]:
        """Yields each event once, as it arrives; ends when the connection is given up."""
        while (message := await self._messages.get()) is not None:
            yield message

    # The connection -------------------------------------------------------------------------

    async def _connect_first(self) -> None:
        """Connects to the first server that can be reached."""
        for _ in self._servers[1:]:
            with contextlib.suppress(OSError):
                await self._connect()
                return
            self._try_another()
        await self._connect()

    async def _connect(self) -> None:
        """Connects, and sends unanswered commands before anything new."""
        query = f"?after={self.seq}" if self._resumes else ""
        address = f"{self._server.replace('http', 'ws', 1)}{self._path}{query}"
        token = self._tokens.get(self._server, self._token)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        socket = await connect(
            address,
            additional_headers=headers,
            max_size=LARGEST_MESSAGE,
            # An unlimited queue: the close of a connection never waits behind messages.
            max_queue=None,
            close_timeout=CLOSE_TIMEOUT,
            compression=None,
            proxy=None,
        )
        sent: set[str] = set()
        try:
            with contextlib.suppress(ConnectionClosed):  # The next reader finds out why.
                while left := {id: kept[0] for id, kept in self._waiting.items() if id not in sent}:
                    for id, message in left.items():
                        await socket.send(message)
                        sent.add(id)
        except BaseException:
            socket.transport.abort()  # No other code has a reference to it yet.
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
        """Whether a new token or waiting may help; other errors are permanent."""
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
        """Follows a redirect; two servers that redirect to each other are given time."""
        if server.startswith(("http://", "https://")):
            self._waits, self._sent_on = self._sent_on, True
            self._server = server
            if server not in self._servers:
                self._servers.append(server)

    def _try_another(self) -> None:
        """Moves on to the next known server."""
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
    """The fields of a command without `by`, which the house knows, and without defaults."""
    data: dict[str, Any] = msgspec.to_builtins(command)
    usual = {each.name: each.default for each in fields(command)}
    return {
        name: value
        for name, value in data.items()
        if name != "by" and (name not in usual or value != usual[name])
    }
