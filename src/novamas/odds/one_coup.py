"""The odds of one coup: the exact law of a layout under a house's rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from os import PathLike
from typing import TYPE_CHECKING, Any

from novamas.game.arguments import switch
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.model import Rulebook
from novamas.odds.data_frames import Framed, Table
from novamas.odds.errors import LayoutError
from novamas.odds.law import Amount, Carrier, Law
from novamas.odds.layout import Layout
from novamas.odds.number_format import fraction
from novamas.odds.play import play_of
from novamas.odds.rounding import Rounded, rounded_in

if TYPE_CHECKING:
    from novamas.odds.charts import Chart


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Framed):
    """The odds of a layout, including what prison brings later.

    >>> import novamas as nv
    >>> nv.odds("ar", "red:10")
    <Odds ar red:10: edge 1/37 = 2.7 %>
    """

    house: str
    layout: str
    stake: int
    outcomes: Mapping[Amount, Fraction]
    """Net result → probability, from the greatest loss to the greatest gain."""
    unlisted: Fraction
    """The probability of outcomes beyond those listed; 0 except for a divisible stake in prison."""
    expectation: Fraction
    variance: Fraction
    third_moment: Fraction
    """The mean cube of the distance from the expectation."""
    hits: Fraction
    """How often a stake of the layout is paid."""
    coups: Fraction
    """How many coups it takes on average until all of it is decided."""
    rounded: tuple[Rounded, ...] = ()
    """The bets of which an odd unit is rounded for the player; a live table does not take them."""

    @property
    def edge(self) -> Fraction:
        """What the house keeps of every unit staked."""
        return -self.expectation / self.stake

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The skewness: above 0 for rare great gains, below 0 for rare great losses."""
        return float(self.third_moment) / float(self.variance) ** 1.5 if self.variance else 0.0

    @property
    def gain(self) -> Fraction:
        """The probability of a gain."""
        return sum((p for net, p in self.outcomes.items() if net > 0), Fraction(0))

    @property
    def even(self) -> Fraction:
        """The probability of neither gain nor loss."""
        return self.outcomes.get(0, Fraction(0))

    def as_data(self) -> dict[str, Any]:
        """Everything as plain data; fractions are written `18/37`."""
        return {
            "house": self.house,
            "layout": self.layout,
            "stake": self.stake,
            "outcomes": {str(net): str(p) for net, p in self.outcomes.items()},
            "unlisted": str(self.unlisted),
            "expectation": str(self.expectation),
            "edge": str(self.edge),
            "variance": str(self.variance),
            "deviation": self.deviation,
            "skewness": self.skewness,
            "hits": str(self.hits),
            "gain": str(self.gain),
            "even": str(self.even),
            "coups": str(self.coups),
            "rounded": [each.as_data() for each in self.rounded],
        }

    def __repr__(self) -> str:
        return f"<Odds {self.house} {self.layout}: edge {fraction(self.edge)}>"

    def _repr_html_(self) -> str:
        caption = f"{self.layout} ({self.house}): edge {fraction(self.edge)}"
        return self.table().html(caption)

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of the outcomes, written to an SVG or PNG file if a path is given."""
        from novamas.odds import charts

        return charts.plotted(charts.chart_of_odds(self), path)

    def columns(self) -> Table:
        """The outcomes as columns."""
        return self.table()

    def table(self) -> Table:
        """The outcomes as columns."""
        return Table(
            {
                "net": [float(net) for net in self.outcomes],
                "probability": [float(p) for p in self.outcomes.values()],
                "fraction": [str(p) for p in self.outcomes.values()],
            }
        )


def odds_of(
    book: Rulebook,
    layout: str | Layout,
    *,
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
    divisible: bool = False,
) -> Odds:
    """The odds of a layout under a house's rulebook, by enumerating its pockets.

    `choice` is what the player does at the first zero, at the second and so on, where the house
    lets them choose. With limits, a layout that could not play is refused, and halves below the
    minimum stay in prison. `divisible` halves a stake without end, as the published odds do; whole
    units stop halving at one.

    >>> from novamas.rulebooks import load
    >>> odds_of(load("it"), "red:10 17:5").edge
    Fraction(2, 111)
    """
    play = play_of(book, layout, choice=choice, limits=limits, chip=chip)
    if switch(divisible, argument="divisible") and limits.by_class:
        raise LayoutError("a divisible stake has no minimum: leave the limits out")
    # The halves of the first zeros must be whole; from there on each is like the last.
    size = 2 ** (len(play.choices) + 2) if divisible else 1
    turns = play.turns(times=size)
    law = Carrier(play, divisible=divisible).after(turns)
    hits = Fraction(sum(turn.pockets for turn in turns if turn.hit), len(play.wheel))
    rounded = () if divisible else rounded_in(play.layout, play.choices)
    return _odds(play.layout, law, size=size, hits=hits, rounded=rounded)


def _odds(
    layout: Layout, law: Law, *, size: int, hits: Fraction, rounded: tuple[Rounded, ...]
) -> Odds:
    first, second, third = (m / size**k for k, m in enumerate(law.moments, start=1))
    outcomes = law.outcomes
    if size > 1:
        outcomes = {Fraction(net) / size: p for net, p in outcomes.items()}
    return Odds(
        house=layout.book.id,
        layout=layout.text,
        stake=layout.stake,
        outcomes=outcomes,
        unlisted=law.unlisted,
        expectation=first,
        variance=second - first**2,
        third_moment=third - 3 * first * second + 2 * first**3,
        hits=hits,
        coups=law.coups,
        rounded=rounded,
    )
