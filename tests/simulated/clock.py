"""Wall clocks: each server has one of its own, which may be wrong and may jump."""

from __future__ import annotations

from novamas.house.clock import MILLION, SystemClock
from tests.simulated.loop import SimulatedLoop

BEGINNING = 1_800_000_000_000
"""What time it is when a world begins: milliseconds since 1970."""


class WallClock(SystemClock):
    """The house's own clock on one server; the machine's, below it, may be wrong and may jump."""

    def __init__(self, loop: SimulatedLoop, skew: int = 0) -> None:
        self.skew = skew
        """How many milliseconds the machine's clock is ahead."""

        def machine() -> int:
            return (BEGINNING + self.skew) * MILLION + elapsed()

        def elapsed() -> int:
            return round(loop.time() * 1_000_000_000)

        super().__init__(wall=machine, elapsed=elapsed)
