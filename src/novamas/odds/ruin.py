"""Ruin: how a purse ends under a staking system, with the table's limits in force.

Between rounds the play is a Markov chain: the purse, and what the system remembers. It is solved
for the long run; for a number of coups it is followed from one to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from novamas.game.arguments import switch, whole_or_none
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.model import Rulebook
from novamas.odds import markov
from novamas.odds.data_frames import Framed, Table
from novamas.odds.errors import TooLargeError
from novamas.odds.layout import Layout
from novamas.odds.number_format import share
from novamas.odds.play import play_of
from novamas.odds.player import ENDS, At, AtLimit, Game
from novamas.odds.step_by_step import follow
from novamas.odds.systems import System, system_of

if TYPE_CHECKING:
    from novamas.odds.charts import Chart

Chance: TypeAlias = Fraction | float

MOST_COUPS: Final = 10**12
MOST_STATES: Final = 60_000
EXACT_STATES: Final = 300
"""The most states for which the answer is in fractions by default."""


@dataclass(frozen=True, slots=True, repr=False)
class Ruin(Framed):
    """How a purse ends. Probabilities and means are fractions where they are exact.

    >>> from novamas.rulebooks import load
    >>> ruin_of(load("ar"), "red:10", 100, target=200)
    <Ruin ar red:10, flat, purse 100: ruin 63.2 %, target 36.8 %>
    """

    house: str
    layout: str
    system: str
    bankroll: int
    target: int | None
    stop_loss: int | None
    coups: int | None
    """The most coups that are played; None if there is no limit."""
    ruin: Chance
    """The probability that the purse no longer buys the layout."""
    reached: Chance
    """The probability that it reaches the target."""
    stopped: Chance
    """The probability that it falls to the stop-loss."""
    playing: Chance
    """The probability that the play still goes on after the coups."""
    duration: Chance
    """How many coups are played on average."""
    turnover: Chance
    """The mean total of the stakes."""
    purse: Chance
    """The mean of the purse in the end, including what is in prison."""
    states: int
    precision: float
    """A bound on the error of a probability; 0 where it is exact."""

    @property
    def ends(self) -> dict[str, Chance]:
        """The ways in which this play may end, each with its probability."""
        found = {"ruin": self.ruin}
        if self.target is not None:
            found["target"] = self.reached
        if self.stop_loss is not None:
            found["stopped"] = self.stopped
        if self.coups is not None:
            found["playing"] = self.playing
        return found

    def columns(self) -> Table:
        """The ways in which it may end as rows."""
        chances = [float(chance) for chance in self.ends.values()]
        return Table({"end": list(self.ends), "probability": chances})

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of how it ends, written to an SVG or PNG file if a path is given."""
        from novamas.odds import charts

        return charts.plotted(charts.chart_of_ruin(self), path)

    def _repr_svg_(self) -> str:
        return self.plot()._repr_svg_()

    def __repr__(self) -> str:
        ends = ", ".join(f"{way} {share(float(chance))}" for way, chance in self.ends.items())
        return f"<Ruin {self.house} {self.layout}, {self.system}, purse {self.bankroll}: {ends}>"

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data; fractions are written `18/37`, each with its value."""
        data: dict[str, Any] = {
            "house": self.house,
            "layout": self.layout,
            "system": self.system,
            "bankroll": self.bankroll,
            "target": self.target,
            "stop_loss": self.stop_loss,
            "coups": self.coups,
        }
        for name in ("ruin", "reached", "stopped", "playing", "duration", "turnover", "purse"):
            data[name] = float(getattr(self, name))
        data["states"] = self.states
        data["precision"] = self.precision
        if not self.precision and isinstance(self.ruin, Fraction):
            data["fractions"] = {name: str(getattr(self, name)) for name in ("ruin", "reached")}
        return data


def ruin_of(  # noqa: PLR0913 - each is something a player may set, and all have names.
    book: Rulebook,
    layout: str | Layout,
    bankroll: int,
    *,
    target: int | None = None,
    stop_loss: int | None = None,
    coups: int | None = None,
    system: str | System = "flat",
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
    at_limit: AtLimit = "cap",
    lays_on: bool = False,
    exact: bool | None = None,
) -> Ruin:
    """How a purse ends: by ruin, at its target, at its stop-loss or after a number of coups.

    Where the maximum or the purse does not allow what the system wants, the player lays what is
    allowed; with `at_limit="restart"` the system begins again instead when it wants more than the
    maximum. With `lays_on` the player lays their layout even while a part of it is in prison; this
    is only for flat play.

    >>> from novamas.rulebooks import load
    >>> ruin_of(load("ar"), "red:1", 1, target=2).ruin
    Fraction(19, 37)
    """
    play = play_of(book, layout, choice=choice, limits=limits, chip=chip)
    whole_or_none(coups, argument="coups", most=MOST_COUPS)
    if exact is not None:
        switch(exact, argument="exact")
    if target is None and coups is None:
        raise TooLargeError(
            "without a target the purse has no bound", instead="set a target, or a number of coups"
        )
    game = Game(
        play,
        system_of(system),
        bankroll,
        target=target,
        stop_loss=stop_loss,
        at_limit=at_limit,
        lays_on=lays_on,
    )
    start = game.start()
    if isinstance(start, str):
        return _over(game, start, coups)
    if coups is None:
        return _in_the_long_run(game, start, exact=exact)
    return _for_coups(game, start, coups, exact=exact)


def _result(game: Game, coups: int | None, **found: Any) -> Ruin:
    return Ruin(
        house=game.play.book.id,
        layout=game.play.layout.text,
        system=game.system.name,
        bankroll=game.bankroll,
        target=game.target,
        stop_loss=game.stop_loss,
        coups=coups,
        **found,
    )


def _over(game: Game, end: str, coups: int | None) -> Ruin:
    zero, one = Fraction(0), Fraction(1)
    return _result(
        game,
        coups,
        ruin=one if end == "ruin" else zero,
        reached=one if end == "target" else zero,
        stopped=one if end == "stopped" else zero,
        playing=zero,
        duration=zero,
        turnover=zero,
        purse=Fraction(game.bankroll),
        states=0,
        precision=0.0,
    )


def _for_coups(game: Game, start: At, coups: int, *, exact: bool | None) -> Ruin:
    found = follow(game, start, coups, exact=exact)
    return _result(
        game,
        coups,
        **dict(zip(("ruin", "reached", "stopped"), found.ends, strict=True)),
        playing=found.playing,
        duration=found.duration,
        turnover=found.turnover,
        purse=found.purse,
        states=found.states,
        precision=found.precision,
    )


def _in_the_long_run(game: Game, start: At, *, exact: bool | None) -> Ruin:
    states = _states(game, start)
    if exact is None:
        exact = len(states) <= EXACT_STATES
    solution = markov.solve(states, exact=exact)
    duration, turnover, purse = solution.brings
    return _result(
        game,
        None,
        **dict(zip(("ruin", "reached", "stopped"), solution.ends, strict=True)),
        playing=Fraction(0) if exact else 0.0,
        duration=duration,
        turnover=turnover,
        purse=purse,
        states=len(states),
        precision=solution.precision,
    )


def _states(game: Game, start: At) -> list[markov.State]:
    """Every reachable state, with what its rounds or coups lead to."""
    index: dict[At, int] = {start: 0}
    queue = [start]
    found: list[markov.State] = []
    nothing = Fraction(0)
    for at in queue:
        goes: dict[int, Fraction] = {}
        ends = [nothing] * len(ENDS)
        left = nothing
        moves, coups = _by_coup(game, at) if game.lays_on else _by_round(game, at)
        for chance, to, wealth in moves:
            if isinstance(to, str):
                ends[ENDS.index(to)] += chance
                left += chance * wealth
                continue
            if to not in index:
                index[to] = len(queue)
                queue.append(to)
            goes[index[to]] = goes.get(index[to], nothing) + chance
        if len(queue) > MOST_STATES:
            problem = f"{game.system.name} can come to more than {MOST_STATES} states here"
            raise TooLargeError(problem)
        staked = Fraction(game.lays(at) * game.unit)
        found.append(markov.State(goes, tuple(ends), (coups, staked, left)))
    return found


_Moves: TypeAlias = list[tuple[Fraction, At | str, int]]
"""Probabilities, where they lead, and what the purse is there."""


def _by_round(game: Game, at: At) -> tuple[_Moves, Fraction]:
    """Where the rounds from a state lead, and how many coups one takes on average."""
    laid = game.lays(at)
    law = game.law(laid)
    moves: _Moves = []
    for net, chance in law.outcomes.items():
        wealth = at.wealth + int(net)
        moves.append((chance, game.decided(at, laid=laid, net=int(net), wealth=wealth), wealth))
    return moves, law.coups


def _by_coup(game: Game, at: At) -> tuple[_Moves, Fraction]:
    """Where single coups lead; needed with `lays_on`, because rounds overlap."""
    of = len(game.play.wheel)
    moves = [(Fraction(pockets, of), to, left) for pockets, to, left in game.moves(at)]
    return moves, Fraction(1)
