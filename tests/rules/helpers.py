"""What the tests of the houses' rules share: stakes in a line of text, and a table that plays.

settle_line("ar", 17, "17:3").won                    one stake, settled without a table
table = opened("it", {"ana": 100}, chip=5)           a staffed and open table
table.stake("ana", "17:5 red:25")                    stakes laid, or the test fails
refused(table, commands.WithdrawStake(...))          the refusal, or the test fails
coup(table, 17).of("ana").won                        launched, closed, pocketed, called, paid
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

from novamas.game import staffing
from novamas.game.announcements import call_of, laid
from novamas.game.cloth import SpotClass, spot
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line, Settlement
from novamas.game.rulebook.behaviours import Act, Cause, LimitsKept, Winning
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.decide import decide
from novamas.table.events import Event, NumberCalled
from novamas.table.evolve import evolve
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.results import CoupTally, Tally
from novamas.table.state import Phase, Setup, State
from novamas.wording.calls import number_call

_E = TypeVar("_E", bound=Event)

BOOKS = ("ar", "bg", "es", "it")
STAFF_WORDS = frozenset(("laid_for", "value_unclear", "foreign", "unattended", "covered"))
"""What only the staff says of a stake."""


def case(rules: str, *values: object) -> ParameterSet:
    """A row of a table of cases: the rules that it proves, then the values of its columns."""
    return pytest.param(*values, marks=pytest.mark.rule(*rules.split()))


def spots_offered(house: str) -> dict[str, int]:
    """How many spots of each class the house's cloth has; a class without spots is not named."""
    book = load(house)
    cloth = book.cloth.plan
    counts = {kind.value: sum(map(book.offers, cloth.of_class(kind))) for kind in SpotClass}
    return {kind: count for kind, count in counts.items() if count}


SINGLE_SPOTS = {
    "straight": 37,
    "split": 60,
    "street": 14,
    "corner": 23,
    "sixline": 11,
    "column": 3,
    "dozen": 3,
    "simple": 6,
}
"""The spots that every cloth of 37 numbers has; what lies across two boxes differs."""


# Stakes without a table ---------------------------------------------------------------------------


def stakes(text: str, player: str = "ana", **more: Any) -> list[Stake]:
    """The stakes of one player from a text such as `17:5 red:50`; `more` holds for each of them.

    Their ids are the player's name and their places: `ana1`, `ana2` …
    """
    named = [bet.rsplit(":", 1) for bet in text.split()]
    return [
        Stake(f"{player}{place}", player, spot(name), int(amount), **more)
        for place, (name, amount) in enumerate(named, start=1)
    ]


def pieces(book: str, call: str, amount: int, player: str = "ana", **more: Any) -> list[Stake]:
    """The stakes that an announcement lays."""
    found = call_of(load(book), call)
    assert found is not None, f"{book} takes no {call}"
    laid_out = laid(found, amount)
    assert laid_out is not None, f"{amount} does not come out even on {call}"
    return [
        Stake(f"{call}/{place}", player, on, each, announcement=call, call=call, **more)
        for place, (on, each) in enumerate(laid_out, start=1)
    ]


def settled(
    book: str,
    pocket: Pocket,
    *hands: str | Iterable[Stake],
    limits: Mapping[str, Any] | None = None,
    prison: Iterable[Prisoner] = (),
    **more: Any,
) -> Settlement:
    """A coup settled; a hand is a text, of a player called ana, or stakes."""
    on_cloth = [
        each for hand in hands for each in (stakes(hand) if isinstance(hand, str) else hand)
    ]
    placard = NO_LIMITS if limits is None else Limits.of(limits)
    return settle(load(book), pocket, on_cloth, prison=prison, limits=placard, **more)


def settle_line(book: str, pocket: Pocket, bet: str | Stake, **more: Any) -> Line:
    """The line of one stake that lies alone on the cloth."""
    (line,) = settled(book, pocket, bet if isinstance(bet, str) else [bet], **more).lines
    return line


def back(lines: Settlement | Iterable[Line]) -> int:
    """What comes back to the players' hands in all, winnings included."""
    return sum(line.hand for line in (lines.lines if isinstance(lines, Settlement) else lines))


# A table in play ----------------------------------------------------------------------------------


