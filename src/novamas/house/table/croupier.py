"""The automatic croupier: fills every post that the book requires, and deals by the clock.

It does nothing that a person at those posts could not do: it gives commands one after the other,
and chooses the next by the phase of the table. So it continues a coup from any point, also after a
crash. The table rests while nobody is seated.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from dataclasses import dataclass

from novamas.game import staffing
from novamas.game.rulebook.model import Act
from novamas.house.table.actor import BusyError, TableActor, TableStoppedError
from novamas.house.table.answers import Answer
from novamas.house.table.commands import CallLastBets, DrawBall
from novamas.house.table.decide import lacks_float
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Automatic
from novamas.table.state import BETTING, Phase

SHORTEST_COUP = 5.0
"""The shortest duration of a coup at an automatic table, in seconds."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long each step of a coup lasts, in seconds."""

    betting: float = 20.0
    """From the opening of betting to the launch."""
    warning: float = 5.0
    """From the call of the last bets to the launch; no call if betting is not longer than this."""
    launched: float = 5.0
    """From the launch to "no va más"."""
    running: float = 5.0
    """From the close until the ball lies in its pocket."""
    called: float = 2.0
    paying: float = 3.0

    def __post_init__(self) -> None:
        steps = (self.betting, self.launched, self.running, self.called, self.paying)
        if min(*steps, self.warning) < 0 or sum(steps) < SHORTEST_COUP:
            raise ValueError(f"a coup lasts at least {SHORTEST_COUP:g} seconds")


