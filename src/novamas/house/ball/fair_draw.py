"""The ball of a drawn table: secrets that are committed in advance, and texts of the players.

The house draws one random seed and hashes it again and again. The last hash, the tip, is published
before the first stake. Each spin reveals the next secret of this chain, and everybody sees that it
hashes to the one revealed before it. The players' texts (nonces) are hidden behind hashes until
betting has closed, and then opened. `docs/explanation/fairness.md` says what follows from this.

    secret(place - 1) = SHA-256("novamas chain 1", table, place, secret(place))
    hash of a nonce   = SHA-256("novamas nonce 1", table, spin, commitment, player, nonce)
    stream            = HMAC-SHA256(secret, "novamas draw 2", table, spin,
                                    player, "opened", nonce | player, "withheld", hash, …, block)
    n                 = how many pockets the wheel has
    index             = the first byte of the stream below the largest multiple of n up to 256,
                        modulo n
    number            = pockets[index], where pockets = 0, 1, …, 36, then "00", "000"

The commitment of a place is the secret of the place before it; that of place 1 is the tip. Version
0.1.0 drew a separate secret for each spin, and nonces were public from the start:

    commitment        = SHA-256("novamas ball 1", table, spin, secret)
    stream            = HMAC-SHA256(secret, "novamas draw 1", table, spin, player, nonce, …, block)

Such coups can still be checked, and one whose betting was closed is still drawn that way. Every
field is prefixed with its length, so that no two inputs look the same. How many bytes are used is a
multiple of n: with 37 pockets those below 222, with 38 those below 228. So each pocket has equally
many bytes, six, and none is likelier than another.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Protocol

SECRET_BYTES = 32
BYTES = 256
"""How many values a byte has: a wheel has no more pockets."""
CHAIN_TAG = b"novamas chain 1"
NONCE_TAG = b"novamas nonce 1"
DRAW_TAG = b"novamas draw 2"
SINGLE_TAG = b"novamas ball 1"
SINGLE_DRAW_TAG = b"novamas draw 1"
LONGEST_NONCE = 128
_HASH = re.compile("[0-9a-f]{64}")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a nonce may not have: controls, line separators, bidi controls, surrogates."""


class Secret(bytes):
    """A secret that is not revealed yet; its `repr` does not show it."""

    def __repr__(self) -> str:
        return "<secret>"

    __str__ = __repr__


class Entropy(Protocol):
    """A source of seeds."""

    def secret(self) -> bytes:
        """32 bytes that nobody can predict."""


class SystemEntropy:
    """The operating system's cryptographic source."""

    def secret(self) -> bytes:
        """32 bytes of the system's source; never seeded by us, never forked."""
        return secrets.token_bytes(SECRET_BYTES)


def _framed(*fields: bytes) -> bytes:
    return b"".join([len(field).to_bytes(4, "big") + field for field in fields])


def committed(table: str, place: int, secret: bytes) -> bytes:
    """The commitment that a secret opens: the secret of the previous place, or the tip.

    >>> committed("1", 1, bytes(32)).hex()[:16]
    '1dd5abc4bfd2e8df'
    """
    framed = _framed(CHAIN_TAG, table.encode(), str(place).encode(), secret)
    return hashlib.sha256(framed).digest()


class Chain:
    """The secrets of a table's next spins, each the hash of the one after it."""

    def __init__(self, table: str, seed: bytes, length: int) -> None:
        links = [seed]
        for place in range(length, 0, -1):
            links.append(committed(table, place, links[-1]))
        links.reverse()
        self.length = length
        self._secrets = b"".join(links)

    def __repr__(self) -> str:
        return f"<chain of {self.length}>"

    def _link(self, place: int) -> bytes:
        return self._secrets[place * SECRET_BYTES : (place + 1) * SECRET_BYTES]

    @property
    def tip(self) -> bytes:
        """The hash that is published before the first stake."""
        return self._link(0)

    @property
    def seed(self) -> Secret:
        """The secret from which all others are hashed: the last to be revealed."""
        return self.secret(self.length)

    def secret(self, place: int) -> Secret:
        """The secret of a place, from 1 to the length of the chain."""
        if not 1 <= place <= self.length:
            raise ValueError(f"a chain of {self.length} has no place {place}")
        return Secret(self._link(place))

    def commitment(self, place: int) -> bytes:
        """The hash of the secret of a place: public since the previous spin."""
        if not 1 <= place <= self.length:
            raise ValueError(f"a chain of {self.length} has no place {place}")
        return self._link(place - 1)


