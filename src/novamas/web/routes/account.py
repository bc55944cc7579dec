"""One's own account: signing in and out, the password, and a player's own limits."""

from __future__ import annotations

import logging
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from novamas.house.people import decide
from novamas.house.people.events import LimitKind, Post
from novamas.house.people.state import Person
from novamas.house.refusals import Problem
from novamas.web.auth import (
    CHALLENGE,
    Folk,
    SignedIn,
    Who,
    address_of,
    device_of,
    give_cookie,
    give_device,
    is_private,
    is_same_origin,
    permitted,
    take_cookie,
    token_of,
)
from novamas.web.errors import NotDoneError, refused
from novamas.web.passwords import LONGEST, BadPasswordError
from novamas.web.schemas import Amount, Guest, Key, Me, Opened, Shape, Whole, problems
from novamas.web.sessions import MARK, People, Session
from novamas.web.sign_in import SecondFactorError, TooOftenError, WrongPasswordError

log = logging.getLogger(__name__)

WRONG = "the name or the password is wrong, or you tried too often: then wait a quarter of an hour"
"""Always the same text, so that it does not reveal which of the causes applies."""
Name = Annotated[str, Field(min_length=1, max_length=decide.LONGEST_NAME)]
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST)]

router = APIRouter(dependencies=[Depends(permitted)], tags=["account"])


class SignIn(Shape):
    """A sign-in, and the post that it is for."""

    name: Name
    password: Secret
    """The password of the person."""
    post: Post = Post.PLAYER
    """The post to sign in for."""
    new: Secret | None = None
    """The new password, required if somebody else chose the current one."""
    code: Annotated[str, Field(min_length=6, max_length=10)] | None = None
    """The code of an authenticator app, if the person has one as a second factor."""
    by: Literal["cookie", "token"] = "cookie"
    """Whether the token goes into a cookie that scripts cannot read, or into the answer."""


class SignedInAs(Shape):
    """A session."""

    name: str
    post: Post
    """The post that the session is for."""
    enrolling: bool
    """Whether a second factor must be enrolled before anything else is done."""
    token: str | None
    """The token, if a program asked for it."""


class Mode(Shape):
    """How a house is served."""

    mode: Literal["local", "house"]
    """Local, without accounts, or a house with accounts."""
    me: Me | None
    """The person who asks, if they are signed in."""


class NewPassword(Shape):
    """A new password in place of the old one."""

    old: Secret
    """The current password."""
    new: Secret
    """The new password."""


class MySession(Shape):
    """A session of one's own."""

    mark: str
    """The first letters of its hash, which identify it in the register."""
    post: Post
    """The post that the session is for."""
    opened: int
    """When it was opened, in milliseconds since 1970."""
    expires: int
    """When it expires, in milliseconds since 1970."""
    here: bool
    """Whether it is the session of this request."""


class Confirmed(Shape):
    """The password, for actions for which a session alone is not enough."""

    password: Secret
    """The password of the person who asks."""


class NewLimit(Shape):
    """A limit that players set for themselves; no amount removes it."""

    kind: LimitKind
    """What the limit bounds."""
    amount: Amount | None
    """The limit, in money or in minutes; none removes it."""


class NewExclusion(Shape):
    """Until when players exclude themselves, in milliseconds since 1970; None is permanent."""

    until: Annotated[Whole, Field(ge=0, le=2**53)] | None
    """The end of the exclusion, in milliseconds since 1970; none makes it permanent."""
    password: Secret | None = None
    """Required for a permanent exclusion, so that nobody else can do it at an unlocked screen."""


class Limit(Shape):
    """A limit that players set for themselves."""

    amount: int | None
    """The limit that is in force, in money or in minutes, if there is one."""
    coming: int | None
    """A higher limit that is not in force yet."""
    binds: int | None
    """When the higher limit comes into force, in milliseconds since 1970."""


class Protection(Shape):
    """The limits and exclusion that players set for themselves."""

    limits: dict[LimitKind, Limit]
    """Kind of limit → the limit."""
    spent: int
    """Money taken to the tables in the last day, less what came back."""
    minutes: int
    """Minutes of the last day in which the person was signed in as a player."""
    excluded_until: int | None
    """Until when the person has excluded themselves; none if they have not."""


# Signing in and out -------------------------------------------------------------------------------


@router.post("/api/guests", status_code=201, responses=problems(400, 403, 409, 413, 422))
async def sign_in_guest(body: Guest, people: Folk) -> Opened:
    """Signs in a guest: name, token and play money. Only a local house has guests."""
    try:
        opened = await people.guest(body.name)
    except decide.ShutOutError as problem:
        raise refused(problem, 403) from None
    except decide.RegisterError as problem:
        raise refused(problem) from None
    return _opened(people, opened)


