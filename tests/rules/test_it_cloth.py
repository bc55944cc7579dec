"""Italy, the cloth and the wheel: what a combination covers, its names, and where its chip lies."""

from itertools import pairwise

import pytest

from novamas.drawing.layout import layout
from novamas.game import wheel
from novamas.game.cloth import EUROPEAN, SIMPLE_CHANCES, SPOTS, Point, Spot, SpotClass
from novamas.game.notation import parse_spot, spoken
from novamas.game.rulebook.behaviours import Drawing
from novamas.rulebooks import load, words
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import opened, place, refused, settle_line

RED = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)


def said(text: str) -> Spot:
    """The spot that an Italian player means."""
    return parse_spot(text, words=words())


# The combinations ---------------------------------------------------------------------------------


@pytest.mark.rule("IT-bet-1")
def test_it_bet_1_a_straight_is_each_number_from_0_to_36() -> None:
    straights = EUROPEAN.of_class(SpotClass.STRAIGHT)
    assert [spot.name for spot in straights] == [str(number) for number in range(37)]
    assert all(load("it").offers(spot) for spot in straights)
    assert all(spot.numbers == {int(spot.name)} for spot in straights)


@pytest.mark.rule("IT-bet-1")
@pytest.mark.parametrize("name", ["37", "0000", "-1", "17/22", "3/4", "36/39", "green"])
def test_it_bet_1_what_is_not_marked_on_the_cloth_is_refused(name: str) -> None:
    refusal = refused(opened("it", {"ana": 100}), place("ana", f"{name}:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_SUCH_SPOT, ("IT-bet-1",))


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        pytest.param("20/17", "17/20", {17, 20}, marks=pytest.mark.rule("IT-bet-2")),
        pytest.param("17/18", "17/18", {17, 18}, marks=pytest.mark.rule("IT-bet-2")),
        pytest.param("cavallo-0/3", "0/3", {0, 3}, marks=pytest.mark.rule("IT-bet-2")),
        pytest.param("18/16", "16/18", {16, 17, 18}, marks=pytest.mark.rule("IT-bet-3")),
        pytest.param("tre-primi", "1/3", {1, 2, 3}, marks=pytest.mark.rule("IT-bet-3b")),
        pytest.param("tre-ultimi", "34/36", {34, 35, 36}, marks=pytest.mark.rule("IT-bet-3b")),
        pytest.param("0/1/2", "0/1/2", {0, 1, 2}, marks=pytest.mark.rule("IT-bet-4")),
        pytest.param("0/2/3", "0/2/3", {0, 2, 3}, marks=pytest.mark.rule("IT-bet-4")),
        pytest.param("25/29", "25/29", {25, 26, 28, 29}, marks=pytest.mark.rule("IT-bet-5")),
        pytest.param("quattro-primi", "0/1/2/3", {0, 1, 2, 3}, marks=pytest.mark.rule("IT-bet-6")),
        pytest.param("13/18", "13/18", set(range(13, 19)), marks=pytest.mark.rule("IT-bet-7")),
        pytest.param("sei-primi", "1/6", set(range(1, 7)), marks=pytest.mark.rule("IT-bet-7b")),
        pytest.param(
            "sei-ultimi", "31/36", set(range(31, 37)), marks=pytest.mark.rule("IT-bet-7b")
        ),
    ],
)
def test_it_bet_the_name_and_the_numbers_of_a_combination(
    text: str, name: str, numbers: set[int]
) -> None:
    spot = said(text)
    assert load("it").offers(spot)
    assert (spot.name, set(spot.numbers)) == (name, numbers)


@pytest.mark.parametrize(
    ("kind", "how_many", "numbers"),
    [
        pytest.param(SpotClass.SPLIT, 60, 2, marks=pytest.mark.rule("IT-bet-2")),
        pytest.param(SpotClass.STREET, 14, 3, marks=pytest.mark.rule("IT-bet-3", "IT-bet-4")),
        pytest.param(SpotClass.CORNER, 23, 4, marks=pytest.mark.rule("IT-bet-5", "IT-bet-6")),
        pytest.param(SpotClass.SIXLINE, 11, 6, marks=pytest.mark.rule("IT-bet-7")),
        pytest.param(SpotClass.DOZEN, 3, 12, marks=pytest.mark.rule("IT-bet-8")),
        pytest.param(SpotClass.COLUMN, 3, 12, marks=pytest.mark.rule("IT-bet-9")),
        pytest.param(
            SpotClass.SIMPLE, 6, 18, marks=pytest.mark.rule("IT-bet-10", "IT-bet-11", "IT-bet-12")
        ),
    ],
)
def test_it_bet_how_many_spots_of_a_class_there_are(
    kind: SpotClass, how_many: int, numbers: int
) -> None:
    offered = [spot for spot in load("it").terms if spot.kind is kind]
    assert len(offered) == how_many
    assert all(len(spot.numbers) == numbers for spot in offered)


