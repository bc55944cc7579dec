"""The clock that everybody at a table is shown: when the step that it is in will end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Act, Cause
from novamas.house.table.croupier import Pace
from novamas.house.table.events import BallMode
from novamas.house.table.subscriptions import Subscription
from novamas.house.views.event_view import Audience
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Phase
from tests.house.croupier.dealt import PACE, Dealt, dealt, run


class Watch:
    """Somebody who follows a table for the time alone."""

    def __init__(self, table: Dealt, subscription: Subscription) -> None:
        self._table = table
        self._subscription = subscription
        self._began = table.clock.now()
        self.said = [json.loads(table.actor.clock_face())["clock"]]

    @classmethod
    async def at(cls, table: Dealt) -> Watch:
        _, subscription = await table.actor.follow(audience=Audience.PUBLIC)
        return cls(table, subscription)

    async def told(self) -> tuple[str, float | None]:
        """The step, and when it will end, in seconds since the watch began."""
        await self._table.clock.advance(0)
        for bundle in self._subscription._bundles:
            said: list[dict[str, Any]] = [json.loads(message) for message in bundle.messages]
            self.said += [each["clock"] for each in said if "clock" in each]
        self._subscription._bundles.clear()
        last = self.said[-1]
        assert last["now"] <= self._table.clock.now()
        ends = last["ends"]
        return last["step"], None if ends is None else (ends - self._began) / 1000

    async def after(self, seconds: float) -> tuple[str, float | None]:
        await self._table.clock.advance(seconds)
        return await self.told()


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_it_shows_when_betting_closes_and_when_each_step_ends(house: str) -> None:
    async with dealt(house) as table:
        watch = await Watch.at(table)
        assert await watch.told() == ("betting", None)  # Nobody is seated: the table rests.
        await table.seat("ana")
        # One of them wins whatever the number: where nobody does, the result stands longer.
        zeros = table.actor.house_table.state.book.wheel.pockets.zeros
        for spot in ("red", "black", *map(str, zeros)):
            stake = commands.PlaceStake(by="ana", id=spot, player="ana", on=spot, amount=500)
            await table.must(stake)
        close = PACE.betting + PACE.launched
        assert await watch.told() == ("betting", close)
        assert await watch.after(15) == ("betting", close)  # The last bets were called.
        assert await watch.after(5) == ("betting", close)  # The ball was launched.
        assert await watch.after(5) == ("closed", close + PACE.running)
        drawn = close + PACE.running
        assert await watch.after(5) == ("collecting", drawn + PACE.called)
        assert await watch.after(2) == ("paying", drawn + PACE.called + PACE.paying)
        step, ends = await watch.after(3)
        assert step in ("betting", "choosing")
        assert ends == drawn + PACE.called + PACE.paying + close
        # What was said is what happened, and none of it stands in the log.
        assert table.times("BettingClosed") == [close]
        assert table.times("BallPocketed") == [drawn]
        assert not any("lock" in kind for kind in table.types())


@run
async def test_without_a_warning_it_shows_the_close_all_the_same() -> None:
    pace = Pace(betting=4, warning=4, launched=1, running=1, falling=0, called=1, paying=1)
    async with dealt("bg", pace=pace) as table:
        watch = await Watch.at(table)
        await table.seat("ana")
        assert await watch.told() == ("betting", 5)
        assert await watch.after(4) == ("betting", 5)
        assert await watch.after(1) == ("closed", 6)


@run
async def test_it_says_nothing_of_the_end_while_play_is_suspended() -> None:
    async with dealt("es") as table:
        watch = await Watch.at(table)
        await table.seat("ana")
        await watch.after(10)
        await table.must(commands.Suspend(by=MANAGEMENT, reason="a fly"))
        assert await watch.told() == ("betting", None)
        await watch.after(100)
        await table.must(commands.Resume(by=MANAGEMENT))
        # Whoever wanted to stake has the whole time again.
        assert await watch.told() == ("betting", 110 + PACE.betting + PACE.launched)


@run
async def test_after_a_void_ball_the_time_is_counted_from_there() -> None:
    async with dealt("es", ball=BallMode.WHEEL) as table:
        watch = await Watch.at(table)
        await table.seat("ana")
        await watch.after(22)
        assert table.count("BallLaunched") == 1
        voider = table.actor.house_table.state.who_may(Act.VOID_BALL)
        assert voider is not None
        await table.must(commands.VoidBall(by=voider, cause=Cause.BALL_OUT))
        assert await watch.told() == ("betting", 22 + PACE.betting + PACE.launched)


@run
async def test_where_a_person_deals_the_end_is_not_known() -> None:
    async with dealt("it") as table:
        watch = await Watch.at(table)
        await table.seat("ana")
        assert (await watch.told())[1] is not None
        for person, post in tuple(table.actor.house_table.state.staff.items()):
            await table.must(commands.TakePost(by=f"a {person}", post=post, relieves=person))
        assert await watch.told() == ("betting", None)
        await watch.after(3600)
        assert table.count("BallLaunched") == 0


@run
async def test_at_a_wheel_the_end_of_the_spin_is_not_known() -> None:
    async with dealt("es", ball=BallMode.WHEEL) as table:
        watch = await Watch.at(table)
        await table.seat("ana")
        assert await watch.told() == ("betting", PACE.betting + PACE.launched)
        assert await watch.after(PACE.betting + PACE.launched) == ("closed", None)


@run
async def test_it_is_not_ahead_of_what_is_durable() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        actor = table.actor
        actor.house_table.state.phase = (
            Phase.CLOSED
        )  # As it is in memory, before it is on the disk.
        assert json.loads(actor.clock_face())["clock"]["step"] == "betting"
        actor.house_table.state.phase = Phase.BETTING
