"""The hash chain: each event's hash covers the one before it, so that nothing changes unseen.

A chain alone misses a tail that was cut off. So checkpoints (table, sequence, hash), signed, are
kept apart from the log, and a log is verified against them.
"""

from __future__ import annotations

import hashlib
import struct

from novamas.house.log.codec import Encoded
from novamas.house.log.store import Record

_NUMBERS, _LENGTH = struct.Struct(">QQI"), struct.Struct(">Q")


def link(
    table: str, seq: int, at: int, event: Encoded, command: str | None, previous: bytes
) -> Record:
    """The record of an event, chained to the one before it."""
    digest = digest_of(table, seq, at, event, command, previous)
    return Record(table, seq, at, *event, command, previous, digest)


def follows(record: Record, previous: bytes) -> bool:
    """Whether a record is whole and follows the one that has that hash."""
    event = Encoded(record.type, record.version, record.payload)
    return record.previous == previous and record.hash == digest_of(
        record.table, record.seq, record.at, event, record.command, previous
    )


def digest_of(
    table: str, seq: int, at: int, event: Encoded, command: str | None, previous: bytes
) -> bytes:
    """SHA-256 over the previous hash and every field, each with its length before it."""
    name, kind, by = table.encode(), event.type.encode(), (command or "").encode()
    return hashlib.sha256(
        b"".join(
            (
                previous,
                _NUMBERS.pack(seq, at, event.version),
                _LENGTH.pack(len(name)),
                name,
                _LENGTH.pack(len(kind)),
                kind,
                _LENGTH.pack(len(event.payload)),
                event.payload,
                _LENGTH.pack(len(by)),
                by,
            )
        )
    ).digest()
