"""A typed client of a table's socket: gives commands, gets answers, follows events, comes back.

When the connection is lost the client connects again by itself, asks for what it missed, and sends
the commands that were not answered once more, under the same id: they happen once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import fields
from types import TracebackType
from typing import Any, NamedTuple, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from novamas.table.commands import Command


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
    yours: bool
    """Whether it is what only this player is shown of the event."""


class ProblemError(Exception):
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
        renew: Callable[[], Awaitable[str]] | None = None,
    ) -> None:
        self._url = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        self._token = token
        self._renew = renew
        """Gives a new token where the old one is not good any more, as after a restart."""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, tuple[bytes, asyncio.Future[Answered]]] = {}
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._ids = (f"{secrets.token_hex(6)}-{n}" for n in itertools.count(1))
        self._ready = asyncio.Event()
        self._closing = False
        self.seq = after or 0
        self._resumes = after is not None
        self.table: dict[str, Any] = {}
        """The table as it stood when the client last connected."""

    async def __aenter__(self) -> Self:
        await self._connect()
        self._reader = asyncio.create_task(self._read())
        await self._ready.wait()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing = True
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _connect(self) -> None:
        query = [f"token={self._token}"] if self._token else []
        if self._resumes:
            query.append(f"after={self.seq}")
        address = f"{self._url}?{'&'.join(query)}" if query else self._url
        self._socket = await connect(address, max_size=2**26, compression=None)
        for message, _ in tuple(self._waiting.values()):
            await self._socket.send(message.decode())

    async def give(
        self, command: Command, *, id: str | None = None, acting: bool = False
    ) -> Answered:
        """Gives a command and waits for its answer; `acting` sends `by` along (management)."""
        id = id or next(self._ids)
        request = {"id": id, "do": type(command).__name__, "with": _told(command)}
        if acting:
            request["as"] = command.by
        message = msgspec.json.encode(request)
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._waiting[id] = (message, future)
        if self._socket is not None:
            # What a lost connection did not take is sent again when the client is back.
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(message.decode())
        try:
            return await future
        finally:
            self._waiting.pop(id, None)

    async def messages(self) -> AsyncIterator[Message]:
        """The events, as they come."""
        while True:
            message = await self._messages.get()
            if message is None:
                return
            yield message

    async def _read(self) -> None:
        while True:
            with contextlib.suppress(ConnectionClosed):
                await self._read_socket()
            self._resumes = True
            if self._closing or not await self._come_back():
                break
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(ProblemError("the connection was closed"))
        await self._messages.put(None)

    async def _come_back(self) -> bool:
        for wait in (0.05, 0.1, 0.2, 0.5, *[1.0] * 30):
            try:
                await self._connect()
            except InvalidStatus:
                if self._renew is not None:
                    with contextlib.suppress(OSError, ProblemError):
                        self._token = await self._renew()
                await asyncio.sleep(wait)
            except (OSError, InvalidHandshake, ConnectionClosed, EOFError):
                await asyncio.sleep(wait)
            else:
                return True
            if self._closing:
                return False
        return False

    async def _read_socket(self) -> None:
        if self._socket is None:
            return
        async for text in self._socket:
            self._take(msgspec.json.decode(text))

    def _take(self, data: dict[str, Any]) -> None:
        if "table" in data and "seq" not in data:
            self.table = data["table"]
            if not self._resumes:
                self.seq = self.table["seq"]
            self._ready.set()
        elif "ack" in data:
            self._answer(data["ack"], Answered(data["ack"], seq=data["seq"]))
        elif "refused" in data:
            refused = Answered(
                data["refused"],
                seq=data["seq"],
                why=data["why"],
                articles=tuple(data["articles"]),
                detail=data["detail"],
            )
            self._answer(refused.id, refused)
        elif "problem" in data:
            found = self._waiting.get(data.get("id") or "")
            if found is not None and not found[1].done():
                found[1].set_exception(ProblemError(data["problem"]))
        else:
            self._event(data)

    def _answer(self, id: str, answered: Answered) -> None:
        found = self._waiting.get(id)
        if found is not None and not found[1].done():
            found[1].set_result(answered)

    def _event(self, data: dict[str, Any]) -> None:
        yours = data.get("yours", False)
        if data["seq"] <= self.seq and not yours:
            return  # Seen before the connection was lost.
        self.seq = max(self.seq, data["seq"])
        self._messages.put_nowait(Message(data["seq"], data["type"], data["data"], yours))


def _told(command: Command) -> dict[str, Any]:
    """What a command says: who asks is known to the house, and what is usual is not said."""
    told: dict[str, Any] = msgspec.to_builtins(command)
    usual = {each.name: each.default for each in fields(command)}
    return {
        name: value
        for name, value in told.items()
        if name != "by" and (name not in usual or value != usual[name])
    }
