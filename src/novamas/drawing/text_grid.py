"""The cloth on a grid of characters: where its lines, boxes and spots are, and what stands in them.

It is the same drawing as in the picture. Every box of the layout becomes a frame; a stake inside a
box shows its amount, a stake on a line shows as a disc. A red number has a full diamond before it,
a black one an empty diamond. Zero lies to the left, or stands on top of an upright cloth.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from novamas.drawing.layout import (
    DOZENS,
    NUMBERS_FOOT,
    NUMBERS_RIGHT,
    Box,
    Layout,
    layout,
    turned,
)
from novamas.drawing.lettering import Label, label, short_amount
from novamas.drawing.piles import Pile, by_place
from novamas.game import wheel
from novamas.game.cloth import LONGITUDINAL_LINES, Point, Spot, SpotClass
from novamas.game.rulebook.behaviours import Drawing
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket

DISC: Final = "●"
BARS: Final = "▒"
"""Stands before an amount in prison."""
DIAMOND: Final = {"red": "◆", "black": "◇"}
RESET: Final = "\x1b[0m"
PAINT: Final = {
    "red": "\x1b[1;97;41m",
    "black": "\x1b[1;97;40m",
    "green": "\x1b[1;97;42m",
    "line": "\x1b[32m",
    "chip": "\x1b[1;93m",
    "dolly": "\x1b[1;30;103m",
    "prison": "\x1b[1;95m",
}

_FRAME: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Lines by the directions they leave a character in: up 1, right 2, down 4, left 8."""


class Size(NamedTuple):
    """How large a cloth is drawn, in characters."""

    width: int = 80
    square: int = 4
    """Columns inside a number's square, at least."""
    high: int = 2
    """Lines inside it; more where a chip has more than that many places on its side."""
    upright: bool = False


LYING: Final = Size()
FOOT: Final = 5
"""Columns inside the boxes at the end of the numbers, at least: `13–24` fits."""


def upright(drawing: Drawing, width: int, *, high: int = 1) -> Size:
    """The size of an upright cloth that fills a width: its numbers as wide as the rest allows."""
    boxes, least = (6, 29) if drawing is Drawing.FRENCH else (2, 26)
    square = (width - 1 - boxes - least) // 3 - 1
    return Size(width, max(4, min(square, 11)), high, upright=True)


class Area(NamedTuple):
    """The frame of a box, as rows and columns of characters."""

    top: int
    left: int
    bottom: int
    right: int


class _Raster(NamedTuple):
    """Maps the lines of the drawing to rows and columns of characters."""

    across: Mapping[float, int]
    """Position of a line along the drawing → column."""
    down: Mapping[float, int]
    """Position of a line across it → row."""
    upright: bool

    def at(self, point: Point) -> tuple[int, int]:
        """The row and the column of a point of the grid."""
        seen = point if self.upright else turned(point)
        return _between(self.down, seen.y), _between(self.across, seen.x)

    def frame(self, box: Box) -> Area:
        """The rows and columns of a box's frame."""
        rect = box.rect
        one = self.at(Point(rect.left, rect.top))
        other = self.at(Point(rect.right, rect.bottom))
        (top, bottom), (left, right) = (sorted(pair) for pair in zip(one, other, strict=True))
        return Area(top, left, bottom, right)


def _between(lines: Mapping[float, int], value: float) -> int:
    """The row or column of a value: a line's own, or in proportion between two lines."""
    known = sorted(lines)
    after = min(bisect_right(known, value), len(known) - 1)
    before = max(after - 1, 0)
    low, high = known[before], known[after]
    share = (value - low) / (high - low)
    return round(lines[low] + share * (lines[high] - lines[low]))


class _Sheet:
    """A grid of characters, each with its style."""

    def __init__(self, *, rows: int, width: int) -> None:
        self._lines = [[0] * width for _ in range(rows)]
        self._text: dict[tuple[int, int], tuple[str, str]] = {}

    def frame(self, area: Area) -> None:
        top, left, bottom, right = area
        for row in range(top, bottom):
            for column in (left, right):
                self._lines[row][column] |= 4
                self._lines[row + 1][column] |= 1
        for column in range(left, right):
            for row in (top, bottom):
                self._lines[row][column] |= 2
                self._lines[row][column + 1] |= 8

    def write(self, row: int, column: int, text: str, paint: str = "") -> None:
        for step, character in enumerate(text):
            self._text[row, column + step] = (character, paint)

    def cells(self) -> list[list[tuple[str, str]]]:
        """Every row of the drawing; each cell is a character and the name of its style."""
        return [
            [
                self._text.get((row, column), (_FRAME[lines], "line" if lines else ""))
                for column, lines in enumerate(directions)
            ]
            for row, directions in enumerate(self._lines)
        ]


