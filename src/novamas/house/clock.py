"""The clock: the house reads the time here and nowhere else, so that tests can drive it."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


def monotonic() -> float:
    """Seconds that only go forward, by the loop that runs: so that a simulated loop drives them."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


class Clock(Protocol):
    """What the house asks of a clock."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class SystemClock:
    """The machine's clock; it never goes back, even when the machine's does."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> int:
        """Milliseconds since 1970."""
        self._last = max(self._last, time.time_ns() // 1_000_000)
        return self._last

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until it is moved on."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self._now = now
        self._sleepers: list[tuple[int, asyncio.Future[None]]] = []

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Waits until the clock is moved on by so much."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + round(seconds * 1000), woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Moves the clock on, waking whoever sleeps on the way, in order."""
        until = self._now + round(seconds * 1000)
        while True:
            await settle_down()
            due = sorted(
                (each for each in self._sleepers if each[0] <= until), key=lambda each: each[0]
            )
            if not due:
                break
            self._now = max(self._now, due[0][0])
            self._sleepers.remove(due[0])
            if not due[0][1].done():
                due[0][1].set_result(None)
        self._now = until
        await settle_down()


async def settle_down(turns: int = 50) -> None:
    """Lets everything that can go on without the clock go on."""
    for _ in range(turns):
        await asyncio.sleep(0)
