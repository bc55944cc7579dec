"""R16: two pairs of eyes. A number that was called changes only if a second post signs for it."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post
from novamas.house.table.events import BallMode
from novamas.house.views import history
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.script import run_script
from tests.promises.figures import record
from tests.web.door import Door, Socket, open_door, run

SECOND = {
    "ar": "pagador",
    "bg": "inspector",
    "sd": "supervisor",
    **dict.fromkeys(("es", "it", "fr", "fram", "fran", "esam"), "chief"),
}
"""Whom each house wants to sign besides."""


class Table:
    """A wheel with two people at its posts, and a player who looks on."""

    def __init__(self, door: Door, house: str) -> None:
        self.door, self.house = door, house
        self.actor = door.house.tables["t"]

    def holder(self, act: Act) -> str:
        person = self.actor.house_table.state.who_may(act)
        assert person is not None
        return person

    async def sit_down(self, stack: AsyncExitStack) -> tuple[Socket, Socket, Socket]:
        """The croupier who enters the number, the second who signs, and a player."""
        first, second = self.holder(Act.POCKET_BALL), self.holder(Act.SIGN_NUMBER)
        post = Post.CROUPIER if self.house == "ar" else Post.CHIEF
        sockets = []
        for name, as_what in ((first, Post.CROUPIER), (second, post), ("ana", Post.PLAYER)):
            signed = self.door.session(as_what, name)
            sockets.append(await stack.enter_async_context(self.door.socket("t", signed)))
        return sockets[0], sockets[1], sockets[2]

    async def close_betting(self) -> None:
        launch = commands.LaunchBall(by=self.holder(Act.LAUNCH_BALL))
        await self.door.must("t", launch)
        await self.door.must("t", commands.CloseBetting(by=self.holder(Act.CLOSE_BETTING)))

    async def pay(self) -> None:
        await self.door.must("t", commands.CollectLosers(by=self.holder(Act.COLLECT)))
        if self.actor.house_table.state.due:
            await self.door.must("t", commands.PayWinners(by=self.holder(Act.PAY)))


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_r16_a_called_number_changes_with_a_second_signature_alone(house: str) -> None:
    async with open_door() as door, AsyncExitStack() as stack:
        await door.set_up("t", house)
        table = Table(door, house)
        assert table.actor.house_table.state.staff[table.holder(Act.SIGN_NUMBER)] == SECOND[house]
        croupier, second, ana = await table.sit_down(stack)
        await door.must("t", commands.Sit(by="ana"))
        seller = table.holder(Act.SELL_CHIPS)
        await door.must("t", commands.BuyChips(by=seller, player="ana", amount=1_000))
        for id, spot in (("a", "17"), ("b", "20")):
            stake = commands.PlaceStake(by="ana", id=id, player="ana", on=spot, amount=50)
            await door.must("t", stake)
        await table.close_betting()

        # Until it is called it is the croupier's alone; the call is the touch that confirms it.
        assert "ack" in await croupier.give("PocketBall", number=3)
        assert "ack" in await croupier.give("CorrectNumber", number=17, reason="misread")
        call = commands.CallNumber(by=table.holder(Act.CALL_NUMBER))
        await door.must("t", call)

        # From then on nobody changes it alone, not even both hands of one person.
        assert "ack" in await croupier.give("CorrectNumber", number=20, reason="the ball is in 20")
        assert table.actor.house_table.state.number == 17
        alone = await croupier.give("SignNumber", number=20)
        assert alone.get("why") == "not_of_this_post", alone
        blocked = commands.CollectLosers(by=table.holder(Act.COLLECT))
        answer = await table.actor.submit("too soon", blocked)
        assert answer.refusal is not None
        assert answer.refusal.why == "number_is_questioned"
        other = await second.give("SignNumber", number=21)
        assert other["why"] == "number_not_questioned"
        assert "ack" in await second.give("SignNumber", number=20)
        assert table.actor.house_table.state.number == 20
        await door.must("t", call)
        await table.pay()
        late = await croupier.give("CorrectNumber", number=17)
        assert "refused" in late

        # Both stand in the log, and the players see them.
        await ana.until(table.actor.head.seq)
        told = [each for each in ana.events if each["type"].startswith("NumberC")]
        corrected = [each["data"] for each in told if each["type"] == "NumberCorrected"]
        assert [(each["before"], each["number"]) for each in corrected] == [(3, 17), (17, 20)]
        assert corrected[1]["by"] == table.holder(Act.POCKET_BALL)
        assert corrected[1]["second"] == table.holder(Act.SIGN_NUMBER)
        assert corrected[1]["by"] != corrected[1]["second"]
        assert corrected[1]["reason"] == "the ball is in 20"
        assert table.actor.house_table.state.players["ana"].purse == 1_000 - 100 + 35 * 50 + _back(
            table
        )

        # The day plays to the same money elsewhere.
        script = await door.house.reading(lambda log: history.as_script(log, "t"))
        played = run_script(json.loads(json.dumps(script)), load)
        assert played["purses"]["ana"] == table.actor.house_table.state.players["ana"].purse
    record(
        "R16",
        f"{house}: a called number is changed by the croupier and the {SECOND[house]} together",
        alone_refused=1,
        wrong_number_refused=1,
        seen_by_players=2,
    )


def _back(table: Table) -> int:
    """What of the winning stake went to the hand; in some houses it stays on the cloth."""
    return 0 if "b" in table.actor.house_table.state.stakes else 50


@run
async def test_r16_nobody_types_a_number_at_a_drawn_table() -> None:
    refused = 0
    async with open_door() as door, AsyncExitStack() as stack:
        for house in HOUSES:
            await door.set_up(house, house, ball=BallMode.DRAWN)
            state = door.house.tables[house].house_table.state
            management = door.session(Post.MANAGEMENT)
            socket = await stack.enter_async_context(door.socket(house, management))
            for do in ("PocketBall", "CorrectNumber", "SignNumber"):
                for person in state.staff:
                    answer = await socket.give(do, as_=person, number=17)
                    assert answer["why"] == "number_is_drawn", answer
                    refused += 1
    record("R16", "a number typed at a drawn table is refused, whoever types it", refused=refused)
