"""The routes of people: signing in, the cash desk, posts, and what a player forbids himself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from pydantic import Field

from novamas.house.register import deciding
from novamas.house.register.events import LimitKind, Post
from novamas.house.register.keeping import LOG
from novamas.house.register.state import Person
from novamas.house.store import Record
from novamas.web.entrance import (
    CHALLENGE,
    Folk,
    SignedIn,
    address_of,
    give_cookie,
    is_private,
    is_same_origin,
    permitted,
    take_cookie,
    token_of,
)
from novamas.web.passwords import LONGEST, BadPasswordError
from novamas.web.people import People, Session, TooOftenError, WrongPasswordError
from novamas.web.shapes import Amount, Shape, problems

MOST_EVENTS = 1000
WRONG = "the name or the password is wrong, or was tried too often: then wait a quarter of an hour"
"""It is said to everybody alike, so that nobody learns which of it is so."""
LONGEST_NAME = deciding.LONGEST_NAME
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Reason = Annotated[str, Field(max_length=deciding.LONGEST_REASON)]

router = APIRouter(dependencies=[Depends(permitted)])


class SignIn(Shape):
    """Who wants to sign in, and for which post."""

    name: Name
    password: Secret
    post: Post = Post.PLAYER
    by: Literal["cookie", "token"] = "cookie"
    """Whether a browser keeps the session, where no script can read it, or a program."""


class SignedInAs(Shape):
    """A session."""

    name: str
    post: Post
    token: str | None
    """For programs, if they asked for it."""


class Mode(Shape):
    """How a house is served."""

    mode: Literal["local", "house"]
    """To whoever sits at the machine, or to people with accounts."""


class NewPassword(Shape):
    """A password in place of another."""

    old: Secret
    new: Secret


class OtherPassword(Shape):
    """A password for somebody who has forgotten his."""

    new: Secret


class NewPerson(Shape):
    """Somebody whom the house shall know."""

    name: Name
    password: Secret
    posts: Annotated[list[Post], Field(min_length=1, max_length=len(Post))]


class NewPosts(Shape):
    """The posts that somebody may hold."""

    posts: Annotated[list[Post], Field(max_length=len(Post))]
    """None at all lets him in no more."""
    reason: Reason


class NewLimit(Shape):
    """A limit that a player sets for himself; without an amount, none."""

    kind: LimitKind
    amount: Amount | None


class NewExclusion(Shape):
    """Until when a player shuts himself out, in milliseconds since 1970; for good without it."""

    until: Annotated[int, Field(ge=0, le=2**53)] | None


class Cash(Shape):
    """Money over the cash desk; one that comes twice under an id counts once."""

    amount: Amount
    id: Annotated[str, Field(min_length=1, max_length=64)]


class Limit(Shape):
    """A limit that a player set for himself."""

    amount: int | None
    coming: int | None
    """A higher one that waits."""
    binds: int | None
    """From when on, in milliseconds since 1970."""


class Known(Shape):
    """Somebody whom the house knows."""

    name: str
    posts: list[Post]
    guest: bool
    locked_until: int | None
    excluded_until: int | None
    signed_in: int
    """How many sessions he has."""


class Wallet(Shape):
    """What somebody has at the house."""

    name: str
    money: int
    under_way: int
    """What has left the wallet and is not at its table yet."""


class Protection(Shape):
    """What a player forbids himself."""

    limits: dict[LimitKind, Limit]
    spent: int
    """What went to the tables in the last day, less what came back."""
    excluded_until: int | None


class Entry(Shape):
    """An event of the register; what is secret in it is left out."""

    seq: int
    at: int
    type: str
    data: dict[str, Any]
    hash: str


def _refused(problem: Exception) -> HTTPException:
    return HTTPException(409, str(problem))


# Signing in and out -------------------------------------------------------------------------------


@router.get("/api/mode")
async def mode(people: Folk) -> Mode:
    """Whether people sign in here, or come as guests."""
    return Mode(mode="local" if people.is_local else "house")


@router.post("/api/sign-in", responses=problems(400, 401, 403, 409, 413, 422, 429))
async def sign_in(body: SignIn, request: Request, response: Response, people: Folk) -> SignedInAs:
    """Lets somebody in who knows his password."""
    if not is_private(request):
        raise HTTPException(403, "nobody signs in where others can listen: use https")
    if not is_same_origin(request):
        raise HTTPException(403, "this was not asked from a page of this house")
    address = address_of(request.scope)
    try:
        token, session = await people.sign_in(body.name, body.password, body.post, address=address)
    except WrongPasswordError:
        raise HTTPException(401, WRONG, CHALLENGE) from None
    except TooOftenError:
        raise HTTPException(429, "too many tries; wait a minute", {"Retry-After": "60"}) from None
    except deciding.RegisterError as problem:
        raise HTTPException(403, str(problem)) from None
    told = token if body.by == "token" else None
    if told is None:
        # A browser has one cookie here: whoever was signed in by it before is so no longer.
        before, is_cookie = token_of(request)
        earlier = people.of(before) if is_cookie else None
        if earlier is not None:
            await people.end(earlier.id, by=earlier.name, reason="signed in again")
        give_cookie(request, response, token)
    return SignedInAs(name=session.name, post=session.post, token=told)


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
        await people.change_password(who.name, old=body.old, new=body.new)
    except WrongPasswordError:
        raise HTTPException(403, f"old: {WRONG}") from None
    except (BadPasswordError, deciding.RegisterError) as problem:
        raise _refused(problem) from None


# A player's own protection ------------------------------------------------------------------------


@router.put("/api/me/limits", responses=problems(400, 401, 403, 409, 413, 422))
async def limit(body: NewLimit, who: SignedIn, people: Folk) -> Protection:
    """Limits oneself: lower at once, higher after a day."""
    kind, amount = body.kind, body.amount
    try:
        await people.registry.do(
            lambda r, now: deciding.set_limit(r, who.name, kind, amount, now=now)
        )
    except deciding.RegisterError as problem:
        raise _refused(problem) from None
    return protection(people, who.name)


@router.post("/api/me/exclusion", responses=problems(400, 401, 403, 409, 413, 422))
async def exclude(body: NewExclusion, who: SignedIn, people: Folk) -> Protection:
    """Shuts oneself out; at once, and nobody can let one in sooner."""
    try:
        await people.registry.do(lambda r, now: deciding.exclude(r, who.name, body.until, now=now))
    except deciding.RegisterError as problem:
        raise _refused(problem) from None
    return protection(people, who.name)


def protection(people: People, name: str) -> Protection:
    """What somebody forbids himself."""
    now, person = people.registry.now(), deciding.known(people.registry.register, name)
    limits = {}
    for kind in LimitKind:
        coming = person.coming(kind, now)
        limits[kind] = Limit(
            amount=person.limit(kind, now),
            coming=coming[1] if coming is not None else None,
            binds=coming[0] if coming is not None else None,
        )
    return Protection(
        limits=limits, spent=person.spent_in_a_day(now), excluded_until=_until(person, now)
    )


def _until(person: Person, now: int) -> int | None:
    return min(person.excluded_until, 2**53) if person.is_excluded(now) else None


# People -------------------------------------------------------------------------------------------


def _shown(people: People, person: Person) -> Known:
    now = people.registry.now()
    sessions = people.registry.register.sessions.values()
    return Known(
        name=person.name,
        posts=list(person.posts),
        guest=person.guest,
        locked_until=person.locked_until if now < person.locked_until else None,
        excluded_until=_until(person, now),
        signed_in=sum(1 for each in sessions if each.name == person.name),
    )


@router.get("/api/people", responses=problems(401, 403))
async def everybody(people: Folk) -> list[Known]:
    """Everybody whom the house knows."""
    return [_shown(people, person) for person in people.registry.register.people.values()]


@router.post("/api/people", status_code=201, responses=problems(400, 401, 403, 409, 413, 422))
async def register(body: NewPerson, who: SignedIn, people: Folk) -> Known:
    """Makes somebody known."""
    try:
        person = await people.register(
            body.name, body.password, _allowed(who, body.posts), by=who.name
        )
    except (BadPasswordError, deciding.RegisterError) as problem:
        raise _refused(problem) from None
    return _shown(people, person)


def _allowed(who: Session, posts: list[Post]) -> tuple[Post, ...]:
    """Nobody gives what only a machine of one's own has."""
    if Post.MANAGEMENT in posts:
        raise HTTPException(403, f"posts: {who.post.spoken} does not give this one")
    return tuple(post for post in Post if post in posts)


