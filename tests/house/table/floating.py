"""A French table with its posts held, whose float a test brings, counts and signs."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from novamas.game import staffing
from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act
from novamas.house.house import House
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import CountFloat, CreditBank, OpenBank, SignFloat
from novamas.house.table.events import BallMode
from novamas.house.views.history import replayed
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.accounts import BANK
from novamas.table.commands import Command
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal
from novamas.table.state import Setup

MINIMUM = 2
FLOAT = 15_000 * MINIMUM
FRENCH = ("fr", "fram", "fran")


class Floating:
    """A French table with all its posts held, and those who serve it."""

    def __init__(self, house: House, actor: TableActor) -> None:
        self.house, self.actor = house, actor
        self.state = actor.house_table.state
        self._ids = (f"c{number}" for number in itertools.count(1))

    async def ask(self, command: Command) -> Refusal | None:
        """Gives a command; returns why it was refused."""
        return (await self.actor.submit(next(self._ids), command)).refusal

    async def must(self, *given: Command) -> None:
        """Gives commands that must not be refused."""
        for command in given:
            assert (refusal := await self.ask(command)) is None, (command, refusal)

    async def refused(self, command: Command, why: HouseRefusalReason) -> Refusal:
        """Gives a command that must be refused, for this reason."""
        refusal = await self.ask(command)
        assert refusal is not None
        assert refusal.why is why
        return refusal

    def who(self, act: Act) -> str:
        """Somebody whose post may do it."""
        person = self.state.who_may(act)
        assert person is not None
        return str(person)

    @property
    def bank(self) -> int:
        return self.actor.balances.get(BANK, 0)

    @property
    def is_suspended(self) -> bool:
        return self.state.suspended

    @property
    def chief(self) -> str:
        return self.state.posts_of("chief")[0]

    async def enter(self) -> None:
        """The float is counted and signed."""
        counted = CountFloat(by=self.who(Act.COUNT_FLOAT), counted=max(0, self.bank))
        await self.must(counted, SignFloat(by=self.chief))

    async def open(self, amount: int = FLOAT) -> None:
        """The table opens with its float."""
        await self.must(OpenBank(by=MANAGEMENT, amount=amount))
        await self.enter()
        if self.state.book.wheel.inspected:
            await self.must(commands.InspectTable(by=self.who(Act.INSPECT_TABLE)))
        await self.must(commands.OpenTable(by=MANAGEMENT))

    async def win(self, amount: int) -> None:
        """Ana has so much on 17, and it comes out; the limits are policed by nobody here."""
        await self.must(
            commands.PlaceStake(by="ana", id="s", player="ana", on="17", amount=amount),
            commands.LaunchBall(by=self.who(Act.LAUNCH_BALL)),
            commands.CloseBetting(by=self.who(Act.CLOSE_BETTING)),
            commands.PocketBall(by=self.who(Act.POCKET_BALL), number=17),
            commands.CallNumber(by=self.who(Act.CALL_NUMBER)),
            commands.CollectLosers(by=self.who(Act.COLLECT)),
            commands.PayWinners(by=self.who(Act.PAY)),
        )

    def events(self, *kinds: type[Event]) -> list[Any]:
        """The events of these kinds so far."""
        store, table = self.house.store, self.actor.house_table.table
        return [event for _, event, _ in replayed(store, table) if isinstance(event, kinds)]


@asynccontextmanager
async def table(rulebook: str = "fr", *, live: bool = True) -> AsyncIterator[Floating]:
    house = House(MemoryStore())
    await house.open()
    book = load(rulebook)
    setup = Setup(
        limits=placard(book, MINIMUM),
        winning=book.betting.winners_stay,
        limits_kept=book.limits.kept[0],
        chip=MINIMUM,
        live=live,
    )
    actor = await house.set_up("t", rulebook, setup, ball=BallMode.WHEEL)
    here = Floating(house, actor)
    try:
        for post in staffing.missing(book, {}):
            name = f"{post} {len(here.state.posts_of(post)) + 1}"
            await here.must(commands.TakePost(by=name, post=post))
        yield here
    finally:
        await house.close()


async def broken(here: Floating) -> None:
    """A coup after which the bank owes money, because most of its float was taken away."""
    await here.open()
    seller = here.who(Act.SELL_CHIPS)
    await here.must(commands.Sit(by="ana"))
    await here.must(commands.BuyChips(by=seller, player="ana", amount=1_000))
    await here.must(CreditBank(by=MANAGEMENT, amount=FLOAT - 100))
    await here.win(10)
