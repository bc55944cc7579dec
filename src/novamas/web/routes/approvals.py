"""Approvals over HTTP: the requests that wait for a second person, and their decision."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from fastapi.responses import JSONResponse
from pydantic import Field

from novamas.house.people import approvals
from novamas.house.people import decide as people_decide
from novamas.house.people.approvals import Details
from novamas.house.people.events import ActForTwo, ApprovalRequested, Post
from novamas.house.people.registry import Order
from novamas.house.people.state import Pending, sound
from novamas.web.auth import Folk, SignedIn, permitted
from novamas.web.errors import refused
from novamas.web.permissions import APPROVERS
from novamas.web.schemas import Amount, Flag, Responses, Shape, problems
from novamas.web.sessions import People, Session

Reason = Annotated[str, Field(max_length=people_decide.LONGEST_REASON)]

router = APIRouter(dependencies=[Depends(permitted)], tags=["approvals"])


class Approval(Shape):
    """A request of one person that another must approve."""

    id: str
    """The id of the request."""
    act: ActForTwo
    """What is asked for."""
    by: str
    """The person who made the request."""
    subject: str
    """The person whom it is about."""
    details: dict[str, str | int | list[str]]
    """The details of the act, such as the posts or the amount."""
    reason: str
    asked: int
    """When it was made, in milliseconds since 1970."""
    expires: int
    """When it expires, in milliseconds since 1970."""
    own: bool
    """Whether the person who looks made the request: then they may take it back."""
    yours: bool
    """Whether the person who looks may approve or refuse it."""


class ApprovalDecision(Shape):
    """A decision on a request; the person who made it may only take it back."""

    approve: Flag
    """True approves the request; false refuses it, or takes one's own back."""
    reason: Reason


class AloneLimits(Shape):
    """How much one person may handle alone; larger amounts need two."""

    desk: Amount
    """For one player at the cash desk, per day."""
    table: Amount
    """For one player buying chips at a table; a table keeps the value from when it was set up."""


class NewAloneLimits(AloneLimits):
    """New limits, and the reason."""

    reason: Reason


WAITS: Responses = {202: {"model": Approval, "description": "it waits for a second person"}}
"""The answer of a route whose action needs two people."""


def shown(people: People, who: Session, pending: Pending) -> Approval:
    """A request as this person sees it; a password in it is never shown."""
    wanted = pending.request
    return Approval(
        id=wanted.id,
        act=wanted.act,
        by=wanted.by,
        subject=wanted.subject,
        details=wanted.details,
        reason=wanted.reason,
        asked=pending.at,
        expires=wanted.expires,
        own=sound(wanted.by) == sound(who.name),
        yours=_may_decide(people, who, pending),
    )


def _may_decide(people: People, who: Session, pending: Pending) -> bool:
    wanted, registry = pending.request, people.registry
    approvers = _approvers(who, wanted.act)
    try:
        approvals.require_second(
            registry.register, wanted, by=who.name, approvers=approvers, now=registry.now()
        )
    except people_decide.RegisterError:
        return False
    return True


async def ask(
    people: People,
    who: Session,
    act: ActForTwo,
    subject: str,
    details: Details,
    *,
    reason: str,
    order: Order | None = None,
    password: str | None = None,
) -> JSONResponse:
    """Requests an action that needs two people, and answers that it waits.

    A request with an `order` uses its id, and is carried out only once.
    """
    under = order.id if order is not None else secrets.token_hex(8)
    wanted = ApprovalRequested(
        id=under,
        act=act,
        by=who.name,
        subject=subject,
        details=details,
        reason=reason,
        expires=0,
        password=password,
        digest=order.digest.hex() if order is not None else "",
    )
    try:
        await people.registry.do(lambda r, now: approvals.request(r, wanted, now=now))
    except people_decide.RegisterError as problem:
        raise refused(problem) from None
    waits = shown(people, who, people.registry.register.pending[under])
    return JSONResponse(waits.model_dump(mode="json"), status_code=202)


@router.get("/api/approvals", responses=problems(401, 403))
async def list_approvals(who: SignedIn, people: Folk) -> list[Approval]:
    """The requests that wait for a second person, the oldest first."""
    registry = people.registry
    now = registry.now()
    found = registry.register.pending.values()
    return [shown(people, who, each) for each in found if now < each.request.expires]


@router.post(
    "/api/approvals/{id}",
    status_code=204,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def decide_approval(
    id: Annotated[str, Path(description="The id of the request.")],
    body: ApprovalDecision,
    who: SignedIn,
    people: Folk,
) -> None:
    """Approves a request and carries it out, refuses it, or takes one's own back."""
    registry = people.registry
    try:
        await registry.read()
        wanted = approvals.waiting(registry.register, id, registry.now())
        order = Order(id, wanted.by, bytes.fromhex(wanted.digest)) if wanted.digest else None
        await registry.do(
            lambda r, now: approvals.decide(
                r,
                id,
                by=who.name,
                approvers=_approvers(who, approvals.waiting(r, id, now).act),
                approve=body.approve,
                reason=body.reason,
                now=now,
            ),
            order=order if body.approve else None,
        )
    except people_decide.RegisterError as problem:
        raise refused(problem) from None


def _approvers(who: Session, act: ActForTwo) -> frozenset[Post]:
    """The post that somebody is signed in for, if it may approve the act."""
    return frozenset((who.post,)) if who.post in APPROVERS[act] else frozenset()


@router.get("/api/alone-limits", responses=problems(401, 403))
async def get_alone_limits(people: Folk) -> AloneLimits:
    """How much one person may handle alone."""
    alone = people.registry.register.alone
    return AloneLimits(desk=alone.desk, table=alone.table)


@router.put(
    "/api/alone-limits",
    response_model=Approval,
    status_code=202,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def request_alone_limits(body: NewAloneLimits, who: SignedIn, people: Folk) -> JSONResponse:
    """Requests new limits."""
    details: Details = {"desk": body.desk, "table": body.table}
    act = ActForTwo.SET_ALONE_LIMITS
    return await ask(people, who, act, approvals.HOUSE, details, reason=body.reason)
