"""The cloth as a picture: a pure function from a house's cloth and its stakes to SVG.

The same stakes always give the same bytes. Nothing is fetched from anywhere: shapes, grain and
gradients are in the text itself, and the letters come from whatever roman face the reader has.
Players' names are strangers' input; they are cleaned and escaped wherever they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal, NamedTuple
from zlib import crc32

from novamas.game import svgchips, wheel
from novamas.game.cloth import Point, Spot, SpotClass, spot
from novamas.game.drawing import Layout, Rect, layout, turned
from novamas.game.lettering import clean
from novamas.game.money import is_amount
from novamas.game.rulebook import Call, Rulebook
from novamas.game.svgchips import FIGURES, RADIUS, Fan, Livery, Stack, number
from novamas.game.svgprint import CREAM, UNIT, View, defs, print_cloth

Orientation = Literal["portrait", "landscape"]

MARGIN: Final = 0.9
LEGEND: Final = 1.3
"""How high a row of players' names is."""


class Pile(NamedTuple):
    """What one player has on one place of the cloth."""

    spot: Spot | Call
    """A spot; or an announcement, whose chips lie in its own space until they are placed."""
    amount: int
    player: str
    chip: int = 1
    """What one of the chips is worth; it says how high the stack is."""

    @property
    def chips(self) -> int:
        """How many chips lie there."""
        return -(-self.amount // self.chip)


@dataclass(frozen=True, slots=True)
class ClothPicture:
    """A cloth that shows itself in a notebook."""

    book: Rulebook
    piles: Sequence[Pile] = ()
    dolly: int | None = None
    prison: Sequence[Pile] = ()
    orientation: Orientation = "landscape"
    title: str | None = None

    def svg(self) -> str:
        """The drawing."""
        return cloth_svg(
            self.book,
            self.piles,
            dolly=self.dolly,
            prison=self.prison,
            orientation=self.orientation,
            title=self.title,
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def cloth_svg(
    book: Rulebook,
    piles: Iterable[Pile] = (),
    *,
    dolly: int | None = None,
    prison: Iterable[Pile] = (),
    orientation: Orientation = "portrait",
    title: str | None = None,
) -> str:
    """A house's cloth with its stakes, the dolly on the winning number, and who is in prison."""
    piles, prison = tuple(piles), tuple(prison)
    _check(piles, prison, dolly=dolly, orientation=orientation)
    drawn = layout(book)
    players = tuple(dict.fromkeys(pile.player for pile in (*piles, *prison)))
    caption = clean(title or book.title.get(book.language, book.id), longest=120)
    described = _description(book, piles, prison, dolly=dolly)
    id = f"n{crc32(f'{caption}|{described}|{orientation}'.encode('utf-8', 'replace')):08x}"
    turn = orientation == "landscape"
    bounds = drawn.bounds
    near = turned(Point(bounds.right, bounds.top)) if turn else Point(bounds.left, bounds.top)
    view = View(turn, Point(MARGIN - near.x, MARGIN - near.y))
    across, down = bounds.right - bounds.left, bounds.bottom - bounds.top
    width = ((down if turn else across) + 2 * MARGIN) * UNIT
    rows = list(_legend_rows(players, width=width))
    height = ((across if turn else down) + 2 * MARGIN + LEGEND * len(rows)) * UNIT
    liveries = [svgchips.livery(seat) for seat in range(len(players))]
    stacks = [*_stacks(book, drawn, view, piles, players, id=id)]
    stacks += _prison_stacks(book, drawn, view, prison, players, id=id)
    stacks.sort(key=lambda stack: (stack.at.y, stack.at.x))
    straight = any(pile.spot is spot(str(dolly)) for pile in piles) if dolly is not None else False
    size = f'width="{number(width)}" height="{number(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" xml:lang="{book.language}" '
        f'aria-labelledby="{id}-title {id}-desc">',
        f'<title id="{id}-title">{escape(caption)}</title>',
        f'<desc id="{id}-desc">{escape(described)}</desc>',
        defs(id, width=width, height=height),
        "<defs>",
        *(svgchips.chip_defs(look, id=f"{id}p{seat}") for seat, look in enumerate(liveries)),
        "</defs>",
        f'<rect {size} rx="14" fill="url(#{id}-baize)"/>',
        f'<rect {size} rx="14" filter="url(#{id}-felt)"/>',
        print_cloth(book, drawn, view, winner=dolly, id=id),
        *(svgchips.stack_svg(each, shade=f"{id}-shade", gloss=f"{id}-gloss") for each in stacks),
        _dolly(view, dolly, aside=straight, id=id) if dolly is not None else "",
        *_legend(rows, liveries, width=width, height=height, id=id),
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


def _check(
    piles: tuple[Pile, ...], prison: tuple[Pile, ...], *, dolly: int | None, orientation: str
) -> None:
    if orientation not in {"portrait", "landscape"}:
        raise ValueError(f"orientation: expected portrait or landscape, found {orientation!r}")
    if dolly is not None and not wheel.is_pocket(dolly):
        raise ValueError(f"dolly: expected a number from 0 to 36, found {dolly!r}")
    for pile in (*piles, *prison):
        if not is_amount(pile.amount) or not is_amount(pile.chip):
            raise ValueError(
                f"{pile.spot.name}: expected whole amounts above zero, "
                f"found {pile.amount!r} in chips of {pile.chip!r}"
            )


def _named(book: Rulebook, place: Spot | Call) -> str:
    """What a person calls the place: `semipleno 17/20`, `colorado`, `vicini dello zero`."""
    if isinstance(place, Spot) and place.kind.on_numbers:
        return f"{book.word(place.kind)} {place.name}"
    return book.word(place.name)


def _note(book: Rulebook, pile: Pile) -> str:
    counted = f" ({pile.chips} × {pile.chip})" if pile.chips > 1 else ""
    return f"{_named(book, pile.spot)}: {clean(pile.player)} {pile.amount}{counted}"


def _description(
    book: Rulebook, piles: tuple[Pile, ...], prison: tuple[Pile, ...], *, dolly: int | None
) -> str:
    lines = [_note(book, pile) for pile in piles]
    lines += [f"en prison: {_note(book, pile)}" for pile in prison]
    if dolly is not None:
        shade = wheel.colour(dolly)
        lines.insert(0, f"{dolly}" if not dolly else f"{dolly} {book.word(shade)}")
    chances = ", ".join(book.word(name) for name in (*book.cloth.left, *book.cloth.right))
    return "; ".join(lines) if lines else f"0–36; {chances}"


def _reach(drawn: Layout, place: Spot | Call) -> float:
    """How far from its point the stacks of a place may spread, in units of the drawing."""
    if isinstance(place, Call):
        rect = drawn.space(place.name).rect
        return UNIT * (min(rect.right - rect.left, rect.bottom - rect.top) / 2 - 0.1)
    if place.kind is SpotClass.STRAIGHT:
        return UNIT * 0.9
    boxes = drawn.boxes_of(place)
    if not boxes:
        return UNIT * 0.78
    rect = boxes[0].rect
    return UNIT * min(rect.right - rect.left, rect.bottom - rect.top) * 0.36


def _stacks(
    book: Rulebook,
    drawn: Layout,
    view: View,
    piles: tuple[Pile, ...],
    players: tuple[str, ...],
    *,
    id: str,
) -> Iterator[Stack]:
    """The stacks of the piles: those on one place are shared out over its points, then fanned."""
    by_place: dict[str, list[Pile]] = {}
    for pile in piles:
        by_place.setdefault(pile.spot.name, []).append(pile)
    for sharing in by_place.values():
        place = sharing[0].spot
        if isinstance(place, Call):
            points: tuple[Point, ...] = (drawn.space(place.name).rect.centre,)
        else:
            points = drawn.points(place)
        for which, point in enumerate(points):
            here = sharing[which :: len(points)]
            if here:
                spread = svgchips.fan(len(here), reach=_reach(drawn, place))
                yield from _fanned(book, here, spread, view.point(point), players, id=id)


def _prison_stacks(
    book: Rulebook,
    drawn: Layout,
    view: View,
    prison: tuple[Pile, ...],
    players: tuple[str, ...],
    *,
    id: str,
) -> Iterator[Stack]:
    """Stakes in prison lie along the line of their chance."""
    by_line: dict[str, list[Pile]] = {}
    for pile in prison:
        by_line.setdefault(pile.spot.name, []).append(pile)
    for name, here in by_line.items():
        line = drawn.prison_line(spot(name))
        start, end, middle = (view.point(p) for p in (line.start, line.end, line.middle))
        long = abs(end.x - start.x) + abs(end.y - start.y)
        apart = min(RADIUS * 2.3, long / len(here))
        along = Point((end.x - start.x) / long, (end.y - start.y) / long)
        steps = [(place - (len(here) - 1) / 2) * apart for place in range(len(here))]
        places = tuple(Point(along.x * step, along.y * step) for step in steps)
        spread = Fan(min(RADIUS * 0.9, apart / 2.3), places)
        yield from _fanned(book, here, spread, middle, players, id=id)


def _fanned(
    book: Rulebook,
    piles: list[Pile],
    spread: Fan,
    at: Point,
    players: tuple[str, ...],
    *,
    id: str,
) -> Iterator[Stack]:
    for pile, place in zip(piles, spread.places, strict=True):
        seat = players.index(pile.player)
        yield Stack(
            at=Point(at.x + place.x, at.y + place.y),
            radius=spread.radius,
            face=f"{id}p{seat}",
            look=svgchips.livery(seat),
            chips=pile.chips,
            amount=pile.amount,
            crowded=len(piles) > 1,
            note=escape(_note(book, pile)),
        )


def _dolly(view: View, winner: int, *, aside: bool, id: str) -> str:
    """The marker of glass and brass; where chips lie on the number itself, it stands beside them."""
    at = view.point(spot(str(winner)).points[0])
    x, y = (at.x + 27, at.y - 20) if aside else (at.x, at.y + 16)
    return (
        f'<g class="dolly" transform="translate({number(x)} {number(y)}) scale(1.2)"><title>{winner}</title>'
        f'<ellipse cx="3" cy="3" rx="19" ry="11" fill="url(#{id}-shade)"/>'
        f'<ellipse rx="12.5" ry="6.6" fill="url(#{id}-brass)" stroke="#5b3d0c" stroke-width=".8"/>'
        f'<ellipse cy="-2.4" rx="10.4" ry="5" fill="url(#{id}-brass)" stroke="#5b3d0c" '
        'stroke-width=".6"/>'
        f'<path d="M-8.4-3.6C-7-13-3.4-16-3-22H3C3.4-16 7-13 8.4-3.6A8.4 3.4 0 0 1-8.4-3.6Z" '
        f'fill="url(#{id}-glass)" stroke="#fff" stroke-opacity=".75" stroke-width=".7"/>'
        f'<ellipse cy="-22" rx="5" ry="2.2" fill="url(#{id}-brass)" stroke="#5b3d0c" '
        'stroke-width=".6"/>'
        f'<circle cy="-29" r="7.4" fill="url(#{id}-globe)" stroke="#fff" stroke-opacity=".8" '
        'stroke-width=".7"/>'
        '<ellipse cx="-2.4" cy="-31.8" rx="2.5" ry="1.7" fill="#fff" fill-opacity=".95"/>'
        '<path d="M-4.6-6C-3.8-12-1.8-15-1.5-20" fill="none" stroke="#fff" stroke-opacity=".85" '
        'stroke-width="1.3" stroke-linecap="round"/></g>'
    )


def _legend_rows(players: tuple[str, ...], *, width: float) -> Iterator[list[tuple[int, str]]]:
    """The players in rows that fit under the cloth."""
    row: list[tuple[int, str]] = []
    taken = 0.0
    for seat, player in enumerate(players):
        shown = clean(player, longest=18)
        wide = _legend_width(shown)
        if row and taken + wide > width - 2 * MARGIN * UNIT:
            yield row
            row, taken = [], 0.0
        row.append((seat, shown))
        taken += wide
    if row:
        yield row


def _legend_width(shown: str) -> float:
    return 54 + 11 * len(shown)


def _legend(
    rows: list[list[tuple[int, str]]],
    liveries: list[Livery],
    *,
    width: float,
    height: float,
    id: str,
) -> Iterator[str]:
    for place, row in enumerate(rows):
        x = (width - sum(_legend_width(shown) for _, shown in row)) / 2 + 24
        y = height - (len(rows) - place - 0.5) * LEGEND * UNIT - MARGIN * UNIT * 0.4
        for seat, shown in row:
            count = liveries[seat].number
            mark = (
                f'<text y="5" text-anchor="middle" font-size="14" font-weight="700">{count}</text>'
                if count
                else ""
            )
            yield (
                f'<g transform="translate({number(x)} {number(y)})" font-family="{FIGURES}">'
                f'<use href="#{id}p{seat}t" transform="scale(.8)"/>{mark}'
                f'<text x="25" y="6.5" font-size="19" fill="{CREAM}">{escape(shown)}</text></g>'
            )
            x += _legend_width(shown)


__all__ = ["ClothPicture", "Orientation", "Pile", "Rect", "cloth_svg"]
