"""Departures: takes players off a table who cannot ask to leave, or who have gone.

When a table has closed, or a player has excluded themselves, their chips go back to their wallet
without a command of their own. So do those of a player at a drawn table whose last screen has been
gone for a while: otherwise a closed tab would keep a seat and a colour for ever. The automatic
departure is a command like any other: the book may hold a running stake, and then it is tried again
after the coup.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from novamas.house.clock import monotonic
from novamas.house.house import House
from novamas.house.people.registry import Registry
from novamas.house.table.actor import BusyError, TableActor, TableStoppedError
from novamas.house.table.events import BallMode
from novamas.table.commands import Command, Leave, StepAway, WithdrawStake
from novamas.table.state import Phase, State

ABSENT = 300.0
"""Seconds after which a drawn table frees the seat of a player without a screen."""


class _Wish(NamedTuple):
    """A command that the house gives in the name of a player."""

    command: Command
    is_absent: bool
    """Whether it is only for a player without a screen."""


class Departures:
    """Checks at intervals which players must leave the tables of this server."""

    def __init__(
        self,
        house: House,
        registry: Registry,
        *,
        absent: float | None = ABSENT,
        fresh_id: Callable[[], str] = lambda: f"house {secrets.token_hex(8)}",
    ) -> None:
        self._house = house
        self._registry = registry
        self._absent = absent
        """Seconds after which a player without a screen has gone; None keeps the seat for ever."""
        self._fresh_id = fresh_id
        self._looked: dict[TableActor, tuple[int, int]] = {}
        """Table → the sequences of its log and of the register at the last check."""
        self._gone: dict[TableActor, dict[str, float]] = {}
        """Table → player without a screen → since when, as far as this server has seen."""
        self._at_work: dict[TableActor, asyncio.Task[None]] = {}

    def sweep(self) -> None:
        """Starts to remove all players who must leave, for each table separately; called often."""
        for actor, task in tuple(self._at_work.items()):
            if task.done():
                del self._at_work[actor]
        for actor in tuple(self._house.tables.values()):
            self._look_around(actor)
            if actor not in self._at_work and actor.failed is None and self._is_due(actor):
                name = f"departures {actor.house_table.table}"
                self._at_work[actor] = asyncio.create_task(self.clear(actor), name=name)
        served = {*self._house.tables.values()}
        self._looked = {each: at for each, at in self._looked.items() if each in served}
        self._gone = {each: gone for each, gone in self._gone.items() if each in served}

    def _look_around(self, actor: TableActor) -> None:
        """Notes since when each player of a drawn table has been without a screen."""
        if self._absent is None or actor.house_table.ball is not BallMode.DRAWN:
            return  # At a wheel people play who never had a screen, and the staff sees them off.
        before, now = self._gone.get(actor, {}), monotonic()
        self._gone[actor] = {
            name: before.get(name, now)
            for name in actor.house_table.state.players
            if not actor.has_screen(name)
        }

    def _is_due(self, actor: TableActor) -> bool:
        return next(self._due(actor), None) is not None

    def _due(self, actor: TableActor) -> Iterator[_Wish]:
        """The commands to give; computed again after each one, because it changes the table."""
        state, now = actor.house_table.state, self._registry.now()
        here = actor.head.seq, self._registry.head.seq
        if self._looked.get(actor) != here:
            for name in self._known(tuple(state.players)):
                is_out = self._is_excluded(name, now)
                if is_out and state.phase is Phase.BETTING:
                    yield from (_Wish(each, is_absent=False) for each in _lifted(state, name))
                if is_out or state.phase is Phase.ENDED:
                    yield _Wish(Leave(by=name), is_absent=False)
        if self._absent is None or state.phase is Phase.ENDED:
            return
        over = monotonic() - self._absent
        gone = [name for name, since in self._gone.get(actor, {}).items() if since <= over]
        for name in self._known(each for each in gone if each in state.players):
            if not self._is_excluded(name, now):
                yield from (_Wish(each, is_absent=True) for each in _without(state, name))

    def _known(self, names: Iterable[str]) -> Iterator[str]:
        """The names of those who have a wallet."""
        for name in names:
            person = self._registry.register.person(name)
            if person is not None and person.name == name:
                yield name

    def _is_excluded(self, name: str, now: int) -> bool:
        person = self._registry.register.person(name)
        return person is not None and person.is_excluded(now)

    async def clear(self, actor: TableActor) -> None:
        """Removes all players who must leave one table."""
        try:
            for command, is_absent in list(self._due(actor)):
                name = str(command.by)
                if is_absent and actor.has_screen(name):
                    continue  # They are back.
                answer = await actor.submit(self._fresh_id(), command, who=name)
                if is_absent and answer.refusal is not None:
                    # The book holds something: they are tried again after as long a time.
                    self._gone.setdefault(actor, {})[name] = monotonic()
        except (BusyError, TableStoppedError):
            return  # The next server of the table checks again.
        self._looked[actor] = actor.head.seq, self._registry.head.seq

    async def stop(self) -> None:
        """Waits for running departures."""
        await asyncio.gather(*self._at_work.values(), return_exceptions=True)
        self._at_work.clear()


def _lifted(state: State, name: str) -> Iterator[Command]:
    """Takes back what a player has on the cloth; an announcement is taken back whole."""
    lying = [each for each in state.stakes.values() if each.player == name]
    for id in dict.fromkeys(each.announcement or each.id for each in lying):
        yield WithdrawStake(by=name, id=id)


def _without(state: State, name: str) -> Iterator[Command]:
    """Settles a player who has gone, as far as the book lets it be done now.

    Where an absence, however short, changes the colour (IT-general-4a), they step away first: the
    articles on absence then say what becomes of what lies there, and what they set aside the house
    keeps until it is claimed. What is in prison stays there until a coup frees it.
    """
    player = state.players[name]
    rules = state.book
    lies = any(each.player == name for each in state.stakes.values())
    held = any(each.player == name for each in state.prison.values())
    if not player.away and rules.chips.converted_when_away:
        yield StepAway(by=name)
    elif not player.away and lies and state.phase is Phase.BETTING and not state.suspended:
        yield from _lifted(state, name)
        lies = False
    if not (lies or held or state.custody.get(name)):
        yield Leave(by=name)
