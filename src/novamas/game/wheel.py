"""The wheel: 37 pockets in the European order, their colours, neighbours and sectors.

>>> neighbours(17)
(2, 25, 17, 34, 6)
>>> colour(17)
<Colour.BLACK: 'black'>
"""

from __future__ import annotations

from enum import StrEnum

POCKETS = 37
"""How many pockets the wheel has: the numbers 0 to 36."""

ORDER: tuple[int, ...] = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
"""The numbers clockwise from zero, as the Tabella dei Vicini has them (IT-vic, IT-gioco-2)."""

RED: frozenset[int] = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
BLACK: frozenset[int] = frozenset(range(1, POCKETS)) - RED

_POSITION: dict[int, int] = {number: place for place, number in enumerate(ORDER)}


class Colour(StrEnum):
    """The colour of a pocket. Zero is neither red nor black."""

    RED = "red"
    BLACK = "black"
    GREEN = "green"


class Direction(StrEnum):
    """The way the wheel turns, seen from above. The ball runs the other way."""

    CLOCKWISE = "cw"
    COUNTERCLOCKWISE = "ccw"

    @property
    def opposite(self) -> Direction:
        """The other direction: that of the ball, and of the next spin where spins alternate."""
        clockwise = self is Direction.CLOCKWISE
        return Direction.COUNTERCLOCKWISE if clockwise else Direction.CLOCKWISE


def is_pocket(number: object) -> bool:
    """Whether `number` is an integer on the wheel; `True` and `1.0` are not."""
    return type(number) is int and 0 <= number < POCKETS


def colour(number: int) -> Colour:
    """The colour of a number's pocket."""
    if number == 0:
        return Colour.GREEN
    return Colour.RED if number in RED else Colour.BLACK


def position(number: int) -> int:
    """How many pockets clockwise from zero the number lies."""
    return _POSITION[number]


def neighbours(number: int, each_side: int = 2) -> tuple[int, ...]:
    """The number and its neighbours, in the wheel's clockwise order, the number in the middle.

    >>> neighbours(0)
    (3, 26, 0, 32, 15)
    >>> neighbours(0, each_side=1)
    (26, 0, 32)
    """
    middle = _POSITION[number]
    return tuple(ORDER[(middle + step) % POCKETS] for step in range(-each_side, each_side + 1))


def arc(first: int, last: int) -> tuple[int, ...]:
    """The numbers clockwise from `first` to `last`, both included.

    >>> arc(22, 25)
    (22, 18, 29, 7, 28, 12, 35, 3, 26, 0, 32, 15, 19, 4, 21, 2, 25)
    """
    start = _POSITION[first]
    length = (_POSITION[last] - start) % POCKETS + 1
    return tuple(ORDER[(start + step) % POCKETS] for step in range(length))


SECTORS: dict[str, tuple[tuple[int, ...], ...]] = {
    "voisins": (arc(22, 25),),
    "tiers": (arc(27, 33),),
    "orphelins": (arc(17, 6), arc(1, 9)),
}
"""The three sectors that share out the whole wheel; the orphelins lie in two pieces."""


def neighbours_table() -> tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...]:
    """The whole Tabella dei Vicini (IT-vic): for each row 0 to 36 its three blocks.

    The first block holds the five neighbours of the row's number, sorted. The second holds, in
    wheel order, the neighbours of the pocket that is as many places from zero as the row says. The
    third holds, in wheel order, the neighbours of the row's number.

    >>> neighbours_table()[17]
    ((2, 6, 17, 25, 34), (30, 8, 23, 10, 5), (2, 25, 17, 34, 6))
    """
    return tuple(
        (tuple(sorted(neighbours(row))), neighbours(ORDER[row]), neighbours(row))
        for row in range(POCKETS)
    )
