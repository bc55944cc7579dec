"""Many machines: a Dask scheduler distributes the blocks of a simulation.

A block is a pure task: another worker repeats the block of a lost one, with the same numbers.
"""

from __future__ import annotations

import pickle  # nosec B403 # We read only our own plan, and users trust the cluster that they name.
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from novamas.game.errors import NovamasError
from novamas.simulation.plan import Plan, Played

if TYPE_CHECKING:
    from novamas.simulation.run import Deal, Tell

ADDRESS: Final = re.compile(r"([a-z]+://)?[^\s/]+:[0-9]{1,5}")
PATIENCE: Final = "15s"
"""How long the scheduler may take to answer."""


class ClusterError(NovamasError, RuntimeError):
    """The cluster cannot be reached, or is not installed."""


def by_cluster(plan: Plan, deals: Sequence[Deal], address: str, tell: Tell | None) -> list[Played]:
    """Plays the blocks on the workers of a scheduler; when interrupted, keeps what came back."""
    from novamas.simulation.run import Progress

    try:
        import cloudpickle
        from distributed import Client, as_completed
    except ImportError:
        raise ClusterError("a cluster needs Dask: install novamas[cluster]") from None
    if ADDRESS.fullmatch(address) is None:
        raise ClusterError(f"{address!r} is no address of a scheduler, such as tcp://10.0.0.1:8786")
    began = time.perf_counter()
    players = sum(each.count for each in deals)
    played: list[Played] = []
    coups = finished = 0
    tasks: list[Any] = []
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except OSError as problem:
        raise ClusterError(f"no scheduler answers at {address}: {problem}") from None
    with client:
        try:
            # The compiler is loaded when there is something to play.
            from novamas.simulation.player_block import play_block

            # Data given to a worker is lost with it; a task is run again elsewhere.
            shared = client.submit(pickle.loads, cloudpickle.dumps(plan), pure=False)
            tasks = [
                client.submit(play_block, shared, each.first, each.count, pure=False, retries=10)
                for each in deals
            ]
            for task, part in as_completed(tasks, loop=client.loop, with_results=True):
                played.append(part)
                coups += int(part.coups.sum())
                finished += len(part.wealth)
                if tell is not None:
                    seconds = time.perf_counter() - began
                    tell(Progress(coups, plan.coups * players, finished, players, seconds))
                task.release()
        except KeyboardInterrupt:
            client.cancel(tasks)
    return played
