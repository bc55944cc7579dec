"""A table's WebSocket: commands in; answers and events out, each with its sequence number.

    → {"id": "c1", "do": "PlaceStake",
       "with": {"id": "b1", "player": "ana", "on": "17", "amount": 10}}
    ← {"ack": "c1", "first": 41, "seq": 41}
    ← {"seq": 41, "at": …, "type": "StakePlaced", "data": {…}}

The first message is the current state of the table, the second says when the current step ends. A
client that reconnects with `after` then receives every event since that sequence number. Answers
and events go out through one queue, each event as one message. A client that was told nothing for
two seconds gets the clock again, so that it can tell a quiet table from a dead line. Slow consumers
are disconnected with 1013 and may reconnect; they never delay anyone else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from novamas.game.languages import ENGLISH
from novamas.game.rulebook.behaviours import Act
from novamas.house import failures
from novamas.house.house import House
from novamas.house.input_bounds import TOLD, shortened
from novamas.house.log.store import Record, Store, StoreError
from novamas.house.people.decide import RegisterError
from novamas.house.refusals import BadCommandError, Problem
from novamas.house.table.actor import CLOSING, BusyError, TableActor, TableStoppedError
from novamas.house.table.answers import Answer
from novamas.house.table.commands import SeatPlayer
from novamas.house.table.subscriptions import Bundle, Subscription
from novamas.house.views import event_view
from novamas.house.views.table_view import TableView
from novamas.table.commands import Command
from novamas.table.identity import is_management
from novamas.web.auth import address_of
from novamas.web.command_reader import CommandReader, Request, read_request
from novamas.web.quotas import PAUSE, Allowance
from novamas.web.sessions import People, Session
from novamas.web.wires import wire_of

LONGEST_REASON = 120
"""Longest reason, in bytes, that fits into the close frame of a connection."""
OUT_OF_PLAY = "the table is out of play"
CATCH_UP = 1000
"""How many missed events are read and sent at a time."""
UNANSWERED = 256
"""How many commands of one client may wait for their answers; then its socket is not read."""
BEAT = 2.0
"""Seconds after which a client that was told nothing is told the clock again."""
PATIENCE = 2.0
"""Seconds that a client has to read the last messages before the server closes the connection."""

PROBLEMS = (BadCommandError, RegisterError, StoreError)
"""Errors in a command that its sender is told."""

RESTART, TRY_AGAIN = 1012, 1013
BAD_AFTER, BAD_TOKEN, NO_TABLE = 4400, 4401, 4404
"""Close codes. After one of the last three, the client should not reconnect."""
ELSEWHERE = 4421
"""Another server of the house serves the table; the close reason is that server's address."""


class End(NamedTuple):
    """How the server closes a connection."""

    code: int
    reason: str


