"""The cloth: every spot a chip may lie on, what it covers, and where on the cloth it lies.

A spot is known by the croupier's own name, first and last number, lower first: `17`, `17/20`,
`16/18`, `25/29`, `13/18`, `d1`, `c2`, `red`, `d1+d2`. A spot with a zero names all its numbers:
`0/2`, `0/00/2`. A name means the same numbers on every cloth. A `Cloth` lists the spots that can be
drawn on it, and where they lie; the rulebook says which of them a house offers.

Points lie on a grid in which a number's square is two units wide and high: the four longitudinal
lines are x = 0, 2, 4, 6 and the thirteen transverse ones y = 0, 2, … 24; the zeros lie above y = 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from novamas.game import wheel
from novamas.game.arguments import shown
from novamas.game.errors import NovamasError, nearest
from novamas.game.wheel import NUMBERS, Pocket, written_order


class SpotClass(StrEnum):
    """The classes of spots. Those up to the six-line are played on the numbers themselves."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
    FIVE = "five"
    """Two zeros with 1, 2 and 3."""
    SIXLINE = "sixline"
    COLUMN = "column"
    DOZEN = "dozen"
    SIMPLE = "simple"
    STRADDLE = "straddle"

    on_numbers: bool
    """Whether it is one of the multiple bets, which are laid on the numbers, and not a chance."""


MULTIPLES: Final = (
    SpotClass.STRAIGHT,
    SpotClass.SPLIT,
    SpotClass.STREET,
    SpotClass.CORNER,
    SpotClass.FIVE,
    SpotClass.SIXLINE,
)
"""The classes laid on the numbers, from the dearest payment to the cheapest (and most numbers)."""

for _kind in SpotClass:
    # Every stake of a coup asks for this, so it is an attribute: a property would cost a call each
    # time.
    _kind.on_numbers = _kind in MULTIPLES

LIMITED: Final = (*MULTIPLES, SpotClass.DOZEN, SpotClass.COLUMN, SpotClass.SIMPLE)
"""The classes that a placard of limits names; a straddle takes the limits of its boxes."""


class Point(NamedTuple):
    """A point of the grid on which a chip may lie."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A place of the cloth. There is one object for each, so spots compare by identity.

    >>> import novamas as nv
    >>> corner = nv.spot("25/29")
    >>> corner, sorted(corner.numbers)
    (<corner 25/29>, [25, 26, 28, 29])
    """

    name: str
    kind: SpotClass
    numbers: frozenset[Pocket]
    boxes: tuple[str, ...] = ()
    """The two boxes that a straddle lies across."""

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _spot, (self.name, self.kind, self.numbers, self.boxes)


class UnknownSpotError(NovamasError, ValueError):
    """The name is not that of any spot.

    >>> import novamas as nv
    >>> try:
    ...     nv.spot("rad")
    ... except nv.UnknownSpotError as error:
    ...     print(error)
    no spot of the cloth is called 'rad'; did you mean 'red'?
    """

    def __init__(self, name: object) -> None:
        self.name = name
        question = nearest(name, SPOTS) if isinstance(name, str) else ""
        super().__init__(f"no spot of the cloth is called {shown(name)}{question}")


def column_of(number: int) -> int:
    """The column, 1 to 3, in which a number other than zero stands."""
    return (number - 1) % 3 + 1


def row_of(number: int) -> int:
    """The row of three, 1 to 12, in which a number other than zero stands."""
    return (number - 1) // 3 + 1


SPOTS: Final[dict[str, Spot]] = {}
"""Every spot by its name: those of all cloths that were laid out, numbers before chances."""

_BY_NUMBERS: Final[dict[frozenset[Pocket], Spot]] = {}


def _spot(
    name: str, kind: SpotClass, numbers: Iterable[Pocket], boxes: tuple[str, ...] = ()
) -> Spot:
    """The one spot of that name."""
    found = SPOTS.get(name)
    if found is None:
        found = SPOTS[name] = Spot(name, kind, frozenset(numbers), boxes)
        if kind.on_numbers:
            _BY_NUMBERS[found.numbers] = found
    return found


def with_numbers(numbers: Iterable[Pocket]) -> Spot | None:
    """The spot on the numbers that covers just these, if some cloth has one.

    >>> with_numbers((28, 29, 25, 26)), with_numbers((17, 22))
    (<corner 25/29>, None)
    """
    return _BY_NUMBERS.get(frozenset(numbers))


Placed: TypeAlias = Iterator[tuple[Spot, tuple[Point, ...]]]
"""Spots, each with the points at which its chip may lie."""

WIDTH: Final = 6
"""The width of the three columns on the grid."""


def _ranged(first: int, last: int, kind: SpotClass, numbers: Iterable[int]) -> Spot:
    return _spot(f"{first}/{last}", kind, numbers)


