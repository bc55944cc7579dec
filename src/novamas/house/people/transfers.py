"""Money between a table and the rest of the house: what the register writes for a table's event.

Every event that moves a table's `desk` account has its counterpart in the register, written in the
same transaction. So the register's account of a table and the table's own account of the desk
always sum to zero, whatever happens between two commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novamas.house.people import events
from novamas.house.people.decide import require_may_buy
from novamas.house.people.events import RegisterEvent
from novamas.house.people.state import Person, Register
from novamas.table.accounts import DESK, Transfer
from novamas.table.events import ChipsBought, Event, PlayerLeft


class Move(NamedTuple):
    """Money that an event of a table moves between the table and the rest of the house."""

    seq: int
    """The event of the table."""
    amount: int
    """Positive to the table, negative from it."""
    player: str | None = None
    """Whose money it is; their wallet is used if they are registered."""
    cash: bool = False
    """Whether it was paid in cash at the table: not from the wallet, but limits count it."""


def move_of(seq: int, event: Event, moved: Iterable[Transfer], *, asked_by: str) -> Move | None:
    """The move of a table's event, if it has one; `asked_by` is who gave the command."""
    if isinstance(event, ChipsBought) and event.cash:
        return Move(seq, event.amount, event.player, cash=True)
    amount = 0
    for source, target, moving in moved:
        amount += moving * ((source == DESK) - (target == DESK))
    if not amount:
        return None
    if isinstance(event, ChipsBought):
        # Chips that staff sell without cash are paid at the desk, not from the player's wallet.
        return Move(seq, amount, event.player if asked_by == event.player else None)
    return Move(seq, amount, event.player if isinstance(event, PlayerLeft) else None)


class Counterparts:
    """Decides the register's events for the moves of one commit, in their order.

    Earlier moves of the commit count for the later ones, though they are not written yet.
    """

    def __init__(self, table: str) -> None:
        self._table = table
        self._wallets: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()

    def require(self, register: Register, move: Move, now: int) -> None:
        """Raises a RegisterError if a player may not, or cannot, pay for chips."""
        person = _wallet_holder(register, move)
        if person is not None and move.amount > 0:
            require_may_buy(
                register,
                person,
                move.amount,
                now=now,
                cash=move.cash,
                pending=self._wallets[person.name],
                spent=self._spent[person.name],
            )

    def take(self, register: Register, move: Move) -> RegisterEvent | None:
        """The register's event for a move; None if there is nothing to write."""
        table, seq, amount = self._table, move.seq, move.amount
        person = _wallet_holder(register, move)
        if person is None:
            if move.cash:
                return None
            if amount > 0:
                return events.DeskIssued(table=table, seq=seq, amount=amount)
            return events.DeskReceived(table=table, seq=seq, amount=-amount)
        if not move.cash:
            self._wallets[person.name] -= amount
        self._spent[person.name] += amount
        if amount < 0:
            return events.ChipsRedeemed(name=person.name, table=table, seq=seq, amount=-amount)
        return events.ChipsSold(
            name=person.name, table=table, seq=seq, amount=amount, cash=move.cash
        )


def counterparts(
    register: Register, table: str, moves: Iterable[Move], now: int
) -> Iterator[RegisterEvent]:
    """The register's events for the moves of one commit, decided on this state."""
    deciding = Counterparts(table)
    for move in moves:
        deciding.require(register, move, now)
        event = deciding.take(register, move)
        if event is not None:
            yield event


def _wallet_holder(register: Register, move: Move) -> Person | None:
    """The owner of the wallet: the registered person with exactly the player's name, if any."""
    person = register.person(move.player) if move.player is not None else None
    return person if person is not None and person.name == move.player else None
