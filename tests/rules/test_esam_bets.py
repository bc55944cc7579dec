"""Spain, American roulette: the bets of the cloth, what each covers and what each wins."""

from fractions import Fraction
from itertools import pairwise

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import SpotClass, spot
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.wheel import BLACK, EUROPEAN, NUMBERS, RED
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.alike import (
    check_edges,
    check_loser,
    check_not_announced,
    check_not_on_the_cloth,
    check_winner,
)
from tests.rules.helpers import (
    SINGLE_SPOTS,
    back,
    case,
    coup,
    opened,
    place,
    refused,
    settle_line,
    spots_offered,
)

rule = pytest.mark.rule


# What is won and lost -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("ESAM-01.1.a X-01", "0:1", 0, 35),
        case("ESAM-01.1.a", "36:2", 36, 70),
        case("ESAM-01.1.b", "0/2:1", 0, 17),
        case("ESAM-01.1.b", "17/20:10", 20, 170),
        case("ESAM-01.1.c", "16/18:10", 17, 110),
        case("ESAM-01.1.c AMB-ESAM-01", "0/2/3:2", 0, 22),
        case("ESAM-01.1.c AMB-ESAM-01", "0/1/2:2", 1, 22),
        case("ESAM-01.1.d", "25/29:5", 28, 40),
        case("ESAM-01.1.d AMB-ESAM-01", "0/1/2/3:5", 0, 40),
        case("ESAM-01.1.e", "31/36:2", 32, 10),
        case("ESAM-01.1.f", "c2:5", 32, 10),
        case("ESAM-01.1.g", "d3:5", 32, 10),
        case("ESAM-01.1.h", "c2+c3:9", 3, 5),
        case("ESAM-01.1.h", "c1+c2:100", 1, 50),
        case("ESAM-01.1.i ESAM-0", "d2+d3:4", 32, 2),
        case("ESAM-01.1.i ESAM-0", "d1+d2:100", 24, 50),
        case("ESAM-01.1.s", "high:5", 32, 5),
        case("ESAM-01.1.s", "low:5", 18, 5),
        case("ESAM-01.1.s", "even:5", 36, 5),
        case("ESAM-01.1.s", "odd:5", 1, 5),
        case("ESAM-01.1.s", "red:5", 19, 5),
        case("ESAM-01.1.s", "black:5", 29, 5),
    ],
)
def test_esam_1_a_winner_is_paid_and_keeps_the_stake(bet: str, out: int, won: int) -> None:
    check_winner("esam", out, bet, won)


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("ESAM-01.1.a", "0:2", 1),
        case("ESAM-01.1.b", "0/3:10", 2),
        case("ESAM-01.1.c", "16/18:10", 19),
        case("ESAM-01.1.c AMB-ESAM-01", "0/2/3:10", 1),
        case("ESAM-01.1.d", "25/29:10", 27),
        case("ESAM-01.1.d AMB-ESAM-01", "0/1/2/3:10", 4),
        case("ESAM-01.1.e", "31/36:6", 30),
        case("ESAM-01.1.f", "c2:5", 0),
        case("ESAM-01.1.f", "c2:5", 34),
        case("ESAM-01.1.g", "d3:5", 0),
        case("ESAM-01.1.g", "d3:5", 24),
        case("ESAM-01.1.h", "c2+c3:9", 0),
        case("ESAM-01.1.h", "c2+c3:9", 13),
        case("ESAM-01.1.i", "d2+d3:4", 0),
        case("ESAM-01.1.i", "d2+d3:4", 12),
        case("ESAM-01.1.s", "high:5", 18),
        case("ESAM-01.1.s", "red:5", 29),
    ],
)
def test_esam_1_a_loser_loses_the_whole_stake(bet: str, out: int) -> None:
    assert "ESAM-01.3.c" in check_loser("esam", out, bet).articles


