"""A table where ana and luis play, and the disputes that a test raises and decides there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from novamas.game.rulebook.behaviours import Act
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.commands import (
    ConfirmProposal,
    DecideDispute,
    RaiseDispute,
    RecordWrongPayment,
)
from novamas.house.views.history import replayed
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Identity, Officer
from novamas.table.refusals import Refusal
from tests.web.door import Door, open_door


class Evening:
    """A wheel at which ana and luis play; nobody deals it but the test."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.actor = door.house.tables["t"]
        self._asked = 0

    def who(self, act: Act) -> str:
        person = self.actor.house_table.state.who_may(act)
        assert person is not None
        return person

    async def do(self, command: Command) -> None:
        await self.door.must("t", command)

    async def refusal(self, command: Command) -> Refusal:
        """A command that is refused, and changes nothing."""
        before = self.door.facts(), self.actor.house_table.disputes.as_data()
        self._asked += 1
        answer = await self.actor.submit(f"refused {self._asked}", command)
        assert answer.refusal is not None, "it was not refused"
        assert (self.door.facts(), self.actor.house_table.disputes.as_data()) == before
        return answer.refusal

    async def stake(self, player: str, on: str = "17") -> None:
        coup = self.actor.house_table.state.coup
        id = f"{player} {coup}"
        await self.do(commands.PlaceStake(by=player, id=id, player=player, on=on, amount=100))

    async def close(self) -> None:
        await self.do(commands.LaunchBall(by=self.who(Act.LAUNCH_BALL)))
        await self.do(commands.CloseBetting(by=self.who(Act.CLOSE_BETTING)))

    async def finish(self, number: int = 3) -> None:
        await self.do(commands.PocketBall(by=self.who(Act.POCKET_BALL), number=number))
        await self.do(commands.CallNumber(by=self.who(Act.CALL_NUMBER)))
        await self.do(commands.CollectLosers(by=self.who(Act.COLLECT)))
        if self.actor.house_table.state.due:
            await self.do(commands.PayWinners(by=self.who(Act.PAY)))

    async def coup(self, *players: str, number: int = 3) -> int:
        """A coup in which some play; which it is."""
        coup = self.actor.house_table.state.coup
        for player in players:
            await self.stake(player)
        await self.close()
        await self.finish(number)
        return coup

    async def paid_wrongly(self, by: str, id: str, player: str, amount: int) -> None:
        """A wrong payment, proposed by one who pays and confirmed by a chief."""
        wrong = RecordWrongPayment(by=by, id=id, player=player, amount=amount, reason="a stack")
        await self.do(wrong)
        await self.do(ConfirmProposal(by=Officer("vera"), id=id, reason="I saw it"))

    def events(self) -> list[object]:
        return [event for _, event, _ in replayed(self.door.house.store, "t")]


@asynccontextmanager
async def evening(rulebook: str = "it", store: MemoryStore | None = None) -> AsyncIterator[Evening]:
    """A table that is open, with two players who hold chips."""
    async with open_door(store) as door:
        actor = await door.set_up("t", rulebook)
        seller = actor.house_table.state.who_may(Act.SELL_CHIPS)
        assert seller is not None
        for player in ("ana", "luis"):
            await door.must("t", commands.Sit(by=player))
            await door.must("t", commands.BuyChips(by=seller, player=player, amount=10_000))
        yield Evening(door)


def ana(coup: int = 1, **more: object) -> RaiseDispute:
    said = {"by": "ana", "player": "ana", "coup": coup, "says": "my 17 was paid as 20", **more}
    return RaiseDispute(**said)  # type: ignore[arg-type]


def decided(by: Identity = MANAGEMENT, **more: object) -> DecideDispute:
    said = {"by": by, "id": 1, "upheld": False, "reason": "the number was 3", **more}
    return DecideDispute(**said)  # type: ignore[arg-type]
