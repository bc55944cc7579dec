"""Following a table: what is published and answered waits here until a follower takes it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from novamas.house.views import Audience


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
        self._messages: list[bytes] = []
        self._there = asyncio.Event()

    def offer(self, messages: Sequence[bytes]) -> None:
        """Puts messages before the follower, or drops him if he has not taken the last ones."""
        if self.overtaken.is_set():
            return
        if len(self._messages) + len(messages) > self._capacity:
            self._messages.clear()
            self.overtaken.set()
            self.drop()
            return
        self._messages.extend(messages)
        self._there.set()

    def drop(self) -> None:
        """Publishes nothing more to him; what waits for him he may still take."""
        self.dropped = True
        self._there.set()

    async def take(self) -> list[bytes]:
        """The messages since the last time; empty once he is dropped and has taken the rest."""
        await self._there.wait()
        messages, self._messages = self._messages, []
        if not self.dropped:
            self._there.clear()
        return messages
