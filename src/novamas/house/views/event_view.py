"""Event views: what each audience sees of an event.

A view is made from the stored payload alone, so that live events and events after a reconnection
cannot differ. An event stored in an older form is shown in the current one, so that clients need
only one form; only the auditor sees the stored bytes, with their version. Every event has a view
for everybody, if only its number, so that a client can tell that it missed none. Each event says
who sees it (`Event.seen_by`, `Event.private`); everybody else sees only its number.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from novamas.house.log.store import Record
from novamas.house.log.stored_lines import upgraded
from novamas.house.table.events import EVENTS
from novamas.house.views.view import View
from novamas.table.events.event import Event, SeenBy


class EventView(View):
    """An event of a table's log as someone sees it."""

    seq: int
    at: int
    """Milliseconds since 1970."""
    type: str
    """`Hidden` if the event is not for the person who asks."""
    data: dict[str, Any]
    """The fields of the event that the person who asks may see."""
    yours: dict[str, Any] | None = None
    """The private part, for the player whom it concerns."""
    version: int | None = None
    """For the auditor, who sees the log as it is stored: the version of the stored shape."""
    command: str | None = None
    """For the auditor: the id of the command that led to it."""
    previous: str | None = None
    """For the auditor: the hash of the event before it."""
    hash: str | None = None
    """For the auditor: the hash of the event, which includes the previous one."""


class Audience(StrEnum):
    """Who looks."""

    PUBLIC = "public"
    """Players and onlookers."""
    STAFF = "staff"
    """Croupier, chief, inspector: all of the table's play and its bank."""
    AUDITOR = "auditor"
    """The log as it is stored, with its hashes."""


def of_record(record: Record, audience: Audience, player: str | None = None) -> bytes:
    """An event as an audience sees it, with the player's own private part if one is given."""
    head = {"seq": record.seq, "at": record.at, "type": record.type}
    if audience is Audience.AUDITOR:
        stored = {
            "version": record.version,
            "command": record.command,
            "previous": record.previous.hex(),
            "hash": record.hash.hex(),
            "data": msgspec.Raw(record.payload),
        }
        return msgspec.json.encode({**head, **stored})
    if audience is Audience.STAFF:
        return msgspec.json.encode({**head, "data": msgspec.Raw(_payload(record))})
    if player is not None and (own := personal(record).get(player)) is not None:
        return own
    kind = EVENTS.get(record.type, Event)
    if kind.seen_by is not SeenBy.EVERYBODY:
        return msgspec.json.encode({**head, "type": "Hidden", "data": {}})
    hidden = kind.private
    if not hidden:
        return msgspec.json.encode({**head, "data": msgspec.Raw(_payload(record))})
    data = _FIELDS.decode(_payload(record))
    shown = {key: value for key, value in data.items() if key not in hidden}
    return msgspec.json.encode({**head, "data": shown})


def _payload(record: Record) -> bytes:
    """The payload of an event in the current form."""
    return upgraded(record.type, record.version, record.payload)


class _Owned(msgspec.Struct):
    """The owner of a line; the rest of it is not decoded."""

    player: str


# Fields that are only passed on stay encoded: a large coup has many lines.
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LINES = msgspec.json.Decoder(list[msgspec.Raw])
_OWNERS = msgspec.json.Decoder(list[_Owned])


def personal(record: Record) -> dict[str, bytes]:
    """An event as each concerned player sees it: the public part and their private one.

    Each event is one message, so that nobody can lose half of it.
    """
    kind = EVENTS.get(record.type, Event)
    hidden = kind.private
    if not hidden and kind.seen_by is not SeenBy.PLAYER:
        return {}
    data = _FIELDS.decode(_payload(record))
    head = {"seq": record.seq, "at": record.at, "type": record.type}
    player: str | None = msgspec.json.decode(data["player"]) if "player" in data else None
    if not hidden:
        return {player: msgspec.json.encode({**head, "data": {}, "yours": data})} if player else {}
    shown = {key: value for key, value in data.items() if key not in hidden}
    mine: dict[str, dict[str, Any]] = {}
    if "lines" in hidden:
        lines: dict[str, list[msgspec.Raw]] = {}
        pairs = zip(_OWNERS.decode(data["lines"]), _LINES.decode(data["lines"]), strict=True)
        for owned, line in pairs:
            lines.setdefault(owned.player, []).append(line)
        mine = {name: {"lines": own} for name, own in lines.items()}
    elif player is not None:
        mine = {player: {key: data[key] for key in hidden if key in data}}
    return {
        name: msgspec.json.encode({**head, "data": shown, "yours": own})
        for name, own in mine.items()
    }


def of_clock(*, step: str, ends: int | None, now: int) -> bytes:
    """The clock message: when a step of the coup ends. It is in no log."""
    return msgspec.json.encode({"clock": {"step": step, "ends": ends, "now": now}})
