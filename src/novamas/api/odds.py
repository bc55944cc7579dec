"""The exact odds of a layout at a house, and at all of them side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING

from novamas import rulebooks
from novamas.api.arguments import Bets, House, LimitsLike, bets_of, book_of, layout_of, limits_of
from novamas.game.arguments import items, one_of, whole
from novamas.game.notation import format_bets
from novamas.game.rulebook.toml_section import RulebookError
from novamas.odds.compare import AtHouse, comparison
from novamas.odds.compare import compare as compare_books
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.odds.layout import Layout
from novamas.odds.one_coup import Odds, odds_of

if TYPE_CHECKING:
    from novamas.odds.charts import Chart


def odds(
    house: House,
    layout: Bets | Layout,
    *,
    choice: str | Sequence[str] = "prison",
    limits: LimitsLike = None,
    chip: int = 1,
    divisible: bool = False,
) -> Odds:
    """The exact odds of the bets that one player lays, as fractions, prison included.

    `choice` is what the player does when zero comes out and the house lets them choose: `prison` or
    `half`, or one for each zero in a row. `divisible` halves a stake in prison without limit, as
    the published odds do; whole units stop halving at one. `rounded` names the bets that do not
    divide, so that an odd unit of them goes to the player.

    >>> import novamas as nv
    >>> nv.odds("ar", "red:10").edge, nv.odds("it", "red:10 17:5").edge
    (Fraction(1, 37), Fraction(2, 111))
    """
    return odds_of(
        book := book_of(house),
        layout_of(book, layout, chip=chip),
        choice=choice,
        limits=limits_of(limits),
        divisible=divisible,
    )


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Framed):
    """One layout at several houses.

    >>> import novamas as nv
    >>> found = nv.compare("red:10", houses=["ar", "it"])
    >>> found
    <Comparison of red:10: ar 1/37, it 1/74>
    >>> found["it"].edge
    Fraction(1, 74)
    """

    layout: str
    rows: tuple[AtHouse, ...]

    def __iter__(self) -> Iterator[AtHouse]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, house: str) -> Odds:
        found = {at.house: at.odds for at in self.rows if at.odds is not None}
        return found[one_of(house, found, argument="house")]

    @property
    def edges(self) -> dict[str, Fraction]:
        """House → the share that it keeps of every unit, for the houses that take the layout."""
        return {at.house: at.odds.edge for at in self.rows if at.odds is not None}

    @property
    def refused(self) -> dict[str, str]:
        """House → why it does not take the layout."""
        return {at.house: at.refused for at in self.rows if at.odds is None}

    def columns(self) -> Columns:
        """The houses as rows."""
        return comparison(self.rows)

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of the edges, written to an SVG or PNG file if a path is given."""
        from novamas.odds import charts

        return charts.plotted(charts.chart_of_houses(self.rows), path)

    def __repr__(self) -> str:
        edges = ", ".join(f"{house} {edge}" for house, edge in self.edges.items())
        refused = f"; not at {', '.join(self.refused)}" if edges and self.refused else ""
        return f"<Comparison of {self.layout}: {edges or 'no house takes it'}{refused}>"

    def _repr_html_(self) -> str:
        return self.columns().html(f"{self.layout}: what each house keeps")


def compare(
    layout: Bets,
    houses: Iterable[House] | None = None,
    *,
    choice: str | Sequence[str] = "prison",
    limits: LimitsLike = None,
    chip: int = 1,
) -> Comparison:
    """The odds of a layout at some houses, or at all of them.

    `refused` says why a house does not take the layout, or why the rulebook of a plug-in cannot be
    read.

    >>> import novamas as nv
    >>> nv.compare("00:1", houses=["fr", "fram", "sd"])
    <Comparison of 00:1: fram 1/19, sd 1/19; not at fr>
    >>> nv.compare("00:1", houses=["fr"]).refused
    {'fr': 'fr does not offer 00 (FR-52.0)'}
    """
    whole(chip, argument="chip")
    placard = limits_of(limits)
    rows: list[AtHouse] = []
    asked = rulebooks.houses() if houses is None else houses
    for house in items(asked, argument="houses", of="ids of houses"):
        try:
            book = book_of(house)
        except RulebookError as problem:
            if houses is not None:
                raise
            rows.append(AtHouse(str(house), None, str(problem)))
            continue
        text = format_bets(bets_of(book, layout, argument="layout"))
        rows += compare_books(text, [book], choice=choice, limits=placard, chip=chip)
    laid = layout if isinstance(layout, str) else format_bets(bets_of(book, layout))
    return Comparison(laid, tuple(rows))
