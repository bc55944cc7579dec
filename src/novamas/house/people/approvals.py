"""Approvals: requests of one person that another must approve before they are carried out.

A request waits in the register with its reason until a second person approves or refuses it, the
requester takes it back, or it expires. On approval it is decided again, on the register of that
moment, and recorded together with the approval.

The second person must be neither the requester nor the subject, must hold a post that may approve,
and must not recently have got their post or credentials from the requester, nor the other way
round: so nobody can create a second account and act as both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from novamas.house.people import decide as people_decide
from novamas.house.people import events, second_factor
from novamas.house.people.decide import RegisterError
from novamas.house.people.events import ActForTwo, ApprovalRequested, Post, RegisterEvent
from novamas.house.people.state import DAY, Person, Register, sound
from novamas.house.refusals import Problem

EXPIRES = 12 * 60 * 60 * 1000
"""How long a request waits: as long as a session lasts, so that both can be of one shift."""
COOLING = DAY
"""How long two people cannot approve for each other after one changed the other's account."""
MOST = 100
"""How many requests may wait at once."""
HOUSE = "house"
"""The subject of a request that concerns nobody in particular."""
STAFF = frozenset(Post) - {Post.PLAYER}

Details = dict[str, str | int | list[str]]
Act = Callable[[Register, ApprovalRequested, int], Iterator[RegisterEvent]]
"""Carries out an approved request, given the register and the time."""


def needs_two(before: Collection[Post], after: Collection[Post]) -> bool:
    """Whether a change of posts concerns staff; for players one person is enough."""
    return bool(STAFF.intersection((*before, *after)))


def request(register: Register, wanted: ApprovalRequested, *, now: int) -> Iterator[RegisterEvent]:
    """Requests an action that needs two people; refuses it if it could not be done now."""
    people_decide.require_reason(wanted.reason)
    wanted = replace(wanted, reason=wanted.reason.strip(), expires=now + EXPIRES)
    before = register.pending.get(wanted.id)
    if before is not None and now < before.request.expires:
        if _request_key(before.request) != _request_key(wanted):
            raise RegisterError(Problem.ID_REUSED, "id: something else waits under it")
        return
    alive = [each for each in register.pending.values() if now < each.request.expires]
    if len(alive) >= MOST:
        raise RegisterError(Problem.TOO_MANY_REQUESTS, f"{MOST} requests wait; decide those first")
    tuple(ACTS[wanted.act](register, wanted, now))
    if not wanted.reason:
        raise RegisterError(Problem.REASON_NOT_VALID, "reason: say why, for who approves it")
    yield wanted


def _request_key(wanted: ApprovalRequested) -> tuple[object, ...]:
    """The content of a request and its requester: equal if a request is repeated under its id."""
    return wanted.act, wanted.by, wanted.subject, wanted.details, wanted.digest


def decide(
    register: Register,
    id: str,
    *,
    by: str,
    approvers: Collection[Post],
    approve: bool,
    reason: str,
    now: int,
) -> Iterator[RegisterEvent]:
    """Approves or refuses a request; the requester may only take it back."""
    wanted = waiting(register, id, now)
    if not people_decide.require_reason(reason).strip():
        raise RegisterError(Problem.REASON_NOT_VALID, "reason: say why you decide so")
    is_own = sound(by) == sound(wanted.by)
    if approve or not is_own:
        require_second(register, wanted, by=by, approvers=approvers, now=now)
    if approve:
        yield from ACTS[wanted.act](register, wanted, now)
    yield events.ApprovalDecided(
        id=id, by=by, approved=approve, reason=reason.strip(), withdrawn=is_own
    )


def waiting(register: Register, id: str, now: int) -> ApprovalRequested:
    """Returns a request that can still be decided, or raises."""
    found = register.pending.get(id)
    if found is None or now >= found.request.expires:
        raise RegisterError(Problem.NO_SUCH_REQUEST, "id: no such request waits any longer")
    return found.request


