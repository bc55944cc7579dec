"""South Dakota: the layout with two zeros, what each bet covers and what it wins."""

import tomllib
from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import Point, SpotClass, spot
from novamas.game.house_words import Words
from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.rulebook.reader import read_tables
from novamas.game.rulebook.toml_section import RulebookError
from novamas.game.wheel import BLACK, RED, Pocket
from novamas.house.table.events import BallMode, TableSetUp
from novamas.house.table.state import HouseTable
from novamas.house.views.table_view import summary
from novamas.rulebooks import load, source
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.alike import check_edges, check_loser, check_not_on_the_cloth, check_winner
from tests.rules.helpers import (
    SINGLE_SPOTS,
    back,
    case,
    number_called,
    opened,
    place,
    refused,
    settle_line,
    settled,
    spots_offered,
    stakes,
)

rule = pytest.mark.rule

ORDER = (
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 "
    "23 35 14 2"
).split()

AT_THE_HEAD = {
    "0": {0},
    "00": {"00"},
    "0/00": {0, "00"},
    "0/1": {0, 1},
    "0/2": {0, 2},
    "00/2": {"00", 2},
    "00/3": {"00", 3},
    "0/1/2": {0, 1, 2},
    "0/00/2": {0, "00", 2},
    "00/2/3": {"00", 2, 3},
    "0/00/1/2/3": {0, "00", 1, 2, 3},
}
"""The bets with a zero, and what each covers."""


# The wheel ----------------------------------------------------------------------------------------


@rule("SD-01")
def test_sd_01_the_wheel_has_38_compartments() -> None:
    pockets = load("sd").wheel.pockets
    assert [str(pocket) for pocket in pockets.order] == ORDER
    assert len(pockets) == 38
    assert set(pockets) == {0, "00", *range(1, 37)}


@rule("SD-01")
def test_sd_01_0_and_00_face_each_other_and_every_odd_number_the_even_one_after_it() -> None:
    order = load("sd").wheel.pockets.order
    faces = {order[at]: order[(at + 19) % 38] for at in range(38)}
    assert faces[0] == "00"
    assert all(faces[odd] == odd + 1 for odd in range(1, 36, 2))


@rule("SD-01", "X-08")
def test_x_08_00_is_a_number_of_its_own_and_neither_red_nor_black() -> None:
    assert "00" not in RED | BLACK
    assert settle_line("sd", "00", "00:1").won == 35
    assert settle_line("sd", 0, "00:1").lost == 1
    assert settle_line("sd", "00", "0:1").lost == 1
    assert settle_line("sd", 0, "0:1").won == 35


@rule("SD-01", "SD-05.d")
@pytest.mark.parametrize(
    ("number", "call"), [(32, "thirty-two"), (0, "zero"), ("00", "double zero"), (7, "seven")]
)
def test_sd_05_d_the_dealer_announces_the_number(number: Pocket, call: str) -> None:
    assert number_called("sd", number) == call


@rule("SD-01")
def test_sd_01_a_number_that_the_wheel_has_not_does_not_come_out() -> None:
    table = opened("sd", {})
    table.close()
    for number in ("000", 37, -1, "0"):
        refusal = refused(table, commands.PocketBall(by="dealer-1", number=number))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.NUMBER_NOT_ON_THE_WHEEL,
            ("SD-01",),
        )


@rule("SD-10.b")
def test_sd_10_b_a_table_shows_its_number() -> None:
    set_up = TableSetUp(
        table="7",
        rulebook="sd",
        book=None,
        ball=BallMode.DRAWN,
        limits={},
        winning="hand",
        limits_kept="enforced",
        chip=2,
        colours=10,
        rotation=10,
        live=True,
    )
    assert summary(HouseTable.fresh(set_up), failed=None).table == "7"


# The layout ---------------------------------------------------------------------------------------


@rule("SD-S1", "SD-G.3", "SD-10.a")
def test_sd_s1_the_layout_has_161_spots() -> None:
    expected = {**SINGLE_SPOTS, "straight": 38, "split": 62, "street": 15, "corner": 22, "five": 1}
    found = spots_offered("sd")
    assert found == expected
    assert len(load("sd").terms) == 161


@rule("SD-10.a", "SD-G.3", "AMB-SD-03")
def test_amb_sd_03_the_bets_at_the_zeros_follow_from_the_boxes_that_touch() -> None:
    with_zero = {
        each.name: set(each.numbers)
        for each in load("sd").terms
        if each.kind.on_numbers and each.numbers & {0, "00"}
    }
    assert with_zero == AT_THE_HEAD


