"""The pages for browsers: the room, or two plain pages if it has not been built."""

from __future__ import annotations

from functools import partial
from html import escape
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response

from novamas.drawing.picture import picture
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.house.refusals import Problem
from novamas.house.views.explanations import called_lines
from novamas.web.auth import permitted
from novamas.web.errors import NotDoneError
from novamas.web.routes.tables import Here, Lobby, called_coup, read_whole
from novamas.web.static_files import Preview
from novamas.wording.calls import number_call

router = APIRouter(
    include_in_schema=False,
    default_response_class=HTMLResponse,
    dependencies=[Depends(permitted)],
)

FILES = "/room/"
"""Where the files are that the room's page loads."""
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


def is_for_a_browser(request: Request) -> bool:
    """Whether a browser asks for a page, and not for a file or for an answer of the API."""
    path = request.url.path
    return (
        request.method == "GET"
        and "text/html" in request.headers.get("accept", "")
        and not path.startswith(("/api/", FILES))
    )


def _page(title: str, body: str) -> HTMLResponse:
    """A plain page without scripts; the headers of every answer forbid them."""
    return HTMLResponse(PAGE.format(title=escape(title), body=body + NOT_BUILT))


@router.get("/")
async def front(here: Here, request: Request) -> Response:
    """The lobby; without the room, a plain list of the tables and where programs find them."""
    if here.screens is None:
        return await _plain_front(here)
    told = "A roulette casino: every table plays by its own rulebook."
    return here.screens.page(preview=Preview("novamas", told, f"{request.base_url}picture.png"))


@router.get("/picture.png")
async def front_picture(here: Here) -> Response:
    """The picture of a cloth, for those who preview a link to the lobby."""
    return await _drawn(here, (0,))


@router.get("/t/{table}")
async def table(table: str, here: Here, request: Request) -> Response:
    """A table; the room itself finds out whether it exists."""
    if here.screens is None:
        here.table(table)
        return await _plain_front(here)
    actor = here.house.tables.get(table)
    if actor is None:
        return here.screens.page()
    book = actor.house_table.state.book
    house = book.title["en"]
    title = f"{house} · novamas" if table == book.id else f"{table} · {house} · novamas"
    told = (
        f"A roulette table with {len(book.wheel.pockets)} pockets, by the rulebook of its casino."
    )
    image = f"{request.base_url}t/{quote(table)}/picture.png"
    return here.screens.page(preview=Preview(title, told, image))


@router.get("/t/{table}/picture.png")
async def table_picture(table: str, here: Here) -> Response:
    """The picture of a table's cloth, for those who preview a link to it."""
    book = here.table(table).house_table.state.book
    return await _drawn(here, book.wheel.pockets.zeros)


@router.get("/t/{table}/coup/{coup}")
async def coup(table: str, coup: str, here: Here, request: Request) -> Response:
    """A coup of a table, to be shared; the room itself finds out whether it was played."""
    if here.screens is not None:
        called = await _called(here, table, coup)
        if called is None:
            return here.screens.page()
        book, pocket = called
        title = f"{pocket} · {book.title['en']} · novamas"
        image = f"{request.base_url}t/{quote(table)}/coup/{quote(coup)}/picture.png"
        preview = Preview(title, f"{number_call(book, pocket)}.", image)
        return here.screens.page(preview=preview)
    here.table(table)
    return await _plain_front(here)


@router.get("/t/{table}/coup/{coup}/picture.png")
async def coup_picture(table: str, coup: str, here: Here) -> Response:
    """The picture of a coup, for those who preview a link to it."""
    called = await _called(here, table, coup)
    if called is None:
        raise NotDoneError(404, Problem.NUMBER_NOT_CALLED, "no number was called in that coup")
    book, pocket = called
    return await _drawn(here, book.wheel.pockets.zeros, pocket)


async def _drawn(here: Lobby, zeros: tuple[Pocket, ...], number: Pocket | None = None) -> Response:
    """A picture of the numbers with these zeros, and the one that came up if any."""
    drawing = partial(picture, zeros, number)
    return Response(await here.house.blocking(drawing), media_type="image/png")


async def _called(here: Lobby, table: str, coup: str) -> tuple[Rulebook, Pocket] | None:
    """The book of a table and the number of a coup; None if no number was called in it."""
    actor = here.house.tables.get(table)
    number = read_whole(coup)
    if actor is None or number is None:
        return None
    try:
        called, record = await called_coup(here, table, number)
    except NotDoneError:
        return None
    pocket, _ = called_lines(called, record, player="")
    return actor.house_table.state.book, pocket


@router.get("/compare/{one}/{other}")
async def compare(here: Here) -> Response:
    """Two houses side by side; the room itself finds out whether they exist."""
    return here.screens.page() if here.screens is not None else await _plain_front(here)


@router.get("/book/{house}")
async def book(here: Here) -> Response:
    """The rulebook of a house, to be read; the room itself finds out whether it exists."""
    return here.screens.page() if here.screens is not None else await _plain_front(here)


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


@router.get(FILES + "{name:path}")
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
