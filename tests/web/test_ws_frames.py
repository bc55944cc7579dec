"""The frames of a connection: however the bytes of a client come, its messages are the same."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from novamas.house.table.subscriptions import Bundle
from novamas.web.ws_frames import FramesProtocol
from tests.web.door import run

TEXT, FIRST, LAST, CLOSE = 0x81, 0x01, 0x80, 0x88
"""How frames begin: a message in one, the first and the last of several, and the end."""
SMALL_FRAME = 4096
"""The largest frame that this server takes."""


class Line(asyncio.Transport):
    """The server's end of a connection; what it writes is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        self.written.append(data)

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        self.written.extend(list_of_data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


class Heard:
    """A listener that notes what it hears."""

    def __init__(self) -> None:
        self.messages: list[str | bytes] = []

    def received(self, message: str | bytes) -> None:
        self.messages.append(message)

    def writable(self) -> None:
        pass

    def lost(self) -> None:
        pass


async def application(_: Any, receive: Any, send: Any) -> None:
    """Accepts a connection, and leaves the rest to the wire."""
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.Future()


async def opened() -> tuple[FramesProtocol, Line, Heard]:
    """A connection after its handshake, with a listener."""
    config = uvicorn.Config(
        application,
        log_config=None,
        log_level="warning",
        lifespan="off",
        ws_ping_interval=None,
        ws_max_size=SMALL_FRAME,
    )
    protocol, line, heard = FramesProtocol(config, ServerState(), {}), Line(), Heard()
    protocol.connection_made(line)
    key = base64.b64encode(b"sixteen bytes .!").decode()
    protocol.data_received(
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    while not protocol.handshake_complete:
        await asyncio.sleep(0)
    line.written.clear()
    protocol.listen(heard)
    return protocol, line, heard


def frame(
    payload: bytes, kind: int = TEXT, mask: bytes = b"\x01\x02\x03\x04", *, wide: bool = False
) -> bytes:
    """A client's frame; a wide one gives its size in eight bytes."""
    size = len(payload)
    if wide:
        head = bytes((kind, 0xFF)) + size.to_bytes(8, "big")
    elif size < 126:
        head = bytes((kind, 0x80 | size))
    else:
        head = bytes((kind, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(each ^ mask[place % 4] for place, each in enumerate(payload))


MESSAGES = ["", "{}", "ñandú", "x" * 125, "y" * 126, "z" * 3000]


@pytest.mark.parametrize("size", [1, 2, 5, 7, 64, 133, 134, 10**6])
@run
async def test_messages_are_the_same_in_whatever_pieces_they_come(size: int) -> None:
    protocol, line, heard = await opened()
    frames = [frame(each.encode(), wide=wide) for wide in (False, True) for each in MESSAGES]
    stream = b"".join(frames)
    for start in range(0, len(stream), size):
        protocol.data_received(stream[start : start + size])
    assert heard.messages == MESSAGES * 2
    assert not line.closed
    protocol.connection_lost(None)


@run
async def test_whole_messages_and_parts_take_turns() -> None:
    protocol, _, heard = await opened()
    two = frame(b"two")
    for data in (
        frame(b"one"),
        two[:4],
        two[4:],
        frame(b"three"),
        frame(b"fo", FIRST),
        frame(b"ur", LAST),
        frame(b"five"),
        frame(b"six") + frame(b"seven"),
        frame(b"eight", 0x82),
        frame(b"nine"),
        # The beginning is as long as a whole frame of 127 bytes would be, if there were such a one.
        frame(b"t" * 126, wide=True)[:133],
        frame(b"t" * 126, wide=True)[133:],
    ):
        protocol.data_received(data)
    whole = ["one", "two", "three", "four", "five", "six", "seven", b"eight", "nine", "t" * 126]
    assert heard.messages == whole
    protocol.connection_lost(None)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ([frame(b"\xff\xfe")], 1007),
        ([frame(b"o" * (SMALL_FRAME + 1))], 1009),
        ([frame(b"a beginning", FIRST), frame(b"another message")], 1002),
        ([b"\x81\x02no"], 1002),
        ([frame(b"compressed", 0xC1)], 1002),
    ],
    ids=["no text", "too large", "within another", "not masked", "compressed"],
)
@run
async def test_what_is_no_message_closes_the_connection(data: list[bytes], code: int) -> None:
    protocol, line, heard = await opened()
    for each in data:
        protocol.data_received(each)
    assert heard.messages == []
    assert (
        line.written[-1].endswith(code.to_bytes(2, "big"))
        or code.to_bytes(2, "big") in line.written[-1]
    )
    assert line.closed
    protocol.connection_lost(None)


@run
async def test_nothing_is_heard_after_the_client_has_said_goodbye() -> None:
    protocol, _, heard = await opened()
    protocol.data_received(frame(b"last"))
    protocol.data_received(frame(b"\x03\xe8", CLOSE))
    protocol.data_received(frame(b"too late"))
    assert heard.messages == ["last"]
    protocol.connection_lost(None)


@run
async def test_what_many_get_is_packed_once_and_shared() -> None:
    everybody, own = Bundle([b'{"seq":1}', b'{"seq":2}']), Bundle([b'{"ack":"a"}'])
    (ana, to_ana, _), (luis, to_luis, _) = await opened(), await opened()
    ana.write([own, everybody])
    luis.write([everybody])
    assert to_ana.written == [b'\x81\x0b{"ack":"a"}', b'\x81\x09{"seq":1}\x81\x09{"seq":2}']
    assert to_ana.written[1] is to_luis.written[0]
    for each in (ana, luis):
        each.connection_lost(None)