def _listed(numbers: Iterable[Pocket]) -> Spot:
    """A spot with zeros, which names all its numbers; how many there are makes its class."""
    ordered = sorted(numbers, key=written_order)
    return _spot("/".join(map(str, ordered)), _BY_SIZE[len(ordered)], ordered)


_BY_SIZE: Final = dict(enumerate(MULTIPLES, start=1))
"""How many numbers a spot covers → its class on the numbers."""


class ZeroBox(NamedTuple):
    """The place of a zero at the head of the cloth."""

    pocket: Pocket
    left: float
    right: float
    bottom: int

    @property
    def centre(self) -> Point:
        """Where the chips of the zero lie."""
        return Point(_even((self.left + self.right) / 2), self.bottom - 1)


def _even(place: float) -> float:
    """A place on the grid, as an integer where it is whole."""
    return int(place) if place == int(place) else place


def zero_boxes(zeros: Sequence[Sequence[Pocket]]) -> list[list[ZeroBox]]:
    """The boxes of the zeros, the row that is farthest from the numbers first."""
    rows = []
    for place, row in enumerate(zeros):
        edges = [_even(WIDTH * at / len(row)) for at in range(len(row) + 1)]
        bottom = -2 * (len(zeros) - place - 1)
        rows.append([ZeroBox(p, edges[at], edges[at + 1], bottom) for at, p in enumerate(row)])
    return rows


def _meeting(above: Sequence[ZeroBox], below: Sequence[ZeroBox]) -> Placed:
    """The spots on the line between two rows of boxes, which both fill the width of the cloth."""
    line = above[0].bottom
    for upper in above:
        for lower in below:
            left, right = max(upper.left, lower.left), min(upper.right, lower.right)
            if left < right:
                yield (
                    _listed((upper.pocket, lower.pocket)),
                    (Point(_even((left + right) / 2), line),),
                )
    for x in sorted({box.right for box in (*above, *below)} - {WIDTH}):
        touching = [box.pocket for box in (*above, *below) if box.left <= x <= box.right]
        yield _listed(touching), (Point(x, line),)


def _head(zeros: Sequence[Sequence[Pocket]]) -> Placed:
    """The spots that hold a zero."""
    rows = zero_boxes(zeros)
    for box in (box for row in rows for box in row):
        yield _listed((box.pocket,)), (box.centre,)
    for row in rows:
        for left, right in pairwise(row):
            yield _listed((left.pocket, right.pocket)), (Point(left.right, left.bottom - 1),)
    first = [ZeroBox(number, 2 * number - 2, 2 * number, 2) for number in NUMBERS[:3]]
    for above, below in pairwise((*rows, first)):
        yield from _meeting(above, below)
    # All zeros beside the first row may be laid with it at either end of the line (AR-7.d).
    around = (*(box.pocket for box in rows[-1]), *(box.pocket for box in first))
    yield _listed(around), (Point(0, 0), Point(WIDTH, 0))


def _centre(number: int) -> Point:
    return Point(2 * column_of(number) - 1, 2 * row_of(number) - 1)


def _straights() -> Placed:
    for number in NUMBERS:
        yield _spot(str(number), SpotClass.STRAIGHT, (number,)), (_centre(number),)


def _splits() -> Placed:
    for number in NUMBERS:
        x, y = _centre(number)
        if column_of(number) < 3:
            covered = (number, number + 1)
            yield _ranged(*covered, SpotClass.SPLIT, covered), (Point(x + 1, y),)
        if row_of(number) < 12:
            covered = (number, number + 3)
            yield _ranged(*covered, SpotClass.SPLIT, covered), (Point(x, y + 1),)


def _streets() -> Placed:
    for first in NUMBERS[::3]:
        y = 2 * row_of(first) - 1
        covered = range(first, first + 3)
        # A chip on either outer line plays the same row (AR-8.b, ES-7.1.c1).
        points = (Point(0, y), Point(WIDTH, y))
        yield _ranged(first, first + 2, SpotClass.STREET, covered), points


def _corners() -> Placed:
    for first in NUMBERS[:-4]:
        if column_of(first) < 3:
            x, y = _centre(first)
            covered = (first, first + 1, first + 3, first + 4)
            yield _ranged(first, first + 4, SpotClass.CORNER, covered), (Point(x + 1, y + 1),)


def _sixlines() -> Placed:
    for first in NUMBERS[:-3:3]:
        y = 2 * row_of(first)
        covered = range(first, first + 6)
        # Either outer line, but neither the first transverse line nor the last (AR-9.b, AR-9.c).
        points = (Point(0, y), Point(WIDTH, y))
        yield _ranged(first, first + 5, SpotClass.SIXLINE, covered), points


