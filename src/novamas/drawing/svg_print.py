"""What is printed on the cloth, in SVG: baize, lines, numbers, diamonds and the house's words."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from novamas.drawing.layout import Box, Layout, Rect, turned
from novamas.drawing.lettering import Label, breadth, call_label, label
from novamas.drawing.look import FIGURES_ON_CLOTH, GOLD, SPACING
from novamas.drawing.svg_chips import number
from novamas.game import wheel
from novamas.game.cloth import Point, SpotClass, spot
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket

UNIT: Final = 40
"""How many units of the picture one unit of the grid has; a number's square has twice that."""
LINE: Final = 2.2
CREAM: Final = "#f3ead2"
PAINT: Final = {"red": "#c3262e", "black": "#15171a", "green": "#0f7a51"}
ROMAN: Final = "'Palatino Linotype', Palatino, 'Book Antiqua', 'Noto Serif', 'DejaVu Serif', serif"

LOZENGE: Final = "M0-1C.38-.86.88-.5 1 0C.88.5.38.86 0 1C-.38.86-.88.5-1 0C-.88-.5-.38-.86 0-1Z"


class View(NamedTuple):
    """Maps the grid of the cloth to the picture."""

    turn: bool
    """Whether the cloth lies on its side, zero to the left."""
    shift: Point

    def point(self, point: Point) -> Point:
        """A point of the grid in the picture."""
        seen = turned(point) if self.turn else point
        return Point((seen.x + self.shift.x) * UNIT, (seen.y + self.shift.y) * UNIT)

    def rect(self, rect: Rect) -> Rect:
        """A rectangle of the grid in the picture."""
        one = self.point(Point(rect.left, rect.top))
        other = self.point(Point(rect.right, rect.bottom))
        return Rect(
            min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y)
        )


def defs(id: str, *, width: float, height: float) -> str:
    """The baize and its grain, and the lights and shades of chips and dolly."""
    return f"""<defs>
<radialGradient id="{id}-baize" gradientUnits="userSpaceOnUse" cx="{number(width / 2)}" \
cy="{number(height * 0.45)}" r="{number(max(width, height) * 0.68)}">\
<stop offset="0" stop-color="#12694a"/><stop offset=".6" stop-color="#0d5a3e"/>\
<stop offset="1" stop-color="#083c2a"/></radialGradient>
<filter id="{id}-felt" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">\
<feTurbulence type="fractalNoise" baseFrequency=".8 .55" numOctaves="3" seed="37" result="n"/>\
<feColorMatrix in="n" type="matrix" values="0 0 0 0 .85  0 0 0 0 1  0 0 0 0 .9  0 .4 0 0 -.155" \
result="g"/><feComposite in="g" in2="SourceAlpha" operator="in"/></filter>
<radialGradient id="{id}-shade"><stop offset=".55" stop-color="#021a10" stop-opacity=".6"/>\
<stop offset="1" stop-color="#021a10" stop-opacity="0"/></radialGradient>
<linearGradient id="{id}-gloss" x1=".2" y1="0" x2=".8" y2="1">\
<stop offset="0" stop-color="#fff" stop-opacity=".3"/>\
<stop offset=".5" stop-color="#fff" stop-opacity="0"/>\
<stop offset="1" stop-color="#000" stop-opacity=".2"/></linearGradient>
<linearGradient id="{id}-brass"><stop offset="0" stop-color="#8a5f16"/>\
<stop offset=".35" stop-color="#fbe7a2"/><stop offset=".6" stop-color="#c9962f"/>\
<stop offset="1" stop-color="#6f4a0e"/></linearGradient>
<linearGradient id="{id}-glass"><stop offset="0" stop-color="#d8f4ff" stop-opacity=".85"/>\
<stop offset=".5" stop-color="#ffffff" stop-opacity=".5"/>\
<stop offset="1" stop-color="#9fd3e6" stop-opacity=".9"/></linearGradient>
<radialGradient id="{id}-globe" cx=".38" cy=".32" r=".75"><stop offset="0" stop-color="#fff"/>\
<stop offset=".55" stop-color="#cfeefa" stop-opacity=".9"/>\
<stop offset="1" stop-color="#6fb0c9" stop-opacity=".95"/></radialGradient>
<path id="{id}-lozenge" d="{LOZENGE}"/>
</defs>"""


