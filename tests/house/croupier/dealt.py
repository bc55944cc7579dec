"""A table that the automatic croupier deals, on a clock that the test moves."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any

from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.encryption import SealingKey
from novamas.house.house import House
from novamas.house.log.store import Record, Store
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableActor
from novamas.house.table.answers import Answer
from novamas.house.table.commands import OpenBank
from novamas.house.table.croupier import AutomaticCroupier, Pace
from novamas.house.table.events import BallMode
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from tests.prompt import PromptHouse

FLOAT = 1_000_000
"""What is in the bank of a table when it opens."""
KEY = SealingKey()
"""The key of the ball, which every start of a house has."""
PACE = Pace(betting=20, warning=5, launched=5, running=5, falling=0, called=2, paying=3)


class Dealt:
    """A table, its croupier and its clock."""

    def __init__(
        self,
        house: House,
        actor: TableActor,
        clock: ManualClock,
        pace: Pace,
        is_there: Callable[[str], bool],
    ) -> None:
        self.house = house
        self.actor = actor
        self.clock = clock
        self.croupier = AutomaticCroupier(actor, pace, is_there=is_there)
        self._ids = (f"t{number}" for number in itertools.count(1))

    async def give(self, command: Command) -> Answer:
        return await self.actor.submit(next(self._ids), command)

    async def must(self, command: Command) -> None:
        answer = await self.give(command)
        assert answer.refusal is None, answer.refusal

    async def seat(self, player: str, amount: int = 10_000) -> None:
        """Seats a player, with value chips where the house sells them."""
        await self.must(commands.Sit(by=player))
        values = self.actor.house_table.state.book.chips.on_numbers != ("colour",)
        seller = next(
            person
            for person in self.actor.house_table.state.staff
            if "sell_chips"
            in self.actor.house_table.state.book.posts[
                self.actor.house_table.state.staff[person]
            ].may
        )
        await self.must(
            commands.BuyChips(by=seller, player=player, amount=amount, value_chips=values)
        )

    def records(self) -> list[Record]:
        return list(self.house.store.read(self.actor.house_table.table))

    def types(self) -> list[str]:
        return [record.type for record in self.records()]

    def times(self, type_name: str) -> list[float]:
        """When events of a type happened, in seconds since the table was set up."""
        records = self.records()
        start = records[0].at
        return [(each.at - start) / 1000 for each in records if each.type == type_name]

    def count(self, type_name: str) -> int:
        return self.types().count(type_name)


@asynccontextmanager
async def dealt(
    rulebook: str,
    *,
    pace: Pace = PACE,
    store: Store | None = None,
    clock: ManualClock | None = None,
    start: bool = True,
    ball: BallMode = BallMode.DRAWN,
    floats: bool = True,
    is_there: Callable[[str], bool] = lambda _: True,
) -> AsyncIterator[Dealt]:
    """A table of a house, set up unless its store has it, and dealt until the test is over."""
    clock = clock or ManualClock()
    house = PromptHouse(store or MemoryStore(), clock=clock, source=BallSource(key=KEY))
    await house.open()
    if "t" not in house.tables:
        book = load(rulebook)
        setup = Setup(
            chip=100,
            winning=book.betting.winners_stay,
            limits_kept=book.limits.kept[0],
            live=True,
        )
        actor = await house.set_up("t", rulebook, setup, ball=ball)
        if floats:
            await actor.submit("float", OpenBank(by=MANAGEMENT, amount=FLOAT))
    table = Dealt(house, house.tables["t"], clock, pace, is_there)
    if start:
        table.croupier.start()
        await clock.advance(0)
    try:
        yield table
    finally:
        await table.croupier.stop()
        await house.close()


def run(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is a coroutine."""

    @wraps(test)
    def running(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), timeout=60))

    return running
