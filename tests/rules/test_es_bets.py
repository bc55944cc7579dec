"""Spain, article 7: the bets of the cloth, what each covers, what each wins, what it is called."""

from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import EUROPEAN, SPOTS, Point, spot
from novamas.game.house_words import Words
from novamas.rulebooks import load
from novamas.table.refusals import RefusalReason
from tests.rules.alike import check_edges, check_loser, check_simple_chance, check_winner
from tests.rules.helpers import (
    SINGLE_SPOTS,
    back,
    case,
    coup,
    opened,
    place,
    refused,
    settle_line,
    settled,
    spots_offered,
)

rule = pytest.mark.rule


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("ES-7.1.a X-01", "0:2", 0, 70),
        case("ES-7.1.a", "36:1", 36, 35),
        case("ES-7.1.b", "0/3:10", 3, 170),
        case("ES-7.1.b", "17/20:10", 20, 170),
        case("ES-7.1.c1", "16/18:10", 17, 110),
        case("ES-7.1.c2", "0/1/2:10", 0, 110),
        case("ES-7.1.c2", "0/2/3:10", 3, 110),
        case("ES-7.1.d1", "25/29:10", 26, 80),
        case("ES-7.1.d2 AMB-ES-01", "0/1/2/3:10", 0, 80),
        case("ES-7.1.d2", "0/1/2/3:10", 3, 80),
        case("ES-7.1.e", "31/36:6", 36, 30),
        case("ES-7.1.f", "c2:10", 35, 20),
        case("ES-7.1.g", "d3:10", 25, 20),
        case("ES-7.1.h", "c2+c3:100", 14, 50),
        case("ES-7.1.h", "c1+c2:100", 1, 50),
        case("ES-7.1.i", "d2+d3:100", 14, 50),
        case("ES-7.1.i", "d1+d2:100", 24, 50),
        case("ES-7.2.a5", "red:100", 9, 100),
    ],
)
def test_es_7_a_winner_is_paid_and_keeps_the_stake(bet: str, out: int, won: int) -> None:
    check_winner("es", out, bet, won)


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("ES-7.1.a", "0:2", 1),
        case("ES-7.1.b", "0/3:10", 2),
        case("ES-7.1.c1", "16/18:10", 19),
        case("ES-7.1.c2", "0/1/2:10", 3),
        case("ES-7.1.c2", "0/2/3:10", 1),
        case("ES-7.1.d1", "25/29:10", 27),
        case("ES-7.1.d2", "0/1/2/3:10", 4),
        case("ES-7.1.e", "31/36:6", 30),
        case("ES-7.1.f", "c2:10", 0),
        case("ES-7.1.f", "c2:10", 34),
        case("ES-7.1.g", "d3:10", 0),
        case("ES-7.1.g", "d3:10", 24),
        case("ES-7.1.h", "c2+c3:100", 0),
        case("ES-7.1.h", "c2+c3:100", 13),
        case("ES-7.1.i", "d2+d3:5", 0),
        case("ES-7.1.i", "d2+d3:5", 12),
        case("ES-7.2.a2", "red:100", 8),
    ],
)
def test_es_7_a_loser_loses_the_whole_stake(bet: str, out: int) -> None:
    assert "ES-G.10" in check_loser("es", out, bet).articles


@rule("ES-7.1.c2")
def test_es_7_1_c2_both_zero_streets_hold_zero_but_only_one_holds_3() -> None:
    assert settled("es", 0, "0/1/2:10 0/2/3:10").bank == -220
    assert settled("es", 3, "0/1/2:10 0/2/3:10").bank == -110 + 10


@pytest.mark.parametrize(
    ("bet", "out", "articles"),
    [
        case("ES-7.1.a", "17", 17, ("ES-7.1.a",)),
        case("ES-7.1.b", "17/20", 17, ("ES-7.1.b",)),
        case("ES-7.1.c1", "16/18", 17, ("ES-7.1.c1",)),
        case("ES-7.1.c2", "0/2/3", 0, ("ES-7.1.c2", "ES-7.1.c1")),
        case("ES-7.1.d1", "25/29", 26, ("ES-7.1.d1",)),
        case("ES-7.1.d2 AMB-ES-01", "0/1/2/3", 0, ("ES-7.1.d2", "AMB-ES-01", "ES-7.1.d1")),
        case("ES-7.1.e", "13/18", 17, ("ES-7.1.e",)),
        case("ES-7.1.f", "c2", 17, ("ES-7.1.f",)),
        case("ES-7.1.g", "d2", 17, ("ES-7.1.g",)),
        case("ES-7.1.h", "c2+c3", 17, ("ES-7.1.h",)),
        case("ES-7.1.i", "d1+d2", 17, ("ES-7.1.i",)),
        case("ES-7.2.a1", "odd", 17, ("ES-7.2.a1", "ES-7.2.a5")),
        case("ES-7.2.a2", "black", 17, ("ES-7.2.a2", "ES-7.2.a5")),
        case("ES-7.2.a3", "low", 17, ("ES-7.2.a3", "ES-7.2.a5")),
        case("ES-7.2.a4", "high", 19, ("ES-7.2.a4", "ES-7.2.a5")),
    ],
)
def test_es_7_every_payment_cites_its_article(
    bet: str, out: int, articles: tuple[str, ...]
) -> None:
    assert settle_line("es", out, f"{bet}:2").articles == (*articles, "ES-7.2.a6")


