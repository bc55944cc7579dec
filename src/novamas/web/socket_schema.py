"""The socket's schema: the messages of client and server, generated from the code.

Each `$ref` points into `$defs` of the document.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec

from novamas.house.log.codec import STORED
from novamas.house.refusals import HouseRefusalReason, Problem
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import EVENTS
from novamas.house.views.live_view import EventView
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from novamas.web import socket
from novamas.web.command_reader import Request
from novamas.web.field_texts import described, named_types
from novamas.web.permissions import MESSAGES

REFERENCE = "#/$defs/{name}"
INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}


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
    shapes = [*plain, *STORED.values()]
    _, events = msgspec.json.schema_components(shapes, ref_template=REFERENCE)
    events = described(events, named_types(shapes))
    for name, shape in STORED.items():
        events[name] = events.pop(shape.__name__) | {"title": name}
    _, commands = msgspec.json.schema_components(asked, ref_template=REFERENCE, schema_hook=_limits)
    commands = described(commands, named_types(asked))
    _, live = msgspec.json.schema_components([EventView], ref_template=REFERENCE)
    live = described(live, named_types([EventView]))
    others = {**events, **commands, **live}
    del others["Officer"]  # Only `by` refers to it, which no client sends.
    return {
        "version": 2,
        "request": msgspec.json.schema_components([Request])[1]["Request"],
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
        "event": others.pop("EventView"),
        "events": {
            name: {
                "for": EVENTS[name].seen_by.value,
                "data": events[name],
                "only_yours": sorted(EVENTS[name].private),
            }
            for name in EVENTS
        },
        "closes": {
            str(socket.RESTART): "the house is closing",
            str(socket.TRY_AGAIN): (
                "too slow, too many of your sockets are open, the house is full, "
                "or the table is out of play; come back"
            ),
            str(socket.BAD_AFTER): "`after` is not a place in this log",
            str(socket.BAD_TOKEN): "the token is not good, or the session is over",
            str(socket.NO_TABLE): "there is no such table",
            str(socket.ELSEWHERE): "another server serves the table: the reason is its address",
        },
        "$defs": {
            # A stake of an announcement has the same shape as a single stake.
            "StakePlaced": events["StakePlaced"],
            **{n: schema for n, schema in others.items() if n not in {*EVENTS, *COMMANDS}},
        },
    }


def typed_messages(reference: str) -> dict[str, Any]:
    """The events and commands of a socket as named schemas, for generated types.

    `EventData` has the data of each event under its name; private fields are optional there.
    `CommandFields` has the fields of each command.
    """
    schema = socket_schema()
    found: dict[str, Any] = dict(schema["$defs"])
    for name, each in schema["events"].items():
        data, private = each["data"], each["only_yours"]
        fields = {
            field: {key: value for key, value in kind.items() if key != "default"}
            if field in private
            else kind
            for field, kind in data["properties"].items()
        }
        needed = [field for field in data["required"] if field not in private]
        found[name] = {**data, "properties": fields, "required": needed}
    for name, each in schema["commands"].items():
        found[name] = each["with"]
    found["EventData"] = _object(**{name: _named(name) for name in schema["events"]}) | {
        "description": "The data of every event of a table's socket, under its name."
    }
    found["CommandFields"] = _object(**{name: _named(name) for name in schema["commands"]}) | {
        "description": "The fields of every command of a table's socket, under its name."
    }
    text = json.dumps(found).replace(REFERENCE.format(name=""), reference.format(name=""))
    moved: dict[str, Any] = json.loads(text)
    return moved


def _named(name: str) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=name)}


def _without_by(schema: dict[str, Any]) -> dict[str, Any]:
    """Removes `by`, which the house knows, and forbids unknown fields."""
    fields = {name: each for name, each in schema["properties"].items() if name != "by"}
    required = [name for name in schema.get("required", ()) if name != "by"]
    return {
        "type": "object",
        "description": schema["description"],
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }


def _limits(_: type) -> dict[str, Any]:
    """The schema of limits, which the table parses itself: class or spot → its bounds."""
    bounds = {"type": "object", "additionalProperties": INTEGER}
    return {"type": "object", "additionalProperties": bounds}
