"""Comparison: what differs between the books of some houses, datum by datum.

>>> from novamas.rulebooks import load
>>> [(each.key, *map(str, each.values)) for each in differences(load("es"), load("fr"))][0]
('straddle.maximum', '2', '4')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from novamas.game.cloth import SpotClass
from novamas.game.rulebook.choices import SECTIONS, Pays, choices, offers
from novamas.game.rulebook.model import Rulebook

_NOTHING: Final[tuple[object, ...]] = (None, (), "", frozenset())


class Side(NamedTuple):
    """What one of the books says."""

    value: object
    articles: tuple[str, ...]


Sides: TypeAlias = tuple[Side | None, ...]
"""What each of the books says; None where it has no such datum."""


class Difference(NamedTuple):
    """A datum that is not the same in all of the books."""

    section: str
    key: str
    sides: Sides

    @property
    def values(self) -> tuple[object, ...]:
        """The values alone."""
        return _values(self.sides)


def differences(*books: Rulebook) -> tuple[Difference, ...]:
    """What differs between two or more books, in the order of a book.

    The words of a house are not compared: its names for bets and posts, and what its croupier
    calls the chances. A post that some of the houses do not have is one difference.
    """
    found = [*_spots(books), *_others(books)]
    return tuple(sorted(found, key=lambda each: SECTIONS.index(each.section)))


def _values(sides: Sides) -> tuple[object, ...]:
    return tuple(None if side is None else side.value for side in sides)


def _differ(sides: Sides) -> bool:
    values = _values(sides)
    if None in sides and all(value in _NOTHING for value in values):
        return False
    return any(value != values[0] for value in values)


def _others(books: tuple[Rulebook, ...]) -> Iterator[Difference]:
    by_book = [_compared(book, books) for book in books]
    for key in dict.fromkeys(key for found in by_book for key in found):
        sides = tuple(found.get(key) for found in by_book)
        if _differ(sides):
            yield Difference(*key, sides)


def _compared(book: Rulebook, books: tuple[Rulebook, ...]) -> dict[tuple[str, str], Side]:
    """The data of a book that are compared with those of the others."""
    found: dict[tuple[str, str], Side] = {}
    straddles = all(any(spot.boxes for spot in each.terms) for each in books)
    for each in choices(book):
        name, _, datum = each.key.partition(".")
        if isinstance(each.value, Pays) or (each.section, name) == ("calls", "chances"):
            continue
        if each.section == "spots" and not straddles:
            continue
        key = each.key
        if each.section == "posts":
            # A post that not all of them have is one datum: its word says that it is there.
            shared = all(name in beside.posts for beside in books)
            if shared == (datum == "word"):
                continue
            key = key if shared else name
        found[each.section, key] = Side(each.value, each.articles)
    return found


def _spots(books: tuple[Rulebook, ...]) -> Iterator[Difference]:
    """Spots that pay differently or that some houses lack, together where they are alike."""
    for kind in SpotClass:
        by_book = [_by_spot(book, kind) for book in books]
        names = list(dict.fromkeys(name for found in by_book for name in found))
        apart: dict[Sides, list[str]] = {}
        for name in names:
            sides = tuple(found.get(name) for found in by_book)
            if _differ(sides):
                apart.setdefault(sides, []).append(name)
        for sides, alike in apart.items():
            whole = len(alike) == len(names) > 1
            yield Difference("spots", str(kind) if whole else f"{kind} {' '.join(alike)}", sides)


def _by_spot(book: Rulebook, kind: SpotClass) -> dict[str, Side]:
    return {
        name: Side(offer.pays, offer.articles)
        for offer in offers(book).get(kind, ())
        for name in offer.spots
    }
