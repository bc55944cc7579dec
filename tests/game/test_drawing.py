"""The drawing of the cloths: every spot has its place, and no two spots share one."""

import json
from dataclasses import replace
from itertools import pairwise
from typing import cast

import pytest
from _pytest.mark.structures import ParameterSet

from novamas import rulebooks
from novamas.drawing.layout import Box, Layout, NotOnClothError, Rect, around, layout, turned
from novamas.game.cloth import EUROPEAN, SIMPLE_CHANCES, Point, SpotClass, spot
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.rulebook.model import Rulebook
from tests.more_zeros import HEADS, with_zeros


def book_of(given: ParameterSet) -> Rulebook:
    return cast("Rulebook", given.values[0])


HOUSES = [pytest.param(rulebooks.load(id), id=id) for id in rulebooks.HOUSES]
MORE_ZEROS = [
    pytest.param(with_zeros(id, head), id=f"{id}-{head}") for id in ("ar", "bg") for head in HEADS
]
CLOTHS = [*HOUSES, *MORE_ZEROS]
FRENCH = [each for each in CLOTHS if book_of(each).cloth.drawing is Drawing.FRENCH]
AMERICAN = [each for each in CLOTHS if each not in FRENCH]


def on_border(rect: Rect, point: Point) -> bool:
    sides = point.x in {rect.left, rect.right} or point.y in {rect.top, rect.bottom}
    return rect.contains(point) and sides


def rects(drawn: Layout, name: str) -> list[Rect]:
    return [box.rect for box in drawn.boxes_of(spot(name))]


def assert_lies_between(drawn: Layout, name: str) -> None:
    """A straddle's every point lies on the border of a box of each of its two chances."""
    for point in drawn.points(spot(name)):
        for box in spot(name).boxes:
            assert any(on_border(rect, point) for rect in rects(drawn, box)), (name, point, box)


@pytest.mark.parametrize("book", CLOTHS)
def test_every_offered_spot_has_a_place_within_the_bounds(book: Rulebook) -> None:
    drawn = layout(book)
    assert set(drawn.places) == set(book.terms)
    for offered in book.terms:
        points = drawn.points(offered)
        assert points, offered
        assert all(drawn.bounds.contains(point) for point in points), offered


@pytest.mark.parametrize("book", CLOTHS)
def test_no_point_plays_two_spots(book: Rulebook) -> None:
    places = [point for points in layout(book).places.values() for point in points]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("book", CLOTHS)
def test_boxes_do_not_lie_on_one_another(book: Rulebook) -> None:
    boxes = [box.rect for box in layout(book).boxes]
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            wide = min(one.right, other.right) - max(one.left, other.left)
            high = min(one.bottom, other.bottom) - max(one.top, other.top)
            assert wide <= 0 or high <= 0, (one, other)


@pytest.mark.parametrize("book", CLOTHS)
def test_a_chip_lies_inside_its_box(book: Rulebook) -> None:
    for box in layout(book).boxes:
        assert box.rect.contains(box.chip)
        assert not on_border(box.rect, box.chip)


@pytest.mark.rule("AR-7.d")
def test_the_zero_corner_has_two_points() -> None:
    drawn = layout(rulebooks.load("ar"))
    points = drawn.points(spot("0/1/2/3"))
    (zero,) = rects(drawn, "0")
    assert points == (Point(0, 0), Point(6, 0))
    assert all(on_border(zero, point) for point in points)
    assert points[0] in rects(drawn, "1")[0].outline
    assert points[1] in rects(drawn, "3")[0].outline


@pytest.mark.rule("AR-11.a2")
@pytest.mark.parametrize("book", FRENCH)
def test_the_dozens_stand_at_the_foot_of_both_flanks(book: Rulebook) -> None:
    drawn = layout(book)
    for dozen in EUROPEAN.of_class(SpotClass.DOZEN):
        left, right = rects(drawn, dozen.name)
        assert left.right <= 0
        assert right.left >= 6
        assert left.top == right.top == 24
        assert drawn.points(dozen) == (left.centre, right.centre)


