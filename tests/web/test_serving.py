"""The running house: how it starts, how it is stopped, and what it withstands on its socket."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
import signal
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table import commands as house_commands
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.web.client import Answered, TableClient
from tests.web.serving import Served, served


def test_it_opens_a_table_of_each_house_and_says_where(tmp_path: Path) -> None:
    with served(tmp_path / "house.db") as house:
        tables = httpx.get(f"{house.url}/api/tables").json()
        assert sorted(table["table"] for table in tables) == sorted(HOUSES)
        assert {table["ball"] for table in tables} == {"drawn"}
        assert {table["phase"] for table in tables} == {"betting"}
        assert house.keys.keys() == {"croupier", "chief", "cashier", "management"}
        assert house.url.startswith("http://127.0.0.1:")
        # The same port is not to be had a second time, and the house says so.
        with pytest.raises(RuntimeError, match="did not open"), served(port=house.port):
            pass


def test_it_shows_itself_in_the_browser_if_it_is_asked_to(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {shown}\n')
    browser.chmod(0o755)
    with served(environment={"BROWSER": f"{browser} %s"}) as house:
        assert httpx.get(f"{house.url}/api/health").is_success
        assert not shown.exists()
    with served(more=["--open"], environment={"BROWSER": f"{browser} %s"}) as house:
        until = time.monotonic() + 10
        while not shown.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert shown.read_text() == f"{house.url}/\n"
    # Without a screen there is no browser, and the house is open all the same.
    nowhere = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with served(more=["--open"], environment=nowhere) as house:
        assert httpx.get(f"{house.url}/api/health").is_success
        assert house.end(signal.SIGTERM) == 0
    assert house.complained == []


def test_it_listens_on_the_loopback_alone() -> None:
    with served() as house:
        others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None)}
        for address in others - {"127.0.0.1", "127.0.1.1", "::1"}:
            with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
                socket.create_connection((str(address), house.port), timeout=1).close()
        assert httpx.get(f"{house.url}/api/health").status_code == 200


# Stopping -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_seconds_with_what_waits_answered(
    how: signal.Signals, tmp_path: Path
) -> None:
    store = tmp_path / "house.db"
    with served(store) as house:
        answers, closed, took = asyncio.run(stopped_in_flight(house, how))
        assert house.process.wait(20) == 0
    assert took < 10
    assert house.said[-1] == "the house is closed; nothing was lost"
    assert house.complained == []
    assert closed == {1012}
    acked = [answer for answer in answers if isinstance(answer, Answered)]
    assert all(answer.is_accepted for answer in acked)
    # What was acknowledged is there; what was not answered did not happen.
    kept = SqliteStore(store)
    told = {r.command for r in kept.read("bg") if r.type == "TipGiven"}
    assert told == {answer.id for answer in acked}
    assert len(acked) >= 100
    for table in HOUSES:
        assert verify_table(kept, table).is_sound
    kept.close()


async def stopped_in_flight(
    house: Served, how: signal.Signals
) -> tuple[list[Answered | BaseException], set[int | None], float]:
    """Sends many commands, and a signal right behind them."""
    async with (
        TableClient(house.url, "bg", house.guest("ana")) as client,
        connect(f"ws{house.url[4:]}/api/tables/bg/socket", proxy=None) as onlooker,
    ):
        await client.give(commands.Sit(by="ana"))
        await client.give(commands.BuyChips(by="ana", player="ana", amount=10_000))
        giving = [
            asyncio.create_task(client.give(house_commands.GiveTip(by="ana", amount=1)))
            for _ in range(500)
        ]
        await giving[100]
        began = time.monotonic()
        house.process.send_signal(how)
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.wait_for(onlooker.recv(), 20)
        closed = {onlooker.close_code}
        while house.process.poll() is None and time.monotonic() < began + 20:
            await asyncio.sleep(0.02)
        took = time.monotonic() - began
        # Whoever is not answered would be at the next start: the house is gone for good here.
        for each in giving:
            if not each.done():
                each.cancel()
        answers = await asyncio.gather(*giving, return_exceptions=True)
    return list(answers), closed, took


def test_a_client_that_has_stalled_does_not_hold_up_the_stop() -> None:
    with served() as house:
        token = house.guest("ana")
        with handshaken(house, "bg") as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)

            async def play() -> None:
                """Lays stakes with long names, more than the system keeps for who takes nothing."""
                async with TableClient(house.url, "bg", token) as client:
                    await client.give(commands.Sit(by="ana"))
                    buys = commands.BuyChips(by="ana", player="ana", amount=900_000)
                    await client.give(buys)
                    # As many chips as the placard takes, spot by spot.
                    most = load("bg").limits.multiples_of_minimum
                    room = (spot.name for spot in load("bg").terms for _ in range(most[spot.kind]))
                    for part in range(18):
                        names = [f"{part}-{n}".ljust(900, "x") for n in range(500)]
                        stakes = [
                            commands.PlaceStake(by="ana", id=id, player="ana", on=on, amount=100)
                            for id, on in zip(names, room, strict=False)
                        ]
                        assert len(stakes) == len(names)
                        answers = await asyncio.gather(*(client.give(stake) for stake in stakes))
                        assert all(answer.is_accepted for answer in answers)

            asyncio.run(play())
            began = time.monotonic()
            assert house.end(signal.SIGTERM) == 0
            assert time.monotonic() - began < 12
    assert house.said[-1] == "the house is closed; nothing was lost"


def test_a_house_is_found_again_as_it_was_left(tmp_path: Path) -> None:
    store = tmp_path / "house.db"

    async def sit(house: Served, token: str) -> int:
        async with TableClient(house.url, "it", token) as client:
            await client.give(commands.Sit(by="ana"))
            bought = await client.give(commands.BuyChips(by="ana", player="ana", amount=600))
            assert bought.is_accepted
            return bought.seq

    with served(store) as house:
        token = house.guest("ana")
        seq = asyncio.run(sit(house, token))
        house.end(signal.SIGTERM)
    with served(store) as house:
        headers = {"Authorization": f"Bearer {token}"}
        table = httpx.get(f"{house.url}/api/tables/it", headers=headers).json()
        assert table["seq"] >= seq
        assert table["you"]["purse"] == 600


# Frames that no client sends ----------------------------------------------------------------------


@contextlib.contextmanager
def handshaken(house: Served, table: str, token: str = "") -> Iterator[socket.socket]:
    """A plain socket on which the handshake is done."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=60) as plain:
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        query = f"?token={token}" if token else ""
        plain.sendall(
            f"GET /api/tables/{table}/socket{query} HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert plain.recv(4096).startswith(b"HTTP/1.1 101")
        yield plain


def frame(
    opcode: int, body: bytes, *, fin: bool = True, masked: bool = True, rsv: int = 0
) -> bytes:
    """A frame of a web socket."""
    head = bytes([fin << 7 | rsv << 4 | opcode])
    mask = secrets.token_bytes(4) if masked else b""
    bit = 0x80 if masked else 0
    if len(body) < 126:
        head += bytes([bit | len(body)])
    elif len(body) < 65_536:
        head += bytes([bit | 126]) + struct.pack(">H", len(body))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(body))
    if masked:
        body = bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))
    return head + mask + body


