"""Migrates the accounts of a store of version 0.1.0 into one ledger.

That version moved money between wallets and tables in two commits: it took the money under the id
of a command, and recorded afterwards whether the table had sold chips for it. The register had one
account for all tables, and no floats and fills. Here every purchase and every departure of such a
table is compared with the register, one by one. Unfinished moves are completed by the rules of that
version, and one event for each table records what came from wallets and what from the cash desk. No
old event is changed, and the comparison can be repeated at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from novamas.house.log.store import Store
from novamas.house.people import events
from novamas.house.people.events import RegisterEvent
from novamas.house.people.registry import LOG, decode
from novamas.house.people.state import TABLES, Register, sound, transfers, wallet
from novamas.table.accounts import DESK, Transfer

FIRST_VERSION = 1
"""The version of the event `TableSetUp` that version 0.1.0 wrote."""
_SOLD, _LEFT = "ChipsBought", "PlayerLeft"


class Books(NamedTuple):
    """The old accounts of one table, and what is left to complete."""

    table: str
    seq: int
    """The last event of the table that they cover."""
    wallets: int
    """Money from wallets, less what went back; unfinished moves count as completed."""
    desk: int
    """The same for the cash desk: everything that no wallet paid or received."""
    unfinished: tuple[RegisterEvent, ...]
    """Events to write so that no move is unfinished."""
    returned: tuple[Transfer, ...]
    """Transfers back to wallets by these events."""
    problems: tuple[str, ...]
    carried: events.BooksCarriedOver | None
    """The event of an earlier migration, if there was one."""

    def to_write(self) -> Iterator[RegisterEvent]:
        """The register's events that migrate them."""
        yield from self.unfinished
        yield self._carrying()

    def transfers(self) -> tuple[Transfer, ...]:
        """The transfers of those events in the register."""
        return (*self.returned, *transfers(self._carrying(), Register()))

    def _carrying(self) -> events.BooksCarriedOver:
        return events.BooksCarriedOver(
            table=self.table, seq=self.seq, wallets=self.wallets, desk=self.desk
        )


@dataclass(slots=True)
class _Order:
    """The state of the money of one command."""

    taken: events.ChipsTaken
    state: type[RegisterEvent]
    seq: int
    """The event of the register that says so."""


@dataclass(slots=True)
class _Written:
    """What the register recorded about one table."""

    orders: dict[str, _Order] = field(default_factory=dict)
    """By the id of the command."""
    brought: dict[int, tuple[int, events.ChipsBrought]] = field(default_factory=dict)
    """Event of the table → event of the register, and its content."""
    first_new: int | None = None
    """The first event of the table whose counterpart a later version wrote."""
    carried: events.BooksCarriedOver | None = None


class _Event(NamedTuple):
    """A purchase or a departure at a table."""

    seq: int
    at: int
    command: str | None
    type: str
    data: dict[str, Any]


def tables_of_0_1_0(store: Store) -> list[str]:
    """The tables that version 0.1.0 set up."""
    found = []
    for log in store.tables():
        first = next(store.read(log, until=1), None) if log != LOG else None
        if first is not None and first.type == "TableSetUp" and first.version == FIRST_VERSION:
            found.append(log)
    return found


def examine(store: Store, tables: Iterable[str]) -> list[Books]:
    """Compares tables of version 0.1.0 with the register; reads whole logs, as of one moment."""
    with store.moment():
        written, known = _read_register(store)
        return [_examine(store, each, written.get(each, _Written()), known) for each in tables]


def to_write(books: Iterable[Books], register: Register) -> Iterator[RegisterEvent]:
    """The events that migrate accounts, without tables that another server has migrated."""
    for each in books:
        if each.table not in register.carried:
            yield from each.to_write()


def _read_register(store: Store) -> tuple[dict[str, _Written], dict[str, int]]:
    """The register's records of each table, and since when it knows each person by name."""
    written: dict[str, _Written] = {}
    known: dict[str, int] = {}
    for record in store.read(LOG):
        event = decode(record)
        if isinstance(event, events.PersonRegistered):
            known.setdefault(event.name, record.at)
        table = getattr(event, "table", None)
        if not isinstance(table, str):
            continue
        here = written.setdefault(table, _Written())
        match event:
            case events.ChipsTaken():
                here.orders[event.command] = _Order(event, type(event), record.seq)
            case events.ChipsArrived() | events.ChipsGivenBack():
                order = here.orders[event.command]
                order.state, order.seq = type(event), record.seq
            case events.ChipsBrought():
                here.brought[event.seq] = (record.seq, event)
            case events.BooksCarriedOver():
                here.carried = event
            case (
                events.ChipsSold()
                | events.ChipsRedeemed()
                | events.DeskIssued()
                | events.DeskReceived()
            ):
                here.first_new = min(here.first_new or event.seq, event.seq)
            case _:
                pass
    return written, known


def _end(store: Store, table: str, written: _Written) -> int:
    """The last event of a table that the old accounts cover."""
    if written.carried is not None:
        return written.carried.seq
    return store.head(table).seq if written.first_new is None else written.first_new - 1