@pytest.mark.rule("IT-bet-4")
@pytest.mark.parametrize(("pocket", "won", "lost"), [(0, 44, 0), (1, 44, 0), (2, 44, 0), (3, 0, 4)])
def test_it_bet_4_the_street_0_1_2_pays_as_a_street(pocket: int, won: int, lost: int) -> None:
    line = settle_line("it", pocket, "0/1/2:4")
    assert (line.won, line.lost) == (won, lost)
    assert "IT-bet-4" in line.articles
    assert "IT-bet-3" not in line.articles


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("prima-dozzina", range(1, 13), marks=pytest.mark.rule("IT-bet-8")),
        pytest.param("dozzina-di-mezzo", range(13, 25), marks=pytest.mark.rule("IT-bet-8")),
        pytest.param("ultima-dozzina", range(25, 37), marks=pytest.mark.rule("IT-bet-8")),
        pytest.param("colonna-34", range(1, 37, 3), marks=pytest.mark.rule("IT-bet-9")),
        pytest.param("colonna-35", range(2, 37, 3), marks=pytest.mark.rule("IT-bet-9")),
        pytest.param("colonna-36", range(3, 37, 3), marks=pytest.mark.rule("IT-bet-9")),
        pytest.param("manque", range(1, 19), marks=pytest.mark.rule("IT-bet-10")),
        pytest.param("passe", range(19, 37), marks=pytest.mark.rule("IT-bet-10")),
        pytest.param("pari", range(2, 37, 2), marks=pytest.mark.rule("IT-bet-11")),
        pytest.param("dispari", range(1, 37, 2), marks=pytest.mark.rule("IT-bet-11")),
        pytest.param("rosso", RED, marks=pytest.mark.rule("IT-bet-12")),
        pytest.param("nero", set(range(1, 37)) - set(RED), marks=pytest.mark.rule("IT-bet-12")),
    ],
)
def test_it_bet_the_boxes_beside_the_numbers(text: str, numbers: set[int]) -> None:
    assert said(text).numbers == set(numbers)


# Words --------------------------------------------------------------------------------------------

WORDS = {
    "straight": ("IT-bet-1", "pieno plein"),
    "split": ("IT-bet-2", "cavallo cheval"),
    "street": ("IT-bet-3", "terzina transversale-pleine"),
    "1/3": ("IT-bet-3b", "tre-primi trois-premiers"),
    "34/36": ("IT-bet-3b", "tre-ultimi trois-derniers"),
    "corner": ("IT-bet-5", "carré"),
    "0/1/2/3": ("IT-bet-6", "quattro-primi quatre-premiers"),
    "sixline": ("IT-bet-7", "sestina sixain"),
    "1/6": ("IT-bet-7b", "sei-primi six-premiers"),
    "31/36": ("IT-bet-7b", "sei-ultimi six-derniers"),
    "dozen": ("IT-bet-8", "dozzina douzaine"),
    "d1": ("IT-bet-8", "prima-dozzina douze-premiers"),
    "d2": ("IT-bet-8", "dozzina-di-mezzo douze-milieu"),
    "d3": ("IT-bet-8", "ultima-dozzina douze-derniers"),
    "column": ("IT-bet-9", "colonna colonne"),
    "c1": ("IT-bet-9", "colonna-34"),
    "c2": ("IT-bet-9", "colonna-35"),
    "c3": ("IT-bet-9", "colonna-36"),
    "low": ("IT-bet-10", "manque"),
    "high": ("IT-bet-10", "passe"),
    "even": ("IT-bet-11", "pari pair"),
    "odd": ("IT-bet-11", "dispari impair"),
    "red": ("IT-bet-12", "rosso rouge"),
    "black": ("IT-bet-12", "nero noir"),
    "simple": ("IT-pay-9", "chance-semplice"),
    "voisins": ("IT-ann-1", "vicini-dello-zero vicini voisins-du-zéro"),
    "tiers": ("IT-ann-2", "serie-5/8 serie tiers-du-cylindre"),
    "orphelins": ("IT-ann-3", "orfanelli"),
    "orphelins-plein": ("IT-sett-6", "orfanelli-in-pieno"),
    "nassa": ("IT-ann-4", "nassa"),
    "zerospiel": ("IT-ann-5", "zero-spiel"),
    "final": ("IT-sett-10", "finale"),
}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        pytest.param(name, known, marks=pytest.mark.rule(article), id=name)
        for name, (article, known) in WORDS.items()
    ],
)
def test_it_the_words_of_the_house(name: str, known: str) -> None:
    assert [word.replace(" ", "-") for word in load("it").words[name]] == known.split()
    assert {words()[word] for word in known.split()} == {name}


