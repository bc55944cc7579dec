"""Snapshots of the register: its whole state as bytes, so that a start replays only the end.

A snapshot is only an optimisation. The log is authoritative: replaying it from the first event
gives the same register, and a snapshot that this version cannot read is ignored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from novamas.house.people.events import RegisterEvent
from novamas.house.people.state import Register, evolve

VERSION = 1
"""Rises when the same events lead to a different register."""


class _Snapshot(msgspec.Struct):
    version: int
    shape: str
    register: Register


def _shape() -> str:
    """A digest of the register's fields: a snapshot with other fields is not read."""
    schema = msgspec.json.encode(msgspec.json.schema(Register), order="sorted")
    return hashlib.sha256(schema).hexdigest()


SHAPE = _shape()


def remember(register: Register) -> bytes:
    """Encodes the register."""
    return msgspec.json.encode(_Snapshot(VERSION, SHAPE, register))


def recall(data: bytes) -> Register | None:
    """Decodes a register; None if another version of the house wrote it."""
    try:
        found = msgspec.json.decode(data, type=_Snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found.register if (found.version, found.shape) == (VERSION, SHAPE) else None


def after(register: Register, events: Iterable[RegisterEvent], at: int) -> bytes:
    """The snapshot of a register after these events."""
    later = recall(remember(register))
    if later is None:
        raise ValueError("a register does not survive its own snapshot")
    for event in events:
        evolve(later, event, at)
    return remember(later)
