"""The ball of a drawn table: a number that nobody could choose, and that anybody can check.

Before betting opens the house commits to a secret: it publishes a hash of it. The players' nonces
that stand when betting closes are mixed in, and the number is worked out only once the close is
durable. With the result the secret is revealed, and whoever has the log can work it out again:

    commitment = SHA-256("novamas ball 1" , table, spin, secret)
    stream     = HMAC-SHA256(secret, "novamas draw 1" , table, spin, player, nonce, …, block)
    number     = the first byte of the stream below 222, modulo 37

Every text has its length before it, so that no two inputs look the same. 222 is six times 37: each
number has exactly six bytes, and none is likelier than another.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Protocol

from novamas.game.wheel import POCKETS

SECRET_BYTES = 32
FAIR = 256 // POCKETS * POCKETS
"""Bytes below this are used; the others are thrown away, and the next one is looked at."""
COMMITMENT_TAG = b"novamas ball 1"
DRAW_TAG = b"novamas draw 1"
LONGEST_NONCE = 64


class Secret(bytes):
    """A secret that is not revealed yet: whoever prints what holds it does not print it."""

    def __repr__(self) -> str:
        return "<secret>"

    __str__ = __repr__


class Entropy(Protocol):
    """Where secrets come from."""

    def secret(self) -> bytes:
        """32 bytes that nobody can foresee."""


class SystemEntropy:
    """The operating system's cryptographic source."""

    def secret(self) -> bytes:
        """32 bytes of the system's source; never seeded by us, never forked."""
        return secrets.token_bytes(SECRET_BYTES)


def _framed(*fields: bytes) -> bytes:
    return b"".join([len(field).to_bytes(4, "big") + field for field in fields])


def commitment(table: str, spin: int, secret: bytes) -> str:
    """The hash by which the house binds itself to a secret.

    >>> commitment("1", 1, bytes(32))[:16]
    'e3d44ecf61176960'
    """
    framed = _framed(COMMITMENT_TAG, table.encode(), str(spin).encode(), secret)
    return hashlib.sha256(framed).hexdigest()


def number_of(drawn: bytes) -> int | None:
    """The number of the first usable byte; None if there is none.

    >>> number_of(bytes([0])), number_of(bytes([221])), number_of(bytes([222, 38])), number_of(b"")
    (0, 36, 1, None)
    """
    for byte in drawn:
        if byte < FAIR:
            return byte % POCKETS
    return None


def draw(table: str, spin: int, secret: bytes, nonces: Mapping[str, str]) -> int:
    """The number of a spin.

    >>> draw("1", 1, bytes(32), {"ana": "17"})
    19
    """
    fields = [DRAW_TAG, table.encode(), str(spin).encode()]
    for player in sorted(nonces):
        fields += (player.encode(), nonces[player].encode())
    message = _framed(*fields)
    number, block = None, 0
    while number is None:
        number = number_of(hmac.digest(secret, message + block.to_bytes(4, "big"), "sha256"))
        block += 1
    return number


def is_nonce(value: object) -> bool:
    """Whether a player may use this nonce: printable text of up to 64 characters."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_NONCE and value.isprintable()
