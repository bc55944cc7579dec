"""R24: one person's cost is bounded, in connections.

A house runs with 256 and with 4,096 file descriptors, and strangers open more connections than it
has descriptors, say nothing or half of a request, and come again as soon as they are put out.
Meanwhile the table is dealt, whoever plays stays connected, staff sign in and health is answered.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.promises.descriptors import Narrow, narrow
from tests.promises.figures import record
from tests.web.accounts import PASSWORD
from tests.web.authenticator import enter

PATIENCE = 60
"""Seconds within which a house on a busy machine does what it should."""
HALF = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{"
KINDS = (b"", HALF, BODY)
ADDRESSES = 12


class Flood:
    """Strangers who hold as many connections as they can, and come again when one is ended."""

    def __init__(self, port: int, many: int) -> None:
        self._port = port
        self._many = many
        self.opened = 0
        """How many connections were made in all."""
        self._over = threading.Event()
        self._full = threading.Event()
        self._selector = selectors.DefaultSelector()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join(PATIENCE)
        for key in tuple(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def wait(self) -> None:
        """Waits until as many connections were made as shall be held at once."""
        assert self._full.wait(PATIENCE)

    def _run(self) -> None:
        while not self._over.is_set():
            for _ in range(min(50, self._many - len(self._selector.get_map()))):
                self._open()
            if self.opened >= self._many:
                self._full.set()
            for key, _ in self._selector.select(timeout=0.02):
                self._end(key.fileobj)  # type: ignore[arg-type]

    def _open(self) -> None:
        sent = KINDS[self.opened % len(KINDS)]
        made = socket.socket()
        made.settimeout(1)
        try:
            # Strangers of one address have a quarter of the places: it takes many to fill them all.
            # Whole heads are counted by address, so none come from where the guests come from.
            last = self.opened // len(KINDS) % ADDRESSES + (2 if sent == BODY else 1)
            made.bind((f"127.0.0.{last}", 0))
            made.connect(("127.0.0.1", self._port))
            made.sendall(sent)
        except OSError:
            made.close()
            return
        self.opened += 1
        self._selector.register(made, selectors.EVENT_READ)

    def _end(self, made: socket.socket) -> None:
        with contextlib.suppress(OSError, BlockingIOError):
            if made.recv(4096):
                return  # An answer; the end comes after it.
        self._selector.unregister(made)
        made.close()


def sign_in(house: Narrow, name: str, post: str) -> str:
    """Somebody's token; staff shows a passkey, which it enrols the first time."""
    address = house.url.replace("127.0.0.1", "localhost")
    # Each request is a connection of its own: one that rests may give way to a stranger's.
    limits = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(base_url=address, timeout=PATIENCE, limits=limits) as http:
        return str(enter(http, name, PASSWORD, post))


def at_table(house: Narrow, token: str) -> ClientConnection:
    address = f"{house.url.replace('http', 'ws', 1)}/api/tables/t/socket"
    headers = {"Authorization": f"Bearer {token}"}
    return connect(
        address,
        additional_headers=headers,
        proxy=None,
        open_timeout=PATIENCE,
        ping_interval=None,
        close_timeout=PATIENCE,
    )


def hears(socket: ClientConnection, what: str) -> dict[str, Any]:
    """What the house says next of a kind: an event, or an answer."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        said: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if what in said or said.get("type") == what:
            return said
    raise AssertionError(f"no {what} was heard")


def bears(descriptors: int, tmp_path: Path) -> None:
    """Shows that a house with so many descriptors goes on dealing."""
    with narrow(descriptors, tmp_path / "house.db") as house:
        chief = {"Authorization": f"Bearer {sign_in(house, 'cora', 'chief')}"}
        table = {"table": "t", "rulebook": "bg", "ball": "drawn"}
        made = httpx.post(f"{house.url}/api/tables", json=table, headers=chief, timeout=PATIENCE)
        assert made.status_code == 201, made.text
        with at_table(house, sign_in(house, "caj", "cashier")) as desk:
            desk.send(json.dumps({"id": "f1", "do": "OpenBank", "with": {"amount": 1_000_000}}))
            hears(desk, "ack")
        with at_table(house, sign_in(house, "ana", "player")) as ana:
            ana.send(json.dumps({"id": "s1", "do": "Sit"}))
            hears(ana, "ack")
            hears(ana, "BallLaunched")
            with Flood(house.port, descriptors + 200) as flood:
                flood.wait()
                waits, most = [], 0
                for _ in range(10):
                    began = time.monotonic()
                    answer = httpx.get(f"{house.url}/api/health", timeout=PATIENCE)
                    waits.append(time.monotonic() - began)
                    assert answer.json() == {"status": "ok"}
                    most = max(most, house.descriptors)
                # Staff is let in, a player too, and the table that was open is dealt.
                sign_in(house, "cora", "chief")
                with at_table(house, sign_in(house, "luis", "player")) as luis:
                    luis.send(json.dumps({"id": "s2", "do": "Sit"}))
                    hears(luis, "ack")
                    shown = httpx.get(f"{house.url}/api/tables/t", timeout=PATIENCE).json()
                    for guest in (ana, luis):
                        while hears(guest, "BallRevealed")["seq"] <= shown["seq"]:
                            pass  # It was dealt before, and is told only now.
                most = max(most, house.descriptors)
                opened = flood.opened
        assert most < descriptors
        record(
            "R24",
            f"with {descriptors:,} descriptors, flooded by strangers, the table is dealt",
            connections_of_strangers=opened,
            descriptors_in_use=most,
            slowest_health_ms=round(max(waits) * 1000),
        )


def test_r24_with_256_descriptors_the_tables_go_on(tmp_path: Path) -> None:
    bears(256, tmp_path)


@pytest.mark.slow
def test_r24_with_4096_descriptors_the_tables_go_on(tmp_path: Path) -> None:
    bears(4_096, tmp_path)


def test_r24_with_too_few_descriptors_the_house_does_not_open(tmp_path: Path) -> None:
    with (
        pytest.raises(AssertionError, match="too few for a house"),
        narrow(64, tmp_path / "house.db"),
    ):
        raise RuntimeError("it opened")
