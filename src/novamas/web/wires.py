"""Wires: a socket's messages in and out, by callbacks instead of a task and a wait for each.

The house's own server gives its connection as a wire (`ws_frames.FramesProtocol`): a command is
handed over as soon as it is read, and everything that waits for a client is written at once. Any
other ASGI server is used through `AsgiWire`, message by message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from novamas.house.table.subscriptions import Bundle

log = logging.getLogger(__name__)

EXTENSION = "novamas.wire"
"""The ASGI extension of a server that offers its connection as a wire."""


class Listener(Protocol):
    """What uses a wire: it is called with what happens on it."""

    def received(self, message: str | bytes) -> None:
        """Called with each message of the client, in order."""

    def writable(self) -> None:
        """Called when the wire can be written again."""

    def lost(self) -> None:
        """Called when the client has gone."""


class Wire(Protocol):
    """A connection to a client."""

    @property
    def is_writable(self) -> bool:
        """Whether the client keeps up with what was written."""

    def listen(self, listener: Listener | None) -> None:
        """Hands everything over to the listener, beginning with what has come already."""

    def pause(self) -> None:
        """Reads no more: what the client sends stays in its own buffer."""

    def resume(self) -> None:
        """Reads again."""

    def write(self, bundles: Sequence[Bundle]) -> None:
        """Writes messages; only while the wire is writable."""

    async def drained(self) -> None:
        """Waits until the wire is writable."""


class AsgiWire:
    """A wire through the ASGI interface of any server."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._listener: Listener | None = None
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._reading: asyncio.Task[None] | None = None
        self._writing: asyncio.Task[None] | None = None

    @property
    def is_writable(self) -> bool:
        """Whether the last messages were sent."""
        return self._may_write.is_set()

    def listen(self, listener: Listener | None) -> None:
        """Begins to read, or ends both directions if there is no listener any more."""
        self._listener = listener
        if listener is not None:
            self._reading = asyncio.create_task(self._read(listener))
            return
        for task in (self._reading, self._writing):
            if task is not None:
                task.cancel()

    def pause(self) -> None:
        """Reads no more."""
        self._may_read.clear()

    def resume(self) -> None:
        """Reads again."""
        self._may_read.set()

    def write(self, bundles: Sequence[Bundle]) -> None:
        """Writes messages one by one."""
        self._may_write.clear()
        self._writing = asyncio.create_task(self._write(bundles))

    async def drained(self) -> None:
        """Waits until the last messages were sent."""
        await self._may_write.wait()

    async def _read(self, listener: Listener) -> None:
        try:
            while (message := await self._socket.receive())["type"] == "websocket.receive":
                listener.received(message.get("text") or message.get("bytes") or "")
                await self._may_read.wait()
        except Exception:
            log.exception("a message could not be handled")
        listener.lost()

    async def _write(self, bundles: Sequence[Bundle]) -> None:
        try:
            for bundle in bundles:
                for message in bundle.messages:
                    await self._socket.send_text(message.decode())
        except (WebSocketDisconnect, RuntimeError):
            if self._listener is not None:
                self._listener.lost()
        else:
            self._may_write.set()
            if self._listener is not None:
                self._listener.writable()


def wire_of(socket: WebSocket) -> Wire:
    """The wire of a connection: the server's own, or one through ASGI."""
    scope: Scope = socket.scope
    offered: Wire | None = scope.get("extensions", {}).get(EXTENSION)
    return offered if offered is not None else AsgiWire(socket)
