"""What happens to servers: each of it as a machine, a network or an operator would do it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulated_house.plan import Action
    from tests.simulated_house.server import Server
    from tests.simulated_house.world import World


class Faults:
    """Injects faults, and counts them."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def inject(self, action: Action) -> None:
        """Does what is planned to a server."""
        server = next(each for each in self._world.servers if each.name == action.who)
        await getattr(self, action.do)(server, **action.fields)

    async def crash(self, server: Server, *, seconds: float) -> None:
        """Kill -9, and a new start after a while."""
        server.kill()
        await asyncio.sleep(seconds)
        server.start()

    async def term(self, server: Server, *, seconds: float) -> None:
        """SIGTERM: the tables are handed over; a new start after a while."""
        server.stop()
        life = server.process
        while life.is_alive:
            await asyncio.sleep(0.5)
        await asyncio.sleep(seconds)
        server.start()

    async def pause(self, server: Server, *, seconds: float) -> None:
        """The machine stands still, and then goes on as if nothing had been."""
        process = server.process
        process.is_paused = True
        await asyncio.sleep(seconds)
        process.is_paused = False

    async def part(self, server: Server, *, client: str, seconds: float) -> None:
        """Clients do not reach a server any more; what was connected is lost."""
        network = self._world.network
        network.partitions.add((client, server.name))
        network.cut(client, server.name)
        await asyncio.sleep(seconds)
        network.partitions.discard((client, server.name))

    async def store(self, server: Server, *, seconds: float) -> None:
        """A server does not reach the medium any more."""
        connection = server.connection
        connection.is_cut = True
        await asyncio.sleep(seconds)
        connection.is_cut = False

    async def slow(self, server: Server, *, seconds: float) -> None:
        """The medium is slow for one server, and so is the network for all."""
        self._world.slow[server.name] = self._world.slow.get(server.name, 0) + 1
        self._world.network.is_slow = True
        await asyncio.sleep(seconds)
        self._world.slow[server.name] -= 1
        self._world.network.is_slow = False

    async def torn(self, server: Server, *, how: str) -> None:
        """A commit fails, before or after it has become durable."""
        server.connection.torn.append(how)

    async def clock(self, server: Server, *, ms: int) -> None:
        """A wall clock jumps."""
        server.machine.skew += ms

    async def restore(self, _: Server) -> None:
        """All servers are stopped, and an earlier moment of the medium is put in its place."""
        await self._world.restore()
