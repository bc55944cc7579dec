"""The routes of rulebooks and cloths, and the schema of the socket: what anybody may know."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response

from novamas.drawing.svg import cloth_svg
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.house.refusals import Problem
from novamas.house.views import comparison_view, rulebook_view
from novamas.rulebooks import HOUSES, load
from novamas.web.auth import permitted
from novamas.web.errors import NotDoneError
from novamas.web.routes.tables import Here, Language, as_json
from novamas.web.schemas import answers, problems
from novamas.web.socket_schema import socket_schema
from novamas.wording import book_text

SVG, XML = "image/svg+xml", "text/xml"
PICTURE: dict[str, Any] = {"schema": {"type": "string"}}
RulebookId = Annotated[str, Path(description="The id of a rulebook, such as `ar`.")]

router = APIRouter(dependencies=[Depends(permitted)], tags=["rulebooks"])


def _book(id: str) -> Rulebook:
    try:
        return load(id)
    except RulebookError as problem:
        raise NotDoneError(404, Problem.NO_SUCH_THING, str(problem)) from None


@router.get("/api/rulebooks", responses=answers(list[rulebook_view.RulebookTitle]))
async def list_rulebooks() -> Response:
    """The houses' rulebooks."""
    return as_json(
        [rulebook_view.RulebookTitle(id=id, title=dict(load(id).title)) for id in HOUSES]
    )


@router.get("/api/rulebooks/{id}", responses=answers(rulebook_view.RulebookView, 404, 422))
async def get_rulebook(id: RulebookId) -> Response:
    """A rulebook: its articles, what it offers and what it says."""
    return as_json(rulebook_view.of_rulebook(_book(id)))


@router.get(
    "/api/rulebooks/{id}/compare/{other}",
    responses=answers(comparison_view.RulebookComparison, 404, 422),
)
async def compare_rulebooks(
    id: RulebookId, other: RulebookId, here: Here, language: Language = ENGLISH
) -> Response:
    """What differs between two rulebooks, article by article, and what it does to the edges."""
    one, two = _book(id), _book(other)
    spoken = language if language in book_text.LANGUAGES else ENGLISH
    # The edges of a house take a moment the first time.
    comparing = partial(comparison_view.of_comparison, one.id, two.id, spoken)
    return as_json(await here.house.blocking(comparing))


@router.get(
    "/api/rulebooks/{id}/cloth.svg",
    response_class=Response,
    responses={
        200: {"description": "the picture", "content": {SVG: PICTURE, XML: PICTURE}},
        **problems(404, 422),
    },
)
async def get_cloth(id: RulebookId, request: Request) -> Response:
    """A rulebook's cloth as a picture; a client that accepts only `text/xml` gets it as that."""
    media = XML if request.headers.get("accept") == XML else SVG
    headers = {"Vary": "Accept"}
    return Response(cloth_svg(_book(id)), headers=headers, media_type=f"{media}; charset=utf-8")


@router.get("/api/schema/socket")
async def get_socket_schema() -> dict[str, Any]:
    """The messages of a table's socket, as JSON schemas."""
    return socket_schema()