def print_cloth(
    book: Rulebook, drawn: Layout, view: View, *, winner: Pocket | None, id: str
) -> str:
    """Everything that is printed, from the lines to the words; the winning number is lit up."""
    lit = _glow(drawn, view, winner, f'fill="{GOLD}" fill-opacity=".8"')
    rim = _glow(drawn, view, winner, f'fill="none" stroke="{GOLD}" stroke-width="4"')
    letters = f'font-family="{ROMAN}" font-weight="700" text-anchor="middle"'
    drawing = f'stroke="{CREAM}" stroke-width="{LINE}" stroke-linejoin="round"'
    parts = (
        *lit,
        f'<g class="numbers" {letters}>',
        *_numbers(drawn, view, id=id),
        "</g>",
        f'<g class="diamonds" {drawing}>',
        *_diamonds(drawn, view),
        "</g>",
        f'<g class="lines" fill="none" stroke-linecap="round" {drawing}>',
        f'<path d="{_lines(drawn, view)}"/>',
        *_spaces(drawn, view),
        "</g>",
        *rim,
        f'<g class="words" fill="{CREAM}" {letters}>',
        *_words(book, drawn, view),
        "</g>",
    )
    return "\n".join(parts)


def _glow(drawn: Layout, view: View, winner: Pocket | None, paint: str) -> Iterator[str]:
    if winner is None:
        return
    (box,) = drawn.boxes_of(spot(str(winner)))
    yield f'<path d="{_path(box.outline, view)}" stroke-linejoin="round" {paint}/>'


def _path(outline: tuple[Point, ...], view: View) -> str:
    points = (view.point(point) for point in outline)
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def _lines(drawn: Layout, view: View) -> str:
    """All lines as one path: the boxes, and the prison lines with a bar at each end."""
    parts = [_path(box.outline, view) for box in drawn.boxes]
    for line in drawn.prison.values():
        start, end = view.point(line.start), view.point(line.end)
        parts.append(f"M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}")
        dx, dy = (0, 8) if view.turn else (8, 0)
        parts.extend(
            f"M{number(x - dx)} {number(y - dy)}L{number(x + dx)} {number(y + dy)}"
            for x, y in (start, end)
        )
    return "".join(parts)


def _spaces(drawn: Layout, view: View) -> Iterator[str]:
    for space in drawn.spaces:
        left, top, right, bottom = view.rect(space.rect)
        yield (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
            f'height="{number(bottom - top)}" rx="16"/>'
        )


def _numbers(drawn: Layout, view: View, *, id: str) -> Iterator[str]:
    straights = [box for box in drawn.boxes if box.spot.kind is SpotClass.STRAIGHT]
    zeros = [box for box in straights if wheel.is_zero(*box.spot.numbers)]
    zero_size = min(_zero_size(box, view) for box in zeros)
    for box in straights:
        at = view.point(box.chip)
        (figure,) = box.spot.numbers
        if wheel.is_zero(figure):
            yield f'<path d="{_path(box.outline, view)}" fill="{PAINT["green"]}"/>'
            size = zero_size
        else:
            yield (
                f'<use href="#{id}-lozenge" fill="{PAINT[wheel.colour(figure)]}" '
                f'transform="translate({number(at.x)} {number(at.y)}) scale(33 37)"/>'
            )
            size = 35
        yield _text(str(figure), at, size, fill=FIGURES_ON_CLOTH)


def _zero_size(box: Box, view: View) -> int:
    """The font size of a zero: the largest up to 50 that keeps it clear of its box's lines."""
    for size in range(50, 10, -1):
        wide = (breadth(box.spot.name) * size + 3 * LINE) / UNIT
        high = (0.7 * size + 3 * LINE) / UNIT
        across, down = (high, wide) if view.turn else (wide, high)
        at = box.chip
        text = Rect(at.x - across / 2, at.y - down / 2, at.x + across / 2, at.y + down / 2)
        if box.holds(text):
            return size
    return 10


