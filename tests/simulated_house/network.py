"""The network between clients and servers: slow, lossy, and cut wherever the seed says so.

Requests and sockets go to the servers' own applications, as a server would call them. A connection
keeps its order, as TCP does; two connections do not. What is lost, is lost with its connection.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from tests.simulated_house.loop import PROCESS, Process, SimulatedLoop

if TYPE_CHECKING:
    from tests.simulated_house.server import Server

HOST = "127.0.0.1"
LOST = 1006
"""How a connection ends that nobody closed."""
BUFFER = 64
"""How many messages wait for a client that takes none before the server has to wait."""


TICK = 1e-6


class Response(NamedTuple):
    """What a server answered to a request."""

    status: int
    headers: dict[str, str]
    data: Any


class Network:
    """Everything between the clients and the servers."""

    def __init__(self, loop: SimulatedLoop, chance: Random, note: Callable[[str], None]) -> None:
        self.loop = loop
        self.note = note
        self._chance = chance
        self.servers: dict[str, Server] = {}
        """By their hosts."""
        self.wires: list[Wire] = []
        self.on_send: Callable[[str, str, str], None] = lambda *_: None
        """Told of everything that is sent: to which path, by whom, and what."""
        self.on_arrive: Callable[[str, str, str], None] = lambda *_: None
        """Told of everything that arrives."""
        self.is_slow = False
        self.partitions: set[tuple[str, str]] = set()
        """Client and server that do not reach each other; `*` stands for every client."""

    def delay(self) -> float:
        """How long something is on its way, in seconds."""
        if self._chance.random() < (0.3 if self.is_slow else 0.01):
            return self._chance.uniform(0.1, 1.5)
        return self._chance.uniform(0.0005, 0.01)

    def is_parted(self, client: str, server: str) -> bool:
        """Whether two do not reach each other."""
        return not self.partitions.isdisjoint(((client, server), ("*", server)))

    def found(self, url: str) -> Server | None:
        """Whoever listens at an address, if the caller reaches it."""
        server = self.servers.get(urlsplit(url).netloc)
        client = PROCESS.get(self.loop.world).name
        if server is None or not server.listens or self.is_parted(client, server.name):
            return None
        return server

    def scope(self, url: str, headers: dict[str, str]) -> dict[str, Any]:
        """What a server is told of whoever comes."""
        split = urlsplit(url)
        told = {"host": split.netloc, **headers}
        return {
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": split.scheme,
            "path": split.path,
            "raw_path": split.path.encode(),
            "root_path": "",
            "query_string": split.query.encode(),
            "headers": [(n.lower().encode(), v.encode()) for n, v in told.items()],
            "client": (HOST, 1),
            "server": (split.hostname, split.port),
            "state": {},
            "extensions": {},
        }

    # Requests -------------------------------------------------------------------------------

    async def request(
        self, method: str, url: str, body: Any = None, *, token: str | None = None
    ) -> Response:
        """Asks a server for something; `OSError` where the connection is lost."""
        await asyncio.sleep(self.delay())
        server = self.found(url)
        if server is None:
            raise ConnectionRefusedError(url)
        headers = {"content-type": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        content = b"" if body is None else json.dumps(body).encode()
        headers["content-length"] = str(len(content))
        scope = {**self.scope(url, headers), "type": "http", "method": method}
        exchange = Exchange(self, server, scope, content)
        try:
            return await exchange.answer
        finally:
            server.exchanges.pop(exchange, None)

    # Sockets --------------------------------------------------------------------------------

    async def connect(self, address: str, *, additional_headers: dict[str, str], **_: Any) -> Wire:
        """A socket to a server, once it has been accepted; in the shape of `websockets`."""
        await asyncio.sleep(self.delay())
        server = self.found(address)
        if server is None:
            raise ConnectionRefusedError(address)
        scope = {
            **self.scope(address, additional_headers),
            "type": "websocket",
            "subprotocols": [],
        }
        wire = Wire(self, server, scope)
        await wire.accepted
        return wire

    def cut(self, client: str, server: str) -> int:
        """Ends every connection between two, without a word."""
        count = 0
        for wire in tuple(self.wires):
            if client in ("*", wire.client.name) and wire.server.name == server:
                wire.lose()
                count += 1
        return count


class Exchange:
    """A request on its way, and its answer."""

    def __init__(
        self, network: Network, server: Server, scope: dict[str, Any], content: bytes
    ) -> None:
        self._network = network
        self._server = server
        self._scope = scope
        self._client = PROCESS.get(network.loop.world)
        self._content: deque[dict[str, Any]] = deque([{"type": "http.request", "body": content}])
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body = b""
        self.answer: asyncio.Future[Response] = network.loop.create_future()
        server.exchanges[self] = None
        loop, incarnation = network.loop, server.process
        loop.call_later(network.delay(), self._arrive, incarnation, context=loop.world.context)

    def _arrive(self, process: Process) -> None:
        if process.is_alive and self._server.process is process:
            self._network.note(f"{self._scope['method']} {self._scope['path']} {process.name}")
            self._network.loop.start(process, self._serve())
        else:
            self.lose()

    async def _serve(self) -> None:
        server = self._server
        if server.app is None:
            return
        try:
            await server.app(self._scope, self._receive, self._send)
        except Exception as problem:  # noqa: BLE001 - the answer was sent already
            server.mistakes.append(problem)

    async def _receive(self) -> dict[str, Any]:
        if self._content:
            return self._content.popleft()
        return await self._network.loop.create_future()  # type: ignore[no-any-return]

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = {n.decode(): v.decode() for n, v in message["headers"]}
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                context = self._client.context
                network = self._network
                network.loop.call_later(network.delay(), self._answered, context=context)

    def _answered(self) -> None:
        if self.answer.done():
            return
        if self._network.is_parted(self._client.name, self._server.name):
            self.answer.set_exception(ConnectionResetError("parted"))
            return
        is_json = "json" in self._headers.get("content-type", "")
        data = json.loads(self._body) if self._body and is_json else None
        self.answer.set_result(Response(self._status, self._headers, data))

    def lose(self) -> None:
        """The connection is lost; whoever asked does not know what came of it."""
        loop = self._network.loop

        def lost() -> None:
            if not self.answer.done():
                self.answer.set_exception(ConnectionResetError("lost"))

        loop.call_later(self._network.delay(), lost, context=self._client.context)


class Wire:
    """A socket between a client and a server; the client's end of it, like `websockets`' own."""

    def __init__(self, network: Network, server: Server, scope: dict[str, Any]) -> None:
        loop = network.loop
        self._network, self._loop, self._scope = network, loop, scope
        self.server = server
        self.client = PROCESS.get(loop.world)
        self._process = server.process
        self.accepted: asyncio.Future[None] = loop.create_future()
        self._in: deque[dict[str, Any]] = deque()
        self._in_there = asyncio.Event()
        self._out: deque[str] = deque()
        self._out_there = asyncio.Event()
        self._last_in = self._last_out = 0.0
        self._room = asyncio.Event()
        self._on_the_way = 0
        self.takes = True
        """Whether the client takes what it is sent."""
        self.buffer = BUFFER
        self.close_code: int | None = None
        self.close_reason = ""
        self._is_lost = False
        self._greeted_at: float | None = None
        """When the client had its first message, and so the table knows of it."""
        network.wires.append(self)
        self._to_server({"type": "websocket.connect"})
        loop.call_later(network.delay(), self._begin, context=loop.world.context)

    def _begin(self) -> None:
        if self._process.is_alive and self.server.process is self._process:
            self._loop.start(self._process, self._serve())
        else:
            self.lose()

    async def _serve(self) -> None:
        if self.server.app is None:
            return
        try:
            await self.server.app(self._scope, self._receive, self._send)
        except Exception as problem:  # noqa: BLE001 - what the house did not foresee
            if not self._is_lost:
                self.server.mistakes.append(problem)
        self._close(LOST, "")

    # The server's end -----------------------------------------------------------------------

    async def _receive(self) -> dict[str, Any]:
        while not self._in:
            self._in_there.clear()
            await self._in_there.wait()
        return self._in.popleft()

    async def _send(self, message: dict[str, Any]) -> None:
        if self._is_lost:
            raise OSError("the client is gone")
        if message["type"] == "websocket.accept":
            self._to_client(self._accept)
        elif message["type"] == "websocket.close":
            self._close(message.get("code", 1000), message.get("reason") or "")
        else:
            while self._on_the_way >= self.buffer and not self._is_lost:
                self._room.clear()
                await self._room.wait()
            self._on_the_way += 1
            self._to_client(self._deliver, message["text"])

    def _close(self, code: int, reason: str) -> None:
        self._to_client(self._closed, code, reason)

    # On the way -----------------------------------------------------------------------------

    def _to_client(self, deliver: Callable[..., None], *args: Any) -> None:
        # Two of one moment would come in any order.
        self._last_out = max(self._last_out + TICK, self._loop.time() + self._network.delay())
        self._loop.call_at(self._last_out, deliver, *args, context=self.client.context)

    def _to_server(self, message: dict[str, Any]) -> None:
        self._last_in = max(self._last_in + TICK, self._loop.time() + self._network.delay())
        self._loop.call_at(self._last_in, self._arrive, message, context=self._process.context)

    def _arrive(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.receive":
            self._network.note(f"{self.client.name} > {self._process.name} {message['text'][:80]}")
            self._network.on_arrive(self._scope["path"], self.client.name, message["text"])
        self._in.append(message)
        self._in_there.set()

    def _accept(self) -> None:
        if not self.accepted.done():
            self.accepted.set_result(None)

    def is_open_for(self, seconds: float) -> bool:
        """Whether the client has been at the table for so long, and still is.

        A client that takes nothing does not hear that its table has been given up.
        """
        if self._greeted_at is None or self._is_lost or self.close_code is not None:
            return False
        if not self.takes:
            return False
        return self._loop.time() - self._greeted_at >= seconds

    @property
    def path(self) -> str:
        """What the client asked for."""
        return str(self._scope["path"])

    def _deliver(self, text: str) -> None:
        if self._greeted_at is None:
            self._greeted_at = self._loop.time()
        if self.close_code is None:
            self._out.append(text)
            self._out_there.set()
            if self.takes:
                self._taken()

    def _taken(self) -> None:
        self._on_the_way = 0
        self._loop.call_soon(self._room.set, context=self._process.context)

    def _closed(self, code: int, reason: str) -> None:
        if self.close_code is None:
            self.close_code, self.close_reason = code, reason
            self._out_there.set()
            if not self.accepted.done():
                self.accepted.set_exception(ConnectionResetError("refused"))
            if self in self._network.wires:
                self._network.wires.remove(self)

    def lose(self) -> None:
        """The connection is lost: both ends hear of it, each in its time, or never."""
        if self._is_lost:
            return
        self._is_lost = True
        if self in self._network.wires:
            self._network.wires.remove(self)
        self._to_client(self._closed, LOST, "")
        self._to_server({"type": "websocket.disconnect", "code": LOST})
        self._loop.call_soon(self._room.set, context=self._process.context)

    # The client's end -----------------------------------------------------------------------

    def _require_open(self) -> None:
        if self.close_code is not None or self._is_lost:
            code = LOST if self.close_code is None else self.close_code
            close = None if code == LOST else Close(code, self.close_reason)
            raise ConnectionClosedError(close, None)

    async def send(self, text: str) -> None:
        """Sends a message; nobody knows whether it arrives."""
        self._require_open()
        self._network.on_send(self._scope["path"], self.client.name, text)
        self._to_server({"type": "websocket.receive", "text": text})

    async def recv(self) -> str:
        """The next message."""
        while not self._out:
            self._require_open()
            self._out_there.clear()
            await self._out_there.wait()
        return self._out.popleft()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        return await self.recv()

    async def close(self) -> None:
        """Hangs up."""
        self._closed(1000, "")
        self.lose()
