"""`novamas verify ledger`: checks that a house's books are right to the last chip."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from novamas.cli.open_store import Progress, logs_of, opened
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.cli.json_shapes.house import VerifiedLedger, VerifyLedgerAnswer
    from novamas.house.log.store import Store
    from novamas.house.log.verify import Verdict


class Book(NamedTuple):
    """What was found in the ledger of one log."""

    verdict: Verdict
    accounts: dict[str, int]
    transfers: int

    def as_data(self) -> VerifiedLedger:
        """The ledger for a program."""
        return {
            "table": self.verdict.table,
            "sound": self.verdict.is_sound,
            "problems": self.verdict.problems,
            "transfers": self.transfers,
            "accounts": self.accounts,
        }


class LedgerReport(NamedTuple):
    """What was found in some ledgers, and between them."""

    books: list[Book]
    between: list[str] | None
    """Money created or lost between the logs; None if only one log was checked."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong in any of them, or between them."""
        return not self.between and all(each.verdict.is_sound for each in self.books)

    def as_data(self) -> VerifyLedgerAnswer:
        """The report for a program."""
        logs = [each.as_data() for each in self.books]
        return {"sound": self.is_sound, "problems": self.between or [], "logs": logs}

    def tell(self, terminal: Terminal) -> None:
        """The report in lines."""
        for each in self.books:
            _tell(terminal, *each)
        for problem in self.between or ():
            terminal.tell(f"between the logs: {problem}", indent="  ", first="", style="red")
        if self.between == []:
            terminal.tell("between the logs: nothing was made or lost", indent="  ", first="")


def run(args: Namespace, terminal: Terminal) -> int:
    """Reports whether each log's ledger is right, and its balances; returns 1 if one is wrong."""
    with opened(args.store) as store:
        report = check(store, args.table)
    if args.json:
        terminal.data(report.as_data())
    else:
        report.tell(terminal)
    return int(not report.is_sound)


def check(store: Store, table: str | None) -> LedgerReport:
    """Checks one ledger, or all of them and the transfers between them."""
    from novamas.house.leases import called
    from novamas.house.log.verify_house import check_books, check_conservation

    books: list[Book] = []
    for each in logs_of(store, table):
        progress = Progress(called(each))
        verdict = check_books(store, each, progress)
        progress.done()
        transfers = sum(1 for _ in store.entries(each))
        books.append(Book(verdict, _accounts(store, each), transfers))
    return LedgerReport(books, check_conservation(store) if table is None else None)


def _accounts(store: Store, table: str) -> dict[str, int]:
    """The balance of each kind of account; players' accounts are added up."""
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
