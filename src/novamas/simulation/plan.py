"""The plan of a simulation, and what a block of its players comes to.

Nothing here needs the compiler, which takes longer to load than a short answer takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from novamas.odds.play import Play
from novamas.odds.player import UNBOUNDED, AtLimit, Game
from novamas.odds.systems import SYSTEMS, System
from novamas.simulation import player_arrays as desks
from novamas.simulation.payoff_tables import Tables
from novamas.simulation.player_arrays import MOST_TURNOVER, NO_PURSE, REACH, TOP

ABLE: Final = 1 << 54
"""The most that can be staked in a coup if the table has no maximum: 35 times this amount does not
overflow."""


@dataclass(frozen=True)
class Plan:
    """What is played: a play at a table, a system, a purse and an end."""

    play: Play
    system: System
    tables: Tables
    coups: int
    bankroll: int | None
    target: int | None
    stop_loss: int | None
    at_limit: AtLimit
    seed: int
    marks: tuple[int, ...]
    """The coups after which the purses of the players shown are recorded."""
    shown: int
    """How many players are shown with their paths."""
    spins: Any = None
    """Recorded numbers as indices of pockets; each player plays `coups` of them."""
    to_the_end: bool = False
    """Whether what is in prison after the last coup is followed until it is decided."""

    @property
    def purse(self) -> int:
        """What a player begins with in the loop."""
        return NO_PURSE if self.bankroll is None else self.bankroll

    @property
    def most(self) -> int:
        """The highest multiple of the layout."""
        return most_times(self.play)

    @property
    def bounds(self) -> tuple[int, int]:
        """The play goes on while the purse is not below the first, and is below the second."""
        if self.bankroll is None:
            return NO_PURSE - REACH, NO_PURSE + REACH
        unit = self.play.layout.stake
        low = unit if self.stop_loss is None else max(unit, self.stop_loss + 1)
        return low, TOP if self.target is None else self.target

    def terms(self, first: int) -> tuple[int, ...]:
        """The parameters of the loop, as numbers."""
        unit = self.play.layout.stake
        low, high = self.bounds
        above = desks.RESTART if self.at_limit == "restart" else desks.CAP
        maximum = self.play.layout.most(self.play.limits)
        if maximum is None or maximum > self.most:
            above = desks.REFUSE
        bound = UNBOUNDED if above == desks.CAP else self.most
        has_floor, has_top = self.bankroll is not None, self.target is not None
        most_times = MOST_TURNOVER // unit
        return (
            *(self.seed, self.coups, self.purse, unit, low, high, self.most, bound, above, first),
            *(int(has_floor), int(has_top), most_times, int(self.to_the_end)),
        )


def most_times(play: Play) -> int:
    """The highest multiple of the layout that the table allows and the loop can count."""
    most = play.layout.most(play.limits)
    able = ABLE // play.layout.stake
    return able if most is None else min(most, able)


def game_of(plan: Plan) -> Game:
    """The same play for the exact odds."""
    return Game(
        plan.play,
        plan.system,
        plan.purse,
        target=plan.target,
        stop_loss=plan.stop_loss,
        at_limit=plan.at_limit,
    )


@dataclass
class Played:
    """The result of a block of players; arrays with an element for each player."""

    first: int
    wealth: Any
    coups: Any
    turnover: Any
    end: Any
    held: Any
    """What each player still has in prison after their last coup."""
    paths: Any
    """The purses of the players shown, at the marks."""
    laid: Any
    """The sum of the multiples of the layout that they had laid by then."""
    at_play: Any
    """The players who had not finished when it was stopped, a row each: wealth, coups, turnover."""


def is_own(system: System) -> bool:
    """Whether it is the user's own, and not one of the named systems."""
    known = SYSTEMS.get(system.name)
    if known is None or known.after is not system.after or known.wanted is not system.wanted:
        return True
    # The loop of a system that remembers two numbers is written for its own first state.
    return not known.keeps_line and known.start != system.start


def is_flat(system: System) -> bool:
    """Whether it lays the layout once at every coup."""
    return system.name == "flat" and not is_own(system)
