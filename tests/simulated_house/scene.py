"""A scene in simulated time: whoever waits for a lease, a session or a pause holds up no test.

The scene uses the house's own parts and whatever store it likes; only the loop is simulated, and
with it the time, the order and the threads. A scene that depends on sockets, on processes or on the
clock of a database has to be played in real time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any

from tests.simulated_house.chance import chance_of
from tests.simulated_house.loop import SimulatedLoop
from tests.simulated_house.store import Medium


def lived(
    scene: Callable[[SimulatedLoop], Coroutine[Any, Any, None]],
    *,
    seed: int = 1,
    disk: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Plays a scene in a loop of its own, whose disk takes so many seconds for each question."""
    loop = SimulatedLoop(chance_of(seed, "order"))
    chance = chance_of(seed, "disk")
    loop.takes = lambda _: chance.uniform(*disk)
    with contextlib.closing(loop):
        try:
            loop.run_until_complete(scene(loop))
        finally:
            loop.run_until_complete(_end_the_rest())
            loop.run_until_complete(loop.shutdown_asyncgens())


async def _end_the_rest() -> None:
    """Ends what a scene left running, as `asyncio.run` does."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def simulated(scene: Callable[[Medium], Coroutine[Any, Any, None]]) -> None:
    """Plays a scene of several servers on one medium."""
    lived(lambda loop: scene(Medium(loop, chance_of(1, "medium"))), disk=(0.0001, 0.002))


def in_simulated_time(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is a coroutine, and that waits without taking any time."""

    @wraps(test)
    def running(*args: Any, **more: Any) -> None:
        async def scene(_: SimulatedLoop) -> None:
            await test(*args, **more)

        lived(scene, disk=(0.0001, 0.002))

    return running
