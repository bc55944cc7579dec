"""The house: its store, its tables and their actors, from the self-check to the shutdown.

A table is set up once, by its first event, and is loaded from the store at every start. The house
refuses to start, with the reason, if it could not keep its promises.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any

from novamas.game.errors import NovamasError
from novamas.game.rulebook.reader import read_rulebook
from novamas.house import conservation, failures, ledger
from novamas.house.ball.decide_draw import opens
from novamas.house.ball.fair_draw import SECRET_BYTES, Chain, Entropy, Secret
from novamas.house.ball.health import Monitor
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import Clock, SystemClock
from novamas.house.encryption import SealError
from novamas.house.leases import Leases, NoTableError, called, is_table
from novamas.house.log import upgrade
from novamas.house.log.checkpoints import CheckpointError, Checkpoints
from novamas.house.log.codec import UnknownEventError, encode
from novamas.house.log.hash_chain import link
from novamas.house.log.reader import PatientLog
from novamas.house.log.store import Batch, Head, Lease, Store, StoreError, single_secret
from novamas.house.metrics import Metrics
from novamas.house.people.registry import LOG, Registry
from novamas.house.table.actor import Services, TableActor
from novamas.house.table.batch import Loaded
from novamas.house.table.events import CASH_ALONE, BallMode, TableSetUp
from novamas.house.table.loading import load_table
from novamas.house.table.state import HouseTable, is_single
from novamas.table.state import Phase, Setup

log = logging.getLogger(__name__)

EARLIEST = 1_577_836_800_000
"""A clock that is before 2020 is considered wrong."""
KEY = "--ball-key FILE: the key that this house ran with when the coup was closed"
NO_KEY = "--ball-key FILE: where the key of the ball is kept, or can be made"
DAY = 24 * 60 * 60 * 1000
RESTED = "compare the clock; if it is right, and the house was closed: --clock-is-right"
ANEW = "if an older backup was restored: begin a new file of checkpoints, and keep the old one"


AUDIT_EVERY = 30.0
"""Seconds between two comparisons of all ledgers while the house is open."""
OTHER_VERSION = (
    "another version of the house wrote this store: open it with that, or begin a new one"
)
STOP_OLD = "stop every server of the older version, and try again a moment later"
WHERE = "novamas verify ledger STORE: it names the events"


class SelfCheckError(NovamasError):
    """Why the house does not open, and what to do about it if that is known."""

    def __init__(self, why: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(why)


class TableExistsError(NovamasError):
    """There is a table of that name already."""


class House:
    """A house with its tables."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock | None = None,
        source: BallSource | None = None,
        checkpoints: Checkpoints | None = None,
        leases: Leases | None = None,
        writer: Executor | None = None,
        longest_rest: int | None = None,
        highest_bet: int | None = None,
    ) -> None:
        self.store = store
        self.clock = clock or SystemClock()
        self.source = source or BallSource()
        self.checkpoints = checkpoints
        """The file of signed checkpoints; keep it apart from the store."""
        self.leases = leases
        """The leases of this server, if several share the store; None if it has all tables."""
        self.registry: Registry | None = None
        """People and wallets, if the house has them: set before the house is opened."""
        self._longest_rest = longest_rest
        """Milliseconds for which it may have been closed before its clock is doubted."""
        self.highest_bet = highest_bet
        """The highest bet that the law allows, for tables whose book has such a law."""
        self.behind_log = 0
        """Milliseconds by which the clock was behind the newest event when the house opened."""
        self.tables: dict[str, TableActor] = {}
        self.metrics = Metrics()
        """Counters for monitoring."""
        self._inspection: asyncio.Task[None] | None = None
        self._auditing: asyncio.Task[None] | None = None
        # One thread does all the writing, so a store is never used by two at once.
        self._writer = writer or ThreadPoolExecutor(1, thread_name_prefix="store")

    async def blocking(self, work: Callable[[], Any]) -> Any:
        """Runs a blocking call in the store's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    async def reading(self, work: Callable[[PatientLog], Any]) -> Any:
        """Runs a job that reads whole logs in a thread, without blocking writers."""
        return await asyncio.to_thread(work, PatientLog(self.store, self._writer))

    async def open(self) -> None:
        """Runs the self-check, then loads its tables and starts to serve them."""
        await self.blocking(self._self_check)
        await self._open_register()
        if self.leases is not None:
            await self.leases.open(self)
        else:
            for name in filter(is_table, await self.blocking(self.store.tables)):
                await self.take_up(name)
        try:
            await self.blocking(self.source.key.prepare)
        except SealError as problem:
            raise SelfCheckError(str(problem), hint=NO_KEY) from None
        self._inspection = asyncio.create_task(self._inspect(), name="inspection")
        if self.registry is not None:
            self._auditing = asyncio.create_task(self._audit_now_and_then(), name="audit")

    async def _open_register(self) -> None:
        """Loads people and wallets, and checks that the logs agree about all money."""
        if self.registry is None:
            return
        try:
            await self.registry.open()
            await self._carry_over(self.registry)
            found = await self.blocking(partial(conservation.balances_of, self.store))
        except UnknownEventError as problem:
            raise SelfCheckError(str(problem), hint=OTHER_VERSION) from None
        except (StoreError, ledger.LedgerError, ValueError) as problem:
            raise SelfCheckError(f"the register cannot be read: {problem}") from None
        problems = [*conservation.differences(found)]
        if problems:
            described = conservation.describe(problems)
            raise SelfCheckError(f"money was made or lost: {described}", hint=WHERE)

    async def _carry_over(self, registry: Registry) -> None:
        """Migrates the accounts of tables that version 0.1.0 set up into one ledger, once."""
        old = await self.blocking(partial(upgrade.tables_of_0_1_0, self.store))
        served: dict[str, Lease] = {}
        if old and self.leases is not None:
            served = await self.blocking(self.leases.store.leases)
            await registry.read()
        left = [each for each in old if each not in registry.register.carried]
        running = [each for each in left if each in served]
        if running:
            # Another server of this version would have migrated them before taking them over.
            raise SelfCheckError(f"version 0.1.0 still serves {', '.join(running)}", hint=STOP_OLD)
        if not left:
            return
        books = await self.blocking(partial(upgrade.examine, self.store, left))
        problems = [problem for each in books for problem in conservation.wrong_in(each)]
        if problems:
            described = conservation.describe(problems)
            raise SelfCheckError(f"money was made or lost: {described}", hint=WHERE)
        await registry.do(lambda register, _: upgrade.to_write(books, register))

    async def _audit_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(AUDIT_EVERY)
            try:
                await self.audit()
            except StoreError as problem:
                # The tables notice by themselves; the store may be reachable at the next audit.
                log.warning("the ledgers could not be compared", extra={"why": str(problem)})

    async def audit(self) -> list[conservation.Difference]:
        """Compares all ledgers of the house; tables that do not agree are stopped."""
        found = await self.blocking(partial(conservation.balances_of, self.store))
        problems = [*conservation.differences(found)]
        if self.registry is not None:
            try:
                await self.registry.recheck()
            except ledger.LedgerError as problem:
                problems.append(conservation.Difference(LOG, str(problem)))
        for each in problems:
            self._stop_affected(each)
        return problems

    def _stop_affected(self, problem: conservation.Difference) -> None:
        """Stops a table whose money does not agree; if it is the register's, everything stops."""
        why = f"money was made or lost: {conservation.describe([problem])}"
        log.error("the ledgers do not agree", extra={"why": why})
        # Only the server's log, for operators, says whose money it is and how much.
        described = failures.reported("money was made or lost", why)
        affected = [problem.log]
        if problem.log == LOG:
            affected = list(self.tables)
            if self.registry is not None:
                self.registry.stop(why)
        for name in affected:
            if name in self.tables:
                self.tables[name].fail(described)

    async def take_up(self, name: str) -> TableActor:
        """Loads a table from the store and starts to serve it.

        The store may be a restored backup, or may have lost the end of its log: so the table is
        available only after the house has committed to a new chain of secrets. Only a coup whose
        betting is closed is settled with the chain that it was committed to.
        """
        try:
            loaded = await self.blocking(partial(load_table, self.store, name))
            chain = await self.blocking(partial(self._running, loaded.house_table))
            single = await self.blocking(partial(self._running_single, loaded.house_table))
        except (StoreError, ledger.LedgerError, ValueError, LookupError) as problem:
            raise SelfCheckError(f"table {name} cannot be loaded: {problem}") from problem
        except SealError as problem:
            raise SelfCheckError(f"table {name}: a coup is closed: {problem}", hint=KEY) from None
        actor = self._actor(loaded._replace(chain=chain, is_taken_up=True, secret=single))
        actor.start()
        await actor.begun.wait()
        self.tables[name] = actor
        return actor

    def _running(self, house_table: HouseTable) -> Chain | None:
        """The secrets of a running ball, which falls as it was committed to."""
        if house_table.state.phase is not Phase.CLOSED or house_table.chain is None:
            return None
        sealed = self.store.secret(house_table.table, house_table.chain.number)
        return self.source.unseal(house_table.table, house_table.chain, sealed)

    def _running_single(self, house_table: HouseTable) -> Secret | None:
        """The secret of a ball that version 0.1.0, which did not encrypt it, left running."""
        standing = house_table.commitment
        if (
            house_table.state.phase is not Phase.CLOSED
            or standing is None
            or not is_single(standing)
        ):
            return None
        found = self.store.secret(house_table.table, single_secret(standing.spin))
        if found is None or not opens(house_table, standing, found):
            raise StoreError("the secret of the ball that runs is not in the store")
        return Secret(found)

    async def where(self, table: str) -> Lease | None:
        """Which other server serves a table; None if none does yet."""
        if self.leases is None:
            raise NoTableError(table)
        return await self.leases.where(table)

    async def _inspect(self) -> None:
        """Does the long checks of the store, while play goes on."""
        try:
            wrong = await asyncio.to_thread(self.store.inspect)
        except StoreError as problem:
            wrong = [str(problem)]
        for actor in self.tables.values() if wrong else ():
            actor.fail(failures.reported(failures.STORE_FAILED, "; ".join(wrong)))

    def _self_check(self) -> None:
        """Refuses to open if the house could not keep its promises (R18)."""
        try:
            unlike = list(self._unwitnessed())
            wrong = [*self.store.check(), *unlike]
        except StoreError as problem:
            raise SelfCheckError(str(problem)) from None
        if self.clock.now() < EARLIEST:
            wrong.append("the clock is wrong: it shows a time before 2020")
        wrong += [f"the source of the ball is broken: {why}" for why in _flaws(self.source.entropy)]
        newest = 0
        for name in self.store.tables():
            head = self.store.head(name)
            last = next(self.store.read(name, after=head.seq - 1), None)
            newest = max(newest, last.at if last is not None else 0)
        hint = ANEW if unlike else ""
        rested = self.clock.now() - newest if newest else 0
        if self._longest_rest is not None and rested > self._longest_rest:
            wrong.append(f"the clock shows {rested // DAY} days after the newest event of the log")
            hint = hint or RESTED
        if wrong:
            raise SelfCheckError("; ".join(wrong), hint=hint)
        if newest > self.clock.now():
            # No event may be earlier than the previous one.
            self.behind_log = newest - self.clock.now()
            self.clock.not_before(newest)

    def _unwitnessed(self) -> Iterator[str]:
        """Finds logs that do not agree with their newest checkpoints."""
        try:
            newest = self.checkpoints.newest() if self.checkpoints is not None else {}
        except CheckpointError as problem:
            yield str(problem)
            return
        for name, seen in newest.items():
            found = next(self.store.read(name, after=seen.seq - 1, until=seen.seq), None)
            if found is None or found.hash.hex() != seen.hash:
                log = called(name)
                yield f"the log of {log} is not the one whose event {seen.seq} was witnessed"

    def _serve(self, loaded: Loaded) -> TableActor:
        actor = self._actor(loaded)
        self.tables[loaded.house_table.table] = actor
        actor.start()
        return actor

    def _actor(self, loaded: Loaded) -> TableActor:
        wheel = loaded.house_table.state.book.wheel.pockets
        monitor = Monitor(len(wheel))
        # The monitor watches the house's own source; at a wheel, people watch.
        drawn = loaded.house_table.drawn if loaded.house_table.ball is BallMode.DRAWN else ()
        for _, number in drawn:
            monitor.see(wheel.index(number))
        services = Services(
            self.store,
            self.blocking,
            self.clock,
            self.source,
            self.checkpoints,
            self.metrics,
            lambda: self.registry,
            lambda: [actor.house_table for actor in self.tables.values()],
            None if self.leases is None else self._tables_elsewhere,
        )
        return TableActor(loaded, services, monitor=monitor)

    async def _tables_elsewhere(self) -> list[HouseTable]:
        """The tables that other servers serve, as the store has them now."""
        here = set(self.tables)

        def read() -> list[HouseTable]:
            others = [each for each in self.store.tables() if is_table(each) and each not in here]
            return [load_table(self.store, each).house_table for each in others]

        found: list[HouseTable] = await self.blocking(read)
        return found

    async def set_up(
        self,
        table: str,
        rulebook: str,
        setup: Setup,
        *,
        ball: BallMode,
        book: str | None = None,
        cash_alone: int = CASH_ALONE,
    ) -> TableActor:
        """Sets a table up, as the first event of a new log."""
        if table in self.tables:
            raise TableExistsError(f"there is a table {table!r} already")
        if book is not None:
            read_rulebook(book, file=rulebook)  # Only a log may have a book of an older version.
        event = TableSetUp(
            table=table,
            rulebook=rulebook,
            book=book,
            ball=ball,
            limits=setup.limits.as_data(),
            winning=setup.winning.value,
            limits_kept=setup.limits_kept.value,
            chip=setup.chip,
            colours=setup.colours,
            rotation=setup.rotation,
            live=setup.live,
            zone=setup.zone.as_data(),
            cash_alone=cash_alone,
            double=setup.double,
            highest_bet=self.highest_bet,
        )
        house_table = HouseTable.fresh(event)
        record = link(table, 1, self.clock.now(), encode(event), None, bytes(32))
        batch = Batch(table, 0, (record,), (), ())
        loaded = Loaded(house_table, Head(1, record.hash), {})
        if self.leases is None:
            await self.blocking(lambda: self.store.append(batch))
            return self._serve(loaded)
        async with self.leases.claim(table) as is_new:
            if not is_new:
                raise TableExistsError(f"there is a table {table!r} already")
            await self.blocking(lambda: self.store.append(batch))
            return self._serve(loaded)

    async def stop(self) -> None:
        """Carries out the commands that wait at every table, then stops the tables."""
        for task in (self._inspection, self._auditing):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self.leases is not None:
            await self.leases.pause()
        await asyncio.gather(*(actor.stop() for actor in self.tables.values()))
        if self.leases is not None:
            await self.leases.end()

    async def close(self) -> None:
        """Stops the tables, then closes the store."""
        await self.stop()
        await self.blocking(self.store.close)
        self._writer.shutdown()


def _flaws(entropy: Entropy) -> Iterator[str]:
    """Finds problems of a random source, as far as two secrets can show them."""
    try:
        one, other = entropy.secret(), entropy.secret()
    except OSError as problem:
        yield str(problem)
        return
    if one == other:
        yield "it gave the same secret twice"
    if min(len(one), len(other)) < SECRET_BYTES:
        yield f"it gave less than {SECRET_BYTES} bytes"