@router.put("/api/people/{name}/posts", responses=problems(400, 401, 403, 409, 413, 422))
async def change_posts(name: str, body: NewPosts, who: SignedIn, people: Folk) -> Known:
    """Gives posts to somebody, or takes them."""
    posts = _allowed(who, body.posts)
    try:
        await people.registry.do(
            lambda r, _: deciding.change_posts(r, name, posts, by=who.name, reason=body.reason)
        )
        return _shown(people, deciding.known(people.registry.register, name))
    except deciding.RegisterError as problem:
        raise _refused(problem) from None


@router.put(
    "/api/people/{name}/password",
    status_code=204,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def other_password(name: str, body: OtherPassword, who: SignedIn, people: Folk) -> None:
    """Sets a password for somebody who has forgotten his."""
    try:
        await people.set_password(name, body.new, by=who.name)
    except (BadPasswordError, deciding.RegisterError) as problem:
        raise _refused(problem) from None


@router.delete(
    "/api/people/{name}/sessions",
    status_code=204,
    responses=problems(400, 401, 403, 409, 422),
)
async def revoke(
    name: str,
    who: SignedIn,
    people: Folk,
    reason: Annotated[str, Query(max_length=deciding.LONGEST_REASON)] = "",
) -> None:
    """Ends every session of somebody, at once and on every server."""
    try:
        deciding.known(people.registry.register, name)
        await people.registry.do(
            lambda r, _: deciding.end_sessions(r, name, by=who.name, reason=reason or "revoked")
        )
    except deciding.RegisterError as problem:
        raise _refused(problem) from None


SECRET_FIELDS = frozenset(("password",))
"""What of the register not even an auditor sees."""
SHORT = 8
"""So much of a session's hash is shown: enough to tell it from others."""


@router.get("/api/register", responses=problems(401, 403, 422))
async def log(
    request: Request,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = MOST_EVENTS,
) -> list[Entry]:
    """The register's log: who did what to whom, and when."""
    house = request.app.state.lobby.house
    read: list[Record] = await house.blocking(
        lambda: list(house.store.read(LOG, after=after, until=after + most))
    )
    return [_entry(record) for record in read]


def _entry(record: Record) -> Entry:
    data = msgspec.json.decode(record.payload)
    shown = {key: value for key, value in data.items() if key not in SECRET_FIELDS}
    if "session" in shown:
        shown["session"] = shown["session"][:SHORT]
    return Entry(seq=record.seq, at=record.at, type=record.type, data=shown, hash=record.hash.hex())


# The cash desk ------------------------------------------------------------------------------------


def _wallet(people: People, name: str) -> Wallet:
    register = people.registry.register
    person = deciding.known(register, name)
    moving = sum(each.amount for each in register.under_way.values() if each.name == person.name)
    return Wallet(name=person.name, money=register.has(person.name), under_way=moving)


@router.get("/api/desk/{name}", responses=problems(401, 403, 409, 422))
async def wallet(name: str, people: Folk) -> Wallet:
    """What somebody has at the house."""
    try:
        return _wallet(people, name)
    except deciding.RegisterError as problem:
        raise _refused(problem) from None


@router.post("/api/desk/{name}/in", responses=problems(400, 401, 403, 409, 413, 422))
async def buy_in(name: str, body: Cash, who: SignedIn, people: Folk) -> Wallet:
    """A player brings money."""
    try:
        await people.registry.do(
            lambda r, now: deciding.take_cash(
                r, name, body.amount, id=body.id, by=who.name, now=now
            )
        )
        return _wallet(people, name)
    except deciding.RegisterError as problem:
        raise _refused(problem) from None


@router.post("/api/desk/{name}/out", responses=problems(400, 401, 403, 409, 413, 422))
async def cash_out(name: str, body: Cash, who: SignedIn, people: Folk) -> Wallet:
    """A player is paid out of his wallet."""
    try:
        await people.registry.do(
            lambda r, _: deciding.pay_cash(r, name, body.amount, id=body.id, by=who.name)
        )
        return _wallet(people, name)
    except deciding.RegisterError as problem:
        raise _refused(problem) from None
