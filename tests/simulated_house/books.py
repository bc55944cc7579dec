"""The books of a simulated house, kept from the ledgers' entries without the house's own code.

Each log's accounts sum to zero. What the register says a table holds is what the table has from the
desk, after every commit. Nobody owes anything who cannot.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from novamas.house.people.registry import LOG
from novamas.table.accounts import Transfer

SOLVENT = ("wallet", "purse", "custody", "cloth", "prison")
"""Whoever cannot have less than nothing."""


class Books:
    """The accounts of every log."""

    def __init__(self) -> None:
        self._accounts: dict[str, Counter[str]] = defaultdict(Counter)
        self.moved = 0
        """All the units that were moved."""

    def enter(self, log: str, transfers: Iterable[Transfer]) -> Iterator[str]:
        """Enters transfers; gives what is wrong with them."""
        accounts = self._accounts[log]
        touched: dict[str, None] = {}
        for source, target, amount in transfers:
            if amount <= 0:
                yield f"{log}: {amount} from {source} to {target}"
            accounts[source] -= amount
            accounts[target] += amount
            touched |= {source: None, target: None}
            self.moved += amount
        for account in touched:
            if account.partition(":")[0] in SOLVENT and accounts[account] < 0:
                yield f"{log}: {account} is overdrawn by {-accounts[account]}"

    def differences(self) -> Iterator[str]:
        """What does not agree between the logs."""
        register = self._accounts[LOG]
        for log, accounts in self._accounts.items():
            if log != LOG and accounts["desk"] + register[f"table:{log}"]:
                yield (
                    f"the register has {register[f'table:{log}']} at {log}, "
                    f"which has {-accounts['desk']} from the desk"
                )
