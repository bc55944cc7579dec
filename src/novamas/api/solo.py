"""One player alone with the wheel of a house: what a strategy sees, and what a number does to them.

The table of `nv.Table` keeps posts, commands and events. Here is only what decides money, asked
from the same engine, so that a learning program or many trials can play quickly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from novamas.game.cloth import Spot
from novamas.game.errors import NovamasError
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.notation import Bet, format_bets
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.model import Rulebook
from novamas.game.verdicts import Fate, verdicts
from novamas.game.wheel import Pocket
from novamas.odds.errors import LayoutError
from novamas.odds.layout import Layout
from novamas.odds.play import Held, Play, Prison, Turn, held_in
from novamas.odds.rounding import rounded_in
from novamas.table.commands import Choice

KEPT: Final = 1 << 16
"""How many answers of the engine are remembered."""

MOST_PIECES: Final = 64
"""No house asks for more pieces than this on a spot."""

Laid = tuple[Bet, ...]


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """What a player sees before a coup, and their notes: a strategy is called with it.

    >>> import novamas as nv
    >>> def favourite(view):
    ...     return f"{view.numbers[-1]}:5" if view.numbers else None
    >>> table = nv.Table("ar", players={"ana": 100})
    >>> [coup.net for coup in table.play({"ana": favourite}, coups=2, numbers=[17, 17])]
    [{'ana': 0}, {'ana': 175}]
    """

    book: Rulebook
    bankroll: int
    """What the player began with."""
    purse: int
    """What they may lay now; without what is in prison."""
    prison: Prison = ()
    """What is in prison: each with its spot, its amount and the zeros it has met."""
    numbers: tuple[Pocket, ...] = ()
    """The numbers that came out since the player began, the last one at the end."""
    results: tuple[int, ...] = ()
    """What each of these coups won or lost for the player; what is in prison counts as neither."""
    limits: Limits = NO_LIMITS
    chip: int = 1
    """What a chip is worth: every amount is a multiple of it."""
    memory: dict[str, Any] = field(default_factory=dict)
    """The player's notes: the same dict at every coup, empty at the beginning."""

    @property
    def coup(self) -> int:
        """The number of the coup that is about to be played, from 1 on."""
        return len(self.numbers) + 1

    @property
    def wealth(self) -> int:
        """The purse and what is in prison."""
        return self.purse + held_in(self.prison)

    def __repr__(self) -> str:
        held = held_in(self.prison)
        prison = f", {held} in prison" if held else ""
        return f"<View {self.book.id}: coup {self.coup}, purse {self.purse}{prison}>"


class Solo:
    """The rules of a house as one player meets them."""

    def __init__(self, book: Rulebook, limits: Limits = NO_LIMITS, *, chip: int = 1) -> None:
        self.book = book
        self.limits = limits
        self.chip = chip
        anything = Bet(next(iter(book.terms)), chip)
        self._idle = Layout(book, (anything,), chip)
        free = book.zero.simple is ZeroRule.CHOICE
        self.choices = (Choice.PRISON, Choice.HALF) if free else (Choice.PRISON,)
        """What a player may do at zero; one entry where the house gives no choice."""
        self._problem = lru_cache(KEPT)(self._find_problem)
        self._plays = lru_cache(KEPT)(self._play)
        self.turn = lru_cache(KEPT)(self._turn)
        """What a number does to some bets and to the prison."""

    def refusal(self, bets: Laid, purse: int) -> str | None:
        """Why the table would not let these bets play as they are, or None."""
        if not bets:
            return None
        problem = self._problem(bets)
        if problem is not None:
            return problem
        cost = sum(bet.amount for bet in bets)
        return f"{format_bets(bets)} costs {cost}: {purse} in hand" if cost > purse else None

    def check(self, bets: Laid, purse: int) -> None:
        """Raises `LayoutError` for bets that the table would not let play as they are."""
        problem = self.refusal(bets, purse)
        if problem is not None:
            raise LayoutError(problem)

    def turns(self, bets: Laid, prison: Prison, choice: Choice) -> tuple[Turn, ...]:
        """What the pockets of the wheel do, grouped by what they do."""
        return self._plays(bets, choice).turns(times=1 if bets else 0, prison=prison)

    def every_spot(self) -> Laid:
        """For every spot of the house the least bet that a live table takes."""
        key = ("least bets", repr(self.limits.as_data()), self.chip)
        if key not in self.book.derived:
            found = (self._least(spot) for spot in self.book.terms)
            self.book.derived[key] = tuple(bet for bet in found if bet is not None)
        least: Laid = self.book.derived[key]  # type: ignore[assignment]
        return least

    def _least(self, spot: Spot) -> Bet | None:
        """The least bet on a spot that a live table takes; None if there is none."""
        needs = self.limits.minimum(self.book.terms[spot])
        first = max(1, -(-needs // self.chip))
        for chips in range(first, first + MOST_PIECES):
            bet = Bet(spot, chips * self.chip)
            if self._problem((bet,)) is None and self.odd(bet) is None:
                return bet
        return None

    def odd(self, bet: Bet) -> str | None:
        """Why a live table would not take a bet that does not divide; None if it divides.

        An odd unit goes to the player, so that such a bet may even give them the edge.
        """
        if isinstance(bet.what, Spot) and self._is_whole(bet.what):
            return None
        layout = Layout(self.book, (bet,), self.chip)
        for choice in self.choices:
            for rounded in rounded_in(layout, (choice,)):
                return str(rounded)
        return None

    def _is_whole(self, spot: Spot) -> bool:
        """Whether every number takes a stake there or pays it in whole units, whatever it is."""
        found = (verdicts(self.book, pocket)[spot] for pocket in self.book.wheel.pockets)
        return all(
            each.fate is Fate.LOSES or (each.fate is Fate.WINS and each.odds is not None)
            for each in found
        )

    def _find_problem(self, bets: Laid) -> str | None:
        try:
            Layout(self.book, bets, self.chip).check(self.limits)
        except NovamasError as problem:
            return str(problem)
        return None

    def _play(self, bets: Laid, choice: Choice) -> Play:
        layout = Layout(self.book, bets, self.chip) if bets else self._idle
        return Play(layout, (choice,), self.limits)

    def _turn(self, bets: Laid, number: Pocket, prison: Prison, choice: Choice) -> Turn:
        return self._plays(bets, choice).pocket(number, times=1 if bets else 0, prison=prison)


def held_of(prison: Iterable[Any]) -> Prison:
    """Prisoners of a table as a player sees them."""
    return tuple(Held(each.spot, each.amount, each.zeros) for each in prison)
