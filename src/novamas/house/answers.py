"""Answers: what a command got, as it goes over the wire and as it is kept to be given again."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from novamas.house.refusals import HouseWhy
from novamas.house.store import Outcome
from novamas.table.refusals import Refusal, Why

NO_BALL = Refusal(HouseWhy.NO_BALL_RUNS, detail="close betting at a drawn table first")
STILL_OPENING = Refusal(HouseWhy.NONCES_BEING_OPENED, detail="nonces are still being opened")
FOREIGN_ID = Refusal(HouseWhy.COMMAND_OF_ANOTHER, detail="choose a command id of your own")


def reason(name: str) -> StrEnum:
    """A reason for a refusal by its name."""
    try:
        return Why(name)
    except ValueError:
        return HouseWhy(name)


class Answer(NamedTuple):
    """What a command got."""

    command: str
    refusal: Refusal | None
    first: int
    last: int

    def as_data(self) -> dict[str, Any]:
        """The answer as it goes over the wire."""
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


def kept(table: str, who: str, answer: Answer) -> Outcome:
    """An answer as the store keeps it."""
    written = b""
    if answer.refusal is not None:
        why, articles, detail = answer.refusal.why, answer.refusal.articles, answer.refusal.detail
        written = msgspec.json.encode(_StoredRefusal(why.value, list(articles), detail))
    return Outcome(table, answer.command, who, answer.first, answer.last, written)


def given(outcome: Outcome) -> Answer:
    """An answer from the store."""
    refusal = None
    if outcome.answer:
        stored = msgspec.json.decode(outcome.answer, type=_StoredRefusal)
        refusal = Refusal(reason(stored.why), tuple(stored.articles), stored.detail)
    return Answer(outcome.command, refusal, outcome.first, outcome.last)
