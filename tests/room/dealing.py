"""A table at a wheel that a test deals: the number is said by the croupier, as at any such table.

The test acts through the management's socket, which may give commands in anybody's name: it is the
way in which scripts and exercises are played, and no door of its own.
"""

from __future__ import annotations

import itertools
import json
import time
from collections import Counter
from contextlib import ExitStack
from typing import Any, Self
from urllib.parse import quote

import httpx
from websockets.sync.client import ClientConnection, connect

from novamas.game import staffing
from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import Pocket
from novamas.rulebooks import load

PATIENCE = 60.0
"""Seconds that an answer may take, on a machine that is busy or stalls."""


class AtTable:
    """Somebody at a table, who gives commands and asks by a token."""

    def __init__(self, url: str, token: str, table: str) -> None:
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"}
        self.table = table
        self._ids = (f"test-{table}-{time.monotonic_ns()}-{n}" for n in itertools.count(1))
        self._socket: ClientConnection | None = None
        self._http: httpx.Client | None = None
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()

    def _connected(self) -> ClientConnection:
        if self._socket is None:
            url = f"{self._url.replace('http', 'ws', 1)}/api/tables/{quote(self.table)}/socket"
            connecting = connect(url, additional_headers=self._headers, max_size=2**26)
            self._socket = self._open.enter_context(connecting)
        return self._socket

    @property
    def http(self) -> httpx.Client:
        """One connection for all that is asked: to make another takes longer than the answer."""
        if self._http is None:
            client = httpx.Client(base_url=self._url, headers=self._headers, timeout=PATIENCE)
            self._http = self._open.enter_context(client)
        return self._http

    def give(self, do: str, *, by: str | None = None, **fields: Any) -> dict[str, Any]:
        """Gives a command, and waits for its answer."""
        id = next(self._ids)
        request: dict[str, Any] = {"id": id, "do": do, "with": fields}
        if by is not None:
            request["as"] = by
        socket = self._connected()
        socket.send(json.dumps(request))
        while True:
            said: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
            if id in (said.get("ack"), said.get("refused"), said.get("id")):
                return said

    def must(self, do: str, *, by: str | None = None, **fields: Any) -> None:
        """Gives a command that is done."""
        answer = self.give(do, by=by, **fields)
        assert "ack" in answer, f"{do}: {answer}"

    def ask(self, what: str = "") -> Any:
        """What the house says of the table."""
        answer = self.http.get(f"/api/tables/{quote(self.table)}{what}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def hang_up(self) -> None:
        """Ends the connections; whoever speaks again makes new ones."""
        self._open.close()
        self._socket = self._http = None


class Dealer(AtTable):
    """The whole staff of a table, in the hands of a test."""

    def __init__(self, url: str, token: str, table: str, rulebook: str) -> None:
        super().__init__(url, token, table)
        self.book = load(rulebook)

    def set_up(self, **how: Any) -> None:
        """Sets a table with a wheel up, staffs it and opens it."""
        self.lay_out(**how)
        self.staff()
        self.enter_float()
        if self.book.wheel.inspected:
            self.must("InspectTable", by=self.who(Act.INSPECT_TABLE))
        self.must("OpenTable")

    def lay_out(self, **how: Any) -> None:
        """Sets a table with a wheel up, with nobody at its posts."""
        body = {"table": self.table, "rulebook": self.book.id, "ball": "wheel", **how}
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text

    def staff(self) -> None:
        """Has every post held that the book wants, as by an automatic croupier.

        So whoever opens a console may relieve one of them, as at any table of the house.
        """
        held: Counter[str] = Counter()
        for post in staffing.missing(self.book, {}):
            held[post] += 1
            self.must("TakePost", by=f"auto {post} {held[post]}", post=post)

    def enter_float(self) -> None:
        """Has the float counted and signed, where the house wants that."""
        due = (self.view()["float"] or {}).get("due")
        if due is not None:
            self.must("CountFloat", by=self.who(Act.COUNT_FLOAT), counted=due["amount"])
            self.must("SignFloat")

    # What the staff is told -------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The table as the staff sees it."""
        told: dict[str, Any] = self.ask()
        return told

    def events(self) -> list[dict[str, Any]]:
        """The table's log as the staff sees it."""
        told: list[dict[str, Any]] = self.ask("/events")
        return told

    def payments(self) -> dict[str, Any]:
        """The payments of the running coup."""
        told: dict[str, Any] = self.ask("/payments")
        return told

    def who(self, act: Act) -> str:
        """Somebody at a post that may do it."""
        staff: dict[str, str] = self.view()["staff"]
        return next(person for person, post in staff.items() if act in self.book.posts[post].may)

    # Dealing ----------------------------------------------------------------------------------

    def launch(self) -> None:
        """The ball runs; stakes are still taken."""
        answer: dict[str, Any] = {}
        for person, post in self.view()["staff"].items():
            if Act.LAUNCH_BALL in self.book.posts[post].may:
                answer = self.give("LaunchBall", by=person)
                if "ack" in answer:
                    return
        raise AssertionError(answer)

    def close(self) -> None:
        """No va más."""
        self.must("CloseBetting", by=self.who(Act.CLOSE_BETTING))

    def pocket(self, number: Pocket) -> None:
        """The ball lies there."""
        self.must("PocketBall", by=self.who(Act.POCKET_BALL), number=number)

    def call(self) -> None:
        """The number is called."""
        self.must("CallNumber", by=self.who(Act.CALL_NUMBER))

    def collect(self) -> None:
        """The losers are collected."""
        self.must("CollectLosers", by=self.who(Act.COLLECT))

    def pay(self) -> None:
        """All winners are paid."""
        if self.view()["due"]:
            self.must("PayWinners", by=self.who(Act.PAY))

    def spin(self, number: Pocket) -> None:
        """A whole coup, from the launch on."""
        self.launch()
        self.close()
        self.pocket(number)
        self.settle()

    def settle(self) -> None:
        """From the call to the end of the coup."""
        self.call()
        self.collect()
        self.pay()

    # Players that have no screen --------------------------------------------------------------

    def seat(self, player: str, amount: int = 100_000, **how: Any) -> None:
        """Seats somebody who plays through the test alone."""
        self.must("Sit", by=player)
        self.must("BuyChips", by=self.who(Act.SELL_CHIPS), player=player, amount=amount, **how)

    def lay(self, player: str, on: str, amount: int, *, id: str | None = None) -> str:
        """Lays a stake for somebody."""
        id = id or next(self._ids)
        self.must("PlaceStake", by=player, id=id, player=player, on=on, amount=amount)
        return id
