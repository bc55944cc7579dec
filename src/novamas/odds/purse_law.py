"""The law of a purse: what it has won or lost after a number of coups by a staking system.

The play is followed coup by coup. What is in prison after the last coup still counts as the
player's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from os import PathLike
from typing import TYPE_CHECKING, Final

from novamas.game.arguments import instance, shown, switch, whole
from novamas.game.errors import UsageError, has_type
from novamas.odds.data_frames import Framed, Table
from novamas.odds.many_coups import MOST_COUPS
from novamas.odds.number_format import counted, share
from novamas.odds.player import Game
from novamas.odds.step_by_step import Chance, follow

if TYPE_CHECKING:
    from novamas.odds.charts import Chart

MOST_EFFORT: Final = 1_000


@dataclass(frozen=True, repr=False)
class Purses(Framed):
    """Every result of a purse, and its probability."""

    chances: Mapping[int, Chance]
    """What was won or lost → its probability, from the least to the greatest."""
    precision: float
    """A bound on the error of a probability; 0 where it is exact."""

    @cached_property
    def _below(self) -> tuple[list[int], list[Chance]]:
        return list(self.chances), list(accumulate(self.chances.values()))

    @property
    def mean(self) -> float:
        """The average result."""
        return float(sum(net * chance for net, chance in self.chances.items()))

    @property
    def ahead(self) -> Chance:
        """The probability of having won."""
        return sum((chance for net, chance in self.chances.items() if net > 0), Fraction(0))

    def at_most(self, net: int) -> Chance:
        """The probability of this result or less."""
        nets, below = self._below
        place = bisect_right(nets, net)
        return below[place - 1] if place else Fraction(0)

    def columns(self) -> Table:
        """The results as rows."""
        chances = [float(chance) for chance in self.chances.values()]
        return Table({"net": list(self.chances), "probability": chances})

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of the results, written to an SVG or PNG file if a path is given."""
        from novamas.odds import charts

        return charts.plotted(charts.chart_of_purses(self), path)

    def _repr_svg_(self) -> str:
        return self.plot()._repr_svg_()

    def __repr__(self) -> str:
        found = counted(len(self.chances), "result", commas=True)
        return f"<Purses: {found}, {self.mean:+.2f} on average, ahead {share(float(self.ahead))}>"


def purses_after(
    game: Game, coups: int, *, exact: bool | None = None, effort: float = 1.0
) -> Purses:
    """The law of a purse after a number of coups, or at its earlier end, within an effort.

    >>> from novamas.odds.layout import Layout
    >>> from novamas.odds.play import Play
    >>> from novamas.odds.systems import SYSTEMS
    >>> from novamas.rulebooks import load
    >>> game = Game(Play(Layout.read(load("ar"), "red:1")), SYSTEMS["martingale"], 3)
    >>> {net: str(chance) for net, chance in purses_after(game, 2).chances.items()}
    {-3: '361/1369', 0: '342/1369', 1: '342/1369', 2: '324/1369'}
    """
    instance(game, Game, argument="game")
    whole(coups, argument="coups", most=MOST_COUPS)
    if exact is not None:
        switch(exact, argument="exact")
    if not has_type(effort, int, float) or not 0 < effort <= MOST_EFFORT:
        raise UsageError(f"effort: expected a number up to {MOST_EFFORT}, not {shown(effort)}")
    start = game.start()
    if isinstance(start, str):
        return Purses({0: Fraction(1)}, 0.0)
    found = follow(game, start, coups, exact=exact, effort=effort)
    return Purses(
        {wealth - game.bankroll: chance for wealth, chance in found.purses.items()},
        found.precision,
    )
