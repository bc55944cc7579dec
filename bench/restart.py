"""Starts a house on a file: how long until it accepts a stake.

python -m bench.restart FILE
"""

import asyncio
import os
import sys
import time

from novamas.table import commands
from novamas.web.server import LocalHouse, Options


async def restart(path: str) -> float:
    """Seconds from opening the store to the first accepted stake."""
    began = time.perf_counter()
    local = LocalHouse(Options(store=path, tables=False))
    await local.house.open()
    table = local.house.tables["1"]
    id, name = f"new-{table.head.seq}", "player 1"
    stake = commands.PlaceStake(by=name, id=id, player=name, on="17", amount=100)
    answer = await table.submit(id, stake)
    if answer.refusal is not None:
        raise RuntimeError(str(answer.refusal))
    return time.perf_counter() - began


def main() -> None:
    """Starts, and exits at once without a shutdown: what is acknowledged is durable."""

    async def run() -> None:
        print(await restart(sys.argv[1]), flush=True)
        os._exit(0)

    asyncio.run(run())


if __name__ == "__main__":
    main()
