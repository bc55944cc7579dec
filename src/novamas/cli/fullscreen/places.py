"""Where the spots lie on a drawn cloth: the next one in a direction, and the one under a cell."""

from __future__ import annotations

from typing import Final, NamedTuple

from novamas.drawing.layout import Rect, around, turned
from novamas.drawing.text_grid import Area, Grid
from novamas.game.cloth import Point, Spot

STEPS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_SAME_LANE: Final = 0.45
"""How far beside the line of a move a spot may lie; spots on the numbers are one unit apart."""


class Place(NamedTuple):
    """One of the places of a spot, as the cloth lies on the screen."""

    spot: Spot
    which: int
    """Which of its boxes, or of its points if it lies on a line."""
    rect: Rect
    boxed: bool


class Cursor(NamedTuple):
    """The place that is pointed at, and the point in it from which the next move starts."""

    place: Place
    aim: Point


class Places:
    """All places of a cloth."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self._all: list[Place] = []
        for spot in grid.book.terms:
            boxes = grid.layout.boxes_of(spot)
            rects = [box.rect for box in boxes] or [
                Rect(x, y, x, y) for x, y in grid.layout.points(spot)
            ]
            for which, rect in enumerate(rects):
                self._all.append(Place(spot, which, self._as_seen(rect), boxed=bool(boxes)))
        self._at_anchor = {
            anchor: place
            for place in self._all
            if not place.boxed
            for which, anchor in enumerate(grid.anchors(place.spot))
            if which == place.which
        }

    def _as_seen(self, rect: Rect) -> Rect:
        if self.grid.size.upright:
            return rect
        return around(tuple(map(turned, rect.outline)))

    def of(self, spot: Spot, which: int = 0) -> Cursor:
        """The cursor on a spot."""
        here = [place for place in self._all if place.spot is spot]
        place = here[min(which, len(here) - 1)]
        return Cursor(place, place.rect.centre)

    def moved(self, cursor: Cursor, direction: str, *, boxes_only: bool = False) -> Cursor:
        """The cursor one place further: the next one straight ahead, or nearly so."""
        best: tuple[bool, float, float] | None = None
        found = cursor.place
        for place in self._all:
            if boxes_only and not place.boxed:
                continue
            along, beside, off = _distances(cursor, place, direction)
            if along < 0.01 or beside > max(along, _SAME_LANE):
                continue
            ahead = beside <= _SAME_LANE
            # Of two that are equally far, the one whose middle lies straight ahead.
            rank = (not ahead, along if ahead else along + 2 * beside, off)
            if best is None or rank < best:
                best, found = rank, place
        if found is cursor.place:
            return cursor
        return Cursor(found, _aimed(cursor.aim, found.rect, direction))

    def at(self, row: int, column: int) -> Cursor | None:
        """The place under a cell of the drawing: a line's nearest spot, or the box around it."""
        near = [
            (2 * abs(row - r) + abs(column - c), place)
            for (r, c), place in self._at_anchor.items()
            if abs(row - r) <= 1 and abs(column - c) <= self.grid.size.square // 2
        ]
        for place in self._all:
            if place.boxed and _inside(self.area(place), row, column):
                on_line = [each for distance, each in near if distance == 0]
                chosen = on_line[0] if on_line else place
                return Cursor(chosen, chosen.rect.centre)
        if not near:
            return None
        _, chosen = min(near, key=lambda each: each[0])
        return Cursor(chosen, chosen.rect.centre)

    def area(self, place: Place) -> Area:
        """The frame of a place's box; of a spot on a line, the cell of its chip."""
        if place.boxed:
            return self.grid.areas(place.spot)[place.which]
        row, column = self.grid.anchors(place.spot)[place.which]
        return Area(row - 1, column - 1, row + 1, column + 1)


def _distances(cursor: Cursor, place: Place, direction: str) -> tuple[float, float, float]:
    """How far ahead a place lies, how far beside the line of the move, and how far its middle."""
    right, down = STEPS[direction]
    centre, here = place.rect.centre, cursor.place.rect.centre
    rect, aim = place.rect, cursor.aim
    if right:
        beside = _outside(aim.y, rect.top, rect.bottom)
        return (centre.x - here.x) * right, beside, abs(centre.y - aim.y)
    beside = _outside(aim.x, rect.left, rect.right)
    return (centre.y - here.y) * down, beside, abs(centre.x - aim.x)


def _outside(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0)


def _aimed(aim: Point, rect: Rect, direction: str) -> Point:
    """The point in a place from which the next move starts: a move keeps its line in wide boxes."""
    right, _ = STEPS[direction]
    if right:
        return Point(rect.centre.x, min(max(aim.y, rect.top), rect.bottom))
    return Point(min(max(aim.x, rect.left), rect.right), rect.centre.y)


def _inside(area: Area, row: int, column: int) -> bool:
    return area.top < row < area.bottom and area.left < column < area.right
