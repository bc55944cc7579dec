"""WebSocket frames: messages are encoded once, however many sockets they go to.

The same events go to hundreds of sockets, and frames from a server are not masked, so the bytes are
the same for all. Encoding them once, and writing everything that waits for a socket at once, lets
many clients follow a table. A server without this extension gets the messages one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.types import Scope
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from novamas.web.connections import EXTENSION as CONNECTION
from novamas.web.connections import Connection

EXTENSION = "novamas.frames"
"""The ASGI extension of a server that accepts packed frames."""

WHOLE_TEXT = 0x81
"""The first byte of a text message in one frame."""
SHORT, LONG = 126, 65_536


def pack(messages: Sequence[bytes]) -> bytes:
    r"""Packs text messages as a server's WebSocket frames.

    >>> pack([b"no va", b"mas"])
    b'\x81\x05no va\x81\x03mas'
    """
    packed: list[bytes] = []
    for message in messages:
        size = len(message)
        if size < SHORT:
            packed.append(bytes((WHOLE_TEXT, size)))
        elif size < LONG:
            packed.append(bytes((WHOLE_TEXT, SHORT)) + size.to_bytes(2, "big"))
        else:
            packed.append(bytes((WHOLE_TEXT, SHORT + 1)) + size.to_bytes(8, "big"))
        packed.append(message)
    return b"".join(packed)


def takes_frames(scope: Scope) -> bool:
    """Whether the server of a connection accepts packed frames."""
    return EXTENSION in scope.get("extensions", {})


class FramesProtocol(WebSocketsSansIOProtocol):
    """A connection that accepts packed frames besides messages."""

    def __init__(self, *args: Any, connection: Connection | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connection = connection

    async def run_asgi(self) -> None:
        """Serves the connection, and announces the extension."""
        extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
        extensions[EXTENSION] = {}
        if self._connection is not None:
            extensions[CONNECTION] = self._connection
        await super().run_asgi()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed."""
        super().connection_lost(exc)
        if self._connection is not None:
            self._connection.ended()

    async def send(self, message: Any) -> None:
        """Sends a message, or packed frames once the write buffer has room."""
        frames: bytes | None = message.get("frames")
        if frames is None:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        self.transport.write(frames)
