"""Argentina: what the cloth shows, where each chip lies, and what each box covers."""

from functools import cache

import pytest

from novamas.drawing.layout import Layout, Rect, layout
from novamas.game.cloth import (
    EUROPEAN,
    LONGITUDINAL_LINES,
    TRANSVERSE_LINES,
    Point,
    Spot,
    SpotClass,
    spot,
)
from novamas.game.house_words import Words, spoken
from novamas.game.notation import parse_spot
from novamas.game.wheel import Pocket
from novamas.rulebooks import load
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import back, case, opened, place, refused, settle_line, settled

COLORADO = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
NEGRO = {2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35}


def marked(kind: str) -> list[Spot]:
    """What the cloth of the house has of a class."""
    return [each for each in load("ar").terms if each.kind is SpotClass(kind)]


def covered(kind: str) -> set[frozenset[Pocket]]:
    """The numbers that each spot of a class covers."""
    return {each.numbers for each in marked(kind)}


@cache
def cloth() -> Layout:
    """The drawing of the house's cloth."""
    return layout(load("ar"))


def square(number: int) -> Rect:
    """The printed square of a number."""
    (box,) = cloth().boxes_of(spot(str(number)))
    return box.rect


# What can be bet ----------------------------------------------------------------------------------


@pytest.mark.rule("AR-1")
@pytest.mark.parametrize("name", ["3/4", "17/25", "1/2/3/4", "37", "0000", "-1", "green", "", "d4"])
def test_ar_1_what_the_cloth_does_not_mark_is_refused(name: str) -> None:
    table = opened("ar", {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:1"))
    assert refusal.why is RefusalReason.NO_SUCH_SPOT
    assert refusal.articles == ("AR-1",)


@pytest.mark.rule("AR-1")
@pytest.mark.parametrize("name", ["00", "0/00", "0/00/1/2/3"])
def test_ar_1_what_another_cloth_marks_is_refused(name: str) -> None:
    refusal = refused(opened("ar", {"ana": 100}), place("ana", f"{name}:1"))
    assert refusal.why is RefusalReason.SPOT_NOT_ON_THIS_CLOTH
    assert refusal.articles == ("AR-1",)


@pytest.mark.rule("AR-1")
def test_ar_1_whatever_the_cloth_marks_is_taken() -> None:
    table = opened("ar", {"ana": 1000})
    for each in load("ar").terms:
        table.stake("ana", f"{each.name}:2")
    assert len(table.state.stakes) == 37 + 60 + 14 + 23 + 11 + 3 + 3 + 6 + 5


@pytest.mark.rule("AR-1", "AR-S2")
def test_ar_1_the_chances_flank_the_numbers() -> None:
    drawn = cloth()
    simple = [box for box in drawn.boxes if box.spot.kind is SpotClass.SIMPLE]
    down = sorted(simple, key=lambda box: box.rect.top)
    left = [box.spot.name for box in down if box.rect.right <= LONGITUDINAL_LINES[0]]
    right = [box.spot.name for box in down if box.rect.left >= LONGITUDINAL_LINES[-1]]
    assert left == ["red", "even", "low"]
    assert right == ["black", "odd", "high"]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        case("AR-4.a AR-5.b", "straight", 37),
        case("AR-4.a AR-6.c", "split", 60),
        case("AR-4.a AR-7.c", "corner", 23),
        case("AR-4.a AR-8.e", "street", 14),
        case("AR-4.a AR-9.d", "sixline", 11),
        case("AR-4.b", "simple", 6),
        case("AR-4.b AR-11.a1", "dozen", 3),
        case("AR-4.b AR-11.b1", "column", 3),
        case("AR-11.a4 AR-11.b3 AR-17.c AMB-AR-17b", "straddle", 5),
    ],
)
def test_ar_so_many_of_each_class(kind: str, count: int) -> None:
    spots = marked(kind)
    assert len(spots) == count
    assert len({each.numbers for each in spots}) == count


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("AR-4.a", "17", "pleno 17"),
        case("AR-4.a", "17/20", "semipleno 17/20"),
        case("AR-4.a", "16/18", "calle 16/18"),
        case("AR-4.a", "16/20", "cuadro 16/20"),
        case("AR-4.a AR-7.d", "0/1/2/3", "cuadro del cero"),
        case("AR-4.a", "13/18", "línea 13/18"),
        case("AR-4.b", "low", "menor"),
        case("AR-4.b", "high", "mayor"),
        case("AR-4.b", "red", "colorado"),
        case("AR-4.b", "black", "negro"),
        case("AR-4.b", "even", "pares"),
        case("AR-4.b", "odd", "nones"),
        case("AR-4.b", "d1", "primera docena"),
        case("AR-4.b", "d2", "segunda docena"),
        case("AR-4.b", "d3", "tercera docena"),
        case("AR-4.b", "c1", "primera columna"),
        case("AR-4.b", "c2", "segunda columna"),
        case("AR-4.b", "c3", "tercera columna"),
        case("AR-4.b AR-11.a3", "d1+d2", "primera y segunda docena"),
        case("AR-4.b AR-11.a3", "d2+d3", "segunda y tercera docena"),
        case("AR-4.b AR-11.b3", "c1+c2", "primera y segunda columna"),
        case("AR-4.b AR-11.b3", "c2+c3", "segunda y tercera columna"),
        case("AR-4.b AR-17.c", "low+d3", "menor y tercera docena"),
    ],
)
def test_ar_4_the_house_says_and_understands_its_own_words(name: str, said: str) -> None:
    book = load("ar")
    assert spoken(book, spot(name)) == said
    assert parse_spot(said.replace(" ", "-"), Words.of(book)) is spot(name)


