"""The porter: carries money from wallets to a table, and back when its owner leaves.

A wallet and a table are two logs, and a house can die between two commits. So money leaves a wallet
before the table is asked, under the command's id, and stays under way until the table has answered.
When a table is taken up again, what was under way is asked about once more: either it happened, or
from then on it never will. Who leaves a table is seen in its log, whoever let him go.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from functools import partial

import msgspec

from novamas.house.actor import BusyError, TableActor, TableStoppedError
from novamas.house.commands import Abandon
from novamas.house.house import House
from novamas.house.reading import Log
from novamas.house.register import deciding
from novamas.house.register.keeping import Registry
from novamas.house.views import Audience

LEFT = "PlayerLeft"
_MARK = b'"type":"PlayerLeft"'
PATIENCE = 10.0
"""Seconds that somebody who leaves waits for his money to be in his wallet."""


class Porter:
    """Carries money for one table."""

    def __init__(self, house: House, registry: Registry, actor: TableActor) -> None:
        self._house = house
        self._registry = registry
        self._actor = actor
        self._table = actor.hall.table
        self._asked: Counter[str] = Counter()
        """Commands that buy chips, and how often each is under way here."""
        self._task: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()

    async def start(self) -> None:
        """Settles what was under way when the table was last put down, and begins to watch."""
        waiting = [e for e in self._registry.register.under_way.values() if e.table == self._table]
        for taken in waiting:
            with contextlib.suppress(BusyError, TableStoppedError):
                given_up = Abandon(by=taken.name)
                answer = await self._actor.submit(taken.command, given_up, who=taken.name)
                await self._settle(taken.command, arrived=answer.refusal is None)
        self._task = asyncio.create_task(self._watch(), name=f"porter {self._table}")

    async def stop(self) -> None:
        """Watches no longer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # To the table ---------------------------------------------------------------------------

    async def take(self, name: str, command: str, amount: int) -> None:
        """Takes money out of a wallet for a command; refused if there is not so much."""
        table = self._table
        self._asked[command] += 1
        try:
            await self._registry.do(
                lambda r, now: deciding.take_chips(
                    r, name, amount, table=table, command=command, now=now
                )
            )
        except BaseException:
            self._answered(command)
            raise

    async def arrived(self, command: str) -> None:
        """The table has taken it."""
        self._answered(command)
        await self._settle(command, arrived=True)

    async def give_back(self, command: str) -> None:
        """The table has not taken it; unless the same command is still under way."""
        if self._answered(command) == 0:
            await self._settle(command, arrived=False)

    def unclear(self, command: str) -> None:
        """Nobody knows: it stays under way until the table is taken up again."""
        self._answered(command)

    def _answered(self, command: str) -> int:
        self._asked[command] -= 1
        left = self._asked[command]
        if left <= 0:
            del self._asked[command]
        return max(left, 0)

    async def _settle(self, command: str, *, arrived: bool) -> None:
        table = self._table
        await self._registry.do(
            lambda r, _: deciding.settle_chips(r, table=table, command=command, arrived=arrived)
        )

    # And back -------------------------------------------------------------------------------

    async def has_brought(self, seq: int) -> None:
        """Waits until whoever left with an event has his money in his wallet."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._registry.register.brought.get(self._table, 0) < seq:
                    self._moved.clear()
                    await self._moved.wait()

    async def _watch(self) -> None:
        """Brings everybody's money back who leaves, from wherever it was left."""
        while self._actor.failed is None:
            try:
                shown, following = await self._actor.follow(audience=Audience.STAFF)
            except TableStoppedError:
                return
            # What happened before is read from the log, what happens now is heard.
            after = self._registry.register.brought.get(self._table, 0)
            reading = partial(_left, table=self._table, after=after, until=shown["seq"])
            for seq, name, amount in await self._house.reading(reading):
                await self._bring(seq, name, amount)
            while bundles := await following.take():
                for bundle in bundles:
                    for message in bundle.messages:
                        if _MARK in message:
                            told = msgspec.json.decode(message)
                            left = told["data"]
                            await self._bring(told["seq"], left["player"], left["amount"])
            self._actor.unsubscribe(following)

    async def _bring(self, seq: int, name: str, amount: int) -> None:
        table = self._table
        await self._registry.do(
            lambda r, _: deciding.bring_chips(r, name, amount, table=table, seq=seq)
        )
        self._moved.set()


class Porters:
    """A porter for each table that is served here."""

    def __init__(self, house: House, registry: Registry) -> None:
        self._house = house
        self._registry = registry
        self._porters: dict[TableActor, Porter] = {}
        self._turn = asyncio.Lock()

    async def of(self, actor: TableActor) -> Porter:
        """Who carries money for a table; he begins when he is first asked for."""
        found = self._porters.get(actor)
        if found is not None:
            return found
        async with self._turn:
            if actor not in self._porters:
                # Those of tables that were put down carry nothing any more.
                for gone in [each for each in self._porters if each.failed is not None]:
                    await self._porters.pop(gone).stop()
                porter = Porter(self._house, self._registry, actor)
                await porter.start()
                self._porters[actor] = porter
            return self._porters[actor]

    async def stop(self) -> None:
        """Watches no table any longer."""
        for porter in self._porters.values():
            await porter.stop()
        self._porters.clear()


def _left(log: Log, *, table: str, after: int, until: int) -> list[tuple[int, str, int]]:
    """Who left a table, and with how much."""
    found = []
    for record in log.read(table, after=after, until=until):
        if record.type == LEFT:
            data = msgspec.json.decode(record.payload)
            found.append((record.seq, data["player"], data["amount"]))
    return found
