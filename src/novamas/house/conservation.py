"""Conservation over the whole house: no money is made or lost between its logs.

Each log's ledger sums to zero by itself. Between them, the register's account of a table and the
table's account of the cash desk are two sides of the same money: they sum to zero too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from novamas.house.log.store import Store
from novamas.house.people.registry import LOG, decode
from novamas.house.people.state import table_account, transfers
from novamas.table.accounts import CLOTH, DESK, PRISON

Balances = Mapping[str, int]
NEVER_BELOW_ZERO = ("wallet", "purse", "custody", CLOTH, PRISON)
"""Kinds of accounts that cannot owe anything."""


class Difference(NamedTuple):
    """Accounts that do not agree."""

    log: str
    """The log that is affected: a table's name, or the register's."""
    problem: str


class Totals(NamedTuple):
    """Where the money of a house is, as of one moment."""

    wallets: int
    tables: int
    """All that the tables hold from wallets and the cash desk."""
    logs: int


def balances_of(store: Store) -> dict[str, dict[str, int]]:
    """The balances of every log, as of one moment: for the thread that the store belongs to."""
    with store.moment():
        return {log: store.balances(log) for log in store.tables()}


def differences(found: Mapping[str, Balances]) -> Iterator[Difference]:
    """What is wrong between the accounts of a house, each with the log that it concerns."""
    for log, accounts in found.items():
        total = sum(accounts.values())
        if total:
            yield Difference(log, f"the ledger does not sum to zero: {total:+d}")
        for account, amount in accounts.items():
            if amount < 0 and account.partition(":")[0] in NEVER_BELOW_ZERO:
                yield Difference(log, f"{account} is overdrawn: {amount}")
    register = found.get(LOG)
    if register is None:
        return  # A house without people: whoever runs it answers for the desk.
    tables = [log for log in found if log != LOG]
    for table in tables:
        here, there = found[table].get(DESK, 0), register.get(table_account(table), 0)
        if here + there:
            yield Difference(
                table,
                f"the register shows {there} at the table, the table {-here} from the desk:"
                f" {here + there:+d}",
            )
    known = {table_account(table) for table in tables}
    for account, amount in register.items():
        if account.startswith("table:") and account not in known:
            yield Difference(LOG, f"{account} holds {amount}, but there is no such table")


def totals(found: Mapping[str, Balances]) -> Totals:
    """Where the money of a house is."""
    accounts = found.get(LOG, {})
    sums: Counter[str] = Counter()
    for account, amount in accounts.items():
        sums[account.partition(":")[0]] += amount
    return Totals(wallets=sums["wallet"], tables=sums["table"], logs=len(found))


def unmatched(store: Store) -> Iterator[Difference]:
    """Moves that stand in one log and not in the other, event by event; it reads whole logs."""
    logs = store.tables()
    if LOG not in logs:
        return
    written = _in_register(store)
    for table in logs:
        if table == LOG:
            continue
        moved = _at_table(store, table)
        for seq in sorted({*moved, *written.get(table, {})}):
            here, there = moved.get(seq, 0), written.get(table, {}).get(seq, 0)
            if here != there:
                yield Difference(
                    table, f"event {seq} moved {here} from the desk, the register wrote {there}"
                )


def _at_table(store: Store, table: str) -> Counter[int]:
    """Event → what it moved from the cash desk to the table."""
    moved: Counter[int] = Counter()
    for _, seq, (source, target, amount) in store.entries(table):
        if DESK in (source, target):
            moved[seq] += amount if source == DESK else -amount
    return moved


def _in_register(store: Store) -> dict[str, Counter[int]]:
    """Table → event → what the register says that it moved to the table."""
    written: dict[str, Counter[int]] = {}
    for record in store.read(LOG):
        event = decode(record)
        table, seq = getattr(event, "table", None), getattr(event, "seq", None)
        if table is None or seq is None:
            continue
        account = table_account(table)
        for source, target, amount in transfers(event):
            sign = (target == account) - (source == account)
            written.setdefault(table, Counter())[seq] += sign * amount
    return written


def describe(problems: Iterable[Difference]) -> str:
    """Differences in one line, each with where it is."""
    names = {LOG: "the register"}
    return "; ".join(f"{names.get(log, log)}: {problem}" for log, problem in problems)
