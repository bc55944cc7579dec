"""Administration of people and their posts, and the cash desk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from novamas.house.log.store import Record
from novamas.house.people import approvals, decide
from novamas.house.people.approvals import Details
from novamas.house.people.events import ActForTwo, Post, RegisterEvent
from novamas.house.people.registry import LOG, Order
from novamas.house.people.state import Person, Register, sound
from novamas.house.refusals import Problem
from novamas.web.auth import Folk, SignedIn, permitted
from novamas.web.errors import NotDoneError, refused
from novamas.web.passwords import BadPasswordError
from novamas.web.routes.account import Name, Secret, excluded_until
from novamas.web.routes.approvals import WAITS, Approval, Reason, ask
from novamas.web.routes.tables import MOST_EVENTS, After, Most
from novamas.web.schemas import Amount, Shape, problems
from novamas.web.sessions import MARK, People, Session

PersonName = Annotated[str, Path(description="The name of the person.")]

router = APIRouter(dependencies=[Depends(permitted)], tags=["people"])
cash_desk = APIRouter(dependencies=[Depends(permitted)], tags=["desk"])


class OtherPassword(Shape):
    """A new password for somebody who has forgotten theirs."""

    new: Secret
    """The new password."""
    reason: Reason = ""
    """For the person who approves it."""


class NewPerson(Shape):
    """A person to register."""

    name: Name
    password: Secret
    """The first password, which the person replaces when they sign in."""
    posts: Annotated[list[Post], Field(min_length=1, max_length=len(Post))]
    """The posts that the person may hold."""
    reason: Reason = ""
    """For the person who approves it: required if one of the posts is a staff post."""


class NewPosts(Shape):
    """The posts that somebody may hold."""

    posts: Annotated[list[Post], Field(max_length=len(Post))]
    """An empty list locks the person out."""
    reason: Reason


class Cash(Shape):
    """Money over the cash desk; the same id counts only once."""

    amount: Amount
    id: Annotated[str, Field(min_length=1, max_length=64)]
    """An id of one's own for this payment: a repeated request under it counts once."""
    reason: Reason = ""
    """For the person who approves it: required above the limit for one person alone."""


class Known(Shape):
    """A registered person."""

    name: str
    posts: list[Post]
    """The posts that the person may hold."""
    guest: bool
    """Whether the person came as a guest, without a password."""
    locked_until: int | None
    """Until when a stranger needs more than the password to sign in, if the name is locked."""
    excluded_until: int | None
    """Until when the person has excluded themselves from play; none if they have not."""
    signed_in: int
    """How many sessions they have."""


class Wallet(Shape):
    """The wallet of a person."""

    name: str
    money: int


class Entry(Shape):
    """An event of the register, without its secret fields."""

    seq: int
    at: int
    type: str
    """The name of the event."""
    data: dict[str, Any]
    """The fields of the event."""
    hash: str
    """The hash of the event, which includes the hash of the one before it."""


# People -------------------------------------------------------------------------------------------


def _shown(people: People, person: Person) -> Known:
    now = people.registry.now()
    sessions = people.registry.register.sessions.values()
    return Known(
        name=person.name,
        posts=list(person.posts),
        guest=person.guest,
        locked_until=person.locked_until if now < person.locked_until else None,
        excluded_until=excluded_until(person, now),
        signed_in=sum(1 for each in sessions if each.name == person.name),
    )


@router.get("/api/people", responses=problems(401, 403))
async def list_people(people: Folk) -> list[Known]:
    """Everybody in the register."""
    return [_shown(people, person) for person in people.registry.register.people.values()]


@router.post(
    "/api/people",
    response_model=Known,
    status_code=201,
    responses=WAITS | problems(400, 401, 403, 409, 413, 422),
)
async def register_person(body: NewPerson, who: SignedIn, people: Folk) -> Known | JSONResponse:
    """Registers a person: a player at once, staff after a second person's approval."""
    posts = _allowed(who, body.posts)
    try:
        if not approvals.needs_two((), posts):
            person = await people.register(body.name, body.password, posts, by=who.name)
            return _shown(people, person)
        name = decide.clean_name(body.name)
        kept = await people.hashed(body.password, name=name)
    except (BadPasswordError, decide.RegisterError) as problem:
        raise refused(problem) from None
    act, details = ActForTwo.REGISTER_STAFF, _details(posts)
    return await ask(people, who, act, name, details, reason=body.reason, password=kept)


def _details(posts: tuple[Post, ...]) -> Details:
    return {"posts": [post.value for post in posts]}


def _allowed(who: Session, posts: list[Post]) -> tuple[Post, ...]:
    """Refuses posts that exist only in a local house."""
    if Post.MANAGEMENT in posts:
        raise NotDoneError(
            403, Problem.POST_NOT_GIVEN, f"posts: {who.post.spoken} does not give this one"
        )
    return tuple(post for post in Post if post in posts)


@router.put(
    "/api/people/{name}/posts",
    response_model=Known,
    responses=WAITS | problems(400, 401, 403, 409, 413, 422),
)
async def change_posts(
    name: PersonName, body: NewPosts, who: SignedIn, people: Folk
) -> Known | JSONResponse:
    """Changes somebody's posts; changes of staff posts need two people."""
    posts = _allowed(who, body.posts)

    def alone(r: Register, _: int) -> Iterator[RegisterEvent]:
        if approvals.needs_two(decide.known(r, name).posts, posts):
            raise decide.TakesTwoError(Problem.TAKES_TWO, "posts: a second person approves it")
        return decide.change_posts(r, name, posts, by=who.name, reason=body.reason)

    try:
        await people.registry.do(alone)
        return _shown(people, decide.known(people.registry.register, name))
    except decide.TakesTwoError:
        known = decide.known(people.registry.register, name).name
        act = ActForTwo.CHANGE_POSTS
        return await ask(people, who, act, known, _details(posts), reason=body.reason)
    except decide.RegisterError as problem:
        raise refused(problem) from None


