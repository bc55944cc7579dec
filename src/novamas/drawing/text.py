"""The cloth in a terminal: drawn with lines of text, zero to the left, in eighty columns.

It is the same drawing as in the picture, on a raster of characters. Every box of the layout becomes
a frame, a stake inside a box shows its amount, a stake on a line shows as a disc, and a list below
names the owners. A red number has a full diamond before it, a black one an empty diamond.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from novamas.drawing.layout import DOZENS, NUMBERS_FOOT, Box, Layout, layout, turned
from novamas.drawing.lettering import Label, clean, columns, label, short_amount
from novamas.drawing.piles import Pile, by_place, check, holding, place_name
from novamas.game import wheel
from novamas.game.cloth import Point, Spot, SpotClass, spot
from novamas.game.rulebook.model import Drawing, Rulebook

WIDTH: Final = 80
HEAD: Final = 3
"""Columns inside zero."""
SQUARE: Final = 4
"""Columns inside a number's square; it is two lines high."""
FOOT: Final = WIDTH - 2 - HEAD - 1 - 12 * (SQUARE + 1)
"""Columns inside the boxes at the end of the numbers."""

DISC: Final = "●"
DIAMOND: Final = {"red": "◆", "black": "◇"}
RESET: Final = "\x1b[0m"
PAINT: Final = {
    "red": "\x1b[1;97;41m",
    "black": "\x1b[1;97;40m",
    "green": "\x1b[1;97;42m",
    "line": "\x1b[32m",
    "chip": "\x1b[1;93m",
    "dolly": "\x1b[1;30;103m",
}

_FRAME: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Lines by the directions they leave a character in: up 1, right 2, down 4, left 8."""


class _Raster(NamedTuple):
    """Maps the lines of the drawing to rows and columns of characters."""

    across: Mapping[float, int]
    """Position of a line along the cloth → column."""
    down: Mapping[float, int]
    """Position of a line across the cloth → row."""

    def at(self, point: Point) -> tuple[int, int]:
        """The row and the column of a point of the grid."""
        seen = turned(point)
        return _between(self.down, seen.y), _between(self.across, seen.x)


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

    def __init__(self, *, rows: int) -> None:
        self._lines = [[0] * WIDTH for _ in range(rows)]
        self._text: dict[tuple[int, int], tuple[str, str]] = {}

    def frame(self, top: int, left: int, bottom: int, right: int) -> None:
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

    def lines(self, *, colour: bool) -> Iterator[str]:
        for row, directions in enumerate(self._lines):
            line = ""
            last = ""
            for column, direction in enumerate(directions):
                plain = (_FRAME[direction], "line" if direction else "")
                character, paint = self._text.get((row, column), plain)
                if colour and paint != last:
                    line += (RESET if last else "") + PAINT.get(paint, "")
                    last = paint
                line += character
            yield (line + (RESET if colour and last else "")).rstrip()


def cloth_text(
    book: Rulebook,
    piles: Iterable[Pile] = (),
    *,
    dolly: int | None = None,
    prison: Iterable[Pile] = (),
    colour: bool = False,
) -> str:
    """A house's cloth with its stakes as text of at most eighty columns."""
    piles, prison = tuple(piles), tuple(prison)
    check((*piles, *prison), dolly=dolly)
    drawn = layout(book)
    for pile in prison:
        drawn.prison_line(spot(pile.spot.name))
    raster = _raster(drawn)
    sheet = _Sheet(rows=max(raster.down.values()) + 1)
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
            _fill_box(sheet, raster, box, label(book, box.spot), total=total)
    for here in placed.values():
        place = here[0].spot
        if not isinstance(place, Spot):
            drawn.space(place.name)
        elif not drawn.boxes_of(place):
            row, column = raster.at(drawn.points(place)[0])
            sheet.write(row, column, DISC, "chip")
    parts = [*sheet.lines(colour=colour), *_list(book, placed, prison, dolly=dolly)]
    return "\n".join(parts) + "\n"


