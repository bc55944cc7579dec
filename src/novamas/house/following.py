"""Following a table: what is published waits here until a follower takes it."""

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
        self._capacity = capacity
        self._messages: list[bytes] = []
        self._there = asyncio.Event()

    def offer(self, messages: Sequence[bytes]) -> None:
        """Puts messages before the follower, or drops him if he has not taken the last ones."""
        if self.dropped:
            return
        if len(self._messages) + len(messages) > self._capacity:
            self.drop()
            return
        self._messages.extend(messages)
        self._there.set()

    def drop(self) -> None:
        """Lets the follower go; what he was not sent he can read in the log."""
        self.dropped = True
        self._messages.clear()
        self._there.set()

    async def take(self) -> list[bytes]:
        """The messages since the last time; empty once dropped."""
        await self._there.wait()
        messages, self._messages = self._messages, []
        if not self.dropped:
            self._there.clear()
        return messages
