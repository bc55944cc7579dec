"""Metrics: what a house counts of itself while it plays, for whoever watches over it.

Plain numbers, counted where things happen and never read there. Nothing of a player is among them:
no name, no amount, no number that was drawn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from novamas.house.table.answers import Answer

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Into which spans of seconds commits are counted; the last is without an end."""


@dataclass(slots=True)
class Spans:
    """How often something took how long."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def note(self, seconds: float) -> None:
        """It took so long once more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def up_to(self) -> Iterator[tuple[str, int]]:
        """How often it took at most so long, for each bound."""
        total = 0
        for bound, count in zip((*map(repr, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            yield bound, total


@dataclass(slots=True)
class Metrics:
    """What one server of a house has counted since it began."""

    accepted: Counter[str] = field(default_factory=Counter)
    """Table → commands that were accepted, those that came again among them."""
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Table and reason → commands that were refused."""
    events: Counter[str] = field(default_factory=Counter)
    commits: Counter[str] = field(default_factory=Counter)
    commit_seconds: Spans = field(default_factory=Spans)
    dropped: int = 0
    """Followers that were let go because they did not take what they were sent."""
    failures: Counter[str] = field(default_factory=Counter)
    """Table → how often it was taken out of play."""

    def answered(self, table: str, answers: Iterable[Answer]) -> None:
        """Commands were answered."""
        for answer in answers:
            if answer.refusal is None:
                self.accepted[table] += 1
            else:
                self.refused[table, answer.refusal.why.value] += 1

    def committed(self, table: str, *, events: int, seconds: float) -> None:
        """A batch became durable."""
        self.events[table] += events
        self.commits[table] += 1
        self.commit_seconds.note(seconds)
