"""Verification: whether a log is complete, replays correctly, and drew what it committed to.

It trusts no stored result: the chain is hashed again, the table is replayed, and every transfer of
the ledger and every drawn number is computed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from novamas.game.wheel import Pocket
from novamas.house import ledger
from novamas.house.ball.verify_log import DrawCheck
from novamas.house.log.checkpoints import Checkpoint
from novamas.house.log.codec import decode
from novamas.house.log.hash_chain import follows
from novamas.house.log.reader import Log
from novamas.house.log.store import GENESIS, Record, Store
from novamas.house.table import events as house
from novamas.house.table import snapshot
from novamas.house.table.state import HouseTable, advance
from novamas.house.views.history import replayed
from novamas.table.events import BallPocketed, CoupEnded, Event


@dataclass(slots=True)
class Verdict:
    """The result of verifying one log."""

    table: str
    events: int = 0
    coups: int = 0
    drawn: int = 0
    """Commitments that were opened and drew the right number."""
    open: int = 0
    """Commitments that are not opened yet: at most the last."""
    unwitnessed: int = 0
    """Events after the newest checkpoint; none after an orderly shutdown."""
    problems: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether no problem was found."""
        return not self.problems


def chain_problems(
    records: Iterable[Record], checkpoints: Iterable[Checkpoint] = ()
) -> Iterator[str]:
    """Finds problems of a hash chain: a gap, a changed field, a cut tail."""
    wanted = {checkpoint.seq: checkpoint.hash for checkpoint in checkpoints}
    previous, seq = GENESIS, 0
    for record in records:
        seq += 1
        if record.seq != seq:
            yield f"event {seq} is missing: {record.seq} stands in its place"
            return
        if record.previous != previous:
            yield f"event {seq} does not follow the one before it"
            return
        if not follows(record, previous):
            yield f"event {seq} was changed"
            return
        if seq in wanted and wanted.pop(seq) != record.hash.hex():
            yield f"event {seq} is not the one that the checkpoint saw"
            return
        previous = record.hash
    for missing in sorted(wanted):
        yield f"the log ends at {seq}, but a checkpoint saw {missing}"


