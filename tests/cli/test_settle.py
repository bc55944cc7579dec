"""`novamas settle`: a coup told with its articles."""

import json
from typing import Any

import pytest

from tests.cli.running import bad, good

COUP = ("settle", "ar", "17", "ana 17:5 14/17:10 red:50", "luis 17/20:4")


def settled(*argv: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(good("settle", *argv, "--json"))
    return data


def test_a_coup_is_told_line_by_line_and_player_by_player() -> None:
    printed = good(*COUP)
    lines = printed.splitlines()
    assert lines[0] == "Argentina: «Negro el diecisiete»"
    assert lines[2:7] == [
        "pay  player  stake            amount  won  returned  lost  articles",
        "     ana     colorado (red)       50    -         -    50  AR-10.c",
        "  1  luis    semipleno 17/20       4   68         4     -  AR-6.b AR-6.a",
        "  2  ana     pleno 17              5  175         5     -  AR-5.b AR-5.a",
        "  2  ana     semipleno 14/17      10  170        10     -  AR-6.b AR-6.a",
    ]
    assert lines[-4:] == [
        "player  staked  won  returned  lost   net",
        "ana         65  345        15    50  +295",
        "luis         4   68         4     -   +68",
        "bank                                 -363",
    ]


def test_the_reduction_is_told_step_by_step() -> None:
    printed = good(*COUP)
    assert "ana: 10 × semipleno → 5 × pleno, 5 to the bank (AR-24.b, AR-27.a)" in printed
    assert "10 × pleno on the number: 350 paid, 10 chips stay" in printed


@pytest.mark.rule("AMB-AR-33")
def test_what_is_paid_is_the_same_figure_above_and_below() -> None:
    assert "2  ana   350 = 10 × 35; 10 chips stay  for pleno 17, semipleno 14/17" in good(*COUP)
    printed = good("settle", "ar", "8", "ana 7/8:2 8/9:1")
    assert "1 × pleno on the number, 1 × semipleno left: 52 paid, 2 chips stay" in printed
    assert "1  ana  52 = 35 + 17; 2 chips stay  for semipleno 7/8, semipleno 8/9" in printed
    one = good("settle", "ar", "8", "ana 7/8:50 8/9:50", "--chip", "50")
    assert "1 × pleno on the number: 35 chips of 50 paid, 1 chip stays" in one
    assert "1  ana  1,750 = 35 × 50; 1 chip stays" in one
    left = good("settle", "ar", "8", "ana 7/9:1 4/8:1")
    assert "ana: 1 × calle and 1 × cuadro left: 19 paid, 2 chips stay" in left


@pytest.mark.rule("AMB-AR-33", "AMB-AR-32")
def test_the_data_has_what_is_paid_beside_what_was_won() -> None:
    for winning, (returned, lies) in (("hand", (3, [0, 0])), ("cloth", (1, [1, 0]))):
        data = settled("ar", "8", "ana 7/8:2 8/9:1", "--winning", winning)
        (payment,) = data["payments"]
        assert (payment["won"], payment["paid"], payment["stays"]) == (51, 52, 2)
        assert data["players"]["ana"] == {"won": 51, "returned": returned, "lost": 0, "held": 0}
        assert [line["reduced"] for line in data["lines"]] == lies
        assert [line["freed"] for line in data["lines"]] == [1, 0]
    assert [line.get("into") for line in data["lines"]] == ["reduced-1", None]
    table = good("settle", "ar", "8", "ana 7/8:2 8/9:1", "--winning", "cloth").splitlines()
    assert table[2].split()[-3:] == ["lost", "stays", "reduced"]


def test_what_is_no_whole_chip_is_paid_besides() -> None:
    limits = ("--chip", "10", "--limits", "split:10-25")
    printed = good("settle", "ar", "8", "ana 7/8:30 8/9:10", *limits)
    assert "1  ana  660 = (35 + 17) × 10 + 140; 2 chips stay" in printed


def test_the_house_that_pays_by_colour_makes_one_payment() -> None:
    printed = good("settle", "it", "17", "ana 17:3 17/20:2")
    assert "1  ana  139 = 105 + 34  for pieno 17, cavallo 17/20" in printed


def test_the_data_says_what_the_table_says() -> None:
    data = settled(*COUP[1:])
    assert data["call"] == "Negro el diecisiete"
    assert [(line["on"], line["won"], line["lost"]) for line in data["lines"]] == [
        ("red", 0, 50),
        ("17/20", 68, 0),
        ("17", 175, 0),
        ("14/17", 170, 0),
    ]
    assert data["lines"][2]["articles"] == ["AR-5.b", "AR-5.a"]
    assert [payment["won"] for payment in data["payments"]] == [68, 345]
    assert [payment["paid"] for payment in data["payments"]] == [68, 350]
    assert data["reductions"][0]["steps"][0]["freed_to_bank"] == 5
    assert data["players"]["ana"] == {"won": 345, "returned": 15, "lost": 50, "held": 0}
    assert data["bank"] == -363


def test_every_unit_is_accounted_for() -> None:
    data = settled("it", "0", "ana rosso:7 vicini:18 17:1", "eva nero:6 0:5")
    for line in data["lines"]:
        kept = line["returned"] + line["lost"] + line["held"] + line["stays"] + line["aside"]
        assert kept == line["amount"]


def test_words_of_any_house_are_taken() -> None:
    assert settled("es", "9", "ana rosso:10 червено:5 rojo:1")["bank"] == -16


def test_announcements_are_laid_piece_by_piece() -> None:
    data = settled("it", "2", "ana voisins:18")
    assert [line["on"] for line in data["lines"] if line["call"] == "voisins"] == [
        *("4/7", "12/15", "18/21", "19/22", "25/29", "32/35"),
        "0/2/3",
    ]
    assert data["bank"] == -30


def test_what_is_too_little_to_play_comes_back_with_its_article() -> None:
    printed = good("settle", "it", "9", "ana rosso:4", "eva rosso:5")
    assert (
        "ana rosso: 4 sent back when betting closes, too little to play (IT-general-2a, AMB-IT-21)"
        in printed
    )
    data = settled("it", "9", "ana rosso:4", "eva rosso:5")
    assert data["sent_back"] == [
        {
            "id": "b1",
            "player": "ana",
            "on": "red",
            "amount": 4,
            "articles": ["IT-general-2a", "AMB-IT-21"],
        }
    ]
    assert data["bank"] == -5
    assert settled("it", "9", "ana rosso:4", "eva rosso:5", "--as-laid")["bank"] == -9


def test_value_chips_have_no_minimum_on_the_numbers() -> None:
    assert settled("it", "17", "ana 17:1")["bank"] == 0
    assert settled("it", "17", "ana 17:1", "--value-chips", "ana")["bank"] == -35


def test_limits_are_policed_where_the_house_polices_them() -> None:
    limits = "straight:1-100 split:1-200 street:1-300 corner:1-400 sixline:1-600"
    data = settled("ar", "17", "ana 17:500", "--limits", limits)
    (line,) = data["lines"]
    assert line["won"] == 9100
    assert [part["class"] for part in line["parts"]] == ["straight", "split", "street"]
    assert "AR-14.b" in line["articles"]


def test_limits_take_the_words_of_the_house() -> None:
    data = settled("ar", "17", "ana 17:150", "--limits", "pleno:-100 semipleno:-10 calle:-20")
    assert [part["amount"] for part in data["lines"][0]["parts"]] == [100, 10, 20, 20]


def test_limits_from_the_minimum_are_enforced() -> None:
    assert settled("es", "17", "ana 17:150", "--minimum", "5")["bank"] == -150 * 35
    said = bad("settle", "es", "17", "ana 17:151", "--minimum", "5")
    assert "exceeds maximum: 17 takes at most 150 a player" in said
    assert "ES-G.4" in said


def test_chips_divide_a_partage_and_a_reduction() -> None:
    (line,) = settled("it", "0", "ana rosso:35", "--chip", "5")["lines"]
    assert (line["returned"], line["lost"], line["held"]) == (15, 15, 5)
    both = settled("ar", "17", "ana 17/20:20", "luis 17/20:20", "--chip", "1", "--chip", "ana=10")
    assert [payment["player"] for payment in both["payments"]] == ["luis", "ana"]


def test_winning_stakes_can_stay() -> None:
    (line,) = settled("es", "9", "ana rojo:50", "--winning", "cloth")["lines"]
    assert (line["returned"], line["stays"]) == (0, 50)


def test_zero_leaves_a_choice_where_the_house_does() -> None:
    printed = good("settle", "es", "0", "ana rojo:50")
    assert "ana may choose for rojo: half (25 back, 25 to the bank;" in printed
    last = good("settle", "es", "0", "ana rojo:50", "--last")
    assert "may choose" not in last
    assert "ES-G.3" in last


def test_why_explains_every_line_and_quotes_each_article_once() -> None:
    printed = good(*COUP, "--why")
    assert "ana: 50 on colorado; 17 came up." in printed
    assert printed.count("A winning semipleno is paid 17 times the bet.") == 1
    in_spanish = good(*COUP, "--why", "--lang", "es")
    assert "El semipleno acertado cobra 17 veces lo apostado." in in_spanish


def test_articles_stand_below_their_line_in_a_narrow_terminal() -> None:
    printed = good("settle", "it", "17", "ana 17:5 voisins:9", columns=80)
    assert max(map(len, printed.splitlines())) <= 80
    assert "     IT-bet-1 IT-pay-1 IT-general-11" in printed


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("xx", "17", "ana 17:5"), "xx: no such rulebook; the houses are ar, es, it, bg"),
        (("no/such.toml", "17", "ana 17:5"), "no/such.toml: cannot be read"),
        (("ar", "37", "ana 17:5"), "'37' is not on the wheel"),
        (("ar", "-1", "ana 17:5"), "'-1' is not on the wheel"),
        (("ar", "17", "ana 17/21:5 17/22:5"), "17 and 22 do not touch"),
        (("ar", "17", "17:5"), "expected a player's name"),
        (("ar", "17", ""), "expected a player's name"),
        (("ar", "17", "ana"), "expected a bet such as `17:5`"),
        (("es", "17", "ana low+d3:6"), "spot not on this cloth: low+d3 cannot be played here"),
        (("it", "17", "ana d1+d2:10"), "IT-general-10"),
        (("it", "17", "ana voisins:10"), "voisins has 9 pieces; stake a multiple of that"),
        (("es", "17", "ana voisins:9"), "this house takes no announcements"),
        (("bg", "17", "ana nassa:5"), "`novamas announce bg` lists what this house takes"),
        (("ar", "17", "ana 17:5", "--limits", "straight"), "'straight' is not a limit"),
        (("ar", "17", "ana 17:5", "--limits", "x:1-2"), "limits.x: expected one of"),
        (("ar", "17", "ana 17:5", "--limits", "straight:9-2"), "the minimum 9 is above 2"),
        (("es", "17", "ana 17:5", "--minimum", "0"), "--minimum: expected a whole number"),
        (("es", "17", "ana 17:5", "--minimum", "x"), "--minimum: expected a whole number"),
        (("es", "17", "ana 17:5", "--minimum", str(10**15 + 1)), f"from 1 to {10**15}, not"),
        (("ar", "17", "ana 17:5", "--chip", "x"), "'x' is not a chip value"),
        (("ar", "17", "ana 17:5", "--chip", "eva=5"), "eva has no hand"),
        (("ar", "17", "ana 17:5", "--chip", "10"), "not whole chips"),
        (("ar", "17", "ana 17:5", "--value-chips", "ana"), "chips not taken here"),
        (("ar", "17", "management 17:5"), "staff does not play"),
        (("ar", "17"), "the following arguments are required: HAND"),
    ],
)
def test_mistakes_are_told_with_what_to_do(argv: tuple[str, ...], said: str) -> None:
    assert said in bad("settle", *argv)


