"""Verdicts: what a pocket does to each spot of a house, and the articles that say so.

A verdict holds for every stake on its spot, so it is worked out once for each pocket of a book.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

from novamas.game.cloth import SPOTS, Spot, SpotClass
from novamas.game.lines import Part, cited
from novamas.game.money import halve, times
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.model import Rulebook, Terms
from novamas.game.wheel import Pocket, is_zero


class Fate(IntEnum):
    """What a pocket does to a spot."""

    LOSES = 0
    WINS = 1
    HALF_WINS = 2
    ZERO = 3


class Verdict(NamedTuple):
    """What a pocket does to every stake on a spot."""

    fate: Fate
    pays: Fraction
    won: tuple[str, ...]
    lost: tuple[str, ...]
    rank: int
    """Its place in the house's order of payment."""
    kind: SpotClass
    """The class at which it wins: its own, or that of a straddle's winning box."""
    odds: int | None
    """How many times the stake is won, if every whole amount wins a whole amount."""


def verdicts(book: Rulebook, pocket: Pocket) -> dict[Spot, Verdict]:
    """What a pocket does to each spot of the house; computed once for each pocket."""
    key = ("verdicts", pocket)
    if key not in book.derived:
        ranks = _ranks(book)
        book.derived[key] = {
            spot: _verdict(book, terms, pocket, ranks[spot]) for spot, terms in book.terms.items()
        }
    found: dict[Spot, Verdict] = book.derived[key]  # type: ignore[assignment]
    return found


def _ranks(book: Rulebook) -> dict[Spot, int]:
    place = {name: rank for rank, group in enumerate(book.payment.order) for name in group}
    ranks: dict[Spot, int] = {}
    for spot in book.terms:
        name = spot.kind.value
        if spot.boxes:
            exact = f"straddle-{SPOTS[spot.boxes[0]].kind}"
            name = exact if exact in place else name
        elif spot.name in place:
            # The house gives each simple chance a place of its own.
            name = spot.name
        ranks[spot] = place.get(name, len(place))
    return ranks


def _whole(pays: Fraction) -> int | None:
    """The odds as an integer if they are whole; otherwise None."""
    return pays.numerator if pays.denominator == 1 else None


def _verdict(book: Rulebook, terms: Terms, pocket: Pocket, rank: int) -> Verdict:
    spot, zero = terms.spot, book.zero
    odds = _whole(terms.pays)
    won = cited(terms.spot_cites, terms.pays_cites, book.settled.won)
    lost = cited(terms.spot_cites, book.settled.lost)
    if pocket in spot.numbers:
        if terms.halves:
            box = next(SPOTS[name] for name in spot.boxes if pocket in SPOTS[name].numbers)
            inner = book.terms[box]
            won = cited(won, inner.spot_cites, inner.pays_cites)
            odds = _whole(inner.pays)
            return Verdict(Fate.HALF_WINS, inner.pays, won, lost, rank, box.kind, odds)
        if is_zero(pocket):
            won = cited(won, zero.cites.wins)
        return Verdict(Fate.WINS, terms.pays, won, lost, rank, spot.kind, odds)
    if is_zero(pocket) and not spot.kind.on_numbers:
        simple = spot.kind is SpotClass.SIMPLE
        if simple and zero.simple is not ZeroRule.LOSE:
            return Verdict(Fate.ZERO, terms.pays, won, lost, rank, spot.kind, odds)
        lost = cited(lost, zero.cites.simple if simple else zero.cites.double)
    return Verdict(Fate.LOSES, terms.pays, won, lost, rank, spot.kind, odds)


def straddle_halves(
    verdict: Verdict, plays: int, articles: tuple[str, ...], rounded: tuple[str, ...]
) -> tuple[Part, int, tuple[str, ...]]:
    """The winning half of a straddle with its gain, the losing half, and the articles.

    `articles` are those of the winner; `rounded` are those on rounding up to a whole unit.
    """
    winning, losing = halve(plays)
    # Stake and gain of the half are rounded together, so that a unit is rounded only once.
    odds = verdict.odds
    half = times(plays, (verdict.pays + 1) / 2) if odds is None else -(-plays * (odds + 1) // 2)
    if plays % 2:
        articles = cited(articles, rounded)
    return Part(verdict.kind, winning, half - winning), losing, articles
