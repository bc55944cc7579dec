"""The clock: the house reads the time here and nowhere else, so that tests can drive it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

MILLION = 1_000_000
JUMP = 2_000
"""Milliseconds by which two clocks may differ without a report."""
SLOWER = 64
"""A clock that is ahead runs slower by one part in this many."""


ELAPSED: Callable[[], int] = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)
"""Nanoseconds that have passed, including the time that the machine slept where it counts them."""


def monotonic() -> float:
    """Monotonic seconds of the running event loop, so that a simulated loop controls them."""
    try:
        return asyncio.get_running_loop().time()
    except RuntimeError:
        return time.monotonic()


class Clock(Protocol):
    """The interface of a clock."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    def not_before(self, at: int) -> None:
        """Continues from a later time."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class SystemClock:
    """The machine's clock at the start of the house; from then on the time that really passes.

    When somebody sets the machine's clock, the house does not follow: it continues by a monotonic
    clock, and reports how far the two differ. If it is ahead, it runs a little slower, by one part
    in `SLOWER`, until the machine has caught up. So it never goes back, and no wait ends early
    because a clock was set.
    """

    def __init__(
        self,
        wall: Callable[[], int] = time.time_ns,
        elapsed: Callable[[], int] | None = None,
    ) -> None:
        """`wall` is the machine's clock, `elapsed` a monotonic one, in nanoseconds."""
        self._wall = wall
        self._elapsed = elapsed or ELAPSED
        self._at = self._elapsed()
        self._now = wall()
        self._noted = 0

    def now(self) -> int:
        """Milliseconds since 1970."""
        at = self._elapsed()
        passed = at - self._at if at > self._at else 0
        self._at = at
        if self._now + passed > self._wall() + JUMP * MILLION:
            passed -= passed // SLOWER
        self._now += passed
        return self._now // MILLION

    def not_before(self, at: int) -> None:
        """Continues from a later time, if the house's time is ahead of the machine's clock."""
        self._now = max(self._now, at * MILLION)

    @property
    def ahead(self) -> int:
        """Milliseconds by which the machine's clock is ahead of the house's; negative if behind."""
        return self._wall() // MILLION - self.now()

    def jumped(self) -> int | None:
        """How far the machine's clock is ahead, once after each time that it was set."""
        ahead = self.ahead
        # While the house's clock runs slower the difference shrinks: that is not reported.
        closer = self._noted < ahead <= JUMP
        if abs(ahead - self._noted) <= JUMP or closer:
            self._noted = ahead if closer else self._noted
            return None
        self._noted = ahead
        return ahead

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until it is advanced."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self._now = now
        self._sleepers: list[tuple[int, asyncio.Future[None]]] = []

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._now

    def not_before(self, at: int) -> None:
        """Continues from a later time."""
        self._now = max(self._now, at)

    async def sleep(self, seconds: float) -> None:
        """Waits until the clock is advanced by this much."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + round(seconds * 1000), woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Advances the clock, and wakes sleepers on the way in order."""
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
    """Lets all tasks run that do not wait for the clock."""
    for _ in range(turns):
        await asyncio.sleep(0)
