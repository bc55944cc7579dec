"""A house on a file, with one drawn table, whose key lies elsewhere."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.encryption import SealingKey
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.table.croupier import AutomaticCroupier
from novamas.house.table.events import BallMode
from novamas.table.state import Setup
from tests.promises.drawn import DrawnTable
from tests.prompt import PromptHouse

TABLE = "t"


@asynccontextmanager
async def house(path: Path, key: SealingKey) -> AsyncIterator[DrawnTable]:
    """A house on a file, whose key lies elsewhere; the table is made where there is none."""
    clock = ManualClock()
    opened = PromptHouse(SqliteStore(path), clock=clock, source=BallSource(key=key, samples=0))
    await opened.open()
    try:
        if TABLE not in opened.tables:
            await opened.set_up(TABLE, "es", Setup(), ball=BallMode.DRAWN)
        actor = opened.tables[TABLE]
        await AutomaticCroupier(actor).open()
        table = DrawnTable(opened, actor, clock)
        table._ids = (f"{path.name} {actor.head.seq} {n}" for n in range(10**6))
        yield table
    finally:
        await opened.close()