def fair_bytes(pockets: int) -> int:
    """The largest multiple of the number of pockets that fits a byte; bytes below it are used.

    >>> fair_bytes(37), fair_bytes(38), fair_bytes(39)
    (222, 228, 234)
    """
    if not 0 < pockets <= BYTES:
        raise ValueError(f"a byte cannot choose one of {pockets} pockets")
    return BYTES // pockets * pockets


def index_of(drawn: bytes, pockets: int) -> int | None:
    """The index that the first usable byte chooses; None if there is none.

    >>> index_of(bytes([0]), 37), index_of(bytes([221]), 37), index_of(bytes([222, 38]), 37)
    (0, 36, 1)
    >>> index_of(bytes([227]), 38), index_of(bytes([228, 38]), 38), index_of(b"", 38)
    (37, 0, None)
    """
    fair = fair_bytes(pockets)
    for byte in drawn:
        if byte < fair:
            return byte % pockets
    return None


def draw(
    table: str,
    spin: int,
    secret: bytes,
    nonces: Mapping[str, str],
    withheld: Mapping[str, str] | None = None,
    *,
    pockets: int,
) -> int:
    """The index of a spin's pocket, from the opened nonces and the hashes of those not opened.

    >>> draw("1", 1, bytes(32), {"ana": "17"}, pockets=37)
    31
    """
    fields = [DRAW_TAG, table.encode(), str(spin).encode()]
    given = [(player, b"opened", nonce) for player, nonce in nonces.items()]
    given += [(player, b"withheld", known) for player, known in (withheld or {}).items()]
    for player, kind, value in sorted(given):
        fields += (player.encode(), kind, value.encode())
    return _index(secret, fields, pockets)


def single_commitment(table: str, spin: int, secret: bytes) -> str:
    """The commitment of version 0.1.0 to the secret of one spin.

    >>> single_commitment("1", 1, bytes(32))[:16]
    'e3d44ecf61176960'
    """
    framed = _framed(SINGLE_TAG, table.encode(), str(spin).encode(), secret)
    return hashlib.sha256(framed).hexdigest()


def single_draw(
    table: str, spin: int, secret: bytes, nonces: Mapping[str, str], *, pockets: int
) -> int:
    """The index of the pocket of a spin that version 0.1.0 committed to.

    >>> single_draw("1", 1, bytes(32), {"ana": "17"}, pockets=37)
    19
    """
    fields = [SINGLE_DRAW_TAG, table.encode(), str(spin).encode()]
    for player in sorted(nonces):
        fields += (player.encode(), nonces[player].encode())
    return _index(secret, fields, pockets)


def _index(secret: bytes, fields: Iterable[bytes], pockets: int) -> int:
    message = _framed(*fields)
    index, block = None, 0
    while index is None:
        drawn = hmac.digest(secret, message + block.to_bytes(4, "big"), "sha256")
        index = index_of(drawn, pockets)
        block += 1
    return index


def nonce_hash(table: str, spin: int, commitment: str, player: str, nonce: str) -> str:
    """The hash with which a player commits to a nonce, for one spin, commitment and player.

    >>> nonce_hash("1", 1, "00", "ana", "17")[:16]
    'dfc40b561f86e7df'
    """
    fields = (table, str(spin), commitment, player, nonce)
    framed = _framed(NONCE_TAG, *(field.encode() for field in fields))
    return hashlib.sha256(framed).hexdigest()


def is_hash(value: object) -> bool:
    """Whether this is a SHA-256 in lower-case hexadecimal."""
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def is_nonce(value: object) -> bool:
    """Whether a player may use this nonce: a line of up to 128 characters."""
    fits = isinstance(value, str) and 0 < len(value) <= LONGEST_NONCE
    return fits and _UNSEEN.search(str(value)) is None
