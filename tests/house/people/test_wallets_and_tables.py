"""Wallets and tables are one ledger: whatever happens, no money is made, lost or doubled."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from novamas.house.log.store import Batch, StoreError
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG, Kept
from novamas.table import commands
from novamas.web.client import ProblemError, TableClient
from tests.contracts.servers import LEASE, die
from tests.house.people.wallets import MONEY, wallet_and_table
from tests.promises.running import Running, Starter
from tests.web.accounts import Accounts, open_accounts, table_with_staff, within
from tests.web.door import FLOAT, Closed, Door, Role, open_door, run
from tests.web.full_store import FullStore

ORDERS: list[tuple[str, str, dict[str, Any]]] = [
    ("s", "Sit", {}),
    ("b1", "BuyChips", {"player": "ana", "amount": 300}),
    ("b2", "BuyChips", {"player": "ana", "amount": 205}),  # Not whole chips: it is refused.
    ("b3", "BuyChips", {"player": "ana", "amount": 200}),
    ("b3", "BuyChips", {"player": "ana", "amount": 200}),
    ("l", "Leave", {}),
    ("s2", "Sit", {}),
    ("b4", "BuyChips", {"player": "ana", "amount": 100}),
]
"""What ana does of an evening; in the end 100 of hers are at the table."""
LEFT = 100


class MortalStore:
    """A store whose process is killed at one of its commits, right before it or right after."""

    def __init__(self, path: Path, *, dies_at: int, before: bool) -> None:
        self.inner = SqliteStore(path)
        self.commits = 0
        self.dead = False
        self._dies_at, self._before = dies_at, before

    def append(self, batch: Batch, *others: Batch) -> None:
        self._live()
        self.commits += 1
        is_due = self.commits == self._dies_at
        self.dead = is_due and self._before
        self._live()
        self.inner.append(batch, *others)
        self.dead = is_due
        self._live()

    def _live(self) -> None:
        if self.dead:
            raise StoreError("killed")

    def __getattr__(self, name: str) -> Any:
        if name != "close":
            self._live()
        return getattr(self.inner, name)


async def play(door: Door, orders: list[tuple[str, str, dict[str, Any]]]) -> None:
    """Gives what was not answered yet, as a client does that comes back."""
    ana = door.session(Role.PLAYER, "ana")
    async with door.socket("t", ana) as socket:
        while orders:
            id, do, fields = orders[0]
            answer = await socket.give(do, under=id, **fields)
            if "problem" in answer:
                return
            assert ("refused" in answer) == id.startswith("b2"), answer
            orders.pop(0)


async def evening(path: Path, orders: list[Any], *, dies_at: int, before: bool) -> MortalStore:
    """An evening that ends early, if it does."""
    store = MortalStore(path, dies_at=dies_at, before=before)
    with contextlib.suppress(StoreError, Closed):
        async with open_door(store, guest_money=MONEY) as door:
            if "t" not in door.house.tables:
                await door.set_up("t", "bg")
            await play(door, orders)
    return store


def first_evening(path: Path) -> None:
    """The table stands, and ana is known; nothing dies yet."""

    async def set_up() -> None:
        async with open_door(SqliteStore(path), guest_money=MONEY) as door:
            await door.set_up("t", "bg")
            door.session(Role.PLAYER, "ana")

    asyncio.run(set_up())


@pytest.mark.parametrize("before", [True, False], ids=["before it", "after it"])
def test_killed_at_any_commit_nothing_is_lost_or_doubled(tmp_path: Path, *, before: bool) -> None:
    for dies_at in itertools.count(1):
        path = tmp_path / f"{dies_at}.db"
        first_evening(path)
        orders = list(ORDERS)
        store = asyncio.run(evening(path, orders, dies_at=dies_at, before=before))
        if not store.dead:
            break
        # The house comes up again, and ana asks again for what she was not answered.
        asyncio.run(evening(path, orders, dies_at=0, before=True))
        assert orders == []
        check(path)
    assert dies_at > 7, "there are so many commits in an evening"


def check(path: Path) -> None:
    """All the money there is is where it belongs."""

    async def look() -> None:
        async with open_door(SqliteStore(path), guest_money=MONEY) as door:
            assert wallet_and_table(door) == (MONEY - LEFT, LEFT)
            again = Kept()
            again.go_on(door.house.store.read(LOG))
            again.check(door.house.store.balances(LOG))
            assert door.house.store.balances(LOG)["table:t"] == LEFT + FLOAT
            assert await door.house.audit() == []

    asyncio.run(look())


@pytest.mark.parametrize("before", [True, False], ids=["before it", "after it"])
def test_killed_and_never_asked_again_nothing_is_lost_either(
    tmp_path: Path, *, before: bool
) -> None:
    """Who goes away after a crash has all her money in her wallet or at the table."""
    for dies_at in itertools.count(1):
        path = tmp_path / f"{dies_at}.db"
        first_evening(path)
        store = asyncio.run(evening(path, list(ORDERS), dies_at=dies_at, before=before))
        if not store.dead:
            break

        async def look(path: Path = path) -> None:
            async with open_door(SqliteStore(path), guest_money=MONEY) as door:
                assert sum(wallet_and_table(door)) == MONEY
                assert await door.house.audit() == []

        asyncio.run(look())


# Killed for real ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def starter() -> Iterator[Starter]:
    with Starter() as found:
        yield found


@pytest.mark.slow
def test_a_house_that_is_killed_while_chips_are_bought_keeps_every_unit(
    starter: Starter, tmp_path: Path
) -> None:
    store, chance = str(tmp_path / "house.db"), random.Random(37)  # noqa: S311 - moments of kills
    options = {"port": 0, "store": store, "guest_money": 10_000_000}
    house = starter.start(**options)
    tokens = {
        name: str(httpx.post(f"{house.url}api/guests", json={"name": name}).json()["token"])
        for name in ("ana", "bea", "cleo")
    }
    acked: dict[str, int] = dict.fromkeys(tokens, 0)
    for _ in range(10):
        asyncio.run(asyncio.wait_for(buying(house, tokens, acked, chance.randrange(3, 12)), 60))
        house = starter.start(**options)
    house.stop()
    check_sums(Path(store), tokens, 10_000_000)
    assert sum(acked.values()) > 20


async def buying(
    house: Running, tokens: dict[str, str], acked: dict[str, int], purchases: int
) -> None:
    """Everybody buys, leaves and comes back, until the house is killed in the midst of it."""
    until = sum(acked.values()) + purchases
    enough = asyncio.Event()

    async def one(name: str) -> None:
        with contextlib.suppress(ProblemError, OSError):
            async with TableClient(house.url.rstrip("/"), "bg", tokens[name]) as table:
                while True:
                    await table.give(commands.Sit(by=name))
                    for _ in range(3):
                        buys = commands.BuyChips(by=name, player=name, amount=1_000)
                        acked[name] += (await table.give(buys)).is_accepted
                        if sum(acked.values()) >= until:
                            enough.set()
                    await table.give(commands.Leave(by=name))

    tasks = [asyncio.create_task(one(name)) for name in tokens]
    await enough.wait()
    await asyncio.to_thread(house.kill)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def check_sums(path: Path, names: Any, money: int) -> None:
    async def look() -> None:
        async with open_door(SqliteStore(path)) as door:
            register = door.people.registry.register
            actor = door.house.tables["bg"]
            seats = actor.house_table.state.players
            held = [seats[name].purse if name in seats else 0 for name in names]
            sums = [register.has(n) + h for n, h in zip(names, held, strict=True)]
            assert sums == [money] * len(names)
            assert await door.house.audit() == []

    asyncio.run(look())


# Whose command it is ------------------------------------------------------------------------------


@run
async def test_nobody_buys_with_the_id_of_another_s_command() -> None:
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        ana, bea = door.session(Role.PLAYER, "ana"), door.session(Role.PLAYER, "bea")
        async with door.socket("t", ana) as one, door.socket("t", bea) as other:
            await one.must("Sit")
            await other.must("Sit")
            await one.must("BuyChips", under="b", player="ana", amount=300)
            for who, player, amount in ((other, "bea", 300), (one, "ana", 500)):
                told = await who.give("BuyChips", under="b", player=player, amount=amount)
                why = "command_of_another" if player == "bea" else "id_reused"
                assert (told["refused"], told["why"]) == ("b", why)
            assert (await one.must("BuyChips", under="b", player="ana", amount=300))["ack"] == "b"
        assert (ana.money, bea.money) == (MONEY - 300, MONEY)


@run
async def test_an_id_of_a_command_that_costs_nothing_buys_no_chips() -> None:
    """Under the id of `Sit` a wallet paid, and no chips came: the answer was the seat's."""
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit", under="x")
            told = await socket.give("BuyChips", under="x", player="ana", amount=300)
            assert told["why"] == "id_reused"
            assert wallet_and_table(door) == (MONEY, 0)
            assert (await socket.must("Sit", under="x"))["ack"] == "x"
        assert await door.house.audit() == []


