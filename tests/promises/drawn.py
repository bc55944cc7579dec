"""A drawn table of a house in memory, dealt by hand and as fast as it goes."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import Pocket
from novamas.house.ball import fair_draw
from novamas.house.ball.fair_draw import Entropy
from novamas.house.ball.seeds import LENGTH, BallSource
from novamas.house.clock import ManualClock
from novamas.house.house import House
from novamas.house.log.store import Store
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableActor
from novamas.house.table.answers import Answer
from novamas.house.table.commands import CommitNonce, DrawBall, OpenBank, OpenNonce
from novamas.house.table.croupier import AutomaticCroupier
from novamas.house.table.events import BallMode
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.state import Phase, Setup
from tests.prompt import PromptHouse

FLOAT = 1_000_000
"""What is in the bank of a table when it opens."""


class DrawnTable:
    """A table and those who serve it."""

    def __init__(self, house: House, actor: TableActor, clock: ManualClock) -> None:
        self.house = house
        self.actor = actor
        self.clock = clock
        self._ids = (f"c{n}" for n in itertools.count(1))
        self.nonces: dict[str, str] = {}
        """Player → the nonce that is committed to for every spin, and opened after its close."""

    def who(self, act: Act) -> Identity:
        """Someone whose post may do it."""
        return self.actor.house_table.state.who_may(act) or MANAGEMENT

    async def ask(self, command: Command) -> Answer:
        """Gives a command and waits for the answer."""
        return await self.actor.submit(next(self._ids), command)

    async def give(self, *given: Command) -> None:
        """Gives commands that must not be refused."""
        for command in given:
            answer = await self.ask(command)
            assert answer.refusal is None, (command, answer.refusal)

    async def seat(self, player: str, amount: int, *, nonce: str | None = None) -> None:
        """Seats a player who buys chips, and may use a nonce from the next spin on."""
        seller = self.who(Act.SELL_CHIPS)
        bought = commands.BuyChips(by=seller, player=player, amount=amount)
        await self.give(commands.Sit(by=player), bought)
        if nonce is not None:
            self.nonces[player] = nonce

    async def stake(self, player: str, on: str, amount: int) -> None:
        """Lays a stake."""
        id = f"s-{next(self._ids)}"
        laid = commands.PlaceStake(by=player, id=id, player=player, on=on, amount=amount)
        await self.give(laid)

    async def commit(self, player: str, nonce: str) -> None:
        """Commits to a nonce for the commitment that stands."""
        standing = self.actor.house_table.commitment
        assert standing is not None
        bound = (self.actor.house_table.table, standing.spin, standing.commitment, player)
        hashed = fair_draw.nonce_hash(*bound, nonce)
        await self.give(CommitNonce(by=player, commitment=standing.commitment, hash=hashed))

    async def close(self) -> None:
        """Launches the ball and closes betting, with the nonces that were set."""
        for player, nonce in self.nonces.items():
            await self.commit(player, nonce)
        await self.give(
            commands.LaunchBall(by=self.who(Act.LAUNCH_BALL)),
            commands.CloseBetting(by=self.who(Act.CLOSE_BETTING)),
        )

    async def draw(self) -> Pocket:
        """Opens the nonces that were set, and lets the committed ball fall."""
        for player, nonce in self.nonces.items():
            await self.give(OpenNonce(by=player, nonce=nonce))
        await self.give(DrawBall(by=self.who(Act.POCKET_BALL)))
        _, number = self.actor.house_table.drawn[-1]
        return number

    async def settle(self) -> None:
        """Calls the number, collects the losers, and pays the winners if there are any."""
        state = self.actor.house_table.state
        await self.give(commands.CallNumber(by=self.who(Act.CALL_NUMBER)))
        if state.phase is Phase.COLLECTING:
            await self.give(commands.CollectLosers(by=self.who(Act.COLLECT)))
        if state.phase is Phase.PAYING:
            await self.give(commands.PayWinners(by=self.who(Act.PAY)))

    async def coup(self) -> Pocket:
        """Plays a coup from the launch to the last payment, and tells its number."""
        await self.close()
        number = await self.draw()
        await self.settle()
        return number


@asynccontextmanager
async def drawn_table(
    entropy: Entropy | None = None,
    *,
    name: str = "t",
    rulebook: str = "ar",
    store: Store | None = None,
    length: int = LENGTH,
    samples: int = 0,
) -> AsyncIterator[DrawnTable]:
    """A drawn table with all its posts taken, open for betting."""
    clock = ManualClock()
    source = BallSource(entropy, length=length, samples=samples)
    house = PromptHouse(store or MemoryStore(), clock=clock, source=source)
    await house.open()
    book = load(rulebook)
    setup = Setup(
        chip=10, winning=book.betting.winners_stay, limits_kept=book.limits.kept[0], live=True
    )
    actor = await house.set_up(name, rulebook, setup, ball=BallMode.DRAWN)
    try:
        await actor.submit("float", OpenBank(by=MANAGEMENT, amount=FLOAT))
        await AutomaticCroupier(actor).open()
        yield DrawnTable(house, actor, clock)
    finally:
        await house.close()
