"""R1: an acknowledged stake survives anything.

A house in a process of its own is killed at random moments, while 16 players lay stakes at two
tables: one is dealt by the automatic croupier, at the other the test plays the staff. After every
kill the files are looked at just as the dead process left them.

Only a real process on a real file can be killed like this: the ordinary run does it a few times,
`make soak` a thousand times. R4 has servers crash, hand over and stand still in hundreds of
simulated worlds (`crash`, `term`, `pause`, `torn`), with the same promise among its invariants.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from novamas.house.log.checkpoints import Checkpoints
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from tests.promises.figures import SOAK, counted, record
from tests.promises.killing import (
    TABLES,
    House,
    Inspector,
    Player,
    Told,
    playing,
    set_up,
    until_every_table_has_dealt,
    until_one_is_under_way,
    until_they_are_back,
)
from tests.promises.running import Starter

KILLS = 1_000 if SOAK else 15
FULLY_VERIFIED = 50 if SOAK else 5
"""After every so many kills the whole log is verified, and not its end alone."""


# What the dead process left -----------------------------------------------------------------------


class Left(NamedTuple):
    """What a killed house left behind."""

    folder: Path
    told: Told


class FileInspector(Inspector):
    """Looks at the files after each kill."""

    def __init__(self, folder: Path, players: list[Player]) -> None:
        super().__init__(players)
        self._folder = folder

    def leave(self, kill: int) -> Left:
        """What is there when a house was killed: its files, and what everybody was told."""
        copy = self._folder / f"copy-{kill}"
        copy.mkdir()
        for name in ("house.db", "house.db-wal", "checkpoints", "checkpoints.signing-key"):
            if (self._folder / name).exists():
                shutil.copy(self._folder / name, copy)
        return Left(copy, self.told())

    def look(self, left: Left, *, whole: bool) -> None:
        """Checks a copy, so that it is the house itself that recovers the files."""
        self.in_flight.append(len(left.told.in_flight))
        with contextlib.closing(SqliteStore(left.folder / "house.db")) as store:
            for table in TABLES:
                assert sum(store.balances(table).values()) == 0
                self.check(store, table, left.told, from_first=whole)
                if whole:
                    checkpoints = Checkpoints(left.folder / "checkpoints").read()
                    verdict = verify_table(store, table, checkpoints)
                    assert verdict.is_sound, verdict.problems
                    self.coups[table] = verdict.coups
        shutil.rmtree(left.folder)


@pytest.mark.slow
def test_r1_an_acknowledged_stake_survives_every_kill(tmp_path: Path) -> None:
    with Starter() as starter:
        asyncio.run(kill_often(House(starter, tmp_path)))


async def kill_often(house: House) -> None:
    house.start()
    await set_up(house)
    players = [Player(house, f"player {n}", TABLES[n % 2]) for n in range(16)]
    inspector = FileInspector(house.folder, players)
    chance = random.Random(1)  # noqa: S311 - when a process is killed is no secret
    stop = asyncio.Event()
    async with playing(house, players, stop):
        for kill in counted("kill", KILLS):
            if chance.random() < 0.8:
                await until_they_are_back(players)
            await asyncio.sleep(chance.uniform(0, 0.8))
            if kill % 2:
                await until_one_is_under_way(players)
            house.running.kill()
            left = inspector.leave(kill)
            # The house is not dead for longer than it takes to start: a long log is long to read.
            await asyncio.to_thread(house.start, house.running.port)
            whole = kill % FULLY_VERIFIED == 0
            await asyncio.to_thread(inspector.look, left, whole=whole)
        await until_every_table_has_dealt(players)
        stop.set()
    await asyncio.to_thread(house.running.stop)
    await house.http.aclose()
    inspector.look(inspector.leave(KILLS + 1), whole=True)
    _report(inspector, players)


def _report(inspector: Inspector, players: list[Player]) -> None:
    in_flight = inspector.in_flight[:-1]
    busy = sum(1 for count in in_flight if count)
    acked = sum(len(player.acked) for player in players)
    record(
        "R1",
        f"{KILLS} kills with 16 players at two tables: nothing acknowledged was lost",
        kills=KILLS,
        kills_with_stakes_in_flight=busy,
        stakes_in_flight=sum(in_flight),
        most_in_flight=max(in_flight),
        in_flight_at_each_kill=" ".join(map(str, in_flight)),
        in_flight_that_had_happened=inspector.had_happened,
        stakes_acknowledged=acked,
        coups_dealt=inspector.coups["wheel"],
        coups_drawn=inspector.coups["drawn"],
        stakes_refused=sum(len(player.refused) for player in players),
        lost=0,
        twice=0,
    )
    assert busy * 2 >= KILLS
    assert acked > KILLS
    assert all(inspector.coups[table] for table in TABLES)
