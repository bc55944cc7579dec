"""The socket's schema: what a client may send and what it is sent, made from the code itself."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from novamas.house.codec import COMMANDS, EVENTS
from novamas.web.sessions import PLAYER_COMMANDS, STAFF_COMMANDS
from novamas.web.socket import Request


@cache
def socket_schema() -> dict[str, Any]:
    """The messages of a table's socket as JSON schemas."""
    from novamas.table.events import ChoiceMade, NumberCalled

    plain = [each for each in EVENTS.values() if each not in (NumberCalled, ChoiceMade)]
    _, commands = msgspec.json.schema_components(list(COMMANDS.values()), schema_hook=_anything)
    _, events = msgspec.json.schema_components(plain)
    return {
        "version": 1,
        "request": msgspec.json.schema(Request),
        "answers": {
            "ack": {"ack": "the request's id", "first": "first event", "seq": "last event"},
            "refused": {
                "refused": "the request's id",
                "why": "a name that reads as a rule",
                "articles": "ids",
                "detail": "plain words",
            },
            "problem": {"problem": "what is wrong with the request", "id": "its id, if known"},
        },
        "commands": {
            name: {
                "schema": commands.get(name, {}),
                "for": sorted(
                    role
                    for role, given in (("player", PLAYER_COMMANDS), ("staff", STAFF_COMMANDS))
                    if name in given
                ),
            }
            for name in COMMANDS
        },
        "events": events,
        "lines": [
            "stake id",
            "player",
            "spot",
            "amount",
            "won",
            "returned",
            "lost",
            "held",
            "stays",
            "aside",
            "articles",
            "parts",
        ],
    }


def _anything(kind: type) -> dict[str, Any]:
    """A field that the table itself reads, and refuses if it makes no sense."""
    if kind is not object:
        raise NotImplementedError
    return {"description": "read by the table"}
