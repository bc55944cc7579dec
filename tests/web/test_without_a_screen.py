"""Players without a screen: seated, sold chips for cash, played for and let go by the croupier."""

from __future__ import annotations

from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.log.verify import verify_table
from novamas.house.people import decide
from novamas.house.people.events import LimitKind, Post
from novamas.house.people.registry import LOG
from novamas.house.refusals import HouseRefusalReason, Problem
from novamas.house.table.events import BallMode
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.web.accounts import open_accounts, table_with_staff, within
from tests.web.chip_sellers import croupier, dealer
from tests.web.door import FLOAT, Door, open_door, run


async def play(door: Door, number: int) -> None:
    """A coup from the launch to the last payment, by whoever is at the posts."""
    state = door.house.tables["t"].house_table.state

    def at(act: Act) -> str:
        return state.who_may(act) or ""

    launches = [name for name in state.staff if state.may(name, Act.LAUNCH_BALL)]
    for name in launches:
        answer = await door.house.tables["t"].submit(f"l {name}", commands.LaunchBall(by=name))
        if answer.refusal is None:
            break
    await door.must("t", commands.CloseBetting(by=at(Act.CLOSE_BETTING)))
    await door.must("t", commands.PocketBall(by=at(Act.POCKET_BALL), number=number))
    await door.must("t", commands.CallNumber(by=at(Act.CALL_NUMBER)))
    await door.must("t", commands.CollectLosers(by=at(Act.COLLECT)))
    if state.due:
        await door.must("t", commands.PayWinners(by=at(Act.PAY)))


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_an_evening_at_a_wheel_without_a_screen(rulebook: str) -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts, rulebook=rulebook)
        await accounts.known("Pepe", Post.PLAYER)
        async with await croupier(accounts, rulebook) as socket:
            # A player is known by whatever letters the croupier writes.
            await socket.must("SeatPlayer", player="pepe")
            await socket.must("BuyChips", player="Pepe", amount=500)
            placed: dict[str, Any] = {"id": "s", "player": "Pepe", "on": "17", "amount": 100}
            if Act.PLACE_FOR_PLAYER in next(
                post.may for post in load(rulebook).posts.values() if Act.SELL_CHIPS in post.may
            ):
                await socket.must("PlaceStake", **placed)
            else:
                await accounts.must("t", commands.PlaceStake(by="Pepe", **placed))
            await play(accounts, 17)
            if accounts.house.tables["t"].house_table.state.stakes:
                refused = await socket.give("SeePlayerOff", player="Pepe")
                assert refused["why"] == RefusalReason.STAKES_ON_THE_CLOTH
                await accounts.must("t", commands.WithdrawStake(by="Pepe", id="s"))
            await socket.must("SeePlayerOff", player="Pepe")
        won = 500 + 3500
        register = accounts.people.registry.register
        await within(60, lambda: register.has("Pepe") == won)
        # What they paid lies in the box, what they took is the desk's to pay; the bank has lost.
        books = accounts.house.store.balances("t")
        moved = {account: books[account] for account in ("box", "desk", "bank") if books[account]}
        assert moved == {"box": -500, "desk": won - FLOAT, "bank": FLOAT - 3500}
        assert sum(books.values()) == 0
        assert accounts.house.store.balances(LOG)["table:t"] == FLOAT - won
        assert verify_table(accounts.house.store, "t").problems == []


@run
async def test_his_choice_after_zero_is_said_by_the_croupier() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts, rulebook="es")
        await accounts.known("Pepe", Post.PLAYER)
        async with await croupier(accounts, "es") as socket:
            await socket.must("SeatPlayer", player="Pepe")
            await socket.must("BuyChips", player="Pepe", amount=500)
            await socket.must("PlaceStake", id="s", player="Pepe", on="red", amount=100)
            await play(accounts, 0)
            await socket.must("ChooseAfterZero", id="s", choice="half")
        assert accounts.house.tables["t"].house_table.state.players["Pepe"].purse == 450


