"""Italy, limits that change during the day: from when they bind (AMB-IT-27)."""

from collections.abc import Callable
from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.table import commands
from novamas.table.events import LimitsChanged
from tests.rules.helpers import Table, coup, opened

EIGHTY = {"straight": {"max": 80}}


def table_of_eighty(**more: Any) -> Table:
    """A table whose maximum on a number is 80."""
    return opened("it", {"ana": 500, "ben": 500}, limits=EIGHTY, **more)


def change(table: Table, most: int = 25, kind: str = "straight") -> LimitsChanged:
    """The chief announces another maximum."""
    table.act(commands.ChangeLimits(by="chief-1", limits={kind: {"max": most}}))
    return table.last(LimitsChanged)


def most(table: Table) -> int | None:
    """The maximum on a number that binds now."""
    return table.state.limits.as_data()["straight"].get("max")


@pytest.mark.rule("AMB-IT-27", "IT-general-16")
def test_it_amb_27_who_has_laid_by_the_placard_is_paid_by_it() -> None:
    table = table_of_eighty()
    table.stake("ana", "9:70")
    said = change(table)
    assert (said.from_next_coup, said.articles) == (True, ("IT-general-16", "AMB-IT-27"))
    assert coup(table, 9).of("ana").won == 2450
    table.stake("ana", "9:30")
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned) == (25 * 35, 30)


@pytest.mark.rule("AMB-IT-27", "IT-general-16")
def test_it_amb_27_on_a_clear_cloth_they_bind_at_once() -> None:
    table = table_of_eighty()
    assert not change(table).from_next_coup
    assert most(table) == 25
    table.stake("ana", "9:70")
    assert coup(table, 9).of("ana").won == 25 * 35


@pytest.mark.rule("AMB-IT-27")
def test_it_amb_27_a_chip_in_prison_is_no_stake() -> None:
    table = table_of_eighty()
    table.stake("ana", "red:5")
    coup(table, 0)
    assert table.state.prison
    assert not change(table).from_next_coup
    assert most(table) == 25


def _left(table: Table) -> None:
    table.stake("ana", "9:5")
    coup(table, 9)


STAKES: dict[str, Callable[[Table], object]] = {
    "a stake": lambda table: table.stake("ben", "black:1"),
    "a winner left there": _left,
    "a piece of an announcement": lambda table: table.act(
        commands.Announce(by="ana", id="v", player="ana", call="voisins", amount=9)
    ),
    "a chip of another table": lambda table: table.stake(
        "ana", "9:2", foreign=ForeignChips(1, "6", opening_minimum=2), by="croupier-1"
    ),
}


@pytest.mark.rule("AMB-IT-27")
@pytest.mark.parametrize("what", STAKES)
def test_it_amb_27_any_stake_on_the_cloth_makes_them_wait(what: str) -> None:
    table = table_of_eighty(winning="cloth")
    STAKES[what](table)
    assert change(table).from_next_coup
    assert most(table) == 80
    coup(table, 30)
    assert most(table) == 25


@pytest.mark.rule("AMB-IT-27")
@pytest.mark.parametrize("moment", ["launched", "closed", "pocketed", "called", "paying"])
def test_it_amb_27_once_the_ball_is_launched_they_wait_for_the_end_of_the_payments(
    moment: str,
) -> None:
    table = table_of_eighty()
    if moment == "paying":
        table.stake("ana", "9:5")
    steps: dict[str, Callable[[], None]] = {
        "launched": table.launch,
        "closed": table.close,
        "pocketed": lambda: table.pocket(9),
        "called": table.call,
        "paying": table.collect,
        "ended": table.pay,
    }
    passed = False
    for name, step in steps.items():
        step()
        if name == moment:
            assert change(table).from_next_coup
            passed = True
        if passed:
            assert most(table) == (25 if table.state.coup == 2 else 80)
    assert most(table) == 25


@pytest.mark.rule("AMB-IT-27", "X-04")
def test_it_amb_27_until_then_the_old_limits_bind_new_stakes_too() -> None:
    table = table_of_eighty(limits_kept="enforced")
    table.stake("ana", "9:70")
    change(table)
    table.stake("ana", "9:10")
    table.stake("ben", "9:80")
    assert coup(table, 9).of("ben").won == 80 * 35


@pytest.mark.rule("AMB-IT-27", "AMB-IT-22")
def test_it_amb_27_a_void_ball_leaves_them_coming_while_a_stake_lies() -> None:
    table = table_of_eighty()
    table.stake("ana", "9:70")
    change(table)
    table.close()
    table.void("ball_out")
    assert most(table) == 80
    assert coup(table, 9).of("ana").won == 2450
    assert most(table) == 25


@pytest.mark.rule("AMB-IT-27", "AMB-IT-22")
@pytest.mark.parametrize("gone", ["never laid", "withdrawn", "sent back"])
def test_it_amb_27_after_a_void_ball_they_are_in_force_where_no_stake_lies(gone: str) -> None:
    table = table_of_eighty()
    if gone == "never laid":
        table.launch()
        change(table)
    else:
        (id,) = table.stake("ana", "9:4")
        change(table)
        if gone == "withdrawn":
            table.act(commands.WithdrawStake(by="ana", id=id))
            assert most(table) == 80
        table.close()
    table.void("ball_out")
    assert most(table) == 25
    assert table.state.coming_limits is None


@pytest.mark.rule("AMB-IT-27")
def test_it_amb_27_changes_add_up_and_if_the_later_binds_at_once_so_do_all() -> None:
    table = table_of_eighty()
    (id,) = table.stake("ana", "9:70")
    change(table)
    said = change(table, 40, "split")
    assert (said.before, said.limits) == (
        {"straight": {"max": 25}},
        {"straight": {"max": 25}, "split": {"max": 40}},
    )
    assert table.state.limits.as_data() == EIGHTY
    table.act(commands.WithdrawStake(by="ana", id=id))
    said = change(table, 300, "simple")
    assert not said.from_next_coup
    assert table.state.limits.as_data() == {
        "straight": {"max": 25},
        "split": {"max": 40},
        "simple": {"max": 300},
    }
    assert table.state.coming_limits is None


@pytest.mark.rule("AMB-IT-27", "AMB-IT-13", "IT-general-15c", "X-05")
def test_it_amb_27_what_lies_when_they_come_into_force_must_conform() -> None:
    table = opened("it", {"ana": 500}, limits=EIGHTY, winning="cloth")
    table.stake("ana", "9:70 9/12:5")
    table.act(
        commands.ChangeLimits(by="chief-1", limits={"straight": {"max": 25}, "split": {"min": 10}})
    )
    coup(table, 9)
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned) == (25 * 35, 45 + 5)
