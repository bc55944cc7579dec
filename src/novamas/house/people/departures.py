"""Departures: players who cannot ask to leave a table are seen to it.

When a table has closed, or a player has excluded themselves, what they hold goes back to their
wallet without a command of theirs. The automatic departure is a command like any other: the book
may keep a stake that runs, and then it is tried again once the coup has ended.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator

from novamas.house.house import House
from novamas.house.people.registry import Registry
from novamas.house.table.actor import BusyError, TableActor, TableStoppedError
from novamas.table.commands import Command, Leave, WithdrawStake
from novamas.table.state import Phase


class Departures:
    """Looks now and then who is to leave the tables that are served here."""

    def __init__(
        self,
        house: House,
        registry: Registry,
        *,
        fresh_id: Callable[[], str] = lambda: f"house {secrets.token_hex(8)}",
    ) -> None:
        self._house = house
        self._registry = registry
        self._fresh_id = fresh_id
        self._looked: dict[TableActor, tuple[int, int]] = {}
        """Table → where its log and the register stood when it was last looked at."""
        self._at_work: dict[TableActor, asyncio.Task[None]] = {}

    def sweep(self) -> None:
        """Begins to see off all who are to leave, at each table by itself; called often."""
        for actor, task in tuple(self._at_work.items()):
            if task.done():
                del self._at_work[actor]
        for actor in tuple(self._house.tables.values()):
            if actor not in self._at_work and actor.failed is None and self._is_due(actor):
                name = f"departures {actor.house_table.table}"
                self._at_work[actor] = asyncio.create_task(self.clear(actor), name=name)
        served = {*self._house.tables.values()}
        self._looked = {each: at for each, at in self._looked.items() if each in served}

    def _is_due(self, actor: TableActor) -> bool:
        return next(self._due(actor), None) is not None

    def _due(self, actor: TableActor) -> Iterator[Command]:
        """What there is to be done; asked again after each, for it changes the table."""
        state, now = actor.house_table.state, self._registry.now()
        here = actor.head.seq, self._registry.head.seq
        if self._looked.get(actor) == here:
            return  # It was tried, and nothing has happened since.
        for name in tuple(state.players):
            person = self._registry.register.person(name)
            if person is None or person.name != name:
                continue  # Somebody who plays without a wallet.
            is_out = person.is_excluded(now)
            lying = [stake.id for stake in state.stakes.values() if stake.player == name]
            for stake in lying if is_out and state.phase is Phase.BETTING else ():
                yield WithdrawStake(by=name, id=stake)
            if is_out or state.phase is Phase.ENDED:
                yield Leave(by=name)

    async def clear(self, actor: TableActor) -> None:
        """Sees off all who are to leave one table."""
        try:
            for command in list(self._due(actor)):
                await actor.submit(self._fresh_id(), command, who=command.by)
        except (BusyError, TableStoppedError):
            return  # Whoever serves the table next looks again.
        self._looked[actor] = actor.head.seq, self._registry.head.seq

    async def stop(self) -> None:
        """Waits for what is at work."""
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
        self._at_work.clear()
