"""Live events: what a player is paid and why, the row of the history, and the table after it.

What comes with an event must be what the house answers over HTTP for the same coup, and only those
may see it who may ask for it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import Act, Winning
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.events import Post
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import DrawBall
from novamas.house.table.events import BallMode
from novamas.house.views import explanations
from novamas.house.views.event_view import Audience
from novamas.house.views.live_view import MOST_LINES, EventView
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.table.commands import Choice, Command
from novamas.wording import explain as wording
from tests.web.door import Door, Signed, Socket, open_door, run

LANGUAGE = "es"
STAKES = {
    "ana": (("17", 20), ("17/20", 40), ("14/17", 20), ("red", 100), ("even", 60)),
    "luis": (("black", 50), ("5", 10), ("low", 30)),
}


class LiveTable:
    """A table that the test deals, and those who follow it."""

    def __init__(self, door: Door, actor: TableActor) -> None:
        self.door = door
        self.actor = actor
        self.followers: dict[str, Socket] = {}
        self.sessions: dict[str, Signed | None] = {}

    async def follow(self, name: str, post: Post | None) -> None:
        session = None if post is None else self.door.session(post, name)
        socket = self.door.socket("t", session, language=LANGUAGE)
        self.sessions[name] = session
        self.followers[name] = await socket.__aenter__()

    async def do(self, *given: Command) -> None:
        for each in given:
            await self.door.must("t", each)

    def who(self, act: Act) -> str:
        state = self.actor.house_table.state
        found = state.spinner() if act is Act.LAUNCH_BALL else state.who_may(act)
        assert found is not None
        return found

    async def seat(self, *players: str, amount: int = 100_000) -> None:
        for player in players:
            seller = self.who(Act.SELL_CHIPS)
            await self.do(
                commands.Sit(by=player),
                commands.BuyChips(by=seller, player=player, amount=amount),
            )

    async def lay(self, player: str, stakes: Iterable[tuple[str, int]], *, coup: int = 1) -> None:
        for number, (on, amount) in enumerate(stakes):
            id = f"{player}-{coup}-{number}"
            placed = commands.PlaceStake(by=player, id=id, player=player, on=on, amount=amount)
            await self.do(placed)

    async def close(self) -> None:
        await self.do(
            commands.LaunchBall(by=self.who(Act.LAUNCH_BALL)),
            commands.CloseBetting(by=self.who(Act.CLOSE_BETTING)),
        )

    async def spin(self, number: int | None) -> None:
        """A whole coup; without a number the ball is drawn."""
        await self.close()
        by = self.who(Act.POCKET_BALL)
        drawn = DrawBall(by=by) if number is None else commands.PocketBall(by=by, number=number)
        await self.do(drawn)
        await self.settle()

    async def settle(self) -> None:
        await self.do(
            commands.CallNumber(by=self.who(Act.CALL_NUMBER)),
            commands.CollectLosers(by=self.who(Act.COLLECT)),
        )
        while self.actor.house_table.state.due:
            await self.do(commands.PayNext(by=self.who(Act.PAY)))

    async def last(self, name: str, kind: str) -> dict[str, Any]:
        """The last event of a kind that somebody was shown."""
        found = await self.followers[name].until(self.actor.head.seq)
        event = [each for each in found if each["type"] == kind][-1]
        msgspec.convert(event, EventView)
        return event

    async def asked(self, name: str, path: str) -> Any:
        session = self.sessions[name]
        headers = {"Authorization": f"Bearer {session.token}"} if session else None
        answer = await self.door.http.get(f"/api/tables/t/{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def leave(self) -> None:
        for socket in self.followers.values():
            await socket.hang_up()


async def opened(door: Door, house: str, **how: Any) -> LiveTable:
    table = LiveTable(door, await door.set_up("t", house, **how))
    for name, post in (
        ("ana", Post.PLAYER),
        ("luis", Post.PLAYER),
        ("maria", Post.PLAYER),
        ("croupier", Post.CROUPIER),
        ("onlooker", None),
    ):
        await table.follow(name, post)
    await table.seat("ana", "luis")
    return table


async def check_coup(table: LiveTable) -> None:
    """What came with the events of the last coup is what the house answers for it."""
    for name in STAKES:
        why = await table.asked(name, f"why?language={LANGUAGE}")
        assert why["lines"]
        assert (await table.last(name, "NumberCalled"))["why"] == why
        row = (await table.asked(name, "coups"))[-1]
        assert list(row["players"]) == [name]
        assert (await table.last(name, "CoupEnded"))["coup"] == row
    for name in ("maria", "onlooker"):
        assert "why" not in await table.last(name, "NumberCalled")
        row = (await table.asked(name, "coups"))[-1]
        assert row["players"] == {}
        assert (await table.last(name, "CoupEnded"))["coup"] == row


@pytest.mark.parametrize("winning", list(Winning))
@pytest.mark.parametrize("house", HOUSES)
@run
async def test_what_a_coup_brought_comes_with_its_events(house: str, winning: Winning) -> None:
    limits = Limits.of({"straight": {"min": 10}, "simple": {"min": 30}})
    async with open_door() as door:
        table = await opened(door, house, limits=limits, winning=winning)
        # A winner, zero, the prison after it, and a zero that meets prisoners.
        for coup, number in enumerate((17, 0, 0, 5, 17), start=1):
            for player, stakes in STAKES.items():
                await table.lay(player, stakes, coup=coup)
            await table.spin(number)
            await check_coup(table)
        await table.leave()


@run
async def test_what_was_returned_before_the_call_is_explained_too() -> None:
    limits = Limits.of({"simple": {"min": 40}})
    async with open_door() as door:
        table = await opened(door, "ar", limits=limits)
        await table.lay("luis", [("17", 10), ("red", 30)])
        await table.lay("ana", [("red", 30)])
        await table.spin(17)
        await check_coup(table)
        told = await table.last("ana", "NumberCalled")
        assert "yours" not in told, "nothing of hers was left to play"
        assert [line["returned"] for line in told["why"]["lines"]] == [30]
        await table.leave()


@run
async def test_a_drawn_number_comes_with_what_checks_it() -> None:
    async with open_door() as door:
        table = await opened(door, "bg", ball=BallMode.DRAWN)
        for coup in (1, 2):
            for player, stakes in STAKES.items():
                await table.lay(player, stakes, coup=coup)
            await table.spin(None)
            await check_coup(table)
            assert (await table.last("onlooker", "CoupEnded"))["coup"]["ball"]["secret"]
        await table.leave()


@run
async def test_what_players_may_choose_after_zero_is_told_them_alone() -> None:
    async with open_door() as door:
        table = await opened(door, "es")
        await table.lay("ana", [("red", 100), ("even", 60)])
        await table.lay("luis", [("17", 10)])
        await table.spin(0)
        shown = await table.actor.look(audience=Audience.PUBLIC, player="ana")
        offers = {each.id: each.offer for each in shown.prison}
        ended = await table.last("ana", "CoupEnded")
        assert ended["offers"] == json.loads(msgspec.json.encode(offers))
        assert ended["change"]["phase"] == "choosing"
        for name in ("luis", "maria", "croupier", "onlooker"):
            assert "offers" not in await table.last(name, "CoupEnded")
        await table.do(commands.ChooseAfterZero(by="ana", id="ana-1-0", choice=Choice.HALF))
        made = await table.last("ana", "ChoiceMade")
        assert made["why"] == await table.asked("ana", f"why?language={LANGUAGE}")
        assert made["coup"] == (await table.asked("ana", "coups"))[-1]
        assert made["change"]["prison"] == {"gone": ["ana-1-0"]}
        for name in ("luis", "maria", "croupier", "onlooker"):
            told = await table.last(name, "ChoiceMade")
            assert not {"why", "coup", "offers"} & told.keys()
        await table.leave()


@run
async def test_no_event_tells_anybody_what_another_player_was_paid() -> None:
    async with open_door() as door:
        table = await opened(door, "ar")
        for player, stakes in STAKES.items():
            await table.lay(player, stakes)
        await table.spin(17)
        for name in ("ana", "luis", "maria", "onlooker"):
            for event in await table.followers[name].until(table.actor.head.seq):
                lines = event.get("why", {}).get("lines", [])
                lines += event.get("why", {}).get("reduced", [])
                lines += (event.get("yours") or {}).get("lines", [])
                assert {line["player"] for line in lines} <= {name}
                assert set(event.get("coup", {}).get("players", {})) <= {name}
        await table.leave()


@run
async def test_the_explanation_of_a_thousand_stakes_is_bounded() -> None:
    async with open_door() as door:
        table = await opened(door, "bg")
        await table.lay("ana", [(str(number % 37), 10) for number in range(1000)])
        await table.spin(17)
        why = (await table.last("ana", "NumberCalled"))["why"]
        whole = await table.asked("ana", f"why?language={LANGUAGE}")
        assert len(whole["lines"]) == 1000
        assert whole["lines"][:MOST_LINES] == why["lines"]
        assert why["more"] == 1000 - MOST_LINES
        assert (why["won"], why["lost"]) == (whole["won"], whole["lost"])
        assert why["won"] == sum(line["won"] for line in whole["lines"])
        assert len(json.dumps(why)) < 1000 * MOST_LINES
        for name in ("luis", "onlooker"):
            # The others only learn which stakes are gone: a word for each.
            events = await table.followers[name].until(table.actor.head.seq)
            (collected,) = (each for each in events if each["type"] == "LosersCollected")
            assert len(collected["change"]["stakes"]["gone"]) == 1000 - len(range(17, 1000, 37))
            assert len(json.dumps(collected)) < 20 * 1000
        await table.leave()


@run
async def test_only_the_stakes_of_those_who_are_connected_are_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explained: list[str] = []
    explain = wording.explain

    def counting(book: Any, line: Any, *rest: Any, **how: Any) -> Any:
        explained.append(line.stake.player)
        return explain(book, line, *rest, **how)

    monkeypatch.setattr(explanations, "explain", counting)
    async with open_door() as door:
        table = LiveTable(door, await door.set_up("t", "bg"))
        await table.follow("ana", Post.PLAYER)
        await table.follow("onlooker", None)
        await table.seat("ana", "luis")
        await table.lay("luis", [(str(number), 10) for number in range(30)])
        await table.lay("ana", [("17", 10), ("17", 10), ("18", 10)])
        await table.spin(17)
        await table.last("ana", "CoupEnded")
        assert explained == ["ana", "ana"], "equal stakes share one explanation"
        await table.leave()


@run
async def test_a_coup_that_the_server_did_not_see_whole_is_left_to_be_asked_for() -> None:
    store = MemoryStore()
    async with open_door(store) as door:
        table = await opened(door, "ar")
        for player, stakes in STAKES.items():
            await table.lay(player, stakes)
        await table.leave()
    async with open_door(store) as again:
        again._ids = (f"later {number}" for number in itertools.count(1))
        later = LiveTable(again, again.house.tables["t"])
        await later.follow("ana", Post.PLAYER)
        await later.spin(17)
        called = await later.last("ana", "NumberCalled")
        assert called["yours"]["lines"]
        assert not {"change", "why"} & called.keys()
        await later.lay("ana", STAKES["ana"], coup=2)
        await later.spin(17)
        told = await later.last("ana", "NumberCalled")
        assert told["why"] == await later.asked("ana", f"why?language={LANGUAGE}")
        await later.leave()


@run
async def test_what_was_returned_is_still_explained_after_a_corrected_number() -> None:
    async with open_door() as door:
        table = await opened(door, "ar", limits=Limits.of({"simple": {"min": 40}}))
        await table.lay("ana", [("red", 30), ("17", 10)])
        await table.close()
        await table.do(
            commands.PocketBall(by=table.who(Act.POCKET_BALL), number=18),
            commands.CallNumber(by=table.who(Act.CALL_NUMBER)),
            commands.CorrectNumber(by=table.who(Act.POCKET_BALL), number=17, reason="misread"),
            commands.SignNumber(by=table.who(Act.SIGN_NUMBER), number=17),
        )
        await table.settle()
        told = (await table.last("ana", "NumberCalled"))["why"]
        assert told == await table.asked("ana", f"why?language={LANGUAGE}")
        assert [line["on"] for line in told["lines"]] == ["red", "17"]
        await table.leave()
