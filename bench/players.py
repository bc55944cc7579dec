"""Players for measurements: as light as possible, so that they do not limit the house.

They speak just enough of the WebSocket protocol: text frames, and the answer to a ping. Those of a
load (`bench.compiled_players`) read the same messages in compiled code.
"""

import asyncio
import base64
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

import msgspec
import uvloop

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
NO_WORD = 1006
"""The code of a connection that ended without one."""


class BasePlayer(asyncio.BaseProtocol):
    """One connection to one table, whatever reads its bytes."""

    def __init__(self, path: str, token: str | None, *, reads: bool = True) -> None:
        self._path = path
        self._token = token
        self._reads = reads
        self._transport: asyncio.Transport | None = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Set once the table has arrived."""
        self.seq = 0
        self.gaps = 0
        self.events = 0
        self.closed: int | None = None
        """The close code of the house."""
        self.on_answer: Callable[[bytes], None] | None = None
        self.on_event: Callable[[int], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the socket."""
        # uvloop's transports are not of the class, but they have all its methods.
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        bearer = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        host = "{}:{}".format(*transport.get_extra_info("peername"))
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n{bearer}"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        if not self._reads:
            self._transport.pause_reading()

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Sends a frame; the mask that a client must name is all zeros, so nothing changes."""
        size = len(payload)
        head = (
            bytes((kind, 0x80 | size)) if size < 126 else bytes((kind, 0xFE, size >> 8, size & 255))
        )
        if self._transport is not None:
            self._transport.write(head + b"\0\0\0\0" + payload)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends the wait for the table."""
        del exc
        self.ready.cancel()
        self.closed = self.closed or NO_WORD

    def resume(self) -> None:
        """Reads from the connection again."""
        if self._transport is not None:
            self._transport.resume_reading()

    def close(self) -> None:
        """Ends the connection."""
        self.send(b"\x03\xe8", CLOSE)

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self._text(payload)
        elif kind == PING:
            self.send(payload, PONG)
        elif kind == CLOSE:
            self.closed = int.from_bytes(payload[:2], "big")

    def _text(self, payload: bytes) -> None:
        if payload.startswith(b'{"seq":'):
            seq = int(payload[7 : payload.index(b",")])
            if seq != self.seq + 1:
                self.gaps += 1
            self.seq = seq
            self.events += 1
            if self.on_event is not None:
                self.on_event(seq)
        elif payload.startswith(b'{"table":'):
            self.seq = msgspec.json.decode(payload)["table"]["seq"]
            if not self.ready.done():
                self.ready.set_result(None)
        elif self.on_answer is not None and not payload.startswith(b'{"clock":'):
            self.on_answer(payload)


class Player(BasePlayer, asyncio.Protocol):
    """A player who reads every message, frame by frame."""

    _buffer = b""
    _open = False

    def data_received(self, data: bytes) -> None:
        """Processes all complete frames."""
        data = self._buffer + data if self._buffer else data
        at = 0
        if not self._open:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = data
                return
            self._open, at = True, end + 4
        size = len(data)
        while at + 2 <= size:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            end = start + length
            if end > size or start > size:
                break
            self._frame(data[at], data[start:end])
            at = end
        self._buffer = data[at:]


_Player = TypeVar("_Player", bound=BasePlayer)
_Result = TypeVar("_Result")


async def connect(port: int, path: str, token: str | None, *, reads: bool = True) -> Player:
    """A player at a table."""
    return await connected(Player(path, token, reads=reads), port)


async def connected(player: _Player, port: int) -> _Player:
    """The player, connected to a server of this machine."""
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: player, "127.0.0.1", port)
    return player


def run(main: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs a measurement in the fastest event loop that there is."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


class Load:
    """Players who each send a message, wait for the answer, and send the next."""

    def __init__(self, message: Callable[[int, int], bytes]) -> None:
        self._message = message
        """Player and number → the message to send."""
        self.seconds: list[float] = []
        """How long each answer took."""
        self.refused: list[bytes] = []
        self.unanswered = 0
        self._stopped = False

    def add(self, index: int, player: BasePlayer) -> None:
        """Adds a player, who begins at once."""
        number, sent = 0, 0.0

        def send() -> None:
            nonlocal number, sent
            number += 1
            self.unanswered += 1
            sent = time.perf_counter()
            player.send(self._message(index, number))

        def answered(payload: bytes) -> None:
            self.unanswered -= 1
            self.seconds.append(time.perf_counter() - sent)
            if payload.startswith((b'{"refused"', b'{"problem"')):
                self.refused.append(payload)
            if not self._stopped:
                send()

        player.on_answer = answered
        send()

    def stop(self) -> None:
        """Stops all players."""
        self._stopped = True


def percentile(values: list[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
