"""Accounts: where chips are, and the transfers between them.

An account is the table's (`bank`, `cloth`, `prison`), a player's (`purse:ana`, `custody:ana`), or
one outside the table: the cash `desk`, the `box` for cash that is taken at the table, `missing` for
cash that was not found there, `tips`, and `elsewhere` for chips of other tables. Chips that are
paid for with cash come from the desk or from the box, so the cash in the box equals what its
account has given out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import ChipKind
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
    """The account to which a stake is returned; chips of another table leave as they are."""
    return ELSEWHERE if stake.kind is ChipKind.FOREIGN else purse(stake.player)


class Transfer(NamedTuple):
    """An amount that went from one account to another."""

    source: str
    target: str
    amount: int


class Transfers:
    """Collects transfers; those between the same two accounts are added up.

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
        """Moves the amounts of the lines of a settlement.

        Most lines are lost entirely, or go back to the hand entirely with what they won. A large
        coup has many of them, so they take a short way.
        """
        amounts, taken = self._amounts, 0
        ways: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {}
        for line in lines:
            # A few parts are read faster by name than all of them at once.
            stake, won, lost = line.stake, line.won, line.lost
            if lost == stake.amount and not won and isinstance(stake, Stake):
                taken += lost
                continue
            if taken:
                # Neighbouring losers are added up, and booked in their turn.
                self.move(CLOTH, BANK, taken)
                taken = 0
            moves = lost or line.held or line.stays or line.aside or line.freed or line.reduced
            if moves or not won or stake.kind is ChipKind.FOREIGN:
                self._settle(line)
                continue
            player = stake.player
            if player not in ways:
                ways[player] = (BANK, purse(player)), (CLOTH, purse(player))
            won_way, back_way = ways[player]
            amounts[won_way] += won
            amounts[back_way] += stake.amount
        self.move(CLOTH, BANK, taken)

    def _settle(self, line: Line) -> None:
        stake, won, freed, hand = line.stake, line.won, line.freed, line.hand
        lies = PRISON if isinstance(stake, Prisoner) else CLOTH
        # The chips that a reduction frees go to the bank, which pays their worth (AR-26.b).
        self.move(lies, BANK, line.lost + freed)
        self.move(lies, PRISON, line.held)
        # The bank's payment goes where the stake goes: to the hand, onto the cloth, or aside.
        in_hand = won if hand >= won else 0
        self.move(BANK, purse(stake.player), in_hand + freed)
        self.move(lies, owner(stake), hand - in_hand - freed)
        self.move(BANK, CLOTH, won - in_hand)
        if line.aside:
            self.move(lies, custody(stake.player), line.aside)

    def gathered(self) -> tuple[Transfer, ...]:
        """The transfers, in the order in which their accounts were first named."""
        return tuple(Transfer(s, t, amount) for (s, t), amount in self._amounts.items() if amount)
