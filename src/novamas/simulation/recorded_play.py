"""Flat stakes on recorded numbers: looked up in the payoff tables, without the compiled loops.

With flat stakes a coup depends on those before it only while something is in prison. So every coup
is looked up at once as if nothing was, and only the rounds that lead into prison are followed
number by number. A recorded evening or year is answered sooner than the compiler is loaded; longer
records go through the loops, whose answer is the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from novamas.simulation import player_arrays as desks
from novamas.simulation.payoff_tables import ROW
from novamas.simulation.plan import Plan, Played, is_flat

MOST_HERE: Final = 1 << 22
"""How many coups are looked up at once, at most: about 130 megabytes."""


def is_looked_up(plan: Plan, players: int) -> bool:
    """Whether the players of a plan are played here: they are few enough, and no sum overflows."""
    if plan.spins is None or not is_flat(plan.system) or players * plan.coups > MOST_HERE:
        return False
    unit = plan.play.layout.stake
    each = max(unit, int(np.abs(plan.tables.rows.net).max()))
    return (plan.bankroll or 0) + plan.coups * each < desks.REACH


def play_recorded(plan: Plan, players: int) -> Played:
    """Plays all players of a plan, each with their own part of the recorded numbers."""
    shape = (players, plan.coups)
    spins = plan.spins[: players * plan.coups].reshape(shape)
    nets, waits, held = _rounds(plan, spins)
    begins = np.ones(shape, dtype=bool)
    begins[:, 1:] = ~waits[:, :-1]
    wealth = np.cumsum(nets, axis=1) + plan.purse
    times = np.cumsum(begins, axis=1)
    played, end = _ends(plan, wealth, waits)
    shown = min(players, plan.shown)
    marks = np.array(plan.marks, dtype=np.int64)
    # A player who has stopped keeps their purse; one who never laid, the purse they came with.
    last, row = played - 1, np.arange(players)
    at = np.minimum(marks - 1, last[:shown, None])
    there = np.where(last >= 0, wealth[row, last], plan.purse)
    laid = np.where(last >= 0, times[row, last], 0)
    began = (last >= 0)[:shown, None]
    rows = row[:shown, None]
    return Played(
        first=0,
        wealth=there,
        coups=played,
        turnover=laid * plan.play.layout.stake,
        end=end,
        held=np.where(end == desks.PLAYING, held, 0),
        paths=np.where(began, wealth[rows, at], plan.purse),
        laid=np.where(began, times[rows, at], 0),
        at_play=np.zeros((0, 3), dtype=np.int64),
    )


def _rounds(plan: Plan, spins: Any) -> tuple[Any, Any, Any]:
    """What each coup brings, whether a prison is left after it, and what is held after the last."""
    rows = plan.tables.rows
    net, following = rows.net.reshape(-1, ROW), rows.following.reshape(-1, ROW)
    first = int(rows.row_of[1])
    coups = plan.coups
    nets = net[first][spins]
    waits = np.zeros(spins.shape, dtype=bool)
    held = np.zeros(len(spins), dtype=np.int64)
    each, follows = net.tolist(), following.tolist()
    numbers, brings, waiting = spins.ravel(), nets.ravel(), waits.ravel()
    known = 0
    for place in np.flatnonzero((following[first] != 0)[numbers]).tolist():
        if place < known:
            continue  # This zero came while a stake was in prison, and is counted there.
        until = (place // coups + 1) * coups
        row = follows[first][numbers[place]]
        waiting[place] = True
        known = place + 1
        while row and known < until:
            number = numbers[known]
            brings[known] = each[row][number]
            row = follows[row][number]
            waiting[known] = row != 0
            known += 1
        held[place // coups] = rows.held[row]
    return nets, waits, held


def _ends(plan: Plan, wealth: Any, waits: Any) -> tuple[Any, Any]:
    """How many coups each player plays, and how their play ends."""
    players = len(wealth)
    played = np.full(players, plan.coups, dtype=np.int64)
    end = np.full(players, desks.PLAYING, dtype=np.int64)
    if plan.bankroll is None:
        return played, end
    low, high = plan.bounds
    # Nobody is asked for a stake, or leaves, while something of theirs is in prison.
    out = ~waits & ((wealth < low) | (wealth >= high))
    ended = out.any(axis=1)
    played[ended] = out.argmax(axis=1)[ended] + 1
    at_end = wealth[np.arange(players), played - 1]
    if not low <= plan.bankroll < high:
        played[:], ended[:], at_end[:] = 0, True, plan.bankroll
    end[ended] = np.where(at_end >= high, desks.TARGET, desks.RUIN)[ended]
    if plan.stop_loss is not None:
        end[(end == desks.RUIN) & (at_end <= plan.stop_loss)] = desks.STOPPED
    return played, end
