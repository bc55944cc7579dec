"""The codec: events as bytes with a stable name and a version, and back.

A stored event is `(type, version, payload)`. The type is the event's own name, never a path of the
code. An unknown type or version is an error, because a log that is only partly understood cannot be
trusted. Payloads are JSON, so that anybody can read a log with common tools.

An event's version rises when its shape changes. A field that an older version lacks has a default,
so older logs can be read as they are; a program that does not know the new version refuses the log.
For the same reason a field that is nothing or false by default is left out while it is: of a plain
stake that is half of what would be stored, and sent to everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from novamas.game.errors import NovamasError
from novamas.game.lines import Settlement
from novamas.game.stakes import Prisoner, Stake
from novamas.house.log.stored_lines import (
    StoredCall,
    StoredChoice,
    read_line,
    store_line,
    upgraded,
)
from novamas.house.table.events import EVENTS
from novamas.table import events as table_events
from novamas.table.events import Event
from novamas.table.state import State

VERSIONS = {
    "TableSetUp": 4,
    "WrongPaymentMade": 2,
    "StakeMoved": 2,
    "StakePlaced": 2,
    "AnnouncementPlaced": 2,
    "BallLaunched": 2,
    "BallCommitted": 3,
    "BallRevealed": 3,
    "BallPocketed": 2,
    "BallVoided": 2,
    "NumberQuestioned": 2,
    "NumberCorrected": 2,
    "NumberCalled": 3,
    "ChoiceMade": 3,
}
"""The current version of an event, if its first shape has changed."""
UPCASTS: dict[tuple[str, int], dict[str, Any]] = {
    ("BallCommitted", 1): {"chain": 0, "place": 0},
    ("BallRevealed", 1): {"withheld": {}},
}
"""Fields to add to an event of an older version on reading, if defaults are not enough.

Version 0.1.0 committed to each spin separately: its commitments belong to no chain.
"""

STORED: dict[str, type[msgspec.Struct]] = {"NumberCalled": StoredCall, "ChoiceMade": StoredChoice}
"""The events with a stored shape of their own, and that shape."""


class UnknownEventError(NovamasError, ValueError):
    """An event that this version of the house does not know."""


def unknown(name: str, version: int, *, newest: int) -> UnknownEventError:
    """The error for an event that cannot be read; `newest` is the newest version known here."""
    if version > newest:
        return UnknownEventError(
            f"{name}/{version} was written by a newer version of novamas: run that one"
        )
    return UnknownEventError(
        f"{name}/{version} was written by a version of novamas that is no longer read"
    )


class Encoded(NamedTuple):
    """An event as it is stored."""

    type: str
    version: int
    payload: bytes


Sparing = Callable[[Event], msgspec.Struct]
"""Makes what is stored of an event, without the fields that are left out."""


def _sparing(kind: type[Event]) -> Sparing | None:
    """How events of a kind are stored; None if all their fields always are."""
    usual = {f.name: f.default for f in fields(kind) if f.default is None or f.default is False}
    if not usual:
        return None
    always = [each.name for each in fields(kind) if each.name not in usual]
    names = (*always, *usual)
    # For a single name it would return the value alone.
    read = attrgetter(*names) if len(names) > 1 else lambda event: (getattr(event, names[0]),)
    stored = msgspec.defstruct(
        kind.__name__,
        [*((name, Any) for name in always), *((name, Any, usual[name]) for name in usual)],
        omit_defaults=True,
        gc=False,
    )
    return lambda event: stored(*read(event))


_SPARING = {kind: made for kind in EVENTS.values() if (made := _sparing(kind)) is not None}


def encode(event: Event) -> Encoded:
    """Encodes an event.

    >>> encode(table_events.StakesReturned(returned=())).payload
    b'{"returned":[]}'
    """
    plain: Any = event
    if isinstance(event, table_events.NumberCalled):
        settlement = event.settlement
        lines = [store_line(line) for line in settlement.lines]
        plain = StoredCall(event.call, settlement.pocket, lines)
    elif isinstance(event, table_events.ChoiceMade):
        plain = StoredChoice(event.id, event.choice, store_line(event.line))
    elif (sparing := _SPARING.get(type(event))) is not None:
        plain = sparing(event)
    name = type(event).__name__
    return Encoded(name, VERSIONS.get(name, 1), msgspec.json.encode(plain))


def decode(type_name: str, version: int, payload: bytes, state: State | None) -> Event:
    """Decodes an event; `state` is the table right before it, whose stakes the lines refer to."""
    kind = EVENTS.get(type_name)
    newest = VERSIONS.get(type_name, 1)
    if kind is None or not 1 <= version <= newest:
        raise unknown(type_name, version, newest=newest if kind is not None else 0)
    upcast = UPCASTS.get((type_name, version))
    if upcast is not None:
        return msgspec.convert({**upcast, **msgspec.json.decode(payload)}, type=kind, strict=True)
    special = _SPECIAL.get(type_name)
    if special is not None:
        if state is None:
            raise UnknownEventError(f"{type_name} without its table")
        return special(upgraded(type_name, version, payload), state)
    return msgspec.json.decode(payload, type=kind, strict=True)


def _stake(state: State, id: str) -> Stake | Prisoner:
    found = state.stakes.get(id) or state.prison.get(id)
    if found is None:
        raise UnknownEventError(f"a line names {id!r}, which is not on the table")
    return found


def _number_called(payload: bytes, state: State) -> Event:
    stored = msgspec.json.decode(payload, type=StoredCall)
    lines = tuple(read_line(each, _stake(state, each.id)) for each in stored.lines)
    settlement = Settlement(stored.pocket, lines)
    return table_events.NumberCalled(call=stored.call, settlement=settlement)


def _choice_made(payload: bytes, state: State) -> Event:
    stored = msgspec.json.decode(payload, type=StoredChoice)
    line = read_line(stored.line, _stake(state, stored.line.id))
    return table_events.ChoiceMade(id=stored.id, choice=stored.choice, line=line)


_SPECIAL: dict[str, Callable[[bytes, State], Event]] = {
    "NumberCalled": _number_called,
    "ChoiceMade": _choice_made,
}
