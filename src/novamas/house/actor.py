"""The table's actor: one task owns a table, and everything that happens there goes through it.

Commands wait in a bounded queue. The actor takes as many as there are, decides each on the table as
the ones before it left it, makes all of it durable in one commit, and only then answers and
publishes. So many acks share one fsync, and nothing is ever shown that a crash could take back.

If the store fails nobody is answered, the table stops, and says why: what was not acknowledged did
not happen.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from novamas.house import ledger, memento, views
from novamas.house.ball import Entropy
from novamas.house.chain import link
from novamas.house.clock import Clock
from novamas.house.codec import encode
from novamas.house.commands import DrawBall
from novamas.house.deciding import HouseWhy, commit_ball, decide, draw_ball, needs_commitment
from novamas.house.events import BallRevealed, TableStopped
from novamas.house.hall import Hall, advance
from novamas.house.health import Monitor
from novamas.house.store import Batch, Entry, Head, Outcome, Record, Store, StoreError
from novamas.table.commands import Command
from novamas.table.events import BallPocketed, BallVoided, CoupEnded, Event
from novamas.table.refusals import Refusal, Why
from novamas.table.state import Phase

Blocking = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs something that waits for the disk where it does not hold up the house."""

REMEMBERED = 10_000
"""How many answers are kept in memory for commands that come again."""


NO_BALL = Refusal(HouseWhy.NO_BALL_RUNS, detail="close betting at a drawn table first")
FOREIGN_ID = Refusal(HouseWhy.COMMAND_OF_ANOTHER, detail="choose a command id of your own")


def reason(name: str) -> StrEnum:
    """A reason for a refusal by its name."""
    try:
        return Why(name)
    except ValueError:
        return HouseWhy(name)


class TableStoppedError(Exception):
    """The table is out of play: its store or its ball cannot be trusted."""


class BusyError(Exception):
    """More commands wait than the table takes; try again."""


class Answer(NamedTuple):
    """What a command got."""

    command: str
    refusal: Refusal | None
    first: int
    last: int

    def as_data(self) -> dict[str, Any]:
        """The answer as it goes over the wire."""
        if self.refusal is None:
            return {"ack": self.command, "first": self.first, "seq": self.last}
        return {
            "refused": self.command,
            "why": self.refusal.why.value,
            "articles": list(self.refusal.articles),
            "detail": self.refusal.detail,
            "seq": self.last,
        }


class Loaded(NamedTuple):
    """A table as its store has it."""

    hall: Hall
    head: Head
    balances: dict[str, int]
    secret: bytes | None = None
    """The secret of the committed ball."""


class Services(NamedTuple):
    """What an actor needs of the house."""

    store: Store
    blocking: Blocking
    clock: Clock
    entropy: Entropy


class _Waiting(NamedTuple):
    id: str
    command: Command
    future: asyncio.Future[Answer]