class TableSocket:
    """One connection to one table."""

    def __init__(
        self,
        house: House,
        actor: TableActor,
        session: Session | None,
        socket: WebSocket,
        *,
        people: People,
        allowance: Allowance | None = None,
    ) -> None:
        self._house = house
        self._people = people
        self._actor = actor
        self._session = session
        self._socket = socket
        self._wire = wire_of(socket)
        self._reader = CommandReader(actor, session, people, address=address_of(socket.scope))
        self._allowance = allowance
        """The rate limit of this person, shared by all their sockets; None means no limit."""
        self._whose = session.name if session is not None and session.is_player else None
        """The player whose commands these are, even if a post carries them out; None for staff."""
        self._is_hasty = False
        """Whether this connection's first rate-limit violation is already in the log."""
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[End | None] = self._loop.create_future()
        """Resolves when the connection is to end; None if the client has gone."""
        self._subscription: Subscription
        self._is_greeted = False
        """Whether the client has the state of the table, and may get what happens after it."""
        self._is_flushing = False
        self._told_at = 0.0
        """When something was last written to the client, by the loop's clock."""
        self._next_beat: asyncio.TimerHandle | None = None
        self._is_held = False
        self._inbox: deque[str | bytes] = deque()
        """Messages that were read while none may be handled."""
        self._unanswered = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, after: int | None, language: str = ENGLISH) -> None:
        """Serves the connection until either side closes it; coups are explained in `language`."""
        audience = self._session.audience if self._session else event_view.Audience.PUBLIC
        player = self._session.name if self._session else None
        try:
            shown, subscription = await self._actor.follow(
                audience=audience, player=player, language=language
            )
        except TableStoppedError as stopped:
            await self._text(
                _problem_message(None, f"{OUT_OF_PLAY}: {stopped}", Problem.OUT_OF_PLAY)
            )
            await self._close(self._out_of_play())
            return
        self._subscription = subscription
        subscription.notify(self._flush_soon)
        greeting = asyncio.create_task(self._greet(shown, after))
        self._people.ended.append(self._heard)
        try:
            self._wire.listen(self)
            await self._over
        finally:
            self._people.ended.remove(self._heard)
            self._actor.unsubscribe(subscription)
            if self._next_beat is not None:
                self._next_beat.cancel()
            greeting.cancel()
            await asyncio.gather(greeting, return_exceptions=True)
            try:
                if self._over.done() and (end := self._over.result()) is not None:
                    await self._close(end)
            finally:
                self._wire.listen(None)

    def _heard(self, session: str, reason: str) -> None:
        """Closes the connection if the session that ended is its own."""
        if self._session is not None and self._session.id == session:
            self._end(End(BAD_TOKEN, f"you are signed out: {reason}"[:LONGEST_REASON]))

    def _end(self, end: End | None) -> None:
        if not self._over.done():
            self._over.set_result(end)

    def lost(self) -> None:
        """Called when the client has gone."""
        self._end(None)

    # Out ------------------------------------------------------------------------------------

    async def _greet(self, shown: TableView, after: int | None) -> None:
        """Sends the snapshot and the missed events; what happens meanwhile is sent afterwards."""
        try:
            await self._text(msgspec.json.encode({"table": shown}))
            await self._text(self._actor.clock_face())
            if after is not None:
                await self._catch_up(after, shown.seq)
        except (WebSocketDisconnect, RuntimeError):
            self._end(None)
            return
        except StoreError:
            self._end(End(TRY_AGAIN, OUT_OF_PLAY))
            return
        self._is_greeted = True
        self._told_at = asyncio.get_running_loop().time()
        self._flush()
        self._beat()

    async def _catch_up(self, after: int, until: int) -> None:
        """Sends the missed events from the log; live events wait in the subscription meanwhile."""
        store, table = self._house.store, self._actor.house_table.table
        audience, player = self._subscription.audience, self._subscription.player
        for start in range(after, until, CATCH_UP):
            reading = partial(read_log, store, table, start, min(start + CATCH_UP, until))
            records: list[Record] = await self._house.blocking(reading)
            for record in records:
                await self._text(event_view.of_record(record, audience, player))

    def _flush_soon(self) -> None:
        """Sends what waits once the present step of the loop is over, all of it together."""
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Sends what waits for the client, if it has read what was sent before."""
        self._is_flushing = False
        subscription = self._subscription
        if self._over.done():
            return
        if subscription.overtaken:
            self._end(End(TRY_AGAIN, "too slow; come back for the rest"))
        elif self._is_greeted and self._wire.is_writable:
            bundles = subscription.take()
            if bundles:
                self._told_at = asyncio.get_running_loop().time()
                self._wire.write(bundles)
            if subscription.dropped:
                self._end(self._out_of_play())

    def _beat(self) -> None:
        """Tells a client the clock that was told nothing for a while."""
        if self._over.done():
            return
        loop = asyncio.get_running_loop()
        left = self._told_at + BEAT - loop.time()
        if left <= 0:
            left = BEAT
            if self._wire.is_writable:
                self._tell(self._actor.clock_face())
        self._next_beat = loop.call_later(left, self._beat)

    def writable(self) -> None:
        """Called when the client has read what was sent before."""
        self._flush_soon()

    def _tell(self, message: bytes) -> None:
        self._subscription.offer(Bundle([message]))

    async def _text(self, message: bytes) -> None:
        await self._socket.send_text(message.decode())

    def _out_of_play(self) -> End:
        if self._actor.failed == CLOSING:
            return End(RESTART, CLOSING)
        return End(TRY_AGAIN, OUT_OF_PLAY)

    async def _close(self, end: End) -> None:
        """Closes the connection with a reason, if the client is still there."""
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(PATIENCE):
                await self._wire.drained()
                await self._socket.close(code=end.code, reason=end.reason)

    # In -------------------------------------------------------------------------------------

    def received(self, message: str | bytes) -> None:
        """Called with each message of the client; its commands keep their order."""
        if self._is_held or self._inbox:
            self._inbox.append(message)
        elif not self._over.done():
            self._handle(message)

    def _handle_inbox(self) -> None:
        while self._inbox and not self._is_held and not self._over.done():
            self._handle(self._inbox.popleft())

    def _hold(self) -> None:
        """Handles nothing more for now; what is not read stays in the client's own buffer."""
        if not self._is_held:
            self._is_held = True
            self._wire.pause()

    def _release(self) -> None:
        if self._is_held and not self._over.done():
            self._is_held = False
            self._handle_inbox()
            if not self._is_held:
                self._wire.resume()

    def _handle(self, message: str | bytes) -> None:
        request = read_request(message)
        session, allowance = self._session, self._allowance
        if session is not None and not self._people.touch(session):
            self._heard(session.id, "the session is over")
            return
        if allowance is not None and not allowance.allows(len(message)):
            self._slow_down(None if isinstance(request, str) else request.id)
            return
        if isinstance(request, str):
            self._tell(_problem_message(None, request, Problem.NOT_UNDERSTOOD))
            return
        try:
            command = self._reader.read(request)
        except PROBLEMS as problem:
            self._tell_problem(request.id, problem)
        else:
            if isinstance(command, SeatPlayer):
                self._seat(request, command)
            else:
                self._give(request.id, command)

    def _slow_down(self, id: str | None) -> None:
        """Refuses a message that exceeds the quota, and handles no other for a moment."""
        if not self._is_hasty:
            self._is_hasty = True
            self._reader.log_denial("too many commands", None)
        self._tell(_problem_message(id, "too many commands; slow down", Problem.TOO_OFTEN))
        self._hold()
        self._loop.call_later(PAUSE, self._release)

    def _seat(self, request: Request, command: SeatPlayer) -> None:
        """Opens a wallet for a player whom the staff seats; their chips go there in the end."""
        seller = self._actor.house_table.state.may(command.by, Act.SELL_CHIPS)
        if not (seller or is_management(command.by)):
            self._give(request.id, command)
            return

        async def open_wallet() -> None:
            try:
                name = await self._people.at_table(command.player, by=str(command.by))
            except PROBLEMS as problem:
                self._tell_problem(request.id, problem)
            else:
                self._give(request.id, replace(command, player=name))
            finally:
                self._release()

        self._hold()
        task = asyncio.create_task(open_wallet())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _give(self, id: str, command: Command) -> None:
        """Gives the table a command; it is completed even if the client does not wait for it."""
        try:
            self._actor.give(id, command, partial(self._answered, id), who=self._whose)
        except BusyError as busy:
            self._tell(_problem_message(id, str(busy), Problem.BUSY))
        except TableStoppedError as stopped:
            self._not_done(id, stopped)
        else:
            self._unanswered += 1
            if self._unanswered >= UNANSWERED:
                self._hold()

    def _answered(self, id: str, answer: Answer | TableStoppedError) -> None:
        self._unanswered -= 1
        if self._unanswered == UNANSWERED - 1:
            self._loop.call_soon(self._release)
        if isinstance(answer, TableStoppedError):
            self._not_done(id, answer)
            return
        if self._allowance is not None and answer.refusal is not None:
            self._allowance.note_refusal()
        self._tell(msgspec.json.encode(answer.as_data()))

    def _not_done(self, id: str, stopped: TableStoppedError) -> None:
        # If there are several servers, another takes over, and answers a repeated command.
        if self._house.leases is None:
            problem = f"{OUT_OF_PLAY}: {stopped}"
            self._tell(_problem_message(id, problem, Problem.OUT_OF_PLAY))

    def _tell_problem(self, id: str, problem: BadCommandError | RegisterError | StoreError) -> None:
        """Tells the client what is wrong with a command."""
        if isinstance(problem, StoreError):
            said = failures.reported(failures.STORE_FAILED, problem)
            self._tell(_problem_message(id, said, Problem.STORE_FAILED))
        else:
            self._tell(_problem_message(id, str(problem), problem.why))


def _problem_message(id: str | None, problem: str, why: Problem) -> bytes:
    """Encodes a problem for the wire; at most one line of the client's own text is echoed."""
    told = id if id is not None and len(id) <= TOLD else None
    return msgspec.json.encode({"problem": shortened(problem), "id": told, "why": why})


def read_log(store: Store, table: str, after: int, until: int) -> list[Record]:
    """Reads a part of a log; runs in the store's thread."""
    return list(store.read(table, after=after, until=until))
