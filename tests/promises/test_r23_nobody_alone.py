"""R23: nobody alone mints.

Every way to credit a wallet or a purse without a won stake or money received needs two people. The
ways are read from the ledgers' own kinds of transfer: a new kind without a row here fails.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any, NamedTuple

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post
from novamas.house.table.events import CASH_ALONE
from novamas.table import commands
from tests.promises.credits import Kind, all_credits
from tests.promises.figures import record
from tests.web.accounts import PASSWORD, Accounts, bearer, open_accounts, table_with_staff
from tests.web.door import Closed, Socket, run

FORTUNE = 5_000_000
PEOPLE = {
    "croupier 1": Post.CROUPIER,
    "inspector 1": Post.CHIEF,
    "dino": Post.CHIEF,
    "caj": Post.CASHIER,
    "otto": Post.AUDITOR,
    "ana": Post.PLAYER,
}
"""Somebody at every post of a house; the inspector's is a chief's, at the table."""


class Right(StrEnum):
    """By what right a kind of transfer credits somebody."""

    THEIRS = "it was theirs before, on the cloth, in prison, in custody or at the table"
    WON = "a stake won it"
    PAID = "their own wallet paid for it"
    RECEIVED = "money was received; above a bound, two people say so"
    TWO = "two people say so"
    RESTORED = "it only gives back what two people took"
    PLAY = "play money, on a machine of one's own"


RIGHTS: dict[Kind, Right] = {
    ("AnnouncementPlaced", "cloth", "purse"): Right.THEIRS,
    ("StakeWithdrawn", "cloth", "purse"): Right.THEIRS,
    ("StakesReturned", "cloth", "purse"): Right.THEIRS,
    ("StakesReturned", "prison", "purse"): Right.THEIRS,
    ("TableReopened", "cloth", "purse"): Right.THEIRS,
    ("OrphanDeclared", "cloth", "custody"): Right.THEIRS,
    ("ChoiceMade", "prison", "purse"): Right.THEIRS,
    ("ChoiceMade", "prison", "custody"): Right.THEIRS,
    ("CustodyClaimed", "custody", "purse"): Right.THEIRS,
    **{
        (event, source, target): Right.THEIRS
        for event in ("LosersCollected", "WinnersPaid")
        for source in ("cloth", "prison")
        for target in ("purse", "custody")
    },
    ("LosersCollected", "bank", "purse"): Right.WON,
    ("WinnersPaid", "bank", "purse"): Right.WON,
    ("ChipsRedeemed", "table", "wallet"): Right.THEIRS,
    # Of version 0.1.0: what was taken and did not arrive, and what a player left a table with.
    ("ChipsGivenBack", "tables", "wallet"): Right.THEIRS,
    ("ChipsBrought", "tables", "wallet"): Right.THEIRS,
    ("ChipsBought", "desk", "purse"): Right.PAID,
    ("ChipsBought", "box", "purse"): Right.RECEIVED,
    ("CashTaken", "cash", "wallet"): Right.RECEIVED,
    ("CashTaken", "play money", "wallet"): Right.PLAY,
    ("WrongPaymentMade", "bank", "purse"): Right.TWO,
    ("WrongPaymentCorrected", "bank", "purse"): Right.RESTORED,
}
"""Each kind of transfer by which something becomes somebody's own, and its right."""


