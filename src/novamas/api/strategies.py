"""Strategies: they choose where to bet and how much, at the real table and in trials alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from novamas.api.arguments import Bets, bets_of, layout_of
from novamas.api.simulate import staking
from novamas.api.solo import Laid, View
from novamas.game.arguments import one_of
from novamas.game.notation import Bet
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.odds.play import Prison
from novamas.odds.player import UNBOUNDED
from novamas.odds.systems import System, laid_of
from novamas.table.commands import Choice


@runtime_checkable
class Strategy(Protocol):
    """A function of what a player sees that returns their bets, or None for no bet.

    An attribute `choice` says what the player does at zero where the house lets them choose: `half`
    or `prison`. Without it everything goes to prison.

    >>> import novamas as nv
    >>> def follow_the_colour(view):
    ...     last = view.numbers[-1] if view.numbers else 0
    ...     return "red:10" if last in nv.spot("red").numbers else "black:10"
    >>> isinstance(follow_the_colour, nv.Strategy)
    True
    >>> nv.trials("es", follow_the_colour, bankroll=100, coups=50, players=20).players
    20
    """

    def __call__(self, view: View, /) -> Bets | None:
        """The bets of the next coup."""


@dataclass(frozen=True, slots=True, repr=False)
class Staking:
    """A strategy that always lays the same layout, as often as a staking system says.

    While a part of it is in prison, the player waits, and `system` is one of `nv.systems()` or a
    function as for `nv.simulate`. Trials of it are compiled.

    >>> import novamas as nv
    >>> by_the_book = nv.Staking("red:10", system="martingale")
    >>> table = nv.Table("ar", players={"ana": 100})
    >>> [coup.net["ana"] for coup in table.play({"ana": by_the_book}, numbers=[2, 4, 1])]
    [-10, -20, 40]
    """

    layout: Bets
    system: str | System = "flat"
    choice: str = "prison"

    def __call__(self, view: View, /) -> Laid | None:
        """The layout, as many times as the system wants and the table allows."""
        notes, system = view.memory, self.by
        layout = layout_of(view.book, self.layout, chip=view.chip)
        unit = layout.stake
        if view.prison:
            return None
        state = notes.get("state", system.start)
        if "laid" in notes:
            net = sum(view.results[notes["since"] :])
            state = system.next(state, laid=notes.pop("laid"), net=net, unit=unit)
        notes["state"] = state
        if view.purse < unit:
            return None
        most = layout.most(view.limits)
        times = laid_of(system.wants(state), UNBOUNDED if most is None else most, view.purse, unit)
        notes.update(laid=times, since=len(view.results))
        return tuple(Bet(bet.what, bet.amount * times) for bet in layout.bets) if times else None

    @property
    def by(self) -> System:
        """The staking system."""
        return staking(self.system)

    def __repr__(self) -> str:
        return f"<Staking {self.layout} by {self.by.name}>"


def choice_of(strategy: object) -> Choice:
    """What a strategy does at zero."""
    known = (each.value for each in Choice)
    return Choice(one_of(getattr(strategy, "choice", "prison"), known, argument="choice"))


def bets_from(strategy: Strategy, view: View) -> Laid:
    """The bets of a strategy; empty for none."""
    laid = strategy(view)
    return () if laid is None else _read(view.book, laid)


def _read(book: Rulebook, laid: Bets) -> Laid:
    if isinstance(laid, str) and not laid.strip():
        return ()
    return bets_of(book, laid, argument="strategy")


class Follower:
    """Follows one player of a table, and makes what their strategy sees."""

    def __init__(self, strategy: Strategy, start: View) -> None:
        self.strategy = strategy
        self.choice = choice_of(strategy)
        self._view = start
        self._wealth = start.bankroll

    def bets(self, purse: int, prison: Prison) -> Laid:
        """The bets of the next coup."""
        self._view = replace(self._view, purse=purse, prison=prison)
        return bets_from(self.strategy, self._view)

    def note(self, number: Pocket, wealth: int) -> None:
        """Remembers a coup, from what the player has after it."""
        seen = self._view
        results = (*seen.results, wealth - self._wealth)
        self._view = replace(seen, numbers=(*seen.numbers, number), results=results)
        self._wealth = wealth
