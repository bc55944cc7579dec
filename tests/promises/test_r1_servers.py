"""R1 on several servers: an acknowledged stake survives the death of the server that has its table.

Two servers share a database. The one that serves the tables is killed at random moments, while
players lay stakes at a drawn table and at one with a wheel; the other takes the tables up, and the
dead one is started again to be its heir. After every kill the database is looked at as it is.

This needs real processes and the clock of a real PostgreSQL, and each kill waits until a lease has
run out. So the ordinary run does it a few times: the simulation (R4) does it in every order, with
leases that run out in simulated time.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.verify_house import verify_log
from tests.promises.figures import SOAK, counted, record
from tests.promises.killing import (
    PACE,
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
from tests.promises.running import Running, Starter

KILLS = 200 if SOAK else 5
FULLY_VERIFIED = 20 if SOAK else 5
PLAYERS = 12
LEASE = 1.0
"""Shorter than a house's own, so that more kills fit into the same time."""
PATIENCE = 60.0
"""Seconds within which the tables go on after a kill; otherwise something is stuck."""


@dataclass
class Servers(House):
    """A house of two servers."""

    address: str = ""
    by_url: dict[str, Running] = field(default_factory=dict)
    _management: str = ""

    def start(self, port: int = 0) -> None:
        """Starts one server more, or one that died anew."""
        self.running = self.starter.start(
            port=port, store=self.address, tables=False, pace=PACE, lease=LEASE
        )
        self.by_url[self.url] = self.running

    @property
    def servers(self) -> list[str]:
        return list(self.by_url)

    async def management(self, server: str) -> str:
        """One token is good at every server."""
        self._management = self._management or await super().management(server)
        return self._management

    def owner(self, table: str) -> Running:
        """Who serves a table; half of the players may be back before each has its server."""
        until = time.monotonic() + PATIENCE
        with closing(PostgresStore(self.address)) as store:
            while (lease := store.lease(table)) is None:
                if time.monotonic() > until:
                    raise TimeoutError(f"nobody takes {table} up")
                time.sleep(0.02)
        return self.by_url[lease.address]


class DatabaseInspector(Inspector):
    """Looks at the database after each kill."""

    def __init__(self, address: str, players: list[Player]) -> None:
        super().__init__(players)
        self._address = address

    def look(self, told: Told, *, whole: bool) -> None:
        """All that was told is there, once; and the ledgers sum to zero."""
        self.in_flight.append(len(told.in_flight))
        with closing(PostgresStore(self._address, read_only=True)) as store:
            for table in TABLES:
                self.check(store, table, told, from_first=True)
            for log in store.tables():
                assert sum(store.balances(log).values()) == 0
                if whole:
                    verdict = verify_log(store, log)
                    assert verdict.problems == []
                    self.coups[log] = verdict.coups


@pytest.mark.slow
def test_r1_an_acknowledged_stake_survives_the_death_of_its_server(
    tmp_path: Path, database: str
) -> None:
    with Starter() as starter:
        servers = Servers(starter, tmp_path, address=database)
        try:
            asyncio.run(kill_owners(servers))
        finally:
            for running in servers.by_url.values():
                running.end()


async def kill_owners(house: Servers) -> None:
    house.start()
    house.start()
    await set_up(house)
    players = [Player(house, f"player {n}", TABLES[n % 2]) for n in range(PLAYERS)]
    inspector = DatabaseInspector(house.address, players)
    chance = random.Random(1)  # noqa: S311 - when a process is killed is no secret
    stop = asyncio.Event()
    seconds: list[float] = []
    async with playing(house, players, stop):
        for kill in counted("kill", KILLS):
            async with asyncio.timeout(PATIENCE):
                await until_they_are_back(players)
            # Now and then a server lives long enough to see a ball fall.
            await asyncio.sleep(chance.uniform(0, 0.5) if kill % 4 else chance.uniform(1, 4))
            owner = await asyncio.to_thread(house.owner, chance.choice(TABLES))
            if kill % 2:
                await until_one_is_under_way(players)
            owner.kill()
            died = time.monotonic()
            told = inspector.told()
            waiting = asyncio.create_task(first_answer(players, died))
            whole = kill % FULLY_VERIFIED == 0
            await asyncio.to_thread(inspector.look, told, whole=whole)
            await asyncio.to_thread(house.start, owner.port)
            seconds.append(await asyncio.wait_for(waiting, PATIENCE))
        async with asyncio.timeout(PATIENCE):
            await until_every_table_has_dealt(players)
        stop.set()
    for running in house.by_url.values():
        await asyncio.to_thread(running.stop)
    await house.http.aclose()
    inspector.look(inspector.told(), whole=True)
    _report(inspector, players, seconds)


async def first_answer(players: list[Player], died: float) -> float:
    """Seconds from the death of a server until somebody is answered by its successor."""
    await asyncio.sleep(0.05)  # What the dead one had still said is heard first.
    before = sum(len(player.acked) for player in players)
    while sum(len(player.acked) for player in players) == before:
        await asyncio.sleep(0.005)
    return time.monotonic() - died


def _report(inspector: Inspector, players: list[Player], seconds: list[float]) -> None:
    in_flight = inspector.in_flight[:-1]
    busy = sum(1 for count in in_flight if count)
    acked = sum(len(player.acked) for player in players)
    record(
        "R1",
        f"{KILLS} kills of the server that has the tables, of two on one PostgreSQL",
        kills=KILLS,
        players=len(players),
        kills_with_stakes_in_flight=busy,
        stakes_in_flight=sum(in_flight),
        in_flight_that_had_happened=inspector.had_happened,
        stakes_acknowledged=acked,
        stakes_refused=sum(len(player.refused) for player in players),
        coups_dealt=inspector.coups["wheel"],
        coups_drawn=inspector.coups["drawn"],
        seconds_to_the_first_ack_of_the_heir=median(seconds),
        most_seconds=max(seconds),
        with_a_lease_of=f"{LEASE:g} s",
        lost=0,
        twice=0,
    )
    assert busy * 2 >= KILLS
    assert acked > 10 * KILLS
    assert inspector.coups["drawn"] > 0
