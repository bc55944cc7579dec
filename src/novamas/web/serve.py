"""Local mode: a house on this machine's loopback, with four tables dealt automatically."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket as sockets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from novamas.house.actor import TableActor
from novamas.house.checkpoints import Checkpoints
from novamas.house.croupier import AutomaticCroupier, Pace
from novamas.house.events import BallMode
from novamas.house.house import House
from novamas.house.store import Store
from novamas.house.stores.memory import MemoryStore
from novamas.house.stores.sqlite import SqliteStore
from novamas.rulebooks import HOUSES, load
from novamas.table.state import Setup
from novamas.web.app import create_app
from novamas.web.sessions import Role, Sessions

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Options:
    """How local mode is started."""

    port: int = 8037
    store: str | None = None
    """The path of the store's file; in memory if there is none."""
    checkpoints: str | None = None
    """Where it is written down how far each log has come; to be kept apart from the store."""
    tables: bool = True
    """Whether a table of each house is set up where the store has none."""
    pace: Pace = field(default_factory=Pace)
    guest_money: int = 1_000_000
    keys: bool = True


class LocalHouse:
    """A house in local mode."""

    def __init__(self, options: Options) -> None:
        self.options = options
        store: Store = MemoryStore() if options.store is None else SqliteStore(Path(options.store))
        kept = options.checkpoints
        self.house = House(store, checkpoints=Checkpoints(kept) if kept is not None else None)
        self.sessions = Sessions(guest_money=options.guest_money)
        self.croupiers: dict[str, AutomaticCroupier] = {}

    async def open(self) -> None:
        """Opens the house, sets its tables up where it has none, and begins to deal."""
        await self.house.open()
        if self.options.tables and not self.house.tables:
            for id in HOUSES:
                book = load(id)
                setup = Setup(
                    chip=100,
                    winning=book.betting.winners_stay,
                    limits_kept=book.limits.kept[0],
                    live=True,
                )
                await self.house.set_up(id, id, setup, ball=BallMode.DRAWN)
        for actor in self.house.tables.values():
            await self.deal(actor)

    async def deal(self, actor: TableActor) -> None:
        """Lets the automatic croupier deal a drawn table."""
        if actor.hall.ball is BallMode.DRAWN and actor.hall.table not in self.croupiers:
            croupier = AutomaticCroupier(actor, self.options.pace)
            self.croupiers[actor.hall.table] = croupier
            await croupier.open()
            croupier.start()

    def keys(self) -> dict[str, str]:
        """One-time keys for the consoles."""
        return {
            "croupier": self.sessions.issue_key("croupier", Role.STAFF),
            "chief": self.sessions.issue_key("chief", Role.STAFF),
            "management": self.sessions.issue_key("management", Role.MANAGEMENT),
        }

    async def close(self) -> None:
        """Stops dealing, serves what waits, closes the store."""
        await asyncio.gather(*(croupier.stop() for croupier in self.croupiers.values()))
        await self.house.close()


async def serve(options: Options, tell: Callable[[str], None]) -> None:
    """Serves local mode until it is told to stop."""
    local = LocalHouse(options)
    await local.open()
    app = create_app(local.house, local.sessions, on_set_up=local.deal)
    listening = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    listening.bind((LOOPBACK, options.port))
    port = listening.getsockname()[1]
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=65_536,
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    _stop_in_order(server)
    tell(f"the house is open: http://{LOOPBACK}:{port}/")
    if options.keys:
        for name, key in local.keys().items():
            tell(f"  {name}: http://{LOOPBACK}:{port}/console?key={key}")
    try:
        await server.serve(sockets=[listening])
    finally:
        with contextlib.suppress(OSError):
            listening.close()
        await local.close()
        tell("the house is closed; nothing was lost")


def _stop_in_order(server: uvicorn.Server) -> None:
    """Lets a signal end the serving, and not the process before the house is closed."""

    def stop() -> None:
        server.should_exit = True

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop)
