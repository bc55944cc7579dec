"""`novamas ledger check`: whether a house's books are right to the last chip."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from typing import TYPE_CHECKING

from novamas.cli.store import Progress, logs_of, opened
from novamas.cli.terminal import Terminal
from novamas.odds.written import counted

if TYPE_CHECKING:
    from novamas.house.store import Store
    from novamas.house.verify import Verdict


def run(args: Namespace, terminal: Terminal) -> int:
    """Tells of each table whether its ledger is right, and what it holds; 1 if one is not."""
    from novamas.house.tenancy import called
    from novamas.house.verify_house import check_books

    checked: list[tuple[Verdict, dict[str, int], int]] = []
    with opened(args.store) as store:
        for table in logs_of(store, args.table):
            progress = Progress(called(table))
            verdict = check_books(store, table, progress)
            progress.done()
            transfers = sum(1 for _ in store.entries(table))
            checked.append((verdict, _accounts(store, table), transfers))
    if args.json:
        terminal.data(
            [
                {
                    "table": verdict.table,
                    "sound": verdict.is_sound,
                    "transfers": transfers,
                    "accounts": accounts,
                    "problems": verdict.problems,
                }
                for verdict, accounts, transfers in checked
            ]
        )
    else:
        for each in checked:
            _tell(terminal, *each)
    return int(not all(verdict.is_sound for verdict, _, _ in checked))


def _accounts(store: Store, table: str) -> dict[str, int]:
    """The balance of each kind of account: what single players hold is summed up."""
    found: dict[str, int] = defaultdict(int)
    for account, amount in store.balances(table).items():
        found[account.partition(":")[0]] += amount
    return {kind: amount for kind, amount in sorted(found.items()) if amount}


def _tell(terminal: Terminal, verdict: Verdict, accounts: dict[str, int], transfers: int) -> None:
    from novamas.house.tenancy import called

    name = called(verdict.table)
    if not verdict.is_sound:
        for problem in verdict.problems:
            terminal.tell(f"{name}: {problem}", indent="  ", first="", style="red")
        return
    held = ", ".join(f"{kind} {amount:+}" for kind, amount in accounts.items())
    moved, agreed = counted(transfers, "transfer"), counted(verdict.events, "event")
    summed = f"{moved}, summing to zero and agreeing with {agreed}"
    terminal.tell(f"{name}: {summed}", indent="  ", first="")
    if held:
        terminal.tell(held, indent="  ")