def _diamonds(drawn: Layout, view: View) -> Iterator[str]:
    """A diamond in every simple chance: in its colour, or, around a hint, just its outline."""
    for box in drawn.boxes:
        if box.spot.kind is SpotClass.SIMPLE:
            at = view.point(box.chip)
            x, y = _diamond(view.rect(box.rect))
            yield (
                f'<path d="M{number(at.x)} {number(at.y - y)}L{number(at.x + x)} {number(at.y)}'
                f'L{number(at.x)} {number(at.y + y)}L{number(at.x - x)} {number(at.y)}Z" '
                f'fill="{PAINT.get(box.spot.name, "none")}"/>'
            )


def _diamond(seen: Rect) -> tuple[float, float]:
    """Half the width and half the height of the diamond in a box."""
    wide, high = seen.right - seen.left, seen.bottom - seen.top
    short = min(wide, high) * (0.25 if wide < high else 0.22)
    return (short * 1.6, short) if wide > high else (short, short * 1.4)


class _Lettered(NamedTuple):
    """A box in the picture with what is printed in it."""

    seen: Rect
    text: Label
    simple: bool

    @property
    def form(self) -> tuple[int, int, bool]:
        wide, high = self.seen.right - self.seen.left, self.seen.bottom - self.seen.top
        return round(wide), round(high), self.simple


def _words(book: Rulebook, drawn: Layout, view: View) -> Iterator[str]:
    lettered = [
        _Lettered(view.rect(box.rect), label(book, box.spot), box.spot.kind is SpotClass.SIMPLE)
        for box in drawn.boxes
        if not box.spot.kind.on_numbers
    ]
    lettered += [
        _Lettered(view.rect(space.rect), call_label(book, space.call), simple=False)
        for space in drawn.spaces
    ]
    # Boxes of the same shape use one letter size: the one that fits their longest word.
    forms: dict[tuple[int, int, bool], list[_Lettered]] = {}
    for each in lettered:
        forms.setdefault(each.form, []).append(each)
    for alike in forms.values():
        yield from _alike(alike)


def _alike(boxes: list[_Lettered]) -> Iterator[str]:
    wide, high, simple = boxes[0].form
    words = tuple(word for _, text, _ in boxes for word in (text.above, text.below))
    middles = tuple(text.middle for _, text, _ in boxes)
    along = wide > 2.2 * high
    if along:
        # In a long low box the words are beside the middle, which stays free for the chips.
        size = min(UNIT * 0.56, _fitting(words, wide * 0.33))
        middle = min(UNIT * 0.7, _fitting(middles, wide * 0.24))
        step = Point(wide * 0.31, 0)
    else:
        margin = max(UNIT * 0.36, high * 0.14)
        size = min(high * 0.18, UNIT, _fitting(words, wide * 0.88))
        middle = min(high * 0.3, UNIT * 0.6, _fitting(middles, wide * 0.8))
        # In a tall box the words stay near the middle.
        step = Point(0, high / 2 - margin if simple else min(high / 2 - margin, UNIT * 1.3))
    hint = 0.72 if simple else 1
    for seen, text, _ in boxes:
        x, y = seen.centre
        if text.above:
            yield _text(text.above, Point(x - step.x, y - step.y), size, spacing=SPACING)
        if text.below:
            yield _text(text.below, Point(x + step.x, y + step.y), size * hint, spacing=SPACING)
        if text.middle:
            yield _text(text.middle, seen.centre, middle)


def _fitting(texts: tuple[str, ...], room: float) -> float:
    """The font size at which the longest of the texts fills the room."""
    widest = max(breadth(text) + SPACING * len(text) for text in texts)
    return room / widest if widest else room


def _text(text: str, at: Point, size: float, *, fill: str = "", spacing: float = 0) -> str:
    # Figures and capitals of a roman face are about 0.7 em high; this centres them on the point.
    extra = f' fill="{fill}"' if fill else ""
    x = at.x
    if spacing:
        extra += f' letter-spacing="{number(size * spacing)}"'
        x += size * spacing / 2
    return (
        f'<text x="{number(x)}" y="{number(at.y + size * 0.35)}" font-size="{number(size)}"{extra}>'
        f"{escape(text)}</text>"
    )


__all__ = ["CREAM", "UNIT", "View", "defs", "print_cloth"]
