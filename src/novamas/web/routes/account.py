"""One's own account: signing in and out, a password, and what a player forbids himself."""

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
from novamas.web.schemas import Amount, Me, Shape, Whole, problems
from novamas.web.sessions import MARK, People, Session
from novamas.web.sign_in import SecondFactorError, TooOftenError, WrongPasswordError

log = logging.getLogger(__name__)

WRONG = "the name or the password is wrong, or you tried too often: then wait a quarter of an hour"
"""It is said to everybody alike, so that nobody learns which of it is so."""
Name = Annotated[str, Field(min_length=1, max_length=decide.LONGEST_NAME)]
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST)]

router = APIRouter(dependencies=[Depends(permitted)])


class SignIn(Shape):
    """Who wants to sign in, and for which post."""

    name: Name
    password: Secret
    post: Post = Post.PLAYER
    new: Secret | None = None
    """A password that takes the other's place: wanted where somebody else chose that one."""
    code: Annotated[str, Field(min_length=6, max_length=10)] | None = None
    """What an app shows, where the person has one as a second factor."""
    by: Literal["cookie", "token"] = "cookie"
    """Whether a browser keeps the session, where no script can read it, or a program."""


class SignedInAs(Shape):
    """A session."""

    name: str
    post: Post
    enrolling: bool
    """Whether a second factor must be enrolled before anything else is done."""
    token: str | None
    """For programs, if they asked for it."""


class Mode(Shape):
    """How a house is served."""

    mode: Literal["local", "house"]
    """To whoever sits at the machine, or to people with accounts."""
    me: Me | None
    """Whoever asks, if he is signed in."""


class NewPassword(Shape):
    """A password in place of another."""

    old: Secret
    new: Secret


class MySession(Shape):
    """Where somebody is signed in."""

    mark: str
    """The beginning of its hash, by which the register tells it from others."""
    post: Post
    opened: int
    """Since when, in milliseconds since 1970."""
    expires: int
    here: bool
    """Whether it is the one that asks."""


class Confirmed(Shape):
    """What is done with one's password alone: a session is not enough for it."""

    password: Secret


class NewLimit(Shape):
    """A limit that a player sets for himself; without an amount, none."""

    kind: LimitKind
    amount: Amount | None


class NewExclusion(Shape):
    """Until when a player shuts themselves out, in milliseconds since 1970; for good without it."""

    until: Annotated[Whole, Field(ge=0, le=2**53)] | None
    password: Secret | None = None
    """Needed for good: a seat that was left open is no way to shut its owner out."""


class Limit(Shape):
    """A limit that a player set for himself."""

    amount: int | None
    coming: int | None
    """A higher one that waits."""
    binds: int | None
    """From when on, in milliseconds since 1970."""


class Protection(Shape):
    """What a player forbids himself."""

    limits: dict[LimitKind, Limit]
    spent: int
    """What went to the tables in the last day, less what came back."""
    minutes: int
    """For how many minutes of the last day one was signed in as a player."""
    excluded_until: int | None


# Signing in and out -------------------------------------------------------------------------------


@router.get("/api/mode")
async def mode(who: Who, people: Folk) -> Mode:
    """Whether people sign in here, or come as guests; and who is signed in."""
    me = None
    if who is not None:
        money = people.registry.register.has(who.name)
        me = Me(name=who.name, role=who.post, money=money, enrolling=who.enrolling)
    return Mode(mode="local" if people.is_local else "house", me=me)


@router.post("/api/sign-in", responses=problems(400, 401, 403, 409, 413, 422, 429))
async def sign_in(body: SignIn, request: Request, response: Response, people: Folk) -> SignedInAs:
    """Lets somebody in who knows their password, and shows their code if they have an app."""
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
        # A code that came twice at the same moment is found out when it is used.
        status = 401 if problem.why is Problem.CODE_NOT_GOOD else 403
        raise refused(problem, status) from None
    return await let_in(request, response, people, opened, by=body.by)


def require_door(request: Request) -> str:
    """Refuses who would sign in where others listen, or from another site; gives the address."""
    if not is_private(request):
        raise NotDoneError(
            403, Problem.NOT_PRIVATE, "nobody signs in where others can listen: use https"
        )
    if not is_same_origin(request):
        raise NotDoneError(403, Problem.OTHER_PAGE, "this was not asked from a page of this house")
    return address_of(request.scope)


def too_often(address: str) -> NotDoneError:
    """Whoever failed too often waits."""
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
    told = token if by == "token" else None
    if told is None:
        # A browser has one cookie here: whoever was signed in by it before is so no longer.
        before, is_cookie = token_of(request)
        earlier = people.of(before) if is_cookie else None
        if earlier is not None:
            await people.end(earlier.id, by=earlier.name, reason="signed in again")
        give_cookie(request, response, token)
        mark = people.factors.device(session.name, people.registry.now())
        give_device(request, response, mark)
    return SignedInAs(name=session.name, post=session.post, enrolling=session.enrolling, token=told)


@router.post("/api/sign-out", status_code=204, responses=problems(401, 403))
async def sign_out(request: Request, response: Response, who: SignedIn, people: Folk) -> None:
    """Ends a session."""
    await people.end(who.id, by=who.name, reason="signed out")
    take_cookie(request, response)


@router.post("/api/me/presence", status_code=204, responses=problems(401, 403))
async def present(who: SignedIn) -> None:
    """Somebody is at his post, though he asks for nothing: so it is not idle."""


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
async def sessions(who: SignedIn, people: Folk) -> list[MySession]:
    """Where one is signed in."""
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
async def end_others(body: Confirmed, who: SignedIn, people: Folk) -> None:
    """Ends every session of one's own but the one that asks."""
    try:
        await people.end_others(who, password=body.password)
    except WrongPasswordError:
        log.info("sessions were not ended", extra={"why": "wrong", "session": who.mark})
        raise NotDoneError(403, Problem.NOT_RECOGNISED, f"password: {WRONG}") from None


# A player's own protection ------------------------------------------------------------------------


@router.get("/api/me/limits", responses=problems(401, 403))
async def limits(who: SignedIn, people: Folk) -> Protection:
    """What one forbids oneself."""
    return protection(people, who.name)


@router.put("/api/me/limits", responses=problems(400, 401, 403, 409, 413, 422))
async def limit(body: NewLimit, who: SignedIn, people: Folk) -> Protection:
    """Limits oneself: lower at once, higher after a day."""
    kind, amount = body.kind, body.amount
    try:
        await people.registry.do(
            lambda r, now: decide.set_limit(r, who.name, kind, amount, now=now)
        )
    except decide.RegisterError as problem:
        raise refused(problem) from None
    return protection(people, who.name)


@router.post("/api/me/exclusion", responses=problems(400, 401, 403, 409, 413, 422))
async def exclude(body: NewExclusion, who: SignedIn, people: Folk) -> Protection:
    """Shuts oneself out; at once, and nobody can let one in sooner. For good with the password."""
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
    """What somebody forbids himself."""
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
    """Until when somebody has shut himself out, if he has; in what a browser can count."""
    return min(person.excluded_until, 2**53) if person.is_excluded(now) else None
