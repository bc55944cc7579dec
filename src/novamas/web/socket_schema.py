"""The socket's schema: what a client may send and what it is sent, made from the code itself.

Each `$ref` is to be looked up in `$defs` of the document.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from novamas.house.log.codec import COMMANDS, EVENTS, STORED
from novamas.house.refusals import HouseRefusalReason, Problem
from novamas.house.views import table_view
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from novamas.web import socket
from novamas.web.permissions import MESSAGES

REFERENCE = "#/$defs/{name}"
INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 36}


def _object(**fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


@cache
def socket_schema() -> dict[str, Any]:
    """The messages of a table's socket as JSON schemas."""
    plain = [kind for name, kind in EVENTS.items() if name not in STORED]
    asked = list(COMMANDS.values())
    _, events = msgspec.json.schema_components([*plain, *STORED.values()], ref_template=REFERENCE)
    events |= {name: events.pop(shape.__name__) for name, shape in STORED.items()}
    _, commands = msgspec.json.schema_components(
        asked, ref_template=REFERENCE, schema_hook=_anything
    )
    others = {**events, **commands}
    return {
        "version": 2,
        "request": msgspec.json.schema_components([socket.Request])[1]["Request"],
        "commands": {
            name: {
                "for": sorted(MESSAGES[name]),
                "with": _without_by(commands[name]),
            }
            for name in COMMANDS
        },
        "hello": _object(table={"type": "object"}),
        "clock": _object(
            clock=_object(
                step={"enum": [phase.value for phase in Phase]},
                ends={"type": ["integer", "null"]},
                now=INTEGER,
            )
        ),
        "ack": _object(ack=TEXT, first=INTEGER, seq=INTEGER),
        "refused": _object(
            refused=TEXT,
            why={"enum": [each.value for each in (*RefusalReason, *HouseRefusalReason)]},
            articles=TEXTS,
            detail=TEXT,
            seq=INTEGER,
        ),
        "problem": _object(
            problem=TEXT,
            id={"type": ["string", "null"]},
            why={"enum": [each.value for each in Problem]},
        ),
        "events": {
            name: {
                "for": _audience(name),
                "data": events[name],
                "only_yours": sorted(table_view.PRIVATE_FIELDS.get(name, ())),
            }
            for name in EVENTS
        },
        "closes": {
            str(socket.RESTART): "the house is closing",
            str(socket.TRY_AGAIN): "too slow, or the table is out of play; come back",
            str(socket.BAD_AFTER): "`after` is not a place in this log",
            str(socket.BAD_TOKEN): "the token is not good",
            str(socket.NO_TABLE): "there is no such table",
            str(socket.ELSEWHERE): "another server serves the table: the reason is its address",
        },
        "$defs": {
            # A stake of an announcement is told as if it had been laid alone.
            "StakePlaced": events["StakePlaced"],
            **{n: schema for n, schema in others.items() if n not in {*EVENTS, *COMMANDS}},
        },
    }


def _audience(event: str) -> str:
    if event in table_view.PUBLIC_EVENTS:
        return "everybody"
    return "the player and the staff" if event in table_view.PERSONAL_EVENTS else "the staff"


def _without_by(schema: dict[str, Any]) -> dict[str, Any]:
    """Who asks is known to the house, and no field is taken that a command does not have."""
    fields = {name: each for name, each in schema["properties"].items() if name != "by"}
    required = [name for name in schema.get("required", ()) if name != "by"]
    return {"type": "object", "properties": fields, "required": required} | {
        "additionalProperties": False
    }


def _anything(_: type) -> dict[str, Any]:
    """A field that the table reads by itself, such as limits."""
    return {"description": "whatever the table understands"}
