"""Wall clocks: each machine has one of its own, which may be wrong and may be set."""

from __future__ import annotations

from novamas.house.clock import MILLION, SystemClock
from tests.simulated_house.loop import SimulatedLoop

BEGINNING = 1_800_000_000_000
"""What time it is when a world begins: milliseconds since 1970."""


class Machine:
    """A machine's clocks: one that can be set, and one that only goes forward."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop
        self.skew = 0
        """How many milliseconds the one that can be set is ahead."""

    def elapsed(self) -> int:
        """Nanoseconds that have passed."""
        return round(self._loop.time() * 1000) * MILLION

    def wall(self) -> int:
        """Nanoseconds since 1970, as the machine shows them."""
        return (BEGINNING + self.skew) * MILLION + self.elapsed()

    def clock(self) -> SystemClock:
        """The clock of a house that starts on this machine."""
        return SystemClock(self.wall, self.elapsed)