@pytest.mark.parametrize(
    ("bet", "out", "articles"),
    [
        case("ESAM-01.1.a", "17", 17, ("ESAM-01.1.a",)),
        case("ESAM-01.1.b", "17/20", 17, ("ESAM-01.1.b",)),
        case("ESAM-01.1.c", "16/18", 17, ("ESAM-01.1.c",)),
        case("AMB-ESAM-01", "0/2/3", 0, ("ESAM-01.1.c", "AMB-ESAM-01")),
        case("ESAM-01.1.d", "25/29", 26, ("ESAM-01.1.d",)),
        case("AMB-ESAM-01", "0/1/2/3", 0, ("ESAM-01.1.d", "AMB-ESAM-01")),
        case("ESAM-01.1.e", "13/18", 17, ("ESAM-01.1.e",)),
        case("ESAM-01.1.f", "c2", 17, ("ESAM-01.1.f",)),
        case("ESAM-01.1.g", "d2", 17, ("ESAM-01.1.g",)),
        case("AMB-ESAM-04", "c2+c3", 17, ("ESAM-0", "ESAM-01.1.h", "AMB-ESAM-04")),
        case("ESAM-01.1.i", "d1+d2", 17, ("ESAM-0", "ESAM-01.1.i")),
        case("ESAM-01.1.s", "odd", 17, ("ESAM-01.1.s",)),
    ],
)
def test_esam_1_every_payment_cites_its_article(
    bet: str, out: int, articles: tuple[str, ...]
) -> None:
    assert settle_line("esam", out, f"{bet}:2").articles == (*articles, "ESAM-01.1.k")


@rule("ESAM-01.1.k", "X-01")
def test_esam_1_k_a_winner_keeps_the_bet_and_may_take_it_off() -> None:
    assert back([settle_line("esam", 17, "17:1")]) == 36
    table = opened("esam", {"ana": 100}, winning="cloth")
    table.stake("ana", "17:1")
    coup(table, 17)
    assert (table.purse("ana"), table.state.on_cloth) == (134, 1)
    table.act(commands.WithdrawStake(by="ana", id="s1"))
    assert (table.purse("ana"), table.state.on_cloth) == (135, 0)


# Odd sums -----------------------------------------------------------------------------------------


@rule("ESAM-01.1.h", "ESAM-01.1.i", "AMB-X-03", "X-03")
@pytest.mark.parametrize("double", ["c2+c3", "d2+d3"])
@pytest.mark.parametrize(("amount", "won"), [(1, 1), (5, 3), (9, 5), (10, 5)])
def test_amb_x_03_the_odd_unit_of_half_a_gain_is_the_players(
    double: str, amount: int, won: int
) -> None:
    line = settle_line("esam", 14, f"{double}:{amount}")
    assert line.won == won
    assert ("AMB-X-03" in line.articles) == bool(amount % 2)


@rule("AMB-X-03")
def test_amb_x_03_a_single_unit_on_two_dozens_gives_the_player_an_edge_of_11_in_37() -> None:
    returned = sum(back([settle_line("esam", out, "d1+d2:1")]) for out in EUROPEAN)
    assert Fraction(returned, 37) - 1 == Fraction(11, 37)


# The cloth and the wheel --------------------------------------------------------------------------


@rule("ESAM-S1", "ESAM-0")
def test_esam_s1_the_cloth_has_every_spot_of_the_numbers_and_four_doubles() -> None:
    found = spots_offered("esam")
    assert found == {**SINGLE_SPOTS, "straddle": 4}
    assert len(load("esam").terms) == 157 + 4


@rule("ESAM-I.a")
def test_esam_i_a_all_simple_chances_are_on_one_side_of_the_cloth() -> None:
    book = load("esam")
    assert book.cloth.drawing is Drawing.AMERICAN
    drawn = layout(book)
    sides = {
        drawn.boxes_of(spot(name))[0].rect.left < 3
        for name in ("low", "high", "red", "black", "even", "odd", "d1", "d2", "d3")
    }
    assert len(sides) == 1
    chances = [each for each in book.terms if each.kind is SpotClass.SIMPLE]
    chances.sort(key=lambda each: drawn.boxes_of(each)[0].rect.top)
    assert [each.name for each in chances] == ["low", "even", "red", "black", "odd", "high"]


@rule("ESAM-01.II.a")
def test_esam_ii_a_the_wheel_has_37_pockets_in_two_colours_by_turns_and_a_zero() -> None:
    pockets = load("esam").wheel.pockets
    assert len(pockets) == 37
    colours = [number in RED for number in pockets.order[1:]]
    assert all(one != other for one, other in pairwise(colours))
    for chance in ("red", "black"):
        assert settle_line("esam", 0, f"{chance}:2").won == 0


