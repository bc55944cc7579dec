"""Connections: how many the server holds at once, and which it closes when it is full.

A process has a limited number of file descriptors. Some stay reserved for the store and the log;
the rest are for connections. When all are in use, a connection without a session is closed: first
the one that has waited longest without a complete request, then an onlooker's socket, then a
request that is being served. Each connection has a short grace period first; new ones wait in the
kernel's backlog meanwhile. Sockets of signed-in people are never closed for strangers, but they get
at most three quarters of the places: so health checks are answered and staff can sign in at any
load.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import socket as sockets
import ssl
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from novamas.house.clock import monotonic
from novamas.house.house import SelfCheckError
from novamas.web.auth import counted_address

log = logging.getLogger(__name__)

RESERVED: Final = 48
"""Descriptors that connections never use: for the store, the log, checkpoints and files."""
FEWEST: Final = 32
"""A server with room for fewer connections than this does not start."""
MOST: Final = 16_384
"""The largest number of connections, however many descriptors there are."""
FILES: Final = 65_536
"""The descriptor limit that the server asks the system for."""
HEADER_SECONDS: Final = 10.0
"""Seconds that a client has to send the headers of a request."""
BODY_SECONDS: Final = 20.0
"""Seconds that a client has to send the body of a request."""
TAKING_SECONDS: Final = 60.0
"""Seconds that a client has to read a response that does not fit into the buffers."""
LARGEST_HEAD: Final = 16_384
"""Largest size of a request's headers in bytes."""
GRACE: Final = 0.5
"""Seconds in which a connection is never closed for another: time enough to send a request."""
SWEEP: Final = 1.0
"""How often, in seconds, slow connections are looked for."""
BACKLOG: Final = 256
"""Length of the kernel's queue of connections that wait to be accepted."""
EXTENSION: Final = "novamas.connection"
"""The key of the ASGI scope's extensions that holds the connection."""


class Connection:
    """One connection, from its acceptance to its end."""

    def __init__(self, gate: Gate, sock: sockets.socket, address: str) -> None:
        self._gate = gate
        self._sock = sock
        self.address = address
        self.since = gate.clock()
        """Since when it has been in its present state."""
        self.http: GuardedHttp | None = None
        self.transport: asyncio.Transport | None = None
        self.is_evicted = False
        self.is_sending = False
        """Whether the head of a request has come, and the rest has not."""

    def works(self) -> None:
        """Called when a complete request has arrived."""
        self._gate.move(self, Gate.BUSY)

    def rests(self) -> None:
        """Called when the request was answered."""
        self._gate.move(self, Gate.WAITING)

    def looks_on(self) -> None:
        """Called when the connection has become the socket of somebody who is not signed in."""
        self._gate.move(self, Gate.ONLOOKING)

    def is_known(self) -> bool:
        """Called when it has become a signed-in person's socket; False if there is no room."""
        return self._gate.admit(self)

    def evict(self) -> None:
        """Closes the connection at once."""
        self.is_evicted = True
        if self.transport is not None:
            self.transport.abort()
        else:
            # The TLS handshake still runs: asyncio notices the shutdown, and closes the socket.
            with contextlib.suppress(OSError):
                self._sock.shutdown(sockets.SHUT_RDWR)

    def ended(self) -> None:
        """Called when the connection has ended."""
        self._gate.forget(self)

    def is_too_slow(self, now: float) -> bool:
        """Whether a time limit of its present state has passed."""
        passed, http = now - self.since, self.http
        state = self._gate.state_of(self)
        if state == Gate.WAITING:
            return passed > (BODY_SECONDS if self.is_sending else HEADER_SECONDS)
        is_blocked = http is not None and http.flow.write_paused
        return state == Gate.BUSY and is_blocked and passed > TAKING_SECONDS


