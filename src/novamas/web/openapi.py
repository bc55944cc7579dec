"""The OpenAPI document: FastAPI's, with the house's views, security and descriptions added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from novamas.web.auth import COOKIE, SAFE_COOKIE, session_of
from novamas.web.field_texts import described, named_types
from novamas.web.permissions import ANYBODY, ROUTES
from novamas.web.schemas import PUBLISHED, REFERENCE, VIEWS, Shape
from novamas.web.socket_schema import typed_messages

ABOUT: Final = (
    "A roulette house that plays by the book. These are the requests over HTTP; play itself goes "
    "over the WebSocket of a table, `/api/tables/{table}/socket`, whose messages "
    "`/api/schema/socket` describes. Every error is a `Problem`: a sentence for people, and a "
    "stable reason for programs. Amounts are whole numbers of the table's unit, and moments are "
    "milliseconds since 1970."
)
TAGS: Final = [
    {"name": "tables", "description": "The tables of the house: their state, events and history."},
    {"name": "rulebooks", "description": "The rulebooks, their cloths, and the socket's schema."},
    {"name": "account", "description": "Signing in and out, and one's own account and limits."},
    {"name": "second-factors", "description": "Passkeys and authenticator apps."},
    {"name": "people", "description": "The people whom the house knows, and their posts."},
    {"name": "approvals", "description": "Requests of one person that another must approve."},
    {"name": "desk", "description": "The cash desk: the wallets of players."},
    {"name": "operations", "description": "For operators: whether the house works."},
]
SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a session, for programs.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": SAFE_COOKIE,
        "description": (
            "The token of a session in a cookie, for browsers over TLS. A request that changes "
            "something must come from a page of this house."
        ),
    },
    "local_cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The same cookie without TLS, on the machine that serves the house.",
    },
}
SIGNED_IN: Final[list[dict[str, list[str]]]] = [{name: []} for name in SECURITY]
"""The security of a route for people who are signed in: one of the schemes."""


def operation_id(route: APIRoute) -> str:
    """The operation id of a route: the name of its function."""
    return route.name


def complete(document: dict[str, Any], routes: Iterable[BaseRoute]) -> None:
    """Adds to FastAPI's document the views, the security of each route, and all descriptions."""
    types = named_types(VIEWS) | {each.__name__: each for each in _subclasses(Shape)}
    own = described({**document["components"]["schemas"], **PUBLISHED}, types)
    schemas = {**typed_messages(REFERENCE), **own}
    document["components"]["schemas"] = dict(sorted(_without_closed_ends(schemas).items()))
    document["components"]["securitySchemes"] = SECURITY
    for route in routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            for method in route.methods or ():
                _secure(document["paths"][route.path][method.lower()], route, method)


def _subclasses(base: type[Shape]) -> Iterable[type[Shape]]:
    for each in base.__subclasses__():
        yield each
        yield from _subclasses(each)


def _secure(operation: dict[str, Any], route: APIRoute, method: str) -> None:
    """Adds who may send a request, as the permission matrix says."""
    who = ROUTES[f"{method} {route.path}"]
    if ANYBODY not in who:
        operation["security"] = SIGNED_IN
        operation["description"] += f"\n\nFor: {', '.join(sorted(who))}."
        return
    # Some answers to anybody say more to the person whom they concern.
    asks_who = any(each.call is session_of for each in route.dependant.dependencies)
    operation["security"] = [{}, *SIGNED_IN] if asks_who else []
    operation["description"] += "\n\nFor anybody."


def _without_closed_ends(schema: Any) -> Any:
    """Removes `"items": false` from the schemas of tuples, which many generators cannot read.

    Each such schema has `maxItems`, which says the same.
    """
    if isinstance(schema, dict):
        return {
            key: _without_closed_ends(value)
            for key, value in schema.items()
            if not (key == "items" and value is False)
        }
    if isinstance(schema, list):
        return [_without_closed_ends(each) for each in schema]
    return schema