@run
async def test_a_wallet_that_is_empty_by_the_time_of_the_commit_pays_nothing() -> None:
    """Two tables take from one wallet at once: the later one is taken back as a whole."""
    async with open_door(guest_money=MONEY) as door:
        for table in ("t", "u"):
            await door.set_up(table, "bg")
        registry = door.people.registry
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as one, door.socket("u", ana) as other:
            for socket in (one, other):
                await socket.must("Sit")
            # Both are decided before either is written: the register's writer is held meanwhile.
            async with registry._writing:
                for socket in (one, other):
                    socket.ask("BuyChips", under="b", player="ana", amount=700)
                    socket.ask("GiveTip", under="c", amount=1)
                actors = [door.house.tables[name] for name in ("t", "u")]
                await within(5, lambda: all(actor._settled.locked() for actor in actors))
            told = [await socket.answer("b") for socket in (one, other)]
            tips = [await socket.answer("c") for socket in (one, other)]
        assert sorted("ack" in each for each in told) == [False, True], told
        assert [each.get("why") for each in told if "ack" not in each] == ["no_money"]
        assert ["ack" in each for each in tips] == ["ack" in each for each in told]
        purses = [actor.house_table.state.players["ana"].purse for actor in actors]
        assert sorted(purses) == [0, 699]
        assert registry.register.has("ana") == 300
        assert all(actor.failed is None for actor in actors)
        assert await door.house.audit() == []
        for name in ("t", "u"):
            assert verify_table(door.house.store, name).problems == []


