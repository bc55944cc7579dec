"""A server of the simulated house: the real one, given its clock, store and chance from outside."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from fastapi import APIRouter, FastAPI

from novamas.house.ball.seeds import BallSource
from novamas.house.house import SelfCheckError
from novamas.house.log.store import StoreError
from novamas.house.table.croupier import Pace
from novamas.web.passwords import Passwords
from novamas.web.server import GRACE, LocalHouse, Options, Parts
from tests.simulated_house.clock import Machine
from tests.simulated_house.loop import Process, Thread
from tests.simulated_house.network import Exchange
from tests.simulated_house.store import Connection

if TYPE_CHECKING:
    from tests.simulated_house.world import World

LEASE = 3.0
ABSENT = 3.0
"""Seconds after which the seat of a player without a screen is free."""
PACE = Pace(betting=4.0, warning=1.0, launched=1.0, running=1.0, falling=0, called=0.5, paying=0.5)
CHAIN = 32
"""How many spins a chain of secrets lasts: short, so that it is used up now and then."""
SAMPLES = 4


class QuickHasher(PasswordHasher):
    """Hashes that cost nothing and are the same in every run; nobody here guesses passwords."""

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:  # noqa: ARG002 - none
        """The hash of a password."""
        plain = password.encode() if isinstance(password, str) else password
        return f"quick {hashlib.sha256(plain).hexdigest()}"

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]  # noqa: A002 - its name
        """Whether it is the password."""
        if self.hash(password) != hash:
            raise VerifyMismatchError
        return True


_ROUTES: list[APIRouter] = []


def _with_known_routes(app: FastAPI) -> FastAPI:
    """The routes are the same for every server, and FastAPI takes long to look through them."""
    if not _ROUTES:
        _ROUTES.append(app.router)
    app.router = _ROUTES[0]
    return app


class Server:
    """A server through all its lives."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.address = f"https://{name}.test"
        self.process: Process = world.loop.world
        self.machine = Machine(world.loop)
        self.clock = self.machine.clock()
        self.connection = Connection(world.medium, name)
        self.local: LocalHouse | None = None
        self.app: Any = None
        self.lives = 0
        self.exchanges: dict[Exchange, None] = {}
        self.mistakes: list[Exception] = []
        """What the house did not foresee."""
        self._told_to_stop = asyncio.Event()

    @property
    def listens(self) -> bool:
        """Whether somebody who comes is let in."""
        return self.app is not None and self.process.is_alive

    @property
    def is_up(self) -> bool:
        """Whether it runs, or is about to."""
        return self.process is not self.world.loop.world and self.process.is_alive

    def start(self) -> None:
        """Begins a new life, if it has none."""
        if self.is_up:
            return
        world = self.world
        self.lives += 1
        self.process = world.loop.process(f"{self.name}.{self.lives}")
        self.clock = self.machine.clock()
        self.connection = Connection(world.medium, self.name)
        self.connection.interleaves = world.interleaves
        self._told_to_stop = asyncio.Event()
        world.loop.start(self.process, self._run(), name=self.process.name)

    async def _run(self) -> None:
        try:
            await self._live()
        except Exception as problem:  # noqa: BLE001 - what the house did not foresee
            self.mistakes.append(problem)

    async def _live(self) -> None:
        world = self.world
        source = BallSource(key=world.ball_key, length=CHAIN, samples=SAMPLES)
        options = Options(
            local=False,
            store="postgresql://simulated",
            address=self.address,
            lease=LEASE,
            pace=PACE,
            absent=ABSENT,
            keys=False,
        )
        parts = Parts(
            store=self.connection,
            clock=self.clock,
            source=source,
            writer=Thread(),
            passwords=Passwords(QuickHasher()),
        )
        local = self.local = LocalHouse(options, parts)
        faults = self.connection.faults
        try:
            await local.open()
        except (SelfCheckError, StoreError) as refused:
            world.note(f"{self.process.name} does not start: {refused}")
            if self.connection.faults == faults:
                world.checks.start_refused(self, str(refused))
            await self._end()
            return
        self.app = _with_known_routes(local.app())
        world.note(f"{self.process.name} is open")
        await self._told_to_stop.wait()
        await local.stop()
        connected = self.app.state.lobby.connected
        if connected:
            await asyncio.wait(tuple(connected), timeout=GRACE)
        await self._end()

    async def _end(self) -> None:
        """Closes in order, and is gone."""
        if self.local is not None:
            try:
                await self.local.close()
            except StoreError as problem:
                self.world.note(f"{self.process.name}: {problem}")
        self.world.note(f"{self.process.name} is closed")
        process = self.process
        # It is somebody else who notices that a process is gone.
        self.world.loop.call_soon(self._gone, process, context=self.world.loop.world.context)

    def _gone(self, process: Process) -> None:
        if self.process is process and process.is_alive:
            self.kill()

    def stop(self) -> None:
        """SIGTERM: ends in order, and hands its tables over."""
        self._told_to_stop.set()

    def kill(self) -> None:
        """Kill -9: ends in the middle of whatever it does."""
        if not self.is_up:
            return
        self.app = self.local = None
        self.world.loop.kill(self.process)
        self.world.dead.append(self.process)
        for wire in tuple(self.world.network.wires):
            if wire.server is self:
                wire.lose()
        for exchange in tuple(self.exchanges):
            exchange.lose()
