"""Payment bounds: the most that each player could have won in the last coups, and what they got.

They limit recorded wrong payments: nobody can have been overpaid by more than their stakes could
have won, nor underpaid by more than they were due.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from novamas.game.cloth import Spot
from novamas.game.lines import Line, Settlement
from novamas.game.money import times
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner
from novamas.game.verdicts import Fate, Verdict, verdicts

COUPS = 30
"""How many coups are remembered: as many as may be disputed."""


@dataclass(slots=True)
class Due:
    """The result of a coup for one player, including the returned stakes."""

    best: int
    """The most that any number would have paid them."""
    paid: int
    """What the number that came out paid them."""
    wrong: int = 0
    """The sum of the coup's confirmed wrong payments; positive if they were overpaid."""

    @property
    def least(self) -> int:
        """The lowest wrong payment that is still possible: everything they were due is missing."""
        return -(self.paid + self.wrong)

    @property
    def most(self) -> int:
        """The highest one: with it they have what their best number would have paid."""
        return max(0, self.best - self.paid - self.wrong)


@dataclass(slots=True)
class Payable:
    """The last coups of a table."""

    coups: dict[int, dict[str, Due]] = field(default_factory=dict)

    def called(self, book: Rulebook, coup: int, settlement: Settlement) -> None:
        """Records a called number; a corrected call replaces the earlier one."""
        best = _best(book, settlement.lines)
        paid: dict[str, int] = defaultdict(int)
        for line in settlement.lines:
            paid[line.stake.player] += line.hand + line.stays + line.reduced + line.aside
        before = self.coups.get(coup, {})
        self.coups[coup] = {
            player: Due(most, paid[player], before[player].wrong if player in before else 0)
            for player, most in best.items()
        }
        for old in [each for each in self.coups if each <= coup - COUPS]:
            del self.coups[old]

    def of(self, coup: int | None, player: str) -> tuple[int, Due] | None:
        """The result of a coup for a player; by default of the last number called."""
        number = max(self.coups, default=0) if coup is None else coup
        due = self.coups.get(number, {}).get(player)
        return None if due is None else (number, due)

    def wrong(self, coup: int, player: str, amount: int) -> None:
        """Records a confirmed wrong payment; the opposite amount records its correction."""
        due = self.coups.get(coup, {}).get(player)
        if due is not None:
            due.wrong += amount

    def as_data(self) -> list[Any]:
        """As plain data, for a snapshot."""
        return [
            [coup, [[name, due.best, due.paid, due.wrong] for name, due in players.items()]]
            for coup, players in self.coups.items()
        ]

    @classmethod
    def of_data(cls, data: list[Any]) -> Payable:
        """From plain data."""
        return cls({coup: {name: Due(*sums) for name, *sums in players} for coup, players in data})


def _best(book: Rulebook, lines: Iterable[Line]) -> dict[str, int]:
    """Player → the most that any number would have paid them, including the stakes.

    Amounts above a maximum count as if all of them won at their own odds. That is an upper bound:
    no house's articles on excess pay more.
    """
    laid: dict[tuple[str, Spot], int] = defaultdict(int)
    held: dict[str, int] = defaultdict(int)
    for line in lines:
        held[line.stake.player] += 0
        if isinstance(line.stake, Prisoner):
            held[line.stake.player] += line.stake.amount
        else:
            laid[line.stake.player, line.stake.spot] += line.stake.amount
    sums = {player: [0] * len(book.wheel.pockets) for player in held}
    for (player, spot), amount in laid.items():
        for index, part in _backs(book, spot):
            sums[player][index] += times(amount, part)
    return {player: held[player] + max(each) for player, each in sums.items()}


def _backs(book: Rulebook, spot: Spot) -> tuple[tuple[int, Fraction], ...]:
    """Index of a number → what a stake of one unit on a spot gets back, where it is not zero."""
    key = ("backs", spot)
    if key not in book.derived:
        every = (
            (index, _back(verdicts(book, pocket)[spot]))
            for index, pocket in enumerate(book.wheel.pockets)
        )
        book.derived[key] = tuple(each for each in every if each[1])
    found: tuple[tuple[int, Fraction], ...] = book.derived[key]  # type: ignore[assignment]
    return found


def _back(verdict: Verdict) -> Fraction:
    match verdict.fate:
        case Fate.WINS:
            return verdict.pays + 1
        case Fate.HALF_WINS:
            return (verdict.pays + 1) / 2
        case Fate.ZERO:
            return Fraction(1)
        case _:
            return Fraction(0)