def verify_table(
    store: Store,
    table: str,
    checkpoints: Iterable[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
) -> Verdict:
    """Verifies one table from its first event to its last."""
    verdict = Verdict(table)
    own = [checkpoint for checkpoint in checkpoints if checkpoint.table == table]
    verdict.problems.extend(chain_problems(store.read(table), own))
    if not verdict.problems:
        verdict = check_ledger(store, table, progress)
    if own:
        verdict.unwitnessed = verdict.events - max(checkpoint.seq for checkpoint in own)
    return verdict


def check_ledger(
    store: Store, table: str, progress: Callable[[int], None] | None = None
) -> Verdict:
    """Computes the ledger of one table again from its events, without checking the hash chain."""
    verdict = Verdict(table)
    try:
        _replay(store, verdict, progress)
    except Exception as problem:  # noqa: BLE001 - a forged event may break anything
        verdict.problems.append(f"event {verdict.events + 1}: {str(problem) or repr(problem)}")
    return verdict


class _Books:
    """The ledger, computed again and compared with the stored one."""

    def __init__(self, store: Store, table: str) -> None:
        self._kept = store.balances(table)
        self._entries = store.entries(table)
        self._found: dict[str, int] = defaultdict(int)

    def take(self, seq: int, house_table: HouseTable, event: Event) -> None:
        """Computes the transfers of an event, and compares them with the ledger."""
        for moved in ledger.transfers(house_table, event):
            entry = next(self._entries, None)
            if entry is None or (entry.seq, entry.transfer) != (seq, moved):
                raise ledger.LedgerError(f"the ledger does not have {tuple(moved)}")
            self._found[moved.source] -= moved.amount
            self._found[moved.target] += moved.amount

    def check(self, house_table: HouseTable) -> None:
        """Checks that the accounts agree with the table."""
        ledger.check(house_table, self._found)

    def close(self, house_table: HouseTable) -> None:
        """Checks that no entry is left over, and that the stored balances are right."""
        self.check(house_table)
        if next(self._entries, None) is not None:
            raise ledger.LedgerError("the ledger has transfers that no event made")
        if {account: amount for account, amount in self._found.items() if amount} != self._kept:
            raise ledger.LedgerError("the balances kept are not those of the transfers")


def _replay(store: Store, verdict: Verdict, progress: Callable[[int], None] | None) -> None:
    house_table: HouseTable | None = None
    books = _Books(store, verdict.table)
    draws = DrawCheck()
    remembered, kept = store.snapshot(verdict.table, since=0) or (0, b"")
    for record in store.read(verdict.table):
        state = house_table.state if house_table is not None else None
        event = decode(record.type, record.version, record.payload, state)
        if house_table is None:
            if not isinstance(event, house.TableSetUp):
                raise ValueError("the log does not begin with its table")
            house_table = HouseTable.fresh(event)
        else:
            books.take(record.seq, house_table, event)
            problem = draws.problem(house_table, event)
            if problem:
                raise ValueError(problem)
            advance(house_table, event)
        if record.seq == remembered:
            if snapshot.is_current(kept) and not _same(snapshot.remember(house_table), kept):
                raise ValueError("the snapshot is not the table that the log tells")
            remembered, kept = store.snapshot(verdict.table, since=record.seq + 1) or (0, b"")
        verdict.events += 1
        if record.type == "CoupEnded":
            verdict.coups += 1
            books.check(house_table)
        if progress is not None and verdict.events % 1000 == 0:
            progress(verdict.events)
    if house_table is not None:
        books.close(house_table)
    if remembered > verdict.events:
        raise ValueError(f"a snapshot of event {remembered} outlived its log")
    verdict.drawn = draws.opened
    verdict.open = int(house_table is not None and house_table.commitment is not None)


def _same(one: bytes, other: bytes) -> bool:
    """Whether two snapshots describe the same table."""
    try:
        return bool(msgspec.json.decode(one) == msgspec.json.decode(other))
    except msgspec.DecodeError:
        return False


class BallCheck(NamedTuple):
    """A drawn coup, computed again."""

    coup: int
    """The coups of a table are counted from 1."""
    spin: int
    number: Pocket
    commitment: house.BallCommitted | None
    revealed: house.BallRevealed | None
    problem: str
    """Empty if it is what was committed to."""


class Balls:
    """Every drawn coup of a table, computed again in order; none at a table with a wheel."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._table = table
        self.drawn = False
        """Whether the table's numbers are drawn; known after the iteration."""
        self.waiting = False
        """Whether a commitment waits for its ball."""
        self.chains: list[house.BallChainCommitted] = []
        """The chains that the house committed to."""

    def __iter__(self) -> Iterator[BallCheck]:
        draws, coup, problem = DrawCheck(), 1, ""
        revealed: house.BallRevealed | None = None
        standing: house.BallCommitted | None = None
        for _, event, house_table in replayed(self._log, self._table):
            self.drawn = house_table.ball is house.BallMode.DRAWN
            problem = problem or draws.problem(house_table, event)
            if isinstance(event, house.BallChainCommitted):
                self.chains.append(event)
            elif isinstance(event, house.BallCommitted):
                self.waiting = True
            elif isinstance(event, house.BallRevealed):
                revealed, standing, self.waiting = event, house_table.commitment, False
            elif isinstance(event, BallPocketed) and self.drawn:
                if revealed is None:
                    problem = "no ball was revealed"
                yield BallCheck(
                    coup, house_table.state.spins, event.number, standing, revealed, problem
                )
                revealed, standing, problem = None, None, ""
            elif isinstance(event, CoupEnded):
                coup += 1
