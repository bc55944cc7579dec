"""Serving a house: on this machine alone, or to people with accounts on a network.

A local house listens on the loopback: four tables dealt automatically, play money, no login, and
consoles that one-time keys open. A house with accounts needs everyone who plays or works there to
sign in, over TLS or through a proxy that terminates it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
import signal
import socket as sockets
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI

from novamas.game.limits import placard
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import Clock, SystemClock, monotonic
from novamas.house.house import House, SelfCheckError, TableExistsError
from novamas.house.input_bounds import LARGEST
from novamas.house.leases import SECONDS, Leases, is_table
from novamas.house.log.checkpoints import Checkpoints
from novamas.house.log.store import Lease, SharedStore, Store, StoreError
from novamas.house.log.stores.addresses import is_shared, open_store
from novamas.house.people.departures import ABSENT, Departures
from novamas.house.people.events import ClockNote, ClockNoted, Post
from novamas.house.people.registry import Registry
from novamas.house.people.second_factor import EVERYONE, MUST_HAVE
from novamas.house.people.state import DAY
from novamas.house.table.actor import TableActor, TableStoppedError
from novamas.house.table.commands import OpenBank
from novamas.house.table.croupier import AutomaticCroupier, Pace
from novamas.house.table.decide import lacks_float
from novamas.house.table.events import BallMode
from novamas.house.table.state import least_float
from novamas.rulebooks import HOUSES, load
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from novamas.web import json_logging
from novamas.web.app import Doorkeeper, create_app
from novamas.web.connections import LARGEST_HEAD, Gate, GuardedServer, places
from novamas.web.passwords import Passwords
from novamas.web.routes import operations
from novamas.web.routes.tables import Lobby
from novamas.web.sessions import People
from novamas.web.start_files import ball_key, unmade
from novamas.web.stolen_passwords import StolenPasswords
from novamas.web.ws_frames import FramesProtocol

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
LOOPBACK_NAMES = frozenset((LOOPBACK, "localhost"))
LARGEST_FRAME = 65_536
GRACE = 3
"""Seconds that connections have to close when the server shuts down."""
CHIP = 100
"""The value of a chip at the tables of a local house, and the minimum of their placards."""
FLOAT = 100_000
"""How many chips a local house puts into the bank of a new table."""
RATE = 50.0
"""Commands per second of one person, over all their sockets, in a house with accounts."""
ATTENTION = 0.5
"""How often, in seconds, expired sessions are looked for."""
WITNESSED = 10.0
"""How often, in seconds, a checkpoint of the register is written, if the register has changed."""
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Ciphers for TLS 1.2; all have forward secrecy."""
EACH = 16
"""The smallest limit of connections without a session for one address."""
WATCHING = 16
"""The limit of connections on the metrics port."""
LONGEST_REST = 7 * DAY
"""Milliseconds for which a house with accounts may have been closed before its clock is doubted."""
CLOCKS_APART = 60_000
"""Milliseconds by which the clocks of two servers of a house may differ without a warning."""
STALLED = 20_000
"""Milliseconds after which a connection whose peer acknowledges nothing is closed."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a house is started."""

    port: int = 8037
    local: bool = True
    """Whether it serves this machine alone, without accounts."""
    host: str = LOOPBACK
    """The address of this machine on which it listens."""
    names: tuple[str, ...] = ()
    """The host names that it answers to; with accounts, it answers to no other."""
    certificate: str | None = None
    """The file of its certificate, if it terminates TLS itself."""
    key: str | None = None
    """The file of the certificate's private key."""
    second_factor: Literal["staff", "everyone"] = "staff"
    """Who must have a second factor: staff alone, or players too."""
    stolen_passwords: str | None = None
    """A file of hashes of leaked passwords; nobody may choose one of them."""
    proxies: tuple[str, ...] = ()
    """The addresses of trusted proxies that terminate TLS."""
    store: str | None = None
    """The path of the store's file, or the address of a database; None keeps it in memory."""
    address: str | None = None
    """The public address to which other servers redirect clients of tables that are served here."""
    lease: float = SECONDS
    """Seconds after which a lease of this server expires, where several servers share the store."""
    checkpoints: str | None = None
    """The file to which signed checkpoints are appended; keep it apart from the store."""
    checkpoints_key: str | None = None
    """The source of the key that signs checkpoints; by default a file beside them."""
    ball_key: str | None = None
    """The source of the key that encrypts the ball's seeds; by default a file beside the store."""
    clock_is_right: bool = False
    """Whether the operator confirms that the clock is right after a long time closed."""
    tables: bool = True
    """Whether to set up a table of each rulebook if the store has none."""
    log: str | None = None
    """The file of the server's log, `-` for the standard error; None logs only warnings there."""
    metrics: tuple[str, int] | None = None
    """Address and port for metrics and health checks; players have no access there."""
    pace: Pace = field(default_factory=Pace)
    absent: float | None = ABSENT
    highest_bet: int | None = None
    """The highest bet that the law allows, for tables whose book has such a law."""
    guest_money: int = 1_000_000
    keys: bool = True

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all addresses of this machine."""
        try:
            return not self.host or ip_address(self.host).is_unspecified
        except ValueError:
            return False

    @property
    def is_nameless(self) -> bool:
        """Whether it listens for other machines but has no host name to answer to."""
        return self.host not in LOOPBACK_NAMES and not self.names and self.address is None

    def url(self, port: int) -> str:
        """The URL of the house, by its host name if it listens for other machines."""
        host = LOOPBACK if self.is_everywhere else self.host
        if self.host not in LOOPBACK_NAMES and self.names:
            host = self.names[0]
        return f"{self.scheme}://{host}:{port}/"

    @property
    def scheme(self) -> str:
        """The URL scheme without a proxy."""
        return "https" if self.certificate is not None else "http"


class NotListeningError(Exception):
    """The house cannot listen; names the option at fault and the reason."""

    def __init__(self, option: str, host: str, port: int, problem: OSError) -> None:
        self.option = option
        self.host = host
        self.port = port
        self.errno = problem.errno
        self.why = problem.strerror or str(problem)
        super().__init__(f"{host}:{port}: {self.why}")


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a house that replace what the options would create, as in a simulation."""

    store: Store | None = None
    clock: Clock | None = None
    source: BallSource | None = None
    writer: Executor | None = None
    passwords: Passwords | None = None


