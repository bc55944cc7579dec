"""The automatic croupier: fills every post that the book wants, and deals by the clock.

It does nothing that a person at those posts could not do: it gives commands, one after the other,
and looks at the phase of the table for the next. So it takes a coup up wherever it finds it, after
a crash too. When nobody is seated the table rests.
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass

from novamas.game.rulebook import Act
from novamas.house.actor import BusyError, TableActor, TableStoppedError
from novamas.house.answers import Answer
from novamas.house.commands import DrawBall
from novamas.house.events import BallMode
from novamas.table import commands
from novamas.table.commands import MANAGEMENT, Command
from novamas.table.state import BETTING, Phase

SHORTEST_COUP = 5.0
"""Seconds: no coup of an automatic table is shorter."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long each step of a coup lasts, in seconds."""

    betting: float = 20.0
    """From the invitation to the launch."""
    launched: float = 5.0
    """From the launch to "no va más"."""
    running: float = 5.0
    """From the close until the ball lies in its pocket."""
    called: float = 2.0
    paying: float = 3.0

    def __post_init__(self) -> None:
        steps = (self.betting, self.launched, self.running, self.called, self.paying)
        if any(step < 0 for step in steps) or sum(steps) < SHORTEST_COUP:
            raise ValueError(f"a coup lasts at least {SHORTEST_COUP:g} seconds")


class AutomaticCroupier:
    """Deals one table."""

    def __init__(self, actor: TableActor, pace: Pace | None = None, *, name: str = "auto") -> None:
        self._actor = actor
        self._pace = pace or Pace()
        self._name = name
        self._ids = (f"{name}-{actor.head.seq}-{n}" for n in itertools.count(1))
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to deal."""
        self._task = asyncio.create_task(self._deal(), name=f"croupier {self._actor.hall.table}")

    async def stop(self) -> None:
        """Stops dealing, wherever the coup stands; whoever starts again takes it up there."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def open(self) -> None:
        """Takes every post that the book wants and nobody holds, and opens the table."""
        state = self._actor.hall.state
        for post in state.book.posts.values():
            for number in range(len(state.posts_of(post.name)) + 1, post.at_least + 1):
                person = f"{self._name} {post.name} {number}"
                await self._give(commands.TakePost(by=person, post=post.name))
        if state.phase is Phase.OPENING:
            await self._give(commands.OpenTable(by=MANAGEMENT))

    async def _give(self, command: Command) -> Answer:
        return await self._actor.submit(next(self._ids), command)

    async def _deal(self) -> None:
        clock = self._actor.clock
        try:
            await self.open()
            while self._actor.failed is None and not self._is_over():
                if self._rests():
                    await self._wait_for_change()
                    continue
                command, seconds = self._next()
                if command is None:
                    return
                await clock.sleep(seconds)
                if not self._rests():
                    await self._give(command)
        except TableStoppedError:
            return
        except BusyError:
            self.start()

    async def _wait_for_change(self) -> None:
        self._actor.changed.clear()
        await self._actor.changed.wait()

    def _is_over(self) -> bool:
        """Whether the table was stopped, and the coup that was running then is settled."""
        hall = self._actor.hall
        return hall.stopped is not None and hall.state.phase in BETTING

    def _rests(self) -> bool:
        """Whether nothing is to be done: nobody plays, or play is suspended between two coups."""
        state = self._actor.hall.state
        between = state.phase in BETTING and not state.ball_launched
        nobody = not any(not player.away for player in state.players.values())
        return between and (nobody or state.suspended) and not state.stakes

    def _next(self) -> tuple[Command | None, float]:
        """The next lawful action and how long to wait before it."""
        state, pace = self._actor.hall.state, self._pace

        def who(act: Act) -> str:
            return state.who_may(act) or MANAGEMENT

        if state.phase in BETTING:
            if not state.ball_launched:
                return commands.LaunchBall(by=who(Act.LAUNCH_BALL)), pace.betting
            return commands.CloseBetting(by=who(Act.CLOSE_BETTING)), pace.launched
        if state.phase is Phase.CLOSED and self._actor.hall.ball is BallMode.DRAWN:
            return DrawBall(by=who(Act.POCKET_BALL)), pace.running
        if state.phase is Phase.POCKETED:
            return commands.CallNumber(by=who(Act.CALL_NUMBER)), 0.0
        if state.phase is Phase.COLLECTING:
            return commands.CollectLosers(by=who(Act.COLLECT)), pace.called
        if state.phase is Phase.PAYING:
            return commands.PayWinners(by=who(Act.PAY)), pace.paying
        return None, 0.0
