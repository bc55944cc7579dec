"""Many coups of one layout: the law of the result, exactly or to a stated precision.

The player lays the same layout coup after coup. While a part of it is in prison they wait, unless
`lays_on` is set. What is in prison after the last coup is followed until it is decided.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import sqrt
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from novamas.game.arguments import listed, switch
from novamas.game.arguments import share as share_of
from novamas.game.arguments import whole as whole_number
from novamas.game.errors import UsageError
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.model import Rulebook
from novamas.odds.data_frames import Framed, Table
from novamas.odds.layout import Layout
from novamas.odds.many_coups import exact as whole
from novamas.odds.many_coups.fourier import Spectrum, spectrum
from novamas.odds.many_coups.renewal import Mean, followed_for, mean_of, model_of
from novamas.odds.many_coups.rounds import Rounds, rounds_of
from novamas.odds.number_format import counted
from novamas.odds.number_format import share as part
from novamas.odds.play import play_of

if TYPE_CHECKING:
    from novamas.odds.charts import Chart

Chance: TypeAlias = Fraction | float

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MOST_COUPS: Final = 10**12
MOST_BINS: Final = 10_000


class Results(Framed, ABC):
    """The law of the result after a number of coups; exact probabilities are fractions."""

    def __init__(self, layout: Layout, coups: int, mean: Mean) -> None:
        self.house = layout.book.id
        self.layout = layout.text
        self.stake = layout.stake
        self.coups = coups
        self._mean = mean

    @property
    @abstractmethod
    def precision(self) -> float:
        """A bound on the error of a probability; 0 where it is exact."""

    @property
    @abstractmethod
    def reach(self) -> tuple[int, int]:
        """The least and the greatest result that matters."""

    @property
    @abstractmethod
    def step(self) -> int:
        """The results lie so far apart."""

    @abstractmethod
    def chance(self, net: int) -> Chance:
        """The probability of exactly this result."""

    @abstractmethod
    def at_most(self, net: int) -> Chance:
        """The probability of this result or less."""

    @property
    def mean(self) -> float:
        """The average result."""
        return self._mean.mean

    @property
    def deviation(self) -> float:
        """The standard deviation of the result."""
        return sqrt(max(0.0, self._mean.variance))

    @property
    def ahead(self) -> Chance:
        """The probability of having won."""
        return 1 - self.at_most(0)

    @property
    def even(self) -> Chance:
        """The probability of having neither won nor lost."""
        return self.chance(0)

    @property
    def behind(self) -> Chance:
        """The probability of having lost."""
        return self.at_most(-1)

    def quantile(self, share: float | Fraction) -> int:
        """The least result that is not exceeded with at least this probability.

        A share is taken as it is written: 0.07 is seven hundredths.
        """
        wanted = share_of(share, argument="share")
        if not 0 < wanted < 1:
            raise UsageError(f"share: a quantile lies between 0 and 1, not at {share}")
        low, high = self.reach
        step = self.step
        below, above = 0, (high - low) // step
        while below < above:
            middle = (below + above) // 2
            if self.at_most(low + middle * step) >= wanted:
                above = middle
            else:
                below = middle + 1
        return low + below * step

    def histogram(self, bins: int = 40) -> list[tuple[int, int, Chance]]:
        """The law in intervals (from, up to, probability), without its farthest tails."""
        whole_number(bins, argument="bins", most=MOST_BINS)
        low, high = self.quantile(1e-4), self.quantile(1 - 1e-4)
        steps = (high - low) // self.step + 1
        wide = -(-steps // bins) * self.step
        found: list[tuple[int, int, Chance]] = []
        before = self.at_most(low - self.step)
        for start in range(low, high + 1, wide):
            end = start + wide - self.step
            now = self.at_most(end)
            found.append((start, end, now - before))
            before = now
        return found

    def as_data(self, quantiles: Sequence[float] = QUANTILES) -> dict[str, Any]:
        """The main figures as plain data; fractions are given as floating-point numbers."""
        wanted = listed(quantiles, argument="quantiles", of="shares", most=MOST_BINS)
        return {
            "house": self.house,
            "layout": self.layout,
            "coups": self.coups,
            "mean": self.mean,
            "deviation": self.deviation,
            "ahead": float(self.ahead),
            "even": float(self.even),
            "behind": float(self.behind),
            "quantiles": {str(share): self.quantile(share) for share in wanted},
            "precision": self.precision,
        }

    def table(self, bins: int = 40) -> Table:
        """The histogram as columns."""
        rows = self.histogram(bins)
        return Table(
            {
                "from": [start for start, _, _ in rows],
                "to": [end for _, end, _ in rows],
                "probability": [float(chance) for _, _, chance in rows],
            }
        )

    def columns(self) -> Table:
        """The histogram as columns."""
        return self.table()

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of the law, written to an SVG or PNG file if a path is given."""
        from novamas.odds import charts

        return charts.plotted(charts.chart_of_results(self), path)

    def _repr_svg_(self) -> str:
        return self.plot()._repr_svg_()

    def __repr__(self) -> str:
        played = counted(self.coups, "coup", commas=True)
        ahead = part(float(self.ahead))
        told = f"{self.house} {self.layout}: {played}, {self.mean:+.2f} on average, ahead {ahead}"
        return f"<{type(self).__name__} {told}>"