@pytest.mark.rule("AR-11.b2")
@pytest.mark.parametrize("book", CLOTHS)
def test_a_column_has_its_box_under_its_numbers(book: Rulebook) -> None:
    drawn = layout(book)
    for column in EUROPEAN.of_class(SpotClass.COLUMN):
        (box,) = rects(drawn, column.name)
        numbers = [rects(drawn, str(number))[0] for number in column.numbers]
        assert {(rect.left, rect.right) for rect in numbers} == {(box.left, box.right)}
        assert box.top == max(rect.bottom for rect in numbers)


@pytest.mark.rule("AR-11.a3", "AMB-AR-28")
@pytest.mark.parametrize("name", ["d1+d2", "d2+d3"])
def test_two_dozens_are_played_on_the_line_between_them(name: str) -> None:
    drawn = layout(rulebooks.load("ar"))
    assert len(drawn.points(spot(name))) == 2, "one on each side of the cloth"
    assert_lies_between(drawn, name)


@pytest.mark.rule("AR-11.b3", "AMB-AR-28")
@pytest.mark.parametrize("name", ["c1+c2", "c2+c3"])
def test_two_columns_are_played_on_the_line_between_them(name: str) -> None:
    drawn = layout(rulebooks.load("ar"))
    assert len(drawn.points(spot(name))) == 1
    assert_lies_between(drawn, name)


@pytest.mark.rule("AR-17.c")
def test_menor_and_the_third_dozen_meet_on_a_line() -> None:
    drawn = layout(rulebooks.load("ar"))
    assert drawn.points(spot("low+d3")) == (Point(-1, 24),)
    assert_lies_between(drawn, "low+d3")


@pytest.mark.rule("ES-7.1.h", "ES-7.1.i")
@pytest.mark.parametrize("name", ["d1+d2", "d2+d3", "c1+c2", "c2+c3"])
def test_two_neighbouring_dozens_or_columns_share_a_line_in_spain(name: str) -> None:
    drawn = layout(rulebooks.load("es"))
    assert drawn.points(spot(name))
    assert_lies_between(drawn, name)


def test_a_spot_that_the_house_does_not_offer_has_no_place() -> None:
    with pytest.raises(NotOnClothError, match=r"low\+d3"):
        layout(rulebooks.load("es")).points(spot("low+d3"))


def test_a_straddle_of_boxes_that_share_no_line_is_refused() -> None:
    book = rulebooks.load("ar")
    moved = replace(book, cloth=replace(book.cloth, left=("low", "even", "red")))
    with pytest.raises(NotOnClothError, match="without a line between them"):
        layout(moved)


@pytest.mark.parametrize("book", CLOTHS)
def test_the_chances_stand_in_the_order_of_the_book(book: Rulebook) -> None:
    drawn = layout(book)
    for names in (book.cloth.left, book.cloth.right):
        tops = [rects(drawn, name)[0].top for name in names]
        assert tops == sorted(tops)
    assert {name: rects(drawn, name)[0].left < 0 for name in SIMPLE_CHANCES} == {
        name: name in book.cloth.left for name in SIMPLE_CHANCES
    }


@pytest.mark.parametrize("book", AMERICAN)
def test_dozens_and_chances_stand_along_one_side(book: Rulebook) -> None:
    drawn = layout(book)
    for dozen in EUROPEAN.of_class(SpotClass.DOZEN):
        (box,) = rects(drawn, dozen.name)
        beside = [rects(drawn, str(number))[0] for number in dozen.numbers]
        assert (box.top, box.bottom) == (
            min(rect.top for rect in beside),
            max(rect.bottom for rect in beside),
        )
        assert box.right == 0
        assert all(rects(drawn, chance)[0].right == box.left for chance in SIMPLE_CHANCES)


@pytest.mark.rule("IT-gioco-15a", "ES-7.2.b3")
@pytest.mark.parametrize("house", ["es", "it"])
def test_where_there_is_prison_each_simple_chance_has_its_line(house: str) -> None:
    drawn = layout(rulebooks.load(house))
    for name in SIMPLE_CHANCES:
        line = drawn.prison_line(spot(name))
        (box,) = rects(drawn, name)
        assert box.top < line.start.y < line.end.y < box.bottom
        assert line.middle.x < box.left or line.middle.x > box.right, "beside the box, not in it"
        assert drawn.bounds.contains(line.middle)


@pytest.mark.parametrize("house", ["ar", "bg"])
def test_where_zero_loses_there_is_no_prison_line(house: str) -> None:
    drawn = layout(rulebooks.load(house))
    assert not drawn.prison
    with pytest.raises(NotOnClothError, match="prison"):
        drawn.prison_line(spot("red"))


