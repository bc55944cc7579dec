"""A house with everybody in it, in one process: two or three servers on one medium.

Everything that is chance, time or order comes from the seed. A run ends quietly: faults heal, every
player goes home, and everything is checked once more from the first event on.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest import mock

from novamas.game.limits import placard
from novamas.house import failures
from novamas.house.encryption import SealingKey
from novamas.house.log.store import StoreError
from novamas.house.people import decide, events
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.registry import Registry
from novamas.house.people.second_factor import MUST_HAVE
from novamas.house.people.state import Register
from novamas.house.table.commands import OpenBank
from novamas.rulebooks import load
from novamas.table import commands
from novamas.web.sessions import digest
from tests.simulated_house.actors import GONE, PASSWORD, Cashier, Croupiers, Person
from tests.simulated_house.chance import chance_of
from tests.simulated_house.clock import Machine
from tests.simulated_house.faults import Faults
from tests.simulated_house.invariants import BrokenError, Checks
from tests.simulated_house.loop import Process, SimulatedLoop, StuckError
from tests.simulated_house.network import Network
from tests.simulated_house.plan import FAULTS, Plan
from tests.simulated_house.players import Player
from tests.simulated_house.server import ABSENT, QuickHasher, Server
from tests.simulated_house.store import Medium

CHIP = 100
MONEY = 50_000
FLOAT = 1_000_000
QUIET = 150.0
"""Seconds within which a house that nothing troubles any more has everybody gone home."""
FORESEEN = ("the medium", "lease of")
"""What a house says of a table that its store did not give it."""
BUSY = 1.0
"""Seconds for which a machine is slow that has just started."""
COMPARED = 4.0
"""How often, in seconds, memory is compared with the logs."""


@dataclass
class Ran:
    """What came of a world."""

    seed: int
    violations: list[BrokenError]
    trace: str
    """The hash of everything that happened."""
    logs: str
    """The hash of every log's bytes."""
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0


