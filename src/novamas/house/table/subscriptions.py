"""Subscriptions to a table: a queue of events and answers for each subscriber."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from novamas.game.languages import ENGLISH
from novamas.house.views.event_view import Audience


class Bundle:
    """Messages for many subscribers; they are encoded for the wire once."""

    __slots__ = ("_made", "messages")

    def __init__(self, messages: Sequence[bytes]) -> None:
        self.messages = messages
        self._made: bytes | None = None

    def made(self, make: Callable[[Sequence[bytes]], bytes]) -> bytes:
        """The messages as they are sent."""
        if self._made is None:
            self._made = make(self.messages)
        return self._made


class Subscription:
    """A subscriber of a table. Slow subscribers are dropped, and may subscribe again."""

    def __init__(
        self, *, audience: Audience, player: str | None, capacity: int, language: str = ENGLISH
    ) -> None:
        self.audience = audience
        self.player = player
        self.language = language
        """The language in which coups are explained to the player."""
        self.dropped = False
        """Whether nothing more is published to this subscriber."""
        self.overtaken = asyncio.Event()
        """Set when the subscriber's queue has overflowed."""
        self._capacity = capacity
        self._waiting = 0
        self._bundles: list[Bundle] = []
        self._there = asyncio.Event()

    def offer(self, bundle: Bundle) -> None:
        """Queues messages for the subscriber, or drops it if its queue is full."""
        if self.overtaken.is_set():
            return
        self._waiting += len(bundle.messages)
        if self._waiting > self._capacity:
            self._bundles.clear()
            self.overtaken.set()
            self.drop()
            return
        self._bundles.append(bundle)
        self._there.set()

    def drop(self) -> None:
        """Publishes nothing more to the subscriber; queued messages can still be taken."""
        self.dropped = True
        self._there.set()

    async def take(self) -> list[Bundle]:
        """Waits for messages and takes them; empty once dropped and all are taken."""
        await self._there.wait()
        bundles, self._bundles = self._bundles, []
        self._waiting = 0
        if not self.dropped:
            self._there.clear()
        return bundles
