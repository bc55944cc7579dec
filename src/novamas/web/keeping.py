"""Keeping sessions: whose each token is, and his play money, beside a store that outlives us.

Play money is not in the ledger of a table, and so two files must agree when the house is killed.
What a command is about to move is written down before the table is asked; after a restart the store
says what became of it. What it does not know did not happen, and the money is given back.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from novamas.house.store import Store
from novamas.web.sessions import KeptSession, Sessions

VERSION = 1
SUFFIX = ".sessions"
"""What the name of the file has besides the store's."""


class KeepingError(Exception):
    """The sessions cannot be written down, or what was written cannot be read."""


class _Book(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    sessions: list[KeptSession]


class SessionsFile:
    """A file that is there as a whole or not at all, whenever the machine stops."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> bytes | None:
        """What was last written, if ever."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise KeepingError(f"{self.path}: {problem.strerror}") from None

    def write(self, data: bytes) -> None:
        """Puts it in place of what was there."""
        beside = self.path.with_name(f"{self.path.name}.new")
        try:
            # Whoever has a token's hash has not the token; still it is nobody else's to read.
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(handle, "wb") as file:  # noqa: PTH123 - it is open already
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
            self._settle_folder()
        except OSError as problem:
            raise KeepingError(f"{self.path}: {problem.strerror}") from None

    def _settle_folder(self) -> None:
        """Makes the new name durable; not every system lets a folder be opened for that."""
        with contextlib.suppress(PermissionError):
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


class Keeper:
    """Writes sessions down, once for all who wait for it at a time."""

    def __init__(self, sessions: Sessions, file: SessionsFile) -> None:
        self._sessions = sessions
        self._file = file
        self._asked = 0
        self._kept = 0
        self._turn = asyncio.Lock()
        # One thread writes, in the order in which it was asked to: an older state never lands on a
        # newer one, even if whoever waited for it went away.
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sessions")

    async def keep(self) -> None:
        """Returns once all that has happened so far is durable."""
        self._asked += 1
        wanted = self._asked
        async with self._turn:
            if self._kept >= wanted:
                return
            covers = self._asked
            data = written(self._sessions)
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._writer, self._file.write, data)
            self._kept = covers

    async def close(self) -> None:
        """Writes the last state down, and ends."""
        try:
            await self.keep()
        finally:
            self._writer.shutdown()


def written(sessions: Sessions) -> bytes:
    """The sessions as bytes, without any token."""
    return msgspec.json.encode(_Book(VERSION, sessions.kept()))


def recall(sessions: Sessions, file: SessionsFile, store: Store) -> None:
    """Takes in the sessions of an earlier start, and settles what was under way when it ended."""
    data = file.read()
    if data is None:
        return
    try:
        book = msgspec.json.decode(data, type=_Book)
    except msgspec.MsgspecError as problem:
        raise KeepingError(f"{file.path} is not what was written: {problem}") from None
    if book.version != VERSION:
        raise KeepingError(f"{file.path}: version {book.version} is not known")
    for kept in book.sessions:
        session = sessions.take_in(kept)
        for table, command, spent in kept.pending:
            outcome = store.outcome(table, command)
            if outcome is None or outcome.answer or outcome.who != session.name:
                session.give_back(table, command)
            elif spent:
                session.settle(table, command)
            else:
                brought = left_with(store, table, session.name, outcome.first, outcome.last)
                session.receive(table, command, brought)


def left_with(store: Store, table: str, player: str, first: int, last: int) -> int:
    """What a player took with him who left a table, by what the log says of his command."""
    taken = 0
    for record in store.read(table, after=first - 1, until=last):
        if record.type == "PlayerLeft":
            told = msgspec.json.decode(record.payload)
            taken += told["amount"] if told["player"] == player else 0
    return taken