class Grid:
    """The empty cloth of a house, drawn in a size; it draws itself with any stakes."""

    def __init__(self, book: Rulebook, size: Size = LYING) -> None:
        self.book = book
        self.size = size
        self.layout = layout(book)
        self._raster = _upright(self.layout, size) if size.upright else _lying(self.layout, size)
        self.rows = max(self._raster.down.values()) + 1
        self.columns = max(self._raster.across.values()) + 1

    def anchors(self, spot: Spot) -> tuple[tuple[int, int], ...]:
        """The rows and columns at which the chips of a spot lie."""
        return tuple(map(self._raster.at, self.layout.points(spot)))

    def areas(self, spot: Spot) -> tuple[Area, ...]:
        """The frames of a spot's boxes; none for a spot that lies on a line."""
        return tuple(map(self._raster.frame, self.layout.boxes_of(spot)))

    def cells(
        self,
        piles: Iterable[Pile] = (),
        *,
        dolly: Pocket | None = None,
        prison: Iterable[Pile] = (),
    ) -> list[list[tuple[str, str]]]:
        """The rows of the drawing with these stakes; a cell is a character and its style."""
        drawn, raster = self.layout, self._raster
        sheet = _Sheet(rows=self.rows, width=self.columns)
        placed = by_place(piles)
        totals = {name: sum(pile.amount for pile in here) for name, here in placed.items()}
        for box in drawn.boxes:
            _draw_box(sheet, raster, box)
        seen: set[str] = set()
        for box in drawn.boxes:
            # A dozen has a box on each side; its stakes are shown in the first.
            total = 0 if box.spot.name in seen else totals.get(box.spot.name, 0)
            seen.add(box.spot.name)
            if box.spot.kind is SpotClass.STRAIGHT:
                _fill_number(sheet, raster, box, total=total, won=box.spot.numbers == {dolly})
            else:
                _fill_box(sheet, raster, box, label(self.book, box.spot), total=total)
        for here in placed.values():
            place = here[0].spot
            if not isinstance(place, Spot):
                drawn.space(place.name)
            elif not drawn.boxes_of(place):
                row, column = self.anchors(place)[0]
                sheet.write(row, column, DISC, "chip")
        for here in by_place(prison).values():
            self._imprison(sheet, here)
        return sheet.cells()

    def _imprison(self, sheet: _Sheet, here: list[Pile]) -> None:
        """Writes what is in prison on the outer side of its box, where the prison line runs."""
        spot = here[0].spot
        if not isinstance(spot, Spot):
            return
        (box,) = self.layout.boxes_of(spot)
        top, left, bottom, right = self._raster.frame(box)
        text = BARS + short_amount(sum(pile.amount for pile in here))
        at_left = self.layout.prison_line(spot).start.x < box.rect.left
        if self.size.upright:
            column = left if at_left else right + 1 - len(text)
            sheet.write(bottom - 1, column, text, "prison")
        else:
            middle = (left + right + 1 - len(text)) // 2
            sheet.write(bottom if at_left else top, middle, text, "prison")


def _lying(drawn: Layout, size: Size) -> _Raster:
    """Assigns every line of the drawing a row or column; zero lies to the left."""
    edges = [box.rect for box in drawn.boxes]
    head = _head(drawn, size)
    upper = min(head)
    # The zeros of the upper row are not equally high; here they begin in the same column.
    columns_of = {rect.top: 0 for rect in edges if rect.bottom == upper}
    place = 0
    for line in sorted({rect.bottom for rect in edges}):
        place += 1 + (head[line] if line <= 0 else size.square)
        # The boxes at the end of the numbers have what the others leave of the width.
        columns_of[line] = place if line <= NUMBERS_FOOT else size.width - 1
    return _Raster(columns_of, _rows(drawn, size), upright=False)