@pytest.mark.parametrize(
    ("name", "points"),
    [
        case("SD-10.a AMB-SD-03", "0", [(1.5, -1)]),
        case("SD-10.a AMB-SD-03", "00", [(4.5, -1)]),
        case("SD-10.a AMB-SD-03", "0/00", [(3, -1)]),
        case("SD-10.a AMB-SD-03", "0/1", [(1, 0)]),
        case("SD-10.a AMB-SD-03", "0/2", [(2.5, 0)]),
        case("SD-10.a AMB-SD-03", "00/2", [(3.5, 0)]),
        case("SD-10.a AMB-SD-03", "00/3", [(5, 0)]),
        case("SD-10.a AMB-SD-03", "0/1/2", [(2, 0)]),
        case("SD-10.a AMB-SD-03", "0/00/2", [(3, 0)]),
        case("SD-10.a AMB-SD-03", "00/2/3", [(4, 0)]),
        case("SD-10.a AMB-SD-03", "0/00/1/2/3", [(0, 0), (6, 0)]),
    ],
)
def test_sd_10_a_where_the_bets_at_the_zeros_lie(
    name: str, points: list[tuple[float, float]]
) -> None:
    plan = load("sd").cloth.plan
    assert plan.points[plan.spots[name]] == tuple(Point(*each) for each in points)


@rule("SD-10.a")
def test_sd_10_a_the_layout_has_an_area_for_every_box_and_all_chances_on_one_side() -> None:
    book = load("sd")
    assert book.cloth.drawing is Drawing.AMERICAN
    drawn = layout(book)
    for each in book.terms:
        if each.kind in (SpotClass.STRAIGHT, SpotClass.COLUMN, SpotClass.DOZEN, SpotClass.SIMPLE):
            assert drawn.boxes_of(each), each
    chances = [each for each in book.terms if each.kind is SpotClass.SIMPLE]
    chances.sort(key=lambda each: drawn.boxes_of(each)[0].rect.top)
    assert [each.name for each in chances] == ["low", "even", "red", "black", "odd", "high"]


@rule("SD-11.c")
@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("cloth", "zeros", [[0]]), ("wheel", "order", "european")],
)
def test_sd_11_c_a_wheel_and_a_layout_that_do_not_agree_are_not_read(
    section: str, key: str, value: object
) -> None:
    book = tomllib.loads(source("sd"))
    read_tables(book, file="sd.toml")
    book[section][key] = value
    # The names of spots that the other cloth has not are no concern of this test.
    for kind in ("straight", "split", "street"):
        book["spots"][kind]["articles"] = ["SD-G.3"]
    with pytest.raises(RulebookError, match=r"zeros|five"):
        read_tables(book, file="sd.toml")


@rule("SD-03.a", "SD-G.3")
@pytest.mark.parametrize(
    "name", ["0/3", "00/1", "0/2/3", "00/1/2", "0/00/1", "0/1/2/3", "37", "3/4", "17/19", "000"]
)
def test_sd_03_a_what_has_no_area_on_the_layout_is_refused(name: str) -> None:
    assert check_not_on_the_cloth("sd", name) == ("SD-03.a", "SD-G.3")


@rule("SD-G.3")
@pytest.mark.parametrize("name", ["d1+d2", "c2+c3", "low+d3"])
def test_sd_g_3_nothing_is_laid_across_two_boxes(name: str) -> None:
    refusal = refused(opened("sd", {"ana": 100}), place("ana", f"{name}:10"))
    assert (refusal.why, refusal.articles) == (RefusalReason.SPOT_NOT_ON_THIS_CLOTH, ("SD-G.3",))


# What is won and lost -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("SD-G.1 SD-04 X-01", "17:1", 17, 35),
        case("SD-G.1", "00:2", "00", 70),
        case("SD-G.1", "0/00:2", 0, 34),
        case("SD-G.1", "17/20:1", 20, 17),
        case("SD-G.1", "0/00/2:2", 2, 22),
        case("SD-G.1", "00/2/3:3", "00", 33),
        case("SD-G.1", "16/18:1", 17, 11),
        case("SD-G.1", "25/29:1", 28, 8),
        case("SD-G.1", "0/00/1/2/3:5", "00", 30),
        case("SD-G.1", "0/00/1/2/3:5", 3, 30),
        case("SD-G.1", "1/6:1", 2, 5),
        case("SD-G.1", "d1:5", 12, 10),
        case("SD-G.1", "c1:5", 34, 10),
        case("SD-G.1", "high:10", 19, 10),
        case("SD-G.1", "low:10", 18, 10),
        case("SD-G.1", "even:10", 36, 10),
        case("SD-G.1", "odd:10", 1, 10),
        case("SD-G.1", "red:10", 19, 10),
        case("SD-G.1", "black:10", 29, 10),
    ],
)
def test_sd_g_1_a_winner_is_paid_and_keeps_the_stake(bet: str, out: Pocket, won: int) -> None:
    line = check_winner("sd", out, bet, won)
    assert {"SD-04", "SD-G.1", "AMB-SD-01", "SD-G.7"} <= set(line.articles)


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("SD-G.3", "17:1", 18),
        case("SD-G.3", "0/00:2", 1),
        case("SD-G.3", "0/00/2:2", 3),
        case("SD-G.3", "0/00/1/2/3:5", 4),
        case("SD-G.3", "1/6:1", "00"),
        case("SD-G.3", "c1:5", 35),
    ],
)
def test_sd_g_3_a_loser_loses_the_whole_stake(bet: str, out: Pocket) -> None:
    assert "SD-05.e" in check_loser("sd", out, bet).articles


