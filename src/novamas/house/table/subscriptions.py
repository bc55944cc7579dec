"""Subscriptions to a table: a queue of events and answers for each subscriber."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from novamas.game.languages import ENGLISH
from novamas.house.views.event_view import Audience

HOLD, HELD = 0.1, 1024
"""For how many seconds, and how many of them, events wait to be sent together with later ones."""


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

    def offer(self, *bundles: Bundle, holds: bool = False) -> None:
        """Queues messages for the subscriber, or drops it if its queue is full.

        With `holds` they wait for the next messages, or for `release`.
        """
        if self.overtaken:
            return
        for bundle in bundles:
            self._waiting += len(bundle.messages)
        if self._waiting > self._capacity:
            self._bundles.clear()
            self.overtaken = True
            self.drop()
            return
        self._bundles.extend(bundles)
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


class Subscriptions:
    """All subscriptions to a table, in the order in which they began, and whose they are."""

    def __init__(self) -> None:
        self._each: dict[Subscription, None] = {}
        self._of: Counter[str] = Counter()
        """How many subscriptions each person has."""
        self._held = 0
        """How many events wait to be sent together with later ones."""
        self._timer: asyncio.TimerHandle | None = None
        """Sends them at the latest."""

    def __iter__(self) -> Iterator[Subscription]:
        return iter(self._each)

    def __len__(self) -> int:
        return len(self._each)

    def add(self, subscription: Subscription) -> None:
        """Publishes to a subscriber from now on."""
        self._each[subscription] = None
        if subscription.player is not None:
            self._of[subscription.player] += 1

    def remove(self, subscription: Subscription) -> None:
        """Publishes nothing more to a subscriber."""
        if subscription not in self._each:
            return
        del self._each[subscription]
        player = subscription.player
        if player is not None:
            self._of[player] -= 1
            if not self._of[player]:
                del self._of[player]

    def has(self, player: str) -> bool:
        """Whether somebody has a subscription."""
        return player in self._of

    def players(self) -> set[str]:
        """The players among the subscribers."""
        return set(self._of)

    def tell(self, bundle: Bundle) -> None:
        """Sends everybody the same at once."""
        for subscription in tuple(self._each):
            subscription.offer(bundle)

    def publish(
        self,
        bundles: Callable[[Subscription], Sequence[Bundle]],
        events: int,
        *,
        more_follows: bool,
    ) -> int:
        """Sends everybody their view of new events; returns how many subscribers were dropped.

        If more follows, the events wait for it: sending costs more than anything else. A client
        that gets an answer meanwhile gets them with it.
        """
        self._held += events
        holds = more_follows and self._held < HELD
        before = len(self._each)
        for subscription in tuple(self._each):
            subscription.offer(*bundles(subscription), holds=holds)
            if subscription.dropped:
                self.remove(subscription)
        if not holds:
            self._hold_nothing()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HOLD, self.release)
        return before - len(self._each)

    def release(self) -> None:
        """Sends the events that wait."""
        if self._held:
            self._hold_nothing()
            for subscription in tuple(self._each):
                subscription.release()

    def _hold_nothing(self) -> None:
        self._held = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Publishes nothing more to anybody."""
        self._hold_nothing()
        for subscription in tuple(self._each):
            subscription.drop()
        self._each.clear()
        self._of.clear()
