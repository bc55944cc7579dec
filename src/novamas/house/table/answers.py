"""Answers to commands, as they are sent and as they are stored to be sent again.

The id of a command is bound to a digest of its content: the same command with the same id gets the
same answer, and a different one is refused.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from novamas.house.log.store import Outcome
from novamas.house.refusals import HouseRefusalReason
from novamas.table.commands import Command
from novamas.table.refusals import Refusal, RefusalReason

NO_BALL = Refusal(HouseRefusalReason.NO_BALL_RUNS, detail="close betting at a drawn table first")
STILL_OPENING = Refusal(
    HouseRefusalReason.NONCES_BEING_OPENED, detail="nonces are still being opened"
)
FOREIGN_ID = Refusal(
    HouseRefusalReason.COMMAND_OF_ANOTHER, detail="choose a command id of your own"
)
ID_REUSED = Refusal(HouseRefusalReason.ID_REUSED, detail="another command was given under this id")

_FIELDS: dict[type[Command], tuple[str, ...]] = {}


def digest_of(command: Command) -> bytes:
    """A digest of a command without `by`, because the posts may have changed since.

    >>> from novamas.table.commands import Leave, Sit
    >>> digest_of(Sit(by="ana")) == digest_of(Sit(by="luis"))
    True
    >>> digest_of(Sit(by="ana")) == digest_of(Leave(by="ana"))
    False
    """
    kind = type(command)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(command) if each.name != "by")
    asked = [getattr(command, name) for name in _FIELDS[kind]]
    written = msgspec.json.encode([kind.__name__, asked], order="deterministic")
    return hashlib.sha256(written).digest()[:16]


def reason(name: str) -> StrEnum:
    """Finds a reason for a refusal by its name."""
    try:
        return RefusalReason(name)
    except ValueError:
        return HouseRefusalReason(name)


class Answer(NamedTuple):
    """The answer to a command."""

    command: str
    refusal: Refusal | None
    first: int
    last: int

    def as_data(self) -> dict[str, Any]:
        """The answer as it is sent."""
        if self.refusal is None:
            return {"ack": self.command, "first": self.first, "seq": self.last}
        return {
            "refused": self.command,
            "why": self.refusal.why.value,
            "articles": list(self.refusal.articles),
            "detail": self.refusal.detail,
            "seq": self.last,
        }


class _StoredRefusal(msgspec.Struct):
    why: str
    articles: list[str]
    detail: str


class Known(NamedTuple):
    """A command that was answered before."""

    who: str
    digest: bytes
    """Empty if an older version, which stored no digest, answered it."""
    answer: Answer

    def again(self, who: str, digest: bytes, *, last: int) -> Answer:
        """The answer to a command that is sent again under the same id."""
        if who != self.who:
            return Answer(self.answer.command, FOREIGN_ID, 0, last)
        if self.digest and digest != self.digest:
            return Answer(self.answer.command, ID_REUSED, 0, last)
        return self.answer


def outcome_of(table: str, known: Known) -> Outcome:
    """An answer as the store has it."""
    who, digest, answer = known
    written = b""
    if answer.refusal is not None:
        why, articles, detail = answer.refusal.why, answer.refusal.articles, answer.refusal.detail
        written = msgspec.json.encode(_StoredRefusal(why.value, list(articles), detail))
    return Outcome(table, answer.command, who, answer.first, answer.last, written, digest)


def given(outcome: Outcome) -> Known:
    """Reads an answer from the store."""
    refusal = None
    if outcome.answer:
        stored = msgspec.json.decode(outcome.answer, type=_StoredRefusal)
        refusal = Refusal(reason(stored.why), tuple(stored.articles), stored.detail)
    answer = Answer(outcome.command, refusal, outcome.first, outcome.last)
    return Known(outcome.who, outcome.digest, answer)
