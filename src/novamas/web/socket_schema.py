"""The socket's schema: the messages of client and server, generated from the code.

Each `$ref` points into `$defs` of the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Any, Final

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

REFERENCE: Final = "#/$defs/{name}"
ANSWERS: Final = {
    "clock": "ClockMessage",
    "ack": "Acknowledgement",
    "refused": "RefusedCommand",
    "problem": "CommandProblem",
}
"""The server's messages besides events and the state of the table: the name of the type of each."""


def _object(description: str = "", **fields: dict[str, Any]) -> dict[str, Any]:
    about = {"description": description} if description else {}
    return about | {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _integer(description: str) -> dict[str, Any]:
    return {"type": "integer", "description": description}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _one_of(words: Iterable[StrEnum], description: str) -> dict[str, Any]:
    return {"enum": [each.value for each in words], "description": description}


COMMAND_ID: Final = "The id of the command that is answered."
WHY: Final = "The reason, a word that never changes its meaning."


def _answers() -> dict[str, dict[str, Any]]:
    """The schemas of the server's messages that are neither events nor the state of the table."""
    times = {
        "step": _one_of(Phase, "What the automatic croupier waits for."),
        "ends": {
            "type": ["integer", "null"],
            "description": "When the croupier goes on; null while nothing is waited for.",
        },
        "now": _integer("The house's clock."),
        "playing": _integer("How many players are at their screens, or have stakes on the cloth."),
    }
    return {
        "clock": _object(
            "When the automatic croupier goes on, in milliseconds since 1970.",
            clock=_object("The times by the house's clock.", **times),
        ),
        "ack": _object(
            "A command was carried out, and its events are durable.",
            ack=_text(COMMAND_ID),
            first=_integer("The number of its first event in the log."),
            seq=_integer("The number of its last event in the log."),
        ),
        "refused": _object(
            "The table refuses a command.",
            refused=_text(COMMAND_ID),
            why=_one_of((*RefusalReason, *HouseRefusalReason), WHY),
            articles={
                "type": "array",
                "items": {"type": "string"},
                "description": "The ids of the articles behind it.",
            },
            detail=_text("What is wrong, in words; it may be empty."),
            seq=_integer("The number of the newest event in the log."),
        ),
        "problem": _object(
            "A message cannot be read, or its sender may not send it.",
            problem=_text("What is wrong, in words."),
            id={
                "type": ["string", "null"],
                "description": "The id of the command, if it could be read.",
            },
            why=_one_of(Problem, WHY),
        ),
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
        **_answers(),
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
    """The messages of a socket as named schemas, for generated types.

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
    found["EventData"] = _object(
        "The data of every event of a table's socket, under its name.",
        **{name: _named(name) for name in schema["events"]},
    )
    found["CommandFields"] = _object(
        "The fields of every command of a table's socket, under its name.",
        **{name: _named(name) for name in schema["commands"]},
    )
    found |= {name: schema[key] for key, name in ANSWERS.items()}
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
    bounds = {"type": "object", "additionalProperties": {"type": "integer"}}
    return {"type": "object", "additionalProperties": bounds}
