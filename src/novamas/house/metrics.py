"""Metrics: counters of a running house, for monitoring.

Plain numbers, counted where things happen and never read there. They contain nothing about players:
no name, no amount, no drawn number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from novamas.house.table.answers import Answer

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""The buckets of commit times in seconds; the last has no upper bound."""


@dataclass(slots=True)
class Spans:
    """A histogram of durations."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    seconds: float = 0.0

    def note(self, seconds: float) -> None:
        """Records a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds

    def up_to(self) -> Iterator[tuple[str, int]]:
        """For each bound, how many durations were at most that long."""
        total = 0
        for bound, count in zip((*map(repr, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            yield bound, total


@dataclass(slots=True)
class Metrics:
    """The counters of one server since its start."""

    accepted: Counter[str] = field(default_factory=Counter)
    """Table → commands that were accepted, including repeated ones."""
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Table and reason → commands that were refused."""
    events: Counter[str] = field(default_factory=Counter)
    commits: Counter[str] = field(default_factory=Counter)
    commit_seconds: Spans = field(default_factory=Spans)
    dropped: int = 0
    """Subscribers that were dropped because they were too slow."""
    failures: Counter[str] = field(default_factory=Counter)
    """Table → how often it was stopped."""

    def answered(self, table: str, answers: Iterable[Answer]) -> None:
        """Records answers to commands."""
        for answer in answers:
            if answer.refusal is None:
                self.accepted[table] += 1
            else:
                self.refused[table, answer.refusal.why.value] += 1

    def committed(self, table: str, *, events: int, seconds: float) -> None:
        """Records a batch that became durable."""
        self.events[table] += events
        self.commits[table] += 1
        self.commit_seconds.note(seconds)
