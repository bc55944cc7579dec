"""Lines: what became of each stake of a coup, and the articles that say so.

A line accounts for every unit. The stake plus what it won equals the sum of what was lost, what
goes to the player's hand, what is held in prison, what stays on the cloth (where it lay, or on the
winning number after a reduction) and what is set aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self

from novamas.game.cloth import SpotClass, spot
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket


class Part(NamedTuple):
    """A part of a stake that played at a class of its own: a half, or what a cascade took."""

    kind: SpotClass
    amount: int
    won: int


class Reason(StrEnum):
    """Why an amount of a stake did not play."""

    EXCESS = "excess"
    """It lay above the maximum."""
    UNCLEAR = "unclear"
    """It lay above the maximum, and its value was not clear at a glance."""
    LOOSE = "loose"
    """It was less than a whole chip, which zero does not divide."""


class Unplayed(NamedTuple):
    """An amount of a stake that neither won nor lost: it goes back, or is set aside."""

    reason: Reason
    amount: int


def not_played(reason: Reason, amount: int) -> tuple[Unplayed, ...]:
    """The amount that did not play for this reason, as a tuple; empty for 0."""
    return (Unplayed(reason, amount),) if amount else ()


class _Parts(NamedTuple):
    """The parts of a line by name; only this class knows the position of each part."""

    stake: Stake | Prisoner
    won: int
    """Paid by the bank on top of the stake."""
    returned: int
    """Of the stake, back in its owner's hand; with the worth of chips that a reduction frees."""
    lost: int
    held: int
    """In prison."""
    stays: int
    """On the cloth where it lay, to play on; with an absent player's winnings if they ride."""
    aside: int
    """Set aside in the house's custody, winnings included."""
    articles: tuple[str, ...]
    parts: tuple[Part, ...]
    freed: int
    """The part of `returned` that is the worth of the chips that a reduction frees. Those chips go
    to the bank, which pays their worth together with the winnings (AR-26.b)."""
    reduced: int
    """Of the stake, on the winning number, among the straights that a reduction made (AR-26.a)."""
    into: str | None
    """The id of the new stake that those straights form."""
    unplayed: tuple[Unplayed, ...]


_FREED = _Parts._fields.index("freed")


class Line(_Parts):
    """What became of one stake: each part by its name; a part that is not given is 0.

    >>> line = Line(Stake("b1", "ana", spot("red"), 10), returned=5, lost=5, articles=("AR-12.a",))
    >>> line.lost, line.held, line.hand
    (5, 0, 5)
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0913 - a line has so many parts, and all have names.
        cls,
        stake: Stake | Prisoner,
        *,
        articles: tuple[str, ...],
        won: int = 0,
        returned: int = 0,
        lost: int = 0,
        held: int = 0,
        stays: int = 0,
        aside: int = 0,
        parts: tuple[Part, ...] = (),
        freed: int = 0,
        reduced: int = 0,
        into: str | None = None,
        unplayed: tuple[Unplayed, ...] = (),
    ) -> Self:
        """A line with these parts."""
        sums = (won, returned, lost, held, stays, aside)
        return tuple.__new__(cls, (stake, *sums, articles, parts, freed, reduced, into, unplayed))

    # Most lines are one of these three, so they skip the work of the other parts. -----------------

    @classmethod
    def all_lost(cls, stake: Stake | Prisoner, articles: tuple[str, ...]) -> Self:
        """The line of a stake that lost entirely."""
        return tuple.__new__(
            cls, (stake, 0, 0, stake.amount, 0, 0, 0, articles, (), 0, 0, None, ())
        )

    @classmethod
    def all_won(
        cls, stake: Stake | Prisoner, won: int, articles: tuple[str, ...], *, stays: bool = False
    ) -> Self:
        """The line of a stake that won entirely and goes to the hand, or stays where it lies."""
        back, there = (0, stake.amount) if stays else (stake.amount, 0)
        return tuple.__new__(cls, (stake, won, back, 0, 0, there, 0, articles, (), 0, 0, None, ()))

    @classmethod
    def half_won(
        cls, stake: Stake | Prisoner, part: Part, lost: int, articles: tuple[str, ...]
    ) -> Self:
        """The line of a stake of which a part won and goes to the hand, and the rest lost."""
        _, amount, won = part
        return tuple.__new__(
            cls, (stake, won, amount, lost, 0, 0, 0, articles, (part,), 0, 0, None, ())
        )

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[tuple[object, ...]]]:
        """Copies all parts by name, because no part may be passed by position."""
        return type(self)._make, (tuple(self),)

    @property
    def hand(self) -> int:
        """The total that goes to the player's hand, winnings included.

        >>> import novamas as nv
        >>> line = nv.settle("ar", 17, "ana 17:5").lines[0]
        >>> line, line.hand
        (<Line b1 ana 17:5: won 175, returned 5 (AR-5.b, AR-5.a)>, 180)
        """
        stake, won, _, lost, held, stays, aside, _, _, _, reduced, _, _ = self
        return stake.amount + won - (lost + held + stays + reduced + aside)

    def __repr__(self) -> str:
        moved = ("won", "returned", "lost", "held", "stays", "reduced", "aside")
        amounts = ", ".join(
            f"{name} {getattr(self, name)}" for name in moved if getattr(self, name)
        )
        laid = f"{self.stake.id} {self.stake.player} {self.stake.spot.name}:{self.stake.amount}"
        return f"<Line {laid}: {amounts or 'nothing moved'} ({', '.join(self.articles)})>"


def freeing(line: Line, freed: int) -> Line:
    """A line with the worth of the chips that a reduction frees; the rest is as it was."""
    parts: list[object] = list(line)
    parts[_FREED] = freed
    return tuple.__new__(Line, parts)


class Settlement(NamedTuple):
    """A settled coup: the losers' lines as they are collected, then the others as they are paid."""

    pocket: Pocket
    lines: tuple[Line, ...]

    @property
    def bank(self) -> int:
        """What the bank gains."""
        return sum(line.lost - line.won for line in self.lines)

    def __repr__(self) -> str:
        count = len(self.lines)
        return f"<Settlement {self.pocket}: {count} line{'' if count == 1 else 's'}>"

    @property
    def made(self) -> tuple[Stake, ...]:
        """The stakes that reductions make from winners that stay: straights on the number."""
        return straights_made(self.pocket, self.lines)


def straights_made(pocket: Pocket, lines: Iterable[Line]) -> tuple[Stake, ...]:
    """The stakes that reductions make from these lines, one for each player."""
    made: dict[str, Stake] = {}
    for line in lines:
        if line.into is not None:
            stake, before = line.stake, made.get(line.into)
            amount = line.reduced + (0 if before is None else before.amount)
            made[line.into] = Stake(
                line.into, stake.player, spot(str(pocket)), amount, chip=stake.chip, kind=stake.kind
            )
    return tuple(made.values())


@lru_cache(maxsize=4096)  # A book has few combinations, and every coup asks for the same ones.
def cited(*parts: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of several citations, each once, in order."""
    said = [part for part in parts if part]
    return said[0] if len(said) == 1 else tuple(dict.fromkeys(chain.from_iterable(said)))
