"""The cloth as a picture: a pure function from a house's cloth and its stakes to SVG.

The same stakes always give the same bytes. Nothing is fetched: shapes, grain and gradients are in
the text itself, and the letters use any roman font of the viewer. Players' names are untrusted
input; they are cleaned and escaped wherever they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal, NamedTuple
from zlib import crc32

from novamas.drawing import svg_chips
from novamas.drawing.layout import Layout, layout, turned
from novamas.drawing.lettering import clean
from novamas.drawing.look import INK, IVORY
from novamas.drawing.piles import Pile, by_place, check, holding, kind_of, place_name
from novamas.drawing.svg_chips import FIGURES, RADIUS, Fan, Stack, number
from novamas.drawing.svg_print import CREAM, UNIT, View, defs, print_cloth
from novamas.game import wheel
from novamas.game.cloth import Point, Spot, SpotClass, spot
from novamas.game.errors import UsageError
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.rulebook.model import Call, Rulebook
from novamas.game.wheel import Pocket

Orientation = Literal["portrait", "landscape"]

MARGIN: Final = 0.9
MOST_SHOWN: Final = 6
"""How many stakes a cloth names in one line."""
LEGEND: Final = 1.3
"""How high a row of players' names is."""


@dataclass(frozen=True, slots=True, repr=False)
class ClothPicture:
    """A cloth with its stakes: a picture in a notebook, a drawing in letters when printed.

    >>> import novamas as nv
    >>> nv.cloth("it", "anna 17:25 red:10", number=17)
    <Cloth it: 17:25 red:10, dolly on 17>
    """

    book: Rulebook
    piles: Sequence[Pile] = ()
    dolly: Pocket | None = None
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

    def __str__(self) -> str:
        from novamas.drawing.text import cloth_text

        return cloth_text(self.book, self.piles, dolly=self.dolly, prison=self.prison)

    def __repr__(self) -> str:
        shown = [f"{pile.spot.name}:{pile.amount}" for pile in self.piles[:MOST_SHOWN]]
        more = len(self.piles) - len(shown)
        laid = " ".join((*shown, f"and {more} more") if more else shown) or "empty"
        dolly = "" if self.dolly is None else f", dolly on {self.dolly}"
        return f"<Cloth {self.book.id}: {laid}{dolly}>"


def view_of(drawn: Layout, orientation: Orientation) -> View:
    """Where the points of a cloth are in its picture.

    >>> from novamas.rulebooks import load
    >>> drawn = layout(load("ar"))
    >>> at = view_of(drawn, "portrait").point(drawn.points(spot("17"))[0])
    >>> number(at.x), number(at.y)
    ('396', '576')
    """
    turn, bounds = orientation == "landscape", drawn.bounds
    near = turned(Point(bounds.right, bounds.top)) if turn else Point(bounds.left, bounds.top)
    return View(turn, Point(MARGIN - near.x, MARGIN - near.y))


