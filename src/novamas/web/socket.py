"""A table's WebSocket: commands in; answers and events out, each with its sequence number.

    → {"id": "c1", "do": "PlaceStake",
       "with": {"id": "b1", "player": "ana", "on": "17", "amount": 10}}
    ← {"ack": "c1", "first": 41, "seq": 41}
    ← {"seq": 41, "at": …, "type": "StakePlaced", "data": {…}}

The first message is the current state of the table, the second says when the current step ends. A
client that reconnects with `after` then receives every event since that sequence number. Answers
and events go out through one queue, each event as one message. Slow consumers are disconnected with
1013 and may reconnect; they never delay anyone else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from novamas.game.languages import ENGLISH
from novamas.game.rulebook.model import Act
from novamas.house import failures
from novamas.house.house import House
from novamas.house.input_bounds import TOLD, shortened
from novamas.house.log.codec import BadCommandError, read_command
from novamas.house.log.store import Record, Store, StoreError
from novamas.house.people.approvals import require_apart
from novamas.house.people.decide import RegisterError
from novamas.house.people.events import Post
from novamas.house.refusals import Problem
from novamas.house.table import proposals
from novamas.house.table.actor import CLOSING, BusyError, TableActor, TableStoppedError
from novamas.house.table.commands import ConfirmProposal, SeatPlayer
from novamas.house.table.croupier import is_automatic
from novamas.house.table.subscriptions import Bundle, Subscription
from novamas.house.views import event_view
from novamas.house.views.table_view import TableView
from novamas.table.commands import (
    MANAGEMENT,
    AnnounceLastGames,
    BuyChips,
    ClaimCustody,
    Command,
    TakePost,
    is_management,
)
from novamas.web.auth import address_of
from novamas.web.permissions import MESSAGES, not_for_players
from novamas.web.quotas import PAUSE, Allowance
from novamas.web.sessions import People, Session
from novamas.web.ws_frames import pack, takes_frames

log = logging.getLogger(__name__)

LARGEST_MESSAGE = 16_384
LONGEST_ID = 64
OFFICERS = frozenset(
    (
        "OpenTable",
        "CloseTable",
        "Suspend",
        "Resume",
        "ChangeLimits",
        "RaiseDispute",
        "DecideDispute",
        "ConfirmProposal",
        "DropProposal",
        "OpenBank",
        "FillBank",
        "CreditBank",
        "CountBank",
        "EmptyBox",
    )
)
"""Commands that staff without a post at the table may give."""
LONGEST_REASON = 120
"""Longest reason, in bytes, that fits into the close frame of a connection."""
OUT_OF_PLAY = "the table is out of play"
CATCH_UP = 1000
"""How many missed events are read and sent at a time."""
PATIENCE = 2.0
"""Seconds that a client has to read the last messages before the server closes the connection."""

RESTART, TRY_AGAIN = 1012, 1013
BAD_AFTER, BAD_TOKEN, NO_TABLE = 4400, 4401, 4404
"""Close codes. After one of the last three, the client should not reconnect."""
ELSEWHERE = 4421
"""Another server of the house serves the table; the close reason is that server's address."""


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A message from a client."""

    id: str
    do: str
    with_: dict[str, Any] = msgspec.field(default_factory=dict, name="with")
    as_: str | None = msgspec.field(default=None, name="as")
    """The person for whom the management acts."""


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
        self._allowance = allowance
        """The rate limit of this person, shared by all their sockets; None means no limit."""
        self._is_hasty = False
        """Whether this connection's first rate-limit violation is already in the log."""
        self._over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Resolves to the reason when the session of this connection ends."""
        self._answering: set[asyncio.Task[None]] = set()

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
            await self._end_out_of_play()
            return
        tasks = [
            asyncio.create_task(self._send(shown, subscription, after)),
            asyncio.create_task(self._receive(subscription)),
            asyncio.create_task(subscription.overtaken.wait()),
        ]
        self._people.ended.append(self._heard)
        try:
            waiting: list[asyncio.Future[Any]] = [*tasks, self._over]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._people.ended.remove(self._heard)
            self._actor.unsubscribe(subscription)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._over.done():
            await self._end(BAD_TOKEN, self._over.result())
        elif subscription.overtaken.is_set():
            await self._end(TRY_AGAIN, "too slow; come back for the rest")

    def _heard(self, session: str, reason: str) -> None:
        """Closes the connection if the session that ended is its own."""
        mine = self._session is not None and self._session.id == session
        if mine and not self._over.done():
            self._over.set_result(f"you are signed out: {reason}"[:LONGEST_REASON])

    # Out ------------------------------------------------------------------------------------

    async def _send(self, shown: TableView, subscription: Subscription, after: int | None) -> None:
        """Sends the snapshot, the missed events and then live messages. Only this task sends."""
        await self._text(msgspec.json.encode({"table": shown}))
        await self._text(self._actor.clock_face())
        if after is not None:
            await self._catch_up(subscription, after, shown.seq)
        while bundles := await subscription.take():
            await self._bundles(bundles)
        if subscription.overtaken.is_set():
            return
        # The table stopped. Send the answers that clients still wait for before closing.
        if self._answering:
            await asyncio.wait(tuple(self._answering), timeout=PATIENCE)
        await self._bundles(await subscription.take())
        await self._end_out_of_play()

    async def _catch_up(self, subscription: Subscription, after: int, until: int) -> None:
        """Sends the missed events from the log; live events wait in the subscription meanwhile."""
        store, table = self._house.store, self._actor.house_table.table
        audience, player = subscription.audience, subscription.player
        for start in range(after, until, CATCH_UP):
            reading = partial(read_log, store, table, start, min(start + CATCH_UP, until))
            records: list[Record] = await self._house.blocking(reading)
            for record in records:
                await self._text(event_view.of_record(record, audience, player))

    async def _bundles(self, bundles: Sequence[Bundle]) -> None:
        """Sends the bundles, in one write if the server supports raw frames."""
        if takes_frames(self._socket.scope):
            frames = b"".join([bundle.made(pack) for bundle in bundles])
            await self._socket.send({"type": "websocket.send", "frames": frames})
            return
        for bundle in bundles:
            for message in bundle.messages:
                await self._text(message)

    async def _text(self, message: bytes) -> None:
        await self._socket.send_text(message.decode())

    async def _end_out_of_play(self) -> None:
        closing = self._actor.failed == CLOSING
        await self._end(RESTART if closing else TRY_AGAIN, CLOSING if closing else OUT_OF_PLAY)

    async def _end(self, code: int, reason: str) -> None:
        """Closes the connection with a reason, if the client is still there."""
        with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
            async with asyncio.timeout(PATIENCE):
                await self._socket.close(code=code, reason=reason)

    # In -------------------------------------------------------------------------------------

    async def _receive(self, subscription: Subscription) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":
                return
            data = message.get("text") or message.get("bytes") or ""
            request = _request(data)
            if self._session is not None and not self._people.touch(self._session):
                self._heard(self._session.id, "the session is over")
                return
            if self._allowance is not None and not self._allowance.allows(len(data)):
                id = None if isinstance(request, str) else request.id
                if not self._is_hasty:
                    self._is_hasty = True
                    self._log_denial("too many commands", None)
                subscription.offer(
                    Bundle(
                        [_problem_message(id, "too many commands; slow down", Problem.TOO_OFTEN)]
                    )
                )
                # Unread messages stay in the client's send buffer (backpressure).
                await asyncio.sleep(PAUSE)
                continue
            if isinstance(request, str):
                subscription.offer(
                    Bundle([_problem_message(None, request, Problem.NOT_UNDERSTOOD)])
                )
                continue
            try:
                command = self._command(request)
                command = await self._made_known(command)
            except (BadCommandError, RegisterError) as wrong:
                subscription.offer(Bundle([_problem_message(request.id, str(wrong), wrong.why)]))
                continue
            except StoreError as failed:
                said = failures.reported(failures.STORE_FAILED, failed)
                subscription.offer(
                    Bundle([_problem_message(request.id, said, Problem.STORE_FAILED)])
                )
                continue
            # Each command is submitted at once, so that the commands of one client keep their
            # order. A submitted command is always completed, even if the client does not wait for
            # the answer.
            task = asyncio.create_task(self._answer(request.id, command, subscription))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
            await asyncio.sleep(0)

    async def _answer(self, id: str, command: Command, subscription: Subscription) -> None:
        try:
            answer = await self._actor.submit(id, command, who=self._whose())
        except BusyError as busy:
            subscription.offer(Bundle([_problem_message(id, str(busy), Problem.BUSY)]))
        except TableStoppedError as stopped:
            if self._house.leases is not None:
                return  # Another server takes over, and answers a repeated command.
            problem = f"{OUT_OF_PLAY}: {stopped}"
            subscription.offer(Bundle([_problem_message(id, problem, Problem.OUT_OF_PLAY)]))
        else:
            if self._allowance is not None and answer.refusal is not None:
                self._allowance.note_refusal()
            subscription.offer(Bundle([msgspec.json.encode(answer.as_data())]))

    def _whose(self) -> str | None:
        """Returns the player whose command it is, even if a post carries it out; None for staff."""
        session = self._session
        return session.name if session is not None and session.is_player else None

    def _log_denial(self, said: str, why: str | None) -> None:
        """Logs a denied request with the mark of its session, without the name of the person."""
        mark = self._session.mark if self._session is not None else None
        told = {"table": self._actor.house_table.table, "why": why, "session": mark}
        log.info(said, extra={**told, "address": address_of(self._socket.scope)})

    # Commands -------------------------------------------------------------------------------

    def _command(self, request: Request) -> Command:
        session = self._session
        if session is None:
            raise BadCommandError(
                "onlookers give no commands; take a name first", Problem.NOT_FOR_YOU
            )
        if not 0 < len(request.id) <= LONGEST_ID or not request.id.isprintable():
            raise BadCommandError(f"id: 1 to {LONGEST_ID} printable characters")
        if request.do not in MESSAGES:
            raise BadCommandError(f"do: no command {request.do!r}")
        if not session.may(request.do):
            self._log_denial("not permitted", request.do)
            raise BadCommandError(
                f"do: {request.do} is not for {session.post.spoken}", Problem.NOT_FOR_YOU
            )
        if request.as_ is not None and session.post is not Post.MANAGEMENT:
            self._log_denial("not permitted", "as")
            raise BadCommandError("as: only the management acts for others")
        if not session.is_player:
            by = request.as_ or self._staff_name(session, request.do)
            return self._of_staff(session, read_command(request.do, request.with_, by=by))
        if session.name in self._actor.house_table.state.staff:
            raise BadCommandError(
                "someone of your name is of the staff here; take another name",
                Problem.NAME_OF_STAFF,
            )
        command = read_command(request.do, request.with_, by=session.name)
        said = not_for_players(request.do, request.with_)
        if said is not None:
            self._log_denial("not permitted", f"{request.do}.{said}")
            raise BadCommandError(f"{said}: that is for the staff to say", Problem.NOT_FOR_YOU)
        if isinstance(command, BuyChips | ClaimCustody) and command.player != session.name:
            raise BadCommandError("player: you ask for yourself alone")
        return self._handed_out(command)

    def _staff_name(self, session: Session, do: str) -> str:
        """Returns the name for a staff member's command: their own, or the management's."""
        if session.post is Post.MANAGEMENT:
            return MANAGEMENT
        if session.post is Post.CROUPIER:
            return session.name  # Their post at the table decides what they may do.
        at_table = session.name in self._actor.house_table.state.staff
        return session.name if at_table or do not in OFFICERS else f"{MANAGEMENT} {session.name}"

    def _of_staff(self, session: Session, command: Command) -> Command:
        if isinstance(command, TakePost) and session.post is not Post.MANAGEMENT:
            post = self._actor.house_table.state.book.posts.get(command.post)
            if post is not None and post.watches != (session.post is Post.CHIEF):
                raise BadCommandError(
                    f"post: {post.word} is not for {session.post.spoken}", Problem.NOT_FOR_YOU
                )
            if command.relieves is not None and not is_automatic(command.relieves):
                raise BadCommandError(
                    f"relieves: {command.relieves} must leave the post themselves; "
                    "only the automatic croupier can be relieved by another",
                    Problem.NOT_FOR_YOU,
                )
        if isinstance(command, ConfirmProposal):
            self._require_apart(session, command)
        if isinstance(command, AnnounceLastGames) and session.post is not Post.CROUPIER:
            return self._announced(command)
        if isinstance(command, ClaimCustody) and session.post is Post.CASHIER:
            return self._handed_out(command)
        if isinstance(command, BuyChips) and session.post is Post.CROUPIER:
            # Croupiers cannot use wallets: chips that they sell are paid in cash into the box.
            return replace(command, cash=True)
        return command

    def _require_apart(self, session: Session, command: ConfirmProposal) -> None:
        """Refuses a confirmation by a person who recently got their post from the proposer."""
        proposal = self._actor.house_table.proposals.get(command.id)
        if proposal is not None:
            registry, first = self._people.registry, proposals.person(proposal.by)
            require_apart(registry.register, first, session.name, now=registry.now())

    def _announced(self, command: AnnounceLastGames) -> AnnounceLastGames:
        """Has the automatic croupier announce the last games when a chief asks for it."""
        state = self._actor.house_table.state
        may = [person for person in state.staff if state.may(person, Act.ANNOUNCE_LAST_GAMES)]
        if command.by in may:
            return command
        return replace(command, by=next(filter(is_automatic, may), command.by))

    async def _made_known(self, command: Command) -> Command:
        """Opens a wallet for a player whom the staff seats; their chips go there in the end."""
        seller = self._actor.house_table.state.may(command.by, Act.SELL_CHIPS)
        if not isinstance(command, SeatPlayer) or not (seller or is_management(command.by)):
            return command
        return replace(command, player=await self._people.at_table(command.player, by=command.by))

    def _handed_out(self, command: Command) -> Command:
        """Puts a request for chips or custody in the name of the post that hands them out."""
        if not isinstance(command, BuyChips | ClaimCustody):
            return command
        act = Act.SELL_CHIPS if isinstance(command, BuyChips) else Act.PAY
        giver = self._actor.house_table.state.who_may(act)
        if giver is None:
            raise BadCommandError(
                "nobody is at the post that would give it", Problem.NOBODY_AT_THE_POST
            )
        return replace(command, by=giver)


def _request(data: str | bytes) -> Request | str:
    """Parses a client's message; returns the request, or a text that says what is wrong with it."""
    if len(data) > LARGEST_MESSAGE:
        return "the message is too long"
    try:
        return msgspec.json.decode(data, type=Request)
    except (msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        return str(wrong)
    except RecursionError:
        return "the message is nested too deep"


def _problem_message(id: str | None, problem: str, why: Problem) -> bytes:
    """Encodes a problem for the wire; at most one line of the client's own text is echoed."""
    told = id if id is not None and len(id) <= TOLD else None
    return msgspec.json.encode({"problem": shortened(problem), "id": told, "why": why})


def read_log(store: Store, table: str, after: int, until: int) -> list[Record]:
    """Reads a part of a log; runs in the store's thread."""
    return list(store.read(table, after=after, until=until))
