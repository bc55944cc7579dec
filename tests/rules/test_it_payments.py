"""Italy, the payments: what each combination wins, and the order in which the croupier pays."""

from fractions import Fraction
from itertools import permutations

import pytest

from novamas.game.cloth import SpotClass, spot
from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.game.stakes import Stake
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import ChipsBought, WinnersPaid
from novamas.table.state import Phase, Setup
from tests.rules.helpers import Table, coup, opened, pieces, settle_line, settled, stakes

VALUE = ChipKind.VALUE


# What a combination wins --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "pocket", "won", "article"),
    [
        pytest.param("17:1", 17, 35, "IT-pay-1", marks=pytest.mark.rule("IT-pay-1")),
        pytest.param("17/20:2", 20, 34, "IT-pay-2", marks=pytest.mark.rule("IT-pay-2")),
        pytest.param("25/29:3", 28, 24, "IT-pay-3", marks=pytest.mark.rule("IT-pay-3")),
        pytest.param("0/1/2/3:5", 3, 40, "IT-pay-4", marks=pytest.mark.rule("IT-pay-4")),
        pytest.param("16/18:4", 16, 44, "IT-pay-5", marks=pytest.mark.rule("IT-pay-5")),
        pytest.param("13/18:5", 18, 25, "IT-pay-6", marks=pytest.mark.rule("IT-pay-6")),
        pytest.param("d2:5", 24, 10, "IT-pay-7", marks=pytest.mark.rule("IT-pay-7")),
        pytest.param("c1:5", 34, 10, "IT-pay-8", marks=pytest.mark.rule("IT-pay-8")),
        *(
            pytest.param(bet, pocket, 5, "IT-pay-9", marks=pytest.mark.rule("IT-pay-9"))
            for bet, pocket in (
                ("even:5", 32),
                ("odd:5", 11),
                ("low:5", 18),
                ("high:5", 19),
                ("red:5", 9),
                ("black:5", 11),
            )
        ),
    ],
)
def test_it_pay_so_many_times_the_stake(bet: str, pocket: int, won: int, article: str) -> None:
    line = settle_line("it", pocket, bet)
    amount = int(bet.rsplit(":", 1)[1])
    assert (line.won, line.returned, line.lost) == (won, amount, 0)
    assert article in line.articles


@pytest.mark.rule("X-01")
def test_it_x_01_the_winnings_come_on_top_of_the_stake() -> None:
    line = settle_line("it", 17, "17:1")
    assert (line.won, line.returned, line.hand) == (35, 1, 36)


@pytest.mark.rule("IT-pay-4", "IT-bet-6")
def test_it_pay_4_the_first_four_and_another_corner_cite_articles_of_their_own() -> None:
    first_four = settle_line("it", 1, "0/1/2/3:5").articles
    corner = settle_line("it", 1, "1/5:5").articles
    assert {"IT-pay-4", "IT-bet-6"} <= set(first_four) - set(corner)
    assert "IT-bet-5" in corner
    assert "IT-bet-5" not in first_four


@pytest.mark.rule("IT-gioco-6c")
@pytest.mark.parametrize(("chips", "chip", "won"), [(5, 2, 170), (5, 1, 85), (10, 2, 340)])
def test_it_gioco_6c_a_win_is_in_proportion_to_the_chips_and_their_value(
    chips: int, chip: int, won: int
) -> None:
    table = opened("it", {"ana": 100}, chips={"ana": chip})
    table.stake("ana", f"17/20:{chips * chip}")
    assert coup(table, 17).of("ana").won == won
    assert table.state.bank == -won


@pytest.mark.rule("IT-pez-1")
@pytest.mark.parametrize("chips", range(5, 101, 5))
def test_it_pez_1_the_table_of_payments_for_five_to_a_hundred_chips(chips: int) -> None:
    won = [
        settle_line("it", 17, f"{name}:{chips}").won
        for name in ("17", "17/20", "16/18", "17/21", "13/18")
    ]
    assert won == PEZZI[chips]


