"""Commands from a socket: what a client's message asks for, and whether its sender may ask it.

The message is validated here, once; the name under which a command is given comes from the session,
never from the client. What a command means for chips and money is not decided here, but at the
table (`house/table`).
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, get_type_hints

import msgspec

from novamas.game.wheel import Pocket, is_zero
from novamas.house.people.approvals import require_apart
from novamas.house.people.events import Post
from novamas.house.refusals import BadCommandError, Problem
from novamas.house.table import on_behalf, proposals
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import COMMANDS, ConfirmProposal
from novamas.table.commands import BuyChips, ClaimCustody, Command, TakePost
from novamas.table.identity import MANAGEMENT, Automatic, Identity, Officer, read_identity
from novamas.web.permissions import MESSAGES, not_for_players
from novamas.web.sessions import People, Session

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
        "ReopenTable",
        "RaiseDispute",
        "DecideDispute",
        "ConfirmProposal",
        "DropProposal",
        "OpenBank",
        "FillBank",
        "CreditBank",
        "CountBank",
        "SignFloat",
        "EmptyBox",
    )
)
"""Commands that staff without a post at the table may give."""


class Request(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message from a client."""

    id: str
    do: str
    with_: dict[str, Any] = msgspec.field(default_factory=dict, name="with")
    as_: str | None = msgspec.field(default=None, name="as")
    """The person for whom the management acts."""


_REQUEST = msgspec.json.Decoder(Request)


def read_request(message: str | bytes) -> Request | str:
    """Parses a client's message; returns the request, or a text that says what is wrong with it."""
    if len(message) > LARGEST_MESSAGE:
        return "the message is too long"
    try:
        return _REQUEST.decode(message)
    except (msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        return str(wrong)
    except RecursionError:
        return "the message is nested too deep"


_POCKETS = {
    name: tuple(field for field, hint in get_type_hints(kind).items() if hint == Pocket)
    for name, kind in COMMANDS.items()
}
"""Command → its fields that name a pocket."""


def read_command(name: object, fields: dict[str, Any], *, by: Identity) -> Command:
    """Reads a command from a client's fields; `by` comes from the session, never the client."""
    kind = COMMANDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadCommandError(f"do: no command {name!r}")
    if "by" in fields:
        raise BadCommandError("by: the house knows who you are")
    allowed = kind.__dataclass_fields__
    for field in fields:
        if field not in allowed:
            raise BadCommandError(f"{field}: {name} has no such field")
    try:
        command: Command = msgspec.convert({**fields, "by": str(by)}, type=kind, strict=True)
    except msgspec.ValidationError as problem:
        raise BadCommandError(str(problem)) from None
    for field in _POCKETS[kind.__name__]:
        value = getattr(command, field)
        if isinstance(value, str) and not is_zero(value):
            raise BadCommandError(f"{field}: expected a whole number, or a zero such as '00'")
    return command if isinstance(by, str) else replace(command, by=by)


class CommandReader:
    """Reads the commands of one session at one table."""

    def __init__(
        self, actor: TableActor, session: Session | None, people: People, *, address: str
    ) -> None:
        self._actor = actor
        self._session = session
        self._people = people
        self._address = address

    def read(self, request: Request) -> Command:
        """The command of a request; raises an error if the sender may not give it."""
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
            self.log_denial("not permitted", request.do)
            raise BadCommandError(
                f"do: {request.do} is not for {session.post.spoken}", Problem.NOT_FOR_YOU
            )
        if request.as_ is not None and session.post is not Post.MANAGEMENT:
            self.log_denial("not permitted", "as")
            raise BadCommandError("as: only the management acts for others")
        if session.is_player:
            return self._of_player(session, request)
        return self._of_staff(session, request)

    def log_denial(self, said: str, why: str | None) -> None:
        """Logs a denied request with the mark of its session, without the name of the person."""
        mark = self._session.mark if self._session is not None else None
        told = {"table": self._actor.house_table.table, "why": why, "session": mark}
        log.info(said, extra={**told, "address": self._address})

    def _of_player(self, session: Session, request: Request) -> Command:
        state = self._actor.house_table.state
        if session.name in state.staff:
            raise BadCommandError(
                "someone of your name is of the staff here; take another name",
                Problem.NAME_OF_STAFF,
            )
        command = read_command(request.do, request.with_, by=session.name)
        said = not_for_players(request.do, request.with_)
        if said is not None:
            self.log_denial("not permitted", f"{request.do}.{said}")
            raise BadCommandError(f"{said}: that is for the staff to say", Problem.NOT_FOR_YOU)
        if isinstance(command, BuyChips | ClaimCustody):
            if command.player != session.name:
                raise BadCommandError("player: you ask for yourself alone")
            return on_behalf.handed_out(state, command)
        return command

    def _of_staff(self, session: Session, request: Request) -> Command:
        state = self._actor.house_table.state
        acting = None if request.as_ is None else read_identity(request.as_)
        by = acting or self._identity(session, request.do)
        command = read_command(request.do, request.with_, by=by)
        if isinstance(command, TakePost) and session.post is not Post.MANAGEMENT:
            self._require_post(session, command)
        if isinstance(command, ConfirmProposal):
            self._require_apart(session, command)
        if session.post is Post.CROUPIER:
            return on_behalf.sold_at_table(command)
        if session.post is Post.CASHIER and isinstance(command, ClaimCustody):
            return on_behalf.handed_out(state, command)
        return on_behalf.announced(state, command)

    def _identity(self, session: Session, do: str) -> Identity:
        """Who a member of the staff is in a command: a person at the table, or an officer."""
        if session.post is Post.MANAGEMENT:
            return MANAGEMENT
        if session.post is Post.CROUPIER:
            return session.name  # Their post at the table decides what they may do.
        at_table = session.name in self._actor.house_table.state.staff
        return session.name if at_table or do not in OFFICERS else Officer(session.name)

    def _require_post(self, session: Session, command: TakePost) -> None:
        """Refuses a post that is not for the session's, and the relief of another person."""
        post = self._actor.house_table.state.book.posts.get(command.post)
        if post is not None and post.watches != (session.post is Post.CHIEF):
            raise BadCommandError(
                f"post: {post.word} is not for {session.post.spoken}", Problem.NOT_FOR_YOU
            )
        relieved = command.relieves
        if relieved is not None and Automatic.read(relieved) is None:
            raise BadCommandError(
                f"relieves: {relieved} must leave the post themselves; "
                "only the automatic croupier can be relieved by another",
                Problem.NOT_FOR_YOU,
            )

    def _require_apart(self, session: Session, command: ConfirmProposal) -> None:
        """Refuses a confirmation by a person who recently got their post from the proposer."""
        proposal = self._actor.house_table.proposals.get(command.id)
        if proposal is not None:
            registry, first = self._people.registry, proposals.person(read_identity(proposal.by))
            require_apart(registry.register, first, session.name, now=registry.now())