def _chances() -> Placed:
    for which in (1, 2, 3):
        yield _spot(f"c{which}", SpotClass.COLUMN, NUMBERS[which - 1 :: 3]), ()
    for which in (1, 2, 3):
        yield _spot(f"d{which}", SpotClass.DOZEN, NUMBERS[12 * which - 12 : 12 * which]), ()
    simple: dict[str, Iterable[Pocket]] = {
        "low": NUMBERS[:18],
        "high": NUMBERS[18:],
        "red": wheel.RED,
        "black": wheel.BLACK,
        "even": NUMBERS[1::2],
        "odd": NUMBERS[::2],
    }
    for name, covered in simple.items():
        yield _spot(name, SpotClass.SIMPLE, covered), ()


def _straddles() -> Placed:
    for left, right in (("d1", "d2"), ("d2", "d3"), ("c1", "c2"), ("c2", "c3"), ("low", "d3")):
        covered = SPOTS[left].numbers | SPOTS[right].numbers
        yield _spot(f"{left}+{right}", SpotClass.STRADDLE, covered, (left, right)), ()


Zeros: TypeAlias = tuple[tuple[Pocket, ...], ...]
"""The rows of zeros at the head of a cloth; the last row touches 1, 2 and 3."""


class Cloth:
    """The spots of a cloth and where they lie, which follow from the zeros at its head.

    >>> EUROPEAN, AMERICAN
    (<Cloth 0: 162 spots>, <Cloth 0 00: 166 spots>)
    """

    __slots__ = ("points", "spots", "zeros")

    def __init__(self, zeros: Zeros) -> None:
        self.zeros = zeros
        placed: dict[Spot, tuple[Point, ...]] = {}
        for found in (_head(zeros), _straights(), _splits(), _streets(), _corners(), _sixlines()):
            placed.update(found)
        # Straights come first, then splits, and so on, as the classes do.
        self.points = dict(sorted(placed.items(), key=_by_class))
        """Where on the numbers a spot's chip may lie."""
        for found in (_chances(), _straddles()):
            self.points.update(found)
        self.spots = {each.name: each for each in self.points}
        """The spots by their names, numbers first, then chances, then straddles."""

    def __repr__(self) -> str:
        zeros = " ".join(str(zero) for row in self.zeros for zero in row)
        return f"<Cloth {zeros}: {len(self.spots)} spots>"

    def __contains__(self, spot: object) -> bool:
        return spot in self.points

    def of_class(self, kind: SpotClass) -> tuple[Spot, ...]:
        """All spots of a class.

        >>> len(EUROPEAN.of_class(SpotClass.SPLIT)), len(AMERICAN.of_class(SpotClass.SPLIT))
        (60, 62)
        """
        return tuple(each for each in self.points if each.kind is kind)

    @property
    def classes(self) -> tuple[SpotClass, ...]:
        """The classes of its spots that a placard of limits names."""
        there = {each.kind for each in self.points}
        return tuple(kind for kind in LIMITED if kind in there)

    def at_point(self, point: Point) -> tuple[Spot, ...]:
        """The spots that a chip lying on a point of the numbers plays.

        >>> EUROPEAN.at_point(Point(6, 0)), AMERICAN.at_point(Point(6, 0))
        ((<corner 0/1/2/3>,), (<five 0/00/1/2/3>,))
        """
        return tuple(each for each, points in self.points.items() if point in points)


def _by_class(placed: tuple[Spot, tuple[Point, ...]]) -> int:
    return MULTIPLES.index(placed[0].kind)


@cache
def cloth_with(zeros: Zeros) -> Cloth:
    """The cloth with these rows of zeros at its head."""
    return Cloth(zeros)


EUROPEAN: Final = cloth_with(((0,),))
AMERICAN: Final = cloth_with(((0, "00"),))

SIMPLE_CHANCES: Final = ("low", "high", "red", "black", "even", "odd")

LONGITUDINAL_LINES: Final = (0, 2, 4, 6)
"""The four lines along the cloth (AR-S2)."""
TRANSVERSE_LINES: Final = tuple(range(0, 26, 2))
"""The thirteen lines across it, from the one under the zeros to the end of 34-35-36 (AR-S2)."""


def spot(name: str) -> Spot:
    """The spot of that name.

    >>> sorted(spot("25/29").numbers)
    [25, 26, 28, 29]
    """
    try:
        return SPOTS[name]
    except (KeyError, TypeError):
        raise UnknownSpotError(name) from None


def winning_chances(number: Pocket) -> tuple[str, ...]:
    """The simple chances that a number makes win, colour first as croupiers call them.

    >>> winning_chances(32)
    ('red', 'even', 'high')
    >>> winning_chances(0), winning_chances("00")
    ((), ())
    """
    called = ("red", "black", "even", "odd", "low", "high")
    return tuple(name for name in called if number in SPOTS[name].numbers)
