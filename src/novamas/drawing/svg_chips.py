"""Chips in SVG: whose they are by hue, edge and number, how high they stack, how they share a spot.

Three things distinguish a player's colour chip from every other. The ten hues stay distinct for
people who cannot see red, green or blue. The edge changes from each player to the next. When all
forty pairs of hue and edge are taken, a small number is added. Chance chips and value chips are the
same for everybody (AR-3.b). Their edges have no spots, and their middles another shape: a chance
chip is dark there with light figures, and a value chip has an inlay of eight sides.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, pi, sin, sqrt
from typing import Final, NamedTuple

from novamas.drawing.lettering import short_amount
from novamas.drawing.look import (
    BAND,
    CHANCE,
    CHANCE_INLAY,
    CHANCE_INLAY_RADIUS,
    CHANCE_RIM,
    CROWDED,
    EDGE_GAP,
    EDGE_SHARE,
    EDGES,
    FIGURE,
    FIGURE_EMS,
    FIGURES_WIDTH,
    FULL,
    HUES,
    INK,
    INLAY,
    INLAY_RIM,
    IVORY,
    LIGHT_FROM,
    LUMA,
    NUMBER_LIFT,
    RING,
    RISE,
    STEPS,
    VALUE,
    VALUE_INLAY_RADIUS,
    VALUE_RIM,
    VALUE_RING,
)
from novamas.game.cloth import Point
from novamas.game.rulebook.behaviours import ChipKind

RADIUS: Final = 20.0
"""The radius of a chip that is alone on its spot, in units of the drawing."""
FIGURES: Final = "'Helvetica Neue', Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"


class Livery(NamedTuple):
    """How a player's chips look."""

    hue: str
    edge: int
    number: int
    """0, or the small number that distinguishes players of the same hue and edge."""


def livery(seat: int) -> Livery:
    """The look of the chips of the player who came in that order, from 0.

    >>> livery(0), livery(40)
    (Livery(hue='#2b5bd7', edge=0, number=0), Livery(hue='#2b5bd7', edge=0, number=2))
    """
    again, hue = divmod(seat, len(HUES))
    rounds = again // len(EDGES)
    return Livery(HUES[hue], (hue + again) % len(EDGES), rounds + 1 if rounds else 0)


def height(chips: int, *, crowded: bool = False) -> int:
    """How many chips of a stack are drawn: all of a small one, then on a shrinking scale.

    >>> [height(chips) for chips in (1, 2, 3, 4, 5, 9, 20, 50, 1000)]
    [1, 2, 3, 4, 5, 5, 6, 7, 8]
    """
    drawn = min(chips, 4) + sum(chips >= step for step in STEPS)
    return min(drawn, CROWDED if crowded else FULL)


class Fan(NamedTuple):
    """How several stacks share a spot: the radius and the position of each."""

    radius: float
    places: tuple[Point, ...]


def fan(count: int, *, reach: float) -> Fan:
    """Spreads `count` stacks over a circle so that none hides another.

    Up to five form a ring around the spot; more form rows like a honeycomb.
    """
    if count == 1:
        return Fan(min(RADIUS, reach), (Point(0, 0),))
    places = _ring(count) if count <= 5 else _comb(count)
    # The places are one unit apart, which leaves half a unit on each side of a stack, minus its
    # rise.
    farthest = max(hypot(*place) for place in places)
    share = 0.5 / (1 + RISE * (CROWDED - 1) / 2)
    apart = min(RADIUS / share, reach / (farthest + 0.5))
    return Fan(apart * share, tuple(Point(x * apart, y * apart) for x, y in places))


def _ring(count: int) -> tuple[Point, ...]:
    radius = 0.5 / sin(pi / count)
    # Two stacks lie across the square, clear of the chips on its four sides.
    start = -3 * pi / 4 if count in {2, 4} else -pi / 2
    turn = 2 * pi / count
    return tuple(
        Point(radius * cos(start + turn * n), radius * sin(start + turn * n)) for n in range(count)
    )


def _comb(count: int) -> tuple[Point, ...]:
    rows = 2 + int(sqrt(count))
    lattice = [
        Point(column + (row % 2) / 2, row * sqrt(3) / 2)
        for row in range(-rows, rows + 1)
        for column in range(-rows, rows + 1)
    ]
    near = sorted(lattice, key=lambda p: (round(hypot(*p), 6), p.y, p.x))[:count]
    middle = Point(sum(p.x for p in near) / count, sum(p.y for p in near) / count)
    return tuple(Point(p.x - middle.x, p.y - middle.y) for p in near)