class LocalHouse:
    """A house with its tables and its sessions."""

    def __init__(self, options: Options, parts: Parts | None = None) -> None:
        self.options = options
        given = parts or Parts()
        kept = options.checkpoints
        # Open the checkpoints before the store: if they fail, no store is created.
        witness_key = options.checkpoints_key
        checkpoints = Checkpoints(kept, source=witness_key) if kept is not None else None
        named = options.stolen_passwords
        stolen = StolenPasswords(named) if named is not None else None
        store = given.store or open_store(options.store)
        leases: Leases | None = None
        if is_shared(options.store):
            lease = Lease(
                secrets.token_hex(8),
                options.address or f"{options.scheme}://{LOOPBACK}:{options.port}",
            )
            leases = Leases(cast("SharedStore", store), lease, seconds=options.lease)
            leases.on_taken, leases.on_lost = self.deal, self.leave
        source = given.source or BallSource(key=ball_key(options))
        self.house = House(
            store,
            clock=given.clock,
            source=source,
            checkpoints=checkpoints,
            leases=leases,
            writer=given.writer,
            longest_rest=None if options.local or options.clock_is_right else LONGEST_REST,
            highest_bet=options.highest_bet,
        )
        self.registry = Registry(
            store, self.house.blocking, self.house.clock, checkpoints=checkpoints
        )
        self.house.registry = self.registry
        self.people = (
            People(self.registry, guest_money=options.guest_money)
            if options.local
            else People(
                self.registry,
                passwords=given.passwords or Passwords(stolen=stolen),
                key=source.key,
                required=EVERYONE if options.second_factor == "everyone" else MUST_HAVE,
                is_shared=leases is not None,
            )
        )
        self.departures = Departures(self.house, self.registry, absent=options.absent)
        self.croupiers: dict[str, AutomaticCroupier] = {}
        self._attending: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Opens the house, sets up tables if it has none, and begins to deal."""
        await self.house.open()
        await self._note_clocks()
        self._attending = asyncio.create_task(self._attend(), name="people")
        known = await self.house.blocking(self.house.store.tables)
        if self.options.local and self.options.tables and not any(map(is_table, known)):
            for id in HOUSES:
                book = load(id)
                limits = placard(book, CHIP, highest=self.options.highest_bet)
                setup = replace(Setup.usual(book), chip=CHIP, limits=limits, live=True)
                # Where several servers start at once, one of them sets the table up.
                with contextlib.suppress(TableExistsError):
                    await self.house.set_up(id, id, setup, ball=BallMode.DRAWN)
        for actor in tuple(self.house.tables.values()):
            await self.deal(actor)

    async def _note_clocks(self) -> None:
        """Records what the house noticed about the machine's clock when it opened."""
        behind = self.house.behind_log
        if behind > CLOCKS_APART:
            await self._note_clock(ClockNote.BEHIND, -behind)
        if self.options.clock_is_right:
            await self._note_clock(ClockNote.CONFIRMED, 0)

    async def _note_clock(self, note: ClockNote, ahead: int) -> None:
        """Records that the machine's clock differs from the house's."""
        told = {"why": f"{note}: {ahead / 1000:+.1f} s from the house's time"}
        log.warning("the clock of the machine", extra=told)
        with contextlib.suppress(StoreError):
            await self.registry.do(lambda *_: [ClockNoted(note=note, ahead=ahead)])

    async def _attend(self) -> None:
        """Ends expired sessions at intervals, and reads which ones other servers ended."""
        due = 0.0
        while True:
            await asyncio.sleep(ATTENTION)
            clock = self.house.clock
            ahead = clock.jumped() if isinstance(clock, SystemClock) else None
            if ahead is not None:
                await self._note_clock(ClockNote.SET, ahead)
            with contextlib.suppress(StoreError):
                if self.house.leases is not None:
                    await self.registry.read()
                await self.people.sweep()
            self.departures.sweep()
            if monotonic() >= due:
                await self._witness()
                due = monotonic() + WITNESSED

    async def _witness(self) -> None:
        """Writes a checkpoint of the register; while that fails, the register takes no changes."""
        before = self.registry.unwitnessed
        try:
            await self.registry.witness()
        except StoreError as problem:
            if before is None:
                log.warning("the register is out of use", extra={"why": str(problem)})

    async def deal(self, actor: TableActor) -> None:
        """Starts the automatic croupier of a table with a drawn ball."""
        if self.options.local:
            await _bring_float(actor)
        if (
            actor.house_table.ball is BallMode.DRAWN
            and actor.house_table.table not in self.croupiers
        ):
            croupier = AutomaticCroupier(actor, self.options.pace, is_there=actor.has_screen)
            self.croupiers[actor.house_table.table] = croupier
            try:
                await croupier.open()
            except TableStoppedError:
                return  # Its store failed, or another server has taken it over.
            croupier.start()

    async def leave(self, table: str) -> None:
        """Stops dealing a table that another server now serves."""
        croupier = self.croupiers.pop(table, None)
        if croupier is not None:
            await croupier.stop()

    def app(self) -> FastAPI:
        """The application that serves this house."""
        options = self.options
        return create_app(
            self.house,
            self.people,
            on_set_up=self.deal,
            rate=None if options.local else RATE,
            hosts=LOOPBACK_NAMES | _named(options.address) | {*options.names},
        )

    def keys(self) -> dict[str, str]:
        """One-time keys for the consoles."""
        return {
            "croupier": self.people.issue_key("croupier", Post.CROUPIER),
            "chief": self.people.issue_key("chief", Post.CHIEF),
            "cashier": self.people.issue_key("cashier", Post.CASHIER),
            "management": self.people.issue_key("management", Post.MANAGEMENT),
        }

    async def stop(self) -> None:
        """Stops dealing, and answers all commands that wait at the tables."""
        await asyncio.gather(*(croupier.stop() for croupier in self.croupiers.values()))
        await self.house.stop()

    async def close(self) -> None:
        """Stops, and closes the store."""
        await self.stop()
        if self._attending is not None:
            self._attending.cancel()
            await asyncio.gather(self._attending, return_exceptions=True)
        await self.departures.stop()
        if self._attending is not None:
            with contextlib.suppress(StoreError):
                await self.registry.read()
            await self._witness()
        await self.house.close()