def _examine(store: Store, table: str, written: _Written, known: Mapping[str, int]) -> Books:
    end = _end(store, table, written)
    sold: dict[str, _Event] = {}
    left: list[_Event] = []
    for record in store.read(table, until=end):
        if record.type in (_SOLD, _LEFT):
            data = msgspec.json.decode(record.payload)
            event = _Event(record.seq, record.at, record.command, record.type, data)
            if record.type == _LEFT:
                left.append(event)
            elif record.command is not None:
                sold[record.command] = event
    bought = _Purchases(table, sold)
    for command, order in written.orders.items():
        bought.hold(command, order)
    gone = _Departures(table, known, written.brought)
    for event in left:
        gone.hold(event)
    gone.close({event.seq for event in left})
    wallets = bought.paid - gone.paid
    moved = 0
    for _, seq, (source, target, amount) in store.entries(table):
        if seq <= end:
            moved += amount * ((source == DESK) - (target == DESK))
    return Books(
        table,
        end,
        wallets,
        moved - wallets,
        (*bought.unfinished, *gone.unfinished),
        (*bought.returned, *gone.returned),
        (*bought.problems, *gone.problems),
        written.carried,
    )


class _Purchases:
    """The purchases of a table, compared with the money that was taken for them."""

    def __init__(self, table: str, sold: Mapping[str, _Event]) -> None:
        self._table = table
        self._sold = sold
        self.paid = 0
        """Money from wallets."""
        self.unfinished: list[RegisterEvent] = []
        self.returned: list[Transfer] = []
        self.problems: list[str] = []

    def hold(self, command: str, order: _Order) -> None:
        """Checks that the money of a command is either at the table as chips, or was returned."""
        taken, event = order.taken, self._sold.get(command)
        if event is not None and not _fits(event, taken):
            self.problems.append(
                f"event {event.seq} sold {event.data['player']} {event.data['amount']}, but the"
                f" register took {taken.amount} of {taken.name} for it (command {command})"
            )
        elif event is not None and order.state is events.ChipsGivenBack:
            self.problems.append(
                f"event {event.seq} sold {taken.name} {taken.amount}, and event {order.seq} of the"
                f" register gave the money back: {taken.amount:+d} (command {command})"
            )
        elif event is None and order.state is events.ChipsArrived:
            self.problems.append(
                f"event {order.seq} of the register says that {taken.amount} of {taken.name}"
                f" arrived, and no chips were sold for it: {-taken.amount:+d} (command {command})"
            )
        if order.state is events.ChipsTaken:
            kind = events.ChipsArrived if event is not None else events.ChipsGivenBack
            self.unfinished.append(kind(table=self._table, command=command))
            if event is None and taken.cash_to is None:
                self.returned.append(Transfer(TABLES, wallet(taken.name), taken.amount))
        if event is not None and taken.cash_to is None:
            self.paid += taken.amount


def _fits(event: _Event, taken: events.ChipsTaken) -> bool:
    """Whether a purchase is the one that the money was taken for."""
    data = event.data
    asked = (taken.name, taken.amount, taken.cash_to is not None)
    return (data["player"], data["amount"], data.get("cash", False)) == asked


class _Departures:
    """The departures from a table, compared with the money that came back to wallets."""

    def __init__(
        self,
        table: str,
        known: Mapping[str, int],
        brought: Mapping[int, tuple[int, events.ChipsBrought]],
    ) -> None:
        self._table = table
        self._known = known
        self._brought = brought
        self._newest = max(brought, default=0)
        self.paid = 0
        """Money to wallets."""
        self.unfinished: list[RegisterEvent] = []
        self.returned: list[Transfer] = []
        self.problems: list[str] = []

    def hold(self, event: _Event) -> None:
        """Checks that a player who left got what they held, once."""
        seq, name, amount = event.seq, event.data["player"], event.data["amount"]
        found = self._brought.get(seq)
        if found is not None:
            noted, brought = found
            if (sound(brought.name), brought.amount) != (sound(name), amount):
                self.problems.append(
                    f"{name} left with {amount} at event {seq}, but event {noted} of the register"
                    f" brought {brought.name} {brought.amount}"
                )
            self.paid += brought.amount
            return
        since = self._known.get(name)
        if since is None or since > event.at:
            return  # A player without a wallet was paid at the desk.
        if seq < self._newest:
            self.problems.append(
                f"{name} left with {amount} at event {seq}, and nobody brought it to the wallet:"
                f" {-amount:+d}"
            )
            return
        wanted = events.ChipsBrought(name=name, table=self._table, seq=seq, amount=amount)
        self.unfinished.append(wanted)
        if amount:
            self.returned.append(Transfer(TABLES, wallet(name), amount))
        self.paid += amount

    def close(self, seqs: set[int]) -> None:
        """Checks that every payment to a wallet belongs to a departure."""
        for seq, (noted, brought) in self._brought.items():
            if seq not in seqs:
                self.problems.append(
                    f"event {noted} of the register brought {brought.name} {brought.amount} of"
                    f" event {seq}, with which nobody left: {brought.amount:+d}"
                )
                self.paid += brought.amount