class Gate:
    """All connections of a server, in the order in which they are closed when it is full."""

    WAITING, ONLOOKING, BUSY, KNOWN = range(4)

    def __init__(
        self,
        places: int,
        *,
        each: int | None = None,
        exempt: Collection[str] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`each` limits connections of strangers from one address, except `exempt` addresses."""
        self.places = places
        self.clock = clock
        self._each = each
        self._exempt = [ip_network(address) for address in exempt]
        self._by_state: tuple[OrderedDict[Connection, None], ...] = (
            OrderedDict(),
            OrderedDict(),
            OrderedDict(),
            OrderedDict(),
        )
        self._states: dict[Connection, int] = {}
        self._by_address: dict[str, OrderedDict[Connection, None]] = {}
        self.freed = asyncio.Event()
        self.accepted = 0
        """How many connections were accepted in all."""
        self.evicted = 0
        """How many connections were closed to make room for others."""
        self.slow = 0
        """How many connections were closed because they were too slow."""

    def __len__(self) -> int:
        return len(self._states)

    @property
    def known(self) -> int:
        """How many connections are sockets of signed-in people."""
        return len(self._by_state[self.KNOWN])

    @property
    def is_full(self) -> bool:
        """Whether a connection must be closed to make room."""
        return len(self._states) > self.places

    def come(self, sock: sockets.socket, host: str) -> Connection:
        """Adds an accepted connection; if its address has too many, the oldest one is closed."""
        self.accepted += 1
        made = Connection(self, sock, self._counted(host))
        self._states[made] = self.WAITING
        self._by_state[self.WAITING][made] = None
        if self._each is not None and made.address:
            theirs = self._by_address.setdefault(made.address, OrderedDict())
            theirs[made] = None
            if len(theirs) > self._each:
                self._make_room_among(theirs)
        return made

    def _counted(self, host: str) -> str:
        """The address as limits count it; empty for a proxy, because many clients share it."""
        with contextlib.suppress(ValueError):
            if any(ip_address(host) in network for network in self._exempt):
                return ""
        return counted_address(host)

    def make_room(self) -> bool:
        """Closes the connection with the lowest priority; returns False if all are in grace."""
        # Each state keeps its connections in the order in which they entered it.
        return any(
            self._make_room_among(self._by_state[state])
            for state in (self.WAITING, self.ONLOOKING, self.BUSY)
        )

    def _make_room_among(self, connections: Iterable[Connection]) -> bool:
        """Closes the first connection whose grace period is over."""
        latest = self.clock() - GRACE
        for each in connections:
            if not each.is_evicted and each.since <= latest:
                self._give_way(each)
                return True
            if not each.is_evicted:
                return False
        return False

    def _give_way(self, connection: Connection) -> None:
        self.evicted += 1
        connection.evict()

    def admit(self, connection: Connection) -> bool:
        """Reserves a place for the socket of a signed-in person; returns False if there is none."""
        if self.known >= self.places - self.places // 4:
            return False
        self.move(connection, self.KNOWN)
        if connection.address:
            self._leave_address(connection)
        return True

    def move(self, connection: Connection, state: int) -> None:
        """Moves a connection into another state, as the newest there."""
        before = self._states.get(connection)
        if before is None:
            return
        del self._by_state[before][connection]
        self._by_state[state][connection] = None
        self._states[connection] = state
        connection.since = self.clock()

    def state_of(self, connection: Connection) -> int | None:
        """The state of a connection."""
        return self._states.get(connection)

    def forget(self, connection: Connection) -> None:
        """Removes a connection that has ended."""
        state = self._states.pop(connection, None)
        if state is not None:
            del self._by_state[state][connection]
            self._leave_address(connection)
            self.freed.set()

    def _leave_address(self, connection: Connection) -> None:
        theirs = self._by_address.get(connection.address)
        if theirs is not None:
            theirs.pop(connection, None)
            if not theirs:
                del self._by_address[connection.address]

    def sweep(self) -> None:
        """Closes every connection that is too slow."""
        now = self.clock()
        for connection in [each for each in self._states if each.is_too_slow(now)]:
            if not connection.is_evicted:
                self.slow += 1
                connection.evict()


def places() -> int:
    """How many connections this process can hold with the descriptors that it may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    left = (FILES if soft == resource.RLIM_INFINITY else soft) - _in_use() - RESERVED
    if left < FEWEST:
        raise SelfCheckError(
            f"this process may open {soft} files: too few for a house",
            hint=f"at least {RESERVED + _in_use() + FEWEST}: ulimit -n, or LimitNOFILE=",
        )
    return min(left, MOST)


def _in_use() -> int:
    """How many descriptors are open now."""
    with contextlib.suppress(OSError):
        return len(os.listdir("/dev/fd"))  # noqa: PTH208 - /dev/fd is not a folder of files
    return 16


def connection_of(scope: Scope) -> Connection | None:
    """The connection of a request or a socket, where the server limits connections."""
    found: Connection | None = scope.get("extensions", {}).get(EXTENSION)
    return found


class GuardedHttp(H11Protocol):
    """An HTTP connection that reports its state to its gate."""

    def __init__(self, *args: Any, connection: Connection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connection = connection
        connection.http = self
        if self.ws_protocol_class is not None:
            made = partial(cast("Any", self.ws_protocol_class), connection=connection)
            self.ws_protocol_class = cast("type[asyncio.Protocol]", made)
        self.app = cast("Any", self._served(cast("ASGIApp", self.app)))

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Called when the connection is established, after the TLS handshake if there is one."""
        self.connection.transport = transport
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed."""
        super().connection_lost(exc)
        self.connection.ended()

    def _served(self, app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self.connection
            scope.setdefault("extensions", {})[EXTENSION] = connection
            connection.is_sending = self.cycle.more_body
            if not connection.is_sending:
                connection.works()

            async def received() -> Message:
                message = await receive()
                if connection.is_sending and not message.get("more_body", False):
                    connection.is_sending = False
                    connection.works()
                return message

            try:
                await app(scope, received, send)
            finally:
                connection.is_sending = False
                connection.rests()

        return serve


class GuardedServer(uvicorn.Server):
    """A uvicorn server that accepts connections through a gate, and leaves signals to the house."""

    def __init__(self, config: uvicorn.Config, gate: Gate) -> None:
        super().__init__(config)
        self.gate = gate

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Captures no signals: the house must stop its tables first."""
        yield

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        """Starts to accept connections."""
        await self.lifespan.startup()
        doors = [Door(self, each) for each in sockets or ()]
        self.servers = cast("Any", doors)
        self.started = True


class Door:
    """Accepts connections from one listening socket, up to the limit of the gate."""

    def __init__(self, server: GuardedServer, listening: sockets.socket) -> None:
        self._server = server
        self._listening = listening
        self._gate = server.gate
        listening.setblocking(False)  # noqa: FBT003 - the signature of the standard library
        listening.listen(BACKLOG)
        self._beginning: set[asyncio.Task[None]] = set()
        self._tasks = [
            asyncio.create_task(self._accept(), name="door"),
            asyncio.create_task(self._sweep(), name="slow connections"),
        ]

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, peer = await loop.sock_accept(self._listening)
            except OSError as problem:
                # The system is out of descriptors or memory despite the limit, or the client has
                # gone.
                log.warning("a connection was not accepted", extra={"why": problem.strerror})
                self._gate.make_room()
                await asyncio.sleep(0.05)
                continue
            sock.setblocking(False)  # noqa: FBT003 - the signature of the standard library
            task = asyncio.create_task(self._begin(sock, peer[0]))
            self._beginning.add(task)
            task.add_done_callback(self._beginning.discard)
            # Connections that were closed to make room are gone before the next one is accepted.
            await asyncio.sleep(0)
            while self._gate.is_full:
                self._gate.freed.clear()
                self._gate.make_room()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(GRACE / 10):
                        await self._gate.freed.wait()

    async def _begin(self, sock: sockets.socket, host: str) -> None:
        connection = self._gate.come(sock, host)
        config, server = self._server.config, self._server
        make = partial(
            GuardedHttp,
            config=config,
            server_state=server.server_state,
            app_state=server.lifespan.state,
            connection=connection,
        )
        tls: ssl.SSLContext | None = config.ssl
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                make, sock, ssl=tls, ssl_handshake_timeout=HEADER_SECONDS if tls else None
            )
        except (OSError, TimeoutError):
            # The client spoke no TLS, or left during the handshake: that is no fault of the server.
            connection.ended()
            sock.close()
        except BaseException:
            connection.ended()
            sock.close()
            raise

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self._gate.sweep()

    def close(self) -> None:
        """Stops accepting connections."""
        for task in (*self._tasks, *self._beginning):
            task.cancel()

    async def wait_closed(self) -> None:
        """Waits until no connection is being accepted."""
        await asyncio.gather(*self._tasks, *self._beginning, return_exceptions=True)
