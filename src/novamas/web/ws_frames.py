"""WebSocket frames: messages are encoded once, however many sockets they go to.

The same events go to hundreds of sockets, and frames from a server are not masked, so the bytes are
the same for all. Encoding them once, and writing everything that waits for a socket at once, lets
many clients follow a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from novamas.house.table.subscriptions import Bundle
from novamas.web.connections import EXTENSION as CONNECTION
from novamas.web.connections import Connection
from novamas.web.wires import EXTENSION, Listener

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


class FramesProtocol(WebSocketsSansIOProtocol):
    """A connection of the house's own server, which is also its wire."""

    def __init__(self, *args: Any, connection: Connection | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connection = connection
        self._listener: Listener | None = None
        self._is_paused = False

    async def run_asgi(self) -> None:
        """Serves the connection, and offers it as a wire."""
        extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
        extensions[EXTENSION] = self
        if self._connection is not None:
            extensions[CONNECTION] = self._connection
        await super().run_asgi()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed."""
        super().connection_lost(exc)
        if self._connection is not None:
            self._connection.ended()
        if self._listener is not None:
            self._listener.lost()

    def resume_writing(self) -> None:
        """Called when the client has read enough of what was written."""
        super().resume_writing()
        if self._listener is not None:
            self._listener.writable()

    def send_receive_event_to_app(self) -> None:
        """Hands a message over to the listener; without one, it waits in the queue of ASGI."""
        listener = self._listener
        if listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.curr_msg_data_type == "text":
            try:
                text = str(data, "utf-8")
            except UnicodeDecodeError:
                super().send_receive_event_to_app()  # It closes the connection.
                return
            self.frames = []
            listener.received(text)
        else:
            self.frames = []
            listener.received(bytes(data))

    @property
    def is_writable(self) -> bool:
        """Whether the client keeps up with what was written."""
        return self.writable.is_set()

    def listen(self, listener: Listener | None) -> None:
        """Hands everything over to the listener, beginning with what waits in the queue."""
        self._listener = listener
        while listener is not None and not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                listener.received(message.get("text") or message.get("bytes") or "")
            else:
                listener.lost()
        if listener is not None and self.read_paused and not self._is_paused:
            self.resume()

    def pause(self) -> None:
        """Reads no more."""
        self._is_paused = True
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        """Reads again."""
        self._is_paused = False
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def write(self, bundles: Sequence[Bundle]) -> None:
        """Writes packed frames."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(b"".join([bundle.made(pack) for bundle in bundles]))

    async def drained(self) -> None:
        """Waits until the client has read enough of what was written."""
        await self.writable.wait()