@pytest.mark.rule("IT-bet-2", "IT-bet-3b", "IT-bet-8", "IT-bet-9")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("17/20", "cavallo 17/20"),
        ("1/3", "tre primi"),
        ("d2", "dozzina di mezzo"),
        ("c1", "colonna 34"),
    ],
)
def test_it_a_combination_told_in_the_words_of_the_house(name: str, told: str) -> None:
    assert spoken(load("it"), SPOTS[name]) == told


def test_every_word_of_the_house_stands_in_the_table_above() -> None:
    assert set(load("it").words) == set(WORDS)


# Where the chip lies ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "point"),
    [
        pytest.param("1", (1, 1), marks=pytest.mark.rule("IT-bet-1"), id="the box of the number"),
        pytest.param("1/2", (2, 1), marks=pytest.mark.rule("IT-bet-2"), id="the line between"),
        pytest.param("1/4", (1, 2), marks=pytest.mark.rule("IT-bet-2"), id="the line below"),
        pytest.param("16/18", (0, 11), marks=pytest.mark.rule("IT-bet-3"), id="the outer line"),
        pytest.param("25/29", (2, 18), marks=pytest.mark.rule("IT-bet-5"), id="the centre of four"),
        pytest.param("0/1/2/3", (0, 0), marks=pytest.mark.rule("IT-bet-6"), id="0, 1 and dozen"),
        pytest.param("13/18", (0, 10), marks=pytest.mark.rule("IT-bet-7"), id="between streets"),
    ],
)
def test_it_bet_where_the_chip_lies(name: str, point: tuple[int, int]) -> None:
    assert Point(*point) in layout(load("it")).points(SPOTS[name])
    assert EUROPEAN.at_point(Point(*point)) == (SPOTS[name],)


@pytest.mark.rule("IT-bet-6")
def test_it_bet_6_the_chip_on_the_first_four_touches_the_first_dozen() -> None:
    cloth = layout(load("it"))
    corner = Point(0, 0)
    touched = {box.spot.name for box in cloth.boxes if box.rect.contains(corner)}
    assert {"0", "1", "d1"} <= touched


@pytest.mark.rule("IT-bet-9")
def test_it_bet_9_the_chip_on_a_column_lies_under_it() -> None:
    cloth = layout(load("it"))
    for name, last in (("c1", "34"), ("c2", "35"), ("c3", "36")):
        (under,) = cloth.boxes_of(SPOTS[name])
        (number,) = cloth.boxes_of(SPOTS[last])
        shared = number.rect.shared(under.rect)
        assert shared is not None
        assert under.chip.y > shared.y > number.chip.y


@pytest.mark.rule("IT-bet-10", "IT-bet-11", "IT-bet-12")
def test_it_bet_10_to_12_the_simple_chances_stand_on_one_side_outside_the_dozens() -> None:
    cloth = layout(load("it"))
    chances = sorted(
        (box for box in cloth.boxes if box.spot.kind is SpotClass.SIMPLE), key=lambda b: b.chip.y
    )
    assert [box.spot.name for box in chances] == ["low", "even", "red", "black", "odd", "high"]
    dozens = [box for box in cloth.boxes if box.spot.kind is SpotClass.DOZEN]
    assert len(dozens) == 3
    assert {box.rect.right for box in chances} == {box.rect.left for box in dozens}
    assert load("it").cloth.drawing is Drawing.AMERICAN
    assert load("it").cloth.right == ()


@pytest.mark.rule("IT-general-10")
@pytest.mark.parametrize("name", ["d1+d2", "d2+d3", "c1+c2", "c2+c3", "low+d3"])
def test_it_general_10_no_chip_across_two_chances(name: str) -> None:
    refusal = refused(opened("it", {"ana": 100}), place("ana", f"{name}:10"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.SPOT_NOT_ON_THIS_CLOTH,
        ("IT-general-10",),
    )


# The wheel ----------------------------------------------------------------------------------------

ORDER = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 "
    "35 3 26"
)


@pytest.mark.rule("IT-gioco-2")
def test_it_gioco_2_the_numbers_stand_in_the_european_order() -> None:
    assert list(wheel.EUROPEAN.order) == [int(number) for number in ORDER.split()]


@pytest.mark.rule("IT-bet-12")
def test_it_bet_12_the_colours_alternate_round_the_wheel() -> None:
    colours = [wheel.colour(number) for number in wheel.EUROPEAN.order[1:]]
    assert all(here is not there for here, there in pairwise(colours))
    assert (wheel.colour(11), wheel.colour(19)) == (wheel.Colour.BLACK, wheel.Colour.RED)