class World:
    """Servers, people and the medium."""

    def __init__(self, plan: Plan, loop: SimulatedLoop, *, keeps_notes: bool = False) -> None:
        self.plan = plan
        self.loop = loop
        self._trace = hashlib.sha256()
        self._notes: list[str] | None = [] if keeps_notes else None
        self.counts: Counter[str] = Counter()
        """How often each fault was injected."""
        self.slow: dict[str, int] = {}
        self.interleaves = plan.interleaves
        self.medium = Medium(loop, chance_of(plan.seed, "medium"))
        self.checks = Checks(self.medium)
        self.network = Network(loop, chance_of(plan.seed, "network"), self.note)
        self.ball_key = SealingKey()
        self.dead: list[Process] = []
        self.servers = [Server(self, name) for name in plan.servers]
        self.network.servers = {f"{server.name}.test": server for server in self.servers}
        self.players = [Player(self, name) for name in plan.players]
        self.cashier = Cashier(self, "cashier", Post.CASHIER)
        self.chief = Person(self, "chief", Post.CHIEF)
        self.croupiers = {
            table: Croupiers(self, table, book)
            for table, (book, ball) in plan.tables.items()
            if ball == "wheel"
        }
        self._posts = {each.name: each.post for each in (*self.players, *self._staff())}
        self.checks.has_screen = self._has_screen
        self.network.on_send = self._sent
        self.network.on_arrive = self._arrived
        self._disk = chance_of(plan.seed, "disk")
        loop.takes, loop.suspends = self._takes, self._is_busy
        self._backup: dict[str, Any] = {}
        self._restoring = asyncio.Lock()
        self._tasks: list[asyncio.Task[Any]] = []

    @property
    def is_troubled(self) -> bool:
        """Whether something has happened to a server."""
        return any(self.counts[each] for each in FAULTS)

    def note(self, text: str) -> None:
        """Notes something that happened, for the trace."""
        line = f"{self.loop.time():.6f} {text}"
        self._trace.update(line.encode() + b"\n")
        if self._notes is not None:
            self._notes.append(line)

    def _is_busy(self, process: Process) -> bool:
        return process is not self.loop.world and self.loop.time() < process.began + BUSY

    def _sent(self, path: str, who: str, text: str) -> None:
        table = path.split("/")[3]
        self.checks.sent(table, who, self._posts[who], text)

    def _arrived(self, path: str, who: str, text: str) -> None:
        self.checks.arrived(path.split("/")[3], who, text)

    def _has_screen(self, server: str, table: str, who: str) -> bool:
        """Whether somebody has been connected for as long as makes an absence."""
        return any(
            wire.is_open_for(ABSENT) and wire.client.name == who
            for wire in self.network.wires
            if wire.server.name == server and wire.path.split("/")[3] == table
        )

    def _takes(self, process: Process) -> float:
        if self.slow.get(process.name.partition(".")[0]):
            return self._disk.uniform(0.0, 1.5)
        if self._is_busy(process):
            return self._disk.uniform(0.001, 0.1)
        return self._disk.uniform(0.0002, 0.004)

    # The house before it opens --------------------------------------------------------------

    async def _found(self) -> None:
        """Everybody is known, and the players have money."""

        async def at_once(work: Any) -> Any:
            return work()

        registry = Registry(self.medium, at_once, Machine(self.loop).clock())
        kept = QuickHasher().hash(PASSWORD)
        staff = [person for each in self.croupiers.values() for person, _ in each.people]
        for person in (*self.players, self.cashier, self.chief, *staff):
            await registry.do(partial(_introduced, person=person, password=kept))
            if person.post in MUST_HAVE:
                await registry.do(partial(_enrolled, person=person))
            person.token = secrets.token_urlsafe(32)
            await registry.do(partial(_signed_in, person=person, token=person.token))
        for player in self.players:
            await registry.do(partial(_paid_in, name=player.name))
        self.checks.read_anew()

    async def _open(self) -> None:
        for server in self.servers:
            server.start()
        for name, (book, ball) in self.plan.tables.items():
            limits = placard(load(book), CHIP).as_data()
            body = {"table": name, "rulebook": book, "ball": ball, "chip": CHIP, "limits": limits}
            answer = await self.chief.start(self.chief.ask("POST", "/api/tables", body, tries=30))
            if answer.status not in (201, 409):
                raise RuntimeError(f"{name} is not set up: {answer}")
            bank = OpenBank(by=self.cashier.name, amount=FLOAT)
            await self.cashier.start(self.cashier.give(name, bank))
        for table, croupiers in self.croupiers.items():
            chance = chance_of(self.plan.seed, f"wheel {table}")
            self._tasks.append(self.chief.start(croupiers.deal(chance)))
        self._backup = self.medium.backup()

    # The run --------------------------------------------------------------------------------

    async def live(self) -> None:
        """Everything, from the beginning to the end."""
        await self._found()
        await self._open()
        began = self.loop.time()
        faults = Faults(self)
        acting = []
        due = began + COMPARED
        backup = began + self.plan.seconds * 0.4
        for action in self.plan.actions:
            at = began + action.at
            while due < at:
                await asyncio.sleep(max(0.0, due - self.loop.time()))
                self.checks.compare(self.servers)
                due += COMPARED
            await asyncio.sleep(max(0.0, at - self.loop.time()))
            if at >= backup:
                self._backup, backup = self.medium.backup(), float("inf")
            self.note(str(action))
            self.counts[action.do] += 1
            if action.do in FAULTS:
                acting.append(self.loop.create_task(faults.inject(action)))
            else:
                player = next(each for each in self.players if each.name == action.who)
                acting.append(player.start(player.act(action)))
        for task in acting:
            await task
        await self._calm()

    async def _calm(self) -> None:
        """Nothing troubles the house any more: everybody goes home."""
        self.note("calm")
        self.network.partitions.clear()
        self.network.is_slow = False
        for server in self.servers:
            server.connection.is_cut = False
            server.connection.torn.clear()
            server.machine.skew = 0
        try:
            async with asyncio.timeout(QUIET):
                while not all(server.listens for server in self.servers):
                    for server in self.servers:
                        server.start()
                    await asyncio.sleep(1.0)
                with contextlib.suppress(*GONE):
                    for table in self.plan.tables:
                        command = commands.Resume(by="chief", reason="the end")
                        await self.chief.start(self.chief.give(table, command))
                await asyncio.gather(*(player.start(player.go()) for player in self.players))
                await asyncio.sleep(1.0)
        except TimeoutError:
            self.checks.wrong("stuck", "the house does not let everybody go home")
        self.checks.compare(self.servers)
        for player in self.players:
            player.check_proofs()
        self.checks.close()

    async def restore(self) -> None:
        """Every server dies, and the backup takes the place of the medium."""
        async with self._restoring:
            for server in self.servers:
                server.kill()
            for player in self.players:
                await player.start(player.forget())
                player.check_proofs()
            for person in self._staff():
                for table in tuple(person.clients):
                    await person.start(person.drop(table))
            self.medium.restore(self._backup)
            self._backup = self.medium.backup()
            self.checks.read_anew()
            for server in self.servers:
                server.start()

    def _staff(self) -> Iterator[Person]:
        yield from (self.cashier, self.chief)
        for each in self.croupiers.values():
            yield from (person for person, _ in each.people)

    # The end --------------------------------------------------------------------------------

    def ran(self) -> Ran:
        """What came of it."""
        logs = hashlib.sha256()
        for log in self.medium.tables():
            for record in self.medium.read(log):
                logs.update(repr(record).encode())
        return Ran(
            self.plan.seed,
            self.checks.found,
            self._trace.hexdigest(),
            logs.hexdigest(),
            self.checks.counts + self.counts,
            self._notes or [],
            self.loop.time(),
        )


