"""The result of a simulation, as plain data, with the error of each figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan, sqrt
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from novamas.odds.charts import write_picture
from novamas.odds.data_frames import Table
from novamas.odds.many_coups import QUANTILES
from novamas.odds.number_format import counted
from novamas.odds.player import ENDS

if TYPE_CHECKING:
    from novamas.simulation.player_block import Plan, Played

# NumPy is imported where it is used: the name of this class is public even where NumPy is missing.

SURE: Final = 1.959963984540054
"""The number of standard deviations of an interval of 95 %."""
FAN: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
WAYS: Final = (*ENDS, "playing")


@dataclass(frozen=True)
class Figure:
    """An average, or a share, with its standard error and an interval of 95 %.

    The result of a single player has no error: the error and the interval are then nan.
    """

    value: float
    error: float
    low: float
    high: float

    @property
    def has_error(self) -> bool:
        """Whether its error is known."""
        return not isnan(self.error)

    def as_data(self) -> dict[str, float | None]:
        """As plain data; None for an unknown value."""
        names = ("value", "error", "low", "high")
        values = {name: getattr(self, name) for name in names}
        return {name: None if isnan(value) else value for name, value in values.items()}


def average(values: Any) -> Figure:
    """The average of a number of players, and its standard error."""
    count = len(values)
    mean = float(values.mean()) if count else float("nan")
    error = float(values.std(ddof=1)) / sqrt(count) if count > 1 else float("nan")
    return Figure(mean, error, mean - SURE * error, mean + SURE * error)


def share(count: int, of: int) -> Figure:
    """A share with Wilson's interval, which is also right for few cases and for none.

    >>> share(0, 100).high < 0.04
    True
    """
    if not of:
        return Figure(*[float("nan")] * 4)
    p, z = count / of, SURE * SURE / of
    middle = (p + z / 2) / (1 + z)
    half = SURE * sqrt(p * (1 - p) / of + z / of / 4) / (1 + z)
    return Figure(p, sqrt(p * (1 - p) / of), max(0.0, middle - half), min(1.0, middle + half))


def kept(net: Any, turnover: Any) -> Figure | None:
    """The share of the stakes that the house has kept; None if nothing was staked."""
    staked = float(turnover.sum())
    if not staked:
        return None
    value = -float(net.sum()) / staked
    # A ratio of two averages: its error is that of the residuals.
    error = average(net + value * turnover).error / (staked / len(net))
    return Figure(value, error, value - SURE * error, value + SURE * error)


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a simulation. The arrays have an element for each player who finished.

    >>> import novamas as nv
    >>> result = nv.simulate("ar", "red:10", bankroll=100, coups=100, players=1_000)
    >>> result.players, result.quantiles([0.5])
    (1000, {0.5: -40})
    """

    plan: Plan
    wanted: int
    """How many players were planned."""
    net: Any
    """What each player has won or lost; what is in prison in the end counts as theirs."""
    coups: Any
    turnover: Any
    end: Any
    paths: Any
    """What the players shown had won or lost at the marks."""
    laid: Any
    """The sum of the multiples of the layout that they had laid by then."""
    at_play: Any
    """The players who had not finished at an interruption, a row each: net, coups, turnover."""
    seconds: float

    @property
    def players(self) -> int:
        """How many players finished."""
        return len(self.net)

    @property
    def is_whole(self) -> bool:
        """Whether all planned players finished."""
        return self.players == self.wanted

    @property
    def mean(self) -> float:
        """What a player has won or lost on average."""
        return float(self.net.mean())

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The averages: net result, coups, turnover, and what the house kept of it."""
        found = {
            "net": average(self.net),
            "coups": average(self.coups),
            "turnover": average(self.turnover),
        }
        edge = kept(self.net, self.turnover)
        return found if edge is None else {**found, "edge": edge}

    @property
    def played(self) -> int:
        """All coups that were played, including those of players who did not finish."""
        return int(self.coups.sum()) + int(self.at_play[:, 1].sum())

    @property
    def kept_so_far(self) -> Figure | None:
        """What the house has kept of all stakes, including those of players who did not finish."""
        import numpy as np

        net, _, turnover = self.at_play.T
        return kept(np.append(self.net, net), np.append(self.turnover, turnover))

    @cached_property
    def ends(self) -> dict[str, Figure]:
        """How the plays ended, each way with its share."""
        return {
            way: share(int((self.end == place).sum()), self.players)
            for place, way in enumerate(WAYS)
        }

    @cached_property
    def ahead(self) -> Figure:
        """The share of players who have won."""
        return share(int((self.net > 0).sum()), self.players)

    def quantiles(self, shares: Sequence[float] = QUANTILES) -> dict[float, int]:
        """The least results that these shares of the players do not exceed."""
        import numpy as np

        kept = np.sort(self.net)
        places = [max(0, -int(-q * len(kept) // 1) - 1) for q in shares]
        return {q: int(kept[place]) for q, place in zip(shares, places, strict=True)}

    def histogram(self, bins: int = 40) -> list[tuple[int, int, float]]:
        """The results in intervals: from, up to, share of the players."""
        import numpy as np

        low, high = int(self.net.min()), int(self.net.max())
        values = np.unique(self.net)
        step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
        wide = -(-((high - low) // step + 1) // bins) * step
        places = np.bincount((self.net - low) // wide, minlength=1)
        return [
            (low + place * wide, low + (place + 1) * wide - step, float(count) / self.players)
            for place, count in enumerate(places)
        ]

    def fan(self, shares: Sequence[float] = FAN) -> list[dict[str, float]]:
        """How the results spread: for each mark the coups played, and quantiles of the paths."""
        import numpy as np

        if not len(self.paths):
            return []
        found = np.quantile(self.paths, shares, axis=0, method="inverted_cdf")
        return [
            {"coups": mark, **{f"{q:g}": int(found[row, place]) for row, q in enumerate(shares)}}
            for place, mark in enumerate(self.plan.marks)
        ]

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data; the same seed gives the same data, except for the seconds."""
        so_far = self.kept_so_far
        data = self._asked_for() | {
            "played": self.played,
            "at_play": len(self.at_play),
            "kept_so_far": None if so_far is None else so_far.as_data(),
        }
        return data | self._finished() if self.players else data

    def _asked_for(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "house": plan.play.book.id,
            "layout": plan.play.layout.text,
            "system": plan.system.name,
            "bankroll": plan.bankroll,
            "target": plan.target,
            "stop_loss": plan.stop_loss,
            "coups": plan.coups,
            "players": self.players,
            "wanted": self.wanted,
            "seed": None if plan.spins is not None else plan.seed,
        }

    def _finished(self) -> dict[str, Any]:
        return {
            "figures": {name: figure.as_data() for name, figure in self.figures.items()},
            "ends": {way: figure.as_data() for way, figure in self.ends.items()},
            "ahead": self.ahead.as_data(),
            "deviation": float(self.net.std(ddof=1)) if self.players > 1 else None,
            "quantiles": {f"{q:g}": net for q, net in self.quantiles().items()},
            "histogram": [list(bar) for bar in self.histogram()],
            "fan": self.fan(),
        }

    def __repr__(self) -> str:
        plan, players = self.plan, counted(self.players, "player")
        mean = f", {self.mean:+.2f} on average" if self.players else ""
        what = f"{plan.play.book.id} {plan.play.layout.text}, {plan.system.name}"
        return f"<Simulation {what}: {players}, {counted(plan.coups, 'coup')}{mean}>"

    def svg(self) -> str:
        """The paths of the players, and their results beside the exact law where there is one."""
        from novamas.simulation import charts

        return charts.svg(self, charts.law_of(self))

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.players else None

    def frame(self, kind: str | None = None) -> Any:
        """The players as a data frame of `polars` or `pandas`, whichever is installed."""
        return self.table().as_frame(kind)

    def plot(self, path: str | PathLike[str]) -> None:
        """Writes the picture to an SVG or PNG file."""
        from novamas.simulation import charts

        write_picture(path, svg=self.svg, png=lambda: charts.png(self, charts.law_of(self)))

    def table(self) -> Table:
        """Players as rows: what each won or lost, how long they played, and how it ended."""
        return Table(
            {
                "net": self.net.tolist(),
                "coups": self.coups.tolist(),
                "turnover": self.turnover.tolist(),
                "end": [WAYS[end] for end in self.end],
            }
        )


def result_of(plan: Plan, wanted: int, parts: Sequence[Played], *, seconds: float) -> Result:
    """Joins the parts of a simulation, in the order of the players."""

    def together(name: str) -> Any:
        import numpy as np

        return np.concatenate([getattr(part, name) for part in parts])

    return Result(
        plan=plan,
        wanted=wanted,
        net=together("wealth") - plan.purse,
        coups=together("coups"),
        turnover=together("turnover"),
        end=together("end"),
        paths=together("paths") - plan.purse,
        laid=together("laid"),
        at_play=together("at_play") - (plan.purse, 0, 0),
        seconds=seconds,
    )
