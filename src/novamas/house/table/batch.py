"""A batch of commands: its events and other results, before they are durable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from novamas.game.wheel import Pocket
from novamas.house import ledger
from novamas.house.ball.fair_draw import Chain, Secret
from novamas.house.ball.health import Monitor
from novamas.house.clock import Clock
from novamas.house.log.codec import encode
from novamas.house.log.hash_chain import link
from novamas.house.log.store import Batch, Entry, Head, Outcome, Record, StoreError
from novamas.house.people.transfers import Counterparts, Move, move_of
from novamas.house.table.answers import Known, outcome_of
from novamas.house.table.events import BallRevealed, TableStopped
from novamas.house.table.state import HouseTable, advance
from novamas.house.views import live_view
from novamas.table.accounts import Transfer
from novamas.table.events import BallPocketed, BallVoided, CoupEnded, Event, TableClosed


class Loaded(NamedTuple):
    """A table as it was loaded from its store."""

    house_table: HouseTable
    head: Head
    balances: dict[str, int]
    chain: Chain | None = None
    """The secrets of a ball that is running already; other old chains are not needed."""
    is_taken_up: bool = False
    """Whether it came from the store: then another server may have revealed its chain."""
    secret: Secret | None = None
    """The single secret of a running ball that version 0.1.0 committed to."""


class PendingBatch:
    """The results of a batch: the state in memory uses them at once, the store follows."""

    def __init__(self, loaded: Loaded, clock: Clock, monitor: Monitor) -> None:
        self._house_table, self.head, self._balances, *_ = loaded
        self._after = self.head.seq
        self._clock = clock
        self._monitor = monitor
        self.records: list[Record] = []
        self.notes: list[live_view.Noted | None] = []
        """For each record, what its live view needs of the table right before it."""
        self.answers: dict[str, Known] = {}
        """Command id → whose it is, and its answer."""
        self.moves: list[Move] = []
        """Money that moves between the table and the rest of the house, in order."""
        self.counterparts = Counterparts(self._house_table.table)
        """The register's side of these moves, as far as it was decided."""
        self.secrets: list[tuple[int, bytes]] = []
        """Chain → its encrypted seed."""
        self.ends_coup = False
        self._entries: list[Entry] = []
        self._numbers: list[Pocket] = []

    def record(self, event: Event, command: str | None, *, asked_by: str = "") -> Move | None:
        """Adds an event to the hash chain, makes its transfers, and applies it to the table.

        Returns the money that it moves between the table and the rest of the house, if any.
        """
        table, found = self._house_table.table, self._balances
        seq = self.head.seq + 1
        record = link(table, seq, self._clock.now(), encode(event), command, self.head.hash)
        moved = ledger.transfers(self._house_table, event)
        for transfer in moved:
            source, target, amount = transfer
            self._entries.append(Entry(table, seq, transfer))
            found[source] = found.get(source, 0) - amount
            found[target] = found.get(target, 0) + amount
        move = move_of(seq, event, moved, asked_by=asked_by)
        if move is not None:
            self.moves.append(move)
        self.notes.append(live_view.note(self._house_table, event))
        advance(self._house_table, event)
        self._check(moved, event)
        self.records.append(record)
        self.head = Head(seq, record.hash)
        self.ends_coup |= isinstance(event, CoupEnded | TableClosed)
        if isinstance(event, BallRevealed):
            self._numbers.append(event.number)
        return move

    def _check(self, moved: Sequence[Transfer], event: Event) -> None:
        """Checks that ledger and table agree: on the changed purses, and at a coup's end on all."""
        if isinstance(event, CoupEnded | BallVoided | BallPocketed):
            ledger.check(self._house_table, self._balances)
            return
        for transfer in moved:
            for account in (transfer.source, transfer.target):
                kind, _, name = account.partition(":")
                player = self._house_table.state.players.get(name) if kind == "purse" else None
                if player is not None and player.purse != self._balances[account]:
                    raise StoreError(f"the ledger and the table disagree on {account}")

    def watch_ball(self) -> None:
        """Passes the drawn numbers to the health monitor, and stops a table that fails it."""
        numbers, self._numbers = self._numbers, []
        wheel = self._house_table.state.book.wheel.pockets
        for number in numbers:
            alarm = self._monitor.see(wheel.index(number))
            if alarm is not None and self._house_table.stopped is None:
                self.record(TableStopped(reason=alarm), None)

    def outcomes(self) -> tuple[Outcome, ...]:
        """The answers as they are stored."""
        table = self._house_table.table
        return tuple(outcome_of(table, known) for known in self.answers.values())

    def batch(self, *, earlier: Sequence[Outcome], snapshot: bytes | None) -> Batch:
        """The batch for the store, with earlier answers that are not stored yet."""
        return Batch(
            self._house_table.table,
            self._after,
            tuple(self.records),
            tuple(self._entries),
            (*earlier, *self.outcomes()),
            tuple(self.secrets),
            snapshot,
        )
