"""WebSocket frames: messages are encoded once, however many sockets they go to.

The same events go to hundreds of sockets, and frames from a server are not masked, so the bytes are
the same for all. Encoding them once, and writing everything that waits for a socket at once, lets
many clients follow a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from novamas.house.table.subscriptions import Bundle
from novamas.web.connections import EXTENSION as CONNECTION
from novamas.web.connections import Connection
from novamas.web.wires import EXTENSION, Listener

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

WHOLE_TEXT = 0x81
"""The first byte of a text message in one frame."""
SHORT, LONG = 126, 65_536
MASKED = 0x80
"""The bit of the second byte that marks a masked frame; all frames of clients are masked."""
MASK = 4
"""Bytes of a mask, which stands before the text."""
SHORT_HEAD = 2 + MASK


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


def unpack(data: bytes) -> str | None:
    r"""The text of a client's message, if the data are one whole frame of medium size at most.

    >>> unpack(b"\x81\x82\0\0\0\0no"), unpack(b"\x81\x82\0\0\0\0n")
    ('no', None)
    """
    if len(data) < SHORT_HEAD or data[0] != WHOLE_TEXT or data[1] < MASKED:
        return None
    size, start = data[1] - MASKED, SHORT_HEAD
    if size > SHORT:
        return None
    if size == SHORT:
        size, start = int.from_bytes(data[2:4], "big"), SHORT_HEAD + 2
    if len(data) != start + size:
        return None
    try:
        return str(apply_mask(data[start:], data[start - MASK : start]), "utf-8")
    except UnicodeDecodeError:
        return None


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

    def data_received(self, data: bytes) -> None:
        """Hands over a message that came whole and alone; the parser reads all else."""
        listener, text = self._listener, None
        if len(data) <= self.config.ws_max_size and self._is_between_messages:
            text = unpack(data)
        if listener is None or text is None:
            super().data_received(data)
        else:
            listener.received(text)

    @property
    def _is_between_messages(self) -> bool:
        conn = self.conn
        is_within = conn.reader.buffer or conn.current_size is not None
        return conn.state is State.OPEN and not is_within and not self.close_sent

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
        """Writes packed frames at once; those that others get too are shared, and not copied."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.writelines([bundle.made(pack) for bundle in bundles])

    async def drained(self) -> None:
        """Waits until the client has read enough of what was written."""
        await self.writable.wait()