@router.post("/api/sessions", status_code=201, responses=problems(400, 403, 413, 422))
async def open_console(body: Key, people: Folk) -> Opened:
    """Opens a console with its one-time key. Only a local house has such keys."""
    opened = await people.use_key(body.key)
    if opened is None:
        raise NotDoneError(403, Problem.KEY_NOT_GOOD, "the key is not good, or was used before")
    return _opened(people, opened)


def _opened(people: People, opened: tuple[str, Session]) -> Opened:
    token, session = opened
    money = people.registry.register.has(session.name)
    return Opened(
        token=token,
        name=session.name,
        role=session.post,
        money=money,
        enrolling=session.enrolling,
    )


@router.get("/api/me", responses=problems(401, 422))
async def get_me(who: SignedIn, people: Folk) -> Me:
    """The person who asks, and their money that is at no table."""
    return _me(people, who)


def _me(people: People, who: Session) -> Me:
    money = people.registry.register.has(who.name)
    return Me(name=who.name, role=who.post, money=money, enrolling=who.enrolling)


@router.get("/api/mode")
async def get_mode(who: Who, people: Folk) -> Mode:
    """Whether people sign in here or come as guests, and who is signed in."""
    me = _me(people, who) if who is not None else None
    return Mode(mode="local" if people.is_local else "house", me=me)


@router.post("/api/sign-in", responses=problems(400, 401, 403, 409, 413, 422, 429))
async def sign_in(body: SignIn, request: Request, response: Response, people: Folk) -> SignedInAs:
    """Signs in with a password, and with a code if the person has an authenticator app."""
    address = require_door(request)
    source = people.known_source(body.name, address=address, device=device_of(request))
    try:
        opened = await people.sign_in(
            body.name, body.password, body.post, source=source, new=body.new, code=body.code
        )
    except WrongPasswordError:
        log.info("a sign-in failed", extra={"why": "wrong", "address": address})
        raise NotDoneError(401, Problem.NOT_RECOGNISED, WRONG, CHALLENGE) from None
    except SecondFactorError as problem:
        log.info("a sign-in failed", extra={"why": problem.why, "address": address})
        status = 503 if problem.why is Problem.CODES_NOT_CHECKED else 401
        raise NotDoneError(status, problem.why, str(problem), CHALLENGE) from None
    except TooOftenError:
        raise too_often(address) from None
    except BadPasswordError as problem:
        raise refused(problem) from None
    except decide.RegisterError as problem:
        # A code that is sent twice at the same moment is refused when it is used up.
        status = 401 if problem.why is Problem.CODE_NOT_GOOD else 403
        raise refused(problem, status) from None
    return await let_in(request, response, people, opened, by=body.by)


def require_door(request: Request) -> str:
    """Refuses sign-ins over an unencrypted connection or from another site; returns the address."""
    if not is_private(request):
        raise NotDoneError(
            403, Problem.NOT_PRIVATE, "nobody signs in where others can listen: use https"
        )
    if not is_same_origin(request):
        raise NotDoneError(403, Problem.OTHER_PAGE, "this was not asked from a page of this house")
    return address_of(request.scope)


def too_often(address: str) -> NotDoneError:
    """The error for an address with too many failed sign-ins."""
    log.warning("a sign-in failed", extra={"why": "too many tries", "address": address})
    return NotDoneError(
        429, Problem.TOO_OFTEN, "too many tries; wait a minute", {"Retry-After": "60"}
    )


async def let_in(
    request: Request,
    response: Response,
    people: People,
    opened: tuple[str, Session],
    *,
    by: Literal["cookie", "token"],
) -> SignedInAs:
    """Hands out a session: to a browser as a cookie, to a program as a token."""
    token, session = opened
    address = address_of(request.scope)
    log.info("signed in", extra={"session": session.mark, "address": address})
    shown_token = token if by == "token" else None
    if shown_token is None:
        # A browser has one session cookie, so the session that it held before ends.
        before, is_cookie = token_of(request)
        earlier = people.of(before) if is_cookie else None
        if earlier is not None:
            await people.end(earlier.id, by=earlier.name, reason="signed in again")
        give_cookie(request, response, token)
        mark = people.factors.device(session.name, people.registry.now())
        give_device(request, response, mark)
    return SignedInAs(
        name=session.name, post=session.post, enrolling=session.enrolling, token=shown_token
    )


