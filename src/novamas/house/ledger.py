"""The ledger: double entry. Every event's transfers are written with it, and always sum to zero.

An account is the table's (`bank`, `cloth`, `prison`), a player's (`purse:ana`, `custody:ana`), or
stands for what lies outside the table: the cash `desk`, the `box` for cash that is taken at the
table, `missing` for what was not found there, `tips`, and `elsewhere`, where the chips of other
tables come from. A transfer moves a whole amount from one account to another. Chips come from the
desk and the box for cash, so that what lies in the box is what its account has given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from novamas.game.errors import NovamasError
from novamas.game.lines import Line
from novamas.game.rulebook.model import ChipKind
from novamas.game.stakes import Prisoner, Stake
from novamas.house.table import events as house
from novamas.house.table.state import HouseTable
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.state import State

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


class Transfer(NamedTuple):
    """An amount that went from one account to another."""

    source: str
    target: str
    amount: int


class _Moves:
    """Transfers being gathered: those between the same two accounts are one."""

    def __init__(self) -> None:
        self._amounts: dict[tuple[str, str], int] = defaultdict(int)

    def move(self, source: str, target: str, amount: int) -> None:
        if amount < 0:
            source, target, amount = target, source, -amount
        if amount and source != target:
            self._amounts[source, target] += amount

    def transfers(self) -> tuple[Transfer, ...]:
        return tuple(Transfer(s, t, amount) for (s, t), amount in self._amounts.items() if amount)


def transfers(house_table: HouseTable, event: Event) -> tuple[Transfer, ...]:
    """What an event moves; `house_table` is the table right before it."""
    moves = _Moves()
    _gather(moves, house_table.state, event)
    return moves.transfers()


def _gather(moves: _Moves, state: State, event: Event) -> None:  # noqa: C901, PLR0912 - one case an event
    match event:
        case play.ChipsBought():
            moves.move(BOX if event.cash else DESK, purse(event.player), event.amount)
        case play.PlayerLeft():
            moves.move(purse(event.player), DESK, event.amount)
        case play.StakePlaced():
            _laid(moves, event)
        case play.AnnouncementPlaced():
            for id in event.from_cloth:
                stake = state.stakes[id]
                moves.move(CLOTH, purse(stake.player), stake.amount)
            for placed in event.stakes:
                _laid(moves, placed)
        case play.StakeWithdrawn():
            for id, amount in event.amounts.items():
                _lifted(moves, state.stakes[id], amount)
        case play.StakesReturned():
            for id, amount, _ in event.returned:
                prisoner = state.prison.get(id)
                if prisoner is not None:
                    moves.move(PRISON, _owner(prisoner), amount)
                    moves.move(PRISON, BANK, prisoner.amount - amount)
                else:
                    _lifted(moves, state.stakes[id], amount)
        case play.LosersCollected() if state.settlement is not None:
            _settled(moves, (line for line in state.settlement.lines if not line.won))
        case play.WinnersPaid():
            for payment in islice(state.due, event.payments):
                _settled(moves, payment.lines)
        case play.ChoiceMade():
            moves.move(PRISON, _owner(event.line.stake), event.line.returned)
            moves.move(PRISON, BANK, event.line.lost)
        case play.CustodyClaimed():
            moves.move(custody(event.player), purse(event.player), event.amount)
        case house.BankOpened() | house.BankFilled():
            moves.move(DESK, BANK, event.amount)
        case house.BankCredited():
            moves.move(BANK, DESK, event.amount)
        case house.BoxEmptied():
            # The desk answers from now on for the chips that were sold for what it was given.
            moves.move(DESK, BOX, event.counted)
            moves.move(MISSING, BOX, event.expected - event.counted)
        case house.WrongPaymentMade():
            moves.move(BANK, purse(event.player), event.amount)
        case house.WrongPaymentCorrected():
            moves.move(purse(event.player), BANK, event.amount)
        case house.TipGiven():
            moves.move(purse(event.player), TIPS, event.amount)
        case _:
            pass  # Most events move no chips.


def _laid(moves: _Moves, event: play.StakePlaced) -> None:
    foreign = event.chips is ChipKind.FOREIGN
    moves.move(ELSEWHERE if foreign else purse(event.player), CLOTH, event.amount)


def _lifted(moves: _Moves, stake: Stake, amount: int) -> None:
    moves.move(CLOTH, _owner(stake), amount)


def _owner(stake: Stake | Prisoner) -> str:
    """Where a stake goes that is given back: chips of another table are handed back as they are."""
    return ELSEWHERE if stake.kind is ChipKind.FOREIGN else purse(stake.player)


def _settled(moves: _Moves, lines: Iterable[Line]) -> None:
    for line in lines:
        stake = line.stake
        lies = PRISON if isinstance(stake, Prisoner) else CLOTH
        # The chips that a reduction frees are the bank's, which pays their worth (AR-26.b).
        moves.move(lies, BANK, line.lost + line.freed)
        moves.move(lies, PRISON, line.held)
        # What the bank pays goes with the stake: to the hand, to ride on the cloth, or aside.
        in_hand = line.won if line.hand >= line.won else 0
        moves.move(BANK, purse(stake.player), in_hand + line.freed)
        moves.move(lies, _owner(stake), line.hand - in_hand - line.freed)
        moves.move(BANK, CLOTH, line.won - in_hand)
        moves.move(lies, custody(stake.player), line.aside)


class LedgerError(NovamasError):
    """Accounts that do not agree: which, and by how much."""


def balances(entries: Iterable[Transfer], start: Mapping[str, int] | None = None) -> dict[str, int]:
    """The balance of every account after the transfers."""
    found: dict[str, int] = defaultdict(int, start or {})
    for source, target, amount in entries:
        found[source] -= amount
        found[target] += amount
    return dict(found)


def expected(house_table: HouseTable) -> dict[str, int]:
    """What the accounts inside the table must show, told from the table itself."""
    state = house_table.state
    inside = {CLOTH: state.on_cloth, PRISON: sum(p.amount for p in state.prison.values())}
    inside.update({purse(player.name): player.purse for player in state.players.values()})
    inside.update({custody(name): amount for name, amount in state.custody.items()})
    return inside


def check(house_table: HouseTable, found: Mapping[str, int]) -> None:
    """Checks that the ledger sums to zero and agrees with the table, account by account."""
    total = sum(found.values())
    if total:
        raise LedgerError(f"the ledger does not sum to zero: {total:+d}")
    wanted = expected(house_table)
    outside = (BANK, DESK, BOX, MISSING, ELSEWHERE, TIPS)
    for account in sorted({*wanted, *found} - set(outside)):
        if wanted.get(account, 0) != found.get(account, 0):
            raise LedgerError(
                f"{account}: the ledger shows {found.get(account, 0)}, "
                f"the table {wanted.get(account, 0)}"
            )
