"""R10: a restart is short.

How long it takes with a million events in the log is measured by `make bench`. Here it is shown why
it does not matter how many there are: what is read at a restart is the end of the log alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.longlog import LongTable
from novamas.house.house import House
from novamas.house.log.reader import PatientLog
from novamas.house.log.store import Entry, Record
from novamas.house.log.stores import sqlite
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.views import history
from novamas.house.views.event_view import Audience
from novamas.table import commands
from tests.promises.figures import record

EVENTS = 20_000


class CountingStore(SqliteStore):
    """Counts the events and transfers that are read."""

    read_events = 0
    read_entries = 0

    def read(self, table: str, *, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a log in order, counted."""
        for each in super().read(table, after=after, until=until):
            self.read_events += 1
            yield each

    def entries(self, table: str, *, after: int = 0) -> Iterator[Entry]:
        """The ledger's entries in order, counted."""
        for each in super().entries(table, after=after):
            self.read_entries += 1
            yield each


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long log whose snapshot stands a little before its end."""
    path = tmp_path_factory.mktemp("grown") / "house.db"
    store = SqliteStore(path)
    table = LongTable(store)
    table.grow(EVENTS)
    table.grow(table.loaded.head.seq + 600, remember=False)
    store.close()
    return path


async def restart(path: Path) -> tuple[CountingStore, int]:
    store = CountingStore(path)
    house = House(store)
    await house.open()
    table = house.tables["1"]
    shown = await table.look(audience=Audience.PUBLIC, player="player 1")
    assert shown.seq == table.head.seq
    stake = commands.PlaceStake(by="player 1", id="new", player="player 1", on="17", amount=100)
    answer = await table.submit("new stake", stake)
    assert answer.refusal is None
    events = answer.last
    read = store.read_events
    await house.close()
    store.read_events = read
    return store, events


def test_r10_a_restart_reads_the_end_of_the_log_alone(grown: Path) -> None:
    began = time.perf_counter()
    store, events = asyncio.run(restart(grown))
    seconds = time.perf_counter() - began
    assert events > EVENTS + 600
    # The events since the snapshot, with the one that it stands at and the last one.
    assert store.read_events <= 700
    assert store.read_entries == 0
    record(
        "R10",
        "a restart until the first stake is accepted",
        events_in_the_log=events,
        events_read=store.read_events,
        seconds=round(seconds, 2),
    )


def test_r10_the_first_question_about_coups_reads_the_end_of_the_log_alone(
    grown: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "RECENT", 3_000)
    store = CountingStore(grown)
    store.read_events = 0
    with ThreadPoolExecutor(max_workers=1) as thread:
        log = PatientLog(store, thread)
        coups = history.Coups("1", most=1000)
        coups.go_on_recent(log)
        newest = coups.views()
        assert 0 < store.read_events <= 3_000
        # What it tells of these coups is what a reader of the whole log tells.
        whole = history.Coups("1", most=1000)
        whole.go_on(log)
        assert whole.views()[-len(newest) :] == newest
        assert newest, "there are coups among the recent events"
    store.close()


def test_r10_the_check_at_the_door_does_not_read_a_large_file(
    grown: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has no time for is left to the inspection, which takes place while play goes on."""
    monkeypatch.setattr(sqlite, "DOOR", 0.0)
    store = SqliteStore(grown)
    looks: list[bool] = []
    for seconds in (0.0, 60.0):
        monkeypatch.setattr(sqlite, "DOOR", seconds)
        assert store.check() == []
        looks.append(store._seen_whole)
        assert store.inspect() == []
    assert looks == [False, True]
    store.close()


def test_r10_a_memento_that_cannot_be_read_costs_time_and_nothing_else(grown: Path) -> None:
    damaged = SqliteStore(grown)
    with damaged._connection:
        damaged._connection.execute("UPDATE snapshots SET memento = x'7b7d'")
    damaged.close()
    store, events = asyncio.run(restart(grown.rename(grown.with_name("damaged.db"))))
    assert store.read_events >= EVENTS
    assert events > EVENTS


def test_r10_a_table_in_play_keeps_its_memento_near_the_end(tmp_path: Path) -> None:
    """The actor itself writes snapshots as it goes, so that a restart finds a young one."""

    async def play() -> None:
        store = SqliteStore(tmp_path / "house.db")
        LongTable(store).commit(remember=False)
        house = House(store)
        await house.open()
        table = house.tables["1"]
        for number in range(1_500):
            id = f"stake-{number}"
            stake = commands.PlaceStake(
                by="player 1", id=id, player="player 1", on="17", amount=100
            )
            await table.submit(id, stake)
            if number % 10 == 9:
                # What lies on the cloth is taken back, as in a long night of short coups.
                for back in range(number - 9, number + 1):
                    taken = commands.WithdrawStake(by="player 1", id=f"stake-{back}")
                    await table.submit(f"back-{back}", taken)
        remembered, _ = store.snapshot("1") or (0, b"")
        assert table.head.seq - remembered < 1_100
        assert remembered > 1_800
        await house.close()

    asyncio.run(play())
