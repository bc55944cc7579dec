"""Chips: colours and their owners, what chips are worth, and chips of other tables.

>>> convert(31, value=5)
155
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from novamas.game.cloth import Spot, SpotClass
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.rulebook.model import Rulebook, classes_of

COLOURS: Final = (
    "blue",
    "orange",
    "green",
    "purple",
    "yellow",
    "pink",
    "cyan",
    "brown",
    "lime",
    "grey",
)
"""The hues of a table's colour chips; a table with more seats numbers them (`blue 2`)."""


def colours(count: int) -> tuple[str, ...]:
    """The colours of a table with `count` colours.

    >>> colours(11)[-2:]
    ('grey', 'blue 2')
    """
    hues = len(COLOURS)
    return tuple(
        COLOURS[n % hues] if n < hues else f"{COLOURS[n % hues]} {n // hues + 1}"
        for n in range(count)
    )


def free_colour(*, count: int, in_play: Iterable[str], wanted: str | None = None) -> str | None:
    """A colour that no player has (AR-2.b): the wanted one, or the first free one; else None.

    >>> free_colour(count=3, in_play=["blue"])
    'orange'
    >>> free_colour(count=3, in_play=["blue"], wanted="blue") is None
    True
    """
    taken = set(in_play)
    free = [colour for colour in colours(count) if colour not in taken]
    if wanted is not None:
        return wanted if wanted in free else None
    return free[0] if free else None


def convert(chips: int, *, value: int) -> int:
    """What colour chips are worth in value chips (IT-general-4a)."""
    return chips * value


@dataclass(frozen=True, slots=True)
class ForeignChips:
    """Colour chips of another table (IT-general-5)."""

    number: int
    """How many chips."""
    table: str
    opening_minimum: int
    """The opening minimum of the table they come from."""
    value: int | None = None
    """What each was bought for, if known."""

    @property
    def worth(self) -> int:
        """Their real value, or else the opening minimum of the table they come from.

        >>> ForeignChips(3, "4", opening_minimum=2, value=5).worth
        15
        >>> ForeignChips(3, "4", opening_minimum=2).worth
        6
        """
        return self.number * (self.opening_minimum if self.value is None else self.value)


def kinds_for(book: Rulebook, spot: Spot) -> tuple[ChipKind, ...]:
    """The kinds of chips that the house takes on a spot, the usual one first."""
    if spot.kind.on_numbers:
        return book.chips.on_numbers
    return book.chips.on_dozens if on_dozens(spot) else book.chips.on_chances


def on_dozens(spot: Spot) -> bool:
    """Whether a spot is a dozen, a column, or lies across two of them.

    >>> from novamas.game.cloth import spot
    >>> on_dozens(spot("d1")), on_dozens(spot("c1+c2")), on_dozens(spot("low+d3"))
    (True, True, False)
    """
    return all(kind in (SpotClass.DOZEN, SpotClass.COLUMN) for kind in classes_of(spot))


def takes(book: Rulebook, kind: ChipKind) -> bool:
    """Whether the house takes a kind of chips anywhere on its cloth."""
    rules = book.chips
    return kind in (*rules.on_numbers, *rules.on_chances, *rules.on_dozens)


def articles_for(book: Rulebook, spot: Spot) -> tuple[str, ...]:
    """The articles that say which chips a spot takes."""
    cites = book.chips.cites
    if spot.kind.on_numbers:
        return cites.on_numbers
    # A house that says nothing of its own about dozens takes there what it takes on the chances.
    return (on_dozens(spot) and cites.on_dozens) or cites.on_chances
