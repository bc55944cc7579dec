"""Spin now: a player who is alone at a drawn table need not wait for the end of betting.

It is no event: it changes nothing but when the automatic croupier gives its next commands, and
those are in the log.
"""

from __future__ import annotations

from novamas.house.table.actor import TableActor
from novamas.house.table.events import BallMode
from novamas.table.state import BETTING


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
    others = (each for each in state.players.values() if each.name != player and not each.away)
    lying = {stake.player for stake in state.stakes.values()}
    if any(actor.has_screen(each.name) or each.name in lying for each in others):
        return "somebody else plays here"
    return None


def ask(actor: TableActor, player: str) -> str | None:
    """Has the automatic croupier launch and close at once; returns why not, if it does not."""
    problem = why_not(actor, player)
    if problem is None:
        actor.spin_now = actor.house_table.state.coup
        actor.changed.set()
    return problem