def require_second(
    register: Register, wanted: ApprovalRequested, *, by: str, approvers: Collection[Post], now: int
) -> None:
    """Refuses a person who may not decide this request."""
    person = people_decide.known(register, by)
    if sound(by) in (sound(wanted.by), sound(wanted.subject)):
        raise RegisterError(Problem.OWN_REQUEST, "another person approves it")
    if not set(person.posts) & set(approvers):
        raise RegisterError(Problem.NOT_FOR_YOU, "this is for another post to approve")
    require_apart(register, wanted.by, by, now=now)


def require_apart(register: Register, one: str, other: str, *, now: int) -> None:
    """Refuses if either person changed the other's account within the cooling time."""
    first, second = register.person(one), register.person(other)
    if first is None or second is None:
        return
    if _is_tied(first, second, now) or _is_tied(second, first, now):
        raise RegisterError(
            Problem.TOO_CLOSE,
            "one of you made the other known, or set their posts or password, within a day",
        )


def _is_tied(person: Person, other: Person, now: int) -> bool:
    at = person.made_by.get(sound(other.name))
    return at is not None and now < at + COOLING


# What an approved request does --------------------------------------------------------------------


def _posts(details: Details) -> tuple[Post, ...]:
    given = details["posts"]
    return tuple(post for post in Post if isinstance(given, list) and post.value in given)


def _number(details: Details, name: str) -> int:
    found = details[name]
    if type(found) is not int:
        raise RegisterError(Problem.AMOUNT_NOT_POSITIVE, f"{name}: a whole number")
    return found


def _register_staff(
    register: Register, wanted: ApprovalRequested, _: int
) -> Iterator[RegisterEvent]:
    yield from people_decide.register_person(
        register,
        wanted.subject,
        _posts(wanted.details),
        by=wanted.by,
        password=_password(wanted),
    )


def _change_posts(register: Register, wanted: ApprovalRequested, _: int) -> Iterator[RegisterEvent]:
    yield from people_decide.change_posts(
        register, wanted.subject, _posts(wanted.details), by=wanted.by, reason=wanted.reason
    )


def _set_password(register: Register, wanted: ApprovalRequested, _: int) -> Iterator[RegisterEvent]:
    yield from people_decide.set_password(register, wanted.subject, _password(wanted), by=wanted.by)


def _password(wanted: ApprovalRequested) -> str:
    if wanted.password is None:
        raise RegisterError(Problem.NOT_UNDERSTOOD, "password: it is missing")
    return wanted.password


def _credit_desk(
    register: Register, wanted: ApprovalRequested, now: int
) -> Iterator[RegisterEvent]:
    yield from people_decide.take_cash(
        register,
        wanted.subject,
        _number(wanted.details, "amount"),
        id=wanted.id,
        by=wanted.by,
        now=now,
        by_two=True,
    )


def _set_alone_limits(_: Register, wanted: ApprovalRequested, __: int) -> Iterator[RegisterEvent]:
    yield events.AloneLimitsSet(
        desk=people_decide.require_amount(_number(wanted.details, "desk")),
        table=people_decide.require_amount(_number(wanted.details, "table")),
        by=wanted.by,
    )


def _reset_second_factor(
    register: Register, wanted: ApprovalRequested, _: int
) -> Iterator[RegisterEvent]:
    yield from second_factor.reset_second_factor(
        register, wanted.subject, by=wanted.by, reason=wanted.reason
    )


ACTS: dict[ActForTwo, Act] = {
    ActForTwo.REGISTER_STAFF: _register_staff,
    ActForTwo.CHANGE_POSTS: _change_posts,
    ActForTwo.SET_PASSWORD: _set_password,
    ActForTwo.RESET_SECOND_FACTOR: _reset_second_factor,
    ActForTwo.CREDIT_DESK: _credit_desk,
    ActForTwo.SET_ALONE_LIMITS: _set_alone_limits,
}
"""Each act and what it does."""
