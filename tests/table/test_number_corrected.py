"""A number that was entered or called wrongly, and the second person who signs (R16, NV-06)."""

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.rulebooks import HOUSES
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.helpers import Table, refused
from tests.table.staging import answer, at

SECOND = {
    "ar": "pagador",
    **dict.fromkeys(("es", "it", "fr", "fram", "fran", "esam"), "chief"),
    "bg": "inspector",
    "sd": "supervisor",
}
"""Who signs besides in each house."""


def corrected(table: Table, number: int, reason: str = "misread") -> None:
    by = table.staff(Act.POCKET_BALL)
    table.act(commands.CorrectNumber(by=by, number=number, reason=reason))


@pytest.mark.rule("NV-06")
@pytest.mark.parametrize("house", HOUSES)
def test_nv_06_a_number_that_was_not_called_yet_is_changed_by_who_entered_it(house: str) -> None:
    table = at(house, "pocketed")
    corrected(table, 5)
    assert (table.state.phase, table.state.number) == (Phase.POCKETED, 5)
    told = table.events[-1]
    assert isinstance(told, events.NumberCorrected)
    assert (told.before, told.number, told.second, told.reason) == (17, 5, None, "misread")
    table.call()
    assert table.state.settlement is not None
    assert table.state.settlement.pocket == 5
    assert table.tally.running.number == 5


@pytest.mark.rule("NV-06")
@pytest.mark.parametrize("house", HOUSES)
def test_nv_06_a_called_number_changes_only_with_a_second_signature(house: str) -> None:
    table = at(house, "collecting")
    first = table.state.settlement
    corrected(table, 5)
    assert (table.state.phase, table.state.number) == (Phase.COLLECTING, 17)
    collect = commands.CollectLosers(by=table.staff(Act.COLLECT))
    assert refused(table, collect).why is RefusalReason.NUMBER_IS_QUESTIONED
    assert "NV-06" in refused(table, collect).articles
    signer = f"{SECOND[house]}-1"
    other = commands.SignNumber(by=signer, number=6)
    assert refused(table, other).why is RefusalReason.NUMBER_NOT_QUESTIONED
    table.act(commands.SignNumber(by=signer, number=5))
    told = table.events[-1]
    assert isinstance(told, events.NumberCorrected)
    assert (told.before, told.number, told.second) == (17, 5, signer)
    assert told.by != told.second
    assert "NV-06" in told.articles
    assert (table.state.phase, table.state.number) == (Phase.POCKETED, 5)
    assert not table.state.due
    table.call()
    assert table.state.settlement != first
    table.collect()
    if table.state.phase is Phase.PAYING:
        table.pay()
    assert table.state.stakes["lose"].amount == 20, "5 won after all"
    assert "win" not in table.state.stakes


@pytest.mark.rule("NV-06")
@pytest.mark.parametrize("house", HOUSES)
def test_nv_06_the_money_is_that_of_the_right_number_from_the_start(house: str) -> None:
    wrong, right = at(house, "collecting"), at(house, "closed")
    corrected(wrong, 5)
    wrong.act(commands.SignNumber(by=f"{SECOND[house]}-1", number=5))
    right.pocket(5)
    for table in (wrong, right):
        for step in (table.call, table.collect, table.pay):
            step()
    assert wrong.tally == right.tally
    assert wrong.state.players == right.state.players
    assert wrong.state.stakes == right.state.stakes
    assert wrong.state.bank == right.state.bank


@pytest.mark.rule("NV-06")
@pytest.mark.parametrize("house", HOUSES)
def test_nv_06_a_question_is_taken_back_by_the_number_that_was_called(house: str) -> None:
    table = at(house, "collecting")
    corrected(table, 5)
    corrected(table, 17)
    assert table.state.questioned is None
    sign = commands.SignNumber(by=f"{SECOND[house]}-1", number=5)
    assert answer(table, sign) == "number_not_questioned"
    table.collect()


@pytest.mark.rule("NV-06")
def test_nv_06_nobody_signs_for_what_was_paid() -> None:
    table = at("ar", "paying")
    by = table.staff(Act.POCKET_BALL)
    refusal = refused(table, commands.CorrectNumber(by=by, number=5))
    assert refusal.why is RefusalReason.LOSERS_ARE_COLLECTED


@pytest.mark.parametrize("number", [-1, 37])
def test_a_number_is_changed_only_to_one_of_the_wheel(number: int) -> None:
    table = at("ar", "pocketed")
    by = table.staff(Act.POCKET_BALL)
    wrong = commands.CorrectNumber(by=by, number=number)
    assert refused(table, wrong).why is RefusalReason.NUMBER_NOT_ON_THE_WHEEL
