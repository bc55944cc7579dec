"""Bulgaria, the bets on the cloth: what each covers and wins, zero, and what they are called."""

from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import SPOTS, SpotClass
from novamas.game.house_words import Words
from novamas.rulebooks import load
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import (
    SINGLE_SPOTS,
    case,
    opened,
    place,
    refused,
    settle_line,
    spots_offered,
)


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("BG-11 X-01", "17:1", 17, 35),
        case("BG-11 BG-27", "0:1", 0, 35),
        case("BG-12", "0/3:2", 0, 34),
        case("BG-12", "17/20:2", 20, 34),
        case("BG-13", "0/2/3:2", 0, 22),
        case("BG-13", "16/18:2", 17, 22),
        case("BG-14", "25/29:1", 28, 8),
        case("BG-14 AMB-BG-05", "0/1/2/3:1", 0, 8),
        case("BG-15", "31/36:1", 33, 5),
        case("BG-16", "d1:5", 12, 10),
        case("BG-16", "c3:5", 36, 10),
        case("BG-17", "red:10", 9, 10),
        case("BG-17", "black:10", 8, 10),
        case("BG-17", "even:10", 36, 10),
        case("BG-17", "odd:10", 35, 10),
        case("BG-17", "low:10", 18, 10),
        case("BG-17", "high:10", 19, 10),
    ],
)
def test_bg_a_winner_is_paid_and_keeps_the_stake(bet: str, out: int, won: int) -> None:
    line = settle_line("bg", out, bet)
    assert (line.won, line.returned, line.lost) == (won, line.stake.amount, 0)


@pytest.mark.rule("AMB-BG-02", "X-01")
@pytest.mark.parametrize(
    ("bet", "hand"),
    [("17", 36), ("17/20", 18), ("16/18", 12), ("16/20", 9), ("13/18", 6), ("d2", 3), ("black", 2)],
)
def test_amb_bg_02_the_winner_has_his_stake_besides_the_winnings(bet: str, hand: int) -> None:
    line = settle_line("bg", 17, f"{bet}:1")
    assert line.hand == hand
    assert line.articles[-1] == "AMB-BG-02"


@pytest.mark.parametrize(
    ("bet", "out", "article"),
    [
        case("BG-11", "17", 0, "BG-11"),
        case("BG-12", "17/20", 0, "BG-12"),
        case("BG-13", "16/18", 19, "BG-13"),
        case("BG-14", "25/29", 27, "BG-14"),
        case("BG-15", "31/36", 30, "BG-15"),
        case("BG-16", "d1", 13, "BG-16"),
        case("BG-16", "c3", 35, "BG-16"),
        case("BG-17", "red", 8, "BG-17"),
        case("BG-17", "low", 19, "BG-17"),
        case("BG-17", "high", 18, "BG-17"),
    ],
)
def test_bg_a_loser_is_collected_whole(bet: str, out: int, article: str) -> None:
    line = settle_line("bg", out, f"{bet}:10")
    assert (line.won, line.returned, line.lost) == (0, 0, 10)
    assert line.articles[:2] == (article, "BG-8b")


@pytest.mark.parametrize(
    ("bet", "article"),
    [
        case("BG-11", "17", "BG-11"),
        case("BG-12", "17/20", "BG-12"),
        case("BG-13", "16/18", "BG-13"),
        case("BG-14", "16/20", "BG-14"),
        case("BG-15", "13/18", "BG-15"),
        case("BG-16", "d2", "BG-16"),
        case("BG-16", "c2", "BG-16"),
        case("BG-17", "black", "BG-17"),
    ],
)
def test_bg_every_payment_cites_its_article(bet: str, article: str) -> None:
    assert settle_line("bg", 17, f"{bet}:10").articles == (article, "AMB-BG-02")


# Zero ---------------------------------------------------------------------------------------------


@pytest.mark.rule("BG-26", "AMB-BG-01")
@pytest.mark.parametrize("chance", ["even", "odd", "red", "black", "low", "high"])
def test_bg_26_zero_is_in_none_of_the_simple_chances(chance: str) -> None:
    line = settle_line("bg", 0, f"{chance}:10")
    assert (line.won, line.returned, line.lost, line.held) == (0, 0, 10, 0)
    assert line.articles == ("BG-17", "BG-8b", "BG-26", "AMB-BG-01")


@pytest.mark.rule("BG-16", "AMB-BG-01")
@pytest.mark.parametrize("bet", ["d1", "d2", "d3", "c1", "c2", "c3"])
def test_bg_16_zero_is_in_no_dozen_and_no_column(bet: str) -> None:
    line = settle_line("bg", 0, f"{bet}:10")
    assert line.lost == 10
    assert "AMB-BG-01" in line.articles


@pytest.mark.rule("BG-27")
def test_bg_27_zero_is_a_number_of_its_own() -> None:
    line = settle_line("bg", 0, "0:1")
    assert (line.won, line.hand) == (35, 36)
    assert line.articles == ("BG-27", "BG-11", "AMB-BG-02")
    assert settle_line("bg", 32, "0:1").lost == 1


# The cloth ----------------------------------------------------------------------------------------


