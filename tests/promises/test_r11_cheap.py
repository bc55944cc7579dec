"""R11: durability is cheap.

200 players lay stakes at one table of a house on SQLite with synchronous=FULL, and every stake is
shown to all of them. What is asserted is counted: how many acknowledgements share one commit and
one fsync. How long it takes beside a store in memory and a bare echo is only written down.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

import apsw
import pytest

from novamas.house.house import House
from novamas.house.log.store import Batch, Store
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import SYNCHRONOUS_FULL, SqliteStore
from novamas.house.table.actor import TableActor
from novamas.house.table.events import BallMode
from novamas.house.table.subscriptions import Subscription
from novamas.house.views.event_view import Audience
from novamas.table import commands
from novamas.table.state import Setup
from novamas.web.ws_frames import pack
from tests.promises.figures import record
from tests.promises.staff import Staff
from tests.web.door import run

PLAYERS = [f"p{number}" for number in range(200)]
STAKES = 5
"""How many each lays, one after the other: the next when the last is acknowledged."""
TURNS = 3
LEAST = 10
"""How many acknowledgements share a commit at the very least."""
PATIENCE = 60.0
"""Seconds after which a disk that nobody writes to is given up."""

_NAMES = (f"counting-{number}" for number in itertools.count(1))


class CountingDisk(apsw.VFS):
    """The real files, with every fsync of a write-ahead log counted; one can be held up."""

    def __init__(self) -> None:
        self.name = next(_NAMES)
        super().__init__(self.name, "")
        self.syncs = 0
        self.reached = threading.Event()
        """Set when an fsync begins."""
        self.goes_on = threading.Event()
        self.goes_on.set()

    def xOpen(  # noqa: N802 - SQLite's own name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        return _CountingFile(self, name, flags)


class _CountingFile(apsw.VFSFile):
    def __init__(
        self, disk: CountingDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        self._disk = disk
        self._is_log = bool(flags[0] & apsw.SQLITE_OPEN_WAL)
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's own name
        if self._is_log:
            self._disk.reached.set()
            self._disk.goes_on.wait()
        super().xSync(flags)
        self._disk.syncs += self._is_log


class Counted:
    """A store whose commits are counted, by how many events each made durable."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        self.commits: list[int] = []
        append = store.append

        def counting(batch: Batch, *others: Batch) -> None:
            append(batch, *others)
            self.commits.append(len(batch.records))

        monkeypatch.setattr(store, "append", counting)


@asynccontextmanager
async def crowded(store: Store) -> AsyncIterator[TableActor]:
    """A table where everybody has chips, and where everybody is shown everything."""
    house, staff = House(store), Staff("bg")
    await house.open()
    try:
        table = await house.set_up("t", "bg", Setup(), ball=BallMode.WHEEL)
        ready = [*staff.opening(), *(each for p in PLAYERS for each in staff.seats(p, 10_000))]
        answers = await asyncio.gather(*(table.submit(f"r{n}", c) for n, c in enumerate(ready)))
        assert all(answer.refusal is None for answer in answers)
        followed = [(await table.follow(audience=Audience.PUBLIC, player=p))[1] for p in PLAYERS]
        shown = [asyncio.create_task(look_on(each)) for each in followed]
        try:
            yield table
        finally:
            for each in followed:
                each.drop()
            # Everybody was shown the same, all of it.
            assert len({*await asyncio.gather(*shown)}) == 1
    finally:
        await house.close()


async def look_on(follower: Subscription) -> int:
    """Takes what is published as a socket does: packed once for all; how much it was."""
    size = 0
    while bundles := await follower.wait_and_take():
        size += sum(len(bundle.made(pack)) for bundle in bundles)
    return size


async def lay(table: TableActor, player: str, number: int) -> None:
    id = f"{player}-{number}"
    stake = commands.PlaceStake(by=player, id=id, player=player, on="17", amount=10)
    assert (await table.submit(id, stake)).refusal is None


