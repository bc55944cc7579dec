"""A block of players: the work of one thread, process or machine at a time.

A block gets everything it needs, and returns plain arrays. The result depends only on the plan and
the players; a block that is played again gives the same result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novamas.odds.errors import TooLargeError
from novamas.simulation import kernels
from novamas.simulation import player_arrays as desks
from novamas.simulation.compiled_systems import compiled_name
from novamas.simulation.payoff_tables import too_often
from novamas.simulation.plan import Plan, Played
from novamas.simulation.player_arrays import (
    MOST_TURNOVER,
    REACH,
    SEATS,
    progress_array,
    zeros_in_line,
)
from novamas.simulation.rng import AHEAD, fours_of, streams_of
from novamas.simulation.user_systems import OwnSystemError, too_far


def too_much(plan: Plan) -> TooLargeError:
    """An error: a player's money or stakes would be more than 64-bit integers can count."""
    problem = f"a player would win, lose or stake more than {MOST_TURNOVER:,} in all"
    if plan.bankroll is None:
        problem = f"a player would win or lose more than {REACH:,}, or stake over {MOST_TURNOVER:,}"
    return TooLargeError(problem, instead="use smaller stakes or fewer coups, or set limits")


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