def cloth_svg(
    book: Rulebook,
    piles: Iterable[Pile] = (),
    *,
    dolly: Pocket | None = None,
    prison: Iterable[Pile] = (),
    orientation: Orientation = "portrait",
    title: str | None = None,
) -> str:
    """A house's cloth with its stakes, the dolly on the winning number, and stakes in prison."""
    piles, prison = tuple(piles), tuple(prison)
    check((*piles, *prison), dolly=dolly, wheel=book.wheel.pockets)
    if orientation not in {"portrait", "landscape"}:
        raise UsageError(f"orientation: expected portrait or landscape, found {orientation!r}")
    drawn = layout(book)
    seats = _seats(book, (*piles, *prison))
    caption = clean(title or book.title.get(book.language, book.id), longest=120)
    described = _description(book, piles, prison, dolly=dolly)
    id = f"n{crc32(f'{caption}|{described}|{orientation}'.encode('utf-8', 'replace')):08x}"
    bounds, view = drawn.bounds, view_of(drawn, orientation)
    turn = view.turn
    across, down = bounds.right - bounds.left, bounds.bottom - bounds.top
    width = ((down if turn else across) + 2 * MARGIN) * UNIT
    rows = list(_legend_rows(tuple(seats), width=width))
    height = ((across if turn else down) + 2 * MARGIN + LEGEND * len(rows)) * UNIT
    common = [
        kind for kind in svg_chips.COMMON if any(kind in seat.kinds for seat in seats.values())
    ]
    stacks = [*_stacks(book, drawn, view, piles, seats, id=id)]
    stacks += _prison_stacks(book, drawn, view, prison, seats, id=id)
    stacks.sort(key=lambda stack: (stack.at.y, stack.at.x))
    straight = any(pile.spot is spot(str(dolly)) for pile in piles) if dolly is not None else False
    size = f'width="{number(width)}" height="{number(height)}"'
    about = (
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" '
        f'xml:lang="{escape(book.language)}" aria-labelledby="{id}-title {id}-desc"'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about}>',
        f'<title id="{id}-title">{escape(caption)}</title>',
        f'<desc id="{id}-desc">{escape(described)}</desc>',
        defs(id, width=width, height=height),
        "<defs>",
        *(
            svg_chips.chip_defs(svg_chips.livery(seat.place), id=f"{id}p{seat.place}")
            for seat in seats.values()
            if seat.in_colour
        ),
        *(svg_chips.common_defs(kind, id=f"{id}{kind}") for kind in common),
        "</defs>",
        f'<rect {size} rx="14" fill="url(#{id}-baize)"/>',
        f'<rect {size} rx="14" filter="url(#{id}-felt)"/>',
        print_cloth(book, drawn, view, winner=dolly, id=id),
        *(svg_chips.stack_svg(each, shade=f"{id}-shade", gloss=f"{id}-gloss") for each in stacks),
        "" if dolly is None else _dolly(view, book, dolly, aside=straight, id=id),
        *_legend(rows, seats, width=width, height=height, id=id),
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


class _Seat(NamedTuple):
    """A player in the picture."""

    place: int
    """The position of their first appearance, which decides their colour."""
    kinds: frozenset[ChipKind]

    @property
    def in_colour(self) -> bool:
        """Whether a chip of the player's own colour lies there."""
        return not self.kinds <= svg_chips.COMMON.keys()

    def face(self, kind: ChipKind) -> str:
        """The chip that they have of a kind: of their colour, or the common one."""
        return kind.value if kind in svg_chips.COMMON else f"p{self.place}"


def _seats(book: Rulebook, piles: tuple[Pile, ...]) -> dict[str, _Seat]:
    """The players with the kinds of chips that they have on the cloth."""
    kinds: dict[str, set[ChipKind]] = {}
    for pile in piles:
        kinds.setdefault(pile.player, set()).add(kind_of(book, pile))
    return {name: _Seat(place, frozenset(of)) for place, (name, of) in enumerate(kinds.items())}


def _note(book: Rulebook, pile: Pile) -> str:
    return f"{place_name(book, pile.spot)}: {clean(pile.player)} {holding(pile)}"


def _description(
    book: Rulebook, piles: tuple[Pile, ...], prison: tuple[Pile, ...], *, dolly: Pocket | None
) -> str:
    lines = [_note(book, pile) for pile in piles]
    lines += [f"en prison: {_note(book, pile)}" for pile in prison]
    if dolly is not None:
        coloured = f"{dolly} {book.word(wheel.colour(dolly))}"
        lines.insert(0, str(dolly) if wheel.is_zero(dolly) else coloured)
    chances = ", ".join(book.word(name) for name in (*book.cloth.left, *book.cloth.right))
    further = "".join(f", {zero}" for zero in book.wheel.pockets.zeros if zero != 0)
    numbers = f"0–{wheel.NUMBERS[-1]}{further}"
    return "; ".join(lines) if lines else f"{numbers}; {chances}"


def _reach(drawn: Layout, place: Spot | Call) -> float:
    """How far from its point the stacks of a place may spread, in units of the drawing."""
    if isinstance(place, Call):
        rect = drawn.space(place.name).rect
        return UNIT * (min(rect.right - rect.left, rect.bottom - rect.top) / 2 - 0.1)
    if place.kind is SpotClass.STRAIGHT:
        return UNIT * 0.85
    boxes = drawn.boxes_of(place)
    if not boxes:
        # Between two zeros and 1, 2 and 3 the points lie closer together than chips are wide.
        room = drawn.room(place)
        return UNIT * (0.78 if room >= 1 else room / 2)
    rect = boxes[0].rect
    return UNIT * min(rect.right - rect.left, rect.bottom - rect.top) * 0.36


