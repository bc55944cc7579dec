"""The hash chain: each event's hash covers the previous one, so that changes are detected.

A chain alone does not show that its tail was cut off. So signed checkpoints (table, sequence, hash)
are kept apart from the log, and a log is verified against them.
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
    """Makes the record of an event, linked to the previous one."""
    digest = digest_of(table, seq, at, event, command, previous)
    return Record(table, seq, at, *event, command, previous, digest)


def follows(record: Record, previous: bytes) -> bool:
    """Whether a record is intact and follows the one with that hash."""
    event = Encoded(record.type, record.version, record.payload)
    return record.previous == previous and record.hash == digest_of(
        record.table, record.seq, record.at, event, record.command, previous
    )


def digest_of(
    table: str, seq: int, at: int, event: Encoded, command: str | None, previous: bytes
) -> bytes:
    """SHA-256 of the previous hash and every field, each prefixed with its length."""
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
