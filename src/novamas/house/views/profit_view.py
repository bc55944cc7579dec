"""Profit views: a player's result coup after coup, beside what the exact odds expected of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd, sqrt
from typing import NamedTuple

from novamas.game.cloth import Spot
from novamas.game.lines import Line
from novamas.game.notation import Bet
from novamas.game.stakes import Stake
from novamas.house.views.view import Ratio, View
from novamas.odds.layout import Layout
from novamas.odds.one_coup import Odds, odds_of
from novamas.rulebooks import load

Laid = tuple[tuple[Spot, int], ...]
"""The bets of a coup, by spot."""


class LayoutOdds(View):
    """The exact odds of a layout at its own house, as they are published: halves are exact.

    What zero puts in prison stays there.
    """

    gain: Ratio
    """How often it brings a gain."""
    even: Ratio
    """How often it brings neither gain nor loss."""
    expectation: Ratio
    """What it brings on average."""
    deviation: float
    """The standard deviation of what it brings."""


class ProfitPoint(View):
    """What a player has won and lost up to a coup, and what was to be expected."""

    coup: int
    net: int
    """What they won, minus what they lost, in this coup and those before it."""
    expected: Ratio
    """What the bets of all these coups bring on average."""
    spread: float
    """The standard deviation of what they bring, for a drawing."""


class PlayedCoup(NamedTuple):
    """A coup as one player played it."""

    coup: int
    net: int
    laid: Laid


def laid_in(lines: Iterable[Line]) -> Laid:
    """The bets among the lines of a call, without what was in prison, in the order of the spots."""
    laid: Counter[Spot] = Counter()
    for line in lines:
        if isinstance(line.stake, Stake):
            laid[line.stake.spot] += line.stake.amount
    return tuple(sorted(laid.items(), key=lambda each: each[0].name))


def of_coups(rulebook: str, chip: int, coups: Iterable[PlayedCoup]) -> list[ProfitPoint]:
    """A point for each coup, the first one first.

    What prison brings is expected of the coup in which it was staked, and won or lost later.
    """
    net, expected, variance = 0, Fraction(0), Fraction(0)
    points = []
    for each in coups:
        net += each.net
        if each.laid:
            odds = _odds(rulebook, each.laid, chip)
            expected += odds.expectation
            variance += odds.variance
        ratio = expected.as_integer_ratio()
        point = ProfitPoint(coup=each.coup, net=net, expected=ratio, spread=sqrt(variance))
        points.append(point)
    return points


def of_layout(rulebook: str, laid: Laid, chip: int) -> LayoutOdds:
    """The odds of a layout."""
    odds = _odds(rulebook, laid, chip)
    return LayoutOdds(
        gain=odds.gain.as_integer_ratio(),
        even=odds.even.as_integer_ratio(),
        expectation=odds.expectation.as_integer_ratio(),
        deviation=odds.deviation,
    )


@lru_cache(maxsize=512)
def _odds(rulebook: str, laid: Laid, chip: int) -> Odds:
    book = load(rulebook)
    # A bet that is no multiple of the table's chip lies in smaller ones.
    chip = gcd(chip, *(amount for _, amount in laid))
    bets = tuple(Bet(spot, amount) for spot, amount in laid)
    return odds_of(book, Layout(book, bets, chip), divisible=True)