class House:
    """A house with somebody at every post, and a table at which ana has just lost a stake."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts

    @property
    def money(self) -> int:
        """All that is somebody's own: in wallets, purses and custody."""
        state = self.accounts.house.tables["t"].house_table.state
        held = sum(each.purse for each in state.players.values()) + sum(state.custody.values())
        return held + sum(self.accounts.people.registry.register.wallets.values())

    @asynccontextmanager
    async def at_table(self, name: str) -> AsyncIterator[Socket]:
        """The socket of somebody, as their own program opens it."""
        signed = await self.accounts.signed(name, PEOPLE[name])
        async with self.accounts.listening("t", signed) as socket:
            yield socket

    async def says(self, name: str, do: str, **fields: Any) -> dict[str, Any]:
        async with self.at_table(name) as socket:
            return await socket.give(do, **fields)

    async def asks(self, name: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = bearer(await self.accounts.signed(name, PEOPLE[name]))
        answer = await self.accounts.http.request(method, path, headers=headers, json=body)
        return answer.status_code, answer.json() if answer.content else None


@asynccontextmanager
async def opened() -> AsyncIterator[House]:
    async with open_accounts() as accounts:
        await table_with_staff(accounts, "t", "bg")
        for name, post in PEOPLE.items():
            await accounts.known(name, post, money=10_000 if post is Post.PLAYER else 0)
        house = House(accounts)
        async with house.at_table("ana") as ana:
            await ana.must("Sit")
            await ana.must("BuyChips", player="ana", amount=1000)
            await ana.must("PlaceStake", id="b", player="ana", on="17", amount=100)
        state = accounts.house.tables["t"].house_table.state
        who = {act: state.who_may(act) or "" for act in Act}
        for command in (
            commands.LaunchBall(by=who[Act.LAUNCH_BALL]),
            commands.CloseBetting(by=who[Act.CLOSE_BETTING]),
            commands.PocketBall(by=who[Act.POCKET_BALL], number=3),
            commands.CallNumber(by=who[Act.CALL_NUMBER]),
            commands.CollectLosers(by=who[Act.COLLECT]),
        ):
            await accounts.must("t", command)
        yield house


# Each way, tried by one person and gone by two ----------------------------------------------------


class Way(NamedTuple):
    """How somebody would credit a player, and how two people do it."""

    alone: Callable[[House, str], Awaitable[None]]
    together: Callable[[House], Awaitable[int]]
    """It gives how much more is somebody's own afterwards."""


WRONG = {"id": "w", "player": "ana", "amount": 3600, "reason": "a stack"}


async def wrong_alone(house: House, name: str) -> None:
    for amount in (FORTUNE, 3600, 10):
        await house.says(name, "RecordWrongPayment", **{**WRONG, "amount": amount})
        await house.says(name, "ConfirmProposal", id="w", reason="so it was")
        await house.says(name, "CorrectWrongPayment", id="w")


async def wrong_together(house: House) -> int:
    assert "ack" in await house.says("croupier 1", "RecordWrongPayment", **WRONG)
    assert "ack" in await house.says("dino", "ConfirmProposal", id="w", reason="I saw it")
    return 3600


async def taken_alone(house: House, name: str) -> None:
    """Chips are taken from a player and given back: the one needs two, the other gives no more."""
    await house.says(name, "RecordWrongPayment", **{**WRONG, "amount": -10})
    await house.says(name, "ConfirmProposal", id="w", reason="so it was")
    for _ in range(2):
        await house.says(name, "CorrectWrongPayment", id="w")


async def restored_together(house: House) -> int:
    await wrong_together(house)
    assert "ack" in await house.says("croupier 1", "CorrectWrongPayment", id="w")
    for name in PEOPLE:  # It is put right once.
        assert "ack" not in await house.says(name, "CorrectWrongPayment", id="w")
    return 0


SALE = {"id": "s", "player": "ana", "amount": FORTUNE, "reason": "a suitcase"}


async def sale_alone(house: House, name: str) -> None:
    if PEOPLE[name] is not Post.PLAYER:
        buys = {"player": "ana", "amount": FORTUNE, "value_chips": True}
        await house.says(name, "BuyChips", **buys)
        await house.says(name, "BuyChips", **buys, cash=True)
    await house.says(name, "ProposeSale", **SALE)
    await house.says(name, "ConfirmProposal", id="s", reason="I counted it")


async def sale_together(house: House) -> int:
    assert "ack" in await house.says("croupier 1", "ProposeSale", **SALE)
    assert "ack" in await house.says("inspector 1", "ConfirmProposal", id="s", reason="counted")
    return FORTUNE


async def unpaid_alone(house: House, name: str) -> None:
    """Nobody sells chips for which no wallet pays, and nobody's wallet pays more than it has."""
    for more in ({}, {"cash": False}):
        for amount in (CASH_ALONE + 10, FORTUNE):
            buys = {"player": "ana", "amount": amount, "value_chips": True, **more}
            await house.says(name, "BuyChips", **buys)


async def unpaid_together(house: House) -> int:
    await house.says("ana", "BuyChips", player="ana", amount=500)
    return 0  # The wallet paid what the purse has.


CASH = {"amount": FORTUNE, "id": "in", "reason": "a suitcase"}


async def cash_alone(house: House, name: str) -> None:
    _, waits = await house.asks(name, "POST", "/api/desk/ana/in", CASH)
    for id in ("in", (waits or {}).get("id", "in")):
        decision = {"approve": True, "reason": "I counted it"}
        await house.asks(name, "POST", f"/api/approvals/{id}", decision)
    if PEOPLE[name] is Post.CHIEF:
        limits = {"desk": 10**9, "table": 10**9, "reason": "a rich evening"}
        _, waits = await house.asks(name, "PUT", "/api/alone-limits", limits)
        await house.asks(name, "POST", f"/api/approvals/{waits['id']}", decision)
        assert (await house.asks(name, "GET", "/api/alone-limits"))[1]["desk"] == 1_000_000


async def cash_together(house: House) -> int:
    status, waits = await house.asks("caj", "POST", "/api/desk/ana/in", CASH)
    assert (status, waits["act"]) == (202, "credit_desk")
    decision = {"approve": True, "reason": "I counted it"}
    decided = await house.asks("dino", "POST", f"/api/approvals/{waits['id']}", decision)
    assert decided == (204, None)
    return FORTUNE


async def play_money_alone(house: House, name: str) -> None:
    await house.asks(name, "POST", "/api/guests", {"name": "mule"})


async def play_money_together(house: House) -> int:
    assert (await house.asks("dino", "POST", "/api/guests", {"name": "mule"}))[0] == 403
    return 0  # In a house there is none.


WAYS: dict[Kind, Way] = {
    ("WrongPaymentMade", "bank", "purse"): Way(wrong_alone, wrong_together),
    ("WrongPaymentCorrected", "bank", "purse"): Way(taken_alone, restored_together),
    ("ChipsBought", "box", "purse"): Way(sale_alone, sale_together),
    ("ChipsBought", "desk", "purse"): Way(unpaid_alone, unpaid_together),
    ("CashTaken", "cash", "wallet"): Way(cash_alone, cash_together),
    ("CashTaken", "play money", "wallet"): Way(play_money_alone, play_money_together),
}
"""Every kind that needs neither a won stake nor what was theirs before."""


def test_r23_every_kind_of_transfer_that_credits_somebody_has_a_row() -> None:
    assert all_credits() - RIGHTS.keys() == set(), "a kind of transfer without a row"
    assert RIGHTS.keys() - all_credits() == set(), "a row without a kind of transfer"
    tried = {kind for kind, right in RIGHTS.items() if right not in (Right.THEIRS, Right.WON)}
    assert WAYS.keys() == tried
    record("R23", "kinds of transfer that credit somebody", kinds=len(RIGHTS), tried=len(WAYS))


def test_r23_a_new_kind_of_transfer_is_found() -> None:
    """The check can fail: without one of its rows it does."""
    for kind in RIGHTS:
        assert all_credits() - (RIGHTS.keys() - {kind}) == {kind}


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: "-".join(kind).replace(" ", "_"))
@run
async def test_r23_one_person_alone_credits_nobody(kind: Kind, name: str) -> None:
    async with opened() as house:
        before = house.money
        with contextlib.suppress(Closed):
            await WAYS[kind].alone(house, name)
        assert house.money == before, f"{name} made {house.money - before}"


