"""Spin now: who is alone at a drawn table need not wait, and a coup never gets too short."""

from __future__ import annotations

import pytest

from novamas.house.table import spin_now
from novamas.house.table.croupier import SHORTEST_COUP, Pace
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Phase
from tests.house.croupier.dealt import PACE, Dealt, dealt, run


def _asked(table: Dealt, player: str = "ana") -> str | None:
    return spin_now.ask(table.actor, player)


@pytest.mark.parametrize("waited", [0.0, 3.0, 17.0])
@run
async def test_who_is_alone_has_the_ball_at_once(waited: float) -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="b", player="ana", on="17", amount=200)
        await table.must(stake)
        begun = table.times("StakePlaced")[0]
        await table.clock.advance(waited)
        assert _asked(table) is None
        await table.clock.advance(0)
        assert table.times("BallLaunched") == table.times("BettingClosed") == [begun + waited]
        # From there on the coup takes as long as any other.
        await table.clock.advance(PACE.running + PACE.called + PACE.paying)
        assert table.count("CoupEnded") == 1
        # The next one is dealt by the clock again.
        await table.clock.advance(PACE.betting - 0.1)
        assert table.count("BallLaunched") == 1


@run
async def test_asked_for_after_the_last_bets_or_twice_the_ball_runs_once() -> None:
    async with dealt("bg") as table:
        await table.seat("ana")
        await table.clock.advance(PACE.betting - PACE.warning + 1)
        assert table.count("LastBetsCalled") == 1
        assert (_asked(table), _asked(table)) == (None, None)
        await table.clock.advance(0)
        assert table.actor.house_table.state.phase is Phase.CLOSED
        assert _asked(table) is not None
        await table.clock.advance(PACE.running)
        assert table.count("BallLaunched") == table.count("BallPocketed") == 1


@run
async def test_a_coup_never_gets_shorter_than_five_seconds() -> None:
    quick = Pace(betting=4, warning=0, launched=0, running=0, falling=0, called=1, paying=0)
    async with dealt("bg", pace=quick) as table:
        await table.seat("ana")
        assert _asked(table) is None
        await table.clock.advance(0)
        assert table.count("BallLaunched") == 0
        await table.clock.advance(SHORTEST_COUP - 0.1)
        assert table.count("CoupEnded") == 0
        await table.clock.advance(0.1)
        assert table.count("CoupEnded") == 1


@pytest.mark.parametrize("rulebook", ["es", "fram"])
@run
async def test_quick_coups_follow_one_another_every_five_seconds_and_no_faster(
    rulebook: str,
) -> None:
    async with dealt(rulebook) as table:
        await table.seat("ana")
        for coup in range(1, 4):
            assert spin_now.ask(table.actor, "ana", is_quick=True) is None
            await table.clock.advance(0)
            assert table.count("BettingClosed") == coup
            # However often it is asked for, a coup is over once.
            assert _asked(table) is not None
            await table.clock.advance(SHORTEST_COUP - 0.1)
            assert table.count("CoupEnded") == coup - 1
            await table.clock.advance(0.1)
            assert table.count("CoupEnded") == coup
        assert table.times("CoupEnded") == [n * SHORTEST_COUP for n in (1, 2, 3)]
        # The next coup is dealt at the table's own pace, unless it is asked for too.
        assert _asked(table) is None
        await table.clock.advance(SHORTEST_COUP)
        assert table.count("CoupEnded") == 3
        await table.clock.advance(PACE.running + PACE.called + PACE.paying - SHORTEST_COUP)
        assert table.count("CoupEnded") == 4


@run
async def test_the_clock_says_how_many_play() -> None:
    here = {"ana", "bea"}
    async with dealt("es") as table:
        state = table.actor.house_table.state

        def count() -> int:
            return spin_now.playing(state, here.__contains__)

        assert count() == 0
        await table.seat("ana")
        await table.seat("bea")
        assert count() == 2
        here.remove("bea")
        assert count() == 1
        stake = commands.PlaceStake(by="bea", id="b", player="bea", on="17", amount=200)
        await table.must(stake)
        assert count() == 2
        await table.must(commands.StepAway(by="ana"))
        assert count() == 1


@run
async def test_it_is_for_nobody_who_is_not_alone_or_not_there() -> None:
    async with dealt("ar") as table:
        assert _asked(table) == "take a seat first"
        await table.seat("ana")
        await table.seat("bea")
        stake = commands.PlaceStake(by="bea", id="b", player="bea", on="17", amount=100)
        await table.must(stake)
        # Bea has closed her page, but what she has laid plays.
        assert _asked(table) == "somebody else plays here"
        await table.must(commands.WithdrawStake(by="bea", id="b"))
        assert _asked(table) is None
        await table.clock.advance(PACE.running + PACE.called + PACE.paying)
        await table.must(commands.StepAway(by="bea"))
        assert _asked(table, "bea") == "take a seat first"
        await table.must(commands.Suspend(by=MANAGEMENT, reason="a lamp"))
        assert _asked(table) is not None


@run
async def test_at_a_wheel_the_croupier_spins() -> None:
    async with dealt("ar", ball=BallMode.WHEEL, start=False) as table:
        assert _asked(table) == "at a wheel the croupier spins"
