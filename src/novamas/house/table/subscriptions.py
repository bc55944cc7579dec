"""Subscriptions to a table: what is published and answered waits here until a follower takes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from novamas.house.views.event_view import Audience


class Bundle:
    """Messages that go to many followers alike: what the wire makes of them is made once."""

    __slots__ = ("_made", "messages")

    def __init__(self, messages: Sequence[bytes]) -> None:
        self.messages = messages
        self._made: bytes | None = None

    def made(self, make: Callable[[Sequence[bytes]], bytes]) -> bytes:
        """The messages as they go over the wire."""
        if self._made is None:
            self._made = make(self.messages)
        return self._made


class Subscription:
    """Someone who follows a table. Who falls behind is dropped, and comes back for the rest."""

    def __init__(self, *, audience: Audience, player: str | None, capacity: int) -> None:
        self.audience = audience
        self.player = player
        self.dropped = False
        """Whether nothing more is published to him."""
        self.overtaken = asyncio.Event()
        """Set once he has fallen behind by more than is kept for him."""
        self._capacity = capacity
        self._waiting = 0
        self._bundles: list[Bundle] = []
        self._there = asyncio.Event()

    def offer(self, bundle: Bundle) -> None:
        """Puts messages before the follower, or drops him if he has not taken the last ones."""
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
        """Publishes nothing more to him; what waits for him he may still take."""
        self.dropped = True
        self._there.set()

    async def take(self) -> list[Bundle]:
        """What came since the last time; empty once he is dropped and has taken the rest."""
        await self._there.wait()
        bundles, self._bundles = self._bundles, []
        self._waiting = 0
        if not self.dropped:
            self._there.clear()
        return bundles
