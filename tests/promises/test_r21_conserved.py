"""R21: nothing is created between logs: money over the whole house is conserved at every step."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import EUROPEAN
from novamas.house import conservation
from novamas.house.house import SelfCheckError
from novamas.house.log.store import StoreError
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify_house import check_conservation
from novamas.house.people import decide, events
from novamas.house.people.registry import LOG
from novamas.house.table.commands import CountBank, CreditBank, EmptyBox, FillBank, GiveTip
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from tests.promises.figures import record
from tests.web.door import Door, Role, open_door, run

MONEY = 1_000
PLAYERS = ("ana", "bea", "cleo")
STEPS = 400


def wish(chance: random.Random, door: Door, table: str, step: int) -> tuple[Command, str | None]:
    """Something that somebody may want at a table, whether it can be done or not, and whose it is.

    Nothing here looks at the rules: what is refused must change nothing either.
    """
    player, amount = chance.choice(PLAYERS), 10 * chance.randrange(1, 60)
    seller = str(door.house.tables[table].house_table.state.who_may(Act.SELL_CHIPS))
    kinds: list[tuple[Command, str | None]] = [
        (commands.Sit(by=player), player),
        (commands.BuyChips(by=seller, player=player, amount=amount), player),
        (commands.BuyChips(by=seller, player=player, amount=amount, cash=True), None),
        (commands.BuyChips(by=seller, player=player, amount=amount), None),
        (
            commands.PlaceStake(
                by=player, id=f"s{step}", player=player, on=chance.choice(["red", "17"]), amount=10
            ),
            player,
        ),
        (GiveTip(by=player, amount=chance.randrange(1, 20)), player),
        (commands.Leave(by=player), player),
        (FillBank(by=MANAGEMENT, amount=amount), None),
        (CreditBank(by=MANAGEMENT, amount=amount), None),
        (CountBank(by=MANAGEMENT, counted=amount), None),
        (EmptyBox(by=MANAGEMENT, counted=amount), None),
        (commands.LaunchBall(by="croupier 1"), None),
        (commands.CloseBetting(by="croupier 1"), None),
        (commands.PocketBall(by="croupier 1", number=chance.choice(EUROPEAN.pockets)), None),
        (commands.CallNumber(by="croupier 1"), None),
        (commands.CollectLosers(by="croupier 1"), None),
        (commands.PayWinners(by="croupier 1"), None),
    ]
    return chance.choice(kinds)


@pytest.mark.parametrize("seed", range(4))
@run
async def test_r21_money_is_conserved_at_every_step_of_an_evening(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - an evening that can be repeated
    done, moved = 0, 0
    async with open_door(guest_money=MONEY) as door:
        for table in ("t", "u"):
            await door.set_up(table, "bg")
        for name in PLAYERS:
            door.session(Role.PLAYER, name)
        for step in range(STEPS):
            table = chance.choice(("t", "u"))
            command, who = wish(chance, door, table, step)
            before = conservation.balances_of(door.house.store)
            answer = await door.house.tables[table].submit(f"c{step}", command, who=who)
            after = conservation.balances_of(door.house.store)
            assert [*conservation.differences(after)] == []
            assert answer.refusal is None or after == before, "a refusal moves nothing"
            done += answer.refusal is None
            moved += after.get(LOG) != before.get(LOG)
        assert await door.house.audit() == []
        assert check_conservation(door.house.store) == []
        issued = conservation.totals(conservation.balances_of(door.house.store))
    assert done > STEPS / 10
    assert moved > STEPS / 40
    record(
        "R21",
        f"an evening of two tables at random, compared after every command (seed {seed})",
        commands=STEPS,
        accepted=done,
        moves_between_logs=moved,
        units_in_wallets=issued.wallets,
        units_at_tables=issued.tables,
        differences=0,
    )


@run
async def test_r21_money_that_was_made_between_the_logs_is_found_and_stops_the_table() -> None:
    async with open_door(guest_money=MONEY) as door:
        for table in ("t", "u"):
            await door.set_up(table, "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=300)
        assert await door.house.audit() == []
        # The wallet is given its money back, and the chips stay: each log agrees with itself.
        made = events.ChipsRedeemed(name="ana", table="t", seq=4711, amount=300)
        await door.people.registry.do(lambda *_: [made])
        (found,) = await door.house.audit()
        assert found.log == "t"
        assert found.problem.endswith("-300")
        assert "made or lost" in str(door.house.tables["t"].failed)
        assert door.house.tables["u"].failed is None
        told = [each.problem for each in conservation.unmatched(door.house.store)]
        assert told == ["event 4711 moved 0 from the desk, the register wrote -300"]


@run
async def test_r21_a_house_whose_money_was_made_does_not_open(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    async with open_door(SqliteStore(path), guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        door.session(Role.PLAYER, "ana")
        made = events.ChipsSold(name="ana", table="t", seq=4711, amount=300)
        await door.people.registry.do(lambda *_: [made])
    with pytest.raises(
        SelfCheckError, match=r"made or lost: t: the register shows 1000300"
    ) as told:
        async with open_door(SqliteStore(path)):
            pass
    assert "verify ledger" in told.value.hint


@run
async def test_r21_a_register_that_disagrees_with_its_wallets_stops_everything() -> None:
    async with open_door(guest_money=MONEY) as door:
        await door.set_up("t", "bg")
        door.session(Role.PLAYER, "ana")
        registry = door.people.registry
        registry.register.wallets["ana"] += 1
        (found,) = await door.house.audit()
        assert (found.log, "wallet:ana" in found.problem) == (LOG, True)
        assert door.house.tables["t"].failed is not None
        with pytest.raises(StoreError, match="made or lost"):
            await registry.do(lambda *_: decide.give_play_money("ana", 5))
