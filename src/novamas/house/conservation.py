"""Conservation over the whole house: no money is made or lost between its logs.

Each log's ledger sums to zero by itself. Between them, the register's account of a table and the
table's account of the cash desk are two sides of the same money: they sum to zero too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from novamas.house.ledger import balances
from novamas.house.log import upgrade
from novamas.house.log.store import Store
from novamas.house.people import events
from novamas.house.people.registry import LOG, decode
from novamas.house.people.state import TABLES, Register, table_account, transfers
from novamas.table.accounts import CLOTH, DESK, PRISON

Balances = Mapping[str, int]
NEVER_BELOW_ZERO = ("wallet", "purse", "custody", CLOTH, PRISON)
"""Kinds of accounts that cannot be negative."""
COUNTERPARTS = (
    events.ChipsSold,
    events.ChipsRedeemed,
    events.DeskIssued,
    events.DeskReceived,
)
"""What the register writes for an event of a table."""


class Difference(NamedTuple):
    """Accounts that do not agree."""

    log: str
    """The log that is affected: a table's name, or the register's."""
    problem: str


class Totals(NamedTuple):
    """Where the money of a house is, as of one moment."""

    wallets: int
    tables: int
    """Everything that the tables hold from wallets and the cash desk."""
    logs: int


def balances_of(store: Store) -> dict[str, dict[str, int]]:
    """The balances of every log, as of one moment; call it in the store's thread."""
    with store.moment():
        return {log: store.balances(log) for log in store.tables()}


def differences(found: Mapping[str, Balances]) -> Iterator[Difference]:
    """Finds the differences between the accounts of a house, each with its log."""
    for log, accounts in found.items():
        total = sum(accounts.values())
        if total:
            yield Difference(log, f"the ledger does not sum to zero: {total:+d}")
        for account, amount in accounts.items():
            if amount < 0 and account.partition(":")[0] in NEVER_BELOW_ZERO:
                yield Difference(log, f"{account} is overdrawn: {amount}")
    register = found.get(LOG)
    if register is None:
        return  # A house without a register: its operator accounts for the desk.
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
    if register.get(TABLES, 0):
        carried = register[TABLES]
        yield Difference(LOG, f"{carried} was carried to tables, and no table answers for it")
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
    """Finds moves that are in only one of two logs, event by event; it reads whole logs."""
    logs = store.tables()
    if LOG not in logs:
        return
    written = _in_register(store)
    old = {each.table: each for each in upgrade.examine(store, upgrade.tables_of_0_1_0(store))}
    for table in logs:
        if table == LOG:
            continue
        since = 0
        if table in old:
            since = old[table].seq
            yield from _carried_wrongly(old[table])
        moved = _at_table(store, table)
        for seq in sorted({*moved, *written.get(table, {})}):
            if seq <= since:
                continue
            here, there = moved.get(seq, 0), written.get(table, {}).get(seq, 0)
            if here != there:
                yield Difference(
                    table, f"event {seq} moved {here} from the desk, the register wrote {there}"
                )


def wrong_in(books: upgrade.Books) -> Iterator[Difference]:
    """Finds the differences between a table of version 0.1.0 and the register."""
    yield from (Difference(books.table, each) for each in books.problems)


def _carried_wrongly(books: upgrade.Books) -> Iterator[Difference]:
    """Finds what is wrong with the old accounts of a table, or with their migration."""
    yield from wrong_in(books)
    carried = books.carried
    if carried is None:
        return
    for each in books.unfinished:
        left = f"{type(each).__name__} is missing: its money was under way"
        yield Difference(books.table, left)
    if (carried.wallets, carried.desk) != (books.wallets, books.desk):
        yield Difference(
            books.table,
            f"{carried.wallets} of wallets and {carried.desk} of the desk were carried over, but"
            f" the old books say {books.wallets} and {books.desk}",
        )


def as_carried(
    found: Mapping[str, Balances], books: Iterable[upgrade.Books]
) -> dict[str, Balances]:
    """The balances after the migration of the old accounts that are not migrated yet."""
    moved = [move for each in books if each.carried is None for move in each.transfers()]
    return {**found, LOG: balances(moved, found.get(LOG, {}))}


def _at_table(store: Store, table: str) -> Counter[int]:
    """Event → what it moved from the cash desk to the table."""
    moved: Counter[int] = Counter()
    for _, seq, (source, target, amount) in store.entries(table):
        if DESK in (source, target):
            moved[seq] += amount if source == DESK else -amount
    return moved


def _in_register(store: Store) -> dict[str, Counter[int]]:
    """Table → event → what it moved to the table, by the register."""
    written: dict[str, Counter[int]] = {}
    register = Register()
    for record in store.read(LOG):
        event = decode(record)
        if not isinstance(event, COUNTERPARTS):
            continue
        table, seq = event.table, event.seq
        account = table_account(table)
        for source, target, amount in transfers(event, register):
            sign = (target == account) - (source == account)
            written.setdefault(table, Counter())[seq] += sign * amount
    return written


def describe(problems: Iterable[Difference]) -> str:
    """The differences in one line, each with its log."""
    names = {LOG: "the register"}
    return "; ".join(f"{names.get(log, log)}: {problem}" for log, problem in problems)