@pytest.mark.parametrize("kind", WAYS, ids=lambda kind: "-".join(kind).replace(" ", "_"))
@run
async def test_r23_two_people_do(kind: Kind) -> None:
    async with opened() as house:
        before = house.money
        gained = await WAYS[kind].together(house)
        assert house.money == before + gained
    record("R23", "ways tried by one person of every post, and by two", ways=len(WAYS))


# The ways in which it was done --------------------------------------------------------------------


@run
async def test_r23_a_croupier_alone_puts_nothing_into_a_wallet() -> None:
    """The way in which a trial of the house made 5,000,000."""
    async with opened() as house:
        accounts = house.accounts
        await accounts.known("mule", Post.PLAYER)
        wrong = {**WRONG, "player": "mule", "amount": FORTUNE}
        async with house.at_table("croupier 1") as alone:
            await alone.must("SeatPlayer", player="mule")
            await alone.give("RecordWrongPayment", **wrong)
            await alone.give("ConfirmProposal", id="w", reason="so it was")
            await alone.give("SeePlayerOff", player="mule")
        assert accounts.people.registry.register.has("mule") == 0


@run
async def test_r23_a_chief_does_not_make_themselves_a_second_one_and_act_as_both() -> None:
    """Neither alone, nor within a day of having it approved, under either of the two names."""
    async with opened() as house:
        person = {"name": "eva", "password": PASSWORD, "posts": ["chief"], "reason": "needed"}
        decision = {"approve": True, "reason": "needed"}
        status, waits = await house.asks("dino", "POST", "/api/people", person)
        assert status == 202
        path = f"/api/approvals/{waits['id']}"
        assert (await house.asks("dino", "POST", path, decision))[1]["why"] == "own_request"
        assert await house.asks("inspector 1", "POST", path, decision) == (204, None)
        PEOPLE["eva"] = Post.CHIEF
        try:
            for asks, approves in (("dino", "eva"), ("eva", "dino")):
                body = {**person, "name": f"{asks} the second"}
                _, waits = await house.asks(asks, "POST", "/api/people", body)
                path = f"/api/approvals/{waits['id']}"
                refused = await house.asks(approves, "POST", path, decision)
                assert (refused[0], refused[1]["why"]) == (409, "too_close")
            # Nor do they confirm at a table what the other one proposed.
            assert "ack" in await house.says("croupier 1", "RecordWrongPayment", **WRONG)
            house.accounts.clock.later += 24 * 60 * 60 * 1000
            assert await house.asks("eva", "POST", path, decision) == (
                409,
                {"detail": "id: no such request waits any longer", "why": "no_such_request"},
            )
            _, waits = await house.asks("dino", "POST", "/api/people", {**person, "name": "mia"})
            path = f"/api/approvals/{waits['id']}"
            assert await house.asks("eva", "POST", path, decision) == (204, None)
        finally:
            del PEOPLE["eva"]


