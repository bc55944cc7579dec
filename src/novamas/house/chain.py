"""The hash chain: each event's hash covers the one before it, so that nothing changes unseen.

A chain alone misses a tail that was cut off. So checkpoints (table, sequence, hash), signed, are
kept apart from the log, and a log is verified against them.
"""

from __future__ import annotations

import hashlib
import struct

from novamas.house.codec import Encoded
from novamas.house.store import Record


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
    hashed = hashlib.sha256(previous)
    fields = (table.encode(), event.type.encode(), event.payload, (command or "").encode())
    hashed.update(struct.pack(">QQI", seq, at, event.version))
    for field in fields:
        hashed.update(struct.pack(">Q", len(field)))
        hashed.update(field)
    return hashed.digest()
