"""The layout of a house's cloth: the shape of every box, and every point where a chip may lie.

It uses the grid of `novamas.game.cloth`: a number's square is two units wide and high, the numbers
fill x 0 to 6 and y 0 to 24, the zeros lie above them. A house chooses one of two drawings. The
French one has the simple chances in two flanks and the dozens at the foot of both; the American
one has dozens and chances along one side. The terminal, the SVG and the browser all draw from this
layout, so a chip means the same stake in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, pi, sin
from typing import Final, NamedTuple

from novamas.game.cloth import (
    SPOTS,
    Cloth,
    Point,
    Spot,
    SpotClass,
    ZeroBox,
    column_of,
    row_of,
    zero_boxes,
)
from novamas.game.errors import NovamasError
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.rulebook.model import Call, Rulebook
from novamas.game.wheel import NUMBERS, written_order

NUMBERS_RIGHT: Final = 6.0
NUMBERS_FOOT: Final = 24.0
FLANK: Final = 6.0
"""How wide a flank of the French drawing is: three dozens of a number's width stand at its foot."""
DOZENS: Final = 2.5
"""How wide the American drawing's dozens are."""
CHANCES: Final = 3.0
"""How wide its simple chances are, outside the dozens."""
FOOT: Final = 2.75
"""How high the columns are, and beside them the dozens of the French drawing."""
HEAD: Final = 2.5
"""How high the zeros of the upper row rise above what they lie beside."""
PRISON: Final = 1.25
"""How wide the strip outside the simple chances is, on which the prison line runs."""


class NotOnClothError(NovamasError, ValueError):
    """The house's cloth has no place for the spot or announcement."""


class Rect(NamedTuple):
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    @property
    def outline(self) -> tuple[Point, ...]:
        """The four corners, clockwise from the upper left."""
        return (
            Point(self.left, self.top),
            Point(self.right, self.top),
            Point(self.right, self.bottom),
            Point(self.left, self.bottom),
        )

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside or on a side."""
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom

    def shared(self, other: Rect) -> Point | None:
        """The middle of the side that the two share, or None if they do not touch.

        >>> Rect(0, 0, 2, 2).shared(Rect(2, 0, 4, 2))
        Point(x=2, y=1.0)
        """
        upper, lower = max(self.top, other.top), min(self.bottom, other.bottom)
        left, right = max(self.left, other.left), min(self.right, other.right)
        if left == right and upper < lower:
            return Point(left, (upper + lower) / 2)
        if upper == lower and left < right:
            return Point((left + right) / 2, upper)
        return None


@dataclass(frozen=True, slots=True)
class Box:
    """A printed area of the cloth: a number's square, a zero, or a box of a chance."""

    spot: Spot
    outline: tuple[Point, ...]
    chip: Point
    """Where the chips of its spot lie."""

    @property
    def rect(self) -> Rect:
        """The rectangle around it; for every box but a zero, the box itself."""
        return around(self.outline)

    def holds(self, rect: Rect) -> bool:
        """Whether a rectangle lies within its outline, which has no inward corner."""
        sides = tuple(zip(self.outline, (*self.outline[1:], self.outline[0]), strict=True))
        return all(
            (end.x - start.x) * (point.y - start.y) >= (end.y - start.y) * (point.x - start.x)
            for start, end in sides
            for point in rect.outline
        )


@dataclass(frozen=True, slots=True)
class Space:
    """The space for the chips of an announcement held "pagati a piazzare" (IT-sett-1a)."""

    call: str
    rect: Rect


class Line(NamedTuple):
    """A printed line from one point to another."""

    start: Point
    end: Point

    @property
    def middle(self) -> Point:
        """The point half way."""
        return Point((self.start.x + self.end.x) / 2, (self.start.y + self.end.y) / 2)