# Chips on one spot; pieno, cavallo, terzina, carré, sestina.
PEZZI = {
    5: [175, 85, 55, 40, 25],
    10: [350, 170, 110, 80, 50],
    15: [525, 255, 165, 120, 75],
    20: [700, 340, 220, 160, 100],
    25: [875, 425, 275, 200, 125],
    30: [1050, 510, 330, 240, 150],
    35: [1225, 595, 385, 280, 175],
    40: [1400, 680, 440, 320, 200],
    45: [1575, 765, 495, 360, 225],
    50: [1750, 850, 550, 400, 250],
    55: [1925, 935, 605, 440, 275],
    60: [2100, 1020, 660, 480, 300],
    65: [2275, 1105, 715, 520, 325],
    70: [2450, 1190, 770, 560, 350],
    75: [2625, 1275, 825, 600, 375],
    80: [2800, 1360, 880, 640, 400],
    85: [2975, 1445, 935, 680, 425],
    90: [3150, 1530, 990, 720, 450],
    95: [3325, 1615, 1045, 760, 475],
    100: [3500, 1700, 1100, 800, 500],
}


@pytest.mark.rule("IT-pay-1", "IT-pay-2", "IT-pay-3", "IT-pay-4", "IT-pay-5", "IT-pay-6")
@pytest.mark.rule("IT-pay-7", "IT-pay-8", "IT-gioco-12", "IT-gioco-13")
def test_it_pay_every_combination_but_the_simple_chances_costs_one_in_thirty_seven() -> None:
    for place in load("it").terms:
        if place.kind is not SpotClass.SIMPLE:
            lines = [settle_line("it", pocket, f"{place.name}:1") for pocket in range(37)]
            cost = Fraction(sum(line.lost - line.won for line in lines), 37)
            assert cost == Fraction(1, 37), place


@pytest.mark.rule("IT-gioco-8a", "IT-gioco-9")
def test_it_gioco_9_a_losing_stake_is_collected_whole_and_cites_its_article() -> None:
    line = settle_line("it", 18, "17:5")
    assert (line.won, line.returned, line.lost) == (0, 0, 5)
    assert line.articles == ("IT-bet-1", "IT-gioco-9")


# What the winner keeps ----------------------------------------------------------------------------


@pytest.mark.rule("IT-general-11", "X-02")
def test_it_general_11_unless_set_otherwise_a_winning_stake_stays_and_plays_on() -> None:
    assert Setup.usual(load("it")).winning is Winning.CLOTH
    table = opened("it", {"ana": 100}, winning=Setup.usual(load("it")).winning)
    (id,) = table.stake("ana", "17:5")
    assert coup(table, 17).of("ana").won == 175
    assert (table.purse("ana"), table.state.stakes[id].amount) == (270, 5)
    assert coup(table, 17).of("ana").won == 175
    assert coup(table, 18).of("ana").lost == 5
    assert table.purse("ana") == 445
    assert "IT-general-11" in settle_line("it", 17, "17:5").articles


@pytest.mark.rule("X-02")
def test_it_x_02_a_table_set_so_gives_the_winning_stake_back_to_the_hand() -> None:
    table = opened("it", {"ana": 100}, winning=Winning.HAND)
    table.stake("ana", "17:5")
    coup(table, 17)
    assert table.purse("ana") == 275
    assert not table.state.stakes


@pytest.mark.rule("IT-general-11")
def test_it_general_11_after_the_payments_the_winner_moves_or_withdraws_his_stake() -> None:
    table = opened("it", {"ana": 100}, winning=Winning.CLOTH)
    moved, withdrawn = table.stake("ana", "17:3 17/20:2")
    coup(table, 17)
    table.act(commands.MoveStake(by="ana", id=moved, on="18"))
    table.act(commands.WithdrawStake(by="ana", id=withdrawn))
    assert table.state.stakes[moved].spot is spot("18")
    assert table.purse("ana") == 100 - 5 + 3 * 35 + 2 * 17 + 2


# The order of payment -----------------------------------------------------------------------------


def order(*hands: list[Stake], pocket: int = 32) -> list[str]:
    """The names of the spots in the order in which they are paid."""
    paid = payments(load("it"), settled("it", pocket, *hands))
    return [f"{line.stake.player} {line.stake.spot.name}" for each in paid for line in each.lines]


