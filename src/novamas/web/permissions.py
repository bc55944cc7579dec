"""The permission matrix: who may send which request, read from one data file. Default deny."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Final

from novamas.house.people.events import Post

ANYBODY: Final = "anybody"
EVERY: Final = "*"
"""The row of those who may send every request that has a row."""


Rows = dict[str, frozenset[str]]


def read(text: str) -> tuple[Rows, Rows, frozenset[str], Rows, Rows, Rows]:
    """Parses the rows of routes and messages; a row with an unknown post is an error.

    The third part is what a session may do whose post still lacks its second factor. Then follow
    the fields that players may set in each message, those that only staff may set, and who may
    approve each act that takes two people.
    """
    data = tomllib.loads(text)
    enrolling = frozenset(data.pop("enrolling"))
    known = {ANYBODY, *Post}
    found = []
    for part in ("routes", "messages"):
        rows = data.pop(part)
        for row, who in rows.items():
            if not who or not set(who) <= known or (ANYBODY in who and len(who) > 1):
                raise ValueError(f"[{part}] {row}: expected {ANYBODY} alone, or some of the posts")
        always = frozenset(rows.pop(EVERY, ()))
        found.append({row: always.union(who) for row, who in rows.items()})
    said = [
        {row: frozenset(fields) for row, fields in data.pop(part, {}).items()}
        for part in ("player_fields", "staff_fields", "approvers")
    ]
    if data:
        raise ValueError(f"unknown: {', '.join(data)}")
    routes, messages = found
    if not enrolling <= routes.keys():
        raise ValueError(f"enrolling: no route {', '.join(enrolling - routes.keys())}")
    return routes, messages, enrolling, said[0], said[1], said[2]


ROUTES, MESSAGES, ENROLLING, PLAYER_FIELDS, STAFF_FIELDS, APPROVERS = read(
    resources.files("novamas.web").joinpath("permissions.toml").read_text("utf-8")
)


def may(rows: Mapping[str, frozenset[str]], row: str, post: Post | None) -> bool:
    """Whether a post may send it; None is somebody who is not signed in."""
    who = rows.get(row, frozenset())
    return ANYBODY in who or (post is not None and post in who)


def not_for_players(message: str, fields: Iterable[str]) -> str | None:
    """The first of the fields that a player may not set in a message; default deny."""
    own = PLAYER_FIELDS.get(message, frozenset())
    return next((field for field in fields if field not in own), None)
