"""The edge of each class of bet at a house, and at some houses side by side.

Stakes are divisible, as in published odds: no unit is rounded for or against the player.

>>> from novamas.rulebooks import load
>>> [(each.bet, each.choice, str(each.edge)) for each in edges(load("fr"))][-3:]
[('simple', 'half', '1/74'), ('simple', 'prison', '1/73'), ('straddle', '', '1/37')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from novamas.game.arguments import instance
from novamas.game.cloth import Spot, SpotClass
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.model import Rulebook, classes_of
from novamas.odds.one_coup import odds_of

CHOICES: Final = ("half", "prison")
"""What a player may do at every zero, where the house leaves it to them."""


class Edge(NamedTuple):
    """What a house keeps of every unit staked on a kind of bet."""

    bet: str
    """A class of spots; or one of its spots, where those of the class are not alike."""
    choice: str
    """What the player chooses at zero; empty where there is no choice."""
    edge: Fraction


class EdgesCompared(NamedTuple):
    """The edges of a kind of bet at some houses."""

    bet: str
    choice: str
    edges: tuple[Fraction | None, ...]
    """The edge at each house; None where the house does not take the bet."""

    @property
    def differ(self) -> bool:
        """Whether the houses do not all keep the same."""
        return len(set(self.edges)) > 1


def edges(book: Rulebook) -> tuple[Edge, ...]:
    """The edge of each class of bet that a house takes."""
    instance(book, Rulebook, argument="book")
    found = book.derived.get(edges)
    if not isinstance(found, tuple):
        found = tuple(edge for kind in SpotClass for edge in _of_class(book, kind))
        book.derived[edges] = found
    return found


def _of_class(book: Rulebook, kind: SpotClass) -> Iterator[Edge]:
    alike: dict[tuple[object, ...], Spot] = {}
    for spot, terms in book.terms.items():
        if spot.kind is kind:
            key = (len(spot.numbers), terms.pays, terms.halves, classes_of(spot))
            alike.setdefault(key, spot)
    chooses = book.zero.simple is ZeroRule.CHOICE
    for choice in CHOICES if chooses and kind is SpotClass.SIMPLE else ("",):
        found = {
            odds_of(book, f"{spot.name}:1", choice=choice or "prison", divisible=True).edge: spot
            for spot in reversed(alike.values())
        }
        for edge, spot in reversed(found.items()):
            yield Edge(str(kind) if len(found) == 1 else spot.name, choice, edge)


def compare_edges(*books: Rulebook) -> tuple[EdgesCompared, ...]:
    """The edges of some houses, for every bet that one of them takes.

    >>> from novamas.rulebooks import load
    >>> [each.bet for each in compare_edges(load("sd"), load("fram")) if each.differ]
    []
    """
    by_book = [_by_bet(book) for book in books]
    order = [str(kind) for kind in SpotClass]
    # Spots of a class that is not alike everywhere come last.
    bets = sorted(
        dict.fromkeys(bet for found in by_book for bet in found),
        key=lambda bet: order.index(bet) if bet in order else len(order),
    )
    return tuple(
        EdgesCompared(bet, choice, tuple(_chosen(found.get(bet), choice) for found in by_book))
        for bet in bets
        for choice in _choices(found.get(bet) for found in by_book)
    )


def _by_bet(book: Rulebook) -> dict[str, dict[str, Fraction]]:
    found: dict[str, dict[str, Fraction]] = {}
    for bet, choice, edge in edges(book):
        found.setdefault(bet, {})[choice] = edge
    return found


def _choices(known: Iterable[dict[str, Fraction] | None]) -> list[str]:
    """The choices of all the houses; one that leaves none has the same edge for each."""
    named = dict.fromkeys(choice for each in known for choice in each or () if choice)
    return list(named) or [""]


def _chosen(known: dict[str, Fraction] | None, choice: str) -> Fraction | None:
    return None if known is None else known.get(choice, known.get(""))
