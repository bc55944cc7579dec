"""Verification of a whole house: every log of its store, the tables' and the register's.

Each log is computed again by itself, and then compared with the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from novamas.house import conservation, ledger
from novamas.house.leases import is_table
from novamas.house.log import upgrade
from novamas.house.log.checkpoints import Checkpoint
from novamas.house.log.store import Entry, Store
from novamas.house.log.verify import Verdict, chain_problems, check_ledger, verify_table
from novamas.house.people import snapshot
from novamas.house.people.registry import LOG, Kept, decode
from novamas.house.people.state import transfers

Progress = Callable[[int], None]


def verify_log(
    store: Store,
    log: str,
    checkpoints: Iterable[Checkpoint] = (),
    progress: Progress | None = None,
) -> Verdict:
    """Verifies one log of any kind from its first event to its last."""
    seen = list(checkpoints)
    if is_table(log):
        return verify_table(store, log, seen, progress)
    own = [checkpoint for checkpoint in seen if checkpoint.table == log]
    problems = list(chain_problems(store.read(log), own))
    verdict = Verdict(log, problems=problems) if problems else check_books(store, log, progress)
    if own and not problems:
        verdict.unwitnessed = verdict.events - max(checkpoint.seq for checkpoint in own)
    return verdict


def check_books(store: Store, log: str, progress: Progress | None = None) -> Verdict:
    """Computes the ledger of one log again from its events, without checking the hash chain."""
    if is_table(log):
        return check_ledger(store, log, progress)
    verdict = Verdict(log)
    try:
        _replay_register(store, verdict, progress)
    except Exception as problem:  # noqa: BLE001 - a forged event may break anything
        verdict.problems.append(f"event {verdict.events + 1}: {str(problem) or repr(problem)}")
    return verdict


def check_conservation(store: Store) -> list[str]:
    """Finds what does not agree between the logs of a house: totals, and event by event.

    For a store of version 0.1.0 that was not migrated yet, it checks the result of the migration.
    """
    balances: Mapping[str, conservation.Balances] = conservation.balances_of(store)
    old = upgrade.tables_of_0_1_0(store)
    if old and LOG in balances:
        balances = conservation.as_carried(balances, upgrade.examine(store, old))
    found = [*conservation.differences(balances), *conservation.unmatched(store)]
    return [conservation.describe([each]) for each in found]


def _replay_register(store: Store, verdict: Verdict, progress: Progress | None) -> None:
    kept = Kept()
    found: dict[str, int] = defaultdict(int)
    entries: Iterator[Entry] = store.entries(verdict.table)
    remembered, taken = store.snapshot(verdict.table, since=0) or (0, b"")
    for record in store.read(verdict.table):
        for moved in transfers(decode(record), kept.register):
            entry = next(entries, None)
            if entry is None or (entry.seq, entry.transfer) != (record.seq, moved):
                raise ledger.LedgerError(f"the ledger does not have {tuple(moved)}")
            found[moved.source] -= moved.amount
            found[moved.target] += moved.amount
        kept.go_on([record])
        if record.seq == remembered:
            recalled = snapshot.recall(taken)
            if recalled is not None and recalled != kept.register:
                raise ValueError("a snapshot is not the register that the log tells")
            remembered, taken = store.snapshot(verdict.table, since=record.seq + 1) or (0, b"")
        verdict.events += 1
        if progress is not None and verdict.events % 1000 == 0:
            progress(verdict.events)
    if remembered:
        raise ValueError(f"a snapshot of event {remembered} outlived its log")
    kept.check(found)
    if next(entries, None) is not None:
        raise ledger.LedgerError("the ledger has transfers that no event made")
    if {name: amount for name, amount in found.items() if amount} != store.balances(verdict.table):
        raise ledger.LedgerError("the balances kept are not those of the transfers")
