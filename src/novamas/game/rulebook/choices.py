"""Choices: every datum of a rulebook with the articles behind it, one after the other.

Commands, pages and the comparison of two houses list a book by this. The words of a house and the
names of the numbers in its language are no choices; they say the same thing otherwise.

>>> from novamas.rulebooks import load
>>> [(each.key, str(each.value)) for each in choices(load("es")) if each.section == "zero"][:2]
[('simple', 'choice'), ('again', 'halve')]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final, NamedTuple

from novamas.game.cloth import SpotClass
from novamas.game.rulebook.citations import Citations, LimitCites, ReductionCites
from novamas.game.rulebook.model import Call, Rulebook, Terms
from novamas.game.wheel import Pocket

SECTIONS: Final = tuple(
    (
        "cloth spots zero limits pieces excess payment reduction announcements chips betting "
        "absence wheel seats float closing posts staffing calls"
    ).split()
)
"""The parts of a book in which it chooses, in the order of the book."""

_OTHERWISE: Final = {"plan": "zeros", "pockets": "order"}
"""Data whose key in a book is not the name of the field."""


class Pays(NamedTuple):
    """What a spot pays for one unit, on top of it; or that it plays half in each of two boxes."""

    pays: Fraction
    halves: bool


class Choice(NamedTuple):
    """A datum of a book, and the articles behind it."""

    section: str
    key: str
    value: object
    """Its value: a flag, a number, a word of a closed set, or a tuple or set of them."""
    articles: tuple[str, ...]
    path: str
    """Where it is in the book: `spots.split.pays`."""


def choices(book: Rulebook) -> Iterator[Choice]:
    """Every choice of a book."""
    for section in SECTIONS:
        if section == "spots":
            yield from _spots(book)
            continue
        part = getattr(book, section)
        if isinstance(part, Mapping):
            for name, each in part.items():
                yield from _fields(section, f"{name}.", each)
        elif isinstance(part, tuple):
            for each in part:
                yield from _fields(section, f"{each.name}.", each)
        elif part is not None:
            yield from _fields(section, "", part)


def origin(book: Rulebook, choice: Choice) -> str:
    """The house whose book says it; empty where no book does, and the default holds.

    For a book that extends no other it is empty.
    """
    return book.origins.get(choice.path, "")


def _fields(section: str, before: str, part: Any) -> Iterator[Choice]:
    for field in fields(part):
        if field.name in ("cites", "name", "numbers"):
            continue
        value = getattr(part, field.name)
        key = before + _OTHERWISE.get(field.name, field.name)
        if isinstance(value, Mapping):
            yield from _entries(section, key, value, part.cites)
        else:
            articles = part.cites.of(_OTHERWISE.get(field.name, field.name))
            yield Choice(section, key, _plain(field.name, value), articles, f"{section}.{key}")


def _plain(name: str, value: Any) -> object:
    """The value as a book writes it."""
    if name == "plan":
        rows: tuple[tuple[Pocket, ...], ...] = value.zeros
        return rows[0] if len(rows) == 1 else rows
    if name == "pockets":
        return value.name or value.order
    return value


def _entries(
    section: str, key: str, value: Mapping[Any, Any], cites: Citations
) -> Iterator[Choice]:
    for name, each in value.items():
        path = f"{section}.{key}.{name}"
        if isinstance(each, Call):
            about = (*each.cites, *(id for ids in each.piece_cites.values() for id in ids))
            pieces = tuple(spot.name for spot in each.pieces)
            articles = tuple(dict.fromkeys(about))
            yield Choice(section, f"{key}.{name}", pieces, articles, f"{path}.pieces")
        else:
            yield Choice(section, f"{key}.{name}", each, _cited(cites, key, name), path)


def _cited(cites: Citations, key: str, name: Any) -> tuple[str, ...]:
    own: tuple[str, ...] = ()
    if isinstance(cites, ReductionCites):
        own = cites.into.get(name, ())
    elif isinstance(cites, LimitCites):
        own = cites.of_class.get(name, ())
    return own or cites.of(key)


def _spots(book: Rulebook) -> Iterator[Choice]:
    """What each class pays; spots with odds or articles of their own are listed apart."""
    seen: dict[tuple[object, ...], list[Terms]] = {}
    for terms in book.terms.values():
        key = (terms.spot.kind, terms.pays, terms.halves, terms.spot_cites, terms.pays_cites)
        seen.setdefault(key, []).append(terms)
    for alike in seen.values():
        names = [terms.spot.name for terms in alike]
        first = alike[0]
        which = f"{first.spot.kind}" if len(names) > 6 else " ".join(names)
        articles = tuple(dict.fromkeys((*first.spot_cites, *first.pays_cites)))
        path = f"spots.{first.spot.kind}.{'plays' if first.halves else 'pays'}"
        yield Choice("spots", which, Pays(first.pays, first.halves), articles, path)
    straddle = next((terms for spot, terms in book.terms.items() if spot.boxes), None)
    if straddle is not None:
        # How many minima it needs, and how many maxima it may have, of the boxes it lies across.
        for name, times, cites in (
            ("straddle.minimum", straddle.minimum_times, straddle.minimum_cites),
            ("straddle.maximum", straddle.maximum_times, straddle.limit_cites),
        ):
            yield Choice("spots", name, times, cites, f"spots.{name}")


class Offer(NamedTuple):
    """What a house offers of a class: what the spots pay, and which there are."""

    pays: Pays
    spots: tuple[str, ...]
    articles: tuple[str, ...]


def offers(book: Rulebook) -> dict[SpotClass, tuple[Offer, ...]]:
    """What a house offers of each class of spots; several entries where spots pay differently."""
    found: dict[SpotClass, dict[Pays, list[Terms]]] = {}
    for spot, terms in book.terms.items():
        alike = found.setdefault(spot.kind, {})
        alike.setdefault(Pays(terms.pays, terms.halves), []).append(terms)
    return {
        kind: tuple(
            Offer(
                pays,
                tuple(terms.spot.name for terms in alike),
                tuple(
                    dict.fromkeys(
                        id for terms in alike for id in (*terms.pays_cites, *terms.spot_cites)
                    )
                ),
            )
            for pays, alike in by_pays.items()
        )
        for kind, by_pays in found.items()
    }
