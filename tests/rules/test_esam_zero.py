"""Spain, American roulette: zero takes half of what lies on a simple chance, and nothing waits."""

from fractions import Fraction

import pytest

from novamas.game.rulebook.behaviours import ZeroRule
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.commands import Choice
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import case, coup, opened, refused, settle_line, settled, stakes

CHANCES = ("low", "high", "red", "black", "even", "odd")


@pytest.mark.rule("ESAM-IV")
@pytest.mark.parametrize("chance", CHANCES)
def test_esam_iv_half_is_lost_and_half_comes_back(chance: str) -> None:
    line = settle_line("esam", 0, f"{chance}:100")
    assert (line.won, line.returned, line.lost, line.held) == (0, 50, 50, 0)
    assert {"ESAM-IV", "AMB-ESAM-02"} <= set(line.articles)


@pytest.mark.parametrize(
    ("amount", "returned"),
    [
        case("ESAM-IV AMB-ESAM-03 X-03", 15, 8),
        case("ESAM-IV AMB-ESAM-03 X-03", 1, 1),
        case("ESAM-IV AMB-ESAM-03 X-03", 3, 2),
        case("ESAM-IV", 8, 4),
    ],
)
def test_amb_esam_03_the_odd_unit_goes_to_the_player(amount: int, returned: int) -> None:
    line = settle_line("esam", 0, f"low:{amount}")
    assert (line.returned, line.lost) == (returned, amount - returned)
    readings = {"AMB-ESAM-03", "AMB-X-03", "X-03"}
    assert readings & set(line.articles) == (readings if amount % 2 else set())


@pytest.mark.parametrize(
    ("laid", "returned"),
    [
        case("AMB-ESAM-03", "red:7 red:4", 6),
        case("AMB-ESAM-03", "red:1 red:1 red:3", 3),
        case("AMB-ESAM-03", "red:1 red:1", 1),
        case("AMB-ESAM-03", "red:3 red:3 red:3", 5),
        # Two chances are halved apart.
        case("AMB-ESAM-03", "red:7 even:7", 8),
    ],
)
def test_amb_esam_03_the_half_is_taken_of_all_that_a_player_has_on_the_chance(
    laid: str, returned: int
) -> None:
    lines = settled("esam", 0, laid).lines
    assert sum(line.returned for line in lines) == returned
    assert all(line.returned + line.lost == line.stake.amount for line in lines)


@pytest.mark.rule("AMB-ESAM-03")
def test_amb_esam_03_two_players_are_halved_apart() -> None:
    lines = settled("esam", 0, stakes("red:7", "ana"), stakes("red:7", "luis")).lines
    assert [(line.stake.player, line.returned) for line in lines] == [("ana", 4), ("luis", 4)]


@pytest.mark.rule("ESAM-IV", "AMB-ESAM-02")
def test_amb_esam_02_there_is_no_choice_and_no_prison() -> None:
    assert load("esam").zero.simple is ZeroRule.HALF
    table = opened("esam", {"ana": 100})
    table.stake("ana", "red:20")
    sums = coup(table, 0).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (10, 10, 0)
    assert (table.purse("ana"), table.state.bank, table.state.on_cloth) == (90, 10, 0)
    assert not table.state.prison
    for choice in Choice:
        wish = commands.ChooseAfterZero(by="ana", id="s1", choice=choice)
        assert refused(table, wish).why is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("ESAM-IV")
def test_esam_iv_the_half_goes_to_the_hand_where_winners_stay() -> None:
    table = opened("esam", {"ana": 100}, winning="cloth")
    table.stake("ana", "red:20 0:1")
    coup(table, 0)
    # The winner on zero stays; the half of the chance does not.
    assert (table.purse("ana"), table.state.on_cloth) == (79 + 10 + 35, 1)


@pytest.mark.rule("ESAM-IV")
def test_esam_iv_dozens_columns_and_doubles_are_no_simple_chances() -> None:
    lines = settled("esam", 0, "d1:10 c2:10 d1+d2:10 c1+c2:10").lines
    assert all((line.lost, line.returned) == (10, 0) for line in lines)
    assert not any("ESAM-IV" in line.articles for line in lines)


@pytest.mark.rule("ESAM-IV")
def test_esam_iv_numbers_with_zero_win() -> None:
    lines = settled("esam", 0, "0:1 0/2:1 0/2/3:2 0/1/2/3:1").lines
    assert sorted(line.won for line in lines) == [8, 17, 22, 35]


@pytest.mark.rule("ESAM-IV")
def test_esam_iv_a_half_is_settled_by_the_time_the_coup_ends() -> None:
    table = opened("esam", {"ana": 100})
    table.stake("ana", "red:20")
    table.pocket(0)
    table.call()
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert (line.returned, line.lost) == (10, 10)
    table.collect()
    table.pay()
    assert table.purse("ana") == 90


@pytest.mark.rule("ESAM-IV", "AMB-ESAM-02", "AMB-ESAM-03")
@pytest.mark.parametrize(
    ("amount", "edge"),
    [
        (2, Fraction(1, 74)),
        (3, Fraction(1, 111)),
        (5, Fraction(2, 185)),
        (7, Fraction(3, 259)),
        (100, Fraction(1, 74)),
    ],
)
@pytest.mark.parametrize("chance", CHANCES)
def test_esam_iv_the_edge_of_a_simple_chance(chance: str, amount: int, edge: Fraction) -> None:
    hands = (settle_line("esam", out, f"{chance}:{amount}").hand for out in range(37))
    assert 1 - Fraction(sum(hands), 37 * amount) == edge
