"""One layout at several houses: the odds at each of them, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from novamas import rulebooks
from novamas.game.arguments import items
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.model import Rulebook
from novamas.odds.data_frames import Table
from novamas.odds.errors import LayoutError
from novamas.odds.one_coup import Odds, odds_of


class AtHouse(NamedTuple):
    """A layout at one house: its odds, or why the house does not take it."""

    house: str
    odds: Odds | None
    refused: str = ""


def compare(
    layout: str,
    books: Iterable[Rulebook] | None = None,
    *,
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
    divisible: bool = False,
) -> tuple[AtHouse, ...]:
    """The odds of a layout at every house, or at those whose books are given.

    >>> books = [rulebooks.load(house) for house in ("ar", "es", "sd")]
    >>> [(at.house, str(at.odds.edge)) for at in compare("red:2", books, choice="half") if at.odds]
    [('ar', '1/37'), ('es', '1/74'), ('sd', '1/19')]
    """
    found: list[AtHouse] = []
    asked = map(rulebooks.load, rulebooks.HOUSES) if books is None else books
    for book in items(asked, argument="books", of="Rulebooks"):
        try:
            odds = odds_of(
                book, layout, choice=choice, limits=limits, chip=chip, divisible=divisible
            )
        except LayoutError as problem:
            found.append(AtHouse(book.id, None, str(problem)))
        else:
            found.append(AtHouse(book.id, odds))
    return tuple(found)


def comparison(found: Iterable[AtHouse]) -> Table:
    """The comparison as columns; a house that refuses the layout has only the reason."""
    rows = list(found)
    taken = [at.odds for at in rows]
    return Table(
        {
            "house": [at.house for at in rows],
            "edge": [None if o is None else float(o.edge) for o in taken],
            "edge_fraction": [None if o is None else str(o.edge) for o in taken],
            "deviation": [None if o is None else o.deviation for o in taken],
            "gain": [None if o is None else float(o.gain) for o in taken],
            "coups": [None if o is None else float(o.coups) for o in taken],
            "refused": [at.refused or None for at in rows],
        }
    )