async def _bring_float(actor: TableActor) -> None:
    """Opens a table's bank; a local house has no cash desk to do it."""
    if not lacks_float(actor.house_table, actor.balances):
        return
    usual = FLOAT * actor.house_table.state.setup.chip
    amount = min(max(usual, least_float(actor.house_table)), LARGEST)
    with contextlib.suppress(TableStoppedError):  # Its store failed, or another server has it.
        await actor.submit(f"float-{secrets.token_hex(8)}", OpenBank(by=MANAGEMENT, amount=amount))


def spare_the_collector() -> None:
    """Makes Python's garbage collector run less often.

    Stakes live long and form no reference cycles: scanning fifty thousand of them again and again
    takes longer than settling them.
    """
    gc.set_threshold(50_000, 20, 50)


def run(main: Coroutine[Any, Any, None]) -> None:
    """Runs a server in an event loop: uvloop's where it is installed, which is faster."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


async def serve(
    options: Options,
    tell: Callable[[str], None],
    *,
    opened: Callable[[str], None] | None = None,
) -> None:
    """Serves a house until it receives a signal; `opened` gets the address once it is open."""
    spare_the_collector()
    made_now = unmade(options)
    is_open = False
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(json_logging.kept(options.log))
            listening = stack.enter_context(_listening("--host", options.host, options.port))
            apart = options.metrics
            watched = (
                stack.enter_context(_listening("--metrics", *apart)) if apart is not None else None
            )
            _require_begun(options)
            local = LocalHouse(replace(options, port=listening.getsockname()[1]))
            try:
                await local.open()
                _require_led(local)
                is_open = True
                await _serve(local, listening, watched, tell, opened)
            finally:
                await local.close()
            log.info("the house is closed")
    finally:
        if not is_open:
            made_now.take_back()
    tell("the house is closed; nothing was lost")


def _require_begun(options: Options) -> None:
    """Refuses to open a house with accounts that was never set up, before any file is created."""
    store = options.store
    if options.local or store is None or is_shared(store) or Path(store).exists():
        return
    if Path(store).absolute().parent.is_dir():
        raise _nobody_known(options)


def _nobody_known(options: Options) -> SelfCheckError:
    hint = f"novamas house init {json_logging.discreet(options.store or 'FILE')} --chief NAME"
    return SelfCheckError("nobody is known here who could sign in", hint=hint)


def _require_led(local: LocalHouse) -> None:
    """Refuses to open a house in which nobody could ever sign in."""
    options = local.options
    if not options.local and not local.registry.register.is_led():
        raise _nobody_known(options)


async def _serve(
    local: LocalHouse,
    listening: sockets.socket,
    watched: sockets.socket | None,
    tell: Callable[[str], None],
    opened: Callable[[str], None] | None,
) -> None:
    options = local.options
    url = options.url(listening.getsockname()[1])
    room = places() - (WATCHING if watched is not None else 0)
    # In a local house all clients share one address, and behind a proxy many do.
    gate = Gate(room, each=None if options.local else max(EACH, room // 4), exempt=options.proxies)
    app = local.app()
    config = uvicorn.Config(
        app,
        log_config=None,  # It goes to the server's log.
        log_level="warning",
        access_log=False,
        ws=FramesProtocol,
        ws_per_message_deflate=False,
        ws_max_size=LARGEST_FRAME,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        lifespan="off",
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
        ssl_ciphers=CIPHERS,
        # Forwarded headers from an unknown proxy could claim anything.
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=",".join(options.proxies),
        server_header=False,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    server = GuardedServer(config, gate)
    stopping = asyncio.Event()
    ending = asyncio.create_task(_end_in_order(stopping, local, app.state.lobby, server))
    # From here on the kernel queues incoming connections; nobody learns the port before.
    listening.listen()
    if watched is not None:
        watched.listen()
    with _told_to_stop(stopping):
        log.info("the house is open", extra={"address": url})
        tell(f"the house is open: {url}")
        if options.is_nameless:
            named = "house.example.org" if options.is_everywhere else options.host
            log.warning("the house answers to no name but localhost: it was given no --name")
            tell(f"  nobody elsewhere is let in: give the name that people call: --name {named}")
        if local.house.source.key.made:
            log.info("the key of the ball was made")
            where = local.house.source.key.where
            tell(f"  the key of the ball was made: {where}; keep it apart from backups")
        if options.local and options.keys:
            for name, key in local.keys().items():
                tell(f"  {name}: {url}console?key={key}")
        if opened is not None:
            opened(url)
        try:
            async with _watched(app.state.lobby, watched, tell, options):
                await server.serve(sockets=[listening])
        finally:
            stopping.set()
            await ending


@contextlib.asynccontextmanager
async def _watched(
    lobby: Lobby,
    listening: sockets.socket | None,
    tell: Callable[[str], None],
    options: Options,
) -> AsyncIterator[None]:
    """Serves metrics and health checks on a port of their own while the house is open."""
    if listening is None:
        yield
        return
    host, port = listening.getsockname()[:2]
    # On this machine nobody can eavesdrop, so a monitoring program needs no certificate.
    near = ip_address(host).is_loopback
    config = uvicorn.Config(
        Doorkeeper(operations.watching(lobby)),
        log_config=None,
        log_level="warning",
        access_log=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=GRACE,
        ssl_certfile=None if near else options.certificate,
        ssl_keyfile=None if near else options.key,
        ssl_ciphers=CIPHERS,
        server_header=False,
    )
    server = GuardedServer(config, Gate(WATCHING))
    tell(f"  measures: {'http' if near else options.scheme}://{host}:{port}/metrics")
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def _named(address: str | None) -> frozenset[str]:
    """The host name under which others reach this server, if it has one."""
    name = urlsplit(address).hostname if address is not None else None
    return frozenset((name,)) if name else frozenset()


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a record is worth logging: a client that sends invalid text is not."""
    return record.exc_info is None or not isinstance(record.exc_info[1], UnicodeDecodeError)


async def _end_in_order(
    stopping: asyncio.Event, local: LocalHouse, lobby: Lobby, server: uvicorn.Server
) -> None:
    """Waits for the stop signal; then stops the tables first and the connections afterwards."""
    await stopping.wait()
    await local.stop()
    if lobby.connected:
        await asyncio.wait(tuple(lobby.connected), timeout=GRACE)
    server.should_exit = True


@contextlib.contextmanager
def _told_to_stop(stopping: asyncio.Event) -> Iterator[None]:
    """Sets the event on SIGINT and SIGTERM."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


@contextlib.contextmanager
def _listening(option: str, host: str, port: int) -> Iterator[sockets.socket]:
    """A listening socket; a port that is in use is an error before the house opens."""
    # With the protocol given as TCP, asyncio turns Nagle's algorithm off (40 ms per ack).
    with sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM, sockets.IPPROTO_TCP) as listening:
        listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        if hasattr(sockets, "TCP_USER_TIMEOUT"):
            # The system closes a connection whose peer acknowledges nothing any more.
            listening.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT, STALLED)
        try:
            listening.bind((host, port))
        except OSError as problem:
            raise NotListeningError(option, host, port, problem) from None
        yield listening
