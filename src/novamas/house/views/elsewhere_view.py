"""Elsewhere views: what a player's bets of a coup would have brought at every other house.

The other houses settle by their own books and the same engine. The bets lie alone on the cloth: no
limits apply, nothing of it is announced, and winners go to the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import gcd

from novamas.game.cloth import Spot
from novamas.game.lines import Line
from novamas.game.notation import Bet
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.house.views.bets_view import LaidBet
from novamas.house.views.explanations import CoupExplanation, Explainer
from novamas.house.views.profit_view import LayoutOdds, of_layout
from novamas.house.views.view import Ratio, Texts, View
from novamas.odds.layout import Layout
from novamas.odds.one_coup import odds_of
from novamas.rulebooks import HOUSES, load


class HouseElsewhere(View):
    """What one house would have made of the bets."""

    rulebook: str
    """The id of its rulebook."""
    title: Texts
    """Its title, by language."""
    settled: CoupExplanation | None
    """The result of the bets that it takes, and why; null where its wheel has no such number."""
    not_offered: tuple[str, ...]
    """The spots that its cloth does not have; what lay there is left out."""
    edge: Ratio | None
    """The part of these bets that it keeps on average; null where it does not take all of them.
    Halves are exact, and what zero puts in prison stays there."""


class CoupElsewhere(View):
    """A player's bets of a coup at their own house, and at every other one."""

    coup: int
    number: Pocket
    bets: tuple[LaidBet, ...]
    """The bets that played; what was in prison when the number was called is not among them."""
    stake: int
    """The total of the bets."""
    net: int
    """What they won at the table's own house, minus what they lost there."""
    held: int
    """What of them that house holds in prison."""
    edge: Ratio | None
    """The part of them that the table's own house keeps on average; null without bets."""
    odds: LayoutOdds | None
    """The exact odds of the bets at the table's own house; null without bets."""
    houses: tuple[HouseElsewhere, ...]
    """The other houses; none without bets."""


def of_lines(
    book: Rulebook,
    coup: int,
    number: Pocket,
    lines: Iterable[Line],
    *,
    choices: Mapping[str, Line],
    chip: int,
    language: str,
) -> CoupElsewhere:
    """Settles one player's stakes of a coup at every house but their own.

    `lines` are theirs from the call; prisoners are left out, because they were laid in an earlier
    coup. `choices` has the line of each stake for which somebody chose after zero. `chip` is the
    table's chip.
    """
    laid: Counter[Spot] = Counter()
    net = held = 0
    for line in lines:
        if isinstance(line.stake, Stake):
            laid[line.stake.spot] += line.stake.amount
            chosen = choices.get(line.stake.id)
            net += line.won - line.lost - (chosen.lost if chosen else 0)
            held += (chosen or line).held
    # A bet that is no multiple of the table's chip lies in smaller ones.
    chip = gcd(chip, *laid.values())
    others = [load(id) for id in HOUSES if id != book.id] if laid else []
    return CoupElsewhere(
        coup=coup,
        number=number,
        bets=tuple(LaidBet(on=spot.name, amount=amount) for spot, amount in laid.items()),
        stake=laid.total(),
        net=net,
        held=held,
        edge=_edge(book.id, tuple(laid.items()), chip) if laid else None,
        odds=of_layout(book.id, tuple(laid.items()), chip) if laid else None,
        houses=tuple(_at(other, coup, number, laid, chip, language) for other in others),
    )


def _at(
    book: Rulebook,
    coup: int,
    number: Pocket,
    laid: Mapping[Spot, int],
    chip: int,
    language: str,
) -> HouseElsewhere:
    """What a house makes of the bets."""
    taken = {spot: amount for spot, amount in laid.items() if book.offers(spot)}
    settled = None
    if number in book.wheel.pockets:
        lines = settle(book, number, _stakes(book, taken, chip)).lines
        settled = Explainer(book, coup, number).explain(
            returned=(), lines=lines, choices={}, reduced=(), language=language
        )
    return HouseElsewhere(
        rulebook=book.id,
        title=dict(book.title),
        settled=settled,
        not_offered=tuple(spot.name for spot in laid if spot not in taken),
        edge=_edge(book.id, tuple(laid.items()), chip) if len(taken) == len(laid) else None,
    )


def _stakes(book: Rulebook, laid: Mapping[Spot, int], chip: int) -> tuple[Stake, ...]:
    """The bets as stakes, each named after its spot."""
    if not laid:
        return ()
    return tuple(
        replace(stake, id=stake.spot.name)
        for stake in _layout(book, tuple(laid.items()), chip).stakes()
    )


def _layout(book: Rulebook, laid: tuple[tuple[Spot, int], ...], chip: int) -> Layout:
    return Layout(book, tuple(Bet(spot, amount) for spot, amount in laid), chip)


@lru_cache(maxsize=512)
def _edge(rulebook: str, laid: tuple[tuple[Spot, int], ...], chip: int) -> Ratio:
    """What a house keeps of a layout, as the published odds say it: halves are exact."""
    book = load(rulebook)
    edge: Fraction = odds_of(book, _layout(book, laid, chip), divisible=True).edge
    return edge.numerator, edge.denominator