@pytest.mark.parametrize(
    ("who", "why"),
    [("nobody", Problem.NOT_KNOWN), ("marta", Problem.NOT_KNOWN), ("out", Problem.SHUT_OUT)],
)
@run
async def test_only_players_whom_the_house_knows_are_seated(who: str, why: Problem) -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("marta", Post.CHIEF)
        await accounts.known("out", Post.PLAYER)
        await accounts.people.registry.do(
            lambda register, now: decide.exclude(register, "out", None, now=now)
        )
        async with await croupier(accounts, "bg") as socket:
            before = accounts.facts()
            answer = await socket.give("SeatPlayer", player=who)
            assert answer["why"] == why
            assert accounts.facts() == before


@run
async def test_nobody_is_seated_by_whoever_sells_no_chips_or_at_a_drawn_table() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("Pepe", Post.PLAYER)
        await accounts.known("nina", Post.CROUPIER)
        nina = await accounts.signed("nina", Post.CROUPIER)
        async with accounts.listening("t", nina) as socket:
            for do in ("SeatPlayer", "SeePlayerOff"):
                answer = await socket.give(do, player="Pepe")
                assert answer["why"] == RefusalReason.NOT_OF_THIS_POST
        actor = await accounts.set_up("drawn", "bg", ball=BallMode.DRAWN)
        await accounts.local.deal(actor)
        async with await croupier(accounts, "bg", "drawn") as socket:
            answer = await socket.give("SeatPlayer", player="Pepe")
            assert answer["why"] == HouseRefusalReason.ONLY_AT_A_WHEEL
        assert actor.house_table.state.players == {}


@run
async def test_cash_is_for_the_staff_to_say() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER, money=1000)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            buys: dict[str, Any] = {"player": "ana", "amount": 500}
            problem = await socket.problem("BuyChips", **buys, cash=True)
            assert problem == "cash: that is for the staff to say"
            assert accounts.people.registry.register.has("ana") == 1000
            await socket.must("BuyChips", **buys)
        assert accounts.people.registry.register.has("ana") == 500
        assert accounts.house.store.balances("t")["desk"] == -500 - FLOAT


@run
async def test_cash_at_the_table_goes_round_nothing_that_he_forbids_himself() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("Pepe", Post.PLAYER)
        registry = accounts.people.registry
        await registry.do(
            lambda r, now: decide.set_limit(r, "Pepe", LimitKind.SPEND, 1000, now=now)
        )
        person = registry.register.person("Pepe")
        assert person is not None
        async with await croupier(accounts, "bg") as socket:
            await socket.must("SeatPlayer", player="Pepe")
            await socket.must("BuyChips", player="Pepe", amount=700)
            assert person.spent_in_a_day(registry.now()) == 700
            before = accounts.facts()
            over = await socket.give("BuyChips", player="Pepe", amount=310)
            assert over["why"] == Problem.OWN_LIMIT
            assert accounts.facts() == before
            # What the table refuses is not counted.
            refused = await socket.give("BuyChips", player="Pepe", amount=200, colour="no colour")
            assert "refused" in refused, refused
            assert person.spent_in_a_day(registry.now()) == 700
            await socket.must("SeePlayerOff", player="Pepe")
            assert person.spent_in_a_day(registry.now()) == 0
            assert registry.register.has("Pepe") == 700
            await socket.must("SeatPlayer", player="Pepe")
            await registry.do(lambda r, now: decide.exclude(r, "Pepe", None, now=now))
            out = await socket.give("BuyChips", player="Pepe", amount=100)
            assert out["why"] == Problem.SHUT_OUT
        assert accounts.house.store.balances("t")["box"] == -700
        assert verify_table(accounts.house.store, "t").problems == []


@run
async def test_on_a_machine_of_ones_own_he_becomes_a_guest_without_play_money() -> None:
    async with open_door(guest_money=1000) as door:
        await door.set_up("t", "bg")
        await dealer(door, "bg", "croupier")
        async with door.socket("t", door.session(Post.CROUPIER, "croupier")) as socket:
            await socket.must("SeatPlayer", player="Pepe")
            assert door.people.registry.register.has("Pepe") == 0
            await socket.must("BuyChips", player="Pepe", amount=500)
            await socket.must("SeePlayerOff", player="Pepe")
            await within(60, lambda: door.people.registry.register.has("Pepe") == 500)
            again = await socket.give("SeePlayerOff", player="Pepe")
            assert again["why"] == RefusalReason.NOT_SEATED
            await socket.must("SeatPlayer", player="Pepe")