BROKEN = {
    "text that is no UTF-8": frame(1, b"\xff\xfe\xfd"),
    "text cut within a letter": frame(1, b'{"id": "\xc3'),
    "a frame without a mask": frame(1, b"{}", masked=False),
    "an unknown kind of frame": frame(3, b"{}"),
    "an unknown control frame": frame(11, b""),
    "a reserved bit": frame(1, b"{}", rsv=4),
    "a ping that is too long": frame(9, b"x" * 126),
    "a ping in parts": frame(9, b"x", fin=False),
    "a part of nothing": frame(0, b"{}"),
    "a text within a text": frame(1, b"{", fin=False) + frame(1, b"}"),
    "a close with half a code": frame(8, b"\x03"),
    "a close with a code that there is not": frame(8, struct.pack(">H", 999)),
    "a length beyond everything": bytes([0x81, 0xFF]) + b"\xff" * 12,
    "a frame that is too large": frame(2, b"x" * 70_000),
    "parts that are too large together": frame(1, b"x" * 40_000, fin=False)
    + frame(0, b"x" * 40_000),
    "no frame at all": bytes(range(255, -1, -1)),
}


def send_and_wait(plain: socket.socket, sent: bytes) -> None:
    """Sends something, and waits until the house ends the connection."""
    with contextlib.suppress(OSError):
        plain.sendall(sent)
        plain.shutdown(socket.SHUT_WR)
        while plain.recv(65_536):
            pass


def test_frames_that_no_client_sends_harm_nobody() -> None:
    """The connection that sends them ends; the house goes on, and has nothing to complain of."""
    with served() as house:
        before = httpx.get(f"{house.url}/api/tables/bg").json()
        for name, sent in BROKEN.items():
            with handshaken(house, "bg") as plain:
                send_and_wait(plain, sent)
            assert httpx.get(f"{house.url}/api/health").status_code == 200, name
        for garbage in (b"\x00" * 1000, b"GET / HTTP/9.9\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", house.port), timeout=60) as plain:
                send_and_wait(plain, garbage)
        assert httpx.get(f"{house.url}/api/tables/bg").json() == before
        assert house.end(signal.SIGTERM) == 0
    assert {json.loads(line)["level"] for line in house.complained} <= {"warning"}
