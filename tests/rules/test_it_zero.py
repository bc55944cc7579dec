"""Italy, the zero: what wins, what loses, what is divided, and the odd chip in prison."""

from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import SIMPLE_CHANCES, spot
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.stakes import Prisoner, Stake
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import coup, opened, refused, settle_line, settled, stakes

VALUE = ChipKind.VALUE


def prisoner(on: str, amount: int = 1) -> Prisoner:
    """A chip of ana's that a zero put in prison."""
    return Prisoner("p", "ana", spot(on), amount, chip=amount)


@pytest.mark.rule("IT-gioco-12")
@pytest.mark.parametrize(
    ("bet", "won"),
    [
        ("0:5", 175),
        ("0/1:5", 85),
        ("0/2:5", 85),
        ("0/3:5", 85),
        ("0/1/2:5", 55),
        ("0/2/3:5", 55),
        ("0/1/2/3:5", 40),
    ],
)
def test_it_gioco_12_zero_and_its_combinations_win(bet: str, won: int) -> None:
    line = settle_line("it", 0, bet)
    assert (line.won, line.returned) == (won, 5)
    assert "IT-gioco-12" in line.articles


@pytest.mark.rule("IT-gioco-12")
def test_it_gioco_12_no_other_combination_of_numbers_wins_at_zero() -> None:
    winning = {"0", "0/1", "0/2", "0/3", "0/1/2", "0/2/3", "0/1/2/3"}
    on_numbers = {place.name for place in load("it").terms if place.kind.on_numbers}
    won = {name for name in on_numbers if settle_line("it", 0, f"{name}:5").won}
    assert won == winning


@pytest.mark.rule("IT-gioco-13")
@pytest.mark.parametrize("name", ["d1", "d2", "d3", "c1", "c2", "c3"])
def test_it_gioco_13_columns_and_dozens_lose(name: str) -> None:
    line = settle_line("it", 0, f"{name}:5")
    assert (line.lost, line.returned, line.held) == (5, 0, 0)
    assert "IT-gioco-13" in line.articles
    assert "IT-gioco-13" not in settle_line("it", 36 if name[1] == "1" else 1, f"{name}:5").articles


@pytest.mark.rule("IT-gioco-14", "AMB-IT-24")
@pytest.mark.parametrize("name", SIMPLE_CHANCES)
def test_it_gioco_14_simple_chances_are_halved_at_once(name: str) -> None:
    line = settle_line("it", 0, f"{name}:6")
    assert (line.won, line.returned, line.lost, line.held) == (0, 3, 3, 0)
    assert "IT-gioco-14" in line.articles
    assert "IT-gioco-15a" not in line.articles


@pytest.mark.rule("IT-gioco-14", "AMB-IT-24")
def test_it_gioco_14_no_choice_is_offered_to_the_player() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "even:7")
    coup(table, 0)
    choice = commands.ChooseAfterZero(by="ana", id=id, choice=commands.Choice.HALF)
    assert refused(table, choice).why is RefusalReason.NO_CHOICE_PENDING
    assert table.purse("ana") == 96


@pytest.mark.rule("IT-gioco-15a")
@pytest.mark.parametrize(("chips", "half"), [(5, 2), (7, 3), (9, 4), (101, 50)])
def test_it_gioco_15a_the_odd_chip_goes_to_prison(chips: int, half: int) -> None:
    line = settle_line("it", 0, f"red:{chips}")
    assert (line.returned, line.lost, line.held) == (half, half, 1)
    assert {"IT-gioco-14", "IT-gioco-15a"} <= set(line.articles)


@pytest.mark.rule("IT-gioco-15a")
def test_it_gioco_15a_the_prisoner_lies_on_a_line_of_his_chance_and_is_no_stake() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "red:7")
    coup(table, 0)
    assert (table.state.prison[id].spot.name, table.state.prison[id].amount) == ("red", 1)
    assert not table.state.stakes
    line = layout(load("it")).prison_line(spot("red"))
    (box,) = layout(load("it")).boxes_of(spot("red"))
    assert box.rect.top < line.middle.y < box.rect.bottom
    assert not box.rect.contains(line.middle)
    assert (
        refused(table, commands.WithdrawStake(by="ana", id=id)).why is RefusalReason.NO_SUCH_STAKE
    )


@pytest.mark.rule("IT-gioco-15b", "NV-11")
def test_it_gioco_15b_a_prisoner_that_wins_is_freed_and_wins_nothing() -> None:
    (line,) = settled("it", 9, prison=[prisoner("red")]).lines
    assert (line.won, line.returned, line.lost, line.held) == (0, 1, 0, 0)
    assert line.articles == ("IT-bet-12", "IT-gioco-15b", "NV-11")


@pytest.mark.rule("IT-gioco-15c")
def test_it_gioco_15c_a_prisoner_that_loses_is_taken() -> None:
    (line,) = settled("it", 9, prison=[prisoner("black")]).lines
    assert (line.won, line.returned, line.lost, line.held) == (0, 0, 1, 0)
    assert line.articles == ("IT-bet-12", "IT-gioco-15c")


@pytest.mark.rule("AMB-IT-01")
def test_it_amb_01_when_zero_comes_again_the_prisoner_stays() -> None:
    (line,) = settled("it", 0, prison=[prisoner("red", 5)]).lines
    assert (line.returned, line.lost, line.held) == (0, 0, 5)
    assert line.articles == ("IT-bet-12", "AMB-IT-01")


