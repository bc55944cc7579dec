"""Checkpoints: signed records of each log's head, kept apart from the log.

A hash chain reveals every change but one: if its tail is cut off, the rest is still a valid chain.
So the house appends the sequence and hash of each log to a file that is kept elsewhere, and signs
each line, together with the previous one, with a key of its own. A log is verified against that
file.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from novamas.game.errors import NovamasError
from novamas.house.clock import Clock
from novamas.house.key_files import CHECKPOINT_LABEL, describe
from novamas.house.key_sources import FileSource, KeySource, KeySourceError, key_source
from novamas.house.log.store import Head, StoreError

Blocking = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a blocking call in a thread."""


KEY_SUFFIX = ".signing-key"
"""The suffix of the key's file name."""
KEY_BYTES = 32


class Checkpoint(NamedTuple):
    """The head of a log at one moment."""

    table: str
    seq: int
    hash: str
    at: int


class CheckpointError(NovamasError, ValueError):
    """A checkpoint file that cannot be trusted, with the line."""


class Checkpoints:
    """A file of signed checkpoints, and its key."""

    def __init__(
        self, path: str | Path, key: bytes | None = None, *, source: str | None = None
    ) -> None:
        """Opens a file of checkpoints with its key; creates both if neither exists.

        A file with checkpoints but no key is refused, because it cannot be checked. `source` is the
        source of the key, if it is not beside the file: see `novamas.house.key_sources`.
        """
        self.path = Path(path)
        self._is_beside = source is None
        try:
            self._source = FileSource(self.key_path) if source is None else key_source(source)
        except KeySourceError as problem:
            raise CheckpointError(str(problem)) from None
        self._key = key if key is not None else self._read_key() or self._make_key()
        self._last: str | None = None
        """The signature of the last line, once it is known."""

    @property
    def key_path(self) -> Path:
        """The default path of the key: beside the file."""
        return Path(f"{self.path}{KEY_SUFFIX}")

    def _read_key(self) -> bytes | None:
        """The key, if there is one; also under the name of earlier versions."""
        text = self._read(self._source)
        if text is None:
            return self._read_early_key() if self._is_beside else None
        if not text.startswith(CHECKPOINT_LABEL):
            raise self._wrong_kind(self._source, text)
        return self._digits(self._source, text.removeprefix(CHECKPOINT_LABEL))

    def _read_early_key(self) -> bytes | None:
        """The key that an earlier version made, under a name that usually means a TLS key."""
        if not self._is_begun():
            return None
        early = FileSource(self.path.with_suffix(".key"))
        text = self._read(early)
        return self._digits(early, text) if text is not None else None

    def _read(self, source: KeySource) -> str | None:
        try:
            text = source.read()
        except KeySourceError as problem:
            raise CheckpointError(str(problem)) from None
        return text.strip() if text is not None else None

    def _digits(self, source: KeySource, text: str) -> bytes:
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise self._wrong_kind(source, text)
        try:
            source.require_private()
        except KeySourceError as problem:
            raise CheckpointError(str(problem)) from None
        return key

    def _wrong_kind(self, source: KeySource, text: str) -> CheckpointError:
        said = f"{source.where} holds {describe(text)}, and not the key of {self.path.name}"
        return CheckpointError(f"{said}: put the right one there; the house writes over none")

    def _is_begun(self) -> bool:
        return self.path.exists() and self.path.stat().st_size > 0

    def _make_key(self) -> bytes:
        if self.path.is_dir():
            raise CheckpointError(f"{self.path} is a folder: checkpoints are a file")
        if self._is_begun():
            if not self.path.read_bytes().startswith(b"["):
                raise CheckpointError(f"{self.path} is no file of checkpoints, and is left alone")
            raise CheckpointError(
                f"{self.path}: the key of these checkpoints is missing; {self._place()}"
            )
        made = secrets.token_bytes(KEY_BYTES)
        try:
            self._source.make(f"{CHECKPOINT_LABEL}{made.hex()}")
        except KeySourceError as problem:
            raise CheckpointError(str(problem)) from None
        key = self._read_key()
        if key is None:
            raise CheckpointError(f"{self._source.where} was removed while it was made")
        return key

    def _place(self) -> str:
        if self._is_beside:
            return f"it was written beside them, as {self.key_path.name}"
        return f"it is not at {self._source.where}"

    def write(self, checkpoint: Checkpoint) -> None:
        """Appends a checkpoint and makes it durable."""
        if self._last is None:
            self._last = self._mend()
        signature = self._sign(checkpoint, self._last)
        line = json.dumps([*checkpoint, signature], ensure_ascii=False)
        self._last = None  # Until it is durable, it is unknown how much was written.
        with self.path.open("ab") as file:
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._last = signature

    def _mend(self) -> str:
        """Removes a line that a power cut left unfinished; returns the last signature."""
        written = self.path.read_bytes() if self.path.exists() else b""
        whole = written.rfind(b"\n") + 1
        if whole < len(written):
            os.truncate(self.path, whole)
        return next((signature for _, signature in reversed([*self._signed()])), "")

    def read(self) -> Iterator[Checkpoint]:
        """Reads the checkpoints in order; raises at the first with a wrong signature."""
        for checkpoint, _ in self._signed():
            yield checkpoint

    def _signed(self) -> Iterator[tuple[Checkpoint, str]]:
        written = self.path.read_bytes() if self.path.exists() else b""
        previous = ""
        # Text after the last line break was never completed, nor acknowledged.
        for number, line in enumerate(written.split(b"\n")[:-1], 1):
            try:
                table, seq, digest, at, signature = json.loads(line)
                checkpoint = Checkpoint(table, seq, digest, at)
                good = hmac.compare_digest(self._sign(checkpoint, previous), signature)
            except (ValueError, TypeError):
                good = False
            if not good:
                raise CheckpointError(f"{self.path}, line {number}: not one of our checkpoints")
            yield checkpoint, signature
            previous = signature

    def newest(self) -> dict[str, Checkpoint]:
        """The last checkpoint of each table."""
        return {checkpoint.table: checkpoint for checkpoint in self.read()}

    def _sign(self, checkpoint: Checkpoint, previous: str) -> str:
        text = json.dumps([previous, *checkpoint], ensure_ascii=False)
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


class Witness:
    """Writes checkpoints of one log, if the house keeps checkpoints."""

    def __init__(
        self, log: str, checkpoints: Checkpoints | None, blocking: Blocking, clock: Clock
    ) -> None:
        self._log = log
        self._checkpoints = checkpoints
        self._blocking = blocking
        self._clock = clock
        self._seen = 0

    async def see(self, head: Head) -> None:
        """Writes a checkpoint of this head, unless it is written already."""
        checkpoints = self._checkpoints
        if checkpoints is None or head.seq == self._seen:
            return
        seen = Checkpoint(self._log, head.seq, head.hash.hex(), self._clock.now())
        try:
            await self._blocking(lambda: checkpoints.write(seen))
        except (OSError, CheckpointError) as problem:
            raise StoreError(f"the checkpoints cannot be written: {problem}") from None
        self._seen = head.seq
