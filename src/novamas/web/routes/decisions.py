"""What was decided at a table beyond its ordinary play, for everybody to read."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from novamas.house.views import decision_pages as house
from novamas.table.decision_record import DecisionKind, Standing
from novamas.web.auth import Who, permitted
from novamas.web.routes.tables import Here, answers
from novamas.web.schemas import Limits, Shape

MOST = 100
router = APIRouter(dependencies=[Depends(permitted)])


class Side(Shape):
    """What stood before a decision, or after it: of all of these, what it changed."""

    standing: Standing | None
    number: int | None
    spot: str | None
    amount: int | None
    """What lay on the spot."""
    wrong_by: int | None
    """By how much a payment was wrong: too much above zero, too little below, 0 if it was right."""
    limits: Limits | None


class Decision(Shape):
    """Something that somebody decided."""

    kind: DecisionKind
    seq: int
    at: int
    """Milliseconds since 1970."""
    coup: int
    by: str | None
    second: str | None
    """Who signed besides."""
    hand: str | None
    """Who carried it out, where somebody else ordered it."""
    about: str | None
    """The player whom it concerns."""
    why: str
    """The reason as it was given; what is disputed, for the player himself and the staff."""
    before: Side | None
    after: Side | None
    articles: list[str]
    dispute: int | None
    """The number of the dispute."""


class OpenDispute(Shape):
    """A dispute that waits for its decision."""

    id: int
    player: str
    coup: int
    stake: str | None
    says: str
    """For the player himself and the staff."""
    by: str
    at: int


class Decided(Shape):
    """The decisions of a table, and the disputes that wait for one."""

    open: list[OpenDispute]
    decisions: list[Decision]
    """The newest first."""
    more: bool
    """Whether there are older ones: ask for those before the last `seq`."""


@router.get("/api/tables/{table}/decisions", responses=answers(Decided, 307, 401, 404, 422))
async def decided(
    table: str,
    here: Here,
    who: Who,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
) -> Response:
    """Corrections, exceptions, suspensions, void balls and disputes, the newest first."""
    here.table(table)
    player = who.name if who is not None else None
    is_staff = who is not None and not who.is_player

    def page(told: house.Decided) -> dict[str, object]:
        return told.page(before=before, most=limit, player=player, is_staff=is_staff)

    found = await here.decisions(table, page)
    return Response(msgspec.json.encode(found), media_type="application/json")
