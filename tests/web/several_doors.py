"""Several servers of one house, each with a door of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from novamas.web.app import create_app
from tests.contracts.servers import LONG, server
from tests.simulated_house.store import Medium
from tests.web.door import HOST, NO_ROOM, PATIENCE, Door, people_of


@asynccontextmanager
async def doors(
    address: str | Medium, *names: str, lease: float = LONG
) -> AsyncIterator[list[Door]]:
    """Servers of one house, each with a door of its own."""
    async with AsyncExitStack() as stack:
        made = []
        for name in names:
            house = server(address, name, seconds=lease)
            stack.push_async_callback(house.close)
            await house.open()
            people = await people_of(house)
            door = Door(house, people, create_app(house, people, hosts=(HOST,), room=NO_ROOM))
            stack.push_async_callback(door.http.aclose)
            made.append(door)
        yield made


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)
