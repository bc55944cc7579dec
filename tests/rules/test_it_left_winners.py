"""Italy, the five pieces: winners that are left on the cloth, and chips of another table."""

from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import ChipKind
from novamas.table import commands
from novamas.table.events import StakesReturned
from tests.rules.helpers import Table, coup, opened

VALUE = ChipKind.VALUE


def sent_back(table: Table) -> dict[str, int]:
    """Close betting: what goes back, by spot."""
    spots = {id: stake.spot.name for id, stake in table.state.stakes.items()}
    before = len(table.events)
    table.close()
    found: dict[str, int] = {}
    for event in table.events[before:]:
        if isinstance(event, StakesReturned):
            for id, amount, _ in event.returned:
                found[spots[id]] = found.get(spots[id], 0) + amount
    return found


# Winners left in their combination ----------------------------------------------------------------


def left_on_22(**setup: Any) -> Table:
    """Ana laid one on each of five numbers; 22 came out, and her winner lies there."""
    table = opened("it", {"ana": 100}, winning="cloth", **setup)
    table.stake("ana", "6:1 10:1 22:1 28:1 31:1")
    sums = coup(table, 22).of("ana")
    assert (sums.won, sums.lost) == (35, 4)
    assert [stake.id for stake in table.state.stakes.values()] == ["s3"]
    return table


@pytest.mark.rule("AMB-IT-25", "IT-general-11")
def test_it_amb_25_a_winner_left_alone_plays_on() -> None:
    table = left_on_22()
    assert sent_back(table) == {}
    sums = coup(table, 22).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (35, 0, 0)


@pytest.mark.rule("AMB-IT-25", "IT-general-2b")
@pytest.mark.parametrize(
    ("laid", "back"),
    [
        ("7:2", {"7": 2}),
        ("7:3", {"7": 3}),
        ("7:4", {}),
        ("22:3", {"22": 3}),
        ("22:4", {}),
        ("7:2 22:2", {}),
    ],
)
def test_it_amb_25_it_counts_towards_the_five_of_the_other_pieces(
    laid: str, back: dict[str, int]
) -> None:
    table = left_on_22()
    table.stake("ana", laid)
    assert sent_back(table) == back
    assert "s3" in table.state.stakes


@pytest.mark.rule("AMB-IT-25", "IT-general-2b", "IT-general-11")
@pytest.mark.parametrize("how", ["moved", "corrected"])
@pytest.mark.parametrize(
    ("to", "back"), [(["25"], {"25": 1}), (["25", "22"], {"22": 1}), (["22"], {})]
)
def test_it_amb_25_moved_to_another_spot_it_is_judged_as_any_other(
    how: str, to: list[str], back: dict[str, int]
) -> None:
    table = left_on_22()
    for on in to:
        table.act(
            commands.MoveStake(by="ana", id="s3", on=on)
            if how == "moved"
            else commands.CorrectStake(by="chief-1", id="s3", on=on)
        )
    assert sent_back(table) == back


@pytest.mark.rule("AMB-IT-25", "AMB-IT-22")
def test_it_amb_25_a_void_ball_does_not_end_its_right_to_play() -> None:
    table = left_on_22()
    table.close()
    table.void("ball_out")
    assert sent_back(table) == {}
    assert list(table.state.stakes) == ["s3"]


@pytest.mark.rule("AMB-IT-25", "IT-general-2a")
@pytest.mark.parametrize(("top", "back"), [(1, {"red": 1}), (2, {})])
def test_it_amb_25_on_a_chance_too_also_when_a_part_was_withdrawn(
    top: int, back: dict[str, int]
) -> None:
    table = opened("it", {"ana": 100}, winning="cloth")
    (id,) = table.stake("ana", "red:5")
    coup(table, 9)
    table.act(commands.WithdrawStake(by="ana", id=id, amount=2))
    table.stake("ana", f"red:{top}")
    assert sent_back(table) == back
    assert table.state.stakes[id].amount == 3


@pytest.mark.rule("AMB-IT-25", "IT-general-6b", "AMB-IT-20")
@pytest.mark.parametrize(("bet", "out", "left"), [("red:20", 9, 1), ("9:4", 9, 1), ("d1:4", 9, 3)])
def test_it_amb_25_value_chips_that_are_left_need_no_minimum_either(
    bet: str, out: int, left: int
) -> None:
    table = opened("it", {"val": 100}, chip=4, value_chips=["val"], winning="cloth")
    (id,) = table.stake("val", bet)
    coup(table, out)
    table.act(commands.WithdrawStake(by="val", id=id, amount=table.state.stakes[id].amount - left))
    assert sent_back(table) == {}
    assert table.state.stakes[id].amount == left