async def everybody(one: Callable[[str, int], Awaitable[None]]) -> float:
    """Everybody does it so many times, one after the other: how many a second."""

    async def several(player: str) -> None:
        for number in range(STAKES):
            await one(player, number)

    began = time.perf_counter()
    await asyncio.gather(*(several(player) for player in PLAYERS))
    return len(PLAYERS) * STAKES / (time.perf_counter() - began)


async def echo() -> float:
    """The same players, whom a task answers that does nothing else."""
    asked: asyncio.Queue[asyncio.Future[None]] = asyncio.Queue()

    async def answer() -> None:
        while True:
            (await asked.get()).set_result(None)

    async def ask(player: str, number: int) -> None:
        del player, number
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        asked.put_nowait(future)
        await future

    answering = asyncio.create_task(answer())
    try:
        return await everybody(ask)
    finally:
        answering.cancel()


@run
async def test_r11_many_acknowledgements_share_one_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: dict[str, list[float]] = {"sqlite": [], "memory": [], "echo": []}
    acked, commits, syncs, in_memory = 0, 0, 0, 0
    for turn in range(TURNS):
        disk = CountingDisk()
        store = SqliteStore(tmp_path / f"{turn}.db", vfs=disk.name)
        assert store._connection.pragma("synchronous") == SYNCHRONOUS_FULL
        durable = Counted(store, monkeypatch)
        async with crowded(store) as table:
            durable.commits.clear()
            before = disk.syncs
            rates["sqlite"].append(await everybody(lambda p, n: lay(table, p, n)))
            assert sum(durable.commits) == len(PLAYERS) * STAKES, "an event for every stake"
            acked += sum(durable.commits)
            commits += len(durable.commits)
            # A commit is an fsync at least; where the log is written back there is one more.
            assert disk.syncs - before >= len(durable.commits)
            syncs += disk.syncs - before
        memory = Counted(MemoryStore(), monkeypatch)
        async with crowded(memory.store) as table:
            memory.commits.clear()
            rates["memory"].append(await everybody(lambda p, n: lay(table, p, n)))
            in_memory += len(memory.commits)
        rates["echo"].append(await echo())
    assert acked > LEAST * commits
    assert acked > LEAST * syncs
    sqlite, held, bare = (median(each) for each in rates.values())
    record(
        "R11",
        f"stakes of {len(PLAYERS)} players, each shown to all, at a table on SQLite with fsync",
        stakes_acknowledged=acked,
        commits=commits,
        fsyncs=syncs,
        acknowledgements_for_each_commit=acked / commits,
        commits_of_a_store_in_memory=in_memory,
        stakes_a_second=round(sqlite),
        in_memory=round(held),
        ratio=sqlite / held,
        bare_echoes_a_second=round(bare),
    )


@run
async def test_r11_all_that_come_while_the_disk_writes_share_the_next_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = CountingDisk()
    durable = Counted(SqliteStore(tmp_path / "house.db", vfs=disk.name), monkeypatch)
    async with crowded(durable.store) as table:
        durable.commits.clear()
        before = disk.syncs
        disk.reached.clear()
        disk.goes_on.clear()
        first, *others = PLAYERS
        try:
            laying = [asyncio.create_task(lay(table, first, 0))]
            assert await asyncio.to_thread(disk.reached.wait, PATIENCE)
            for player in others:
                laying.append(asyncio.create_task(lay(table, player, 0)))
                await asyncio.sleep(0)
            assert not any(each.done() for each in laying), "nobody is told before it is durable"
        finally:
            disk.goes_on.set()
        await asyncio.gather(*laying)
        assert durable.commits == [1, len(others)]
        assert disk.syncs - before >= 2
    record(
        "R11",
        "stakes that came one by one while the disk was writing",
        stakes=len(others),
        commits=1,
        told_before_it_was_durable=0,
    )