@dataclass(frozen=True, slots=True)
class Layout:
    """A house's cloth as it is drawn."""

    drawing: Drawing
    boxes: tuple[Box, ...]
    """Zeros and numbers first; a dozen of the French drawing has a box on each side."""
    places: Mapping[Spot, tuple[Point, ...]]
    """Every spot that the house offers, with the points where its chip may lie."""
    prison: Mapping[Spot, Line]
    """The line beside each simple chance, where the house has prison."""
    spaces: tuple[Space, ...]
    bounds: Rect

    def points(self, spot: Spot) -> tuple[Point, ...]:
        """Every point where a chip on the spot may lie."""
        try:
            return self.places[spot]
        except KeyError:
            raise NotOnClothError(f"this cloth has no place for {spot.name}") from None

    def room(self, spot: Spot) -> float:
        """How far the nearest point of any other spot on the numbers is from those of a spot."""
        others = [
            point
            for each, points in self.places.items()
            if each is not spot and each.kind.on_numbers
            for point in points
        ]
        return min(dist(one, other) for one in self.points(spot) for other in others)

    def boxes_of(self, spot: Spot) -> tuple[Box, ...]:
        """The printed areas of a spot; empty for a spot that lies on a line."""
        return tuple(box for box in self.boxes if box.spot is spot)

    def space(self, call: str) -> Space:
        """The space of an announcement that is held to be placed."""
        for space in self.spaces:
            if space.call == call:
                return space
        raise NotOnClothError(f"this cloth has no space for {call}")

    def prison_line(self, spot: Spot) -> Line:
        """The line on which the stakes in prison of a simple chance lie."""
        try:
            return self.prison[spot]
        except KeyError:
            raise NotOnClothError(f"this cloth has no prison line for {spot.name}") from None

    def as_data(self) -> dict[str, object]:
        """The layout as plain lists and numbers, ready for JSON."""
        return {
            "drawing": self.drawing.value,
            "bounds": list(self.bounds),
            "boxes": [
                {
                    "spot": box.spot.name,
                    "outline": [list(point) for point in box.outline],
                    "chip": list(box.chip),
                }
                for box in self.boxes
            ],
            "points": {
                spot.name: [list(point) for point in points] for spot, points in self.places.items()
            },
            "prison": {
                spot.name: [list(line.start), list(line.end)] for spot, line in self.prison.items()
            },
            "spaces": {space.call: list(space.rect) for space in self.spaces},
        }


def turned(point: Point) -> Point:
    """The point when the cloth is turned a quarter, so that zero lies on the left.

    >>> turned(Point(0, 24))
    Point(x=24, y=6)
    """
    return Point(point.y, 6 - point.x)


def around(points: tuple[Point, ...]) -> Rect:
    """The smallest rectangle that holds all the points."""
    xs = [point.x for point in points]
    ys = [point.y for point in points]
    return Rect(min(xs), min(ys), max(xs), max(ys))


def layout(book: Rulebook) -> Layout:
    """The drawing of a house's cloth; computed once for each book."""
    found = book.derived.get(layout)
    if not isinstance(found, Layout):
        found = book.derived[layout] = _layout(book)
    return found


def _layout(book: Rulebook) -> Layout:
    french = book.cloth.drawing is Drawing.FRENCH
    boxes = (
        *_zeros(book.cloth.plan, _gable() if french else _dome()),
        *_squares(),
        *_columns(),
        *(_french(book) if french else _american(book)),
    )
    prison = _prison_lines(boxes) if book.zero.simple.imprisons else {}
    printed = around(tuple(point for box in boxes for point in box.outline))
    bounds = around((*printed.outline, *_strips(prison)))
    held = tuple(call for call in book.announcements.calls.values() if call.to_place)
    return Layout(
        drawing=book.cloth.drawing,
        boxes=boxes,
        places={spot: _places(spot, boxes, book.cloth.plan) for spot in book.terms},
        prison=prison,
        spaces=tuple(_spaces(held, left=printed.left)),
        bounds=bounds,
    )


def _box(spot: Spot, rect: Rect) -> Box:
    return Box(spot, rect.outline, rect.centre)


def _zeros(cloth: Cloth, head: tuple[Point, ...]) -> Iterator[Box]:
    """The zeros in the order in which they are written.

    Those of the upper row share the shape of the head; those of any other are rectangles.
    """
    upper, *others = zero_boxes(cloth.zeros)
    outlines = {zero: _piece(head, zero) for zero in upper}
    for zero in (zero for row in others for zero in row):
        outlines[zero] = Rect(zero.left, zero.bottom - 2, zero.right, zero.bottom).outline
    for zero in sorted(outlines, key=lambda each: written_order(each.pocket)):
        yield Box(SPOTS[str(zero.pocket)], outlines[zero], zero.centre)


def _piece(head: tuple[Point, ...], zero: ZeroBox) -> tuple[Point, ...]:
    """The part of the head between the sides of a zero; the whole of it where there is one zero.

    The head is a line from its lower left corner over the top to its lower right one.
    """
    left, right = zero.left, zero.right
    line = (
        Point(left, 0),
        Point(left, _height(head, left)),
        *(point for point in head if left < point.x < right),
        Point(right, _height(head, right)),
        Point(right, 0),
    )
    return tuple(Point(point.x, point.y + zero.bottom) for point in line)


def _height(head: tuple[Point, ...], x: float) -> float:
    """Where the upper line of the head is at a place between its two sides."""
    for one, other in pairwise(head):
        if one.x <= x <= other.x and one.x < other.x:
            share = (x - one.x) / (other.x - one.x)
            return round(one.y + share * (other.y - one.y), 4)
    return 0


