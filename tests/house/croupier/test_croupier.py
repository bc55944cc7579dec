"""The automatic croupier: deals by the clock, in every house, and takes a coup up where it is."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from novamas.game import staffing
from novamas.game.rulebook.behaviours import Act
from novamas.house.clock import ManualClock
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableStoppedError
from novamas.house.table.answers import Answer
from novamas.house.table.commands import CallLastBets, DrawBall
from novamas.house.table.croupier import SHORTEST_COUP, AutomaticCroupier, Pace
from novamas.house.table.events import BallMode
from novamas.house.views.history import as_script
from novamas.rulebooks import HOUSES, load, load_any
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Phase
from tests.house.croupier.dealt import PACE, dealt, run

A_COUP = [
    "LastBetsCalled",
    "BallLaunched",
    "BettingClosed",
    "BallRevealed",
    "BallPocketed",
    "BallCommitted",
    "NumberCalled",
    "LosersCollected",
    "WinnersPaid",
    "CoupEnded",
]


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_it_fills_every_post_that_the_book_wants_and_opens(house: str) -> None:
    async with dealt(house) as table:
        state = table.actor.house_table.state
        assert sorted(state.staff.values()) == sorted(staffing.missing(load(house), {}))
        assert state.phase is Phase.BETTING
        assert table.actor.house_table.commitment is not None


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_it_deals_a_coup_by_the_clock(house: str) -> None:
    async with dealt(house) as table:
        await table.seat("ana")
        # Every number wins something, so that the coup has a payment.
        for spot in ("red", "black", *map(str, load(house).wheel.pockets.zeros)):
            stake = commands.PlaceStake(by="ana", id=spot, player="ana", on=spot, amount=500)
            await table.must(stake)
        begun = len(table.records())
        await table.clock.advance(14.9)
        assert table.count("LastBetsCalled") == 0
        await table.clock.advance(0.1)
        assert table.types()[begun:] == A_COUP[:1]
        await table.clock.advance(5)
        assert table.types()[begun:] == A_COUP[:2]
        await table.clock.advance(5)
        assert table.types()[begun:] == A_COUP[:3]
        assert table.actor.house_table.state.number is None
        await table.clock.advance(5)
        assert table.types()[begun:] == A_COUP[:7]
        await table.clock.advance(2)
        assert table.types()[begun:] == A_COUP[:8]
        await table.clock.advance(3)
        assert table.types()[begun:] == A_COUP
        assert table.actor.house_table.state.coup == 2


@pytest.mark.parametrize(
    ("house", "call"),
    [
        ("ar", "Últimas apuestas"),
        ("es", "Últimas apuestas"),
        ("it", "Les jeux sont faits"),
        ("bg", "Последни залози"),
    ],
)
@run
async def test_it_warns_in_the_language_of_the_calls(house: str, call: str) -> None:
    async with dealt(house) as table:
        await table.seat("ana")
        await table.clock.advance(15)
        (warned,) = (each for each in table.records() if each.type == "LastBetsCalled")
        assert f'"call":"{call}"'.encode() in warned.payload


@run
async def test_last_bets_are_called_by_who_closes_betting_and_while_it_is_open() -> None:
    async with dealt("it", start=False) as table:
        await table.croupier.open()
        state = table.actor.house_table.state
        closer = state.who_may(Act.CLOSE_BETTING)
        spinner = state.who_may(Act.LAUNCH_BALL)
        assert closer is not None
        assert spinner is not None
        answer = await table.give(CallLastBets(by="auto chief 1"))
        assert answer.refusal is not None
        assert answer.refusal.why == "not_of_this_post"
        assert answer.refusal.articles
        await table.must(CallLastBets(by=closer))
        await table.must(commands.LaunchBall(by=spinner))
        await table.must(commands.CloseBetting(by=closer))
        answer = await table.give(CallLastBets(by=closer))
        assert answer.refusal is not None
        assert answer.refusal.why == "betting_is_closed"


@run
async def test_betting_that_is_no_longer_than_the_warning_has_none() -> None:
    pace = Pace(betting=5, warning=5, launched=1, running=1, falling=0, called=1, paying=1)
    async with dealt("bg", pace=pace) as table:
        await table.seat("ana")
        await table.clock.advance(30)
        assert table.count("BallLaunched") >= 3
        assert table.count("LastBetsCalled") == 0


def test_no_pace_makes_a_coup_shorter_than_five_seconds() -> None:
    with pytest.raises(ValueError, match="at least 5 seconds"):
        Pace(betting=1, launched=1, running=1, falling=0, called=1, paying=0.9)
    with pytest.raises(ValueError, match="at least 5 seconds"):
        Pace(betting=-1)
    with pytest.raises(ValueError, match="at least 5 seconds"):
        Pace(warning=-1)
    assert Pace(betting=1, launched=1, running=1, falling=0, called=1, paying=1).paying == 1


@run
async def test_a_coup_without_winners_lasts_its_five_seconds_too() -> None:
    pace = Pace(betting=0, warning=0, launched=0, running=0, falling=0, called=0, paying=5)
    async with dealt("bg", pace=pace) as table:
        await table.seat("ana")
        await table.clock.advance(60)
        ends = table.times("CoupEnded")
        assert len(ends) >= 11
        assert table.count("WinnersPaid") == 0
        assert min(after - before for before, after in pairwise([0.0, *ends])) >= SHORTEST_COUP


@run
async def test_the_number_is_called_when_the_ball_has_fallen_and_its_result_stands() -> None:
    pace = Pace()
    for number in ("17", "nobody wins"):
        async with dealt("bg", pace=pace) as table:
            await table.seat("ana")
            for spot in range(37 if number == "17" else 0):
                stake = commands.PlaceStake(
                    by="ana", id=f"b{spot}", player="ana", on=str(spot), amount=100
                )
                await table.must(stake)
            await table.clock.advance(60)
            (known,), (called,) = table.times("BallPocketed"), table.times("NumberCalled")
            assert called - known == pace.falling
            # Whether anybody wins or not, the next coup begins five to six seconds later.
            (ended,) = table.times("CoupEnded")
            assert 5 <= ended - called <= 6


@run
async def test_when_nobody_is_seated_the_table_rests() -> None:
    async with dealt("es") as table:
        opened = len(table.records())
        await table.clock.advance(3600)
        assert len(table.records()) == opened
        await table.seat("ana")
        await table.clock.advance(PACE.betting)
        assert table.types()[-1] == "BallLaunched"


@run
async def test_it_rests_again_when_the_last_player_steps_away_or_leaves() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        await table.clock.advance(10)
        await table.must(commands.StepAway(by="ana"))
        await table.clock.advance(3600)
        assert table.count("BallLaunched") == 0
        await table.must(commands.ComeBack(by="ana"))
        await table.clock.advance(PACE.betting)
        assert table.count("BallLaunched") == 1
        await table.clock.advance(60)
        assert table.count("CoupEnded") >= 1
        while table.actor.house_table.state.phase is not Phase.BETTING:
            await table.clock.advance(1)
        await table.must(commands.Leave(by="ana"))
        played = table.count("BallLaunched") + table.actor.house_table.state.ball_launched
        await table.clock.advance(3600)
        assert table.count("BallLaunched") <= played


@run
async def test_for_players_who_are_not_there_it_deals_no_coup() -> None:
    there = {"ana", "bea"}
    async with dealt("es", is_there=there.__contains__) as table:
        await table.seat("ana")
        await table.seat("bea")
        there.discard("ana")
        await table.clock.advance(60)
        assert table.count("BallLaunched") >= 1
        there.discard("bea")
        await table.clock.advance(60)
        assert table.actor.house_table.state.phase is Phase.BETTING
        rested = len(table.records())
        await table.clock.advance(24 * 3600)
        assert len(table.records()) == rested
        # Whoever comes first finds the table open, and has all the time to lay a stake.
        there.add("bea")
        table.actor.changed.set()
        await table.clock.advance(PACE.betting - 0.1)
        assert table.types()[-1] == "LastBetsCalled"
        await table.clock.advance(0.1)
        assert table.types()[-1] == "BallLaunched"


@run
async def test_what_those_have_on_the_cloth_who_are_gone_is_played() -> None:
    there = {"ana"}
    async with dealt("ar", is_there=there.__contains__) as table:
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="b1", player="ana", on="17", amount=100)
        await table.must(stake)
        there.clear()
        await table.clock.advance(60)
        assert table.count("CoupEnded") >= 1


@run
async def test_a_coup_that_runs_is_ended_though_everybody_left() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        await table.clock.advance(PACE.betting + PACE.launched)
        assert table.actor.house_table.state.phase is Phase.CLOSED
        await table.must(commands.Leave(by="ana"))
        await table.clock.advance(3600)
        assert table.count("CoupEnded") == 1
        assert table.count("BallLaunched") == 1


@run
async def test_what_lies_on_the_cloth_is_played_for_who_is_away() -> None:
    async with dealt("ar") as table:
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="b1", player="ana", on="17", amount=100)
        await table.must(stake)
        await table.must(commands.StepAway(by="ana"))
        await table.clock.advance(60)
        assert table.count("CoupEnded") >= 1


@run
async def test_it_stands_still_while_play_is_suspended_and_goes_on_after_it() -> None:
    async with dealt("it") as table:
        await table.seat("ana")
        await table.must(commands.PlaceStake(by="ana", id="b1", player="ana", on="red", amount=500))
        await table.must(commands.Suspend(by=MANAGEMENT, reason="a lamp"))
        before = len(table.records())
        await table.clock.advance(600)
        assert len(table.records()) == before
        await table.must(commands.Resume(by=MANAGEMENT))
        await table.clock.advance(PACE.betting)
        assert table.count("BallLaunched") == 1


@run
async def test_a_ball_that_is_launched_waits_for_the_end_of_a_suspension() -> None:
    async with dealt("it") as table:
        await table.seat("ana")
        await table.clock.advance(PACE.betting)
        assert table.actor.house_table.state.ball_launched
        await table.must(commands.Suspend(by=MANAGEMENT))
        await table.clock.advance(600)
        assert table.count("BettingClosed") == 0
        await table.must(commands.Resume(by=MANAGEMENT))
        await table.clock.advance(PACE.launched)
        assert table.count("BettingClosed") == 1


@run
async def test_a_coup_that_is_closed_is_ended_in_a_suspension() -> None:
    async with dealt("it") as table:
        await table.seat("ana")
        await table.clock.advance(PACE.betting + PACE.launched)
        await table.must(commands.Suspend(by=MANAGEMENT))
        await table.clock.advance(600)
        assert table.count("CoupEnded") == 1
        assert table.count("BallLaunched") == 1


@run
async def test_it_takes_the_coup_up_wherever_a_restart_finds_it() -> None:
    store, clock = MemoryStore(), ManualClock()
    async with dealt("bg", store=store, clock=clock) as table:
        await table.seat("ana")
    # Two seconds a life: the coup goes on in each phase, and no life sees a whole coup.
    pace = Pace(betting=1, warning=0, launched=1, running=1, falling=0, called=1, paying=1)
    for _ in range(40):
        async with dealt("bg", store=store, clock=clock, pace=pace) as table:
            await clock.advance(2)
            last = table.count("CoupEnded")
    assert last >= 10
    ends = table.times("CoupEnded")
    assert min(after - before for before, after in pairwise(ends)) >= SHORTEST_COUP
    phases = ("BallLaunched", "BettingClosed", "BallRevealed", "NumberCalled", "LosersCollected")
    counts = [table.types().count(each) for each in phases]
    assert max(counts) - min(counts) <= 1
    assert table.types().count("PostTaken") == len(table.actor.house_table.state.staff)


@run
async def test_it_fills_only_the_posts_that_nobody_holds() -> None:
    async with dealt("es", start=False) as table:
        await table.must(commands.TakePost(by="auto croupier 2", post="croupier"))
        await table.must(commands.TakePost(by="carmen", post="chief"))
        await table.croupier.open()
        state = table.actor.house_table.state
        assert state.posts_of("chief") == ["carmen"]
        assert len(state.posts_of("croupier")) == 2
        assert state.phase is Phase.BETTING


@run
async def test_what_a_person_at_a_post_did_first_is_not_done_again() -> None:
    async with dealt("ar") as table:
        await table.seat("ana")
        await table.clock.advance(10)
        spinner = table.actor.house_table.state.who_may(Act.LAUNCH_BALL)
        assert spinner is not None
        await table.must(commands.LaunchBall(by=spinner))
        await table.clock.advance(PACE.betting)
        assert table.count("BallLaunched") == 1
        await table.clock.advance(PACE.launched)
        assert table.count("BettingClosed") == 1


@run
async def test_it_does_nothing_in_a_persons_name() -> None:
    """Where a person relieved it, the person deals; only the ball falls by itself."""
    async with dealt("it") as table:
        await table.seat("ana")
        takes = commands.TakePost(by="vera", post="croupier", relieves="auto croupier 1")
        await table.must(takes)
        before = len(table.records())
        await table.clock.advance(3600)
        assert len(table.records()) == before
        await table.must(commands.LaunchBall(by="vera"))
        await table.must(commands.CloseBetting(by="vera"))
        await table.clock.advance(3600)
        assert table.types()[-3:] == ["BallRevealed", "BallPocketed", "BallCommitted"]
        await table.must(commands.CallNumber(by="vera"))
        await table.must(commands.CollectLosers(by="vera"))
        back = commands.TakePost(by="auto croupier 1", post="croupier", relieves="vera")
        await table.must(back)
        await table.clock.advance(60)
        assert table.count("CoupEnded") >= 1
        assert table.count("BallLaunched") >= 2


@run
async def test_a_refusal_is_not_repeated_before_something_changes() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        asked: list[Command] = []

        async def refused(command: Command) -> Answer:
            asked.append(command)
            return Answer("x", Refusal(RefusalReason.NOT_OF_THIS_POST), 0, table.actor.head.seq)

        table.croupier._give = refused  # type: ignore[method-assign]
        await table.clock.advance(3600)
        assert len(asked) == 1
        await table.must(commands.Sit(by="luis"))
        await table.clock.advance(3600)
        assert len(asked) == 2


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_a_day_that_it_dealt_is_a_script_that_plays_to_the_same_money(house: str) -> None:
    async with dealt(house) as table:
        await table.seat("ana", 1_000_000)
        for number in range(5):
            for spot in ("red", "17", "d1", "0"):
                id = f"{spot} {number}"
                stake = commands.PlaceStake(by="ana", id=id, player="ana", on=spot, amount=500)
                await table.must(stake)
            await table.clock.advance(40)
        assert table.count("CoupEnded") == 5
        script = as_script(table.house.store, "t")
        outcome = run_script(script, load_any)
        state = table.actor.house_table.state
        assert outcome["refused"] == []
        assert outcome["purses"] == {"ana": state.players["ana"].purse}
        assert outcome["bank"] == state.bank


@run
async def test_it_ends_with_the_last_games() -> None:
    async with dealt("bg") as table:
        await table.seat("ana")
        await table.must(commands.AnnounceLastGames(by="auto croupier 1"))
        await table.clock.advance(3600)
        assert table.count("CoupEnded") == 3
        assert table.actor.house_table.state.phase is Phase.ENDED
        assert table.croupier._task is not None
        assert table.croupier._task.done()


@run
async def test_it_ends_when_the_table_closes() -> None:
    async with dealt("ar") as table:
        await table.must(commands.CloseTable(by=MANAGEMENT))
        await table.clock.advance(60)
        assert table.croupier._task is not None
        assert table.croupier._task.done()


@run
async def test_at_a_table_that_was_stopped_it_ends_the_coup_and_deals_no_more() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        table.actor.monitor.see = lambda index: f"{index} is not believed"  # type: ignore[method-assign]
        await table.clock.advance(3600)
        assert table.count("TableStopped") == 1
        assert table.count("CoupEnded") == 1
        assert table.count("BallLaunched") == 1
        assert table.croupier._task is not None
        assert table.croupier._task.done()


@run
async def test_it_ends_when_the_store_fails() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        table.actor.fail("the disk is full")
        await table.clock.advance(3600)
        assert table.croupier._task is not None
        assert table.croupier._task.done()
        assert table.croupier._task.exception() is None
        with pytest.raises(TableStoppedError, match="the disk is full"):
            await table.give(commands.Sit(by="luis"))


@run
async def test_a_table_with_a_wheel_of_its_own_is_dealt_up_to_the_close() -> None:
    """Where the ball lies is for the croupier at the wheel to say."""
    async with dealt("es", ball=BallMode.WHEEL) as table:
        await table.seat("ana")
        await table.clock.advance(3600)
        assert table.count("BettingClosed") == 1
        assert table.actor.house_table.state.phase is Phase.CLOSED


@run
async def test_nobody_hastens_the_ball_who_is_not_at_its_post() -> None:
    async with dealt("it") as table:
        await table.seat("ana")
        await table.clock.advance(PACE.betting + PACE.launched)
        for person in ("ana", "nobody", "auto chief 1"):
            answer = await table.give(DrawBall(by=person))
            assert answer.refusal is not None
            assert answer.refusal.why == "not_of_this_post"
        assert table.count("BallRevealed") == 0
        await table.must(DrawBall(by="auto croupier 1"))
        assert table.count("BallRevealed") == 1


@run
async def test_two_starts_never_use_the_same_command_ids() -> None:
    async with dealt("ar", start=False) as table:
        croupiers = [AutomaticCroupier(table.actor, PACE) for _ in range(50)]
        ids = {next(each._ids) for each in croupiers}
        assert len(ids) == 50


@pytest.mark.rule("AMB-ES-16")
@run
async def test_beside_somebody_at_the_end_of_the_table_it_fills_one_post_at_the_cylinder() -> None:
    async with dealt("es", start=False) as table:
        await table.must(commands.TakePost(by="elena", post="end"))
        await table.croupier.open()
        state = table.actor.house_table.state
        assert state.held() == {"chief": 1, "croupier": 1, "end": 1}
        assert state.phase is Phase.BETTING


@pytest.mark.rule("AMB-ES-17")
@run
async def test_it_carries_out_what_the_chief_orders_and_the_coup_takes_no_longer() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="a", player="ana", on="5", amount=200)
        await table.must(stake)
        await table.clock.advance(7)
        order = commands.OrderCorrection(by="auto chief 1", id="a", on="8", reason="misheard")
        await table.must(order)
        await table.clock.advance(0)
        state = table.actor.house_table.state
        assert (state.stakes["a"].spot.name, state.orders) == ("8", {})
        (moved,) = (each for each in table.records() if each.type == "StakeMoved")
        told = json.loads(moved.payload)
        assert (told["by"], told["ordered_by"]) == ("auto croupier 1", "auto chief 1")
        assert (told["reason"], moved.version) == ("misheard", 2)
        await table.clock.advance(30)
        launched, closed = table.times("BallLaunched")[0], table.times("BettingClosed")[0]
        assert (launched, closed) == (PACE.betting, PACE.betting + PACE.launched)


@pytest.mark.rule("AMB-ES-17")
@run
async def test_it_carries_an_order_out_while_play_is_suspended() -> None:
    async with dealt("es") as table:
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="a", player="ana", on="5", amount=200)
        await table.must(stake)
        await table.must(commands.Suspend(by=MANAGEMENT, reason="a dispute"))
        await table.clock.advance(60)
        await table.must(commands.OrderCorrection(by="auto chief 1", id="a", on="8"))
        await table.clock.advance(0)
        assert table.actor.house_table.state.stakes["a"].spot.name == "8"


@pytest.mark.rule("AMB-ES-17")
@run
async def test_it_leaves_an_order_to_the_croupiers_where_none_of_them_is_its_own() -> None:
    async with dealt("es") as table:
        for number, name in enumerate(("carla", "diego"), start=1):
            relief = commands.TakePost(by=name, post="croupier", relieves=f"auto croupier {number}")
            await table.must(relief)
        await table.seat("ana")
        stake = commands.PlaceStake(by="ana", id="a", player="ana", on="5", amount=200)
        await table.must(stake)
        await table.must(commands.OrderCorrection(by="auto chief 1", id="a", on="8"))
        await table.clock.advance(0)
        assert list(table.actor.house_table.state.orders) == ["a"]


@pytest.mark.rule("AMB-BG-17", "BG-30a")
@run
async def test_it_plays_the_last_games_for_players_who_are_all_away() -> None:
    async with dealt("bg") as table:
        await table.seat("ana")
        await table.must(commands.StepAway(by="ana"))
        await table.clock.advance(200)
        assert table.count("CoupEnded") == 0
        await table.must(commands.AnnounceLastGames(by="auto croupier 1"))
        await table.clock.advance(200)
        assert table.count("CoupEnded") == 3
        assert table.actor.house_table.state.phase is Phase.ENDED
        await table.must(commands.CloseTable(by=MANAGEMENT))


@pytest.mark.rule("AMB-BG-17", "BG-29")
@run
async def test_for_nobody_it_plays_no_last_games_and_the_table_closes() -> None:
    async with dealt("bg") as table:
        await table.must(commands.AnnounceLastGames(by="auto croupier 1"))
        await table.clock.advance(200)
        assert table.count("BallLaunched") == 0
        await table.must(commands.CloseTable(by=MANAGEMENT))
