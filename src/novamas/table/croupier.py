"""The automatic croupier: gives the staff's commands in the order of a coup.

It has no special power: everything it does is a command to the table, as at a table with people.
The caller chooses the number.
"""

from __future__ import annotations

from collections.abc import Callable

from novamas.game import staffing
from novamas.game.errors import NovamasError
from novamas.game.notation import Announced, Bet
from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import Pocket
from novamas.table import commands
from novamas.table.decide import EventsOrRefusal, decide
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, State


class TableRefusedError(NovamasError):
    """The table refused a command; `refusal` names the rule it would break, and the articles.

    >>> import novamas as nv
    >>> table = nv.Table("it", players={"anna": 100}, seed=7)
    >>> try:
    ...     table.stake("anna", "17:500")
    ... except nv.TableRefusedError as error:
    ...     print(error.refusal.why.value)
    exceeds_purse
    """

    def __init__(self, refusal: Refusal, what: str = "") -> None:
        self.refusal = refusal
        super().__init__(f"{what}: {refusal}" if what else str(refusal))


class Croupier:
    """Staffs a table and runs its coups."""

    def __init__(
        self, state: State, *, watch: Callable[[State, Event], None] | None = None
    ) -> None:
        self.state = state
        self._watch = watch

    def ask(self, command: commands.Command) -> EventsOrRefusal:
        """Gives the table a command of any person; a refusal is returned and changes nothing."""
        decision = decide(self.state, command)
        if not isinstance(decision, Refusal):
            for event in decision:
                if self._watch is not None:
                    self._watch(self.state, event)
                evolve(self.state, event)
        return decision

    def do(self, command: commands.Command) -> tuple[Event, ...]:
        """Gives the table a command that must succeed; raises `TableRefusedError` otherwise."""
        decision = self.ask(command)
        if isinstance(decision, Refusal):
            raise TableRefusedError(decision)
        return decision

    def _who(self, act: Act) -> Identity:
        return self.state.who_may(act) or MANAGEMENT

    def open(self) -> tuple[Event, ...]:
        """Fills the posts that the house requires, and opens the table."""
        double = self.state.setup.double
        for post in staffing.missing(self.state.book, self.state.held(), double=double):
            # No player can have this name: it contains a blank.
            name = f"{post} {len(self.state.posts_of(post)) + 1}"
            self.do(commands.TakePost(by=name, post=post))
        if self.state.book.wheel.inspected and not self.state.inspected:
            self.do(commands.InspectTable(by=self._who(Act.INSPECT_TABLE)))
        return self.do(commands.OpenTable(by=MANAGEMENT))

    def seat(self, player: str) -> None:
        """Gives a player a seat."""
        self.do(commands.Sit(by=player))

    def sell(
        self, player: str, amount: int, *, chip: int | None = None, value_chips: bool = False
    ) -> tuple[Event, ...]:
        """Sells a player chips."""
        by = self._who(Act.SELL_CHIPS)
        wish = commands.BuyChips(
            by=by, player=player, amount=amount, chip=chip, value_chips=value_chips
        )
        return self.do(wish)

    def close_betting(self) -> tuple[Event, ...]:
        """Launches the ball and closes betting."""
        if self.state.ball_to_inspect:
            self.do(commands.InspectBall(by=self._who(Act.INSPECT_BALL)))
        launched = self.do(commands.LaunchBall(by=self._who(Act.LAUNCH_BALL)))
        closed = self.do(commands.CloseBetting(by=self._who(Act.CLOSE_BETTING)))
        return (*launched, *closed)

    def call(self, number: Pocket, *, last: bool = False) -> tuple[Event, ...]:
        """Pockets the ball and calls its number; the cloth does not change yet."""
        pocket = commands.PocketBall(by=self._who(Act.POCKET_BALL), number=number, last=last)
        return (*self.do(pocket), *self.do(commands.CallNumber(by=self._who(Act.CALL_NUMBER))))

    def settle(self) -> tuple[Event, ...]:
        """Collects the losers and pays the winners; a coup without winners has already ended."""
        done = self.do(commands.CollectLosers(by=self._who(Act.COLLECT)))
        if self.state.phase is Phase.PAYING:
            done = (*done, *self.do(commands.PayWinners(by=self._who(Act.PAY))))
        return done

    def announce_last_games(self) -> tuple[Event, ...]:
        """Announces the last games, where the house counts them."""
        return self.do(commands.AnnounceLastGames(by=self._who(Act.ANNOUNCE_LAST_GAMES)))

    def close(self) -> tuple[Event, ...]:
        """Closes the table; what lies on it is returned."""
        return self.do(commands.CloseTable(by=MANAGEMENT))


def placed(player: str, bet: Bet, *, id: str) -> commands.Command:
    """The command that lays a bet."""
    if isinstance(bet.what, Announced):
        return commands.Announce(
            by=player, id=id, player=player, call=bet.what.name, amount=bet.amount
        )
    return commands.PlaceStake(by=player, id=id, player=player, on=bet.what.name, amount=bet.amount)
