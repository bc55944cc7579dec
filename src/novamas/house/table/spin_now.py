"""Spin now: a player who is alone at a drawn table need not wait for the end of betting.

It is no event: it changes nothing but when the automatic croupier gives its next commands, and
those are in the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from novamas.house.table.events import BallMode
from novamas.table.state import BETTING, State

if TYPE_CHECKING:
    from novamas.house.table.actor import TableActor


class SpinRequest(NamedTuple):
    """The ball that the only player asked for."""

    coup: int
    is_quick: bool
    """Whether the rest of the coup is dealt as quickly as the house ever deals."""


def playing(state: State, has_screen: Callable[[str], bool]) -> int:
    """How many players play now: they are on their seat, and at their screen or on the cloth."""
    seated = [each.name for each in state.players.values() if not each.away]
    gone = {name for name in seated if not has_screen(name)}
    if gone:
        gone -= {stake.player for stake in state.stakes.values()}
    return len(seated) - len(gone)


def why_not(actor: TableActor, player: str) -> str | None:
    """Why a player may not have the ball at once; None if they may."""
    house_table = actor.house_table
    state = house_table.state
    if house_table.ball is not BallMode.DRAWN:
        return "at a wheel the croupier spins"
    seat = state.players.get(player)
    if seat is None or seat.away:
        return "take a seat first"
    if state.phase not in BETTING or state.ball_launched or state.suspended:
        return "the ball can be asked for while betting is open, before the launch"
    if playing(state, lambda name: name == player or actor.has_screen(name)) > 1:
        return "somebody else plays here"
    return None


def ask(actor: TableActor, player: str, *, is_quick: bool = False) -> str | None:
    """Has the automatic croupier launch and close at once; returns why not, if it does not."""
    problem = why_not(actor, player)
    if problem is None:
        actor.spin_now = SpinRequest(actor.house_table.state.coup, is_quick)
        actor.changed.set()
    return problem
