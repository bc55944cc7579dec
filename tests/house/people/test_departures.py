"""Departures: who cannot ask to leave a table is seen off, with what is theirs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NoReturn

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.game.stakes import Stake
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people import decide, events
from novamas.house.people.departures import ABSENT, Departures
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG
from novamas.house.people.state import DAY
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import DrawBall
from novamas.house.table.events import BallMode
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from tests.house.people.wallets import MONEY, wallet_and_table
from tests.simulated_house.scene import in_simulated_time
from tests.web.accounts import bearer, open_accounts, passed, table_with_staff, within
from tests.web.door import FLOAT, Door, Role, Socket, open_door, run


@pytest.mark.parametrize("rulebook", [h for h in HOUSES if not load(h).closing.last_games])
@run
async def test_a_table_that_closes_brings_everybody_s_chips_back(rulebook: str) -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts, rulebook=rulebook)
        for name in ("ana", "bea"):
            await accounts.known(name, Post.PLAYER, money=MONEY)
            who = await accounts.signed(name, Post.PLAYER)
            async with accounts.listening("t", who) as socket:
                await socket.must("Sit")
                await socket.must("BuyChips", player=name, amount=400)
                stake = {"id": f"b {name}", "player": name, "on": "red", "amount": 50}
                await socket.must("PlaceStake", **stake)
        await accounts.must("t", commands.CloseTable(by=MANAGEMENT))
        register = accounts.people.registry.register
        await within(5, lambda: [register.has(n) for n in ("ana", "bea")] == [MONEY, MONEY])
        assert accounts.house.tables["t"].house_table.state.players == {}
        assert accounts.house.store.balances(LOG)["table:t"] == FLOAT


@pytest.mark.rule("AMB-BG-17", "BG-30a")
@run
async def test_after_the_last_games_everybody_has_their_chips_back() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts, rulebook="bg")
        for name in ("ana", "bea"):
            await accounts.known(name, Post.PLAYER, money=MONEY)
            who = await accounts.signed(name, Post.PLAYER)
            async with accounts.listening("t", who) as socket:
                await socket.must("Sit")
                await socket.must("BuyChips", player=name, amount=400)
                stake = {"id": f"b {name}", "player": name, "on": "red", "amount": 50}
                await socket.must("PlaceStake", **stake)
        close = commands.CloseTable(by=MANAGEMENT)
        answer = await accounts.house.tables["t"].submit("too soon", close)
        assert answer.refusal is not None
        assert answer.refusal.why == "last_games_not_played"
        by = "croupier 1"
        await accounts.must("t", commands.AnnounceLastGames(by=by))
        for number in (9, 2, 4):
            await accounts.must("t", commands.LaunchBall(by=by))
            await accounts.must("t", commands.CloseBetting(by=by))
            await accounts.must("t", commands.PocketBall(by=by, number=number))
            await accounts.must("t", commands.CallNumber(by=by))
            await accounts.must("t", commands.CollectLosers(by=by))
            if number == 9:
                await accounts.must("t", commands.PayWinners(by=by))
        register = accounts.people.registry.register
        won = MONEY + 50
        await within(5, lambda: [register.has(n) for n in ("ana", "bea")] == [won, won])
        await accounts.must("t", close)


@run
async def test_a_table_that_closed_before_the_house_did_is_cleared_at_the_next_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    async with open_door(SqliteStore(path), guest_money=MONEY) as door:
        await door.set_up("t", "ar")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=400)
        await door.must("t", commands.CloseTable(by=MANAGEMENT))
        assert wallet_and_table(door) == (MONEY - 400, 400)
    async with open_door(SqliteStore(path), guest_money=MONEY) as door:
        departures = Departures(door.house, door.people.registry)
        await departures.clear(door.house.tables["t"])
        assert wallet_and_table(door) == (MONEY, 0)


@run
async def test_whoever_plays_without_a_wallet_stays_at_a_closed_table() -> None:
    """Scripts seat people whom the register does not know: nobody carries anything for them."""
    async with open_door() as door:
        actor = await door.set_up("t", "ar")
        await door.must("t", commands.Sit(by="script"))
        await door.must("t", commands.CloseTable(by=MANAGEMENT))
        await Departures(door.house, door.people.registry).clear(actor)
        assert list(actor.house_table.state.players) == ["script"]


@run
async def test_who_shuts_himself_out_has_his_chips_back_as_soon_as_they_are_free() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER, money=MONEY)
        ana = await accounts.signed("ana", Post.PLAYER)
        until = {"until": accounts.clock.now() + 2 * DAY}
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=400)
            await socket.must("PlaceStake", id="b", player="ana", on="17", amount=50)
            answer = await accounts.http.post("/api/me/exclusion", json=until, headers=bearer(ana))
            assert answer.status_code == 200
            assert (await socket.end()).code == 4401
        await within(5, lambda: wallet_and_table(accounts) == (MONEY, 0))
        assert accounts.house.tables["t"].house_table.state.stakes == {}
        (redeemed,) = await passed(accounts, events.ChipsRedeemed)
        assert redeemed.amount == 400


@run
async def test_who_shuts_himself_out_while_the_ball_runs_is_seen_off_after_the_coup() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER, money=MONEY)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=400)
            await socket.must("PlaceStake", id="b", player="ana", on="17", amount=10)
        staff = accounts.house.tables["t"].house_table.state
        await accounts.must("t", commands.LaunchBall(by=str(staff.who_may(Act.LAUNCH_BALL))))
        await accounts.must("t", commands.CloseBetting(by=str(staff.who_may(Act.CLOSE_BETTING))))
        await accounts.people.registry.do(lambda r, now: decide.exclude(r, "ana", None, now=now))
        await accounts.local.departures.clear(accounts.house.tables["t"])
        assert wallet_and_table(accounts) == (MONEY - 400, 390)
        for command in (
            commands.PocketBall(by=str(staff.who_may(Act.POCKET_BALL)), number=17),
            commands.CallNumber(by=str(staff.who_may(Act.CALL_NUMBER))),
            commands.CollectLosers(by=str(staff.who_may(Act.COLLECT))),
            commands.PayWinners(by=str(staff.who_may(Act.PAY))),
        ):
            await accounts.must("t", command)
        # 35 to 1, and the stake: the player keeps what was won, and plays no further coup.
        await within(5, lambda: wallet_and_table(accounts) == (MONEY + 350, 0))


class UnsearchedStakes(dict[str, Stake]):
    """A cloth that must not be searched."""

    def values(self) -> NoReturn:
        raise AssertionError("the cloth was searched, though nobody must leave")


@run
async def test_the_cloth_is_not_searched_while_nobody_must_leave() -> None:
    """The check runs twice a second; a search for each player would hold up the whole server."""
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "ar")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=400)
            await socket.must("PlaceStake", id="b", player="ana", on="17", amount=50)
        state = actor.house_table.state
        state.stakes = UnsearchedStakes(state.stakes)
        departures = Departures(door.house, door.people.registry)
        await departures.clear(actor)
        departures.sweep()
        await departures.stop()
        assert list(state.players) == ["ana"]


# Whoever has gone without a word ------------------------------------------------------------------


async def _play(socket: Socket, name: str, *stakes: tuple[str, int]) -> None:
    """Sits down with chips, and lays some of them."""
    await socket.must("Sit")
    await socket.must("BuyChips", player=name, amount=400)
    for number, (spot, amount) in enumerate(stakes):
        await socket.must("PlaceStake", id=f"{name} {number}", player=name, on=spot, amount=amount)


async def _wait(departures: Departures, seconds: float) -> None:
    """Time passes at a house that looks around as a served one does."""
    for _ in range(int(seconds // 10)):
        departures.sweep()
        await asyncio.sleep(10)
    departures.sweep()
    await departures.stop()


async def _coup(door: Door, actor: TableActor) -> None:
    """Whoever holds the posts of a drawn table deals a coup."""
    state = actor.house_table.state
    for act, command in (
        (Act.LAUNCH_BALL, commands.LaunchBall),
        (Act.CLOSE_BETTING, commands.CloseBetting),
        (Act.POCKET_BALL, DrawBall),
        (Act.CALL_NUMBER, commands.CallNumber),
        (Act.COLLECT, commands.CollectLosers),
    ):
        await door.must("t", command(by=str(state.who_may(act))))
    if state.due:
        await door.must("t", commands.PayWinners(by=str(state.who_may(Act.PAY))))


@pytest.mark.parametrize("rulebook", [house for house in HOUSES if house != "it"])
@in_simulated_time
async def test_the_seat_of_a_closed_tab_is_free_after_five_minutes(rulebook: str) -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", rulebook, ball=BallMode.DRAWN)
        departures = Departures(door.house, door.people.registry)
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await _play(socket, "ana", ("17", 50), ("red", 100))
            await _wait(departures, 2 * ABSENT)
            assert wallet_and_table(door) == (MONEY - 400, 250)
        await _wait(departures, ABSENT - 20)
        assert list(actor.house_table.state.players) == ["ana"]
        await _wait(departures, 40)
        state = actor.house_table.state
        assert (state.players, state.stakes) == ({}, {})
        assert wallet_and_table(door) == (MONEY, 0)
        assert await door.house.audit() == []


@in_simulated_time
async def test_whoever_comes_back_in_time_keeps_the_seat() -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "es", ball=BallMode.DRAWN)
        departures = Departures(door.house, door.people.registry)
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await _play(socket, "ana", ("17", 50))
        for _ in range(4):
            await _wait(departures, ABSENT - 20)
            async with door.socket("t", ana), door.socket("t", ana):
                departures.sweep()
        assert list(actor.house_table.state.stakes) == ["ana 0"]
        async with door.socket("t", ana) as first:
            async with door.socket("t", ana):
                pass
            # One of two screens is closed: somebody still looks at the other.
            await _wait(departures, 2 * ABSENT)
            await first.must("StepAway")
        assert list(actor.house_table.state.players) == ["ana"]


@in_simulated_time
async def test_an_announcement_of_somebody_who_has_gone_goes_back_whole() -> None:
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg", ball=BallMode.DRAWN)
        departures = Departures(door.house, door.people.registry)
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await _play(socket, "ana", ("1", 20))
            await socket.must("Announce", id="v", player="ana", call="voisins", amount=90)
        await _wait(departures, ABSENT + 20)
        assert wallet_and_table(door) == (MONEY, 0)


@in_simulated_time
async def test_while_the_ball_runs_nothing_is_taken_back_and_after_the_coup_the_seat_is_free() -> (
    None
):
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "es", ball=BallMode.DRAWN)
        state = actor.house_table.state
        departures = Departures(door.house, door.people.registry)
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await _play(socket, "ana", *((str(number), 10) for number in range(37)))
        await door.must("t", commands.LaunchBall(by=str(state.who_may(Act.LAUNCH_BALL))))
        await door.must("t", commands.CloseBetting(by=str(state.who_may(Act.CLOSE_BETTING))))
        await _wait(departures, 2 * ABSENT)
        assert wallet_and_table(door) == (MONEY - 400, 30)
        for act, command in (
            (Act.POCKET_BALL, DrawBall),
            (Act.CALL_NUMBER, commands.CallNumber),
            (Act.COLLECT, commands.CollectLosers),
            (Act.PAY, commands.PayWinners),
        ):
            await door.must("t", command(by=str(state.who_may(act))))
        await _wait(departures, 20)
        # 37 numbers of 10 each bring 360, whichever it was.
        assert wallet_and_table(door) == (MONEY - 10, 0)
        assert await door.house.audit() == []


@pytest.mark.rule("IT-general-4a", "IT-general-14a")
@in_simulated_time
async def test_in_venice_who_has_gone_is_away_and_the_house_keeps_what_was_set_aside() -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "it", ball=BallMode.DRAWN)
        state = actor.house_table.state
        departures = Departures(door.house, door.people.registry)
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await _play(socket, "ana", *((str(number), 10) for number in range(37)))
        await _wait(departures, ABSENT + 20)
        seat = state.players["ana"]
        assert (seat.away, seat.value_chips, len(state.stakes)) == (True, True, 37)
        await _coup(door, actor)
        await _wait(departures, ABSENT + 20)
        kept = state.custody["ana"]
        assert kept > 0
        assert list(state.players) == ["ana"]
        async with door.socket("t", ana) as socket:
            await socket.must("ComeBack")
            await door.must(
                "t", commands.ClaimCustody(by=str(state.who_may(Act.PAY)), player="ana")
            )
            await socket.must("Leave")
        assert wallet_and_table(door) == (MONEY - 370 + kept, 0)


@in_simulated_time
async def test_a_player_whose_stake_is_in_prison_is_seen_off_once_it_is_free() -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "es", ball=BallMode.DRAWN)
        state = actor.house_table.state
        departures = Departures(door.house, door.people.registry)
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await _play(socket, "ana")
            while not state.prison:
                for spot in ("red", "black"):
                    id = f"{spot} {state.coup}"
                    stake = {"id": id, "player": "ana", "on": spot, "amount": 10}
                    if state.players["ana"].purse >= 10:
                        await socket.must("PlaceStake", **stake)
                await _coup(door, actor)
                await socket.until(actor.head.seq)
        await _wait(departures, ABSENT + 20)
        assert list(state.players) == ["ana"]
        for _ in range(60):
            if not state.prison:
                break
            await _coup(door, actor)
        await _wait(departures, 20)
        assert state.players == {}
        assert wallet_and_table(door)[1] == 0
        assert await door.house.audit() == []


@in_simulated_time
async def test_at_a_wheel_nobody_needs_a_screen() -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "es")
        departures = Departures(door.house, door.people.registry)
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await _play(socket, "ana", ("17", 50))
        await _wait(departures, 3 * ABSENT)
        assert list(actor.house_table.state.stakes) == ["ana 0"]


@in_simulated_time
async def test_a_house_may_keep_every_seat() -> None:
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "es", ball=BallMode.DRAWN)
        departures = Departures(door.house, door.people.registry, absent=None)
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await _play(socket, "ana")
        await _wait(departures, 3 * ABSENT)
        assert list(actor.house_table.state.players) == ["ana"]


@in_simulated_time
async def test_a_full_table_of_closed_tabs_takes_new_players() -> None:
    """Every colour was taken by people who had gone: nobody could sit down any more."""
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "ar", ball=BallMode.DRAWN)
        departures = Departures(door.house, door.people.registry)
        colours = actor.house_table.state.colours
        for number in range(colours):
            async with door.socket("t", door.session(Role.PLAYER, f"guest {number}")) as socket:
                await _play(socket, f"guest {number}")
        bea = door.session(Role.PLAYER, "bea")
        async with door.socket("t", bea) as socket:
            await socket.must("Sit")
            refused = await socket.give("BuyChips", player="bea", amount=400)
            assert refused["why"] == "no_colour_left"
            await _wait(departures, ABSENT + 20)
            await socket.must("BuyChips", player="bea", amount=400)
        assert list(actor.house_table.state.players) == ["bea"]
        register = door.people.registry.register
        assert {register.has(f"guest {number}") for number in range(colours)} == {MONEY}
