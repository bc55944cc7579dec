"""Classes of spots: what a house says of a whole class."""

from __future__ import annotations

from fractions import Fraction

from novamas.game.cloth import SpotClass
from novamas.game.rulebook.model import Rulebook, Terms


def class_terms(book: Rulebook, kind: SpotClass) -> Terms:
    """What the house says of a class; looked up once for each class."""
    key = ("class terms", kind)
    if key not in book.derived:
        book.derived[key] = next(terms for spot, terms in book.terms.items() if spot.kind is kind)
    found: Terms = book.derived[key]  # type: ignore[assignment]
    return found


def class_pays(book: Rulebook, kind: SpotClass) -> Fraction:
    """What a class pays.

    >>> from novamas.rulebooks import load
    >>> class_pays(load("ar"), SpotClass.SPLIT)
    Fraction(17, 1)
    """
    return class_terms(book, kind).pays
