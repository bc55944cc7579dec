"""`novamas ledger check`: whether a house's books are right to the last chip."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from typing import TYPE_CHECKING

from novamas.cli.open_store import Progress, logs_of, opened
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.house.log.store import Store
    from novamas.house.log.verify import Verdict


def run(args: Namespace, terminal: Terminal) -> int:
    """Tells of each table whether its ledger is right, and what it holds; 1 if one is not."""
    from novamas.house.leases import called
    from novamas.house.log.verify_house import check_books, check_conservation

    checked: list[tuple[Verdict, dict[str, int], int]] = []
    between: list[str] = []
    with opened(args.store) as store:
        for table in logs_of(store, args.table):
            progress = Progress(called(table))
            verdict = check_books(store, table, progress)
            progress.done()
            transfers = sum(1 for _ in store.entries(table))
            checked.append((verdict, _accounts(store, table), transfers))
        if args.table is None:
            between = check_conservation(store)
    if args.json:
        tables = [
            {
                "table": verdict.table,
                "sound": verdict.is_sound,
                "transfers": transfers,
                "accounts": accounts,
                "problems": verdict.problems,
            }
            for verdict, accounts, transfers in checked
        ]
        terminal.data(tables if args.table is not None else [*tables, _between(between)])
    else:
        for each in checked:
            _tell(terminal, *each)
        for problem in between:
            terminal.tell(f"between the logs: {problem}", indent="  ", first="", style="red")
        if args.table is None and not between:
            terminal.tell("between the logs: nothing was made or lost", indent="  ", first="")
    return int(bool(between) or not all(verdict.is_sound for verdict, _, _ in checked))


def _between(problems: list[str]) -> dict[str, object]:
    """What was found between the logs, in the shape of the others."""
    return {"table": None, "sound": not problems, "problems": problems}


def _accounts(store: Store, table: str) -> dict[str, int]:
    """The balance of each kind of account: what single players hold is summed up."""
    found: dict[str, int] = defaultdict(int)
    for account, amount in store.balances(table).items():
        found[account.partition(":")[0]] += amount
    return {kind: amount for kind, amount in sorted(found.items()) if amount}


def _tell(terminal: Terminal, verdict: Verdict, accounts: dict[str, int], transfers: int) -> None:
    from novamas.house.leases import called

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
