"""France, American roulette, article 55-2: the cloth with two zeros, and what each spot wins."""

from fractions import Fraction
from itertools import pairwise

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.house_words import Words
from novamas.game.wheel import Pocket
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.alike import (
    check_edges,
    check_loser,
    check_not_announced,
    check_not_on_the_cloth,
    check_the_winner_stays_and_may_be_taken,
    check_winner,
)
from tests.rules.helpers import (
    case,
    coup,
    opened,
    refused,
    settle_line,
    settled,
    spots_offered,
)

AMERICAN = (
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 "
    "00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
).split()
POCKETS: list[Pocket] = [pocket if pocket == "00" else int(pocket) for pocket in AMERICAN]


# The wheel ----------------------------------------------------------------------------------------


@pytest.mark.rule("FRAM-55-1.a")
def test_fram_55_1_a_the_wheel_has_38_pockets_red_and_black_by_turns() -> None:
    wheel = load("fram").wheel.pockets
    assert list(wheel.order) == POCKETS
    for arc in (POCKETS[1:19], POCKETS[20:]):
        reds = [settle_line("fram", out, "red:2").won > 0 for out in arc]
        assert all(one != other for one, other in pairwise(reds))


@pytest.mark.rule("FRAM-55-1.b", "X-08")
def test_fram_55_1_b_zero_and_double_zero_lie_opposite_and_have_no_colour() -> None:
    assert POCKETS.index("00") - POCKETS.index(0) == 19
    for zero in (0, "00"):
        assert settled("fram", zero, "red:2 black:2").bank == 4


@pytest.mark.rule("FRAM-55-1.b", "FRAM-55-2.a", "X-08")
@pytest.mark.parametrize(("on", "out", "won"), [("00", "00", 35), ("00", 0, 0), ("0", "00", 0)])
def test_fram_55_1_b_each_zero_is_a_number_of_its_own(on: str, out: Pocket, won: int) -> None:
    line = settle_line("fram", out, f"{on}:1")
    assert (line.won, line.lost) == (won, 0 if won else 1)


# What can be played -------------------------------------------------------------------------------


@pytest.mark.rule("FRAM-S1", "FRAM-55-2.e", "AMB-FRAM-01", "AMB-FRAM-02")
def test_fram_s1_the_cloth_has_the_spots_of_two_zeros() -> None:
    assert spots_offered("fram") == {
        "straight": 38,
        "split": 62,
        "street": 15,
        "corner": 22,
        "five": 1,
        "sixline": 11,
        "column": 3,
        "dozen": 3,
        "simple": 6,
    }


@pytest.mark.rule("FRAM-S1", "AMB-FRAM-01", "AMB-FRAM-02", "FRAM-55-1.b")
def test_fram_s1_the_spots_with_a_zero() -> None:
    with_zero = {each.name for each in load("fram").terms if {0, "00"} & set(each.numbers)}
    assert with_zero == {
        *("0", "00", "0/00", "0/1", "0/2", "00/2", "00/3"),
        *("0/1/2", "0/00/2", "00/2/3", "0/00/1/2/3"),
    }


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("FRAM-55-2.a", "00:2", "00", 70),
        case("FRAM-55-2.a", "17:1", 17, 35),
        case("FRAM-55-2.b", "0/00:2", 0, 34),
        case("FRAM-55-2.b AMB-FRAM-02", "00/2:2", 2, 34),
        case("FRAM-55-2.b AMB-FRAM-02", "0/2:2", 0, 34),
        case("FRAM-55-2.c AMB-FRAM-01", "0/00/2:2", 2, 22),
        case("FRAM-55-2.c AMB-FRAM-01", "00/2/3:2", "00", 22),
        case("FRAM-55-2.c", "16/18:2", 17, 22),
        case("FRAM-55-2.d", "25/29:1", 28, 8),
        case("FRAM-55-2.e", "0/00/1/2/3:5", 3, 30),
        case("FRAM-55-2.e", "0/00/1/2/3:5", "00", 30),
        case("FRAM-55-2.f", "1/6:1", 2, 5),
        case("FRAM-55-2.g1", "d1:5", 12, 10),
        case("FRAM-55-2.g2", "c1:5", 34, 10),
        case("FRAM-55-2.h", "even:10", 36, 10),
        case("FRAM-55-2.h", "odd:10", 35, 10),
        case("FRAM-55-2.i", "high:10", 19, 10),
        case("FRAM-55-2.i", "low:10", 18, 10),
        case("FRAM-55-2.j", "black:10", 29, 10),
        case("FRAM-55-2.j", "red:10", 19, 10),
    ],
)
def test_fram_55_2_a_winner_is_paid_and_keeps_the_stake(bet: str, out: Pocket, won: int) -> None:
    assert "FRAM-55-2.k" in check_winner("fram", out, bet, won).articles


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("FRAM-55-2.a", "00:2", 0),
        case("FRAM-55-2.b", "0/00:2", 1),
        case("FRAM-55-2.c", "0/00/2:2", 1),
        case("FRAM-55-2.d", "25/29:1", 27),
        case("FRAM-55-2.e", "0/00/1/2/3:5", 4),
        case("FRAM-55-2.f", "1/6:1", "00"),
        case("FRAM-55-2.g1 AMB-FRAM-03", "d1:10", "00"),
        case("FRAM-55-2.g1 AMB-FRAM-03", "d1:10", 0),
        case("FRAM-55-2.g2 AMB-FRAM-03", "c1:10", "00"),
        case("FRAM-55-2.h FRAM-55-2.z", "even:10", "00"),
        case("FRAM-55-2.z", "red:10", 0),
        case("FRAM-55-2.z", "red:10", "00"),
        case("FRAM-55-2.i", "high:10", 18),
        case("FRAM-55-2.j", "black:10", 30),
    ],
)
def test_fram_55_2_a_loser_loses_the_whole_stake(bet: str, out: Pocket) -> None:
    check_loser("fram", out, bet)


