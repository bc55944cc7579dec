"""Events of the coup: the ball, the close, the number, collecting, paying, choosing at zero."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from novamas.game.lines import Line, Settlement
from novamas.game.rulebook.behaviours import Cause
from novamas.game.wheel import Direction, Pocket
from novamas.table.accounts import BANK, PRISON, Transfers, custody, owner
from novamas.table.commands import Choice
from novamas.table.decision_record import Decision, DecisionKind, Side, Standing
from novamas.table.events.event import Event, SeenBy, event, script_command

if TYPE_CHECKING:
    from novamas.table.state import State


@event(SeenBy.EVERYBODY)
class BallLaunched(Event):
    """The wheel was spun and the ball launched."""

    by: str
    spin: int
    wheel: Direction
    """The direction of the wheel."""
    ball: Direction
    """The direction of the ball."""
    call: str = ""
    """The invitation to bet, where the house calls it after the launch."""

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("launch")


@event(SeenBy.EVERYBODY)
class BettingClosed(Event):
    """No more bets were taken."""

    call: str
    """What the croupier says."""

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("no_more_bets")


@event(SeenBy.EVERYBODY)
class ExceptionGranted(Event):
    """A player was allowed one stake after the close."""

    player: str
    by: str
    articles: tuple[str, ...]
    reason: str = ""

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.EXCEPTION_GRANTED,
            by=self.by,
            about=self.player,
            why=self.reason,
            before=Side(standing=Standing.CLOSED),
            after=Side(standing=Standing.ONE_STAKE),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("exception", player=self.player)


@event(SeenBy.EVERYBODY, names_command=True)
class BallVoided(Event):
    """The ball was declared void; the stakes stayed."""

    cause: Cause
    call: str
    """What the croupier says."""
    by: str
    articles: tuple[str, ...]

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.BALL_VOIDED,
            by=self.by,
            why=self.cause.value,
            before=Side(standing=Standing.BALL_RUNS),
            after=Side(standing=Standing.BETTING),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("void", cause=self.cause.value)


@event(SeenBy.EVERYBODY)
class BallInspected(Event):
    """The ball was inspected after it had left the wheel."""

    by: str
    articles: tuple[str, ...]


@event(SeenBy.EVERYBODY, names_command=True)
class BallPocketed(Event):
    """The ball came to lie in a pocket."""

    number: Pocket
    last: bool

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("pocket", number=self.number, last=self.last or None)


@event(SeenBy.EVERYBODY, private=("lines",))
class NumberCalled(Event):
    """The number was called, and with it the coup settled."""

    call: str
    settlement: Settlement

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("call")


@event(SeenBy.EVERYBODY)
class NumberQuestioned(Event):
    """A person said that a number other than the called one came out."""

    before: Pocket
    """The number that was called."""
    number: Pocket
    """The correct number; the number that was called, where the question is withdrawn."""
    by: str
    reason: str
    articles: tuple[str, ...] = ()

    def decision(self, state: State) -> Decision:
        asked = state.questioned
        confirmed = self.number == self.before
        return Decision(
            kind=DecisionKind.NUMBER_CONFIRMED if confirmed else DecisionKind.NUMBER_QUESTIONED,
            by=self.by,
            why=self.reason,
            before=Side(number=asked.number if confirmed and asked else self.before),
            after=Side(number=self.number),
            articles=self.articles,
        )


@event(SeenBy.EVERYBODY)
class NumberCorrected(Event):
    """The number was changed, before anything was collected or paid."""

    before: Pocket
    """The number before the change."""
    number: Pocket
    by: str
    second: str | None
    """The second person who signed; None where the number had not been called yet."""
    reason: str
    articles: tuple[str, ...]

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.NUMBER_CORRECTED,
            by=self.by,
            second=self.second,
            why=self.reason,
            before=Side(number=self.before),
            after=Side(number=self.number),
            articles=self.articles,
        )


@event(SeenBy.EVERYBODY)
class LosersCollected(Event):
    """The losing chips were collected, and what zero divides was divided."""

    def move(self, moved: Transfers, state: State) -> None:
        if state.settlement is not None:
            moved.settle([line for line in state.settlement.lines if not line.won])

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("collect")


@event(SeenBy.EVERYBODY)
class WinnersPaid(Event):
    """A number of the payments that were due were made, in order."""

    payments: int
    """How many payments were made."""

    def move(self, moved: Transfers, state: State) -> None:
        due = islice(state.due, self.payments)
        moved.settle(line for payment in due for line in payment.lines)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("pay", payments=self.payments)


@event(SeenBy.EVERYBODY)
class CoupEnded(Event):
    """The last payment was made and the coup was over."""

    coup: int
    games_left: int | None
    call: str
    """What the croupier says: how many games remain, the invitation to bet, or nothing."""


@event(SeenBy.EVERYBODY)
class ChoiceMade(Event):
    """The owner of a stake that met zero chose."""

    id: str
    choice: Choice
    line: Line
    """What became of the prisoner by the choice."""

    def move(self, moved: Transfers, state: State) -> None:
        stake = self.line.stake
        moved.move(PRISON, owner(stake), self.line.returned)
        moved.move(PRISON, custody(stake.player), self.line.aside)
        moved.move(PRISON, BANK, self.line.lost)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("choose", id=self.id, choice=self.choice.value)
