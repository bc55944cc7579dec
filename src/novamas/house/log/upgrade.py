"""Brings the books of a store of version 0.1.0 into one ledger.

That version carried money between wallets and tables in two commits: it took the money under the
id of a command, and noted afterwards whether the table had sold chips for it. The register had one
account for all tables, and knew nothing of floats and fills. Here every purchase and every
departure of such a table is held against the register, one by one. What was under way is finished
by the rules of that version, and one event a table says what came from wallets and what from the
cash desk. No old event is changed, and the same comparison can be made again at any time.
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
"""Of the event `TableSetUp`, as version 0.1.0 wrote it."""
_SOLD, _LEFT = "ChipsBought", "PlayerLeft"


class Books(NamedTuple):
    """What the old books say of one table, and what is left to be finished."""

    table: str
    seq: int
    """The last event of the table that they answer for."""
    wallets: int
    """What came from wallets, less what went back; what is unfinished counts as finished."""
    desk: int
    """The same of the cash desk: all that no wallet paid or was paid."""
    unfinished: tuple[RegisterEvent, ...]
    """What is still to be written so that nothing is under way any more."""
    returned: tuple[Transfer, ...]
    """What that moves back to wallets."""
    problems: tuple[str, ...]
    carried: events.BooksCarriedOver | None
    """What was written when they were carried over, if they were."""

    def to_write(self) -> Iterator[RegisterEvent]:
        """What the register writes to carry them over."""
        yield from self.unfinished
        yield self._carrying()

    def transfers(self) -> tuple[Transfer, ...]:
        """What those events move in the register."""
        return (*self.returned, *transfers(self._carrying(), Register()))

    def _carrying(self) -> events.BooksCarriedOver:
        return events.BooksCarriedOver(
            table=self.table, seq=self.seq, wallets=self.wallets, desk=self.desk
        )


@dataclass(slots=True)
class _Order:
    """What became of the money of a command."""

    taken: events.ChipsTaken
    state: type[RegisterEvent]
    seq: int
    """The event of the register that says so."""


@dataclass(slots=True)
class _Written:
    """What the register has of one table."""

    orders: dict[str, _Order] = field(default_factory=dict)
    """By the ids of the commands."""
    brought: dict[int, tuple[int, events.ChipsBrought]] = field(default_factory=dict)
    """Event of the table → event of the register, and what it says."""
    first_new: int | None = None
    """The first event of the table that a later version has written a counterpart of."""
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
    """Holds tables of version 0.1.0 against the register; it reads whole logs, as of one moment."""
    with store.moment():
        written, known = _read_register(store)
        return [_examine(store, each, written.get(each, _Written()), known) for each in tables]


def to_write(books: Iterable[Books], register: Register) -> Iterator[RegisterEvent]:
    """What carries books over; another server may have done it for some of the tables."""
    for each in books:
        if each.table not in register.carried:
            yield from each.to_write()


def _read_register(store: Store) -> tuple[dict[str, _Written], dict[str, int]]:
    """What the register has of each table, and since when it knows each person by their name."""
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
    """The last event of a table that the old books answer for."""
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
    """The purchases of a table, held against the money that was taken for them."""

    def __init__(self, table: str, sold: Mapping[str, _Event]) -> None:
        self._table = table
        self._sold = sold
        self.paid = 0
        """From wallets."""
        self.unfinished: list[RegisterEvent] = []
        self.returned: list[Transfer] = []
        self.problems: list[str] = []

    def hold(self, command: str, order: _Order) -> None:
        """The money of one command must be where the chips are not."""
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
    """Whether a purchase is the one that money was taken for."""
    data = event.data
    asked = (taken.name, taken.amount, taken.cash_to is not None)
    return (data["player"], data["amount"], data.get("cash", False)) == asked


class _Departures:
    """The departures from a table, held against the money that came back to wallets."""

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
        """To wallets."""
        self.unfinished: list[RegisterEvent] = []
        self.returned: list[Transfer] = []
        self.problems: list[str] = []

    def hold(self, event: _Event) -> None:
        """Whoever left has what they held, once."""
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
            return  # Somebody without a wallet was paid at the desk.
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
        """Nobody was brought what nobody left with."""
        for seq, (noted, brought) in self._brought.items():
            if seq not in seqs:
                self.problems.append(
                    f"event {noted} of the register brought {brought.name} {brought.amount} of"
                    f" event {seq}, with which nobody left: {brought.amount:+d}"
                )
                self.paid += brought.amount
