"""Wall clocks: each server has one of its own, which may be wrong and may jump."""

from __future__ import annotations

import asyncio

from tests.simulated.loop import SimulatedLoop

BEGINNING = 1_800_000_000_000
"""What time it is when a world begins: milliseconds since 1970."""


class WallClock:
    """The clock of one server; like the house's own, it never goes back while the server runs."""

    def __init__(self, loop: SimulatedLoop, skew: int = 0) -> None:
        self._loop = loop
        self._last = 0
        self.skew = skew
        """How many milliseconds it is ahead."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        self._last = max(self._last, BEGINNING + round(self._loop.time() * 1000) + self.skew)
        return self._last

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)