@run
async def test_a_register_that_cannot_be_written_leaves_table_and_wallet_as_they_were() -> None:
    async with open_door(FullStore(), guest_money=MONEY) as door:
        store = door.house.store
        assert isinstance(store, FullStore)
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            before = store.head("t"), store.head(LOG), store.balances("t"), store.balances(LOG)
            store.is_full = True
            told = await socket.problem("BuyChips", player="ana", amount=300)
            assert "out of play" in told
        after = store.head("t"), store.head(LOG), store.balances("t"), store.balances(LOG)
        assert after == before
        assert actor.failed is not None


# A table that another server takes up -------------------------------------------------------------


async def moved(here: Accounts, there: Accounts) -> None:
    """The first server dies without a word, the second takes its table up."""
    await die(here.house)
    await within(10, lambda: "t" in there.house.tables)
    await within(
        10, lambda: there.house.tables["t"].house_table.state.players.get("ana") is not None
    )


@run
async def test_one_id_sent_to_both_servers_of_a_hand_over_buys_once(database: str) -> None:
    """The old server gave the money back while its heir sold the chips."""
    made = []
    async with open_accounts(database, lease=LEASE) as there:
        for turn in range(6):
            async with open_accounts(database, lease=LEASE) as here:
                table, name = f"t{turn}", f"ana {turn}"
                await table_with_staff(here, table)
                await here.known(name, Post.PLAYER, money=MONEY)
                await here.must(table, commands.Sit(by=name))
                one = await here.signed(name, Post.PLAYER)
                buys = {"player": name, "amount": 300}
                async with here.listening(table, one) as socket:
                    ending = asyncio.create_task(here.local.stop())
                    socket.ask("BuyChips", under="b1", **buys)
                    await within(10, partial(there.house.tables.__contains__, table))
                    await there.people.registry.read()
                    other = await there.signed(name, Post.PLAYER)
                    async with there.listening(table, other) as heir:
                        told = await heir.give("BuyChips", under="b1", **buys)
                        assert told["ack"] == "b1"
                    await ending
            await there.people.registry.read()
            held = there.house.tables[table].house_table.state.players[name].purse
            made.append((there.people.registry.register.has(name), held))
            assert await there.house.audit() == []
    assert made == [(MONEY - 300, 300)] * 6


@run
async def test_an_acknowledged_purchase_survives_the_death_of_its_server(database: str) -> None:
    async with (
        open_accounts(database, lease=LEASE) as here,
        open_accounts(database, lease=LEASE) as there,
    ):
        await table_with_staff(here)
        await here.known("ana", Post.PLAYER, money=MONEY)
        await here.must("t", commands.Sit(by="ana"))
        ana = await here.signed("ana", Post.PLAYER)
        async with here.listening("t", ana) as socket:
            await socket.must("BuyChips", under="b1", player="ana", amount=300)
        await moved(here, there)
        await there.people.registry.read()
        assert wallet_and_table(there) == (MONEY - 300, 300)
        async with there.listening("t", await there.signed("ana", Post.PLAYER)) as socket:
            again = await socket.give("BuyChips", under="b1", player="ana", amount=300)
            assert again["ack"] == "b1"
        assert wallet_and_table(there) == (MONEY - 300, 300)
        assert await there.house.audit() == []