def _stacks(
    book: Rulebook,
    drawn: Layout,
    view: View,
    piles: tuple[Pile, ...],
    seats: dict[str, _Seat],
    *,
    id: str,
) -> Iterator[Stack]:
    """The stacks of the piles; those on one place are spread over its points, then fanned."""
    for sharing in by_place(piles).values():
        place = sharing[0].spot
        if isinstance(place, Call):
            points: tuple[Point, ...] = (drawn.space(place.name).rect.centre,)
        else:
            points = drawn.points(place)
        for which, point in enumerate(points):
            here = sharing[which :: len(points)]
            if here:
                spread = svg_chips.fan(len(here), reach=_reach(drawn, place))
                yield from _fanned(book, here, spread, view.point(point), seats, id=id)


def _prison_stacks(
    book: Rulebook,
    drawn: Layout,
    view: View,
    prison: tuple[Pile, ...],
    seats: dict[str, _Seat],
    *,
    id: str,
) -> Iterator[Stack]:
    """The stacks of the stakes in prison, along the line of their chance."""
    for name, here in by_place(prison).items():
        line = drawn.prison_line(spot(name))
        start, end, middle = (view.point(p) for p in (line.start, line.end, line.middle))
        long = abs(end.x - start.x) + abs(end.y - start.y)
        apart = min(RADIUS * 2.3, long / len(here))
        along = Point((end.x - start.x) / long, (end.y - start.y) / long)
        steps = [(place - (len(here) - 1) / 2) * apart for place in range(len(here))]
        places = tuple(Point(along.x * step, along.y * step) for step in steps)
        spread = Fan(min(RADIUS * 0.9, apart / 2.3), places)
        yield from _fanned(book, here, spread, middle, seats, id=id)


def _fanned(
    book: Rulebook,
    piles: list[Pile],
    spread: Fan,
    at: Point,
    seats: dict[str, _Seat],
    *,
    id: str,
) -> Iterator[Stack]:
    for pile, place in zip(piles, spread.places, strict=True):
        seat, kind = seats[pile.player], kind_of(book, pile)
        yield Stack(
            at=Point(at.x + place.x, at.y + place.y),
            radius=spread.radius,
            face=f"{id}{seat.face(kind)}",
            numbered=0 if kind in svg_chips.COMMON else svg_chips.livery(seat.place).number,
            ink=IVORY if kind is ChipKind.CHANCE else INK,
            chips=pile.chips,
            amount=pile.amount,
            crowded=len(piles) > 1,
            note=escape(_note(book, pile)),
        )


def _dolly(view: View, book: Rulebook, winner: Pocket, *, aside: bool, id: str) -> str:
    """The marker of glass and brass, placed so that it does not hide the number or its chips."""
    at = view.point(book.cloth.plan.points[spot(str(winner))][0])
    x, y = (at.x + 27, at.y - 20) if aside else (at.x + 21, at.y - 10)
    return (
        f'<g class="dolly" transform="translate({number(x)} {number(y)}) scale(1.2)">'
        f"<title>{winner}</title>"
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
    seats: dict[str, _Seat],
    *,
    width: float,
    height: float,
    id: str,
) -> Iterator[str]:
    sat = list(seats.values())
    for place, row in enumerate(rows):
        x = (width - sum(_legend_width(shown) for _, shown in row)) / 2 + 24
        y = height - (len(rows) - place - 0.5) * LEGEND * UNIT - MARGIN * UNIT * 0.4
        for which, shown in row:
            seat = sat[which]
            # A player without a chip of their colour there is shown with a common chip.
            kind = ChipKind.COLOUR if seat.in_colour else min(seat.kinds)
            count = svg_chips.livery(seat.place).number if seat.in_colour else 0
            mark = (
                f'<text y="5" text-anchor="middle" font-size="14" font-weight="700">{count}</text>'
                if count
                else ""
            )
            yield (
                f'<g transform="translate({number(x)} {number(y)})" font-family="{FIGURES}">'
                f'<use href="#{id}{seat.face(kind)}t" transform="scale(.8)"/>{mark}'
                f'<text x="25" y="6.5" font-size="19" fill="{CREAM}">{escape(shown)}</text></g>'
            )
            x += _legend_width(shown)


__all__ = ["ClothPicture", "Orientation", "Pile", "cloth_svg"]
