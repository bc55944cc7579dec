"""Encryption of the ball's seeds in the store, with a key that is kept outside the store.

A store or a backup without this key does not help to predict a number. The key is 64 hexadecimal
digits, in a file or elsewhere; a missing file is created when the first seed is encrypted.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from novamas.game.errors import NovamasError
from novamas.house import key_files
from novamas.house.key_sources import (
    CredentialSource,
    FileSource,
    KeySource,
    KeySourceError,
    key_source,
)

KEY_BYTES = 32
NONCE_BYTES = 12
VERSION = b"\x01"
"""The version of the format: AES-256-GCM, prefixed with a nonce of 12 random bytes."""


class SealError(NovamasError):
    """A seed cannot be encrypted or decrypted, and why."""


class SealingKey:
    """A key in memory: what was encrypted with it is lost when the process ends."""

    where = "the memory of the process that sealed it"
    """How error messages name it."""
    made = False
    """Whether it was created just now, in a file that the operator has to keep."""

    def __init__(self) -> None:
        self._key: bytes | None = None

    def found(self) -> bytes | None:
        """The key, if there is one."""
        return self._key

    def _make(self) -> bytes:
        self._key = secrets.token_bytes(KEY_BYTES)
        return self._key

    def prepare(self) -> None:
        """Makes sure that there is a key."""
        if self.found() is None:
            self._make()

    def seal(self, secret: bytes, *, bound_to: bytes) -> bytes:
        """Encrypts a secret, with `bound_to` as associated data."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        key = self.found() or self._make()
        return VERSION + nonce + AESGCM(key).encrypt(nonce, secret, bound_to)

    def unseal(self, sealed: bytes, *, bound_to: bytes) -> bytes:
        """Decrypts a secret."""
        key = self.found()
        if key is None:
            raise SealError(f"the key of the ball is missing: {self.where}")
        start = len(VERSION) + NONCE_BYTES
        if sealed[: len(VERSION)] != VERSION:
            raise SealError("the seed was sealed by another version of the house")
        try:
            return AESGCM(key).decrypt(sealed[len(VERSION) : start], sealed[start:], bound_to)
        except InvalidTag:
            raise SealError(f"{self.where} is not the key that sealed the seed") from None


class DerivedKey(SealingKey):
    """A key for another purpose, derived from a stored one: HKDF-SHA256 by the purpose.

    So no key has two purposes, and only one file has to be kept.
    """

    def __init__(self, kept: SealingKey, use: str) -> None:
        super().__init__()
        self._kept, self._use = kept, use
        self.where = kept.where

    def found(self) -> bytes | None:
        """The key, if there is one."""
        if self._key is None and (kept := self._kept.found()) is not None:
            derive = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=self._use.encode())
            self._key = derive.derive(kept)
        return self._key

    def _make(self) -> bytes:
        self._kept.prepare()
        made = self.found()
        if made is None:
            raise SealError(f"{self.where} was removed while it was made")
        return made


class KeptKey(SealingKey):
    """A key that is stored outside the process: see `novamas.house.key_sources`."""

    def __init__(self, source: KeySource) -> None:
        super().__init__()
        self.source = source
        self.where = source.where

    def found(self) -> bytes | None:
        """The key, if there is one."""
        if self._key is None:
            self._key = self._read()
        return self._key

    def _read(self) -> bytes | None:
        try:
            written = self.source.read()
            if written is None:
                return None
            key = _digits(written)
            if key is None:
                what = key_files.describe(written)
                said = f"{self.where} holds {what}; a key of the ball is 64 hexadecimal digits"
                raise SealError(said)
            self.source.require_private()
        except OSError as problem:
            raise SealError(f"{self.where}: {problem.strerror}") from None
        except KeySourceError as problem:
            raise SealError(str(problem)) from None
        return key

    def _make(self) -> bytes:
        """Creates the key, complete and durable; of several servers only one creates it."""
        try:
            self.made = self.source.make(secrets.token_hex(KEY_BYTES)) or self.made
        except OSError as problem:
            raise SealError(f"{self.where}: {problem.strerror}") from None
        except KeySourceError as problem:
            raise SealError(str(problem)) from None
        key = self.found()
        if key is None:
            raise SealError(f"{self.where} was removed while it was made")
        return key


class KeyFile(KeptKey):
    """A key in a file, which the servers of one house share."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(FileSource(path))
        self.path = Path(path)


def kept_key(written: str) -> KeptKey:
    """The key from the source that an option names."""
    try:
        source = key_source(written)
    except KeySourceError as problem:
        raise SealError(str(problem)) from None
    is_file = isinstance(source, FileSource) and not isinstance(source, CredentialSource)
    return KeyFile(written) if is_file else KeptKey(source)


def _digits(written: str) -> bytes | None:
    try:
        key = bytes.fromhex(written.strip())
    except ValueError:
        return None
    return key if len(key) == KEY_BYTES else None
