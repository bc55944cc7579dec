"""The porter: carries money from wallets to a table, and back when its owner leaves.

A wallet and a table are two logs, and a house can die between two commits. So money leaves a wallet
before the table is asked, under the command's id, and stays under way until the table has answered.
When a table is taken up again, what was under way is asked about once more: either it happened, or
from then on it never will. Who leaves a table is seen in its log, whoever let him go. When a table
closes, or somebody shuts himself out, the porter sees to it that what is his comes back to him.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from functools import partial

import msgspec

from novamas.house.actor import BusyError, TableActor, TableStoppedError
from novamas.house.commands import Abandon
from novamas.house.house import House
from novamas.house.reading import Log
from novamas.house.register import deciding, events
from novamas.house.register.events import RegisterEvent
from novamas.house.register.keeping import Registry
from novamas.house.store import StoreError
from novamas.house.views import Audience
from novamas.table.commands import Command, Leave, WithdrawStake
from novamas.table.state import Phase

LEFT = "PlayerLeft"
_MARK = b'"type":"PlayerLeft"'
_TURNS = tuple(b'"type":"%s"' % each for each in (b"TableClosed", b"CoupEnded", b"CustodyClaimed"))
"""After these somebody may be free to go who was not before."""
PATIENCE = 10.0
"""Seconds that somebody who leaves waits for his money to be in his wallet."""
AGAIN = 0.5
"""Seconds after which it is tried again where the store failed."""


class Porter:
    """Carries money for one table."""

    def __init__(self, house: House, registry: Registry, actor: TableActor) -> None:
        self._house = house
        self._registry = registry
        self._actor = actor
        self._table = actor.hall.table
        self._tasks: list[asyncio.Task[None]] = []
        self._moved = asyncio.Event()
        self._due = asyncio.Event()
        """Set when there may be something to clear up."""

    async def start(self) -> None:
        """Settles what was under way when the table was last put down, and begins to watch."""
        with contextlib.suppress(BusyError, TableStoppedError):
            await self._settle_strays()
        self._registry.on_change.append(self._heard)
        self._due.set()
        self._tasks = [
            asyncio.create_task(self._watch(), name=f"porter {self._table}"),
            asyncio.create_task(self._clear_up(), name=f"porter {self._table}, clearing up"),
        ]

    async def stop(self) -> None:
        """Watches no longer."""
        if self._heard in self._registry.on_change:
            self._registry.on_change.remove(self._heard)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # To the table ---------------------------------------------------------------------------

    async def take(
        self, name: str, command: str, amount: int, *, cash_to: str | None = None
    ) -> None:
        """Takes money out of a wallet for a command, or notes whom it is paid to in cash."""
        table = self._table
        self._registry.asked[table, command] += 1
        try:
            await self._registry.do(
                lambda r, now: deciding.take_chips(
                    r, name, amount, table=table, command=command, now=now, cash_to=cash_to
                )
            )
        except BaseException:
            self._answered(command)
            raise

    async def arrived(self, command: str) -> None:
        """The table has taken it."""
        self._answered(command)
        await self._settle_or_later(command, arrived=True)

    async def give_back(self, command: str) -> None:
        """The table has not taken it; unless the same command is still under way."""
        if self._answered(command) == 0:
            await self._settle_or_later(command, arrived=False)

    def unclear(self, command: str) -> None:
        """Nobody knows: it stays under way until the table is taken up again."""
        self._answered(command)

    def _answered(self, command: str) -> int:
        asked, order = self._registry.asked, (self._table, command)
        asked[order] -= 1
        left = asked[order]
        if left <= 0:
            del asked[order]
        return max(left, 0)

    def _is_asked(self, command: str) -> bool:
        """Whether somebody on this server waits for what becomes of it."""
        return (self._table, command) in self._registry.asked

    async def _settle_or_later(self, command: str, *, arrived: bool) -> None:
        """Where the register cannot be written, the table is asked about it once more, later."""
        try:
            await self._settle(command, arrived=arrived)
        except StoreError:
            self._due.set()

    async def _settle(self, command: str, *, arrived: bool) -> None:
        table = self._table
        await self._registry.do(
            lambda r, _: deciding.settle_chips(r, table=table, command=command, arrived=arrived)
        )

    # Clearing up ----------------------------------------------------------------------------

    def _heard(self, event: RegisterEvent) -> None:
        """A server that has lost the table may have taken money for it a moment later."""
        match event:
            case events.ChipsTaken(table=self._table) if not self._is_asked(event.command):
                self._due.set()
            case events.Excluded():
                self._due.set()
            case _:
                pass

    async def _clear_up(self) -> None:
        while self._actor.failed is None:
            await self._due.wait()
            self._due.clear()
            try:
                await self._settle_strays()
                await self._see_off()
            except (BusyError, StoreError):
                self._due.set()
                await asyncio.sleep(AGAIN)
            except TableStoppedError:
                return  # Whoever takes the table up clears up.

    async def _settle_strays(self) -> None:
        """Asks the table about money that is under way to it, and that nobody here waits for."""
        under_way = tuple(self._registry.register.under_way.values())
        for taken in under_way:
            if taken.table == self._table and not self._is_asked(taken.command):
                asker = taken.cash_to or taken.name
                answer = await self._submit(taken.command, Abandon(by=asker))
                await self._settle(taken.command, arrived=answer)

    async def _see_off(self) -> None:
        """Lets those go who cannot ask for it: the table is closed, or they shut themselves out."""
        state, now = self._actor.hall.state, self._registry.now()
        for name in tuple(state.players):
            person = self._registry.register.person(name)
            is_out = person is not None and person.is_excluded(now)
            if person is None or person.name != name:
                continue  # Somebody who plays without a wallet.
            lying = [stake.id for stake in state.stakes.values() if stake.player == name]
            for stake in lying if is_out and state.phase is Phase.BETTING else ():
                await self._submit(_fresh(), WithdrawStake(by=name, id=stake))
            if is_out or state.phase is Phase.ENDED:
                await self._submit(_fresh(), Leave(by=name))

    async def _submit(self, id: str, command: Command) -> bool:
        """Gives a command in the name of whoever it is about; whether it was, or had been, done."""
        answer = await self._actor.submit(id, command, who=command.by)
        return answer.refusal is None

    # And back -------------------------------------------------------------------------------

    async def has_brought(self, name: str, seq: int) -> None:
        """Waits until whoever left with an event has his money in his wallet, if he has one."""
        if self._registry.register.person(name) is None:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self._registry.register.brought.get(self._table, 0) < seq:
                    self._moved.clear()
                    await self._moved.wait()

    async def _watch(self) -> None:
        """Brings everybody's money back who leaves, from wherever it was left."""
        while self._actor.failed is None:
            try:
                await self._follow()
            except TableStoppedError:
                return
            except StoreError:
                await asyncio.sleep(AGAIN)

    async def _follow(self) -> None:
        shown, following = await self._actor.follow(audience=Audience.STAFF)
        try:
            # What happened before is read from the log, what happens now is heard.
            after = self._registry.register.brought.get(self._table, 0)
            reading = partial(_left, table=self._table, after=after, until=shown["seq"])
            for seq, name, amount in await self._house.reading(reading):
                await self._bring(seq, name, amount)
            while bundles := await following.take():
                for bundle in bundles:
                    for message in bundle.messages:
                        await self._hear(message)
        finally:
            self._actor.unsubscribe(following)

    async def _hear(self, message: bytes) -> None:
        if _MARK in message:
            told = msgspec.json.decode(message)
            left = told["data"]
            await self._bring(told["seq"], left["player"], left["amount"])
        elif any(turn in message for turn in _TURNS):
            self._due.set()

    async def _bring(self, seq: int, name: str, amount: int) -> None:
        table = self._table
        await self._registry.do(
            lambda r, _: deciding.bring_chips(r, name, amount, table=table, seq=seq)
        )
        self._moved.set()


def _fresh() -> str:
    """An id for a command of the house's own."""
    return f"house {secrets.token_hex(8)}"


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
