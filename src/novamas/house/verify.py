"""Verification: whether a log is whole, says what was played, and drew what it had committed to.

Nothing here trusts what the house remembers: the chain is hashed again, the table is played again,
every transfer of the ledger is worked out again, and every drawn number too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from novamas.house import ball, ledger
from novamas.house import events as house
from novamas.house.chain import digest_of
from novamas.house.checkpoints import Checkpoint
from novamas.house.codec import Encoded, UnknownEventError, decode
from novamas.house.hall import Hall, advance
from novamas.house.store import GENESIS, Record, Store
from novamas.table.events import BallPocketed, Event


@dataclass(slots=True)
class Verdict:
    """What was found in one log."""

    table: str
    events: int = 0
    coups: int = 0
    drawn: int = 0
    """Commitments that were opened and drew what they had to."""
    open: int = 0
    """Commitments that are not opened yet: at most the last."""
    problems: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def chain_problems(
    records: Iterable[Record], checkpoints: Iterable[Checkpoint] = ()
) -> Iterator[str]:
    """What is wrong with a chain: a gap, a changed field, a cut tail."""
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
        event = Encoded(record.type, record.version, record.payload)
        digest = digest_of(record.table, seq, record.at, event, record.command, previous)
        if digest != record.hash:
            yield f"event {seq} was changed"
            return
        if seq in wanted and wanted.pop(seq) != digest.hex():
            yield f"event {seq} is not the one that the checkpoint saw"
            return
        previous = digest
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
        try:
            _replay(store, verdict, progress)
        except (UnknownEventError, ledger.LedgerError, ValueError, LookupError) as problem:
            verdict.problems.append(f"event {verdict.events + 1}: {problem}")
    return verdict


def _replay(store: Store, verdict: Verdict, progress: Callable[[int], None] | None) -> None:
    table = verdict.table
    hall: Hall | None = None
    found: dict[str, int] = {}
    entries = store.entries(table)
    committed: dict[int, str] = {}
    for record in store.read(table):
        event = decode(
            record.type, record.version, record.payload, hall.state if hall is not None else None
        )
        if hall is None:
            if not isinstance(event, house.TableSetUp):
                raise ValueError("the log does not begin with its table")
            hall = Hall.fresh(event)
        else:
            for moved in ledger.transfers(hall, event):
                entry = next(entries, None)
                if entry is None or (entry.seq, entry.transfer) != (record.seq, moved):
                    raise ledger.LedgerError(f"the ledger does not have {tuple(moved)}")
                found = ledger.balances([moved], found)
            _ball(verdict, hall, event, committed)
            advance(hall, event)
        verdict.events += 1
        if record.type == "CoupEnded":
            verdict.coups += 1
            ledger.check(hall, found)
        if progress is not None and verdict.events % 1000 == 0:
            progress(verdict.events)
    if next(entries, None) is not None:
        raise ledger.LedgerError("the ledger has transfers that no event made")
    if hall is not None:
        ledger.check(hall, found)
    kept = store.balances(table)
    if {a: b for a, b in found.items() if b} != kept:
        raise ledger.LedgerError("the balances kept are not those of the transfers")
    verdict.open = len(committed)
    if verdict.open > 1:
        raise ValueError(f"{verdict.open} commitments were never opened")


def _ball(verdict: Verdict, hall: Hall, event: Event, committed: dict[int, str]) -> None:
    if isinstance(event, house.BallCommitted):
        committed[event.spin] = event.commitment
    elif isinstance(event, house.BallRevealed):
        secret = bytes.fromhex(event.secret)
        if ball.commitment(hall.table, event.spin, secret) != committed.pop(event.spin, None):
            raise ValueError(f"the secret of spin {event.spin} does not open its commitment")
        if event.number is None:
            return
        if event.nonces != (hall.closed_nonces or {}):
            raise ValueError(f"spin {event.spin} was not drawn with the nonces of its close")
        if ball.draw(hall.table, event.spin, secret, event.nonces) != event.number:
            raise ValueError(f"spin {event.spin} did not draw {event.number}")
        verdict.drawn += 1
    elif isinstance(event, BallPocketed) and hall.ball is house.BallMode.DRAWN:
        spin, number = hall.drawn[-1]
        if (spin, number) != (hall.state.spins, event.number):
            raise ValueError(f"spin {hall.state.spins} was not the number that was drawn")