# What the bets cover ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "wins_first", "wins_last", "loses"),
    [
        case("ES-7.2.a1", "even", 2, 36, (1, 35, 0)),
        case("ES-7.2.a1", "odd", 1, 35, (2, 36, 0)),
        case("ES-7.2.a2", "red", 1, 36, (2, 29, 35, 0)),
        case("ES-7.2.a2", "black", 2, 35, (1, 19, 36, 0)),
        case("ES-7.2.a3", "low", 1, 18, (19, 36, 0)),
        case("ES-7.2.a4", "high", 19, 36, (1, 18, 0)),
    ],
)
def test_es_7_2_a_the_simple_bets_cover_eighteen_numbers_and_not_zero(
    chance: str, wins_first: int, wins_last: int, loses: tuple[int, ...]
) -> None:
    check_simple_chance("es", chance, first=wins_first, last=wins_last, loses=loses)


@rule("ES-7.2.a2")
def test_es_7_2_a2_19_is_rojo() -> None:
    assert settle_line("es", 19, "red:10").won == 10
    assert settle_line("es", 19, "black:10").lost == 10


@rule("ES-7.1.f", "ES-7.1.g", "ES-7.1.h", "ES-7.1.i")
@pytest.mark.parametrize(("bet", "count"), [("c1", 12), ("d1", 12), ("c1+c2", 24), ("d2+d3", 24)])
def test_es_7_1_columns_and_dozens_have_twelve_numbers_and_doubles_both_of_theirs(
    bet: str, count: int
) -> None:
    won = [out for out in range(37) if settle_line("es", out, f"{bet}:2").won]
    assert len(won) == count
    assert 0 not in won


@rule("ES-7.1.a", "ES-7.1.b", "ES-7.1.c1", "ES-7.1.c2", "ES-7.1.d1", "ES-7.1.d2", "ES-7.1.e")
def test_es_7_1_the_cloth_has_every_spot_of_the_numbers() -> None:
    assert spots_offered("es") == {**SINGLE_SPOTS, "straddle": 4}


