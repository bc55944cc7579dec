"""A table takes no stake and pays nothing before its float is there."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.actor import TableActor
from novamas.house.table.answers import Answer
from novamas.house.table.commands import CreditBank, FillBank, OpenBank, RecordWrongPayment
from novamas.house.table.events import BallMode, BankOpened
from novamas.house.views.history import replayed
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.table.accounts import BANK
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Officer
from novamas.table.state import BETTING, Phase, Setup
from novamas.web.server import FLOAT, LocalHouse, Options
from tests.house.croupier.dealt import dealt, run
from tests.promises.staff import Staff
from tests.web.door import Door, open_door

NUMBERS = itertools.count(1)


async def shut(door: Door, rulebook: str = "bg") -> list[Command]:
    """A live table with all its posts held, and the command that would open it."""
    await door.house.set_up("t", rulebook, Setup(chip=10, live=True), ball=BallMode.WHEEL)
    *taken, opening = Staff(rulebook).opening()
    for command in taken:
        await door.must("t", command)
    return [opening]


async def give(door: Door, command: Command) -> Answer:
    return await door.house.tables["t"].submit(f"x{next(NUMBERS)}", command)


def phase(actor: TableActor) -> Phase:
    return actor.house_table.state.phase


def why(answer: Answer) -> str | None:
    return None if answer.refusal is None else str(answer.refusal.why)


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_a_live_table_opens_once_its_bank_has_a_float(rulebook: str) -> None:
    async with open_door() as door:
        (opening,) = await shut(door, rulebook)
        refused = await give(door, opening)
        assert why(refused) == HouseRefusalReason.BANK_NOT_OPEN
        assert refused.refusal is not None
        assert "OpenBank" in refused.refusal.detail
        assert phase(door.house.tables["t"]) is Phase.OPENING
        await door.must("t", commands.Sit(by="ana"))
        stake = commands.PlaceStake(by="ana", id="b", player="ana", on="17", amount=10)
        assert why(await give(door, stake)) == "table_not_open"
        await door.must("t", OpenBank(by=MANAGEMENT, amount=50_000))
        await door.enter_float("t")
        await door.must("t", commands.OpenTable(by=MANAGEMENT))
        assert phase(door.house.tables["t"]) is Phase.BETTING
        assert door.house.store.balances("t")[BANK] == 50_000


@run
async def test_a_bank_without_its_float_is_opened_and_not_filled() -> None:
    async with open_door() as door:
        await shut(door)
        fill = FillBank(by=MANAGEMENT, amount=100)
        assert why(await give(door, fill)) == HouseRefusalReason.BANK_NOT_OPEN
        await door.must("t", OpenBank(by=MANAGEMENT, amount=100))
        again = OpenBank(by=MANAGEMENT, amount=100)
        assert why(await give(door, again)) == HouseRefusalReason.BANK_IS_OPEN
        await door.must("t", fill)
        # Where it was taken away again before the table opened, the table stays shut.
        await door.must("t", CreditBank(by=MANAGEMENT, amount=200))
        opening = commands.OpenTable(by=MANAGEMENT)
        assert why(await give(door, opening)) == HouseRefusalReason.BANK_NOT_OPEN
        await door.must("t", OpenBank(by=MANAGEMENT, amount=300))
        await door.must("t", opening)


@run
async def test_nothing_is_paid_out_of_a_bank_that_is_not_open() -> None:
    async with open_door() as door:
        await shut(door)
        await door.must("t", commands.Sit(by="ana"))
        croupier = next(iter(door.house.tables["t"].house_table.state.staff))
        paid = RecordWrongPayment(by=croupier, id="w", player="ana", amount=10, reason="slip")
        assert why(await give(door, paid)) == HouseRefusalReason.BANK_NOT_OPEN
        assert door.house.tables["t"].house_table.state.players["ana"].purse == 0


@run
async def test_a_missing_post_is_told_before_a_missing_float() -> None:
    async with open_door() as door:
        await door.house.set_up("t", "bg", Setup(chip=10, live=True), ball=BallMode.WHEEL)
        assert why(await give(door, commands.OpenTable(by=MANAGEMENT))) == "post_must_be_held"


@run
async def test_the_automatic_croupier_waits_for_the_float_and_then_deals() -> None:
    async with dealt("es", floats=False) as table:
        assert phase(table.actor) is Phase.OPENING
        assert "OpenTable" not in table.types()
        await table.must(commands.Sit(by="ana"))
        await table.clock.advance(60)
        assert phase(table.actor) is Phase.OPENING
        await table.must(OpenBank(by=Officer("Nino"), amount=50_000))
        await table.clock.advance(0)
        assert phase(table.actor) is Phase.BETTING
        await table.clock.advance(120)
        assert table.count("BallRevealed") >= 1


@run
async def test_the_bank_pays_what_was_won_even_beyond_its_float() -> None:
    """No rulebook closes a table whose bank is broken: the account shows it, the desk fills it."""
    async with open_door() as door:
        (opening,) = await shut(door)
        await door.must("t", OpenBank(by=MANAGEMENT, amount=10))
        await door.must("t", opening)
        staff = Staff("bg")
        for command in staff.seats("ana", 100):
            await door.must("t", command)
        stake = commands.PlaceStake(by="ana", id="b", player="ana", on="17", amount=10)
        await door.must("t", stake)
        for command in staff.coup(17):
            await door.must("t", command)
        assert door.house.store.balances("t")[BANK] == 10 - 350
        await door.must("t", FillBank(by=MANAGEMENT, amount=1_000))
        assert door.house.store.balances("t")[BANK] == 660


def test_a_local_house_brings_the_float_itself_and_writes_it_down(tmp_path: Path) -> None:
    async def evening() -> None:
        options = Options(port=0, store=str(tmp_path / "house.db"), keys=False)
        for _ in range(2):  # It is brought once, however often the house is opened.
            local = LocalHouse(options)
            await local.open()
            try:
                for name, actor in local.house.tables.items():
                    assert actor.house_table.state.phase in BETTING
                    log = replayed(local.house.store, name)
                    found = [event for _, event, _ in log if isinstance(event, BankOpened)]
                    amount = FLOAT * actor.house_table.state.setup.chip
                    assert found == [BankOpened(amount=amount, by=str(MANAGEMENT))]
            finally:
                await local.close()

    asyncio.run(evening())
