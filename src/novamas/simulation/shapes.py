"""What is known of the sums of a simulation before it is played: how far one coup can move them."""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from novamas.odds.errors import TooLargeError
from novamas.odds.one_coup import Odds, odds_of
from novamas.simulation.intervals import CLIMBS, FEW, LASTS, Shape

if TYPE_CHECKING:
    from novamas.simulation.plan import Plan
    from novamas.simulation.result import Result


class Shapes(NamedTuple):
    """The shapes of the sums over the players."""

    net: Shape
    coups: Shape
    turnover: Shape


def odds_once(plan: Plan) -> Odds | None:
    """The exact odds of the layout laid once; None if they take too long."""
    play = plan.play
    choice = [each.value for each in play.choices]
    try:
        return odds_of(play.book, play.layout, choice=choice, limits=play.limits)
    except TooLargeError:
        return None


def shapes_of(result: Result) -> Shapes:
    """How far one coup can move the sums of net results, coups and stakes."""
    # The result of a simulation is a public name also where NumPy is missing.
    from novamas.simulation.plan import is_flat

    plan = result.plan
    unit, times = plan.play.layout.stake, highest(result)
    largest = max(abs(turn.net) for turn in plan.play.turns())
    step = inf if times is None else float(times * max(largest, unit))
    flat, is_free = is_flat(plan.system), plan.bankroll is None
    odds = odds_once(plan) if flat else None
    net = Shape(step)
    if odds is not None:
        skewness = odds.skewness / sqrt(plan.coups) if is_free else None
        alike = is_free and plan.tables.is_linear and plan.spins is None and result.is_whole
        net = Shape(step, float(odds.variance), skewness, is_known=alike, reason=FEW)
    if not is_free:
        # One coup may end a play, and so take from it all that a long one has.
        lasting = (Shape(_largest(sums), reason=LASTS) for sums in (result.coups, result.turnover))
        return Shapes(net, *lasting)
    certain = flat and plan.tables.is_linear
    widest = inf if times is None else float(times * unit)
    turnover = Shape(widest, is_certain=certain, reason=FEW if flat else CLIMBS)
    return Shapes(net, Shape(1.0, is_certain=not plan.to_the_end), turnover)


def _largest(sums: Any) -> float:
    return float(sums.max()) if len(sums) else inf


def highest(result: Result) -> int | None:
    """The highest multiple of the layout that may be laid; None if there is no bound to speak of.

    A purse without a target has no bound of its own. The largest that was seen is taken: if larger
    ones are likely enough to matter, the seen ones differ so much that no interval is given.
    """
    plan = result.plan
    bounds = []
    if plan.system.highest is not None:
        bounds.append(max(plan.system.highest, *plan.system.start))
    if plan.system.climb is not None:
        bounds.append(max(plan.system.start) + plan.system.climb * plan.coups)
    maximum = plan.play.layout.most(plan.play.limits)
    if maximum is not None:
        bounds.append(maximum)
    if plan.bankroll is not None:
        purse = plan.target
        if purse is None:
            seen = [nets for nets in (result.net, result.paths, result.at_play[:, 0]) if nets.size]
            purse = plan.bankroll + max(0, *(int(nets.max()) for nets in seen), 0)
        bounds.append(purse // plan.play.layout.stake)
    return min(bounds, default=None)
