"""Lines: what became of each stake of a coup, and the articles that say so.

A line accounts for every unit: the stake and what it won are together what was lost, what goes to
the player's hand, what is held in prison, what stays on the cloth and what is set aside.
"""

from __future__ import annotations

from typing import NamedTuple

from novamas.game.cloth import SpotClass
from novamas.game.stakes import Prisoner, Stake


class Part(NamedTuple):
    """A part of a stake that played at a class of its own: a half, or what a cascade took."""

    kind: SpotClass
    amount: int
    won: int


class Line(NamedTuple):
    """What became of one stake."""

    stake: Stake | Prisoner
    won: int
    """Paid by the bank on top of the stake."""
    returned: int
    """Of the stake, back in its owner's hand."""
    lost: int
    held: int
    """In prison."""
    stays: int
    """On the cloth, to play on; with an absent player's winnings, where they ride."""
    aside: int
    """Set aside in the house's custody, winnings included."""
    articles: tuple[str, ...]
    parts: tuple[Part, ...] = ()

    @property
    def hand(self) -> int:
        """What goes to the player's hand in all, winnings included."""
        return self.stake.amount + self.won - self.lost - self.held - self.stays - self.aside


class Settlement(NamedTuple):
    """A coup settled: the lines of the losers as they are collected, then of all others as paid."""

    pocket: int
    lines: tuple[Line, ...]

    @property
    def bank(self) -> int:
        """What the bank gains."""
        return sum(line.lost - line.won for line in self.lines)


def cited(*parts: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of several citations, each once, in order."""
    return tuple(dict.fromkeys(id for part in parts for id in part))
