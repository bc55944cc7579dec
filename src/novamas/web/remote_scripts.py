"""Scripts played at a table of a running house, over its socket, with no shortcut.

The management's token sets up the table that the script needs, and acts for its staff and players.
The house decides; here its events are only applied.
"""

from __future__ import annotations

import itertools
import secrets
from contextlib import ExitStack
from dataclasses import replace
from http.client import HTTPException
from types import TracebackType
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from novamas.game.errors import NovamasError
from novamas.house.log.codec import decode
from novamas.house.people.events import Post
from novamas.house.table.answers import reason
from novamas.rulebooks import HOUSES
from novamas.table.commands import Command
from novamas.table.decide import EventsOrRefusal
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal
from novamas.table.script import Table
from novamas.table.state import State

PATIENCE = 30
"""Seconds within which a house must answer."""


class RemoteError(NovamasError):
    """The house does not do what a script needs, and why."""


class RemoteHouse:
    """A house that runs elsewhere."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._connections = ExitStack()
        self.tables: list[str] = []
        """The names of the tables that were set up."""

    @classmethod
    def with_key(cls, url: str, key: str) -> Self:
        """Signs in at a house with a one-time key."""
        opened = _post(f"{url.rstrip('/')}/api/sessions", {"key": key})
        if opened["role"] != Post.MANAGEMENT:
            raise RemoteError("scripts are played by the management, with its own key")
        return cls(url, opened["token"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connections.close()

    def seat(self, state: State) -> Table:
        """Sets up a new table at the house like the one of a script."""
        name = f"script-{secrets.token_hex(6)}"
        setup = state.setup
        if state.book.id not in HOUSES:
            raise RemoteError(f"the house does not play by {state.book.id}")
        wanted = {
            "table": name,
            "rulebook": state.book.id,
            "ball": "wheel",
            "limits": setup.limits.as_data(),
            "winning": setup.winning.value,
            "limits_kept": setup.limits_kept.value,
            "chip": setup.chip,
            "colours": max(setup.colours, 1),
            "rotation": setup.rotation,
            "live": False,
            "double": setup.double,
            "zone": setup.zone.as_data(),
        }
        _post(f"{self._url}/api/tables", wanted, token=self._token)
        self.tables.append(name)
        address = f"{self._url.replace('http', 'ws', 1)}/api/tables/{name}/socket"
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            connection = connect(address, additional_headers=headers, compression=None, proxy=None)
            socket = self._connections.enter_context(connection)
        except (OSError, WebSocketException) as problem:
            raise RemoteError(f"{address}: {problem}") from None
        return RemoteTable(socket)


class RemoteTable:
    """A table of a house that runs elsewhere; commands are sent one after the other."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = (f"r{n}" for n in itertools.count(1))
        self._seq: int = self._receive()["table"]["seq"]

    def __call__(self, state: State, command: Command) -> EventsOrRefusal:
        """Sends a command, and returns the house's decision."""
        fields = msgspec.to_builtins(replace(command, by=""))
        del fields["by"]
        request: dict[str, Any] = {
            "id": next(self._ids),
            "do": type(command).__name__,
            "with": fields,
        }
        if command.by != MANAGEMENT:
            request["as"] = str(command.by)
        self._socket.send(msgspec.json.encode(request).decode())
        return self._answer(state)

    def _answer(self, state: State) -> EventsOrRefusal:
        events: list[Event] = []
        until: int | None = None
        while until is None or self._seq < until:
            message = self._receive()
            if "ack" in message:
                until = message["seq"]
            elif "refused" in message:
                return Refusal(
                    reason(message["why"]), tuple(message["articles"]), message["detail"]
                )
            elif "problem" in message:
                raise RemoteError(message["problem"])
            elif "clock" not in message:  # A script ignores the clock.
                self._seq = message["seq"]
                payload = msgspec.json.encode(message["data"])
                events.append(decode(message["type"], message["version"], payload, state))
        return tuple(events)

    def _receive(self) -> dict[str, Any]:
        try:
            message: dict[str, Any] = msgspec.json.decode(self._socket.recv(timeout=PATIENCE))
        except (TimeoutError, ConnectionClosed) as problem:
            raise RemoteError(f"the house does not answer: {problem}") from None
        return message


class _StayHere(HTTPRedirectHandler):
    """Follows no redirects: a token is sent only to the house that issued it."""

    def redirect_request(self, *_: object) -> None:
        """Refuses the redirect, so that the response counts as an error."""


def _post(url: str, data: dict[str, Any], *, token: str | None = None) -> dict[str, Any]:
    """Posts data and returns the answer."""
    answered: dict[str, Any] = ask(url, data, token=token)
    return answered


def ask(url: str, data: dict[str, Any] | None = None, *, token: str | None = None) -> Any:
    """Posts data to a house, or gets without data, and returns the answer."""
    if not url.startswith(("http://", "https://")):
        raise RemoteError(f"{url}: expected an address that begins with http")
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    try:
        body = None if data is None else msgspec.json.encode(data)
        asked = Request(url, body, headers)  # noqa: S310 - the scheme is http
        with build_opener(ProxyHandler({}), _StayHere).open(asked, timeout=PATIENCE) as answer:
            data = msgspec.json.decode(answer.read())
    except HTTPError as denied:
        with denied:
            why = denied.read().decode(errors="replace")
        raise RemoteError(f"the house refuses: {denied.code} {why}") from None
    except URLError as problem:
        cause = problem.reason
        said = (cause.strerror if isinstance(cause, OSError) else None) or cause
        house = url.partition("/api/")[0]
        raise RemoteError(f"no house answers at {house}: {said}") from None
    except (OSError, HTTPException, ValueError) as problem:
        raise RemoteError(f"{url}: {problem}") from None
    return data
