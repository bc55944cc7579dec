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
        self.overtaken = False
        """Whether the subscriber's queue has overflowed."""
        self._capacity = capacity
        self._waiting = 0
        self._bundles: list[Bundle] = []
        self._there = asyncio.Event()
        self._notify: Callable[[], None] = self._there.set
        """Called when there are messages, or none will come any more."""

    def notify(self, ready: Callable[[], None]) -> None:
        """Calls `ready` from now on, instead of waking those who wait in `wait_and_take`."""
        self._notify = ready

    def offer(self, bundle: Bundle, *, holds: bool = False) -> None:
        """Queues messages for the subscriber, or drops it if its queue is full.

        With `holds` they wait for the next messages, or for `release`.
        """
        if self.overtaken:
            return
        self._waiting += len(bundle.messages)
        if self._waiting > self._capacity:
            self._bundles.clear()
            self.overtaken = True
            self.drop()
            return
        self._bundles.append(bundle)
        if not holds:
            self._notify()

    def release(self) -> None:
        """Sends messages that were held."""
        if self._bundles:
            self._notify()

    def drop(self) -> None:
        """Publishes nothing more to the subscriber; queued messages can still be taken."""
        self.dropped = True
        self._notify()

    def take(self) -> list[Bundle]:
        """Takes the messages that are there."""
        bundles, self._bundles = self._bundles, []
        self._waiting = 0
        return bundles

    async def wait_and_take(self) -> list[Bundle]:
        """Waits for messages and takes them; empty once dropped and all are taken."""
        await self._there.wait()
        if not self.dropped:
            self._there.clear()
        return self.take()
