"""Every shared scenario, event by event, on the house's books.

The ledger agrees with the table, and nothing is lost between an event and its bytes, or between a
table and its snapshot.
"""

from __future__ import annotations

from typing import Any

import pytest

from novamas.house import ledger
from novamas.house.log.codec import decode, encode
from novamas.house.table import snapshot
from novamas.house.table.events import BallMode, TableSetUp
from novamas.house.table.state import HouseTable, advance
from novamas.table import events
from novamas.table.accounts import BANK
from novamas.table.script import ScriptRun
from tests.house.ledger.playing import played
from tests.scenarios.check import every_script

SCRIPTS = every_script()


BETWEEN_TWO_COUPS = {
    "id": "limits that are coming, a winner left, chips of three values",
    "rulebook": "it",
    "limits": {"straight": {"max": 80}},
    "settings": {"winning": "cloth"},
    "chip": {"A": 12, "B": 4},
    "purses": {"A": 600, "B": 600},
    "script": [
        {"do": "stake", "id": "a", "player": "A", "on": "9", "amount": 60},
        {"do": "stake", "id": "b", "player": "A", "on": "red", "amount": 28, "value_chips": True},
        {"do": "no_more_bets"},
        {"do": "number", "number": 9},
        {"do": "change_limits", "limits": {"straight": {"max": 40}}},
        {"do": "withdraw", "id": "a", "amount": 48},
        {"do": "step_away", "player": "B"},
        {"do": "no_more_bets"},
        {"do": "number", "number": 0},
    ],
}
"""What a table holds between two coups, and no shared scenario has."""


def set_up(run: ScriptRun) -> TableSetUp:
    setup = run.state.setup
    return TableSetUp(
        table="1",
        rulebook=run.state.book.id,
        book=None,
        ball=BallMode.WHEEL,
        limits=setup.limits.as_data(),
        winning=setup.winning.value,
        limits_kept=setup.limits_kept.value,
        chip=setup.chip,
        colours=setup.colours,
        rotation=setup.rotation,
        live=setup.live,
    )


@pytest.mark.parametrize("script", [*SCRIPTS, BETWEEN_TWO_COUPS], ids=lambda each: each["id"])
def test_ledger_bytes_and_mementos_agree_with_the_table(script: dict[str, Any]) -> None:
    run = played(script)
    house_table = HouseTable.fresh(set_up(run))
    balances: dict[str, int] = {}
    for event in run.log:
        written = encode(event)
        read = decode(*written, house_table.state)
        assert encode(read) == written
        balances = ledger.balances(ledger.transfers(house_table, read), balances)
        advance(house_table, read)
        ledger.check(house_table, balances)
        assert balances.get(BANK, 0) == house_table.state.bank
        if snapshot.can_remember(house_table):
            again = snapshot.recall(snapshot.remember(house_table))
            assert again.state == house_table.state
            assert snapshot.remember(again) == snapshot.remember(house_table)
    assert house_table.state == run.state


@pytest.mark.rule("AMB-AR-33", "AR-26.b")
@pytest.mark.parametrize(("winning", "back"), [("cloth", 0), ("hand", 2)])
def test_ar_33_the_bank_has_the_freed_chip_and_pays_what_the_spool_does(
    winning: str, back: int
) -> None:
    script = next(script for script in SCRIPTS if script["id"] == "reduced-02")
    run = played({**script, "settings": {"winning": winning}})
    house_table = HouseTable.fresh(set_up(run))
    moved: dict[tuple[str, str], int] = {}
    for event in run.log:
        if isinstance(event, events.WinnersPaid):
            moved = {(m.source, m.target): m.amount for m in ledger.transfers(house_table, event)}
        advance(house_table, event)
    expected = {("bank", "purse:ana"): 52, ("cloth", "bank"): 1, ("cloth", "purse:ana"): back}
    assert moved == {between: amount for between, amount in expected.items() if amount}