@pytest.mark.rule("IT-gioco-10")
def test_it_gioco_10_columns_then_simple_chances_then_dozens_then_the_numbers() -> None:
    on_numbers = "32/35:1 31/36:1 32:1 31/33:1 32/36:1"
    laid = stakes(f"{on_numbers} d3:5 red:5 even:5 c2:5")
    assert order(laid) == [
        *("ana c2", "ana red", "ana even", "ana d3"),
        *("ana 32/35", "ana 31/36", "ana 32", "ana 31/33", "ana 32/36"),
    ]


@pytest.mark.rule("IT-gioco-10")
@pytest.mark.parametrize(
    ("first", "second"), list(permutations(["32", "32/35", "31/33", "32/36", "31/36"], 2))
)
def test_it_gioco_10_no_class_on_the_numbers_comes_before_another(first: str, second: str) -> None:
    assert order(stakes(f"{first}:5 {second}:5")) == [f"ana {first}", f"ana {second}"]


@pytest.mark.rule("IT-gioco-11")
def test_it_gioco_11_on_the_numbers_value_chips_are_paid_last() -> None:
    value = stakes("32:1 d3:5", player="val", kind=VALUE)
    assert order(value, stakes("32/35:5 c2:5")) == ["ana c2", "val d3", "ana 32/35", "val 32"]


@pytest.mark.rule("IT-gioco-11")
def test_it_gioco_11_value_chips_among_those_of_a_colour_wait_for_every_other_colour() -> None:
    mixed = [
        Stake("a1", "ana", spot("32"), 5, kind=VALUE),
        Stake("a2", "ana", spot("31/33"), 5),
    ]
    paid = payments(load("it"), settled("it", 32, mixed, stakes("32/36:5", player="ben")))
    assert [(each.player, each.won) for each in paid] == [("ana", 55), ("ben", 40), ("ana", 175)]
    assert "IT-gioco-11" in paid[-1].articles
    assert "IT-gioco-11" not in paid[0].articles


@pytest.mark.rule("IT-gioco-3")
def test_it_gioco_3_what_a_colour_has_won_on_the_numbers_is_paid_in_one_sum() -> None:
    later = Stake("later", "ana", spot("17/20"), 2)
    settlement = settled("it", 17, "17:1", stakes("17:5", player="ben"), [later])
    paid = payments(load("it"), settlement)
    assert [(each.player, each.won) for each in paid] == [("ana", 69), ("ben", 175)]
    assert "IT-gioco-3" in paid[0].articles


@pytest.mark.rule("IT-gioco-3")
def test_it_gioco_3_the_pieces_of_an_announcement_are_paid_with_the_rest_of_the_colour() -> None:
    settlement = settled("it", 17, "17:1", pieces("it", "orphelins", 5))
    (paid,) = payments(load("it"), settlement)
    assert paid.won == 35 + 34


@pytest.mark.rule("IT-gioco-3", "IT-gioco-10")
def test_it_gioco_3_the_boxes_are_paid_one_by_one_even_to_one_player() -> None:
    paid = payments(load("it"), settled("it", 32, "c2:5 red:5 even:5 d3:5"))
    assert [each.won for each in paid] == [10, 5, 5, 10]


@pytest.mark.rule("IT-gioco-3", "IT-gioco-10")
def test_it_gioco_10_the_croupier_pays_one_payment_after_the_other() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    table.stake("ana", "17:3 17/20:2 c2:5")
    table.stake("ben", "17:5")
    table.pocket(17)
    table.call()
    table.collect()
    purses = []
    while table.state.phase is Phase.PAYING:
        table.act(commands.PayNext(by="croupier-1"))
        assert table.last(WinnersPaid).payments == 1
        purses.append((table.purse("ana"), table.purse("ben")))
    assert purses == [(105, 95), (105 + 144, 95), (249, 275)]


# What a chip is worth -----------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-4a", "IT-general-1")
def test_it_gioco_4a_all_chips_of_a_table_have_its_value_unless_otherwise_said() -> None:
    table: Table = opened("it", {"ana": 100, "ben": 100, "eva": 100}, chip=5, chips={"eva": 10})
    assert [table.state.players[name].chip for name in ("ana", "ben", "eva")] == [5, 5, 10]
    assert table.last(ChipsBought).chip == 10