@rule("ES-7.1.a")
@pytest.mark.parametrize("name", ["37", "-1", "3/4", "17/19", "0/1/3", "17/22"])
def test_es_7_1_a_what_is_not_marked_on_the_cloth_is_refused(name: str) -> None:
    table = opened("es", {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_SUCH_SPOT, ("ES-7.1.a",))


@rule("ES-7.1.h", "ES-7.1.i", "AMB-ES-13")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("c1+c3", RefusalReason.NO_SUCH_SPOT),
        ("d1+d3", RefusalReason.NO_SUCH_SPOT),
        ("low+d3", RefusalReason.SPOT_NOT_ON_THIS_CLOTH),
    ],
)
def test_es_7_1_h_only_two_that_adjoin_make_a_double(name: str, why: RefusalReason) -> None:
    table = opened("es", {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:10"))
    assert (refusal.why, refusal.articles) == (why, ("ES-7.1.h", "ES-7.1.i", "AMB-ES-13"))
    assert table.purse("ana") == 100


# What is won --------------------------------------------------------------------------------------


@rule("ES-7.2.a6", "AMB-ES-10", "X-01")
def test_es_7_2_a6_the_winner_of_a_pleno_keeps_his_chip_too() -> None:
    line = settle_line("es", 17, "17:1")
    assert (line.won, back([line])) == (35, 36)
    assert "ES-7.2.a6" in line.articles


@rule("ES-7.1.h", "ES-7.1.i", "AMB-ES-05")
@pytest.mark.parametrize("double", ["c2+c3", "d2+d3"])
def test_es_7_1_h_half_of_an_odd_number_of_chips_is_exact(double: str) -> None:
    # Five chips of a hundred units win two and a half: nothing is rounded for the bank.
    line = settle_line("es", 14, f"{double}:500")
    assert (line.won, line.hand) == (250, 750)


@rule("X-03")
def test_x_03_the_odd_unit_of_a_half_is_the_players() -> None:
    assert settle_line("es", 14, "d2+d3:5").won == 3
    line = settle_line("es", 0, "even:5", last=True)
    assert (line.returned, line.lost) == (3, 2)


@rule("X-03")
def test_x_03_a_live_table_has_a_chip_that_halves_evenly_and_breaks_none() -> None:
    table = opened("es", {"ana": 100}, chip=10, live=True)
    refusal = refused(table, place("ana", "d2+d3:15"))
    assert refusal.why is RefusalReason.NOT_WHOLE_CHIPS
    with pytest.raises(AssertionError, match="chip must halve evenly"):
        opened("es", {}, chip=5, live=True)


@rule("ES-7.1.a", "ES-7.1.b", "ES-7.1.c1", "ES-7.1.c2", "ES-7.1.d1", "ES-7.1.d2", "ES-7.1.e")
@rule("ES-7.1.f", "ES-7.1.g", "ES-7.1.h", "ES-7.1.i", "AMB-ES-01")
def test_es_7_1_every_bet_that_is_not_simple_gives_the_house_one_in_37() -> None:
    # With 1, 2 and 3 alone the four first would give 10/37 (AMB-ES-01).
    # With 1, 2 and 3 alone the four first would give 10/37 (AMB-ES-01).
    check_edges("es", of_multiples=Fraction(1, 37))


# The cloth as it is drawn -------------------------------------------------------------------------


@rule("ES-7.1.d2", "AMB-ES-02")
@pytest.mark.parametrize("x", [0, 6])
def test_es_7_1_d2_the_four_first_lie_at_either_end_of_the_line_of_zero(x: int) -> None:
    assert EUROPEAN.at_point(Point(x, 0)) == (spot("0/1/2/3"),)
    assert spot("0/1/2/3").numbers == {0, 1, 2, 3}


@rule("ES-7.1.d2", "AMB-ES-02")
def test_es_7_1_d2_pasa_and_falta_touch_the_line_of_zero_on_either_side() -> None:
    drawn = layout(load("es"))
    corners = {
        name: {point for box in drawn.boxes_of(SPOTS[name]) for point in box.outline}
        for name in ("0", "high", "low")
    }
    assert corners["0"] & corners["high"] == {Point(0, 0)}
    assert corners["0"] & corners["low"] == {Point(6, 0)}


@rule("ES-7.1.c1")
def test_es_7_1_c1_the_rows_lie_between_the_two_flanks_of_simple_bets() -> None:
    drawn = layout(load("es"))
    flanks: dict[float, list[str]] = {}
    for name in ("low", "high", "red", "black", "even", "odd"):
        (box,) = drawn.boxes_of(SPOTS[name])
        side = 0 if box.rect.right == 0 else 6
        assert box.rect.right == 0 or box.rect.left == 6, name
        flanks.setdefault(side, []).append(name)
        flanks[side].sort(key=lambda each: drawn.boxes_of(SPOTS[each])[0].rect.top)
    assert flanks == {0: ["high", "even", "black"], 6: ["low", "odd", "red"]}
    # A chip on a row lies on the line between it and a flank, at the middle of the row.
    assert drawn.points(SPOTS["16/18"]) == (Point(0, 11), Point(6, 11))


@rule("ES-7.1.c2")
def test_es_7_1_c2_the_zero_streets_lie_where_their_three_numbers_meet() -> None:
    assert EUROPEAN.at_point(Point(2, 0)) == (spot("0/1/2"),)
    assert EUROPEAN.at_point(Point(4, 0)) == (spot("0/2/3"),)


# The words of the house ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("ES-7.1.a", "straight", ["pleno", "número entero"]),
        case("ES-7.1.b", "split", ["pareja", "caballo"]),
        case("ES-7.1.c1", "street", ["fila transversal"]),
        case("ES-7.1.d1", "corner", ["cuadro"]),
        case("ES-7.1.d2", "0/1/2/3", ["cuatro primeros"]),
        case("ES-7.1.e", "sixline", ["seisena", "doble fila", "doble fila transversal"]),
        case("ES-7.1.f", "column", ["columna"]),
        case("ES-7.1.f", "c1", ["primera columna"]),
        case("ES-7.1.f", "c2", ["segunda columna"]),
        case("ES-7.1.f", "c3", ["tercera columna"]),
        case("ES-7.1.g", "dozen", ["docena"]),
        case("ES-7.1.g", "d1", ["primera docena"]),
        case("ES-7.1.g", "d2", ["segunda docena"]),
        case("ES-7.1.g", "d3", ["tercera docena"]),
        case("ES-7.1.h ES-7.1.i", "straddle", ["a caballo"]),
        case("ES-7.1.h", "c1+c2", ["primera y segunda columna"]),
        case("ES-7.1.h", "c2+c3", ["segunda y tercera columna"]),
        case("ES-7.1.i", "d1+d2", ["primera y segunda docena"]),
        case("ES-7.1.i", "d2+d3", ["segunda y tercera docena"]),
        case("ES-7.2.a5", "simple", ["suerte sencilla"]),
        case("ES-7.2.a1", "even", ["par"]),
        case("ES-7.2.a1", "odd", ["impar"]),
        case("ES-7.2.a2", "red", ["rojo"]),
        case("ES-7.2.a2", "black", ["negro"]),
        case("ES-7.2.a3", "low", ["falta"]),
        case("ES-7.2.a4", "high", ["pasa"]),
    ],
)
def test_es_7_the_bets_are_called_as_the_house_calls_them(name: str, said: list[str]) -> None:
    book = load("es")
    assert list(book.words[name]) == said
    assert book.word(name) == said[0]
    words = Words.of(book)
    assert {words[word] for word in said} == {name}


@rule("ES-7.2.a6")
def test_es_7_2_a6_what_won_stays_its_owners_and_he_may_take_it_back() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:10")
    assert coup(table, 17).of("ana").won == 350
    assert table.purse("ana") == 100 + 350
