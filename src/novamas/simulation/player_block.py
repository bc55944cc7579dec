"""A block of players: the work of one thread, process or machine at a time.

A block gets everything it needs, and returns plain arrays. The result depends only on the plan and
the players; a block that is played again gives the same result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from novamas.odds.errors import TooLargeError
from novamas.odds.play import Play
from novamas.odds.player import UNBOUNDED, AtLimit, Game
from novamas.odds.systems import System
from novamas.simulation import kernels
from novamas.simulation import player_arrays as desks
from novamas.simulation.compiled_systems import compiled_name
from novamas.simulation.payoff_tables import Tables, too_often
from novamas.simulation.player_arrays import MOST_TURNOVER, NO_PURSE, REACH, TOP
from novamas.simulation.rng import AHEAD, SEATS, fours_of, streams_of, zeros_in_line
from novamas.simulation.user_systems import OwnSystemError, too_far

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

    def terms(self, first: int) -> tuple[int, ...]:
        """The parameters of the loop, as numbers."""
        unit = self.play.layout.stake
        if self.bankroll is None:
            low, high = NO_PURSE - REACH, NO_PURSE + REACH
        else:
            low = unit if self.stop_loss is None else max(unit, self.stop_loss + 1)
            high = TOP if self.target is None else self.target
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


def too_much(plan: Plan) -> TooLargeError:
    """An error: a player's money or stakes would be more than 64-bit integers can count."""
    problem = f"a player would win, lose or stake more than {MOST_TURNOVER:,} in all"
    if plan.bankroll is None:
        problem = f"a player would win or lose more than {REACH:,}, or stake over {MOST_TURNOVER:,}"
    return TooLargeError(problem, instead="use smaller stakes or fewer coups, or set limits")


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


def progress_array() -> Any:
    """An array in which a loop reports its number of coups, and reads whether to stop."""
    return np.zeros(2, dtype=np.int64)


def play_block(plan: Plan, first: int, count: int, progress: Any = None) -> Played:
    """Plays a block of players; returns early with what was played if it is stopped."""
    name = compiled_name(plan.system)
    tables = plan.tables
    loop = kernels.loop_of(name, linear=tables.is_linear, pockets=tables.pockets)
    shown = max(0, min(count, plan.shown - first))
    marks = np.array(plan.marks, dtype=np.int64)
    wealth, coups, turnover, end, held = (np.zeros(count, dtype=np.int64) for _ in range(5))
    end[:] = desks.UNFINISHED
    paths, laid = (np.zeros((shown, len(marks)), dtype=np.int64) for _ in range(2))
    progress = progress_array() if progress is None else progress
    out = (wealth, coups, turnover, end, held, paths, laid, progress)
    start = np.array(plan.system.start, dtype=np.int64)
    spins = np.zeros(0, dtype=np.uint8) if plan.spins is None else plan.spins
    nets = zeros_in_line(AHEAD * SEATS, np.int64)
    numbers = (fours_of(), streams_of(), nets, spins)
    desk = desks.desk_of()
    line = desks.lines_of(plan.system, desk)
    rows, terms = plan.tables.rows, plan.terms(first)
    while True:
        why, need = loop(rows, terms, start, numbers, line, marks, out, desk)
        if why == desks.NEEDS_ROW:
            rows = plan.tables.need(need)
        elif why == desks.NEEDS_ROOM:
            line = desks.lines_of(plan.system, desk, before=line)
        elif why == desks.NEEDS_LIMITS:
            if need >= 0:
                raise too_often(need)
            wants = f"it comes to want the layout {need} times over"
            raise OwnSystemError(f"{plan.system.name}: {wants}: expected a whole number, 0 or more")
        elif why == desks.TOO_FAR:
            raise too_far(plan.system)
        elif why == desks.TOO_MUCH:
            raise too_much(plan)
        else:
            break
    there = end != desks.UNFINISHED
    if plan.stop_loss is not None:
        end[(end == desks.RUIN) & (wealth <= plan.stop_loss)] = desks.STOPPED
    seen = there[:shown]
    return Played(
        first,
        wealth[there],
        coups[there],
        turnover[there],
        end[there],
        held[there],
        paths[seen],
        laid[seen],
        desks.at_play(desk, plan.play.layout.stake),
    )
