"""The pages for browsers: the room, or two plain pages if it has not been built."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse, Response

from novamas.house.refusals import Problem
from novamas.web.auth import permitted
from novamas.web.errors import NotDoneError
from novamas.web.routes.tables import Here, Lobby

router = APIRouter(
    include_in_schema=False,
    default_response_class=HTMLResponse,
    dependencies=[Depends(permitted)],
)

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
{body}
</html>
"""
NOT_BUILT = (
    "<p>The room has not been built here: <code>make play</code> builds it, and opens it.</p>"
)


def _page(title: str, body: str) -> HTMLResponse:
    """A plain page without scripts; the headers of every answer forbid them."""
    return HTMLResponse(PAGE.format(title=escape(title), body=body + NOT_BUILT))


@router.get("/")
async def front(here: Here) -> Response:
    """The lobby; without the room, a plain list of the tables and where programs find them."""
    return here.screens.page() if here.screens is not None else await _plain_front(here)


@router.get("/t/{table}")
async def table(table: str, here: Here) -> Response:
    """A table; the room itself finds out whether it exists."""
    if here.screens is not None:
        return here.screens.page()
    here.table(table)
    return await _plain_front(here)


@router.get("/console")
async def console(here: Here) -> Response:
    """A console; loading the page does not use up its key."""
    if here.screens is not None:
        return here.screens.page()
    body = (
        "<p>This key is good once. A console sends it to <code>/api/sessions</code> as "
        '<code>{"key": "…"}</code> and is given a token, with which it opens the socket of a '
        "table as the staff.</p>"
    )
    return _page("A console of the house", body)


@router.get("/room/{name:path}")
async def file(name: str, here: Here) -> Response:
    """A file that the room's page loads."""
    found = here.screens.file(name) if here.screens is not None else None
    if found is None:
        raise NotDoneError(404, Problem.NO_SUCH_THING, "the room has no such file")
    return found


async def _plain_front(here: Lobby) -> HTMLResponse:
    rows = []
    for actor in tuple(here.house.tables.values()):
        shown = await actor.summary()
        numbers = " ".join(str(number) for number in reversed(shown.last_numbers)) or "none yet"
        state = shown.out_of_play or str(shown.phase)
        rows.append(
            f'<li><a href="/api/tables/{quote(shown.table)}">{escape(shown.table)}</a> '
            f"({escape(shown.title['en'])}): {escape(state)}; last numbers: {numbers}</li>"
        )
    body = (
        f"<p>The house is open. Its tables:</p><ul>{''.join(rows)}</ul>"
        "<p>For programs: <a href='/openapi.json'>what is answered over HTTP</a>, "
        "<a href='/api/schema/socket'>what is said at a table's socket</a>.</p>"
    )
    return _page("novamas", body)
