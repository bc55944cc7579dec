"""The table's actor: one task owns a table and carries out all its commands.

Commands wait in a bounded queue. The actor takes as many as there are, decides each on the state
that the previous ones left, commits them all in one transaction, and only then answers and
publishes. This way one fsync serves many acknowledgements, and nothing is ever shown that a crash
could undo.

Money between a wallet and the table moves in the same commit, by the server that holds the table's
lease. If another server changed the wallet first, the whole commit is rolled back: the table is
loaded again from the store, and the commands are decided again.

If the store fails, no command is answered and the table stops with the reason: a command without an
acknowledgement did not happen.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple

from novamas.game.errors import NovamasError
from novamas.game.languages import ENGLISH
from novamas.house import failures, ledger
from novamas.house.ball import decide_draw
from novamas.house.ball.fair_draw import Chain, Secret
from novamas.house.ball.health import Monitor
from novamas.house.ball.seeds import BallSource, BrokenSourceError
from novamas.house.clock import Clock
from novamas.house.log.checkpoints import Blocking, Checkpoints, Witness
from novamas.house.log.store import MOVED, LeaseLostError, Outcome, Store, StoreError
from novamas.house.metrics import Metrics
from novamas.house.people.decide import RegisterError
from novamas.house.people.registry import OvertakenError, Registry
from novamas.house.people.transfers import Move
from novamas.house.table import floats
from novamas.house.table import snapshot as table_snapshot
from novamas.house.table.answers import (
    NO_BALL,
    STILL_OPENING,
    Answer,
    Known,
    digest_of,
    given,
    reason,
)
from novamas.house.table.batch import Loaded, PendingBatch
from novamas.house.table.commands import DrawBall
from novamas.house.table.decide import decide
from novamas.house.table.events import ChainReason, TableStopped
from novamas.house.table.loading import load_table
from novamas.house.table.post_bounds import too_many_tables
from novamas.house.table.state import HouseTable
from novamas.house.table.subscriptions import Bundle, Subscription, Subscriptions
from novamas.house.views import event_view, payment_view, table_view
from novamas.house.views.live_view import LiveViews
from novamas.house.views.payment_view import PaymentsView
from novamas.house.views.table_view import ShortStake, TableSummary, TableView
from novamas.table.commands import CloseBetting, Command, TakePost
from novamas.table.events import ChipsBought, Event
from novamas.table.identity import Automatic
from novamas.table.refusals import Refusal
from novamas.table.state import Phase

log = logging.getLogger(__name__)

REMEMBERED = 10_000
"""How many answers stay in memory for commands that are sent again."""
CLOSING = "the house is closing"
UNKEPT = 1_000
"""How many refusals wait to be stored together with the next event."""


class TableStoppedError(NovamasError):
    """The table is out of play: its store or its ball cannot be trusted."""


class BusyError(NovamasError):
    """The queue of commands is full; try again."""


OnAnswer = Callable[[Answer | TableStoppedError], None]
"""Called with the answer to a command once it is durable, or with the reason why it cannot be."""


class Services(NamedTuple):
    """The services of the house that an actor needs."""

    store: Store
    blocking: Blocking
    clock: Clock
    source: BallSource
    checkpoints: Checkpoints | None = None
    metrics: Metrics | None = None
    registry: Callable[[], Registry | None] = lambda: None
    """The register with the wallets, if the house has one."""
    tables: Callable[[], Iterable[HouseTable]] = tuple
    """The tables of the house that this server serves."""
    tables_elsewhere: Callable[[], Awaitable[Sequence[HouseTable]]] | None = None
    """Reads the tables of other servers of the house from the store; None if there are none."""


class _Waiting:
    """A command that waits for its answer."""

    __slots__ = ("_answered", "command", "digest", "id", "who")

    def __init__(self, id: str, command: Command, who: str, answered: OnAnswer) -> None:
        self.id = id
        self.command = command
        self.who = who
        self.digest = digest_of(command)
        self._answered: OnAnswer | None = answered

    def answer(self, answer: Answer | TableStoppedError) -> None:
        """Answers the command, unless it was answered before."""
        answered, self._answered = self._answered, None
        if answered is not None:
            answered(answer)


class TableActor:
    """A table in play."""

    def __init__(
        self,
        loaded: Loaded,
        services: Services,
        *,
        monitor: Monitor | None = None,
        batch: int = 512,
        queue: int = 8192,
        snapshot_every: int = 1000,
    ) -> None:
        self.house_table, self.head, self.balances, self._chain, self._must_recommit, *alone = (
            loaded
        )
        self._single: Secret | None = alone[0]
        self._store, self._blocking, self.clock, self._source, checkpoints, *_ = services
        self._registry = services.registry
        self._tables, self._tables_elsewhere = services.tables, services.tables_elsewhere
        self._elsewhere: Sequence[HouseTable] = ()
        """The tables of other servers, as they were when somebody last wanted to take a post."""
        self._witness = Witness(self.house_table.table, checkpoints, self._blocking, self.clock)
        self._metrics = services.metrics or Metrics()
        self.failed: str | None = None
        """Why the table stopped, if the house itself could not go on."""
        self.store_failed = False
        """Whether the store failed: then readers get the table as its log has it."""
        self.monitor = monitor or Monitor(len(self.house_table.state.book.wheel.pockets))
        self._batch = batch
        self._snapshot_every = snapshot_every
        self._since_snapshot = 0
        self._queue: deque[_Waiting] = deque()
        self._room = queue
        """How many commands may wait."""
        self._is_wanted = asyncio.Event()
        """Set while commands wait, or the table is to stop."""
        self._stops = False
        self._answers: OrderedDict[str, Known] = OrderedDict()
        self._unkept: list[Outcome] = []
        self._subscriptions = Subscriptions()
        self._live = LiveViews(self.house_table)
        self._task: asyncio.Task[None] | None = None
        self._settled = asyncio.Lock()
        """Held while the state in memory is ahead of the store."""
        self.changed = asyncio.Event()
        """Set at every commit, for tasks that wait for the table to change."""
        self.spin_now: int | None = None  # The coup whose ball its only player asked for.
        self._phase = self.house_table.state.phase
        """The phase that is durable."""
        self._expected: tuple[Phase, int] | None = None
        """The current step of an automatic croupier, and when it ends."""
        self._openings_end = self.clock.now() + round(1000 * decide_draw.REOPENING)
        """Until when the draw waits for nonces that are not opened."""
        self.begun = asyncio.Event()
        """Set once the table is served, with a commitment to a ball that only this server knows."""

    # For those outside ----------------------------------------------------------------------

    def start(self) -> None:
        """Starts to serve the table."""
        self._task = asyncio.create_task(self._run(), name=f"table {self.house_table.table}")

    async def stop(self) -> None:
        """Carries out the commands that wait, then ends."""
        if self._task is not None and not self._task.done():
            self._stops = True
            self._is_wanted.set()
            await self._task

    async def submit(self, id: str, command: Command, *, who: str | None = None) -> Answer:
        """Gives the table a command; returns the answer once it is durable.

        `who` is the person whose command it is, if a member of staff carries it out for them.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def answered(answer: Answer | TableStoppedError) -> None:
            if future.done():
                return
            if isinstance(answer, TableStoppedError):
                future.set_exception(answer)
            else:
                future.set_result(answer)

        self.give(id, command, answered, who=who)
        return await future

    def give(
        self, id: str, command: Command, answered: OnAnswer, *, who: str | None = None
    ) -> None:
        """Gives the table a command without waiting for its answer."""
        if self.failed is not None or self._stops:
            raise TableStoppedError(self.failed or CLOSING)
        if len(self._queue) >= self._room:
            raise BusyError("too many commands wait at this table; try again")
        self._queue.append(_Waiting(id, command, who or str(command.by), answered))
        self._is_wanted.set()

    async def look(self, *, audience: event_view.Audience, player: str | None) -> TableView:
        """The durable state of the table: nobody sees what a crash could undo."""
        async with self._settled:
            return self._shown(audience=audience, player=player)

    async def payments(self) -> PaymentsView:
        """The payments of the running coup, from the durable state."""
        async with self._settled:
            if self.failed is not None:
                raise TableStoppedError(self.failed)
            return payment_view.of_payments(self.house_table.state)

    async def short(self, player: str) -> list[ShortStake]:
        """What of a player's would go back at the close, from the durable state."""
        async with self._settled:
            if self.failed is not None:
                raise TableStoppedError(self.failed)
            return table_view.of_short(self.house_table.state, player)

    async def summary(self, player: str | None = None) -> TableSummary:
        """The summary of the table for the lobby of a player, from the durable state."""
        async with self._settled:
            return table_view.summary(self.house_table, failed=self.failed, player=player)

    async def follow(
        self,
        *,
        audience: event_view.Audience,
        player: str | None = None,
        language: str = ENGLISH,
        capacity: int = 4096,
    ) -> tuple[TableView, Subscription]:
        """The durable state of the table, and a subscription to everything after it."""
        async with self._settled:
            shown = self._shown(audience=audience, player=player)
            subscription = Subscription(
                audience=audience, player=player, language=language, capacity=capacity
            )
            self._subscriptions.add(subscription)
            self.changed.set()  # An automatic croupier may wait for somebody to come.
            return shown, subscription

    def expect(self, ends: int | None) -> None:
        """Sets when the current step of the table ends; None if no automatic croupier deals.

        It is not an event: it changes nothing, and later subscribers get the value of that moment.
        """
        self._expected = None if ends is None else (self.house_table.state.phase, ends)
        self._publish_clock()

    def clock_face(self) -> bytes:
        """The current step of the table, when it ends if that is known, and the time now."""
        step, ends = self._expected or (self._phase, None)
        ends = ends if step is self._phase else None
        return event_view.of_clock(step=self._phase, ends=ends, now=self.clock.now())

    def _publish_clock(self) -> None:
        self._subscriptions.tell(Bundle([self.clock_face()]))

    def _shown(self, *, audience: event_view.Audience, player: str | None) -> TableView:
        if self.failed is not None:
            # The state in memory may be ahead of the store.
            raise TableStoppedError(self.failed)
        return table_view.of_table(
            self.house_table, self.head.seq, player=player, audience=audience
        )

    def unsubscribe(self, subscription: Subscription) -> None:
        """Removes a subscription."""
        self._subscriptions.remove(subscription)

    def has_screen(self, player: str) -> bool:
        """Whether somebody is connected to the table under this name."""
        return self._subscriptions.has(player)

    def fail(self, reason: str) -> None:
        """Stops the table: no more commands are answered, and no events published."""
        if self.failed is None:
            self.failed = reason
            if reason != CLOSING:
                self._metrics.failures[self.house_table.table] += 1
                told = {"table": self.house_table.table, "why": reason}
                log.warning("a table is out of play", extra=told)
        self.changed.set()
        while self._queue:
            self._queue.popleft().answer(TableStoppedError(self.failed))
        self._subscriptions.end()

    # The work -------------------------------------------------------------------------------

    async def _run(self) -> None:
        reason = CLOSING
        try:
            async with self._settled:
                await self._commit(self._pending(), [])
            self.begun.set()
            while await self._serve_next():
                pass
            async with self._settled:
                await self._keep_refusals()
                await self._witness.see(self.head)
        except Exception as problem:  # noqa: BLE001 - after any error at all the table must stop
            reason = _describe_error(problem)
            self.store_failed = isinstance(problem, StoreError)
        finally:
            self.fail(reason)
            self.begun.set()

    async def _serve_next(self) -> bool:
        """Waits for commands and carries out all that wait; False once the table should end."""
        await self._is_wanted.wait()
        queue = self._queue
        waiting = [queue.popleft() for _ in range(min(len(queue), self._batch))]
        if not waiting:
            return False
        if not (queue or self._stops):
            self._is_wanted.clear()
        async with self._settled:
            try:
                await self._serve(waiting)
            except BaseException as problem:
                for each in waiting:
                    each.answer(TableStoppedError(_describe_error(problem)))
                raise
        return self.failed is None

    def _pending(self) -> PendingBatch:
        return PendingBatch(
            Loaded(self.house_table, self.head, self.balances), self.clock, self.monitor
        )

    async def _serve(self, waiting: list[_Waiting]) -> None:
        await self._recall(waiting)
        await self._look_elsewhere(waiting)
        left = list(waiting)
        while left:
            before = self._chain, self._must_recommit, self._openings_end
            pending = self._pending()
            answers: list[tuple[_Waiting, Answer]] = []
            for each in left:
                draws = isinstance(each.command, DrawBall)
                if draws and answers:
                    break  # The number is drawn only after the close is durable.
                answers.append((each, self._decide(pending, each)))
                if draws:
                    break
            try:
                await self._commit(pending, answers)
            except OvertakenError:
                await self._reload()
                self._chain, self._must_recommit, self._openings_end = before
                continue
            del left[: len(answers)]

    async def _reload(self) -> None:
        """Loads the table from the store again, after a commit that did not happen."""
        table, store = self.house_table.table, self._store
        loaded = await self._blocking(lambda: load_table(store, table))
        self.house_table.restore(loaded.house_table)
        self.head = loaded.head
        self.balances.clear()
        self.balances.update(loaded.balances)

    async def _recall(self, waiting: Sequence[_Waiting]) -> None:
        """Looks up the outcomes of commands whose answers are not in memory."""
        table, store = self.house_table.table, self._store
        asked = [each.id for each in waiting if each.id not in self._answers]
        if not asked:
            return
        for found in await self._blocking(lambda: store.known(table, asked)):
            self._answers[found.command] = given(found)

    async def _look_elsewhere(self, waiting: Sequence[_Waiting]) -> None:
        """Reads the tables of other servers, if a person wants to take a post."""
        if self._tables_elsewhere is not None and any(
            isinstance(each.command, TakePost) and Automatic.read(str(each.command.by)) is None
            for each in waiting
        ):
            self._elsewhere = await self._tables_elsewhere()

    def _too_many_tables(self, command: Command) -> Refusal | None:
        """Why somebody may not take a post because of those they hold at other tables."""
        if not isinstance(command, TakePost):
            return None
        here = [each for each in self._tables() if each is not self.house_table]
        return too_many_tables(self.house_table, command, (*here, *self._elsewhere))

    def _decide(self, pending: PendingBatch, waiting: _Waiting) -> Answer:
        known = self._answers.get(waiting.id) or pending.answers.get(waiting.id)
        if known is not None:
            return known.again(waiting.who, waiting.digest, last=pending.head.seq)
        if isinstance(waiting.command, DrawBall):
            decision = decide_draw.may_draw(self.house_table, waiting.command) or self._draw()
        else:
            decision = self._too_many_tables(waiting.command) or decide(
                self.house_table, waiting.command, balances=self.balances
            )
        registry = self._registry()
        if registry is not None and not isinstance(decision, Refusal):
            decision = self._unpaid(registry, pending, decision, waiting) or decision
        if isinstance(decision, Refusal):
            answer = Answer(waiting.id, decision, 0, pending.head.seq)
        else:
            first = pending.head.seq + 1
            for event in decision:
                move = pending.record(event, waiting.id, asked_by=waiting.who)
                if move is not None and registry is not None:
                    pending.counterparts.take(registry.register, move)
            answer = Answer(waiting.id, None, first, pending.head.seq)
            if isinstance(waiting.command, CloseBetting):
                self._openings_end = self.clock.now() + round(1000 * decide_draw.OPENING)
            self._bind(pending)
        pending.answers[waiting.id] = Known(waiting.who, waiting.digest, answer)
        return answer

    def _unpaid(
        self, registry: Registry, pending: PendingBatch, events: Sequence[Event], waiting: _Waiting
    ) -> Refusal | None:
        """Why a player cannot pay for the chips of a command, by the register in memory."""
        bought = next((each for each in events if isinstance(each, ChipsBought)), None)
        if bought is None:
            return None
        if not bought.cash and waiting.who != bought.player:
            return None  # Paid at the desk.
        move = Move(pending.head.seq + 1, bought.amount, bought.player, cash=bought.cash)
        try:
            pending.counterparts.require(registry.register, move, registry.now())
        except RegisterError as problem:
            return Refusal(reason(problem.why.value), detail=str(problem))
        return None

    def _draw(self) -> tuple[Event, ...] | Refusal:
        if self.house_table.state.phase is not Phase.CLOSED or self.house_table.commitment is None:
            return NO_BALL
        if self.opening_left > 0:
            return STILL_OPENING
        secret = (
            self._chain.secret(self.house_table.place) if self._chain is not None else self._single
        )
        if secret is None:
            raise StoreError("the secret of the committed ball is not there")
        return decide_draw.draw_ball(self.house_table, secret)

    async def _commit(self, pending: PendingBatch, answers: list[tuple[_Waiting, Answer]]) -> None:
        """Commits the batch, then answers and publishes it."""
        self._bind(pending)
        if pending.records:
            await self._append(pending)
        else:
            # A refusal changes nothing: its answer is stored with the next event.
            self._unkept.extend(pending.outcomes())
            if len(self._unkept) >= UNKEPT:
                await self._keep_refusals()
        self._answers.update(pending.answers)
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        self._metrics.answered(self.house_table.table, (answer for _, answer in answers))
        for waiting, answer in answers:
            waiting.answer(answer)
        if pending.records:
            players = self._subscriptions.players()
            published = self._live.take(pending.records, pending.notes, players)
            self._metrics.dropped += self._subscriptions.publish(
                published.bundles, len(pending.records), more_follows=bool(self._queue)
            )
            self._turn_clock()
            self.changed.set()
        else:
            self._subscriptions.release()
        if pending.ends_coup:
            await self._witness.see(self.head)

    def _turn_clock(self) -> None:
        """Publishes the end of a step, if the croupier set it before the step was durable."""
        before, self._phase = self._phase, self.house_table.state.phase
        if self._phase is not before and (self._expected or (None,))[0] is self._phase:
            self._publish_clock()

    @property
    def opening_left(self) -> float:
        """Seconds that the draw still waits for nonces that are not opened."""
        if not decide_draw.withheld(self.house_table):
            return 0.0
        return max(0.0, (self._openings_end - self.clock.now()) / 1000)

    def _bind(self, pending: PendingBatch) -> None:
        """Commits to the ball of the next spin, before anybody can stake on it."""
        pending.watch_ball()
        for event in floats.suspension(self.house_table, self.balances):
            pending.record(event, None)
        if not decide_draw.may_bind(self.house_table):
            return
        if not self._must_recommit and self.house_table.commitment is not None:
            return
        chain = self._chain
        if self._must_recommit or chain is None or self.house_table.place == chain.length:
            chain = self._commit_chain(pending)
        if chain is not None:
            pending.record(decide_draw.bind(self.house_table, chain), None)

    def _commit_chain(self, pending: PendingBatch) -> Chain | None:
        """Commits to a new chain of secrets, or stops the table if the random source is broken."""
        reason = ChainReason.TAKEN_UP if self._must_recommit else ChainReason.USED_UP
        if not decide_draw.has_drawn(self.house_table):
            reason = ChainReason.OPENED
        try:
            chain = self._source.chain(self.house_table.table, self.monitor)
        except BrokenSourceError as broken:
            pending.record(TableStopped(reason=str(broken)), None)
            return None
        committed = decide_draw.commit_chain(self.house_table, chain, reason)
        pending.record(committed, None)
        pending.secrets.append((committed.number, self._source.seal(self.house_table.table, chain)))
        self._chain, self._must_recommit = chain, False
        return chain

    async def _append(self, pending: PendingBatch) -> None:
        since = self._since_snapshot + len(pending.records)
        snapshot = None
        # A full cloth is expensive to store: the more stakes, the more events between snapshots.
        due = self._snapshot_every + 4 * len(self.house_table.state.stakes)
        if since >= due and table_snapshot.can_remember(self.house_table):
            ledger.check(self.house_table, self.balances)
            snapshot = table_snapshot.remember(self.house_table)
        batch = pending.batch(earlier=self._unkept, snapshot=snapshot)
        registry = self._registry() if pending.moves else None
        began = time.perf_counter()
        if registry is not None:
            await registry.append_with(batch, pending.moves)
        else:
            await self._blocking(lambda: self._store.append(batch))
        took = time.perf_counter() - began
        self._metrics.committed(self.house_table.table, events=len(batch.records), seconds=took)
        self._unkept.clear()
        self._since_snapshot = since if snapshot is None else 0
        self.head = pending.head

    async def _keep_refusals(self) -> None:
        """Stores the answers of refusals after which no event came."""
        if self._unkept:
            batch = self._pending().batch(earlier=self._unkept, snapshot=None)
            await self._blocking(lambda: self._store.append(batch))
            self._unkept.clear()


def _describe_error(problem: BaseException) -> str:
    """Why a table stops, in words for everybody; the server's log has the details."""
    if isinstance(problem, LeaseLostError):
        return MOVED
    said = failures.STORE_FAILED if isinstance(problem, StoreError) else failures.HOUSE_FAILED
    return failures.reported(said, problem)
