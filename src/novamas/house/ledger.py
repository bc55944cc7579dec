"""The ledger: double entry. Each event is written with its transfers, which sum to zero.

Each event says which chips it moves (`Event.move`), between the accounts of `table.accounts`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from novamas.game.errors import NovamasError
from novamas.house.table.state import HouseTable
from novamas.table.accounts import (
    BANK,
    BOX,
    CLOTH,
    DESK,
    ELSEWHERE,
    MISSING,
    PRISON,
    TIPS,
    Transfer,
    Transfers,
    custody,
    purse,
)
from novamas.table.events import Event


def transfers(house_table: HouseTable, event: Event) -> tuple[Transfer, ...]:
    """The transfers of an event; `house_table` is the table right before it."""
    moved = Transfers()
    event.move(moved, house_table.state)
    return moved.gathered()


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
    """The balances that the table's own state requires."""
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
