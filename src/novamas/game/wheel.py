"""The wheel: its pockets in their order, with colours, neighbours and sectors.

A pocket is a whole number, or the text of a further zero: `"00"`, `"000"`.

>>> EUROPEAN.neighbours(17)
(2, 25, 17, 34, 6)
>>> AMERICAN.neighbours("00")
(13, 1, '00', 27, 10)
>>> colour(17)
<Colour.BLACK: 'black'>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from novamas.game.errors import UsageError

Pocket: TypeAlias = int | str
"""A number of the wheel: a whole number, or the text of a further zero, such as `"00"`."""

NUMBERS: Final = tuple(range(1, 37))
"""The numbers that have a colour; every wheel has them, and at least one zero."""

RED: frozenset[Pocket] = frozenset(
    (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
)
BLACK: frozenset[Pocket] = frozenset(NUMBERS) - RED


class Colour(StrEnum):
    """The colour of a pocket. A zero is neither red nor black."""

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


def is_zero(pocket: object) -> bool:
    """Whether a pocket is a zero: 0, `"00"`, `"000"`.

    >>> is_zero(0), is_zero("00"), is_zero("0"), is_zero(10)
    (True, True, False, False)
    """
    if isinstance(pocket, str):
        return len(pocket) > 1 and not pocket.strip("0")
    return pocket == 0 and type(pocket) is int


def is_pocket_of_any_wheel(pocket: object) -> bool:
    """Whether some wheel may have the pocket; `True`, `1.0` and `"1"` are no pockets."""
    return is_zero(pocket) or (type(pocket) is int and pocket in NUMBERS)


def written_order(pocket: Pocket) -> tuple[bool, int]:
    """A key that sorts pockets as they are written: 0, 00, 000, 1, 2, ….

    >>> sorted([3, "00", 0, 1], key=written_order)
    [0, '00', 1, 3]
    """
    return (False, len(str(pocket))) if is_zero(pocket) else (True, int(pocket))


def read_pocket(text: str) -> Pocket | None:
    """The pocket that a text names on some wheel, or None.

    >>> read_pocket("17"), read_pocket("00"), read_pocket("017")
    (17, '00', None)
    """
    if is_zero(text):
        return text
    whole = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    number = int(text) if whole and len(text) < 3 else None
    return number if number is not None and is_pocket_of_any_wheel(number) else None


def colour(pocket: Pocket) -> Colour:
    """The colour of a pocket."""
    if is_zero(pocket):
        return Colour.GREEN
    return Colour.RED if pocket in RED else Colour.BLACK


Sectors: TypeAlias = Mapping[str, tuple[tuple[Pocket, ...], ...]]
"""The name of each sector → the arcs that it consists of."""


class Wheel:
    """The pockets of a wheel.

    It is a container of its pockets: the whole numbers first, then the further zeros. That is the
    order in which arrays keep them, so the index of a whole number is the number itself.

    >>> "00" in AMERICAN, "00" in EUROPEAN, len(AMERICAN), AMERICAN.index("00")
    (True, False, 38, 37)
    """

    __slots__ = ("_index", "_position", "name", "order", "pockets", "sectors", "zeros")

    def __init__(
        self, order: Iterable[Pocket], *, name: str = "", sectors: Sectors | None = None
    ) -> None:
        self.order = tuple(order)
        """The pockets clockwise, from 0."""
        problem = _problem(self.order)
        if problem:
            raise UsageError(f"order: {problem}")
        self.name = name
        """Its name in a rulebook; empty for a wheel that the book lists."""
        self.pockets = tuple(sorted(self.order, key=lambda p: (isinstance(p, str), p)))
        """The whole numbers, then the further zeros."""
        self.zeros = tuple(sorted(filter(is_zero, self.order), key=written_order))
        self.sectors = sectors or {}
        """Its sectors that have names."""
        self._index = {pocket: index for index, pocket in enumerate(self.pockets)}
        self._position = {pocket: place for place, pocket in enumerate(self.order)}

    def __contains__(self, pocket: object) -> bool:
        # Without the test of the type, True and 1.0 would be the pocket 1.
        return type(pocket) in (int, str) and pocket in self._index

    def __iter__(self) -> Iterator[Pocket]:
        return iter(self.pockets)

    def __len__(self) -> int:
        return len(self.pockets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wheel) and other.order == self.order

    def __hash__(self) -> int:
        return hash(self.order)

    def __repr__(self) -> str:
        return f"<Wheel {self.name or 'of its own'}: {len(self)} pockets>"

    def index(self, pocket: Pocket) -> int:
        """The index of a pocket in arrays."""
        return self._index[pocket]

    def position(self, pocket: Pocket) -> int:
        """How many pockets clockwise from 0 the pocket lies."""
        return self._position[pocket]

    @property
    def widest(self) -> int:
        """The most neighbours on each side that a sector of this wheel can have."""
        return (len(self) - 1) // 2

    @property
    def described(self) -> str:
        """Its pockets in words.

        >>> EUROPEAN.described, AMERICAN.described
        ('0 to 36', '0 to 36 and 00')
        """
        further = " and ".join(str(zero) for zero in self.zeros if zero != 0)
        return f"0 to {NUMBERS[-1]}" + (f" and {further}" if further else "")

    @property
    def expected(self) -> str:
        """Its pockets as code writes them, for messages.

        >>> AMERICAN.expected
        "a whole number from 0 to 36, or '00'"
        """
        further = "".join(f", or {zero!r}" for zero in self.zeros if zero != 0)
        return f"a whole number from 0 to {NUMBERS[-1]}{further}"

    def neighbours(self, pocket: Pocket, each_side: int = 2) -> tuple[Pocket, ...]:
        """The pocket and its neighbours, clockwise, with the pocket in the middle.

        >>> EUROPEAN.neighbours(0)
        (3, 26, 0, 32, 15)
        >>> EUROPEAN.neighbours(0, each_side=1)
        (26, 0, 32)
        """
        middle = self._position[pocket]
        steps = range(-each_side, each_side + 1)
        return tuple(self.order[(middle + step) % len(self)] for step in steps)

    def arc(self, first: Pocket, last: Pocket) -> tuple[Pocket, ...]:
        """The pockets clockwise from `first` to `last`, both included.

        >>> EUROPEAN.arc(3, 15)
        (3, 26, 0, 32, 15)
        """
        start = self._position[first]
        length = (self._position[last] - start) % len(self) + 1
        return tuple(self.order[(start + step) % len(self)] for step in range(length))

    def neighbours_table(
        self,
    ) -> tuple[tuple[tuple[Pocket, ...], tuple[Pocket, ...], tuple[Pocket, ...]], ...]:
        """The whole Tabella dei Vicini (IT-vic): for each pocket its three blocks.

        The first block holds the five neighbours of the row's pocket, sorted. The second holds, in
        wheel order, the neighbours of the pocket that is as many places from 0 as the row's index.
        The third holds, in wheel order, the neighbours of the row's pocket.

        >>> EUROPEAN.neighbours_table()[17]
        ((2, 6, 17, 25, 34), (30, 8, 23, 10, 5), (2, 25, 17, 34, 6))
        """
        return tuple(
            (
                tuple(sorted(self.neighbours(pocket), key=written_order)),
                self.neighbours(self.order[row]),
                self.neighbours(pocket),
            )
            for row, pocket in enumerate(self.pockets)
        )


def _problem(order: tuple[object, ...]) -> str:
    """What is wrong with the order of a wheel; empty if nothing is."""
    for pocket in order:
        if not is_pocket_of_any_wheel(pocket):
            return f"{pocket!r} is no pocket; expected a number from 0 to {NUMBERS[-1]}, or '00'"
    if len(set(order)) < len(order):
        return "the same pocket stands twice"
    missing = {0, *NUMBERS} - set(order)
    if missing:
        return f"{min(missing, key=int)} is missing"
    return "" if order[0] == 0 else "expected the pockets clockwise from 0"


def _european() -> Wheel:
    bare = Wheel((
        0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
        5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
    ))  # fmt: skip
    # The three sectors share out the whole wheel; the orphelins lie in two pieces.
    sectors: Sectors = {
        "voisins": (bare.arc(22, 25),),
        "tiers": (bare.arc(27, 33),),
        "orphelins": (bare.arc(17, 6), bare.arc(1, 9)),
    }
    return Wheel(bare.order, name="european", sectors=sectors)


EUROPEAN: Final = _european()
"""One zero, in the order of the Tabella dei Vicini (IT-vic, IT-gioco-2)."""

AMERICAN: Final = Wheel(
    (
        0, 28, 9, 26, 30, 11, 7, 20, 32, 17, 5, 22, 34, 15, 3, 24, 36, 13, 1,
        "00", 27, 10, 25, 29, 12, 8, 19, 31, 18, 6, 21, 33, 16, 4, 23, 35, 14, 2,
    ),
    name="american",
)  # fmt: skip
"""Two zeros, opposite each other (FRAM-55-1.b, SD-01)."""

WHEELS: Final = {wheel.name: wheel for wheel in (EUROPEAN, AMERICAN)}
"""The wheels that a rulebook can choose by name."""

POCKETS = len(EUROPEAN)
ORDER = EUROPEAN.order
SECTORS = EUROPEAN.sectors
neighbours, position, neighbours_table = (
    EUROPEAN.neighbours,
    EUROPEAN.position,
    EUROPEAN.neighbours_table,
)


def is_pocket(number: object) -> bool:
    """Whether the European wheel has the number."""
    return number in EUROPEAN