def _head(drawn: Layout, size: Size) -> dict[float, int]:
    """The line below each row of zeros, and the columns inside the zeros above it.

    They hold the widest zero with the dolly's brackets or, where that would leave no room for the
    boxes at the end of the numbers, without.
    """
    names: dict[float, int] = {}
    for box in drawn.boxes:
        if box.rect.bottom <= 0:
            names[box.rect.bottom] = max(names.get(box.rect.bottom, 0), len(box.spot.name))
    rest = size.width - 2 - 12 * (size.square + 1) - sum(3 + wide for wide in names.values())
    return {line: wide + 2 if rest >= FOOT else max(wide, 3) for line, wide in names.items()}


def _rows(drawn: Layout, size: Size) -> dict[float, int]:
    """The rows of the lines across the cloth, from the right of the drawing to its left."""
    numbers = [box.rect for box in drawn.boxes if box.spot.kind is SpotClass.STRAIGHT]
    squares = {turned(Point(x, 0)).y for x in LONGITUDINAL_LINES}
    edges = {turned(Point(x, 0)).y for box in drawn.boxes for x in (box.rect.left, box.rect.right)}
    # Zeros may end between two of those lines, and chips lie there; each needs a row of its own.
    within = {turned(Point(x, 0)).y for rect in numbers for x in (rect.left, rect.right)}
    within |= {
        turned(point).y
        for spot, points in drawn.places.items()
        if spot.kind.on_numbers
        for point in points
    }
    within -= squares
    across = sorted(edges - within)
    place = 0
    rows = {across[0]: 0}
    for before, line in pairwise(across):
        inside = sorted(each for each in within if before < each < line)
        beside = line <= 0 or line > 6
        thin = drawn.drawing is Drawing.FRENCH or line - 6 <= DOZENS
        high = 1 + (1 if beside and thin else max(size.high, len(inside)))
        if len(inside) > 1:
            share = high / (len(inside) + 1)
            rows |= {each: place + round(share * step) for step, each in enumerate(inside, 1)}
        place += high
        rows[line] = place
    return rows


def _upright(drawn: Layout, size: Size) -> _Raster:
    """Assigns every line of an upright drawing a row or column; zero stands on top."""
    edges = [box.rect for box in drawn.boxes]
    upper = min(rect.bottom for rect in edges)
    down = {rect.top: 0 for rect in edges if rect.bottom == upper}
    place = 0
    for line in sorted({rect.bottom for rect in edges if rect.bottom <= NUMBERS_FOOT}):
        # The boxes of the chances end on lines of the numbers.
        if line <= 0 or line % 2 == 0:
            place += 1 + (1 if line <= 0 else size.high)
            down[line] = place
    for line in sorted({rect.bottom for rect in edges} - down.keys()):
        place += 3
        down[line] = place
    lines = sorted({x for rect in edges for x in (rect.left, rect.right)} - _within_numbers(drawn))
    beside = [each for each in lines if each < 0 or each > NUMBERS_RIGHT]
    wide = _beside(drawn, len(beside), size)
    columns_of = {lines[0]: 0}
    place, flank = 0, 0
    for before, line in pairwise(lines):
        if 0 <= before < NUMBERS_RIGHT:
            place += 1 + size.square
        else:
            place += 1 + wide[flank]
            flank += 1
        columns_of[line] = place
    return _Raster(columns_of, down, upright=True)


def _within_numbers(drawn: Layout) -> set[float]:
    """The sides of zeros that end between two lines of the numbers."""
    sides = {x for box in drawn.boxes for x in (box.rect.left, box.rect.right)}
    return {x for x in sides if 0 < x < NUMBERS_RIGHT} - set(LONGITUDINAL_LINES)


def _beside(drawn: Layout, count: int, size: Size) -> list[int]:
    """The columns inside the boxes beside the numbers of an upright cloth, from left to right."""
    rest = size.width - 1 - 3 * (size.square + 1) - count
    each, over = divmod(rest, count)
    if drawn.drawing is Drawing.FRENCH:
        # `1–12` is the shortest of the dozens, and stands at both ends.
        return [each + (0 < place < count - 1) * (over > 0) for place in range(count)]
    return [each + (place < over) for place in range(count)]


