"""Piles: the stakes as a drawing shows them, with their owners and their words.

A pile is not a stake of the settlement; it is what a drawing needs to know of one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from novamas.game.chips import kinds_for
from novamas.game.cloth import Spot
from novamas.game.errors import UsageError
from novamas.game.money import is_amount
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.rulebook.model import Call, Rulebook
from novamas.game.wheel import Pocket, Wheel


class Pile(NamedTuple):
    """What one player has on one place of the cloth."""

    spot: Spot | Call
    """A spot; or an announcement, whose chips lie in its own space until they are placed."""
    amount: int
    player: str
    chip: int = 1
    """What one of the chips is worth; it decides how high the stack is."""
    kind: ChipKind | None = None
    """The kind of the chips; by default the usual kind for that spot at the house."""

    @property
    def chips(self) -> int:
        """How many chips lie there."""
        return -(-self.amount // self.chip)


def check(piles: Iterable[Pile], *, dolly: Pocket | None, wheel: Wheel) -> None:
    """Raises `UsageError` for an invalid amount or winning number."""
    if dolly is not None and dolly not in wheel:
        raise UsageError(f"dolly: expected {wheel.expected}, found {dolly!r}")
    for pile in piles:
        if not is_amount(pile.amount) or not is_amount(pile.chip):
            raise UsageError(
                f"{pile.spot.name}: expected whole amounts above zero, "
                f"found {pile.amount!r} in chips of {pile.chip!r}"
            )


def kind_of(book: Rulebook, pile: Pile) -> ChipKind:
    """The kind of a pile's chips, which decides how they look (AR-3).

    >>> from novamas import rulebooks
    >>> from novamas.game.cloth import spot
    >>> kind_of(rulebooks.load("ar"), Pile(spot("red"), 50, "ana")).value
    'chance'
    """
    if pile.kind is not None:
        return pile.kind
    return (
        book.chips.on_numbers[0] if isinstance(pile.spot, Call) else kinds_for(book, pile.spot)[0]
    )


def by_place(piles: Iterable[Pile]) -> dict[str, list[Pile]]:
    """The piles of each place, in the order in which the places first occur."""
    places: dict[str, list[Pile]] = {}
    for pile in piles:
        places.setdefault(pile.spot.name, []).append(pile)
    return places


def place_name(book: Rulebook, place: Spot | Call) -> str:
    """What the house calls the place.

    >>> from novamas import rulebooks
    >>> from novamas.game.cloth import spot
    >>> place_name(rulebooks.load("ar"), spot("17/20"))
    'semipleno 17/20'
    >>> place_name(rulebooks.load("it"), spot("1/3"))
    'tre primi 1/3'
    """
    if isinstance(place, Spot) and place.kind.on_numbers:
        word = book.word(place.name if place.name in book.words else place.kind)
        return f"{word} {place.name}"
    return book.word(place.name)


def holding(pile: Pile) -> str:
    """How much lies there, and in how many chips.

    >>> from novamas.game.cloth import spot
    >>> holding(Pile(spot("17"), 15, "ana", 5))
    '15 (3 × 5)'
    """
    counted = f" ({pile.chips} × {pile.chip})" if pile.chips > 1 and pile.chip > 1 else ""
    return f"{pile.amount}{counted}"
