"""The result of a simulation, as plain data, with the error of each figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from novamas.game.arguments import listed, place_of, whole
from novamas.odds.charts import write_picture
from novamas.odds.data_frames import Framed, Table
from novamas.odds.many_coups import QUANTILES
from novamas.odds.number_format import counted
from novamas.odds.player import ENDS
from novamas.simulation.bounds import MOST_SHARES
from novamas.simulation.intervals import Figure, average, kept, share, total
from novamas.simulation.shapes import odds_once, shapes_of

if TYPE_CHECKING:
    from novamas.simulation.plan import Plan, Played

# NumPy is imported where it is used: the name of this class is public even where NumPy is missing.

FAN: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_BINS: Final = 10_000
WAYS: Final = (*ENDS, "playing")


@dataclass(frozen=True, repr=False)
class Result(Framed):
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
    held: Any
    """What each player still has in prison after their last coup."""
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
        return total(self.net) / len(self.net)

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The averages: net result, coups, turnover, and what the house kept of it."""
        shapes, rounds = shapes_of(self), self._rounds(self.turnover)
        found = {
            "net": average(self.net, shapes.net, coups=rounds),
            "coups": average(self.coups, shapes.coups),
            "turnover": average(self.turnover, shapes.turnover),
        }
        edge = kept(self.net, self.turnover, shapes.net, coups=rounds)
        return found if edge is None else {**found, "edge": edge}

    def _rounds(self, turnover: Any) -> int:
        return total(turnover) // self.plan.play.layout.stake

    @cached_property
    def exact_edge(self) -> Fraction | None:
        """What the house keeps of the layout laid once, prison included; None if too large.

        Where everything is proportional to the stake, no system changes it: it is the truth that
        the simulated share comes near to.

        >>> import novamas as nv
        >>> nv.simulate("it", "red:10", coups=10, players=10).exact_edge
        Fraction(1, 74)
        """
        odds = odds_once(self.plan)
        return None if odds is None else odds.edge

    @property
    def played(self) -> int:
        """All coups that were played, including those of players who did not finish."""
        return total(self.coups) + total(self.at_play[:, 1])

    @property
    def kept_so_far(self) -> Figure | None:
        """What the house has kept of all stakes, including those of players who did not finish."""
        import numpy as np

        net, _, turnover = self.at_play.T
        net, turnover = np.append(self.net, net), np.append(self.turnover, turnover)
        return kept(net, turnover, shapes_of(self).net, coups=self._rounds(turnover))

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
        """The least results that these shares of the players do not exceed.

        A share is taken as it is written: 0.07 of 100 players are 7.
        """
        import numpy as np

        wanted = listed(shares, argument="shares", of="shares", most=MOST_SHARES)
        ordered = np.sort(self.net)
        return {q: int(ordered[place_of(q, len(ordered), argument="shares")]) for q in wanted}

    def histogram(self, bins: int = 40) -> list[tuple[int, int, float]]:
        """The results in intervals: from, up to, share of the players."""
        whole(bins, argument="bins", most=MOST_BINS)
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

        wanted = listed(shares, argument="shares", of="shares", most=MOST_SHARES)
        places = [place_of(q, max(1, len(self.paths)), argument="shares") for q in wanted]
        if not len(self.paths):
            return []
        found = np.sort(self.paths, axis=0)[places]
        return [
            {"coups": mark, **{f"{q:g}": int(found[row, place]) for row, q in enumerate(wanted)}}
            for place, mark in enumerate(self.plan.marks)
        ]

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data; the same seed gives the same data, except for the seconds."""
        so_far = self.kept_so_far
        data = self._asked_for() | {
            "played": self.played,
            "at_play": len(self.at_play),
            "kept_so_far": None if so_far is None else so_far.as_data(),
            "exact_edge": None if self.exact_edge is None else str(self.exact_edge),
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
            "held": total(self.held),
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

    def plot(self, path: str | PathLike[str] | None = None) -> Result:
        """The result, which shows its picture; written to an SVG or PNG file if a path is given."""
        from novamas.simulation import charts

        if path is not None:
            write_picture(path, svg=self.svg, png=lambda: charts.png(self, charts.law_of(self)))
        return self

    def columns(self) -> Table:
        """The players as columns."""
        return self.table()

    def table(self) -> Table:
        """Players as rows: what each won or lost, how long they played, and how it ended."""
        return Table(
            {
                "net": self.net.tolist(),
                "coups": self.coups.tolist(),
                "turnover": self.turnover.tolist(),
                "held": self.held.tolist(),
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
        held=together("held"),
        paths=together("paths") - plan.purse,
        laid=together("laid"),
        at_play=together("at_play") - (plan.purse, 0, 0),
        seconds=seconds,
    )