@rule("SD-04", "SD-G.1", "AMB-SD-01")
def test_sd_04_no_spot_pays_less_than_the_odds() -> None:
    floor = {
        "straight": 35,
        "split": 17,
        "street": 11,
        "corner": 8,
        "five": 6,
        "sixline": 5,
        "column": 2,
        "dozen": 2,
        "simple": 1,
    }
    for each, terms in load("sd").terms.items():
        assert terms.pays >= floor[each.kind.value], each
        assert "SD-04" in terms.pays_cites


@rule("SD-G.1", "AMB-SD-01", "SD-G.2", "AMB-SD-02")
def test_amb_sd_01_the_house_has_one_in_19_and_three_in_38_of_the_five() -> None:
    check_edges("sd", of_multiples=Fraction(1, 19), simple=Fraction(1, 19), five=Fraction(3, 38))


@rule("SD-G.7", "X-01")
def test_sd_g_7_odds_are_to_one_and_the_stake_is_kept() -> None:
    line = settle_line("sd", 17, "17:1")
    assert back([line]) == 36
    assert "SD-G.7" in line.articles


@rule("SD-G.2", "AMB-SD-02", "X-08")
@pytest.mark.parametrize("out", [0, "00"])
@pytest.mark.parametrize(
    "on", ["low", "high", "red", "black", "even", "odd", "d1", "d2", "d3", "c1", "c2", "c3"]
)
def test_sd_g_2_both_zeros_take_every_outside_bet(on: str, out: Pocket) -> None:
    line = settle_line("sd", out, f"{on}:10")
    assert (line.won, line.returned, line.lost, line.held) == (0, 0, 10, 0)
    assert {"SD-G.2", "AMB-SD-02"} <= set(line.articles)


@rule("SD-G.2")
def test_sd_g_2_on_another_number_a_loser_does_not_cite_the_zeros() -> None:
    assert "SD-G.2" not in settle_line("sd", 8, "red:10").articles
    assert settled("sd", "00", "red:10 d1:10 c1:10").bank == 30


# The payments and the words -----------------------------------------------------------------------


@rule("SD-G.8", "NV-05")
def test_sd_g_8_the_chances_are_paid_first_and_then_the_numbers_as_they_were_laid() -> None:
    laid = [
        *stakes("17:1", "ana"),
        *stakes("black:1", "luis"),
        *stakes("17/20:1", "luis"),
        *stakes("c2:1", "eva"),
        *stakes("16/18:1", "ana"),
    ]
    paid = payments(load("sd"), settled("sd", 17, laid))
    order = [line.stake.spot.name for each in paid for line in each.lines]
    assert order == ["black", "c2", "17", "17/20", "16/18"]
    assert {each.articles for each in paid} == {("SD-G.8", "NV-05")}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("SD-G.3", "straight", ["straight up", "straight"]),
        case("SD-G.3", "split", ["split"]),
        case("SD-G.3", "street", ["street", "row"]),
        case("SD-G.3", "corner", ["corner"]),
        case("SD-G.3", "five", ["five-number bet"]),
        case("SD-G.3", "0/00/1/2/3", ["first five"]),
        case("SD-G.3", "sixline", ["six line"]),
        case("SD-G.3", "column", ["column"]),
        case("SD-G.3", "dozen", ["dozen"]),
        case("SD-G.3", "simple", ["even-money bet"]),
        case("SD-G.3", "low", ["1 to 18"]),
        case("SD-G.3", "high", ["19 to 36"]),
        case("SD-G.3", "red", ["red"]),
        case("SD-G.3", "black", ["black"]),
        case("SD-G.3", "even", ["even"]),
        case("SD-G.3", "odd", ["odd"]),
        case("SD-G.3", "d1", ["first dozen"]),
        case("SD-G.3", "d2", ["second dozen"]),
        case("SD-G.3", "d3", ["third dozen"]),
        case("SD-G.3", "c1", ["first column"]),
        case("SD-G.3", "c2", ["second column"]),
        case("SD-G.3", "c3", ["third column"]),
        case("SD-01", "00", ["double zero"]),
    ],
)
def test_sd_the_bets_are_called_as_the_house_calls_them(name: str, said: list[str]) -> None:
    book = load("sd")
    assert list(book.words[name]) == said
    words = Words.of(book)
    assert {words[word] for word in said} == {name}


@rule("SD-03.e")
@pytest.mark.parametrize("call", ["17~2", "voisins", "f4", "00~2"])
def test_sd_03_e_nothing_is_announced(call: str) -> None:
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=90)
    refusal = refused(opened("sd", {"ana": 100}), wish)
    assert (refusal.why, refusal.articles) == (RefusalReason.ANNOUNCEMENT_NOT_TAKEN, ("SD-03.e",))


@rule("SD-01", "AMB-SD-03")
def test_sd_01_the_spot_of_a_name_covers_the_same_numbers_everywhere() -> None:
    assert spot("0/2").numbers == {0, 2}
    assert spot("0/00/2").numbers == {0, "00", 2}
