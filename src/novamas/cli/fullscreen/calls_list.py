"""The announcements of a house as a list to choose from, each with its pieces and its price."""

from __future__ import annotations

from typing import Self

from novamas.game.announcements import call_of
from novamas.game.cloth import Spot, SpotClass
from novamas.game.notation import Announced, Bet
from novamas.game.rulebook.model import Call, Rulebook


class CallsList:
    """Announcements, and the one that is marked."""

    def __init__(self, calls: list[Call], piece: int) -> None:
        self.calls = calls
        self.piece = piece
        """What each piece is laid with."""
        self.at = 0

    @classmethod
    def of(cls, book: Rulebook, spot: Spot, piece: int) -> Self | None:
        """The house's announcements, first those around a number; None if it takes none."""
        calls = list(book.announcements.calls.values())
        if book.announcements.neighbours is not None and spot.kind is SpotClass.STRAIGHT:
            sides = range(1, book.announcements.neighbours + 1)
            sectors = (call_of(book, f"{spot.name}~{side}") for side in sides)
            calls = [*(each for each in sectors if each is not None), *calls]
        return cls(calls, piece) if calls else None

    def moved(self, key: str) -> bool:
        """Marks another one; False if the key does something else."""
        steps = {"up": -1, "down": 1, "pageup": -8, "pagedown": 8}
        if key not in steps:
            return False
        self.at = max(0, min(self.at + steps[key], len(self.calls) - 1))
        return True

    def price(self, call: Call) -> int:
        """What an announcement costs with these pieces."""
        return self.piece * len(call.pieces)

    def bet(self) -> Bet:
        """The marked announcement as a bet."""
        call = self.calls[self.at]
        return Bet(Announced(call.name), self.price(call))
