"""A layout: what one player lays on the cloth in one coup, read from the notation.

A layout belongs to a house. This module refuses bets that the house does not offer and, where the
table has limits, bets that the table would refuse or return.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from novamas import rulebooks
from novamas.game import announcements
from novamas.game.cloth import Spot
from novamas.game.house_words import Words
from novamas.game.limits import NO_LIMITS, Limits, Short, short_stakes
from novamas.game.notation import Announced, Bet, format_bets, parse_bets
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Stake
from novamas.odds.errors import LayoutError

PLAYER: Final = "player"
"""The one player whose layout it is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Bets of one player at a house.

    >>> layout = Layout.read(rulebooks.load("it"), "rosso:10 17:5 vicini:9")
    >>> layout.text, layout.stake, len(layout.stakes())
    ('red:10 17:5 voisins:9', 24, 9)
    """

    book: Rulebook
    bets: tuple[Bet, ...]
    chip: int = 1
    """What one of the player's chips is worth; a partage is made by chips (X-03)."""

    def __post_init__(self) -> None:
        if not self.bets:
            raise LayoutError("a layout has at least one bet, such as red:10")
        if self.chip < 1:
            raise LayoutError("a chip is worth at least 1")
        for bet in self.bets:
            for _, amount in _pieces(self.book, bet):
                if amount % self.chip:
                    raise LayoutError(f"{bet.what.name}: chips are worth {self.chip} each")

    @classmethod
    def read(
        cls, book: Rulebook, text: str, *, chip: int = 1, words: Words | None = None
    ) -> Layout:
        """The layout that a text writes, in the notation or in any house's words."""
        return cls(book, parse_bets(text, words or rulebooks.words_of(book)), chip)

    @property
    def text(self) -> str:
        """The layout in the notation."""
        return format_bets(self.bets)

    @property
    def stake(self) -> int:
        """Its total cost."""
        return sum(bet.amount for bet in self.bets)

    def stakes(self, times: int = 1) -> tuple[Stake, ...]:
        """The stakes on the cloth when the layout is laid `times` times over."""
        rules = self.book.chips
        found: list[Stake] = []
        for place, bet in enumerate(self.bets, start=1):
            called = isinstance(bet.what, Announced)
            for piece, (spot, amount) in enumerate(_pieces(self.book, bet), start=1):
                kinds = rules.on_numbers if spot.kind.on_numbers else rules.on_chances
                found.append(
                    Stake(
                        id=f"b{place}/{piece}" if called else f"b{place}",
                        player=PLAYER,
                        spot=spot,
                        amount=amount * times,
                        chip=self.chip,
                        kind=kinds[0],
                        announcement=f"b{place}" if called else None,
                        call=bet.what.name if called else None,
                    )
                )
        return tuple(found)

    def short(self, limits: Limits = NO_LIMITS) -> tuple[Short, ...]:
        """The stakes that are too small to play and would go back when betting closes.

        Some houses require a number of pieces besides the minima of the placard (IT-general-2).
        """
        return short_stakes(self.book, self.stakes(), limits)

    def most(self, limits: Limits) -> int | None:
        """The highest multiple that stays within the maxima; None if there is no bound."""
        on_spot: dict[Spot, int] = defaultdict(int)
        for stake in self.stakes():
            on_spot[stake.spot] += stake.amount
        maxima = limits.maxima(self.book)
        return min(
            (maxima[spot] // on_spot[spot] for spot in on_spot if spot in maxima), default=None
        )

    def check(self, limits: Limits) -> None:
        """Raises `LayoutError` if the layout could not play as it is under these limits."""
        if self.most(limits) == 0:
            cites = self.book.limits.cites.maximum
            raise LayoutError(f"{self.text} is above a maximum of the table", cites)
        for short in self.short(limits):
            laid = f"{short.stake.spot.name}:{short.stake.amount}"
            raise LayoutError(f"{laid} is too little to play", short.articles)


def _pieces(book: Rulebook, bet: Bet) -> tuple[tuple[Spot, int], ...]:
    """The spots on which a bet lies, with the amount on each."""
    if isinstance(bet.what, Spot):
        if not book.offers(bet.what):
            cites = book.betting.cites
            straddle = cites.no_straddle if bet.what.boxes else ()
            problem = f"{book.id} does not offer {bet.what.name}"
            raise LayoutError(problem, straddle or cites.not_marked)
        return ((bet.what, bet.amount),)
    call = announcements.call_of(book, bet.what.name)
    if call is None:
        problem = f"{book.id} takes no announcement {bet.what.name}"
        raise LayoutError(problem, book.announcements.cites.not_taken)
    pieces = announcements.laid(call, bet.amount)
    if pieces is None:
        problem = f"{call.name} has {len(call.pieces)} pieces; {bet.amount} does not come out even"
        raise LayoutError(problem, call.cites)
    return pieces
