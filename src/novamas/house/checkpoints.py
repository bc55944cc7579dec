"""Checkpoints: where each log stood, signed, and kept apart from the log.

A hash chain shows every change but one: a tail that was cut off leaves a chain that is whole. So
the house writes down, in a file that is kept elsewhere, how far each log had come and with which
hash, and signs each line, together with the line before it, with a key of its own. A log is
verified against that file.
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

from novamas.house.clock import Clock
from novamas.house.store import Head, StoreError

Blocking = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs something that waits for the disk where it does not hold up the house."""


class Checkpoint(NamedTuple):
    """How far a log had come."""

    table: str
    seq: int
    hash: str
    at: int


class CheckpointError(ValueError):
    """A file of checkpoints that cannot be trusted, with the line."""


class Checkpoints:
    """A file of signed checkpoints, and its key beside it."""

    def __init__(self, path: str | Path, key: bytes | None = None) -> None:
        self.path = Path(path)
        self._key = key if key is not None else self._read_key()
        self._last: str | None = None
        """The signature of the last line, once it is known."""

    def _read_key(self) -> bytes:
        path = self.path.with_suffix(".key")
        try:
            return bytes.fromhex(path.read_text(encoding="ascii").strip())
        except FileNotFoundError:
            key = secrets.token_bytes(32)
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(opened, "w", encoding="ascii") as file:
                file.write(key.hex() + "\n")
            return key

    def write(self, checkpoint: Checkpoint) -> None:
        """Adds a checkpoint and makes it durable."""
        if self._last is None:
            self._last = self._mend()
        signature = self._sign(checkpoint, self._last)
        line = json.dumps([*checkpoint, signature], ensure_ascii=False)
        self._last = None  # Until it is durable nobody knows how much of it is there.
        with self.path.open("ab") as file:
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._last = signature

    def _mend(self) -> str:
        """Takes away what a power cut left unfinished; the signature of the last whole line."""
        written = self.path.read_bytes() if self.path.exists() else b""
        whole = written.rfind(b"\n") + 1
        if whole < len(written):
            os.truncate(self.path, whole)
        return next((signature for _, signature in reversed([*self._signed()])), "")

    def read(self) -> Iterator[Checkpoint]:
        """The checkpoints in order; the first that was not signed by us stops the reading."""
        for checkpoint, _ in self._signed():
            yield checkpoint

    def _signed(self) -> Iterator[tuple[Checkpoint, str]]:
        written = self.path.read_bytes() if self.path.exists() else b""
        previous = ""
        # What stands behind the last line break was never finished, nor told to anybody.
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
    """Writes down how far one log has come, where the house keeps checkpoints."""

    def __init__(
        self, log: str, checkpoints: Checkpoints | None, blocking: Blocking, clock: Clock
    ) -> None:
        self._log = log
        self._checkpoints = checkpoints
        self._blocking = blocking
        self._clock = clock
        self._seen = 0

    async def see(self, head: Head) -> None:
        """Writes it down, unless it is written already."""
        checkpoints = self._checkpoints
        if checkpoints is None or head.seq == self._seen:
            return
        seen = Checkpoint(self._log, head.seq, head.hash.hex(), self._clock.now())
        try:
            await self._blocking(lambda: checkpoints.write(seen))
        except (OSError, CheckpointError) as problem:
            raise StoreError(f"the checkpoints cannot be written: {problem}") from None
        self._seen = head.seq