def test_a_slip_in_the_notation_is_pointed_at() -> None:
    lines = bad("settle", "ar", "17", "ana 17:5 rex:5").splitlines()
    assert lines[:3] == ["novamas:", "ana 17:5 rex:5", "         ^"]
    assert "did you mean `red`?" in lines[3]


def test_the_help_says_what_may_be_given_again() -> None:
    for command, times in (("settle", 2), ("cloth", 1)):
        told = " ".join(good(command, "--help").split())
        assert told.count("may be given again") == times


@pytest.mark.rule("FRAM-55-2.b", "SD-G.1")
@pytest.mark.parametrize("house", ["fram", "sd"])
def test_double_zero_is_a_number_of_its_own(house: str) -> None:
    data = settled(house, "00", "ana 0/00:5")
    assert data["number"] == "00"
    assert data["players"]["ana"] == {"won": 85, "returned": 5, "lost": 0, "held": 0}
    assert settled(house, "0", "ana 00:5")["players"]["ana"]["lost"] == 5
    assert "double z" in good("settle", house, "00", "ana 0/00:5").splitlines()[0]
    told = good("settle", house, "00", "ana 0/00:5", "--why")
    assert "00 came up" in told


@pytest.mark.parametrize(
    ("house", "number", "wheel"),
    [("ar", "00", "0 to 36\n"), ("fran", "00", "0 to 36\n"), ("sd", "000", "0 to 36 and 00\n")],
)
def test_a_number_that_the_houses_wheel_does_not_have(house: str, number: str, wheel: str) -> None:
    told = bad("settle", house, number, "ana 17:5")
    assert f"{number!r} is not on the wheel\n  the wheel has the numbers {wheel}" in told


@pytest.mark.rule("FRAM-55-1.q")
def test_the_house_that_pays_player_by_player_says_so() -> None:
    printed = good("settle", "fram", "17", "ana 17:2 17/20:2 black:10")
    assert "Paid player by player, in this order" in printed


@pytest.mark.rule("FRAM-55-3.l")
def test_what_goes_back_from_linked_bets_is_not_called_too_little() -> None:
    printed = good("settle", "fram", "00", "ana 0/00:5 00:2")
    assert "ana cheval 0/00: 3 sent back when betting closes, more than linked bets may" in printed
    assert "too little" not in printed


@pytest.mark.rule("FR-38.a")
def test_a_coup_where_nobody_has_a_colour() -> None:
    assert settled("fr", "17", "ana 17:5 red:10")["players"]["ana"]["won"] == 175
    assert "this house sells value chips alone" in bad("settle", "fr", "17", "ana 17:5", "--chip=5")