@pytest.mark.rule("AMB-IT-01", "IT-gioco-15a", "IT-gioco-15b", "IT-gioco-15c")
@pytest.mark.parametrize(("after", "purse"), [([9], 97), ([0, 0, 9], 97), ([0, 11], 96)])
def test_it_gioco_15_a_prisoner_waits_out_the_zeros(after: list[int], purse: int) -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "red:7")
    coup(table, 0)
    assert table.purse("ana") == 96
    for number in after[:-1]:
        coup(table, number)
        assert id in table.state.prison
        assert table.purse("ana") == 96
    coup(table, after[-1])
    assert not table.state.prison
    assert table.purse("ana") == purse
    assert table.state.bank == 100 - purse


@pytest.mark.rule("IT-gioco-14", "IT-gioco-15a", "AMB-IT-01", "AMB-IT-24")
@pytest.mark.parametrize("chips", range(5, 12))
def test_it_gioco_14_a_simple_chance_costs_one_in_seventy_four_odd_or_even(chips: int) -> None:
    def worth(pocket: int) -> tuple[int, int]:
        line = settle_line("it", pocket, f"red:{chips}")
        return line.won + line.returned, line.held

    # A chip in prison is worth what it brings once, and while it stays what it is worth then.
    (lines,) = zip(
        *(settled("it", pocket, prison=[prisoner("red")]).lines for pocket in range(37)),
        strict=True,
    )
    stays = Fraction(sum(line.held for line in lines), 37)
    held_worth = Fraction(sum(line.returned for line in lines), 37) / (1 - stays)
    assert held_worth == Fraction(1, 2)
    back = sum(hand + held * held_worth for hand, held in map(worth, range(37)))
    assert 1 - back / 37 / chips == Fraction(1, 74)


# The chips are counted, not the stakes nor the money ----------------------------------------------


@pytest.mark.rule("AMB-IT-02", "IT-gioco-15a")
@pytest.mark.parametrize(
    ("amount", "returned", "lost", "held"),
    [(25, 10, 10, 5), (30, 15, 15, 0), (35, 15, 15, 5), (50, 25, 25, 0)],
)
def test_it_amb_02_value_chips_are_counted_in_base_chips(
    amount: int, returned: int, lost: int, held: int
) -> None:
    line = settle_line("it", 0, Stake("v", "val", spot("red"), amount, chip=5, kind=VALUE))
    assert (line.returned, line.lost, line.held) == (returned, lost, held)


@pytest.mark.rule("AMB-IT-02", "X-03")
def test_it_x_03_what_is_less_than_a_chip_goes_back_to_the_player() -> None:
    line = settle_line("it", 0, Stake("v", "val", spot("red"), 28, chip=5, kind=VALUE))
    assert (line.returned, line.lost, line.held) == (13, 10, 5)


@pytest.mark.rule("AMB-IT-02", "IT-gioco-15b")
def test_it_amb_02_a_table_of_five_imprisons_one_chip_of_a_single_value_chip() -> None:
    table = opened("it", {"val": 100}, chip=5, value_chips=["val"])
    table.stake("val", "red:25")
    sums = coup(table, 0).of("val")
    assert (sums.returned, sums.lost, sums.held) == (10, 10, 5)
    assert coup(table, 9).of("val").returned == 5
    assert table.purse("val") == 90


@pytest.mark.rule("IT-gioco-15a")
@pytest.mark.parametrize(
    ("amounts", "returned", "lost", "held"),
    [((5, 5), 5, 5, 0), ((5, 2), 3, 3, 1), ((5, 7, 9), 10, 10, 1), ((1, 1, 1, 1, 1), 2, 2, 1)],
)
def test_it_gioco_15a_the_chips_of_a_player_on_a_chance_count_together(
    amounts: tuple[int, ...], returned: int, lost: int, held: int
) -> None:
    lines = settled("it", 0, " ".join(f"red:{amount}" for amount in amounts)).lines
    assert sum(line.returned for line in lines) == returned
    assert sum(line.lost for line in lines) == lost
    assert sum(line.held for line in lines) == held
    assert any("IT-gioco-15a" in line.articles for line in lines) == bool(held)


@pytest.mark.rule("IT-gioco-15a")
def test_it_gioco_15a_chips_on_two_chances_or_of_two_players_do_not_count_together() -> None:
    lines = settled("it", 0, "red:5 even:5", stakes("red:5", player="ben")).lines
    assert [(line.returned, line.lost, line.held) for line in lines] == [(2, 2, 1)] * 3


@pytest.mark.rule("IT-gioco-14", "AMB-IT-11")
def test_it_gioco_14_at_zero_a_stake_above_the_maximum_is_divided_whole() -> None:
    limits = {"simple": {"max": 50}}
    line = settle_line("it", 0, "red:60", limits=limits)
    assert (line.returned, line.lost, line.held) == (30, 30, 0)


@pytest.mark.rule("IT-gioco-15a", "X-03")
def test_it_gioco_15a_a_table_that_closes_gives_the_chip_in_prison_back() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:7")
    coup(table, 0)
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert table.purse("ana") == 97
    assert not table.state.prison


@pytest.mark.rule("X-03")
def test_it_x_03_a_live_table_has_chips_of_an_even_number_of_units() -> None:
    with pytest.raises(AssertionError, match="chip must halve evenly"):
        opened("it", {}, chip=5, live=True)
    live = opened("it", {"ana": 100}, chip=10, live=True)
    live.stake("ana", "red:50")
    sums = coup(live, 0).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (20, 20, 10)