@pytest.mark.rule("AMB-IT-25", "AMB-IT-10", "IT-general-14b")
@pytest.mark.parametrize("winning", ["hand", "cloth"])
def test_it_amb_25_what_rides_for_an_absent_owner_plays_on(winning: str) -> None:
    table = opened("it", {"ana": 100}, limits={"simple": {"max": 5}}, winning=winning)
    table.stake("ana", "red:5", unattended=True, by="croupier-1")
    table.act(commands.ChangeLimits(by="chief-1", limits={"simple": {"max": 3}}))
    coup(table, 9)
    coup(table, 12)
    # The new maximum has cut what rides to three pieces, and they play.
    assert table.state.on_cloth == 3
    assert sent_back(table) == {}


@pytest.mark.rule("AMB-IT-25", "AMB-IT-13", "X-05")
def test_it_amb_25_the_minimum_of_the_sign_binds_it_as_ever() -> None:
    table = opened("it", {"ana": 100}, winning="cloth")
    table.stake("ana", "22:2 7:3")
    table.act(commands.ChangeLimits(by="chief-1", limits={"straight": {"min": 3}}))
    coup(table, 22)
    assert sent_back(table) == {"22": 2}
    assert table.last(StakesReturned).returned[0][2] == ("X-05", "IT-general-15a")


@pytest.mark.rule("AMB-IT-25", "IT-general-7", "AMB-IT-15")
def test_it_amb_25_a_late_stake_counts_what_is_left_and_is_judged_itself() -> None:
    table = left_on_22()
    table.close()
    table.act(commands.GrantException(by="chief-1", player="ana"))
    table.stake("ana", "7:4")
    assert {stake.spot.name for stake in table.state.stakes.values()} == {"22", "7"}


# Chips of another table ---------------------------------------------------------------------------

FOUR = ForeignChips(4, "6", opening_minimum=2, value=3)


def with_four_on_30(**setup: Any) -> Table:
    """Ana has laid four chips of another table, worth 3 each, on 30."""
    table = opened("it", {"ana": 100}, **setup)
    table.stake("ana", "30:12", foreign=FOUR, id="f", by="croupier-1")
    return table


@pytest.mark.rule("AMB-IT-26", "IT-general-5a")
def test_it_amb_26_chips_of_another_table_need_no_five_pieces() -> None:
    table = with_four_on_30()
    sums = coup(table, 30).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (420, 12, 0)
    assert table.purse("ana") == 520


@pytest.mark.rule("AMB-IT-26", "IT-general-5a", "IT-general-2a")
@pytest.mark.parametrize("on", ["red", "d3", "c3"])
def test_it_amb_26_nor_do_they_on_a_chance(on: str) -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", f"{on}:12", foreign=FOUR, by="croupier-1")
    assert sent_back(table) == {}


@pytest.mark.rule("AMB-IT-26", "IT-general-2b")
def test_it_amb_26_on_the_numbers_they_do_not_help_ones_own_chips_to_five() -> None:
    table = with_four_on_30()
    table.stake("ana", "33:2 30:2")
    assert sent_back(table) == {"33": 2, "30": 2}
    assert list(table.state.stakes) == ["f"]


@pytest.mark.rule("AMB-IT-26", "IT-general-2a", "IT-general-6b", "AMB-IT-20")
@pytest.mark.parametrize(
    ("on", "amount", "kind"), [("red", 4, None), ("d1", 4, None), ("red", 4, VALUE)]
)
def test_it_amb_26_nor_on_a_chance(on: str, amount: int, kind: ChipKind | None) -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", f"{on}:12", foreign=FOUR, id="f", by="croupier-1")
    table.stake("ana", f"{on}:{amount}", chips=kind)
    assert sent_back(table) == {on: amount}
    assert list(table.state.stakes) == ["f"]


@pytest.mark.rule("AMB-IT-26", "IT-general-15a")
@pytest.mark.parametrize(("least", "back"), [(12, {}), (15, {"30": 12})])
def test_it_amb_26_the_sign_binds_them_by_their_worth(least: int, back: dict[str, int]) -> None:
    table = with_four_on_30(limits={"straight": {"min": least}})
    assert sent_back(table) == back
    assert table.purse("ana") == 100
