"""Accounts: where chips are, and the transfers between them.

An account is the table's (`bank`, `cloth`, `prison`), a player's (`purse:ana`, `custody:ana`), or
stands for what lies outside the table: the cash `desk`, the `box` for cash that is taken at the
table, `missing` for what was not found there, `tips`, and `elsewhere`, where the chips of other
tables come from. Chips come from the desk and the box for cash, so that what lies in the box is
what its account has given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from novamas.game.lines import Line
from novamas.game.rulebook.model import ChipKind
from novamas.game.stakes import Prisoner, Stake

BANK, CLOTH, PRISON, DESK, BOX, MISSING, ELSEWHERE, TIPS = (
    "bank",
    "cloth",
    "prison",
    "desk",
    "box",
    "missing",
    "elsewhere",
    "tips",
)


def purse(player: str) -> str:
    """The account of what a player holds at the table."""
    return f"purse:{player}"


def custody(player: str) -> str:
    """The account of what the house keeps for a player."""
    return f"custody:{player}"


def owner(stake: Stake | Prisoner) -> str:
    """Where a stake goes that is given back: chips of another table are handed back as they are."""
    return ELSEWHERE if stake.kind is ChipKind.FOREIGN else purse(stake.player)


class Transfer(NamedTuple):
    """An amount that went from one account to another."""

    source: str
    target: str
    amount: int


class Transfers:
    """Transfers being gathered: those between the same two accounts are one.

    >>> moved = Transfers()
    >>> moved.move(BANK, purse("ana"), 35)
    >>> moved.move(purse("ana"), BANK, -5)
    >>> moved.gathered()
    (Transfer(source='bank', target='purse:ana', amount=40),)
    """

    def __init__(self) -> None:
        self._amounts: dict[tuple[str, str], int] = defaultdict(int)

    def move(self, source: str, target: str, amount: int) -> None:
        """Moves an amount; a negative one goes the other way."""
        if amount < 0:
            source, target, amount = target, source, -amount
        if amount and source != target:
            self._amounts[source, target] += amount

    def settle(self, lines: Iterable[Line]) -> None:
        """Moves what the lines of a settlement say."""
        for line in lines:
            stake = line.stake
            lies = PRISON if isinstance(stake, Prisoner) else CLOTH
            # The chips that a reduction frees are the bank's, which pays their worth (AR-26.b).
            self.move(lies, BANK, line.lost + line.freed)
            self.move(lies, PRISON, line.held)
            # What the bank pays goes with the stake: to the hand, to ride on the cloth, or aside.
            in_hand = line.won if line.hand >= line.won else 0
            self.move(BANK, purse(stake.player), in_hand + line.freed)
            self.move(lies, owner(stake), line.hand - in_hand - line.freed)
            self.move(BANK, CLOTH, line.won - in_hand)
            self.move(lies, custody(stake.player), line.aside)

    def gathered(self) -> tuple[Transfer, ...]:
        """The transfers, in the order in which their accounts were first named."""
        return tuple(Transfer(s, t, amount) for (s, t), amount in self._amounts.items() if amount)
