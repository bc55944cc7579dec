"""Snapshots of the register: everything it knows as bytes, so that a start replays only the end.

A snapshot is a shortcut. The log is the truth: replaying it from the first event gives the same
register, and a snapshot that this version cannot read is ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from novamas.house.people.events import RegisterEvent
from novamas.house.people.state import Register, evolve

VERSION = 1
"""Rises when the same events come to mean another register."""


class _Snapshot(msgspec.Struct):
    version: int
    shape: str
    register: Register


def _shape() -> str:
    """What the register consists of: a snapshot of another shape is not read."""
    schema = msgspec.json.encode(msgspec.json.schema(Register), order="sorted")
    return hashlib.sha256(schema).hexdigest()


SHAPE = _shape()


def remember(register: Register) -> bytes:
    """The register as bytes."""
    return msgspec.json.encode(_Snapshot(VERSION, SHAPE, register))


def recall(data: bytes) -> Register | None:
    """The register from its bytes; None if another version of the house wrote them."""
    try:
        found = msgspec.json.decode(data, type=_Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found.register if (found.version, found.shape) == (VERSION, SHAPE) else None


def after(register: Register, events: Iterable[RegisterEvent], at: int) -> bytes:
    """The snapshot of a register as it will be once some events are recorded."""
    later = recall(remember(register))
    if later is None:
        raise ValueError("a register does not survive its own snapshot")
    for event in events:
        evolve(later, event, at)
    return remember(later)