def _gable() -> tuple[Point, ...]:
    """The head of the French drawing: pointed, over the three columns."""
    right = NUMBERS_RIGHT
    eaves = -HEAD / 2
    top = Point(right / 2, -HEAD)
    return (Point(0, 0), Point(0, eaves), top, Point(right, eaves), Point(right, 0))


def _dome() -> tuple[Point, ...]:
    """The head of the American drawing: rounded, as a line of many short steps."""
    half = NUMBERS_RIGHT / 2
    foot = 0.25
    steps = 48
    arch = (
        Point(
            round(half - half * cos(pi * step / steps), 4),
            round(-foot - (HEAD - foot) * sin(pi * step / steps), 4),
        )
        for step in range(steps + 1)
    )
    return (Point(0, 0), *arch, Point(NUMBERS_RIGHT, 0))


def _squares() -> Iterator[Box]:
    for number in NUMBERS:
        right, bottom = 2 * column_of(number), 2 * row_of(number)
        yield _box(SPOTS[str(number)], Rect(right - 2, bottom - 2, right, bottom))


def _columns() -> Iterator[Box]:
    # A column has its box at the end of its numbers (AR-11.b2).
    for which in (1, 2, 3):
        foot = NUMBERS_FOOT
        yield _box(SPOTS[f"c{which}"], Rect(2 * which - 2, foot, 2 * which, foot + FOOT))


def _stacked(names: tuple[str, ...], *, left: float, right: float) -> Iterator[Box]:
    """Boxes of equal height, from the line under the zeros down to the end of the numbers."""
    height = NUMBERS_FOOT / len(names)
    for place, name in enumerate(names):
        yield _box(SPOTS[name], Rect(left, place * height, right, (place + 1) * height))


def _french(book: Rulebook) -> Iterator[Box]:
    right = NUMBERS_RIGHT
    yield from _stacked(book.cloth.left, left=-FLANK, right=0)
    yield from _stacked(book.cloth.right, left=right, right=right + FLANK)
    # The dozens stand at the foot of both flanks, the last one next to the columns: each shares
    # a line with the next, and the last with the chance above it (AR-11.a2, AR-11.a3, AR-17.c).
    width = FLANK / 3
    foot = NUMBERS_FOOT
    for which in (1, 2, 3):
        left = -FLANK + (which - 1) * width
        yield _box(SPOTS[f"d{which}"], Rect(left, foot, left + width, foot + FOOT))
    for which in (3, 2, 1):
        left = right + (3 - which) * width
        yield _box(SPOTS[f"d{which}"], Rect(left, foot, left + width, foot + FOOT))


def _american(book: Rulebook) -> Iterator[Box]:
    yield from _stacked(("d1", "d2", "d3"), left=-DOZENS, right=0)
    yield from _stacked(book.cloth.left, left=-DOZENS - CHANCES, right=-DOZENS)


def _places(spot: Spot, boxes: tuple[Box, ...], cloth: Cloth) -> tuple[Point, ...]:
    if cloth.points[spot]:
        return cloth.points[spot]
    if spot.kind is not SpotClass.STRADDLE:
        return tuple(box.chip for box in boxes if box.spot is spot)
    first, second = spot.boxes
    shared = (
        one.rect.shared(other.rect)
        for one in boxes
        if one.spot.name == first
        for other in boxes
        if other.spot.name == second
    )
    found = tuple(point for point in shared if point is not None)
    if not found:
        raise NotOnClothError(
            f"{spot.name}: this cloth draws {first} and {second} without a line between them"
        )
    return found


def _prison_lines(boxes: tuple[Box, ...]) -> dict[Spot, Line]:
    """A line beside each simple chance, on the side away from the numbers."""
    lines = {}
    for box in boxes:
        if box.spot.kind is SpotClass.SIMPLE:
            rect = box.rect
            x = rect.left - PRISON / 2 if rect.left < 0 else rect.right + PRISON / 2
            short = (rect.bottom - rect.top) / 6
            lines[box.spot] = Line(Point(x, rect.top + short), Point(x, rect.bottom - short))
    return lines


def _strips(prison: Mapping[Spot, Line]) -> Iterator[Point]:
    for line in prison.values():
        away = -PRISON / 2 if line.start.x < 0 else PRISON / 2
        yield Point(line.start.x + away, line.start.y)


def _spaces(calls: tuple[Call, ...], *, left: float) -> Iterator[Space]:
    """The spaces, side by side in the corner beside the zeros, clear of the chips on their line."""
    if not calls:
        return
    gap = 0.25
    right = -0.75
    width = (right - left - gap * (len(calls) - 1)) / len(calls)
    for place, call in enumerate(calls):
        start = left + place * (width + gap)
        yield Space(call.name, Rect(round(start, 4), -HEAD, round(start + width, 4), -0.25))