@run
async def test_r23_nobody_confirms_at_a_table_for_whoever_made_them_a_croupier() -> None:
    async with opened() as house:
        posts = {"posts": ["croupier", "player"], "reason": "needed"}
        _, waits = await house.asks("dino", "PUT", "/api/people/croupier 1/posts", posts)
        decision = {"approve": True, "reason": "needed"}
        path = f"/api/approvals/{waits['id']}"
        assert await house.asks("inspector 1", "POST", path, decision) == (204, None)
        assert "ack" in await house.says("croupier 1", "RecordWrongPayment", **WRONG)
        for name in ("dino", "inspector 1"):
            answer = await house.says(name, "ConfirmProposal", id="w", reason="I saw it")
            assert answer["why"] == "too_close"


@run
async def test_r23_in_a_house_nobody_acts_for_others() -> None:
    """The post that does, on a machine of one's own, is given to nobody in a house."""
    async with opened() as house:
        for name in PEOPLE:
            body = {"name": "god", "password": PASSWORD, "posts": ["management"], "reason": "x"}
            assert (await house.asks(name, "POST", "/api/people", body))[0] == 403
            async with house.at_table(name) as socket:
                socket.say('{"id": "a", "do": "Sit", "with": {}, "as": "ana"}')
                answer = await socket.answer("a")
                assert answer["why"] in ("not_understood", "not_for_you")