@pytest.mark.rule("AR-4.a", "AR-4.b")
def test_ar_4_the_words_of_the_classes_of_chances() -> None:
    words = Words.of(load("ar"))
    said = ("chance-simple", "docena", "columna", "a-caballo")
    assert [words[word] for word in said] == ["simple", "dozen", "column", "straddle"]


# Where the chip lies ------------------------------------------------------------------------------


@pytest.mark.rule("AR-S2", "AR-9.d")
def test_ar_s2_four_lines_along_and_thirteen_across() -> None:
    assert len(LONGITUDINAL_LINES) == 4
    assert len(TRANSVERSE_LINES) == 13
    along = {side for n in range(1, 37) for side in (square(n).left, square(n).right)}
    across = {side for n in range(1, 37) for side in (square(n).top, square(n).bottom)}
    assert along == set(LONGITUDINAL_LINES)
    assert across == set(TRANSVERSE_LINES)
    assert {point.y for each in marked("sixline") for point in EUROPEAN.points[each]} == set(
        TRANSVERSE_LINES[1:-1]
    )


@pytest.mark.rule("AR-5.b")
def test_ar_5_a_pleno_lies_inside_the_square_of_its_number() -> None:
    drawn = cloth()
    for number in range(37):
        (box,) = drawn.boxes_of(spot(str(number)))
        (point,) = drawn.points(spot(str(number)))
        assert box.rect.left < point.x < box.rect.right
        assert box.rect.top < point.y < box.rect.bottom


@pytest.mark.rule("AR-6.b")
def test_ar_6_a_semipleno_lies_on_the_line_between_its_two_numbers() -> None:
    for each in marked("split"):
        (point,) = EUROPEAN.points[each]
        first, last = sorted(map(int, each.numbers))
        if first == 0:
            assert point == Point(square(last).centre.x, TRANSVERSE_LINES[0])
        else:
            assert point == square(first).shared(square(last))


@pytest.mark.rule("AR-6.b", "AR-6.c")
def test_ar_6_the_60_semiplenos_are_all_pairs_of_neighbours() -> None:
    across = {frozenset((n, n + 1)) for n in range(1, 36) if n % 3}
    along = {frozenset((n, n + 3)) for n in range(1, 34)}
    with_zero = {frozenset((0, n)) for n in (1, 2, 3)}
    assert (len(across), len(along), len(with_zero)) == (24, 33, 3)
    assert covered("split") == across | along | with_zero
    assert {17, 20} in covered("split")
    assert {17, 21} not in covered("split")
    assert {3, 4} not in covered("split")


@pytest.mark.rule("AR-7.b")
def test_ar_7_a_cuadro_lies_where_the_lines_between_its_four_numbers_cross() -> None:
    for each in marked("corner"):
        if 0 not in each.numbers:
            (point,) = EUROPEAN.points[each]
            assert {n for n in range(1, 37) if point in square(n).outline} == each.numbers


@pytest.mark.rule("AR-7.b", "AR-7.c")
def test_ar_7_the_23_cuadros() -> None:
    squares = {frozenset((n, n + 1, n + 3, n + 4)) for n in range(1, 33) if n % 3}
    assert len(squares) == 22
    assert covered("corner") == squares | {frozenset((0, 1, 2, 3))}
    assert {16, 17, 19, 20} in covered("corner")
    assert {3, 4, 6, 7} not in covered("corner")


