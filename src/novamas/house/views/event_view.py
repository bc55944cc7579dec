"""Event views: what each audience sees of an event.

The data of a view come from the stored payload alone, so that live events and events after a
reconnection cannot differ; `novamas.house.views.live_view` adds what follows from a live event. An
event stored in an older form is shown in the current one, so that clients need
only one form; only the auditor sees the stored bytes, with their version. Every event has a view
for everybody, if only its number, so that a client can tell that it missed none. Each event says
who sees it (`Event.seen_by`, `Event.private`); everybody else sees only its number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

import msgspec

from novamas.house.log.store import Record
from novamas.house.log.stored_lines import upgraded
from novamas.house.table.events import EVENTS
from novamas.table.events.event import Event, SeenBy


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
    if audience is Audience.PUBLIC and player is not None:
        own = personal_parts(record, (player,)).get(player)
        if own is not None:
            return msgspec.json.encode(own)
    return msgspec.json.encode(parts(record, audience))


def parts(record: Record, audience: Audience, fields: Fields | None = None) -> dict[str, Any]:
    """The parts of an event's view for an audience, without anything personal.

    `fields` are the event's, where the caller has decoded them.
    """
    head = _head(record)
    if audience is Audience.AUDITOR:
        stored = {
            "version": record.version,
            "command": record.command,
            "previous": record.previous.hex(),
            "hash": record.hash.hex(),
            "data": msgspec.Raw(record.payload),
        }
        return {**head, **stored}
    if audience is Audience.STAFF:
        return {**head, "data": msgspec.Raw(_payload(record))}
    kind = EVENTS.get(record.type, Event)
    if kind.seen_by is not SeenBy.EVERYBODY:
        return {**head, "type": "Hidden", "data": {}}
    hidden = kind.private
    if not hidden:
        return {**head, "data": msgspec.Raw(_payload(record))}
    data = fields_of(record) if fields is None else fields
    return {**head, "data": {key: value for key, value in data.items() if key not in hidden}}


def _head(record: Record) -> dict[str, Any]:
    return {"seq": record.seq, "at": record.at, "type": record.type}


@cache
def is_personal(type_name: str) -> bool:
    """Whether an event of this type has a private part for a player."""
    kind = EVENTS.get(type_name, Event)
    return bool(kind.private) or kind.seen_by is SeenBy.PLAYER


def _payload(record: Record) -> bytes:
    """The payload of an event in the current form."""
    return upgraded(record.type, record.version, record.payload)


Fields = dict[str, msgspec.Raw]
"""The fields of an event, each still encoded: a large coup has many lines to pass on."""


class _Owned(msgspec.Struct):
    """The owner of a line; the rest of it is not decoded."""

    player: str


_FIELDS = msgspec.json.Decoder(Fields)
_LINES = msgspec.json.Decoder(list[msgspec.Raw])
_OWNERS = msgspec.json.Decoder(list[_Owned])


def fields_of(record: Record) -> Fields:
    """The fields of an event in the current form."""
    return _FIELDS.decode(_payload(record))


def personal(record: Record) -> dict[str, bytes]:
    """An event as each concerned player sees it: the public part and their private one.

    Each event is one message, so that nobody can lose half of it.
    """
    return {name: msgspec.json.encode(own) for name, own in personal_parts(record).items()}


def personal_parts(
    record: Record,
    players: Collection[str] | None = None,
    places: Mapping[str, Sequence[int]] | None = None,
    fields: Fields | None = None,
) -> dict[str, dict[str, Any]]:
    """The parts of an event's view for each concerned player, or only for those of `players`.

    Where the caller knows them, `places` are each player's among its lines, and `fields` are the
    event's.
    """
    if not is_personal(record.type):
        return {}
    hidden = EVENTS[record.type].private
    data = fields_of(record) if fields is None else fields
    head = _head(record)
    player: str | None = msgspec.json.decode(data["player"]) if "player" in data else None
    if not hidden:
        mine: dict[str, Any] = {} if player is None else {player: data}
        shown = {}
    else:
        shown = {key: value for key, value in data.items() if key not in hidden}
        if "lines" in hidden:
            mine = {
                name: {"lines": own}
                for name, own in _by_owner(data["lines"], places, players).items()
            }
        elif player is not None:
            mine = {player: {key: data[key] for key in hidden if key in data}}
        else:
            mine = {}
    return {
        name: {**head, "data": shown, "yours": own}
        for name, own in mine.items()
        if players is None or name in players
    }


def _by_owner(
    lines: msgspec.Raw,
    places: Mapping[str, Sequence[int]] | None,
    players: Collection[str] | None,
) -> dict[str, list[msgspec.Raw]]:
    """Divides lines among their owners, without those of players who do not ask."""
    decoded = _LINES.decode(lines)
    if places is None:
        found: dict[str, list[int]] = {}
        for place, owned in enumerate(_OWNERS.decode(lines)):
            found.setdefault(owned.player, []).append(place)
        places = found
    asking = places if players is None else [name for name in places if name in players]
    return {name: [decoded[place] for place in places[name]] for name in asking}


def of_clock(*, step: str, ends: int | None, now: int) -> bytes:
    """The clock message: when a step of the coup ends. It is in no log."""
    return msgspec.json.encode({"clock": {"step": step, "ends": ends, "now": now}})