@rule("ESAM-01.II.a")
def test_esam_ii_a_there_is_no_double_zero() -> None:
    table = opened("esam", {"ana": 100})
    refusal = refused(table, place("ana", "00:5"))
    assert refusal.why in (RefusalReason.NO_SUCH_SPOT, RefusalReason.SPOT_NOT_ON_THIS_CLOTH)
    assert refusal.articles == ("ESAM-01.1.0",)
    table.close()
    pocket = commands.PocketBall(by="croupier-1", number="00")
    refusal = refused(table, pocket)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NUMBER_NOT_ON_THE_WHEEL,
        ("ESAM-01.II.a", "ESAM-01.II.b"),
    )


@rule("ESAM-01.II.b")
def test_esam_ii_b_the_colours_follow_the_digits_and_no_two_consecutive_numbers_adjoin() -> None:
    order = load("esam").wheel.pockets.order
    black = {n for n in NUMBERS if sum(map(int, str(n))) % 2 == 0} - {19} | {10, 29}
    assert black == BLACK
    for one, other in zip(order, (*order[1:], order[0]), strict=True):
        assert abs(int(one) - int(other)) != 1


@rule("ESAM-01.1.0")
@pytest.mark.parametrize("name", ["37", "3/4", "17/19", "0/1/3", "0/00", "0/00/1/2/3"])
def test_esam_1_0_what_is_not_listed_is_not_played(name: str) -> None:
    assert check_not_on_the_cloth("esam", name) == ("ESAM-01.1.0",)


@rule("ESAM-01.1.0", "ESAM-01.1.h", "ESAM-01.1.i")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("c1+c3", RefusalReason.NO_SUCH_SPOT),
        ("d1+d3", RefusalReason.NO_SUCH_SPOT),
        ("low+d3", RefusalReason.SPOT_NOT_ON_THIS_CLOTH),
    ],
)
def test_esam_1_0_only_two_dozens_or_columns_that_adjoin_make_a_double(
    name: str, why: RefusalReason
) -> None:
    refusal = refused(opened("esam", {"ana": 100}), place("ana", f"{name}:10"))
    expected = ("ESAM-01.1.0", "ESAM-01.1.h", "ESAM-01.1.i")
    assert (refusal.why, refusal.articles) == (why, expected)


@rule("ESAM-01.1.0")
@pytest.mark.parametrize("call", ["voisins", "tiers", "17~2", "f4"])
def test_esam_1_0_there_are_no_announcements(call: str) -> None:
    check_not_announced("esam", call, ("ESAM-01.1.0",))


@rule("ESAM-0", "AMB-ESAM-04")
@pytest.mark.parametrize(
    ("double", "count"), [("c1+c2", 24), ("c2+c3", 24), ("d1+d2", 24), ("d2+d3", 24)]
)
def test_esam_0_the_doubles_of_the_ruleta_are_played_here_too(double: str, count: int) -> None:
    covers = {out for out in EUROPEAN if settle_line("esam", out, f"{double}:2").won}
    assert len(covers) == count
    # Under the heading of the columns the order means columns.
    one, other = (spot(box) for box in double.split("+"))
    assert covers == one.numbers | other.numbers


@rule("ESAM-01.1.a", "ESAM-01.1.b", "ESAM-01.1.c", "ESAM-01.1.d", "ESAM-01.1.e", "ESAM-01.1.f")
@rule("ESAM-01.1.g", "ESAM-01.1.h", "ESAM-01.1.i", "AMB-ESAM-01")
def test_esam_1_every_bet_that_is_not_simple_gives_the_house_one_in_37() -> None:
    check_edges("esam", of_multiples=Fraction(1, 37))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        case("ESAM-01.1.a", "straight", "pleno"),
        case("ESAM-01.1.b", "split", "pareja"),
        case("ESAM-01.1.c", "street", "fila transversal"),
        case("ESAM-01.1.d", "corner", "cuadro"),
        case("ESAM-01.1.e", "sixline", "seisena"),
        case("ESAM-01.1.f", "c1", "primera columna"),
        case("ESAM-01.1.g", "d3", "tercera docena"),
        case("ESAM-01.1.h", "c1+c2", "primera y segunda columna"),
        case("ESAM-01.1.i", "d2+d3", "segunda y tercera docena"),
        case("ESAM-01.1.s", "low", "falta"),
        case("ESAM-01.1.s", "high", "pasa"),
    ],
)
def test_esam_1_the_bets_have_the_words_of_the_ruleta(name: str, word: str) -> None:
    assert load("esam").word(name) == word