def _raster(drawn: Layout) -> _Raster:
    """Assigns every line of the drawing a row or column, with room for text between them."""
    edges = [box.rect for box in drawn.boxes]
    along = sorted({y for rect in edges for y in (rect.top, rect.bottom)})
    # Across the cloth the rows run from the right of the drawing to its left.
    across = sorted({turned(Point(x, 0)).y for rect in edges for x in (rect.left, rect.right)})
    place = 0
    columns_of = {along[0]: 0}
    for line in along[1:]:
        place += 1 + (HEAD if line == 0 else FOOT if line > NUMBERS_FOOT else SQUARE)
        columns_of[line] = place
    place = 0
    rows_of = {across[0]: 0}
    for line in across[1:]:
        beside = line <= 0 or line > 6
        thin = drawn.drawing is Drawing.FRENCH or line - 6 <= DOZENS
        place += 1 + (1 if beside and thin else 2)
        rows_of[line] = place
    return _Raster(columns_of, rows_of)


def _corners(raster: _Raster, box: Box) -> tuple[int, int, int, int]:
    """The rows and columns of a box's frame: top, left, bottom, right."""
    rect = box.rect
    top, left = raster.at(Point(rect.right, rect.top))
    bottom, right = raster.at(Point(rect.left, rect.bottom))
    return top, left, bottom, right


def _draw_box(sheet: _Sheet, raster: _Raster, box: Box) -> None:
    top, left, bottom, right = _corners(raster, box)
    sheet.frame(top, left, bottom, right)
    if box.spot is spot("0"):
        sheet.write(top, left, "╭", "line")
        sheet.write(bottom, left, "╰", "line")


def _fill_number(sheet: _Sheet, raster: _Raster, box: Box, *, total: int, won: bool) -> None:
    top, left, bottom, right = _corners(raster, box)
    (number,) = box.spot.numbers
    room = right - left - 1
    row = top + 1 if number else (top + bottom) // 2
    paint = wheel.colour(number)
    figure = f"{DIAMOND[paint]}{number:>2} " if number else " 0 "
    shown = f"[{number}]" if won else figure
    sheet.write(row, left + 1, shown.center(room), "dolly" if won else paint)
    if total:
        amount = short_amount(total, longest=room)
        # An amount that does not fit the square is shown as a disc, and is in the list below.
        marked = DISC + amount if len(amount) < room else amount if len(amount) == room else DISC
        sheet.write(row + 1, left + 1, marked.center(room), "chip")


def _fill_box(sheet: _Sheet, raster: _Raster, box: Box, text: Label, *, total: int) -> None:
    top, left, bottom, right = _corners(raster, box)
    room, height = right - left - 1, bottom - top - 1
    mark = DIAMOND.get(box.spot.name, "")
    words = " ".join(part for part in (mark, text.above, _figures(text), text.below) if part)
    amount = DISC + short_amount(total) if total else ""
    if height == 1:
        _one_line(sheet, top + 1, left + 1, room, words, text.middle, amount)
        return
    first = top + 1 + (height - 2) // 2
    lines = _two_lines(words, room)
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


def _two_lines(words: str, room: int) -> list[str]:
    if len(words) <= room:
        return [words]
    first, _, rest = words.partition(" ")
    return [first[:room], rest[:room]]


def _list(
    book: Rulebook,
    placed: Mapping[str, list[Pile]],
    prison: tuple[Pile, ...],
    *,
    dolly: int | None,
) -> Iterator[str]:
    """The list below the cloth: the winning number, and who has how much on each place."""
    if dolly is not None:
        yield f"[{dolly}] {book.word(wheel.colour(dolly)) if dolly else ''}".rstrip()
    for here in placed.values():
        yield from _entry(place_name(book, here[0].spot), here)
    for here in by_place(prison).values():
        yield from _entry(f"en prison: {place_name(book, here[0].spot)}", here)


def _entry(name: str, here: list[Pile]) -> Iterator[str]:
    total = sum(pile.amount for pile in here)
    summed = str(total) if total < 10**8 else short_amount(total, longest=8)
    start = f"{DISC} {name[:28]:<28} {summed:>8}  "
    line = start
    for place, pile in enumerate(here):
        told = _pile_label(pile, room=WIDTH - columns(start) - 1)
        told += ", " if place + 1 < len(here) else ""
        if line != start and columns(line + told.rstrip()) > WIDTH:
            yield line.rstrip()
            line = " " * columns(start)
        line += told
    yield line.rstrip()


def _pile_label(pile: Pile, *, room: int) -> str:
    """A player and an amount; the name is cut to fit the line."""
    amount = holding(pile)
    if columns(amount) > room // 2:
        amount = str(pile.amount)
    name = clean(pile.player)
    while name and columns(f"{name} {amount}") > room:
        name = name[:-2] + "…" if len(name) > 1 else ""
    return f"{name} {amount}"