@router.post("/api/sign-out", status_code=204, responses=problems(401, 403))
async def sign_out(request: Request, response: Response, who: SignedIn, people: Folk) -> None:
    """Ends a session."""
    await people.end(who.id, by=who.name, reason="signed out")
    take_cookie(request, response)


@router.post("/api/me/presence", status_code=204, responses=problems(401, 403))
async def report_presence(who: SignedIn) -> None:
    """Records that a person is at their post, so that the session does not become idle."""


@router.put("/api/me/password", status_code=204, responses=problems(400, 401, 403, 409, 413, 422))
async def change_password(body: NewPassword, who: SignedIn, people: Folk) -> None:
    """Changes one's own password; every session ends."""
    try:
        await people.change_password(who, old=body.old, new=body.new)
    except WrongPasswordError:
        log.info("a password was not changed", extra={"why": "wrong", "session": who.mark})
        raise NotDoneError(403, Problem.NOT_RECOGNISED, f"old: {WRONG}") from None
    except (BadPasswordError, decide.RegisterError) as problem:
        raise refused(problem) from None


@router.get("/api/me/sessions", responses=problems(401, 403))
async def list_sessions(who: SignedIn, people: Folk) -> list[MySession]:
    """Lists one's own sessions."""
    return [
        MySession(
            mark=each.id[:MARK],
            post=each.post,
            opened=each.opened,
            expires=min(each.expires, 2**53),
            here=each.id == who.id,
        )
        for each in people.registry.register.sessions.values()
        if each.name == who.name and people.why_over(each) is None
    ]


@router.post(
    "/api/me/sessions/end", status_code=204, responses=problems(400, 401, 403, 409, 413, 422)
)
async def end_other_sessions(body: Confirmed, who: SignedIn, people: Folk) -> None:
    """Ends all of one's own sessions except the one of this request."""
    try:
        await people.end_others(who, password=body.password)
    except WrongPasswordError:
        log.info("sessions were not ended", extra={"why": "wrong", "session": who.mark})
        raise NotDoneError(403, Problem.NOT_RECOGNISED, f"password: {WRONG}") from None


# A player's own protection ------------------------------------------------------------------------


@router.get("/api/me/limits", responses=problems(401, 403))
async def get_limits(who: SignedIn, people: Folk) -> Protection:
    """One's own limits."""
    return protection(people, who.name)


@router.put("/api/me/limits", responses=problems(400, 401, 403, 409, 413, 422))
async def set_limit(body: NewLimit, who: SignedIn, people: Folk) -> Protection:
    """Sets one's own limit: a lower one at once, a higher one after a day."""
    kind, amount = body.kind, body.amount
    try:
        await people.registry.do(
            lambda r, now: decide.set_limit(r, who.name, kind, amount, now=now)
        )
    except decide.RegisterError as problem:
        raise refused(problem) from None
    return protection(people, who.name)


@router.post("/api/me/exclusion", responses=problems(400, 401, 403, 409, 413, 422))
async def exclude_self(body: NewExclusion, who: SignedIn, people: Folk) -> Protection:
    """Excludes oneself at once; nobody can lift it early. A permanent one needs the password."""
    try:
        person = decide.known(people.registry.register, who.name)
        if body.until is None and not person.guest:
            await people.confirm(who, body.password or "")
        await people.registry.do(lambda r, now: decide.exclude(r, who.name, body.until, now=now))
    except WrongPasswordError:
        log.info("nobody was shut out", extra={"why": "wrong", "session": who.mark})
        raise NotDoneError(403, Problem.NOT_RECOGNISED, f"password: {WRONG}") from None
    except decide.RegisterError as problem:
        raise refused(problem) from None
    return protection(people, who.name)


def protection(people: People, name: str) -> Protection:
    """The limits and exclusion of a person."""
    now, person = people.registry.now(), decide.known(people.registry.register, name)
    limits = {}
    for kind in LimitKind:
        coming = person.coming(kind, now)
        limits[kind] = Limit(
            amount=person.limit(kind, now),
            coming=coming[1] if coming is not None else None,
            binds=coming[0] if coming is not None else None,
        )
    return Protection(
        limits=limits,
        spent=person.spent_in_a_day(now),
        minutes=people.registry.register.player_time(person, now) // 60_000,
        excluded_until=excluded_until(person, now),
    )


def excluded_until(person: Person, now: int) -> int | None:
    """Until when a person is excluded, if they are; as a number that JavaScript can represent."""
    return min(person.excluded_until, 2**53) if person.is_excluded(now) else None