@pytest.mark.rule("IT-sett-1a")
def test_vicini_and_serie_have_spaces_of_their_own() -> None:
    drawn = layout(rulebooks.load("it"))
    assert {space.call for space in drawn.spaces} == {"voisins", "tiers"}
    for space in drawn.spaces:
        assert drawn.bounds.contains(space.rect.centre)
        for box in drawn.boxes:
            apart = space.rect.right < box.rect.left or space.rect.bottom < box.rect.top
            assert apart, (space, box)
    with pytest.raises(NotOnClothError, match="orphelins"):
        drawn.space("orphelins")


@pytest.mark.parametrize("book", CLOTHS)
def test_the_data_is_plain_and_whole(book: Rulebook) -> None:
    drawn = layout(book)
    data = drawn.as_data()
    again = json.loads(json.dumps(data))
    assert again == data
    assert set(again["points"]) == {offered.name for offered in book.terms}
    zeros = [str(zero) for zero in book.wheel.pockets.zeros]
    assert [box["spot"] for box in again["boxes"]][: len(zeros) + 1] == [*zeros, "1"]
    assert len(again["boxes"]) == len(drawn.boxes)
    assert len(again["prison"]) == len(drawn.prison)
    assert set(again["spaces"]) == {space.call for space in drawn.spaces}


@pytest.mark.parametrize("book", CLOTHS)
def test_the_zeros_fill_a_head_of_its_own_shape_above_the_numbers(book: Rulebook) -> None:
    drawn, plan = layout(book), book.cloth.plan
    for place, row in enumerate(plan.zeros):
        boxes = [drawn.boxes_of(spot(str(zero)))[0] for zero in row]
        assert [box.chip for box in boxes] == [plan.points[box.spot][0] for box in boxes]
        assert boxes[0].rect.left == 0
        assert boxes[-1].rect.right == 6
        assert {box.rect.bottom for box in boxes} == {-2 * (len(plan.zeros) - place - 1)}
        for one, other in pairwise(boxes):
            assert one.rect.right == other.rect.left
            assert set(one.outline) & set(other.outline) == set(side(one, one.rect.right))
    shapes = [drawn.boxes_of(spot(str(zero)))[0].outline for zero in plan.zeros[0]]
    assert any(around(shape).outline != shape for shape in shapes), "not just boxes"


def side(box: Box, x: float) -> list[Point]:
    return [point for point in box.outline if point.x == x]


@pytest.mark.parametrize("house", ["ar", "bg"])
def test_one_zero_has_the_whole_head_and_two_divide_it_in_the_middle(house: str) -> None:
    (zero,) = layout(rulebooks.load(house)).boxes_of(spot("0"))
    drawn = layout(with_zeros(house, "two"))
    (left,), (right,) = drawn.boxes_of(spot("0")), drawn.boxes_of(spot("00"))
    assert {*left.outline, *right.outline} == {*zero.outline, Point(3, 0)}
    assert side(left, 3) == [Point(3, -2.5), Point(3, 0)]
    assert {(round(6 - x, 3), round(y, 3)) for x, y in right.outline} == {
        (round(x, 3), round(y, 3)) for x, y in left.outline
    }


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("0/00", [(3, -1)]),
        ("0/2", [(2.5, 0)]),
        ("0/00/2", [(3, 0)]),
        ("00/2", [(3.5, 0)]),
        ("00/2/3", [(4, 0)]),
        ("0/00/1/2/3", [(0, 0), (6, 0)]),
    ],
)
@pytest.mark.parametrize("house", ["ar", "bg"])
def test_the_spots_of_two_zeros_lie_between_their_boxes(
    house: str, name: str, points: list[tuple[float, float]]
) -> None:
    drawn = layout(with_zeros(house, "two"))
    assert list(drawn.points(spot(name))) == points
    for number in spot(name).numbers:
        (rect,) = rects(drawn, str(number))
        for point in points[:1] if len(points) == 1 else ():
            assert on_border(rect, Point(*point)), (name, number)


def test_turned_the_zero_lies_left_and_the_first_column_below() -> None:
    zero, one, three = (turned(EUROPEAN.points[spot(name)][0]) for name in ("0", "1", "3"))
    assert zero.x < one.x == three.x
    assert three.y < one.y