@router.put(
    "/api/people/{name}/password",
    response_model=Approval,
    status_code=202,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def request_password(
    name: PersonName, body: OtherPassword, who: SignedIn, people: Folk
) -> JSONResponse:
    """Requests a new password for somebody who has forgotten theirs.

    A second person must approve it, because a person who knows the password could sign in as them.
    """
    if sound(name) == sound(who.name):
        # Otherwise anybody at a chief's unlocked screen could take over the account.
        raise NotDoneError(
            403, Problem.OLD_ONE_IS_NEEDED, "name: your own password you change, with the old one"
        )
    try:
        person = decide.known(people.registry.register, name)
        kept = await people.hashed(body.new, name=person.name)
    except (BadPasswordError, decide.RegisterError) as problem:
        raise refused(problem) from None
    act = ActForTwo.SET_PASSWORD
    return await ask(people, who, act, person.name, {}, reason=body.reason, password=kept)


class LostFactor(Shape):
    """Why somebody's second factors should be removed."""

    reason: Reason


@router.post(
    "/api/people/{name}/factors/reset",
    response_model=Approval,
    status_code=202,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def request_factor_reset(
    name: PersonName, body: LostFactor, who: SignedIn, people: Folk
) -> JSONResponse:
    """Requests that somebody who lost their second factors may enrol new ones; needs two people."""
    try:
        person = decide.known(people.registry.register, name)
    except decide.RegisterError as problem:
        raise refused(problem) from None
    act = ActForTwo.RESET_SECOND_FACTOR
    return await ask(people, who, act, person.name, {}, reason=body.reason)


@router.delete(
    "/api/people/{name}/sessions",
    status_code=204,
    responses=problems(400, 401, 403, 409, 422),
)
async def revoke_sessions(
    name: PersonName,
    who: SignedIn,
    people: Folk,
    reason: Annotated[
        str, Query(max_length=decide.LONGEST_REASON, description="Why; it is kept in the register.")
    ] = "",
) -> None:
    """Ends every session of somebody, at once and on every server."""
    try:
        decide.known(people.registry.register, name)
        await people.registry.do(
            lambda r, _: decide.end_sessions(r, name, by=who.name, reason=reason or "revoked")
        )
    except decide.RegisterError as problem:
        raise refused(problem) from None


SECRET_FIELDS = frozenset(
    ("password", "sign_in", "sealed", "credential", "public_key", "challenge")
)
"""Fields of the register that are shown to nobody, not even an auditor."""


@router.get("/api/register", responses=problems(401, 403, 422))
async def read_register(
    request: Request,
    after: After = 0,
    most: Most = MOST_EVENTS,
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
        shown["session"] = shown["session"][:MARK]
    return Entry(seq=record.seq, at=record.at, type=record.type, data=shown, hash=record.hash.hex())


# The cash desk ------------------------------------------------------------------------------------


def _wallet(people: People, name: str) -> Wallet:
    register = people.registry.register
    person = decide.known(register, name)
    return Wallet(name=person.name, money=register.has(person.name))


def _order(way: str, name: PersonName, body: Cash, who: Session) -> Order:
    """The order of the cash desk, bound to its id."""
    asked = msgspec.json.encode([way, sound(name), body.amount])
    return Order(body.id, who.name, hashlib.sha256(asked).digest()[:16])


@cash_desk.get("/api/desk/{name}", responses=problems(401, 403, 409, 422))
async def get_wallet(name: PersonName, people: Folk) -> Wallet:
    """The wallet of a person."""
    try:
        return _wallet(people, name)
    except decide.RegisterError as problem:
        raise refused(problem) from None


@cash_desk.post(
    "/api/desk/{name}/in",
    response_model=Wallet,
    responses=WAITS | problems(400, 401, 403, 409, 413, 422),
)
async def pay_in(
    name: PersonName, body: Cash, who: SignedIn, people: Folk
) -> Wallet | JSONResponse:
    """Pays money into a wallet; a large amount arrives after a second person's approval."""
    order = _order("in", name, body, who)
    try:
        await people.registry.do(
            lambda r, now: decide.take_cash(r, name, body.amount, id=body.id, by=who.name, now=now),
            order=order,
        )
        return _wallet(people, name)
    except decide.TakesTwoError:
        known = decide.known(people.registry.register, name).name
        act, details = ActForTwo.CREDIT_DESK, _amount(body)
        return await ask(people, who, act, known, details, reason=body.reason, order=order)
    except decide.RegisterError as problem:
        raise refused(problem) from None


def _amount(body: Cash) -> Details:
    return {"amount": body.amount}


@cash_desk.post("/api/desk/{name}/out", responses=problems(400, 401, 403, 409, 413, 422))
async def pay_out(name: PersonName, body: Cash, who: SignedIn, people: Folk) -> Wallet:
    """Pays money out of a wallet."""
    try:
        await people.registry.do(
            lambda r, _: decide.pay_cash(r, name, body.amount, id=body.id, by=who.name),
            order=_order("out", name, body, who),
        )
        return _wallet(people, name)
    except decide.RegisterError as problem:
        raise refused(problem) from None
