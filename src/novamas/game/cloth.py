"""The cloth: every spot a chip may lie on, what it covers, and where on the cloth it lies.

A spot is known by the croupier's own name, first and last number, lower first: `17`, `17/20`,
`16/18`, `25/29`, `13/18`, `d1`, `c2`, `red`, `d1+d2`. The catalogue here lists every spot that can
be drawn. The rulebook says which of them a house offers.

Points lie on a grid in which a number's square is two units wide and high: the four longitudinal
lines are x = 0, 2, 4, 6 and the thirteen transverse ones y = 0, 2, … 24; zero lies above y = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from novamas.game import wheel
from novamas.game.errors import NovamasError, nearest


class SpotClass(StrEnum):
    """The classes of spots. Those up to the six-line are played on the numbers themselves."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
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
    numbers: frozenset[int]
    points: tuple[Point, ...]
    """Where on the numbers its chip may lie; a box beside them has its points in the drawing."""
    boxes: tuple[str, ...] = ()
    """The two boxes that a straddle lies across."""

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.name}>"

    def __reduce__(self) -> tuple[object, ...]:
        return spot, (self.name,)


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
        super().__init__(f"no spot of the cloth is called {name!r}{question}")


def column_of(number: int) -> int:
    """The column, 1 to 3, in which a number other than zero stands."""
    return (number - 1) % 3 + 1


def row_of(number: int) -> int:
    """The row of three, 1 to 12, in which a number other than zero stands."""
    return (number - 1) // 3 + 1


def _centre(number: int) -> Point:
    if number == 0:
        return Point(3, -1)
    return Point(2 * column_of(number) - 1, 2 * row_of(number) - 1)


def _named(first: int, last: int) -> str:
    return f"{first}/{last}"


def _straights() -> Iterator[Spot]:
    for number in range(wheel.POCKETS):
        yield Spot(str(number), SpotClass.STRAIGHT, frozenset((number,)), (_centre(number),))


def _splits() -> Iterator[Spot]:
    for number in (1, 2, 3):
        covered = frozenset((0, number))
        yield Spot(_named(0, number), SpotClass.SPLIT, covered, (Point(2 * number - 1, 0),))
    for number in range(1, 37):
        x, y = _centre(number)
        if column_of(number) < 3:
            covered = frozenset((number, number + 1))
            yield Spot(_named(number, number + 1), SpotClass.SPLIT, covered, (Point(x + 1, y),))
        if row_of(number) < 12:
            covered = frozenset((number, number + 3))
            yield Spot(_named(number, number + 3), SpotClass.SPLIT, covered, (Point(x, y + 1),))


def _streets() -> Iterator[Spot]:
    yield Spot("0/1/2", SpotClass.STREET, frozenset((0, 1, 2)), (Point(2, 0),))
    yield Spot("0/2/3", SpotClass.STREET, frozenset((0, 2, 3)), (Point(4, 0),))
    for first in range(1, 37, 3):
        y = 2 * row_of(first) - 1
        covered = frozenset(range(first, first + 3))
        # A chip on either outer line plays the same row (AR-8.b, ES-7.1.c1).
        yield Spot(_named(first, first + 2), SpotClass.STREET, covered, (Point(0, y), Point(6, y)))


def _corners() -> Iterator[Spot]:
    # The zero corner may be laid at either end of the zero line (AR-7.d).
    zero = frozenset((0, 1, 2, 3))
    yield Spot("0/1/2/3", SpotClass.CORNER, zero, (Point(0, 0), Point(6, 0)))
    for first in range(1, 33):
        if column_of(first) < 3:
            x, y = _centre(first)
            covered = frozenset((first, first + 1, first + 3, first + 4))
            yield Spot(_named(first, first + 4), SpotClass.CORNER, covered, (Point(x + 1, y + 1),))


def _sixlines() -> Iterator[Spot]:
    for first in range(1, 34, 3):
        y = 2 * row_of(first)
        covered = frozenset(range(first, first + 6))
        # Either outer line, but neither the first transverse line nor the last (AR-9.b, AR-9.c).
        yield Spot(_named(first, first + 5), SpotClass.SIXLINE, covered, (Point(0, y), Point(6, y)))


def _chances() -> Iterator[Spot]:
    for which in (1, 2, 3):
        covered = frozenset(range(which, 37, 3))
        yield Spot(f"c{which}", SpotClass.COLUMN, covered, ())
    for which in (1, 2, 3):
        covered = frozenset(range(12 * which - 11, 12 * which + 1))
        yield Spot(f"d{which}", SpotClass.DOZEN, covered, ())
    simple: dict[str, frozenset[int]] = {
        "low": frozenset(range(1, 19)),
        "high": frozenset(range(19, 37)),
        "red": wheel.RED,
        "black": wheel.BLACK,
        "even": frozenset(range(2, 37, 2)),
        "odd": frozenset(range(1, 37, 2)),
    }
    for name, covered in simple.items():
        yield Spot(name, SpotClass.SIMPLE, covered, ())


def _straddles(boxes: dict[str, Spot]) -> Iterator[Spot]:
    for left, right in (("d1", "d2"), ("d2", "d3"), ("c1", "c2"), ("c2", "c3"), ("low", "d3")):
        covered = boxes[left].numbers | boxes[right].numbers
        yield Spot(f"{left}+{right}", SpotClass.STRADDLE, covered, (), (left, right))


def _catalogue() -> dict[str, Spot]:
    makers = (_straights, _splits, _streets, _corners, _sixlines, _chances)
    spots = {made.name: made for maker in makers for made in maker()}
    spots.update((made.name, made) for made in _straddles(spots))
    return spots


SPOTS: Final[dict[str, Spot]] = _catalogue()
"""Every spot of every cloth by its name, numbers first, then chances, then straddles."""

SIMPLE_CHANCES: Final = ("low", "high", "red", "black", "even", "odd")

LONGITUDINAL_LINES: Final = (0, 2, 4, 6)
"""The four lines along the cloth (AR-S2)."""
TRANSVERSE_LINES: Final = tuple(range(0, 26, 2))
"""The thirteen lines across it, from the one under zero to the end of 34-35-36 (AR-S2)."""


def spot(name: str) -> Spot:
    """The spot of that name.

    >>> sorted(spot("25/29").numbers)
    [25, 26, 28, 29]
    """
    try:
        return SPOTS[name]
    except (KeyError, TypeError):
        raise UnknownSpotError(name) from None


def of_class(kind: SpotClass) -> tuple[Spot, ...]:
    """All spots of a class.

    >>> len(of_class(SpotClass.SPLIT)), len(of_class(SpotClass.CORNER))
    (60, 23)
    """
    return tuple(each for each in SPOTS.values() if each.kind is kind)


def at_point(point: Point) -> tuple[Spot, ...]:
    """The spots that a chip lying on a point of the numbers plays.

    >>> at_point(Point(6, 0))
    (<corner 0/1/2/3>,)
    """
    return tuple(each for each in SPOTS.values() if point in each.points)


def winning_chances(number: int) -> tuple[str, ...]:
    """The simple chances that a number makes win, colour first as croupiers call them.

    >>> winning_chances(32)
    ('red', 'even', 'high')
    >>> winning_chances(0)
    ()
    """
    called = ("red", "black", "even", "odd", "low", "high")
    return tuple(name for name in called if number in SPOTS[name].numbers)