@dataclass
class Table:
    """A table whose commands must not be refused, with all that has happened at it."""

    state: State
    tally: Tally = field(default_factory=Tally)
    events: list[Event] = field(default_factory=list)
    laid: int = 0

    def act(self, command: commands.Command) -> tuple[Event, ...]:
        """Give a command; the test fails if it is refused."""
        decision = decide(self.state, command)
        assert not isinstance(decision, Refusal), f"{command} was refused: {decision}"
        for event in decision:
            self.tally.note(self.state, event)
            evolve(self.state, event)
        self.events += decision
        return decision

    def staff(self, act: Act) -> str:
        """Someone whose post may do it."""
        person = self.state.who_may(act)
        assert person is not None, f"no post may {act}"
        return person

    def purse(self, player: str) -> int:
        """What a player holds."""
        return self.state.players[player].purse

    def stake(self, player: str, text: str, **more: Any) -> tuple[str, ...]:
        """Lay stakes such as `17:5 red:50`; returns their ids. `more` are fields of the command.

        What only the staff says of a stake is said by the staff, unless `by` names somebody.
        """
        ids = []
        if STAFF_WORDS & more.keys():
            more = {"by": self.staff(Act.PLACE_FOR_PLAYER), **more}
        for bet in text.split():
            ids.append(more.get("id", f"s{self.laid + 1}"))
            self.act(place(player, bet, **{"id": ids[-1], **more}))
            self.laid += 1
        return tuple(ids)

    def last(self, kind: type[_E]) -> _E:
        """The last event of a kind."""
        return next(event for event in reversed(self.events) if isinstance(event, kind))

    def launch(self) -> None:
        """Spin the wheel and launch the ball."""
        self.act(commands.LaunchBall(by=self.staff(Act.LAUNCH_BALL)))

    def close(self) -> None:
        """Call "no va más"; the ball is launched first if it does not run yet."""
        if not self.state.ball_launched:
            self.launch()
        self.act(commands.CloseBetting(by=self.staff(Act.CLOSE_BETTING)))

    def void(self, cause: Cause | str) -> None:
        """Declare the ball void."""
        self.act(commands.VoidBall(by=self.staff(Act.VOID_BALL), cause=Cause(cause)))

    def notice(self, id: str) -> None:
        """Notice a stake above its maximum."""
        self.act(commands.NoticeExcess(by=self.staff(Act.NOTICE_EXCESS), id=id))

    def pocket(self, number: Pocket, *, last: bool = False) -> None:
        """Let the ball fall; betting is closed first if it is open."""
        if self.state.phase is not Phase.CLOSED:
            self.close()
        by = self.staff(Act.POCKET_BALL)
        self.act(commands.PocketBall(by=by, number=number, last=last))

    def call(self) -> None:
        """Call the number."""
        self.act(commands.CallNumber(by=self.staff(Act.CALL_NUMBER)))

    def collect(self) -> None:
        """Collect the losers."""
        self.act(commands.CollectLosers(by=self.staff(Act.COLLECT)))

    def pay(self) -> None:
        """Make all payments that are due, if any is."""
        if self.state.phase is Phase.PAYING:
            self.act(commands.PayWinners(by=self.staff(Act.PAY)))


def opened(
    book: str,
    players: Mapping[str, int],
    *,
    chips: Mapping[str, int] | None = None,
    value_chips: Iterable[str] = (),
    **setup: Any,
) -> Table:
    """An open table with its least staff, called `post-1`, `post-2` …, and players with a purse.

    `chips` is what a chip of a player is worth, where it is not the table's; `value_chips` are the
    players who bought value chips. `setup` are fields of Setup, as plain data; the limits are
    policed where the house knows that. A player with a purse of 0 sits and has bought nothing.
    """
    rules = load(book)
    if LimitsKept.POLICED in rules.limits.kept:
        setup = {"limits_kept": LimitsKept.POLICED, **setup}
    for name, kind in (("limits", Limits.of), ("limits_kept", LimitsKept), ("winning", Winning)):
        if isinstance(setup.get(name), dict | str):
            setup[name] = kind(setup[name])
    table = Table(State.fresh(rules, Setup(**setup)))
    for post in staffing.missing(rules, {}):
        number = len(table.state.posts_of(post)) + 1
        table.act(commands.TakePost(by=f"{post}-{number}", post=post))
    for player, purse in players.items():
        table.act(commands.Sit(by=player))
        if purse:
            table.act(
                commands.BuyChips(
                    by=table.staff(Act.SELL_CHIPS),
                    player=player,
                    amount=purse,
                    chip=(chips or {}).get(player),
                    value_chips=player in value_chips,
                )
            )
    if rules.wheel.inspected:
        table.act(commands.InspectTable(by=table.staff(Act.INSPECT_TABLE)))
    table.act(commands.OpenTable(by=MANAGEMENT))
    return table


def place(player: str, bet: str, **more: Any) -> commands.PlaceStake:
    """The command that lays one stake such as `17:5`."""
    on, amount = bet.rsplit(":", 1)
    given: dict[str, Any] = {"by": player, "id": "late", "player": player, **more}
    return commands.PlaceStake(on=on, amount=int(amount), **given)


def refused(table: Table, command: commands.Command) -> Refusal:
    """The refusal of a command; the test fails if it is not refused."""
    decision = decide(table.state, command)
    assert isinstance(decision, Refusal), f"{command} was not refused"
    return decision


def coup(table: Table, number: Pocket, *, last: bool = False) -> CoupTally:
    """Play the coup to its end and return what it brought."""
    table.pocket(number, last=last)
    table.call()
    table.collect()
    table.pay()
    return table.tally.coups[-1]


def number_called(house: str, number: Pocket) -> str:
    """What the croupier calls: by the book, and as a table of the house records it."""
    table = opened(house, {})
    table.pocket(number)
    table.call()
    call = table.last(NumberCalled).call
    assert call == number_call(load(house), number)
    return call


def paid_in_order(house: str) -> Table:
    """Plays 17 for 17:10 and red:20 of ana; nothing is collected or paid before its turn."""
    table = opened(house, {"ana": 100})
    table.stake("ana", "17:10 red:20")
    table.close()
    by = table.staff(Act.CALL_NUMBER)
    assert refused(table, commands.CallNumber(by=by)).why is RefusalReason.BALL_NOT_POCKETED
    table.pocket(17)
    collect, pay = commands.CollectLosers(by=by), commands.PayWinners(by=by)
    assert refused(table, collect).why is RefusalReason.NUMBER_NOT_CALLED
    table.call()
    assert refused(table, pay).why is RefusalReason.LOSERS_NOT_COLLECTED
    assert table.state.bank == 0
    table.collect()
    assert (table.state.bank, table.purse("ana")) == (20, 70)
    table.pay()
    assert (table.state.bank, table.purse("ana")) == (20 - 350, 70 + 10 + 350)
    return table
