"""A house that is started on a file: how long until it has accepted a stake.

python -m bench.restart FILE
"""

import asyncio
import os
import sys
import time

from novamas.table import commands
from novamas.web.server import LocalHouse, Options


async def restart(path: str) -> float:
    """Seconds from the opening to the first stake that is accepted; then the house is left."""
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
    """Starts, and ends at once without a word: what is acknowledged is durable."""

    async def run() -> None:
        print(await restart(sys.argv[1]), flush=True)
        os._exit(0)

    asyncio.run(run())


if __name__ == "__main__":
    main()