class Subscription:
    """Someone who follows a table. Who falls behind is dropped, and comes back for the rest."""

    def __init__(self, *, audience: views.Audience, player: str | None, capacity: int) -> None:
        self.audience = audience
        self.player = player
        self.dropped = False
        self._capacity = capacity
        self._messages: list[bytes] = []
        self._there = asyncio.Event()

    def offer(self, messages: Sequence[bytes]) -> None:
        """Puts messages before the follower, or drops him if he has not taken the last ones."""
        if self.dropped:
            return
        if len(self._messages) + len(messages) > self._capacity:
            self.drop()
            return
        self._messages.extend(messages)
        self._there.set()

    def drop(self) -> None:
        """Lets the follower go; what he was not sent he can read in the log."""
        self.dropped = True
        self._messages.clear()
        self._there.set()

    async def take(self) -> list[bytes]:
        """The messages since the last time; empty once dropped."""
        await self._there.wait()
        messages, self._messages = self._messages, []
        if not self.dropped:
            self._there.clear()
        return messages


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
        self.hall, self.head, self.balances, self._secret = loaded
        self._store, self._blocking, self.clock, self._entropy = services
        self.failed: str | None = None
        self.monitor = monitor or Monitor()
        self._batch = batch
        self._snapshot_every = snapshot_every
        self._since_snapshot = 0
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue(queue)
        self._answers: OrderedDict[str, tuple[str, Answer]] = OrderedDict()
        self._subscriptions: set[Subscription] = set()
        self._task: asyncio.Task[None] | None = None
        self._settled = asyncio.Lock()
        """Held while the table is ahead of what is durable."""
        self.changed = asyncio.Event()
        """Set at every commit, for whoever waits for the table to move on."""

    # For those outside ----------------------------------------------------------------------

    def start(self) -> None:
        """Begins to serve the table."""
        self._task = asyncio.create_task(self._run(), name=f"table {self.hall.table}")

    async def stop(self) -> None:
        """Serves what waits, then ends."""
        if self._task is not None and not self._task.done():
            await self._queue.put(None)
            await self._task
        for subscription in list(self._subscriptions):
            subscription.drop()

    async def submit(self, id: str, command: Command) -> Answer:
        """Gives the table a command; the answer comes when it is durable."""
        if self.failed is not None:
            raise TableStoppedError(self.failed)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        try:
            self._queue.put_nowait(_Waiting(id, command, future))
        except asyncio.QueueFull:
            raise BusyError("too many commands wait at this table; try again") from None
        return await future

    async def look(self, *, audience: views.Audience, player: str | None) -> dict[str, Any]:
        """The table as it durably stands: nobody is shown what a crash could take back."""
        async with self._settled:
            return views.of_table(self.hall, self.head.seq, player=player, audience=audience)

    async def follow(
        self, *, audience: views.Audience, player: str | None = None, capacity: int = 4096
    ) -> tuple[dict[str, Any], Subscription]:
        """The table as it durably stands, and all that happens from there on."""
        async with self._settled:
            shown = views.of_table(self.hall, self.head.seq, player=player, audience=audience)
            subscription = Subscription(audience=audience, player=player, capacity=capacity)
            self._subscriptions.add(subscription)
            return shown, subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Follows it no longer."""
        self._subscriptions.discard(subscription)

    # The work -------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            if needs_commitment(self.hall):
                async with self._settled:
                    await self._commit(_Work(self), [])
            while True:
                first = await self._queue.get()
                if first is None:
                    return
                waiting = [first]
                ending = False
                while len(waiting) < self._batch and not self._queue.empty():
                    more = self._queue.get_nowait()
                    if more is None:
                        ending = True
                        break
                    waiting.append(more)
                async with self._settled:
                    await self._serve(waiting)
                if ending:
                    return
        except StoreError as problem:
            self._fail(f"the store failed: {problem}")
        except asyncio.CancelledError:
            self._fail("the house is closing")
            raise

    def _fail(self, reason: str) -> None:
        self.failed = reason
        self.changed.set()
        while not self._queue.empty():
            left = self._queue.get_nowait()
            if left is not None and not left.future.done():
                left.future.set_exception(TableStoppedError(reason))
        for subscription in list(self._subscriptions):
            subscription.drop()

    async def _serve(self, waiting: list[_Waiting]) -> None:
        work = _Work(self)
        answers: list[tuple[_Waiting, Answer]] = []
        try:
            await self._recall(waiting)
            for each in waiting:
                if isinstance(each.command, DrawBall) and work.records:
                    # The number is worked out only once the close is durable.
                    await self._commit(work, answers)
                    work, answers = _Work(self), []
                answers.append((each, self._decide(work, each)))
            await self._commit(work, answers)
        except StoreError as problem:
            reason = f"the store failed: {problem}"
            for each in waiting:
                if not each.future.done():
                    each.future.set_exception(TableStoppedError(reason))
            raise

    async def _recall(self, waiting: Sequence[_Waiting]) -> None:
        """Looks up in the store what became of commands that memory has no answer for."""
        table, store = self.hall.table, self._store
        asked = [each.id for each in waiting if each.id not in self._answers]
        for found in await self._blocking(lambda: [store.outcome(table, id) for id in asked]):
            if found is not None:
                refusal = _read_refusal(found.answer)
                answer = Answer(found.command, refusal, found.first, found.last)
                self._answers[found.command] = (found.who, answer)

    def _decide(self, work: _Work, waiting: _Waiting) -> Answer:
        known = self._answers.get(waiting.id) or work.answers.get(waiting.id)
        by, again = known or (waiting.command.by, None)
        if by != waiting.command.by:
            return Answer(waiting.id, FOREIGN_ID, 0, work.head.seq)
        if again is not None:
            return again
        if isinstance(waiting.command, DrawBall):
            decision = self._draw()
        else:
            decision = decide(self.hall, waiting.command, balances=self.balances)
        if isinstance(decision, Refusal):
            answer = Answer(waiting.id, decision, 0, work.head.seq)
        else:
            first = work.head.seq + 1
            for event in decision:
                work.record(event, waiting.id)
            answer = Answer(waiting.id, None, first, work.head.seq)
        work.answers[waiting.id] = (waiting.command.by, answer)
        return answer

    def _draw(self) -> tuple[Event, ...] | Refusal:
        if self.hall.state.phase is not Phase.CLOSED or self.hall.commitment is None:
            return NO_BALL
        if self._secret is None:
            raise StoreError("the secret of the committed ball is not there")
        return draw_ball(self.hall, self._secret)

    async def _commit(self, work: _Work, answers: list[tuple[_Waiting, Answer]]) -> None:
        """Makes the work durable, then answers and publishes it."""
        work.watch_ball()
        if needs_commitment(self.hall):
            secret = self._entropy.secret()
            committed = commit_ball(self.hall, secret)
            work.record(committed, None)
            work.secrets.append((committed.spin, secret))
        if work.records:
            self._since_snapshot += len(work.records)
            snapshot = None
            # A full cloth is costly to write down: the more lies there, the more events between.
            due = self._snapshot_every + 4 * len(self.hall.state.stakes)
            if self._since_snapshot >= due and memento.can_remember(self.hall):
                ledger.check(self.hall, self.balances)
                snapshot = memento.remember(self.hall)
            batch = work.batch(snapshot)
            await self._blocking(lambda: self._store.append(batch))
            if snapshot is not None:
                self._since_snapshot = 0
            self.head = work.head
            if work.secrets:
                self._secret = work.secrets[-1][1]
        for id, known in work.answers.items():
            self._answers[id] = known
        while len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        for waiting, answer in answers:
            if not waiting.future.done():
                waiting.future.set_result(answer)
        if work.records:
            self._publish(work.records)
            self.changed.set()

    def _publish(self, records: Sequence[Record]) -> None:
        if not self._subscriptions:
            return
        shown: dict[views.Audience, list[bytes]] = {}
        mine = [views.personal(record) for record in records]
        private = {player for each in mine for player in each}
        for subscription in tuple(self._subscriptions):
            if subscription.audience not in shown:
                audience = subscription.audience
                shown[audience] = [views.of_record(record, audience) for record in records]
            messages = shown[subscription.audience]
            player = subscription.player
            if player in private:
                messages = [
                    message
                    for public, own in zip(messages, mine, strict=True)
                    for message in (public, own.get(player))
                    if message is not None
                ]
            subscription.offer(messages)
            if subscription.dropped:
                self._subscriptions.discard(subscription)


class _Work:
    """What a batch brings about, before it is durable."""

    def __init__(self, actor: TableActor) -> None:
        self._actor = actor
        self._after = actor.head.seq
        self.head = actor.head
        self.records: list[Record] = []
        self.entries: list[Entry] = []
        self.answers: dict[str, tuple[str, Answer]] = {}
        self.secrets: list[tuple[int, bytes]] = []
        self._numbers: list[int] = []

    def record(self, event: Event, command: str | None) -> None:
        """Chains an event to the log, moves its chips, and lets the table go on from it."""
        actor = self._actor
        table = actor.hall.table
        seq = self.head.seq + 1
        now = actor.clock.now()
        record = link(table, seq, now, encode(event), command, self.head.hash)
        moved = ledger.transfers(actor.hall, event)
        self.entries.extend(Entry(table, seq, transfer) for transfer in moved)
        for source, target, amount in moved:
            actor.balances[source] = actor.balances.get(source, 0) - amount
            actor.balances[target] = actor.balances.get(target, 0) + amount
        advance(actor.hall, event)
        self._check(moved, event)
        self.records.append(record)
        self.head = Head(seq, record.hash)
        if isinstance(event, BallRevealed) and event.number is not None:
            self._numbers.append(event.number)

    def _check(self, moved: Sequence[ledger.Transfer], event: Event) -> None:
        """The ledger and the table agree on every purse that moved, and at a coup's end on all."""
        actor = self._actor
        if isinstance(event, CoupEnded | BallVoided | BallPocketed):
            ledger.check(actor.hall, actor.balances)
            return
        for transfer in moved:
            for account in (transfer.source, transfer.target):
                kind, _, name = account.partition(":")
                player = actor.hall.state.players.get(name) if kind == "purse" else None
                if player is not None and player.purse != actor.balances[account]:
                    raise StoreError(f"the ledger and the table disagree on {account}")

    def watch_ball(self) -> None:
        """Shows the drawn numbers to the health monitor, and stops a table that fails it."""
        for number in self._numbers:
            alarm = self._actor.monitor.see(number)
            if alarm is not None and self._actor.hall.stopped is None:
                self.record(TableStopped(reason=alarm), None)

    def batch(self, snapshot: bytes | None) -> Batch:
        """The work as it is made durable."""
        table = self._actor.hall.table
        outcomes = tuple(
            Outcome(table, id, by, answer.first, answer.last, _write_refusal(answer.refusal))
            for id, (by, answer) in self.answers.items()
        )
        return Batch(
            table,
            self._after,
            tuple(self.records),
            tuple(self.entries),
            outcomes,
            tuple(self.secrets),
            snapshot,
        )


class _StoredRefusal(msgspec.Struct):
    why: str
    articles: list[str]
    detail: str


def _write_refusal(refusal: Refusal | None) -> bytes:
    if refusal is None:
        return b""
    stored = _StoredRefusal(refusal.why.value, list(refusal.articles), refusal.detail)
    return msgspec.json.encode(stored)


def _read_refusal(stored: bytes) -> Refusal | None:
    if not stored:
        return None
    read = msgspec.json.decode(stored, type=_StoredRefusal)
    return Refusal(reason(read.why), tuple(read.articles), read.detail)
