"""Departures: takes players off a table who cannot ask to leave.

When a table has closed, or a player has excluded themselves, their chips go back to their wallet
without a command of their own. The automatic departure is a command like any other: the book may
hold a running stake, and then it is tried again after the coup.
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
    """Checks at intervals which players must leave the tables of this server."""

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
        """Table → the sequences of its log and of the register at the last check."""
        self._at_work: dict[TableActor, asyncio.Task[None]] = {}

    def sweep(self) -> None:
        """Starts to remove all players who must leave, for each table separately; called often."""
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
        """The commands to give; computed again after each one, because it changes the table."""
        state, now = actor.house_table.state, self._registry.now()
        here = actor.head.seq, self._registry.head.seq
        if self._looked.get(actor) == here:
            return  # It was tried, and nothing has changed since.
        for name in tuple(state.players):
            person = self._registry.register.person(name)
            if person is None or person.name != name:
                continue  # A player without a wallet.
            is_out = person.is_excluded(now)
            if is_out and state.phase is Phase.BETTING:
                # The cloth is searched only for those who must leave: it may hold many stakes.
                for stake in [each.id for each in state.stakes.values() if each.player == name]:
                    yield WithdrawStake(by=name, id=stake)
            if is_out or state.phase is Phase.ENDED:
                yield Leave(by=name)

    async def clear(self, actor: TableActor) -> None:
        """Removes all players who must leave one table."""
        try:
            for command in list(self._due(actor)):
                await actor.submit(self._fresh_id(), command, who=str(command.by))
        except (BusyError, TableStoppedError):
            return  # The next server of the table checks again.
        self._looked[actor] = actor.head.seq, self._registry.head.seq

    async def stop(self) -> None:
        """Waits for running departures."""
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
        self._at_work.clear()