def _introduced(
    register: Register, _: int, *, person: Person, password: str
) -> Iterator[RegisterEvent]:
    posts = [person.post]
    # Whoever chose their own password need not choose another.
    return decide.register_person(register, person.name, posts, by=person.name, password=password)


def _enrolled(register: Register, _: int, *, person: Person) -> Iterator[RegisterEvent]:
    """Nobody signs in anew in a simulation: what the app would show is of no account."""
    yield from decide.choose_sign_in_name(register, person.name, f"{person.name}, in")
    yield events.TotpEnrolled(
        name=person.name, factor=f"app of {person.name}", label="app", sealed="", counter=0
    )


def _signed_in(
    register: Register, now: int, *, person: Person, token: str
) -> Iterator[RegisterEvent]:
    id = digest(token)
    return decide.open_session(register, person.name, person.post, id, now=now, for_good=True)


def _paid_in(register: Register, now: int, *, name: str) -> Iterator[RegisterEvent]:
    return decide.take_cash(register, name, MONEY, id=f"in {name}", by="cashier", now=now)


def run(plan: Plan, *, keeps_notes: bool = False) -> Ran:
    """Runs a world from its beginning to its end, or to the first thing that must never happen."""
    loop = SimulatedLoop(chance_of(plan.seed, "order"))
    # Whoever dies leaves answers that nobody takes.
    loop.set_exception_handler(lambda *_: None)
    entropy = chance_of(plan.seed, "entropy")
    with (
        mock.patch.object(secrets, "token_bytes", lambda n=32: entropy.randbytes(n or 32)),
        # References of failures are of one process, and a seed is replayed in another.
        mock.patch.object(failures, "_SALT", bytes(16)),
        mock.patch.object(failures, "_logged", OrderedDict()),
        _journal() as journal,
        contextlib.closing(loop),
    ):
        asyncio.set_event_loop(loop)
        world = loop.world.context.run(World, plan, loop, keeps_notes=keeps_notes)
        with mock.patch("novamas.web.client.connect", world.network.connect):
            living = loop.start(loop.world, world.live())

            def look() -> None:
                for mistake in journal.mistakes:
                    world.checks.wrong("mistake", mistake)
                for server in world.servers:
                    for problem in server.mistakes:
                        world.checks.wrong("mistake", f"{server.name}: {problem!r}")
                if world.checks.found:
                    loop.stop()

            loop.on_step = look
            living.add_done_callback(lambda _: loop.stop())
            try:
                loop.run_forever()
                if living.done():
                    living.result()
            except StuckError as stuck:
                world.checks.wrong("stuck", str(stuck))
            ran = world.ran()
            loop.on_step = lambda: None
            _lay_to_rest(loop, world)
        asyncio.set_event_loop(None)
    return ran


def _lay_to_rest(loop: SimulatedLoop, world: World) -> None:
    """Ends whatever still runs, so that nothing of this world is left to the next."""
    loop.end(world.dead)
    for _ in range(20):
        left = [task for task in asyncio.all_tasks(loop) if not task.done()]
        if not left:
            return
        for task in left:
            task.cancel()
        loop.call_later(0.001, loop.stop)
        loop.run_forever()
    raise RuntimeError(f"what does not end: {left}")


class _Journal(logging.Handler):
    """Hears what the house tells of its own mistakes."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.mistakes: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps what is neither the store's fault nor another server's doing."""
        problem = record.exc_info[1] if record.exc_info else None
        why = str(getattr(record, "why", ""))
        if not isinstance(problem, StoreError) and not any(word in why for word in FORESEEN):
            self.mistakes.append(f"{record.getMessage()}: {why or repr(problem)}")


@contextlib.contextmanager
def _journal() -> Iterator[_Journal]:
    """The house tells its mistakes to the simulation, and to nobody else."""
    log, journal = logging.getLogger("novamas"), _Journal()
    before = log.propagate, log.level
    log.addHandler(journal)
    log.propagate = False
    log.setLevel(logging.ERROR)
    try:
        yield journal
    finally:
        log.removeHandler(journal)
        log.propagate, log.level = before
