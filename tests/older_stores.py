"""Stores that older versions made, unpacked for a test; see tests/data/stores/README.md."""

from __future__ import annotations

import json
import lzma
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from novamas.game.rulebook.behaviours import Act
from novamas.house.ball.decide_draw import REOPENING
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.encryption import KeyFile
from novamas.house.house import House
from novamas.house.log.store import Store
from novamas.house.log.stores.addresses import open_durable
from novamas.house.people.registry import Registry
from novamas.house.table.actor import TableActor
from novamas.house.table.answers import Answer
from novamas.house.table.commands import DrawBall
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.state import Phase

STORES = Path(__file__).parent / "data" / "stores"
VERSIONS = ("of_0_1_0", "of_32d2c93")
KEY = "a5" * 32
MADE = 1_780_000_000_000
"""When the stores were begun, by their own clock."""
HOUR = 60 * 60 * 1000
FIRST_PASSWORD = "first word of many that a chief chose"  # noqa: S105 - of nobody real
OWN_PASSWORD = "a word of my own that nobody knows"  # noqa: S105 - of nobody real
TOKEN = "token-of-ana"  # noqa: S105 - of nobody real


def unpacked(version: str, name: str, folder: Path) -> Path:
    """An SQLite store of a version, where a test may change it."""
    path = folder / f"{version}-{name}.db"
    path.write_bytes(lzma.decompress((STORES / version / f"{name}.db.xz").read_bytes()))
    return path


def load_dump(version: str, address: str) -> None:
    """Puts the PostgreSQL store of a version into an empty database."""
    text = lzma.decompress((STORES / version / "house.sql.xz").read_bytes()).decode()
    schema, _, data = text.partition("\nCOPY ")
    with psycopg.connect(address) as connection:
        connection.execute(schema.encode())
        for part in ("\nCOPY " + data).split("\nCOPY ")[1:]:
            name, _, rows = part.partition(" FROM stdin;\n")
            with connection.cursor().copy(f"COPY {name} FROM STDIN".encode()) as copy:
                copy.write(rows.partition("\\.")[0])


class Older(NamedTuple):
    """A house that an older version kept."""

    version: str
    address: str
    told: dict[str, Any]
    """What that version said of it."""

    def store(self, *, read_only: bool = False) -> Store:
        """The store, as it stands."""
        return open_durable(self.address, read_only=read_only)


def older(version: str, address: str) -> Older:
    """A house of a version, at an address where it was unpacked."""
    told = json.loads((STORES / version / "house.json").read_text("utf-8"))
    return Older(version, address, told)


class Opened:
    """An older house, opened by this version."""

    def __init__(self, store: Store, folder: Path, *, at: int = MADE + 2 * HOUR) -> None:
        key = folder / "ball.key"
        key.write_text(KEY + "\n", "ascii")
        key.chmod(0o600)
        self.store = store
        self.clock = ManualClock(at)
        source = BallSource(key=KeyFile(key), length=64, samples=16)
        self.house = House(store, clock=self.clock, source=source)
        self.registry = Registry(store, self.house.blocking, self.clock)
        self.house.registry = self.registry
        self._ids = 0

    async def give(
        self, actor: TableActor, command: Command, *, who: str | None = None, id: str | None = None
    ) -> Answer:
        """Gives a table a command."""
        self._ids += 1
        await self.clock.advance(0.25)
        return await actor.submit(id or f"n{self._ids}-{self.clock.now()}", command, who=who)

    async def must(self, actor: TableActor, command: Command, **more: str | None) -> None:
        """Gives a command that must be taken."""
        answer = await self.give(actor, command, **more)
        assert answer.refusal is None, (actor.house_table.table, command, str(answer.refusal))

    async def play(self, actor: TableActor, player: str) -> None:
        """Lets somebody buy chips from their wallet and stake, plays the coup, and lets them go.

        Where no colour is left for them, somebody who sits there stakes.
        """
        await self.must(actor, commands.Sit(by=player))
        if await self.buy(actor, player):
            await self.stake(actor, player)
        else:
            state = actor.house_table.state
            await self.stake(
                actor, next(each.name for each in state.players.values() if each.purse)
            )
        await self.coup(actor)
        for id in [
            each.id for each in actor.house_table.state.stakes.values() if each.player == player
        ]:
            await self.must(actor, commands.WithdrawStake(by=player, id=id))
        await self.must(actor, commands.Leave(by=player))

    async def buy(self, actor: TableActor, player: str) -> bool:
        """Somebody buys chips from their wallet, of whatever kind the table has left."""
        seller, chip = self.who(actor, Act.SELL_CHIPS), actor.house_table.state.setup.chip
        for value in (False, True):
            bought = commands.BuyChips(
                by=seller, player=player, amount=200 * chip, value_chips=value
            )
            if (await self.give(actor, bought, who=player)).refusal is None:
                return True
        return False

    async def stake(self, actor: TableActor, player: str) -> None:
        """Somebody lays a stake that the table takes."""
        state = actor.house_table.state
        for units in (5, 10, 20, 50, 100):
            for on in ("17", "d2", "red"):
                amount = units * state.setup.chip
                lay = commands.PlaceStake(
                    by=player, id=f"{player}-{state.coup}", player=player, on=on, amount=amount
                )
                if (await self.give(actor, lay)).refusal is None:
                    return
        raise AssertionError(f"{actor.house_table.table} takes no stake")

    async def coup(self, actor: TableActor) -> None:
        """Plays the coup to its end, from wherever it stands."""
        state, who = actor.house_table.state, self.who
        for prisoner in [each for each in state.prison.values() if each.pending]:
            choice = commands.Choice.PRISON
            asked = commands.ChooseAfterZero(by=prisoner.player, id=prisoner.id, choice=choice)
            await self.must(actor, asked)
        if state.phase is not Phase.CLOSED:
            if not state.ball_launched:
                await self.must(actor, commands.LaunchBall(by=who(actor, Act.LAUNCH_BALL)))
            await self.must(actor, commands.CloseBetting(by=who(actor, Act.CLOSE_BETTING)))
        await self.clock.advance(REOPENING + 1)
        pockets = who(actor, Act.POCKET_BALL)
        if actor.house_table.ball is BallMode.DRAWN:
            await self.must(actor, DrawBall(by=pockets))
        else:
            await self.must(actor, commands.PocketBall(by=pockets, number=19))
        await self.must(actor, commands.CallNumber(by=who(actor, Act.CALL_NUMBER)))
        await self.must(actor, commands.CollectLosers(by=who(actor, Act.COLLECT)))
        if state.due:
            await self.must(actor, commands.PayWinners(by=who(actor, Act.PAY)))

    def who(self, actor: TableActor, act: Act) -> Identity:
        """Who may do something at a table."""
        return actor.house_table.state.who_may(act) or MANAGEMENT


@asynccontextmanager
async def opened(
    old: Older, folder: Path, *, prepare: Callable[[Opened], None] | None = None
) -> AsyncIterator[Opened]:
    """Opens an older house, and closes it again."""
    house = Opened(old.store(), folder)
    if prepare is not None:
        prepare(house)
    try:
        await house.house.open()
        yield house
    finally:
        await house.house.close()
