"""Rounding: where an odd unit lowers what the house keeps, or gives the player an edge (X-03).

Money is counted in whole units, and an odd unit goes to the player. A live table takes only stakes
that divide, but the odds can be asked of any stake. This module finds the bets of a layout that do
not divide. It repeats no rule of a house: a bet divides if `settle` treats many times the bet like
the bet many times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from novamas.game.notation import Bet
from novamas.odds.errors import LayoutError
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.play import Play, Turn, held_in
from novamas.table.commands import Choice

MANY: Final = 5040
"""A multiple of a bet that every part of it divides: a half, a third, and so on up to a tenth."""
MOST_CHIPS: Final = 60
"""Up to how many chips a stake that divides is looked for."""


@dataclass(frozen=True, slots=True)
class Rounded:
    """A bet that does not divide, so that an odd unit of it goes to the player.

    >>> import novamas as nv
    >>> print(nv.odds("es", "d1+d2:3").rounded[0].edge)
    -3/37
    """

    laid: str
    """The bet in the notation."""
    on: str
    amount: int
    edge: Fraction
    """What the house keeps of every unit of this bet; below 0 the player has the edge."""
    exact_edge: Fraction
    """What it keeps of a stake that divides."""
    divides: int | None
    """Stakes that are a multiple of this divide; None if there is none of a few chips."""
    articles: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data; fractions are written `1/37`."""
        return {
            "laid": self.laid,
            "edge": str(self.edge),
            "exact_edge": str(self.exact_edge),
            "divides": self.divides,
            "articles": list(self.articles),
        }

    def __str__(self) -> str:
        cites = f" ({', '.join(self.articles)})" if self.articles else ""
        if self.edge < 0:
            does = f"the player has an edge of {-self.edge}, where the house keeps "
            does += f"{self.exact_edge} of a stake that divides"
        else:
            does = f"the house keeps {self.edge} instead of {self.exact_edge}"
        divides = f"; a multiple of {self.divides} divides" if self.divides else ""
        return f"{self.laid} is rounded for the player{cites}: {does}{divides}"


def rounded_in(layout: Layout, choices: Sequence[Choice]) -> tuple[Rounded, ...]:
    """The bets of a layout that do not divide when they are first divided.

    That is when they win, or when zero halves them, in prison too. Later halves in prison may be
    odd in turn; no stake divides for ever.
    """
    if _divides(layout, choices):
        return ()
    found: list[Rounded] = []
    for name in dict.fromkeys(bet.what.name for bet in layout.bets):
        bets = tuple(bet for bet in layout.bets if bet.what.name == name)
        alone = Layout(layout.book, bets, layout.chip)
        if _divides(alone, choices):
            continue
        edge, exact = _edge(alone, choices), _edge(alone, choices, divisible=True)
        if edge != exact:
            found.append(
                Rounded(
                    laid=alone.text,
                    on=name,
                    amount=alone.stake,
                    edge=edge,
                    exact_edge=exact,
                    divides=_dividing(alone, choices),
                    articles=layout.book.settled.rounded,
                )
            )
    return tuple(found)


def _divides(layout: Layout, choices: Sequence[Choice]) -> bool:
    """Whether many times a layout brings at every pocket many times what it brings once."""
    play = Play(layout, tuple(choices))
    zero = play.wheel.zeros[0]
    for pocket in play.wheel:
        once, many = play.pocket(pocket), play.pocket(pocket, times=MANY)
        if not _are_alike(once, many):
            return False
        if once.prison:
            again = play.pocket(zero, times=0, prison=once.prison)
            if not _are_alike(again, play.pocket(zero, times=0, prison=many.prison)):
                return False
    return True


def _are_alike(once: Turn, many: Turn) -> bool:
    return many.net == MANY * once.net and held_in(many.prison) == MANY * held_in(once.prison)


def _edge(layout: Layout, choices: Sequence[Choice], *, divisible: bool = False) -> Fraction:
    play = Play(layout, tuple(choices))
    size = MANY * 2 ** (len(choices) + 2) if divisible else 1
    law = Carrier(play, divisible=divisible).after(play.turns(times=size))
    return -law.moments[0] / size / layout.stake


def _dividing(layout: Layout, choices: Sequence[Choice]) -> int | None:
    """The least stake on the same spot that divides, in whole chips."""
    what = layout.bets[0].what
    for chips in range(1, MOST_CHIPS + 1):
        amount = chips * layout.chip
        try:
            tried = Layout(layout.book, (Bet(what, amount),), layout.chip)
        except LayoutError:  # An announcement has so many pieces that this does not come out even.
            continue
        if _divides(tried, choices):
            return amount
    return None
