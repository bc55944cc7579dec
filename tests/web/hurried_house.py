"""A local house whose clock hurries: a coup that takes half a minute takes half a second.

It is started as a program of its own, with the path of a store if it shall keep one.
"""

from __future__ import annotations

import asyncio
import sys

from novamas.house.clock import SystemClock
from novamas.web import server

TIMES = 60
"""How many times as fast it deals."""


class HurriedClock(SystemClock):
    """A clock by which nobody waits long."""

    async def sleep(self, seconds: float) -> None:
        """Waits a part of it."""
        await super().sleep(seconds / TIMES)


class HurriedHouse(server.LocalHouse):
    """A house with such a clock."""

    def __init__(self, options: server.Options) -> None:
        super().__init__(options, server.Parts(clock=HurriedClock()))


def tell(text: str) -> None:
    """Says what the house says."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    server.LocalHouse = HurriedHouse  # type: ignore[assignment,misc]
    store = sys.argv[1] if len(sys.argv) > 1 else None
    asyncio.run(server.serve(server.Options(port=0, store=store), tell))