def number(value: float) -> str:
    """Formats a coordinate: two decimals at most, and never a negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def spot_colour(hue: str) -> str:
    """The colour of the edge spots: whichever of ivory and ink stands out against the hue."""
    shades = (int(hue[at : at + 2], 16) for at in (1, 3, 5))
    luma = sum(weight * shade for weight, shade in zip(LUMA, shades, strict=True))
    return IVORY if luma < LIGHT_FROM else INK


def dashes(edge: int, *, radius: float) -> str:
    """The edge spots as dashes of a circle: spots and gaps that close after whole rounds."""
    groups, spots = EDGES[edge]
    group = 2 * pi * radius / groups
    drawn = group * EDGE_SHARE
    each = [drawn * spot / sum(spots) for spot in spots]
    inner = drawn * EDGE_GAP
    gaps = [inner] * (len(spots) - 1)
    gaps.append(group - sum(each) - sum(gaps))
    return " ".join(number(length) for pair in zip(each, gaps, strict=True) for length in pair)


def common_defs(kind: ChipKind, *, id: str) -> str:
    """The two faces of a common chip, with ids like those of `chip_defs`."""
    edge, inlay = COMMON[kind](RADIUS)
    return f'<g id="{id}e">{edge}</g><g id="{id}t"><use href="#{id}e"/>{inlay}</g>'


def _chance(radius: float) -> tuple[str, str]:
    return (
        _disc(radius, CHANCE, stroke="#000", opacity=0.55, width=0.9)
        + _disc(radius * RING, "none", stroke=INK, opacity=0.8, width=1.1),
        _disc(radius * CHANCE_INLAY_RADIUS, CHANCE_INLAY, stroke=CHANCE_RIM, opacity=1, width=1.7),
    )


def _value(radius: float) -> tuple[str, str]:
    corners = (pi / 8 + n * pi / 4 for n in range(8))
    inlay = radius * VALUE_INLAY_RADIUS
    points = " ".join(
        f"{number(inlay * cos(turn))},{number(inlay * sin(turn))}" for turn in corners
    )
    return (
        _disc(radius, VALUE, stroke="#000", opacity=0.55, width=0.9)
        + _disc(radius * RING, "none", stroke=VALUE_RING, opacity=1, width=1.3),
        f'<polygon points="{points}" fill="{IVORY}" stroke="{VALUE_RIM}" stroke-width="1.4"/>',
    )


COMMON: Final[dict[ChipKind, Callable[[float], tuple[str, str]]]] = {
    ChipKind.CHANCE: _chance,
    ChipKind.VALUE: _value,
}
"""The common chips: the SVG of their edge, and of their middle on top."""


def _disc(radius: float, fill: str, *, stroke: str, opacity: float, width: float) -> str:
    return (
        f'<circle r="{number(radius)}" fill="{fill}" stroke="{stroke}" '
        f'stroke-opacity="{number(opacity)}" stroke-width="{number(width)}"/>'
    )


def chip_defs(look: Livery, *, id: str) -> str:
    """The two faces of a player's chip: `id` + `e` is its edge, `id` + `t` the chip on top."""
    spot = spot_colour(look.hue)
    radius = RADIUS
    band = radius * BAND
    edge = (
        f'<g id="{id}e"><circle r="{number(radius)}" fill="{look.hue}" stroke="#000" '
        'stroke-opacity=".55" stroke-width=".9"/>'
        f'<circle r="{number(radius - band / 2 - 0.6)}" fill="none" stroke="{spot}" '
        f'stroke-width="{number(band)}" '
        f'stroke-dasharray="{dashes(look.edge, radius=radius - band / 2 - 0.6)}"/></g>'
    )
    top = (
        f'<g id="{id}t"><use href="#{id}e"/>'
        f'<circle r="{number(radius * INLAY)}" fill="{IVORY}" stroke="{look.hue}" '
        f'stroke-width="{number(radius * INLAY_RIM)}"/>'
        f'<circle r="{number(radius * 0.6)}" fill="none" stroke="{INK}" stroke-opacity=".28" '
        'stroke-width=".5"/></g>'
    )
    return edge + top


class Stack(NamedTuple):
    """A stack to draw: its position, owner, height, and the amount on top."""

    at: Point
    radius: float
    face: str
    """The id of the chip's faces."""
    numbered: int
    """The number on the chip that distinguishes two players, or 0."""
    ink: str
    """The colour of the figures."""
    chips: int
    amount: int
    crowded: bool
    note: str
    """The tooltip, already escaped for XML."""


def stack_svg(stack: Stack, *, shade: str, gloss: str) -> str:
    """One stack: its shadow, the chips below, the chip on top with the amount."""
    scale = stack.radius / RADIUS
    layers = height(stack.chips, crowded=stack.crowded)
    rise = RADIUS * RISE
    lift = rise * (layers - 1)
    at = f"{number(stack.at.x)} {number(stack.at.y)}"
    sized = "" if scale == 1 else f" scale({number(scale)})"
    shadow = f'rx="{number(RADIUS * 1.22)}" ry="{number(RADIUS * 1.18)}" fill="url(#{shade})"'
    parts = [
        f'<g class="stack" transform="translate({at}){sized}">',
        f"<title>{stack.note}</title>",
        f'<ellipse cx="2.5" cy="{number(lift / 2 + 4)}" {shadow}/>',
    ]
    for layer in range(layers - 1):
        y = lift / 2 - rise * layer
        parts.append(
            f'<use href="#{stack.face}e" transform="translate(0 {number(y)}) '
            f'rotate({17 * layer % 60})"/>'
        )
    parts.append(
        f'<g transform="translate(0 {number(-lift / 2)})"><use href="#{stack.face}t"/>'
        f'<circle r="{number(RADIUS)}" fill="url(#{gloss})"/>{_figures(stack)}</g></g>'
    )
    return "".join(parts)


def _figures(stack: Stack) -> str:
    text = short_amount(stack.amount)
    width = sum(FIGURE_EMS["point" if each == "." else "digit"] for each in text)
    size = min(RADIUS * FIGURE, RADIUS * FIGURES_WIDTH / width)
    y = size * 0.36 - (RADIUS * NUMBER_LIFT if stack.numbered else 0)
    figures = (
        f'<text y="{number(y)}" font-size="{number(size)}" font-weight="700" '
        f'font-family="{FIGURES}" fill="{stack.ink}" text-anchor="middle">{text}</text>'
    )
    if stack.numbered:
        figures += (
            f'<text y="{number(RADIUS * 0.5)}" font-size="{number(RADIUS * 0.3)}" '
            f'font-family="{FIGURES}" font-weight="700" fill="{INK}" fill-opacity=".75" '
            f'text-anchor="middle">{stack.numbered}</text>'
        )
    return figures