class ExactResults(Results):
    """The law in whole numbers: each result with how many sequences of pockets lead to it."""

    def __init__(self, layout: Layout, rounds: Rounds, coups: int) -> None:
        self.ways, self.total = whole.counted(rounds, coups)
        first = Fraction(sum(net * ways for net, ways in self.ways.items()), self.total)
        second = Fraction(sum(net**2 * ways for net, ways in self.ways.items()), self.total)
        super().__init__(layout, coups, Mean(float(first), float(second - first**2)))
        self._nets = list(self.ways)
        self._below = list(accumulate(self.ways.values()))
        self._step = whole.lattice(self.ways)[1]

    @property
    def precision(self) -> float:
        """Nothing is rounded."""
        return 0.0

    @property
    def reach(self) -> tuple[int, int]:
        """The least and the greatest possible result."""
        return self._nets[0], self._nets[-1]

    @property
    def step(self) -> int:
        """The results lie so far apart."""
        return self._step

    def chance(self, net: int) -> Fraction:
        """The probability of exactly this result."""
        whole_number(net, argument="net", least=None)
        return Fraction(self.ways.get(net, 0), self.total)

    def at_most(self, net: int) -> Fraction:
        """The probability of this result or less."""
        whole_number(net, argument="net", least=None)
        place = bisect_right(self._nets, net)
        return Fraction(self._below[place - 1], self.total) if place else Fraction(0)

    @property
    def outcomes(self) -> dict[int, Fraction]:
        """Every result with its probability."""
        return {net: Fraction(ways, self.total) for net, ways in self.ways.items()}


class RoundedResults(Results):
    """The law in floating point, with a bound on its error."""

    def __init__(self, layout: Layout, rounds: Rounds, coups: int) -> None:
        super().__init__(layout, coups, mean_of(rounds, coups))
        self.spectrum: Spectrum = spectrum(model_of(rounds, coups))
        self._start = self.spectrum.model.base * coups

    @property
    def precision(self) -> float:
        """A bound on the error of every probability."""
        return self.spectrum.precision

    @property
    def reach(self) -> tuple[int, int]:
        """The results between which all but a part below the precision lies."""
        low, width = self.spectrum.low, self.spectrum.width
        return self._start + low * self.step, self._start + (low + width - 1) * self.step

    @property
    def step(self) -> int:
        """The results lie so far apart."""
        return self.spectrum.model.step

    def chance(self, net: int) -> float:
        """The probability of exactly this result."""
        whole_number(net, argument="net", least=None)
        place, rest = divmod(net - self._start, self.step)
        return 0.0 if rest else self.spectrum.exactly(place)

    def at_most(self, net: int) -> float:
        """The probability of this result or less."""
        whole_number(net, argument="net", least=None)
        return self.spectrum.at_most((net - self._start) // self.step)


def after_coups(
    book: Rulebook,
    layout: str | Layout,
    coups: int,
    *,
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
    lays_on: bool = False,
    exact: bool | None = None,
) -> Results:
    """The law of the result of a number of coups of a layout.

    It is exact where that takes about a second, otherwise in floating point with its precision;
    `exact` chooses one of the two.

    >>> from novamas.rulebooks import load
    >>> found = after_coups(load("ar"), "red:1", 2)
    >>> found, found.ahead
    (<ExactResults ar red:1: 2 coups, -0.05 on average, ahead 23.7 %>, Fraction(324, 1369))
    """
    whole_number(coups, argument="coups", most=MOST_COUPS)
    play = play_of(book, layout, choice=choice, limits=limits, chip=chip)
    switch(lays_on, argument="lays_on")
    rounds = rounds_of(play, longest=followed_for(coups, play.wheel), lays_on=lays_on)
    if exact is not None:
        switch(exact, argument="exact")
    else:
        exact = whole.cost(rounds, coups) <= whole.QUICK
    return (ExactResults if exact else RoundedResults)(play.layout, rounds, coups)
