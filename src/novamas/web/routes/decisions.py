"""Decisions at a table beyond ordinary play, which everybody may read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from novamas.house.views.decision_pages import DecisionPage, DecisionPages
from novamas.web.auth import Who, permitted
from novamas.web.routes.tables import Here, TableName, as_json
from novamas.web.schemas import answers

MOST = 100
Before = Annotated[
    int | None, Query(ge=1, le=2**53, description="Only what came before this number of the log.")
]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many to answer with at most.")]

router = APIRouter(dependencies=[Depends(permitted)], tags=["tables"])


@router.get("/api/tables/{table}/decisions", responses=answers(DecisionPage, 307, 401, 404, 422))
async def list_decisions(
    table: TableName,
    here: Here,
    who: Who,
    before: Before = None,
    limit: Limit = 50,
) -> Response:
    """Corrections, exceptions, suspensions, void balls and disputes, the newest first."""
    here.table(table)
    player = who.name if who is not None else None
    is_staff = who is not None and not who.is_player

    def page(pages: DecisionPages) -> DecisionPage:
        return pages.page(before=before, most=limit, player=player, is_staff=is_staff)

    return as_json(await here.decisions(table, page))