def _draw_box(sheet: _Sheet, raster: _Raster, box: Box) -> None:
    area = raster.frame(box)
    sheet.frame(area)
    head = area.top if raster.upright else area.left
    if head == 0 and box.spot.kind is SpotClass.STRAIGHT:
        # The head of the cloth is rounded at both ends.
        if box.rect.right == NUMBERS_RIGHT:
            corner = (area.right, "╮") if raster.upright else (area.left, "╭")
            sheet.write(area.top, *corner, "line")
        if box.rect.left == 0:
            corner = (area.top, "╭") if raster.upright else (area.bottom, "╰")
            sheet.write(corner[0], area.left, corner[1], "line")


def _fill_number(sheet: _Sheet, raster: _Raster, box: Box, *, total: int, won: bool) -> None:
    top, left, bottom, right = raster.frame(box)
    (number,) = box.spot.numbers
    room = right - left - 1
    zero = wheel.is_zero(number)
    row = (top + bottom) // 2
    paint = wheel.colour(number)
    figure = f" {number} " if zero else f"{DIAMOND[paint]}{number:>2} "
    shown = f"[{number}]" if won else figure
    if len(shown) > room:
        shown = str(number)
    if total and bottom - top == 2:
        # One line has room for both.
        shown = shown.strip()
        free = room - len(shown) - 1
        shown += DISC + (short_amount(total, longest=free) if len(str(total)) <= free else "")
        sheet.write(row, left + 1, shown.center(room), "dolly" if won else paint)
        column = left + 1 + shown.center(room).index(DISC)
        sheet.write(row, column, shown[shown.index(DISC) :], "chip")
        return
    sheet.write(row, left + 1, shown.center(room), "dolly" if won else paint)
    if total:
        amount = short_amount(total, longest=room)
        # An amount that does not fit the square is shown as a disc, and is in the list below.
        marked = DISC + amount if len(amount) < room else amount if len(amount) == room else DISC
        sheet.write(row + 1, left + 1, marked.center(room), "chip")


def _fill_box(sheet: _Sheet, raster: _Raster, box: Box, text: Label, *, total: int) -> None:
    top, left, bottom, right = raster.frame(box)
    room, height = right - left - 1, bottom - top - 1
    mark = DIAMOND.get(box.spot.name, "")
    words = " ".join(part for part in (mark, text.above, _figures(text), text.below) if part)
    amount = DISC + short_amount(total) if total else ""
    if height == 1:
        _one_line(sheet, top + 1, left + 1, room, words, text.middle, amount)
        return
    first = top + 1 + (height - 2) // 2
    lines = _two_lines(words, room) if _fits(words, room) else [text.middle[:room]]
    for step, line in enumerate(lines):
        sheet.write(first + step, left + 1, line.center(room))
    if amount:
        row = first + 1
        ended = lines[1] if len(lines) > 1 else ""
        if ended and len(ended) + len(amount) + 1 <= room:
            ended = f"{ended} {amount}"
            sheet.write(row, left + 1, ended.center(room))
            column = left + 1 + ended.center(room).index(DISC)
            sheet.write(row, column, amount, "chip")
        else:
            sheet.write(row, left + 1, amount.center(room), "chip")


def _figures(text: Label) -> str:
    """The text in the middle, if it is part of the box's own name and not an explanation."""
    return text.middle if not text.below and text.middle else ""


def _one_line(
    sheet: _Sheet, row: int, column: int, room: int, words: str, middle: str, amount: str
) -> None:
    """A box of one line: its name or, if too long, its numbers; and the amount there."""
    free = room - len(amount) - (1 if amount else 0)
    shown = words if len(words) <= free else middle
    sheet.write(row, column, shown.center(room) if not amount else shown.ljust(room))
    if amount:
        sheet.write(row, column + room - len(amount), amount, "chip")


def _fits(words: str, room: int) -> bool:
    """Whether two lines hold the words: the first of them, and the others."""
    first, _, rest = words.partition(" ")
    return len(words) <= room or max(len(first), len(rest)) <= room


def _two_lines(words: str, room: int) -> list[str]:
    if len(words) <= room:
        return [words]
    first, _, rest = words.partition(" ")
    return [first, rest]
