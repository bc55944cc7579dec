"""A layout: what one player lays on the cloth in one coup, read from the notation.

A layout belongs to a house. This module refuses bets that the house does not offer and, where the
table has limits, bets that the table would refuse or return.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import Final

from novamas import rulebooks
from novamas.game import announcements
from novamas.game.arguments import instance, listed, whole
from novamas.game.chips import kinds_for
from novamas.game.cloth import Spot, SpotClass
from novamas.game.house_words import Words
from novamas.game.limits import NO_LIMITS, Levelled, Limits, Short, levelled, short_stakes
from novamas.game.notation import Announced, Bet, format_bets, parse_bets
from novamas.game.rulebook.behaviours import ChipKind, Linked
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Stake
from novamas.odds.errors import LayoutError

MOST_BETS: Final = 10_000
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
        instance(self.book, Rulebook, argument="book")
        for bet in listed(self.bets, argument="layout", of="bets", most=MOST_BETS):
            instance(bet, Bet, argument="layout")
        if not self.bets:
            raise LayoutError("a layout has at least one bet, such as red:10")
        whole(self.chip, argument="chip")
        for bet in self.bets:
            for _, amount in _pieces(self.book, bet):
                if amount % self.chip:
                    raise LayoutError(f"{bet.what.name}: chips are worth {self.chip} each")

    @classmethod
    def read(
        cls, book: Rulebook, text: str, *, chip: int = 1, words: Words | None = None
    ) -> Layout:
        """The layout that a text writes, in the notation or in any house's words."""
        instance(book, Rulebook, argument="book")
        instance(text, str, argument="layout")
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
        found: list[Stake] = []
        for place, bet in enumerate(self.bets, start=1):
            called = isinstance(bet.what, Announced)
            for piece, (spot, amount) in enumerate(_pieces(self.book, bet), start=1):
                found.append(
                    Stake(
                        id=f"b{place}/{piece}" if called else f"b{place}",
                        player=PLAYER,
                        spot=spot,
                        amount=amount * times,
                        chip=self.chip,
                        kind=_kind_of_chips(self.book, spot),
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

    def levelled(self, limits: Limits = NO_LIMITS) -> tuple[Levelled, ...]:
        """The stakes of which a part would go back, where linked bets carry equal pieces."""
        return levelled(self.book, self.stakes(), limits)

    def most(self, limits: Limits) -> int | None:
        """The highest multiple that stays within the maxima; None if there is no bound."""
        on_spot: dict[Spot, int] = defaultdict(int)
        for stake in self.stakes():
            on_spot[stake.spot] += stake.amount
        maxima = {spot: most for spot, most in limits.maxima(self.book).items() if spot in on_spot}
        straight = limits[SpotClass.STRAIGHT].maximum
        if self.book.limits.linked is Linked.EQUAL and straight is not None:
            # Linked bets are bound by the maximum of a straight, whatever their class.
            for spot in on_spot:
                others = (other for other in on_spot if other is not spot)
                if any(map(partial(_are_linked, spot), others)):
                    maxima[spot] = min(straight, maxima.get(spot, straight))
        return min((most // on_spot[spot] for spot, most in maxima.items()), default=None)

    def check(self, limits: Limits) -> None:
        """Raises `LayoutError` if the layout could not play as it is under these limits."""
        if self.most(limits) == 0:
            cites = self.book.limits.cites.maximum
            raise LayoutError(f"{self.text} is above a maximum of the table", cites)
        for short in self.short(limits):
            laid = f"{short.stake.spot.name}:{short.stake.amount}"
            raise LayoutError(f"{laid} is too little to play", short.articles)
        for each in self.levelled(limits):
            laid = f"{each.stake.spot.name}:{each.stake.amount}"
            problem = f"{laid} is linked to other spots, and {each.back} of it would go back"
            raise LayoutError(problem, each.articles)


def _are_linked(spot: Spot, other: Spot) -> bool:
    on_numbers = spot.kind.on_numbers and other.kind.on_numbers
    return on_numbers and bool(spot.numbers & other.numbers)


def _kind_of_chips(book: Rulebook, spot: Spot) -> ChipKind:
    """A kind of chips that the house takes on a spot."""
    return kinds_for(book, spot)[0]


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
