"""A table's socket: commands in, answers and events out, each with its sequence.

    → {"id": "c1", "do": "PlaceStake",
       "with": {"id": "b1", "player": "ana", "on": "17", "amount": 10}}
    ← {"ack": "c1", "first": 41, "seq": 41}
    ← {"seq": 41, "at": …, "type": "StakePlaced", "data": {…}}

The first message is the table as it stands. Who comes back with `after` is first sent all that he
missed. Who does not take what he is sent is dropped and can come back; he delays nobody.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from novamas.game.rulebook import Act
from novamas.house import views
from novamas.house.actor import BusyError, TableActor, TableStoppedError
from novamas.house.codec import BadCommandError, read_command
from novamas.house.commands import DrawBall
from novamas.house.following import Subscription
from novamas.house.house import House
from novamas.house.store import Record, Store
from novamas.table.commands import MANAGEMENT, BuyChips, ClaimCustody, Command
from novamas.web.sessions import Role, Session

LARGEST_MESSAGE = 16_384
STAFF_FIELDS = frozenset(("value_unclear", "unattended", "foreign", "covered"))
"""What of a stake only the staff can see: a player does not say it of himself."""
OUT_OF_PLAY = "the table is out of play"
CATCH_UP = 1000
"""How many missed events are read and sent at a time."""


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """What a client sends."""

    id: str
    do: str
    with_: dict[str, Any] = msgspec.field(default_factory=dict, name="with")
    as_: str | None = msgspec.field(default=None, name="as")
    """For whom the management acts."""


class TableSocket:
    """One connection to one table."""

    def __init__(
        self, house: House, actor: TableActor, session: Session | None, socket: WebSocket
    ) -> None:
        self._house = house
        self._actor = actor
        self._session = session
        self._socket = socket
        self._answering: set[asyncio.Task[None]] = set()

    async def serve(self, after: int | None) -> None:
        """Serves the connection until either side ends it."""
        audience = self._session.audience if self._session else views.Audience.PUBLIC
        player = self._session.name if self._session else None
        try:
            shown, subscription = await self._actor.follow(audience=audience, player=player)
        except TableStoppedError as stopped:
            await self._problem(None, f"{OUT_OF_PLAY}: {stopped}")
            await self._socket.close(code=1013, reason=OUT_OF_PLAY)
            return
        sending = asyncio.create_task(self._send(shown, subscription, after))
        receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._actor.unsubscribe(subscription)
            for task in (sending, receiving, *self._answering):
                task.cancel()
            await asyncio.gather(sending, receiving, *self._answering, return_exceptions=True)

    # Out ------------------------------------------------------------------------------------

    async def _send(
        self, shown: dict[str, Any], subscription: Subscription, after: int | None
    ) -> None:
        await self._text(msgspec.json.encode({"table": shown}))
        if after is not None:
            await self._catch_up(subscription, after, shown["seq"])
        while True:
            messages = await subscription.take()
            if not messages and subscription.dropped:
                await self._let_go()
                return
            for message in messages:
                await self._text(message)

    async def _let_go(self) -> None:
        """Closes the connection of a follower who was dropped, and says why."""
        if self._actor.failed is None:
            await self._socket.close(code=1013, reason="too slow; come back for the rest")
            return
        # Whoever still waits for an answer is told that there will be none.
        if self._answering:
            await asyncio.wait(tuple(self._answering), timeout=1)
        await self._socket.close(code=1013, reason=OUT_OF_PLAY)

    async def _catch_up(self, subscription: Subscription, after: int, until: int) -> None:
        """Sends what was missed, from the log; what is live waits in the subscription."""
        store, table = self._house.store, self._actor.hall.table
        audience, player = subscription.audience, subscription.player
        for start in range(max(after, 0), until, CATCH_UP):
            end = min(start + CATCH_UP, until)
            reading = partial(_read, store, table, start, end)
            records: list[Record] = await self._house.blocking(reading)
            for record in records:
                await self._text(views.of_record(record, audience))
                mine = views.personal(record).get(player) if player else None
                if mine is not None:
                    await self._text(mine)

    async def _text(self, message: bytes) -> None:
        await self._socket.send_text(message.decode())

    # In -------------------------------------------------------------------------------------

    async def _receive(self) -> None:
        while True:
            try:
                message = await self._socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if message["type"] != "websocket.receive":
                return
            data = message.get("text") or message.get("bytes") or ""
            if len(data) > LARGEST_MESSAGE:
                await self._problem(None, "the message is too long")
                continue
            try:
                request = msgspec.json.decode(data, type=Request)
            except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as wrong:
                await self._problem(None, str(wrong))
                continue
            # Each is submitted at once, so that commands of one client keep their order.
            task = asyncio.create_task(self._answer(request))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
            await asyncio.sleep(0)

    async def _answer(self, request: Request) -> None:
        try:
            command = self._command(request)
            answer = await self._actor.submit(request.id, command, who=self._whose())
        except (BadCommandError, BusyError) as wrong:
            await self._problem(request.id, str(wrong))
        except TableStoppedError as stopped:
            await self._problem(request.id, f"{OUT_OF_PLAY}: {stopped}")
        else:
            if answer.refusal is not None and self._session is not None:
                self._session.give_back(self._actor.hall.table, request.id)
            await self._text(msgspec.json.encode(answer.as_data()))

    def _whose(self) -> str | None:
        """What the staff does at a player's wish is still the player's command."""
        session = self._session
        return session.name if session is not None and session.role is Role.PLAYER else None

    async def _problem(self, id: str | None, problem: str) -> None:
        await self._text(msgspec.json.encode({"problem": problem, "id": id}))

    def _command(self, request: Request) -> Command:
        session = self._session
        if session is None:
            raise BadCommandError("onlookers give no commands; take a name first")
        if not 0 < len(request.id) <= 64:
            raise BadCommandError("id: 1 to 64 characters")
        if not session.may(request.do):
            raise BadCommandError(f"do: {request.do} is not for a {session.role}")
        by = session.name
        if request.as_ is not None:
            if session.role is not Role.MANAGEMENT:
                raise BadCommandError("as: only the management acts for others")
            by = request.as_
        elif session.role is Role.MANAGEMENT:
            by = MANAGEMENT
        if request.do == "DrawBall" and session.role is not Role.PLAYER:
            return DrawBall(by=by)
        for told in STAFF_FIELDS & request.with_.keys():
            if session.role is Role.PLAYER:
                raise BadCommandError(f"{told}: that is for the staff to say")
        command = read_command(request.do, request.with_, by=by)
        if session.role is Role.PLAYER:
            return self._asked_of_staff(session, command, request.id)
        return command

    def _asked_of_staff(self, session: Session, command: Command, id: str) -> Command:
        """Chips and custody are handed out by the staff; a player asks for his own alone."""
        if not isinstance(command, BuyChips | ClaimCustody):
            return command
        if command.player != session.name:
            raise BadCommandError("player: you ask for yourself alone")
        act = Act.SELL_CHIPS if isinstance(command, BuyChips) else Act.PAY
        giver = self._actor.hall.state.who_may(act)
        if giver is None:
            raise BadCommandError("nobody is at the post that would give it")
        if isinstance(command, BuyChips) and not session.spend(
            self._actor.hall.table, id, command.amount
        ):
            raise BadCommandError(f"amount: you have {session.money} of play money")
        return replace(command, by=giver)


def _read(store: Store, table: str, after: int, until: int) -> list[Record]:
    return list(store.read(table, after=after, until=until))