@pytest.mark.rule("AR-7.d")
def test_ar_7_the_zero_cuadro_has_two_points_and_is_one_bet() -> None:
    first, last = LONGITUDINAL_LINES[0], LONGITUDINAL_LINES[-1]
    zero_line = TRANSVERSE_LINES[0]
    ends = (Point(first, zero_line), Point(last, zero_line))
    assert [EUROPEAN.at_point(end) for end in ends] == [(spot("0/1/2/3"),)] * 2
    assert cloth().points(spot("0/1/2/3")) == ends
    chips = settled("ar", 2, "0/1/2/3:1 0/1/2/3:1")
    assert sum(line.won for line in chips.lines) == 16
    assert settle_line("ar", 2, "0/1/2/3:1").articles == ("AR-7.d", "AR-7.a")


@pytest.mark.rule("AR-7.d", "AR-13")
def test_ar_7_both_points_of_the_zero_cuadro_share_its_maximum() -> None:
    limits = {"corner": {"max": 10}}
    table = opened("ar", {"ana": 100}, limits=limits, limits_kept="enforced")
    table.stake("ana", "0/1/2/3:6")
    assert refused(table, place("ana", "0/1/2/3:5")).why is RefusalReason.EXCEEDS_MAXIMUM
    table.stake("ana", "0/1/2/3:4")


@pytest.mark.rule("AR-8.b", "AR-8.e")
def test_ar_8_a_calle_is_a_row_and_lies_on_an_outer_line_beside_it() -> None:
    rows = {frozenset((n, n + 1, n + 2)) for n in range(1, 35, 3)}
    assert covered("street") == rows | {frozenset((0, 1, 2)), frozenset((0, 2, 3))}
    assert {16, 17, 18} in covered("street")
    assert {17, 18, 19} not in covered("street")
    outer = (LONGITUDINAL_LINES[0], LONGITUDINAL_LINES[-1])
    for each in marked("street"):
        if 0 not in each.numbers:
            middle = square(min(map(int, each.numbers))).centre.y
            assert EUROPEAN.points[each] == tuple(Point(x, middle) for x in outer)


@pytest.mark.parametrize(
    ("calle", "between", "misses"),
    [case("AR-8.c", "0/1/2", (1, 2), 3), case("AR-8.d", "0/2/3", (2, 3), 1)],
)
def test_ar_8_zero_in_calle(calle: str, between: tuple[int, int], misses: int) -> None:
    first, last = map(square, between)
    assert first.right == last.left
    assert EUROPEAN.points[spot(calle)] == (Point(first.right, TRANSVERSE_LINES[0]),)
    assert EUROPEAN.at_point(EUROPEAN.points[spot(calle)][0]) == (spot(calle),)
    for number in (0, *between):
        assert settle_line("ar", number, f"{calle}:2").won == 22
    assert settle_line("ar", misses, f"{calle}:2").lost == 2
    assert settle_line("ar", 0, f"{calle}:2").articles == (
        "AR-8.c" if calle == "0/1/2" else "AR-8.d",
        "AR-8.a",
    )


@pytest.mark.rule("AR-9.b")
def test_ar_9_a_linea_lies_on_either_outer_line_between_two_rows() -> None:
    outer = (LONGITUDINAL_LINES[0], LONGITUDINAL_LINES[-1])
    for each in marked("sixline"):
        first = min(map(int, each.numbers))
        between = square(first).bottom
        assert EUROPEAN.points[each] == tuple(Point(x, between) for x in outer)
        assert [EUROPEAN.at_point(point) for point in EUROPEAN.points[each]] == [(each,), (each,)]
        assert each.numbers == frozenset(range(first, first + 6))


@pytest.mark.rule("AR-9.c", "AR-9.d")
def test_ar_9_no_linea_on_the_first_nor_on_the_last_transverse_line() -> None:
    lineas = marked("sixline")
    for x in LONGITUDINAL_LINES:
        for y in (TRANSVERSE_LINES[0], TRANSVERSE_LINES[-1]):
            assert not set(EUROPEAN.at_point(Point(x, y))) & set(lineas)
    assert not any(0 in each.numbers for each in lineas)


@pytest.mark.rule("AR-11.a2")
def test_ar_11_each_dozen_has_its_boxes() -> None:
    drawn = cloth()
    for name in ("d1", "d2", "d3"):
        boxes = drawn.boxes_of(spot(name))
        assert len(boxes) == 2
        assert drawn.points(spot(name)) == tuple(box.rect.centre for box in boxes)


