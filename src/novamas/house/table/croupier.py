"""The automatic croupier: fills every post that the book requires, and deals by the clock.

It does nothing that a person at those posts could not do: it gives commands one after the other,
and chooses the next by the phase of the table. So it continues a coup from any point, also after a
crash. The table rests while nobody is there who plays.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from novamas.game import staffing
from novamas.game.rulebook.behaviours import Act
from novamas.house.table.actor import BusyError, TableActor, TableStoppedError
from novamas.house.table.answers import Answer
from novamas.house.table.commands import CallLastBets, CountFloat, DrawBall, SignFloat
from novamas.house.table.decide import lacks_float
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.accounts import BANK
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
    """From the close until the number is known, and the ball leaves the track."""
    falling: float = 3.0
    """From there until the ball lies still on every screen: then the number is called."""
    called: float = 2.5
    """From the call until the losers are collected."""
    paying: float = 3.0
    """From there until the winners are paid; the result is seen for as long as both together."""

    def __post_init__(self) -> None:
        steps = (
            self.betting,
            self.launched,
            self.running,
            self.falling,
            self.called,
            self.paying,
        )
        if min(*steps, self.warning) < 0 or sum(steps) < SHORTEST_COUP:
            raise ValueError(f"a coup lasts at least {SHORTEST_COUP:g} seconds")


QUICK = Pace(
    betting=0.0, warning=0.0, launched=0.0, running=1.0, falling=0.0, called=2.0, paying=2.0
)
"""How a coup is dealt to somebody who plays alone and wants it quickly: no house deals faster."""


class AutomaticCroupier:
    """Deals one table."""

    def __init__(
        self,
        actor: TableActor,
        pace: Pace | None = None,
        *,
        is_there: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._actor = actor
        self._usual_pace = pace or Pace()
        self._is_there = is_there
        """Whether a seated player is at the table: without anybody there it deals no coup."""
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
        for post in staffing.missing(state.book, state.held(), double=state.setup.double):
            places = (Automatic(post, number) for number in itertools.count(1))
            free = next(place for place in places if str(place) not in state.staff)
            await self._give(commands.TakePost(by=str(free), post=post))
        if not lacks_float(self._actor.house_table, self._actor.balances):
            await self._enter_float()
        floats = not lacks_float(self._actor.house_table, self._actor.balances)
        if state.phase is Phase.OPENING and floats:
            inspect = self._by(Act.INSPECT_TABLE, commands.InspectTable)
            if inspect is not None and state.book.wheel.inspected and not state.inspected:
                await self._give(inspect)
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
                await self._enter_float()
                if self._rests():
                    await self._wait_for_change()
                else:
                    await self._step()
            await self._enter_float()
            self._actor.expect(None)
        except TableStoppedError:
            return

    async def _enter_float(self) -> None:
        """Counts the float by the ledger, if it must be counted and its own posts may do it."""
        house_table = self._actor.house_table
        due = house_table.float_due
        if due is not None and due.counted is None:
            person = self._who(Act.COUNT_FLOAT)
            if person is None:
                return
            counted = max(0, self._actor.balances.get(BANK, 0))
            await self._give(CountFloat(by=person, counted=counted))
        if house_table.float_due is not None:
            await self._give(SignFloat(by=MANAGEMENT))

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
        spin, asked = self._spin, self._actor.spin_now
        await self._sleep(seconds, planned, spin)
        if self._actor.spin_now != asked:
            return  # The only player wants the ball now: it is planned anew.
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
        changed, asked = self._actor.changed, self._actor.spin_now
        sleeping = asyncio.ensure_future(self._actor.clock.sleep(seconds))
        try:
            while not sleeping.done() and self._still_next(planned, spin) is not None:
                if self._actor.house_table.state.orders:
                    await self._carry_out_orders()
                if is_opening and not self._actor.opening_left:
                    return
                if self._actor.spin_now != asked:
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
        if state.phase not in BETTING or state.ball_launched or self._is_asked_for:
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

    @property
    def _is_asked_for(self) -> bool:
        """Whether the only player wants the ball of this coup at once."""
        asked = self._actor.spin_now
        return asked is not None and asked.coup == self._actor.house_table.state.coup

    @property
    def _pace(self) -> Pace:
        """How the running coup is dealt."""
        asked = self._actor.spin_now
        is_quick = asked is not None and asked.is_quick and self._is_asked_for
        return QUICK if is_quick else self._usual_pace

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

        Stakes of absent players on the cloth, and the last games, are still played, and so is what
        somebody who went without a word has in prison: only a coup can free it.
        """
        state = self._actor.house_table.state
        if state.phase not in BETTING:
            return False
        if state.suspended:
            return True
        if state.ball_launched or state.stakes or (state.players and state.games_left):
            return False
        here = [player.name for player in state.players.values() if not player.away]
        if any(self._is_there(name) for name in here):
            return False
        return not any(prisoner.player in here for prisoner in state.prison.values())

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
                return self._by(Act.CALL_NUMBER, commands.CallNumber), pace.falling
            case Phase.COLLECTING:
                # A coup without winners ends here, and lasts as long as any other.
                seconds = pace.called if state.due else pace.called + pace.paying
                return self._by(Act.COLLECT, commands.CollectLosers), seconds
            case Phase.PAYING:
                return self._by(Act.PAY, commands.PayWinners), pace.paying
            case Phase.CLOSED:
                # A committed ball falls even if people hold the posts: nobody may delay it.
                return DrawBall(by=self._who(Act.POCKET_BALL) or MANAGEMENT), pace.running
            case _ if state.ball_to_inspect:
                return self._by(Act.INSPECT_BALL, commands.InspectBall), 0.0
            case _:
                return self._next_of_betting()

    def _next_of_betting(self) -> tuple[Command | None, float]:
        """The next command while betting is open: the last bets, the launch, or the close."""
        pace = self._pace
        if self._actor.house_table.state.ball_launched:
            seconds = 0.0 if self._is_asked_for else pace.launched
            return self._by(Act.CLOSE_BETTING, commands.CloseBetting), seconds
        if self._is_asked_for:
            after = pace.running + pace.falling + pace.called + pace.paying
            return self._by(Act.LAUNCH_BALL, commands.LaunchBall), max(0.0, SHORTEST_COUP - after)
        if self._warned == self._spin:
            return self._by(Act.LAUNCH_BALL, commands.LaunchBall), pace.warning
        if 0 < pace.warning < pace.betting and self._who(Act.CLOSE_BETTING) is not None:
            return self._by(Act.CLOSE_BETTING, CallLastBets), pace.betting - pace.warning
        return self._by(Act.LAUNCH_BALL, commands.LaunchBall), pace.betting

    def _by(self, act: Act, command: type[Command]) -> Command | None:
        person = self._who(act)
        return None if person is None else command(by=person)
