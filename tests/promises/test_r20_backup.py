"""R20: a backup is a house.

While players lay stakes and coups are dealt, the command copies the house again and again, in a
process of its own. Each copy is restored, to a file and to a database. What is restored is what was
copied, down to the last field; it is what the house had at one moment, no more and no less; it
verifies; and it can be played on, and still knows what it had answered.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from novamas.game.wheel import EUROPEAN
from novamas.house.house import House
from novamas.house.log.backup import contents
from novamas.house.log.store import Store
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.verify import verify_table
from novamas.house.table.actor import TableActor
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.state import Setup
from tests.postgres import Postgres
from tests.promises.figures import SOAK, record
from tests.promises.staff import Staff

BACKUPS = 20 if SOAK else 2
PLAYERS = [f"p{number}" for number in range(16)]
NOVAMAS = str(Path(sys.executable).with_name("novamas"))


class Busy:
    """A table at which players lay stakes without a pause, while its staff deals."""

    def __init__(self, table: TableActor) -> None:
        self.table = table
        self.acked: dict[str, int] = {}
        self._ids = (f"staff-{number}" for number in itertools.count(1))

    async def begin(self) -> None:
        staff = Staff("bg")
        seats = [each for name in PLAYERS for each in staff.seats(name, 10**9)]
        for command in (*staff.opening(), *seats):
            answer = await self.table.submit(next(self._ids), command)
            assert answer.refusal is None

    async def deal(self) -> None:
        staff = Staff("bg")
        for number in itertools.cycle(EUROPEAN.pockets):
            await asyncio.sleep(0.1)
            for command in staff.coup(number):
                await self.table.submit(next(self._ids), command)

    async def lay(self, player: str) -> None:
        for number in itertools.count(1):
            id = f"{player}-{number}"
            stake = commands.PlaceStake(by=player, id=id, player=player, on="red", amount=10)
            answer = await self.table.submit(id, stake)
            if answer.refusal is None:
                self.acked[id] = answer.last
            await asyncio.sleep(0.002)


async def novamas(*arguments: str) -> dict[str, object]:
    """What a command says, in a process of its own."""
    pipe = asyncio.subprocess.PIPE
    ran = await asyncio.create_subprocess_exec(NOVAMAS, *arguments, stdout=pipe, stderr=pipe)
    out, err = await ran.communicate()
    assert ran.returncode == 0, err.decode()
    told: dict[str, object] = json.loads(out)
    return told


@pytest.mark.slow
def test_r20_a_backup_under_load_is_a_house(tmp_path: Path, postgres_server: Postgres) -> None:
    address = str(tmp_path / "house.db")
    asyncio.run(back_up_under_load(address, tmp_path, postgres_server))


@pytest.mark.slow
def test_r20_a_backup_of_postgresql_under_load_is_a_house(
    tmp_path: Path, database: str, postgres_server: Postgres
) -> None:
    asyncio.run(back_up_under_load(database, tmp_path, postgres_server))


async def back_up_under_load(address: str, folder: Path, server: Postgres) -> None:
    house = House(open_durable(address))
    await house.open()
    busy = Busy(await house.set_up("1", "bg", Setup(), ball=BallMode.WHEEL))
    await busy.begin()
    working = [asyncio.create_task(busy.lay(name)) for name in PLAYERS]
    working.append(asyncio.create_task(busy.deal()))
    files: list[Path] = []
    meanwhile: list[int] = []
    acked: list[int] = []
    for number in range(BACKUPS):
        await asyncio.sleep(0.5)
        before, told = busy.table.head.seq, max(busy.acked.values())
        file = folder / f"backup-{number}.db"
        await novamas("backup", address, str(file), "--json")
        files.append(file)
        acked.append(told)
        meanwhile.append(busy.table.head.seq - before)
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)
    await house.close()
    events = 0
    with closing(open_durable(address, read_only=True)) as source:
        for file, told in zip(files, acked, strict=True):
            targets = [str(file.with_suffix(".again")), server.database()]
            for target in targets:
                await novamas("restore", str(file), target, "--json")
            events += check(source, file, targets, told)
            for target in targets:
                await play_on(target, busy)
            server.give_back(targets[1])
    assert min(meanwhile) > 0, "nothing happened during a backup"
    kind = "PostgreSQL" if address.startswith("postgresql:") else "SQLite"
    record(
        "R20",
        f"a house on {kind} copied while 16 players play, restored to SQLite and PostgreSQL",
        backups=len(files),
        restored=2 * len(files),
        events=events,
        events_during_the_backups=sum(meanwhile),
        differences=0,
    )


def check(source: Store, file: Path, targets: list[str], told: int) -> int:
    """Holds a backup against the house that went on, and what was restored against the backup."""
    with closing(open_durable(str(file), read_only=True)) as backup:
        head = backup.head("1")
        # All that was acknowledged before it began is there.
        assert head.seq >= told
        # It is the house of one moment: all up to an event, and nothing that came after.
        assert [*backup.read("1")] == [*source.read("1", until=head.seq)]
        assert [*backup.entries("1")] == [e for e in source.entries("1") if e.seq <= head.seq]
        had = {each.command: each for each in backup.outcomes("1")}
        has = {each.command: each for each in source.outcomes("1")}
        assert had.items() <= has.items()
        assert all(each.last <= head.seq for each in had.values())
        accepted = {c for c, each in has.items() if each.first and each.last <= head.seq}
        assert accepted <= had.keys()
        assert verify_table(backup, "1").problems == []
        for target in targets:
            with closing(open_durable(target, read_only=True)) as restored:
                assert contents(restored, "1") == contents(backup, "1")
                assert verify_table(restored, "1").problems == []
        return head.seq


async def play_on(address: str, busy: Busy) -> None:
    """What was restored is a house: it answers what it answered, and takes the next stake."""
    house = House(open_durable(address))
    await house.open()
    table, player = house.tables["1"], PLAYERS[0]
    head = table.head.seq
    known = {id: at for id, at in busy.acked.items() if at <= head}
    id = max(known, key=known.__getitem__)
    who, last = id.partition("-")[0], known[id]
    stake = commands.PlaceStake(by=who, id=id, player=who, on="red", amount=10)
    again = await table.submit(id, stake)
    assert (again.refusal, again.last) == (None, last)
    assert table.head.seq == head
    sits = await table.submit("new", commands.StepAway(by=player))
    assert sits.refusal is None
    assert table.head.seq == head + 1
    await house.close()