@pytest.mark.rule("IT-bet-10", "IT-bet-11", "IT-bet-12")
def test_it_bet_zero_is_in_no_simple_chance_and_every_other_number_in_three() -> None:
    counts = [sum(n in SPOTS[name].numbers for name in SIMPLE_CHANCES) for n in range(37)]
    assert counts == [0] + [3] * 36


# The Tabella dei Vicini: sorted; by the place on the wheel; by the number in the middle.
VICINI = {
    0: ("0-3-15-26-32", "3-26-0-32-15", "3-26-0-32-15"),
    1: ("1-14-16-20-33", "26-0-32-15-19", "16-33-1-20-14"),
    2: ("2-4-17-21-25", "0-32-15-19-4", "4-21-2-25-17"),
    3: ("0-3-12-26-35", "32-15-19-4-21", "12-35-3-26-0"),
    4: ("2-4-15-19-21", "15-19-4-21-2", "15-19-4-21-2"),
    5: ("5-10-16-23-24", "19-4-21-2-25", "23-10-5-24-16"),
    6: ("6-13-17-27-34", "4-21-2-25-17", "17-34-6-27-13"),
    7: ("7-12-18-28-29", "21-2-25-17-34", "18-29-7-28-12"),
    8: ("8-10-11-23-30", "2-25-17-34-6", "11-30-8-23-10"),
    9: ("9-14-18-22-31", "25-17-34-6-27", "14-31-9-22-18"),
    10: ("5-8-10-23-24", "17-34-6-27-13", "8-23-10-5-24"),
    11: ("8-11-13-30-36", "34-6-27-13-36", "13-36-11-30-8"),
    12: ("3-7-12-28-35", "6-27-13-36-11", "7-28-12-35-3"),
    13: ("6-11-13-27-36", "27-13-36-11-30", "6-27-13-36-11"),
    14: ("1-9-14-20-31", "13-36-11-30-8", "1-20-14-31-9"),
    15: ("0-4-15-19-32", "36-11-30-8-23", "0-32-15-19-4"),
    16: ("1-5-16-24-33", "11-30-8-23-10", "5-24-16-33-1"),
    17: ("2-6-17-25-34", "30-8-23-10-5", "2-25-17-34-6"),
    18: ("7-9-18-22-29", "8-23-10-5-24", "9-22-18-29-7"),
    19: ("4-15-19-21-32", "23-10-5-24-16", "32-15-19-4-21"),
    20: ("1-14-20-31-33", "10-5-24-16-33", "33-1-20-14-31"),
    21: ("2-4-19-21-25", "5-24-16-33-1", "19-4-21-2-25"),
    22: ("9-18-22-29-31", "24-16-33-1-20", "31-9-22-18-29"),
    23: ("5-8-10-23-30", "16-33-1-20-14", "30-8-23-10-5"),
    24: ("5-10-16-24-33", "33-1-20-14-31", "10-5-24-16-33"),
    25: ("2-17-21-25-34", "1-20-14-31-9", "21-2-25-17-34"),
    26: ("0-3-26-32-35", "20-14-31-9-22", "35-3-26-0-32"),
    27: ("6-13-27-34-36", "14-31-9-22-18", "34-6-27-13-36"),
    28: ("7-12-28-29-35", "31-9-22-18-29", "29-7-28-12-35"),
    29: ("7-18-22-28-29", "9-22-18-29-7", "22-18-29-7-28"),
    30: ("8-11-23-30-36", "22-18-29-7-28", "36-11-30-8-23"),
    31: ("9-14-20-22-31", "18-29-7-28-12", "20-14-31-9-22"),
    32: ("0-15-19-26-32", "29-7-28-12-35", "26-0-32-15-19"),
    33: ("1-16-20-24-33", "7-28-12-35-3", "24-16-33-1-20"),
    34: ("6-17-25-27-34", "28-12-35-3-26", "25-17-34-6-27"),
    35: ("3-12-26-28-35", "12-35-3-26-0", "28-12-35-3-26"),
    36: ("11-13-27-30-36", "35-3-26-0-32", "27-13-36-11-30"),
}


@pytest.mark.rule("IT-vic")
@pytest.mark.parametrize("row", VICINI)
def test_it_vic_a_row_of_the_tabella_dei_vicini(row: int) -> None:
    blocks = wheel.EUROPEAN.neighbours_table()[row]
    assert tuple("-".join(map(str, block)) for block in blocks) == VICINI[row]


@pytest.mark.rule("IT-vic")
def test_it_vic_the_tabella_has_a_row_for_every_number() -> None:
    assert len(wheel.EUROPEAN.neighbours_table()) == len(VICINI) == 37