@pytest.mark.rule("BG-11", "BG-12", "BG-13", "BG-14", "BG-15", "BG-16", "BG-17", "AMB-BG-05")
def test_amb_bg_05_the_cloth_has_every_spot_and_zero_joins_its_neighbours() -> None:
    assert spots_offered("bg") == SINGLE_SPOTS
    table = opened("bg", {"ana": 100})
    table.stake("ana", "0/1:1 0/2:1 0/3:1 0/1/2:1 0/2/3:1 0/1/2/3:1")


@pytest.mark.rule("BG-16", "AMB-BG-06")
@pytest.mark.parametrize("name", ["d1+d2", "d2+d3", "c1+c2", "c2+c3", "d1+d3", "low+d3"])
def test_amb_bg_06_one_stake_plays_one_dozen_or_one_column(name: str) -> None:
    refusal = refused(opened("bg", {"ana": 100}), place("ana", f"{name}:10"))
    assert refusal.why in (RefusalReason.SPOT_NOT_ON_THIS_CLOTH, RefusalReason.NO_SUCH_SPOT)
    assert refusal.articles == ("BG-16", "AMB-BG-06")


@pytest.mark.rule("BG-3")
@pytest.mark.parametrize("name", ["37", "0000", "17/19", "3/4", "green"])
def test_bg_3_a_stake_that_lies_nowhere_is_cleared_up_before_it_plays(name: str) -> None:
    table = opened("bg", {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:10"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_SUCH_SPOT, ("BG-3",))
    assert table.purse("ana") == 100


@pytest.mark.rule("BG-17")
def test_bg_17_the_simple_chances_lie_along_one_side_in_their_order() -> None:
    drawn = layout(load("bg"))
    boxes = [box for box in drawn.boxes if box.spot.kind is SpotClass.SIMPLE]
    boxes.sort(key=lambda box: box.rect.top)
    assert [box.spot.name for box in boxes] == ["low", "even", "red", "black", "odd", "high"]
    assert len({box.rect.left for box in boxes}) == 1
    # The dozens stand between them and the numbers.
    dozens = {drawn.boxes_of(SPOTS[name])[0].rect for name in ("d1", "d2", "d3")}
    assert {(rect.left, rect.right) for rect in dozens} == {(boxes[0].rect.right, 0)}


@pytest.mark.rule("BG-17")
@pytest.mark.parametrize(
    ("chance", "first", "last"),
    [
        ("even", 2, 36),
        ("odd", 1, 35),
        ("red", 1, 36),
        ("black", 2, 35),
        ("low", 1, 18),
        ("high", 19, 36),
    ],
)
def test_bg_17_a_simple_chance_covers_eighteen_numbers(chance: str, first: int, last: int) -> None:
    won = [out for out in range(37) if settle_line("bg", out, f"{chance}:10").won == 10]
    assert (len(won), min(won), max(won)) == (18, first, last)


@pytest.mark.rule("BG-11", "BG-12", "BG-13", "BG-14", "BG-15", "BG-16", "BG-17", "BG-26")
@pytest.mark.rule("BG-27", "AMB-BG-01", "AMB-BG-02")
def test_bg_every_bet_gives_the_house_one_in_37() -> None:
    # Half back at zero would make it 1/74 (AMB-BG-01), a stake not kept 2/37 and more (AMB-BG-02).
    for each in load("bg").terms:
        returned = sum(settle_line("bg", out, f"{each.name}:1").hand for out in range(37))
        assert 1 - Fraction(returned, 37) == Fraction(1, 37), each


# The words of the house ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("BG-11", "straight", ["стрейт", "пълен номер", "straight"]),
        case("BG-12", "split", ["сплит", "split"]),
        case("BG-13", "street", ["стрийт", "street"]),
        case("BG-14", "corner", ["корнер", "corner"]),
        case("BG-15", "sixline", ["сикслайн", "sixline", "sixain"]),
        case("BG-16", "dozen", ["дузина"]),
        case("BG-16", "d1", ["първа дузина"]),
        case("BG-16", "d2", ["втора дузина"]),
        case("BG-16", "d3", ["трета дузина"]),
        case("BG-16", "column", ["колона"]),
        case("BG-16", "c1", ["първа колона"]),
        case("BG-16", "c2", ["втора колона"]),
        case("BG-16", "c3", ["трета колона"]),
        case("BG-17", "simple", ["прост шанс"]),
        case("BG-17", "low", ["1–18", "малки"]),
        case("BG-17", "high", ["19–36", "големи"]),
        case("BG-17", "red", ["червено"]),
        case("BG-17", "black", ["черно"]),
        case("BG-17", "even", ["четни", "четно"]),
        case("BG-17", "odd", ["нечетни", "нечетно"]),
        case(
            "BG-19 BG-20 BG-21",
            "voisins",
            ["воазен де зиро", "серия 0/2/3", "voisins du zero", "serie 0/2/3"],
        ),
        case("BG-22", "tiers", ["тиер", "серия 5/8", "tiere", "serie 5/8"]),
        case("BG-23 BG-24 BG-25", "orphelins", ["орфелини"]),
        case("BG-28a BG-28b", "zerospiel", ["зиро шпил", "zero spiel"]),
    ],
)
def test_bg_the_bets_are_called_as_the_house_calls_them(name: str, said: list[str]) -> None:
    book = load("bg")
    assert list(book.words[name]) == said
    assert book.word(name) == said[0]
    words = Words.of(book)
    assert {words[word] for word in said} == {name}