@pytest.mark.parametrize(
    ("bet", "article"),
    [
        case("FRAM-55-2.z X-08", "red", "FRAM-55-2.z"),
        case("AMB-FRAM-03", "d1", "AMB-FRAM-03"),
        case("AMB-FRAM-03", "c1", "AMB-FRAM-03"),
    ],
)
@pytest.mark.parametrize("zero", [0, "00"])
def test_fram_55_2_z_what_either_zero_takes_cites_why(zero: Pocket, bet: str, article: str) -> None:
    assert article in settle_line("fram", zero, f"{bet}:2").articles


@pytest.mark.rule("FRAM-55-2.z")
def test_fram_55_2_z_there_is_no_choice_and_no_prison() -> None:
    table = opened("fram", {"ana": 100})
    table.stake("ana", "red:10")
    assert coup(table, "00").of("ana").lost == 10
    half = commands.ChooseAfterZero(by="ana", id="s1", choice=commands.Choice.HALF)
    assert refused(table, half).why is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("FRAM-55-2.k", "X-01", "X-02")
def test_fram_55_2_k_the_winner_keeps_the_stake_and_may_take_it_off() -> None:
    check_the_winner_stays_and_may_be_taken("fram")


@pytest.mark.rule("FRAM-55-2.0")
@pytest.mark.parametrize(
    "name",
    ["d1+d2", "c1+c2", "low+d3", "0/3", "00/1", "0/2/3", "00/1/2", "0/00/1", "0/1/2/3", "37"],
)
def test_fram_55_2_0_what_is_not_in_the_list_is_refused(name: str) -> None:
    assert check_not_on_the_cloth("fram", name) == ("FRAM-55-2.0",)


@pytest.mark.rule("FRAM-55-2.d")
def test_fram_55_2_d_no_carre_has_a_zero() -> None:
    corners = [each for each in load("fram").terms if each.kind is SpotClass.CORNER]
    assert not any({0, "00"} & set(each.numbers) for each in corners)


@pytest.mark.rule("FRAM-55-2.0")
@pytest.mark.parametrize("call", ["tiers", "voisins", "orphelins", "f0", "00~2"])
def test_fram_55_2_0_there_are_no_announcements(call: str) -> None:
    check_not_announced("fram", call, ("FRAM-55-2.0",))


@pytest.mark.rule("FRAM-55-2.a", "FRAM-55-2.b", "FRAM-55-2.c", "FRAM-55-2.d", "FRAM-55-2.e")
@pytest.mark.rule("FRAM-55-2.f", "FRAM-55-2.g1", "FRAM-55-2.g2", "FRAM-55-2.h", "FRAM-55-2.i")
@pytest.mark.rule("FRAM-55-2.j", "FRAM-55-2.z", "AMB-FRAM-03")
def test_fram_55_2_the_house_keeps_one_in_19_and_three_in_38_of_the_five() -> None:
    check_edges("fram", of_multiples=Fraction(1, 19), simple=Fraction(1, 19), five=Fraction(3, 38))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("FRAM-55-2.a", "straight", "plein"),
        case("FRAM-55-2.b", "split", "cheval"),
        case("FRAM-55-2.c", "street", "transversale"),
        case("FRAM-55-2.d", "corner", "carré"),
        case("FRAM-55-2.e", "five", "cinq numéros"),
        case("FRAM-55-2.f", "sixline", "sixain"),
        case("FRAM-55-2.g1", "dozen", "douzaine"),
        case("FRAM-55-2.g2", "column", "colonne"),
        case("FRAM-55-2.h", "even", "pair"),
        case("FRAM-55-2.i", "low", "manque"),
        case("FRAM-55-2.j", "black", "noir"),
        case("FRAM-55-1.b", "0", "zéro"),
        case("FRAM-55-1.b X-08", "00", "double zéro"),
    ],
)
def test_fram_55_2_the_combinations_are_called_as_the_house_calls_them(
    name: str, said: str
) -> None:
    book = load("fram")
    assert book.word(name) == said
    assert Words.of(book)[said] == name


@pytest.mark.rule("FRAM-55-2.0")
def test_fram_55_2_0_what_the_french_roulette_has_besides_is_not_spoken_of() -> None:
    assert not {"straddle", "d1+d2", "c2+c3"} & load("fram").words.keys()