class AutomaticCroupier:
    """Deals one table."""

    def __init__(self, actor: TableActor, pace: Pace | None = None) -> None:
        self._actor = actor
        self._pace = pace or Pace()
        # Ids of an earlier start are never used again, because their answers are stored.
        started = secrets.token_hex(4)
        self._ids = (f"auto-{started}-{n}" for n in itertools.count(1))
        self._task: asyncio.Task[None] | None = None
        self._warned: tuple[int, int] | None = None
        """The coup and the spin for which the last bets were called."""

    def start(self) -> None:
        """Starts to deal."""
        self._task = asyncio.create_task(
            self._deal(), name=f"croupier {self._actor.house_table.table}"
        )

    async def stop(self) -> None:
        """Stops dealing at any point of the coup; the next start continues there."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def open(self) -> None:
        """Takes every required post that nobody holds, and opens the table.

        A table whose bank has no float yet stays closed.
        """
        state = self._actor.house_table.state
        for post in staffing.missing(state.book, state.held()):
            places = (Automatic(post, number) for number in itertools.count(1))
            free = next(place for place in places if str(place) not in state.staff)
            await self._give(commands.TakePost(by=str(free), post=post))
        floats = not lacks_float(self._actor.house_table, self._actor.balances)
        if state.phase is Phase.OPENING and floats:
            await self._give(commands.OpenTable(by=MANAGEMENT))

    async def _open_when_it_can(self) -> None:
        """Opens the table as soon as its bank has a float."""
        house_table = self._actor.house_table
        while True:
            self._actor.changed.clear()
            await self.open()
            if house_table.stopped is not None or not lacks_float(
                house_table, self._actor.balances
            ):
                return
            await self._actor.changed.wait()

    async def _give(self, command: Command) -> Answer:
        return await self._actor.submit(next(self._ids), command)

    async def _deal(self) -> None:
        try:
            await self._open_when_it_can()
            while self._actor.failed is None and not self._is_over():
                await self._carry_out_orders()
                if self._rests():
                    await self._wait_for_change()
                else:
                    await self._step()
            self._actor.expect(None)
        except TableStoppedError:
            return

    async def _carry_out_orders(self) -> None:
        """Makes the corrections that were ordered, if its own posts may correct."""
        for order in tuple(self._actor.house_table.state.orders.values()):
            person = self._who(Act.CORRECT)
            if person is not None:
                await self._give(commands.CorrectStake(by=person, id=order.id, on=order.on))

    async def _step(self) -> None:
        """Waits for the next action, and does it if it is still the next."""
        planned, seconds = self._next()
        if planned is None:
            await self._wait_for_change()
            return
        self._actor.expect(self._actor.clock.now() + round(1000 * self._until_close(seconds)))
        spin = self._spin
        await self._sleep(seconds, planned, spin)
        if isinstance(planned, DrawBall):
            await self._sleep(self._actor.opening_left, planned, spin, is_opening=True)
        command = self._still_next(planned, spin)
        if command is None:
            return  # Somebody else acted while it waited.
        seq = self._actor.head.seq
        try:
            answer = await self._give(command)
        except BusyError:
            await self._actor.clock.sleep(1.0)
            return
        if isinstance(command, CallLastBets):
            self._warned = self._spin
        if answer.refusal is not None and self._actor.head.seq == seq:
            await self._wait_for_change()

    async def _sleep(
        self, seconds: float, planned: Command, spin: tuple[int, int], *, is_opening: bool = False
    ) -> None:
        """Sleeps, but only as long as the planned command is still the next thing to do.

        While nonces are opened, it sleeps only until all are open.
        """
        changed = self._actor.changed
        sleeping = asyncio.ensure_future(self._actor.clock.sleep(seconds))
        try:
            while not sleeping.done() and self._still_next(planned, spin) is not None:
                if self._actor.house_table.state.orders:
                    await self._carry_out_orders()
                if is_opening and not self._actor.opening_left:
                    return
                changed.clear()
                moved = asyncio.ensure_future(changed.wait())
                try:
                    await asyncio.wait((sleeping, moved), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    moved.cancel()
        finally:
            sleeping.cancel()

    def _still_next(self, planned: Command, spin: tuple[int, int]) -> Command | None:
        """The planned command with its present `by`, if it is still the next thing to do."""
        if self._actor.failed is not None or self._rests() or self._is_over():
            return None
        command, _ = self._next()
        return command if type(command) is type(planned) and self._spin == spin else None

    def _until_close(self, seconds: float) -> float:
        """Seconds to the end of the step, if the next action is so many seconds away.

        Betting ends with the close, so the last bets and the launch are part of the same step.
        """
        state, pace = self._actor.house_table.state, self._pace
        if state.phase not in BETTING or state.ball_launched:
            return seconds
        is_warning = isinstance(self._next()[0], CallLastBets)
        return seconds + (pace.warning if is_warning else 0.0) + pace.launched

    async def _wait_for_change(self) -> None:
        self._actor.expect(None)
        self._actor.changed.clear()
        await self._actor.changed.wait()

    @property
    def _spin(self) -> tuple[int, int]:
        state = self._actor.house_table.state
        return state.coup, state.spins

    def _is_over(self) -> bool:
        """Whether there is nothing more to deal, now that the running coup is settled."""
        house_table = self._actor.house_table
        waits_for_wheel = (
            house_table.ball is BallMode.WHEEL and house_table.state.phase is Phase.CLOSED
        )
        if house_table.state.phase in (Phase.OPENING, Phase.ENDED) or waits_for_wheel:
            return True
        return house_table.stopped is not None and house_table.state.phase in BETTING

    def _rests(self) -> bool:
        """Whether there is nothing to do now: nobody plays, or play is suspended.

        Stakes of absent players on the cloth, and the last games, are still played.
        """
        state = self._actor.house_table.state
        if state.phase not in BETTING:
            return False
        nobody = all(player.away for player in state.players.values())
        owed = state.ball_launched or state.stakes or (state.players and state.games_left)
        return state.suspended or (nobody and not owed)

    def _who(self, act: Act) -> str | None:
        """One of its own names that may do something now: it never acts in a person's name."""
        state = self._actor.house_table.state
        there = [state.spinner()] if act is Act.LAUNCH_BALL else state.staff
        own = (each for each in there if each and Automatic.read(each))
        return next((person for person in own if state.may(person, act)), None)

    def _next(self) -> tuple[Command | None, float]:
        """The croupier's next command, if there is one, and how long to wait before it."""
        state, pace = self._actor.house_table.state, self._pace
        match state.phase:
            case Phase.POCKETED:
                return self._by(Act.CALL_NUMBER, commands.CallNumber), 0.0
            case Phase.COLLECTING:
                # A coup without winners ends here, and lasts as long as any other.
                seconds = pace.called if state.due else pace.called + pace.paying
                return self._by(Act.COLLECT, commands.CollectLosers), seconds
            case Phase.PAYING:
                return self._by(Act.PAY, commands.PayWinners), pace.paying
            case Phase.CLOSED:
                # A committed ball falls even if people hold the posts: nobody may delay it.
                return DrawBall(by=self._who(Act.POCKET_BALL) or MANAGEMENT), pace.running
            case _ if state.ball_launched:
                return self._by(Act.CLOSE_BETTING, commands.CloseBetting), pace.launched
            case _ if self._warned == self._spin:
                return self._by(Act.LAUNCH_BALL, commands.LaunchBall), pace.warning
            case _ if 0 < pace.warning < pace.betting and self._who(Act.CLOSE_BETTING) is not None:
                return self._by(Act.CLOSE_BETTING, CallLastBets), pace.betting - pace.warning
            case _:
                return self._by(Act.LAUNCH_BALL, commands.LaunchBall), pace.betting

    def _by(self, act: Act, command: type[Command]) -> Command | None:
        person = self._who(act)
        return None if person is None else command(by=person)