@pytest.mark.rule("AR-11.b2")
def test_ar_11_a_column_has_its_box_at_the_end_of_its_numbers() -> None:
    drawn = cloth()
    for column, last in (("c1", 34), ("c2", 35), ("c3", 36)):
        (box,) = drawn.boxes_of(spot(column))
        assert box.rect.top == square(last).bottom == TRANSVERSE_LINES[-1]
        assert (box.rect.left, box.rect.right) == (square(last).left, square(last).right)
        assert drawn.points(spot(column)) == (box.rect.centre,)


@pytest.mark.rule("AR-11.a3", "AR-11.b3", "AR-17.c", "AMB-AR-28")
def test_ar_11_a_caballo_lies_on_the_line_between_two_boxes() -> None:
    drawn = cloth()
    for each in marked("straddle"):
        first, second = (drawn.boxes_of(spot(name)) for name in each.boxes)
        lines = [one.rect.shared(other.rect) for one in first for other in second]
        assert drawn.points(each)
        assert all(point in lines for point in drawn.points(each))


@pytest.mark.parametrize(
    "name",
    [
        case("AR-11.a4", "d1+d3"),
        case("AR-11.b3", "c1+c3"),
        case("AMB-AR-17b", "low+d1"),
        case("AMB-AR-17b", "high+d3"),
        case("AMB-AR-17b", "low+high"),
        case("AMB-AR-17b", "red+even"),
        case("AMB-AR-17b", "d3+c1"),
    ],
)
def test_ar_17_no_other_boxes_can_be_straddled(name: str) -> None:
    table = opened("ar", {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:10"))
    assert refusal.why is RefusalReason.NO_SUCH_SPOT
    assert refusal.articles == ("AR-11.a4", "AR-11.b3", "AMB-AR-17b")


# What each box covers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "numbers"),
    [
        case("AR-10.a", "low", set(range(1, 19))),
        case("AR-10.b", "high", set(range(19, 37))),
        case("AR-10.c", "red", COLORADO),
        case("AR-10.d", "black", NEGRO),
        case("AR-10.e AMB-AR-26", "even", set(range(2, 37, 2))),
        case("AR-10.f", "odd", set(range(1, 36, 2))),
        case("AR-11.a1", "d1", set(range(1, 13))),
        case("AR-11.a1", "d2", set(range(13, 25))),
        case("AR-11.a1", "d3", set(range(25, 37))),
        case("AR-11.b1", "c1", set(range(1, 35, 3))),
        case("AR-11.b1", "c2", set(range(2, 36, 3))),
        case("AR-11.b1", "c3", set(range(3, 37, 3))),
    ],
)
def test_ar_10_11_a_box_wins_on_its_numbers_and_on_no_other(box: str, numbers: set[int]) -> None:
    lines = {number: settle_line("ar", number, f"{box}:10") for number in range(37)}
    assert {number for number, line in lines.items() if line.won} == numbers
    assert {number for number, line in lines.items() if line.lost == 10} == set(range(37)) - numbers


@pytest.mark.parametrize(
    ("box", "article"),
    [
        case("AR-10.a", "low", "AR-10.a"),
        case("AR-10.b", "high", "AR-10.b"),
        case("AR-10.c", "red", "AR-10.c"),
        case("AR-10.d", "black", "AR-10.d"),
        case("AR-10.e", "even", "AR-10.e"),
        case("AR-10.f", "odd", "AR-10.f"),
        case("AR-11.a1", "d2", "AR-11.a1"),
        case("AR-11.b1", "c2", "AR-11.b1"),
    ],
)
def test_ar_10_11_each_box_cites_its_own_article(box: str, article: str) -> None:
    for number in range(37):
        assert settle_line("ar", number, f"{box}:10").articles[0] == article


@pytest.mark.rule("AR-10", "AMB-AR-25")
def test_ar_10_for_and_against_leave_zero_out() -> None:
    for number in range(1, 37):
        assert back(settled("ar", number, "red:10 black:10")) == 20
        assert back(settled("ar", number, "d1:10 d2:10 d3:10")) == 30
    assert back(settled("ar", 0, "red:10 black:10 d1:10 d2:10 d3:10")) == 0


@pytest.mark.rule("AR-1", "AMB-AR-17b")
def test_ar_1_every_spot_of_a_cloth_with_one_zero_is_on_this_one() -> None:
    assert set(load("ar").terms) == set(EUROPEAN.spots.values())
