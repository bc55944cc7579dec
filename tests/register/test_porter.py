"""The porter: whatever happens between a wallet and a table, no money is lost or doubled."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from novamas.game.rulebook import Act
from novamas.house.actor import BusyError
from novamas.house.register import deciding, events, porter
from novamas.house.register.events import Post
from novamas.house.register.keeping import LOG, Kept
from novamas.house.register.state import DAY
from novamas.house.store import Batch, StoreError
from novamas.house.stores.sqlite import SqliteStore
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.commands import MANAGEMENT
from novamas.web.client import ProblemError, TableClient
from tests.contracts.test_tenancy import LEASE, die
from tests.promises.running import Running, Starter
from tests.web.accounts import Accounts, bearer, open_accounts, passed, table_with_staff, within
from tests.web.door import Closed, Door, Role, open_door, run

MONEY = 1_000
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

    def append(self, batch: Batch) -> None:
        self._live()
        self.commits += 1
        is_due = self.commits == self._dies_at
        self.dead = is_due and self._before
        self._live()
        self.inner.append(batch)
        self.dead = is_due
        self._live()

    def _live(self) -> None:
        if self.dead:
            raise StoreError("killed")

    def __getattr__(self, name: str) -> Any:
        if name != "close":
            self._live()
        return getattr(self.inner, name)


def wallet_and_table(door: Door) -> tuple[int, int]:
    """What ana has in her wallet, and at the table."""
    player = door.house.tables["t"].hall.state.players.get("ana")
    return door.people.registry.register.has("ana"), player.purse if player is not None else 0


async def play(door: Door, orders: list[tuple[str, str, dict[str, Any]]]) -> None:
    """Gives what was not answered yet, as a client does that comes back."""
    ana = door.session(Role.PLAYER, "ana")
    async with door.socket("t", ana) as socket:
        while orders:
            id, do, fields = orders[0]
            answer = await socket.give(do, under=id, **fields)
            if "problem" in answer:
                return
            if answer.get("why") == "was_abandoned":
                # The house gave it up when it came up again, and says so: it is asked for anew.
                orders[:] = [(f"{i}'" if i == id else i, d, f) for i, d, f in orders]
                continue
            assert ("refused" in answer) == id.startswith("b2"), answer
            orders.pop(0)


async def evening(path: Path, orders: list[Any], *, dies_at: int, before: bool) -> MortalStore:
    """An evening that ends early, if it does."""
    store = MortalStore(path, dies_at=dies_at, before=before)
    with contextlib.suppress(StoreError, Closed):
        async with open_door(store, guest_money=MONEY) as door:
            if "t" not in door.house.tables:
                await door.set_up("t", "bg")
            await door.app.state.lobby.porters.of(door.house.tables["t"])
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
def test_killed_at_any_commit_nothing_is_lost_or_doubled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    monkeypatch.setattr(porter, "PATIENCE", 0.2)
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
    assert dies_at > 12, "there are so many commits in an evening"


def check(path: Path) -> None:
    """Nothing is under way any more, and all the money there is is where it belongs."""

    async def look() -> None:
        async with open_door(SqliteStore(path), guest_money=MONEY) as door:
            kept = door.people.registry.register
            await door.app.state.lobby.porters.of(door.house.tables["t"])
            await within(5, lambda: not kept.under_way)
            assert wallet_and_table(door) == (MONEY - LEFT, LEFT)
            again = Kept()
            again.go_on(door.house.store.read(LOG))
            again.check(door.house.store.balances(LOG))
            assert door.house.store.balances(LOG)["tables"] == LEFT

    asyncio.run(look())


@pytest.mark.parametrize("before", [True, False], ids=["before it", "after it"])
def test_killed_and_never_asked_again_nothing_is_lost_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    """Who goes away after a crash has all her money in her wallet or at the table."""
    monkeypatch.setattr(porter, "PATIENCE", 0.2)
    for dies_at in itertools.count(1):
        path = tmp_path / f"{dies_at}.db"
        first_evening(path)
        store = asyncio.run(evening(path, list(ORDERS), dies_at=dies_at, before=before))
        if not store.dead:
            break

        async def look(path: Path = path) -> None:
            async with open_door(SqliteStore(path), guest_money=MONEY) as door:
                register = door.people.registry.register
                await door.app.state.lobby.porters.of(door.house.tables["t"])

                def settled() -> bool:
                    return not register.under_way and sum(wallet_and_table(door)) == MONEY

                await within(5, settled)

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
        asyncio.run(asyncio.wait_for(buying(house, tokens, acked, chance.uniform(0.1, 0.6)), 60))
        house = starter.start(**options)
    house.stop()
    check_sums(Path(store), tokens, 10_000_000)
    assert sum(acked.values()) > 20


async def buying(
    house: Running, tokens: dict[str, str], acked: dict[str, int], seconds: float
) -> None:
    """Everybody buys, leaves and comes back, until the house is killed."""

    async def one(name: str) -> None:
        with contextlib.suppress(ProblemError, OSError):
            async with TableClient(house.url.rstrip("/"), "bg", tokens[name]) as table:
                while True:
                    await table.give(commands.Sit(by=name))
                    for _ in range(3):
                        buys = commands.BuyChips(by=name, player=name, amount=1_000)
                        acked[name] += (await table.give(buys)).is_accepted
                    await table.give(commands.Leave(by=name))

    tasks = [asyncio.create_task(one(name)) for name in tokens]
    await asyncio.sleep(seconds)
    await asyncio.to_thread(house.kill)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def check_sums(path: Path, names: Any, money: int) -> None:
    async def look() -> None:
        async with open_door(SqliteStore(path)) as door:
            register = door.people.registry.register
            actor = door.house.tables["bg"]
            await door.app.state.lobby.porters.of(actor)

            def all_there() -> bool:
                seats = actor.hall.state.players
                held = [seats[name].purse if name in seats else 0 for name in names]
                sums = [register.has(n) + h for n, h in zip(names, held, strict=True)]
                return not register.under_way and sums == [money] * len(names)

            await within(10, all_there)

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
            told = await other.problem("BuyChips", under="b", player="bea", amount=300)
            assert told == "id: another command was given under it"
            told = await one.problem("BuyChips", under="b", player="ana", amount=500)
            assert told == "id: another command was given under it"
            assert (await one.must("BuyChips", under="b", player="ana", amount=300))["ack"] == "b"
        assert (ana.money, bea.money) == (MONEY - 300, MONEY)


@run
async def test_a_dear_command_does_not_go_for_the_price_of_a_cheap_one() -> None:
    """Of two commands under one id the first finds the table busy, the second is taken."""
    async with open_door(guest_money=MONEY) as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        real, busy = actor.submit, asyncio.Event()

        async def submit(id: str, command: Any, **more: Any) -> Any:
            if isinstance(command, commands.BuyChips) and command.amount == 10:
                await busy.wait()
                raise BusyError("too many commands")
            return await real(id, command, **more)

        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            actor.submit = submit  # type: ignore[method-assign]
            socket.ask("BuyChips", under="b", player="ana", amount=10)
            dear = await socket.give("BuyChips", under="b", player="ana", amount=500)
            assert dear["problem"] == "id: another command was given under it"
            busy.set()
            assert "too many" in (await socket.answer("b"))["problem"]
        assert wallet_and_table(door) == (MONEY, 0)


@run
async def test_what_the_register_could_not_note_is_noted_later() -> None:
    """The table has taken the money, the register does not answer: the player is answered."""
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        registry = door.people.registry
        real, failing = registry.do, 2

        async def do(decide: Any) -> Any:
            nonlocal failing
            if failing and registry.register.under_way:
                failing -= 1
                raise StoreError("a moment")
            return await real(decide)

        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            registry.do = do  # type: ignore[method-assign]
            await socket.must("BuyChips", player="ana", amount=300)
            await within(5, lambda: not registry.register.under_way)
        assert failing == 0
        assert wallet_and_table(door) == (MONEY - 300, 300)


@run
async def test_who_leaves_is_not_forgotten_while_the_register_does_not_answer() -> None:
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        registry = door.people.registry
        real, failing = registry.do, 3

        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=300)

            async def do(decide: Any) -> Any:
                nonlocal failing
                if failing:
                    failing -= 1
                    raise StoreError("a moment")
                return await real(decide)

            registry.do = do  # type: ignore[method-assign]
            await socket.must("Leave")
            assert wallet_and_table(door) == (MONEY, 0)


# A table that another server takes up -------------------------------------------------------------


async def moved(here: Accounts, there: Accounts) -> None:
    """The first server dies without a word, the second takes its table up."""
    await die(here.house)
    await within(10, lambda: "t" in there.house.tables)
    await within(10, lambda: there.house.tables["t"].hall.state.players.get("ana") is not None)


@pytest.mark.parametrize("moment", ["wallet", "table", "late"])
@run
async def test_a_table_that_moves_brings_what_was_under_way_to_its_end(
    moment: str, database: str
) -> None:
    """Its server dies when the wallet was asked; when the table was too; or takes money later."""
    async with (
        open_accounts(database, lease=LEASE) as here,
        open_accounts(database, lease=LEASE) as there,
    ):
        await table_with_staff(here)
        await here.known("ana", Post.PLAYER, money=MONEY)
        await here.must("t", commands.Sit(by="ana"))
        actor = here.house.tables["t"]
        carrier = await here.local.porters.of(actor)
        if moment == "late":
            await moved(here, there)
        await carrier.take("ana", "b1", 300)
        if moment == "table":
            giver = actor.hall.state.who_may(Act.SELL_CHIPS)
            assert giver is not None
            buys = commands.BuyChips(by=giver, player="ana", amount=300)
            answer = await actor.submit("b1", buys, who="ana")
            assert answer.refusal is None
        if moment != "late":
            await moved(here, there)
        register = there.people.registry.register
        wants = (MONEY - 300, 300) if moment == "table" else (MONEY, 0)

        def is_settled() -> bool:
            was = len(register.arrived) + (register.has("ana") == MONEY)
            return not register.under_way and bool(was) and wallet_and_table(there) == wants

        await within(10, is_settled)
        # Asked for once more it is what it was; what was given up is refused, and costs nothing.
        ana = await there.signed("ana", Post.PLAYER)
        async with there.listening("t", ana) as socket:
            again = await socket.give("BuyChips", under="b1", player="ana", amount=300)
            assert ("ack" in again) == (moment == "table"), again
        assert wallet_and_table(there) == wants


# Who cannot ask is seen off -----------------------------------------------------------------------


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
        assert accounts.house.tables["t"].hall.state.players == {}
        assert accounts.house.store.balances(LOG).get("tables", 0) == 0


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
        await door.app.state.lobby.porters.stop()
        await door.must("t", commands.CloseTable(by=MANAGEMENT))
        assert wallet_and_table(door) == (MONEY - 400, 400)
    async with open_door(SqliteStore(path), guest_money=MONEY) as door:
        await door.app.state.lobby.porters.of(door.house.tables["t"])
        await within(5, lambda: wallet_and_table(door) == (MONEY, 0))


@run
async def test_whoever_plays_without_a_wallet_stays_at_a_closed_table() -> None:
    """Scripts seat people whom the register does not know: nobody carries anything for them."""
    async with open_door() as door:
        actor = await door.set_up("t", "ar")
        await door.app.state.lobby.porters.of(actor)
        await door.must("t", commands.Sit(by="script"))
        await door.must("t", commands.CloseTable(by=MANAGEMENT))
        await asyncio.sleep(0.1)
        assert list(actor.hall.state.players) == ["script"]


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
        assert accounts.house.tables["t"].hall.state.stakes == {}
        (brought,) = await passed(accounts, events.ChipsBrought)
        assert brought.amount == 400


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
        staff = accounts.house.tables["t"].hall.state
        await accounts.must("t", commands.LaunchBall(by=str(staff.who_may(Act.LAUNCH_BALL))))
        await accounts.must("t", commands.CloseBetting(by=str(staff.who_may(Act.CLOSE_BETTING))))
        await accounts.people.registry.do(lambda r, now: deciding.exclude(r, "ana", None, now=now))
        await asyncio.sleep(0.2)
        assert wallet_and_table(accounts) == (MONEY - 400, 390)
        for command in (
            commands.PocketBall(by=str(staff.who_may(Act.POCKET_BALL)), number=17),
            commands.CallNumber(by=str(staff.who_may(Act.CALL_NUMBER))),
            commands.CollectLosers(by=str(staff.who_may(Act.COLLECT))),
            commands.PayWinners(by=str(staff.who_may(Act.PAY))),
        ):
            await accounts.must("t", command)
        # 35 to 1, and the stake: what he won is his, and he plays no further coup.
        await within(5, lambda: wallet_and_table(accounts) == (MONEY + 350, 0))


@run
async def test_the_porter_waits_for_no_one_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever leaves hears of it in the end, though his money is late; at once if he has none."""
    monkeypatch.setattr(porter, "PATIENCE", 0.2)
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        carrier = await door.app.state.lobby.porters.of(actor)
        door.session(Role.PLAYER, "ana")
        began = time.monotonic()
        await carrier.has_brought("ana", actor.head.seq + 1)
        assert 0.2 <= time.monotonic() - began < 5
        monkeypatch.setattr(porter, "PATIENCE", 60.0)
        await carrier.has_brought("somebody without a wallet", actor.head.seq + 1)
        assert time.monotonic() - began < 10
