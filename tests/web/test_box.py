"""The box of a table: cash that a croupier took for chips is counted, and goes to the cash desk."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from novamas.house.log.verify import verify_table
from novamas.house.people.events import Post
from novamas.house.refusals import HouseRefusalReason, Problem
from novamas.house.table.commands import EmptyBox
from novamas.house.table.events import BoxEmptied
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.web.accounts import Accounts, open_accounts, table_with_staff
from tests.web.chip_sellers import croupier
from tests.web.door import FLOAT, Socket, run

BOOKS = ("box", "desk", "missing")


async def sold(accounts: Accounts, amount: int, rulebook: str = "bg") -> None:
    """A table at whose wheel chips were sold for cash."""
    await table_with_staff(accounts, rulebook=rulebook)
    await accounts.known("Pepe", Post.PLAYER)
    async with await croupier(accounts, rulebook) as socket:
        await socket.must("SeatPlayer", player="Pepe")
        await socket.must("BuyChips", player="Pepe", amount=amount)


async def cashier(accounts: Accounts) -> Socket:
    await accounts.known("caj", Post.CASHIER)
    return accounts.listening("t", await accounts.signed("caj", Post.CASHIER))


def books(accounts: Accounts) -> dict[str, int]:
    """What is told of cash: chips came from an account where it stands below zero.

    The float, which came from the desk before, is left out.
    """
    found = accounts.house.store.balances("t")
    assert sum(found.values()) == 0
    found["desk"] += FLOAT
    return {account: found[account] for account in BOOKS if found.get(account)}


def emptied(accounts: Accounts) -> list[dict[str, Any]]:
    store = accounts.house.store
    read = (record for record in store.read("t") if record.type == BoxEmptied.__name__)
    return [msgspec.json.decode(record.payload) for record in read]


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_what_is_found_in_the_box_goes_to_the_desk(rulebook: str) -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500, rulebook)
        assert books(accounts) == {"box": -500}
        async with await cashier(accounts) as socket:
            await socket.must("EmptyBox", counted=500)
        assert books(accounts) == {"desk": -500}
        (event,) = emptied(accounts)
        assert (event["counted"], event["expected"]) == (500, 500)
        assert verify_table(accounts.house.store, "t").problems == []


@pytest.mark.parametrize(("counted", "missing"), [(450, 50), (0, 500), (620, -120)])
@run
async def test_a_difference_is_recorded_and_stays_in_the_books(counted: int, missing: int) -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500)
        async with await cashier(accounts) as socket:
            await socket.must("EmptyBox", counted=counted)
            told = {"desk": -counted, "missing": -missing}
            assert books(accounts) == {account: each for account, each in told.items() if each}
            # The box begins anew: an old difference is not counted a second time.
            await accounts.must(
                "t", commands.BuyChips(by="vera", player="Pepe", amount=200, cash=True)
            )
            await socket.must("EmptyBox", counted=200)
        assert [(each["counted"], each["expected"]) for each in emptied(accounts)] == [
            (counted, 500),
            (200, 200),
        ]
        assert books(accounts)["desk"] == -counted - 200
        assert books(accounts)["missing"] == -missing
        assert verify_table(accounts.house.store, "t").problems == []


@run
async def test_a_box_into_which_nothing_was_sold_is_counted_too() -> None:
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        async with await cashier(accounts) as socket:
            await socket.must("EmptyBox", counted=0)
            assert books(accounts) == {}
            await socket.must("EmptyBox", counted=30)
        assert books(accounts) == {"desk": -30, "missing": 30}
        assert verify_table(accounts.house.store, "t").problems == []


@pytest.mark.parametrize(
    ("counted", "why"),
    [
        (-1, RefusalReason.AMOUNT_NOT_POSITIVE),
        (True, Problem.NOT_UNDERSTOOD),
        (1.5, Problem.NOT_UNDERSTOOD),
    ],
)
@run
async def test_what_is_no_count_moves_nothing(counted: Any, why: str) -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500)
        async with await cashier(accounts) as socket:
            before = accounts.facts()
            answer = await socket.give("EmptyBox", counted=counted)
            assert answer["why"] == why
            assert accounts.facts() == before


@pytest.mark.parametrize("post", [Post.PLAYER, Post.CROUPIER, Post.CHIEF, Post.AUDITOR])
@run
async def test_the_box_is_the_cashiers_to_empty(post: Post) -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500)
        await accounts.known("somebody", post)
        signed = await accounts.signed("somebody", post)
        async with accounts.listening("t", signed) as socket:
            before = accounts.facts()
            answer = await socket.give("EmptyBox", counted=500)
            assert answer["why"] == Problem.NOT_FOR_YOU
            assert accounts.facts() == before


@run
async def test_at_the_table_nobody_empties_it_who_sells_no_chips() -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500)
        actor = accounts.house.tables["t"]
        answer = await actor.submit("no", EmptyBox(by="Pepe", counted=500))
        assert answer.refusal is not None
        assert answer.refusal.why == HouseRefusalReason.NOT_FOR_YOU
        assert books(accounts) == {"box": -500}


@run
async def test_the_box_of_a_stopped_table_is_emptied() -> None:
    async with open_accounts() as accounts:
        await sold(accounts, 500)
        accounts.house.tables["t"].house_table.stopped = "its store cannot be trusted"
        async with await cashier(accounts) as socket:
            await socket.must("EmptyBox", counted=500)
        assert books(accounts) == {"desk": -500}
