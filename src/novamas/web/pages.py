"""Two plain pages for whoever opens the house in a browser: what is here, and what a key is for."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from novamas.web.routes import Here

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
{body}
</html>
"""
NOTHING_ELSE = {"Content-Security-Policy": "default-src 'none'"}
"""The pages load nothing and run nothing."""


def _page(title: str, body: str) -> HTMLResponse:
    return HTMLResponse(PAGE.format(title=escape(title), body=body), headers=NOTHING_ELSE)


@router.get("/")
async def front(here: Here) -> HTMLResponse:
    """The tables of the house, and where programs find them."""
    rows = []
    for actor in tuple(here.house.tables.values()):
        told = await actor.summary()
        numbers = " ".join(str(number) for number in reversed(told["last_numbers"])) or "none yet"
        state = told["out_of_play"] or told["phase"]
        rows.append(
            f'<li><a href="/api/tables/{quote(told["table"])}">{escape(told["table"])}</a> '
            f"({escape(told['title']['en'])}): {escape(state)}; last numbers: {numbers}</li>"
        )
    body = (
        f"<p>The house is open. Its tables:</p><ul>{''.join(rows)}</ul>"
        "<p>For programs: <a href='/openapi.json'>what is answered over HTTP</a>, "
        "<a href='/api/schema/socket'>what is said at a table's socket</a>.</p>"
    )
    return _page("novamas", body)


@router.get("/console")
async def console() -> HTMLResponse:
    """What the key of a console is for; it is not used up by looking at it."""
    body = (
        "<p>This key is good once. A console sends it to <code>/api/sessions</code> as "
        '<code>{"key": "…"}</code> and is given a token, with which it opens the socket of a '
        "table as the staff.</p>"
    )
    return _page("A console of the house", body)
