"""Decisions about corrections: a misplaced stake is moved, or the move is ordered."""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.lines import cited
from novamas.game.rulebook.behaviours import Act
from novamas.game.stakes import Stake
from novamas.table import commands, events
from novamas.table.decide.checks import act_cites, require_act, require_open, require_zone
from novamas.table.decide.stakes import room_at
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, State


def correct_stake(state: State, command: commands.CorrectStake) -> Iterator[events.Event]:
    """Corrects a mistake that was reported before betting closed (IT-general-7).

    A correction to the ordered spot carries out the order, and names the person who gave it.
    """
    require_act(state, command.by, Act.CORRECT)
    stake = _mistaken(state, command.id)
    spot = room_at(state, stake, command.on)
    require_zone(state, command.by, stake.spot, spot)
    order = state.orders.get(stake.id)
    order = order if order is not None and order.on == spot.name else None
    yield events.StakeMoved(
        id=stake.id,
        on=spot.name,
        by=str(command.by),
        correction=True,
        articles=_correction_cites(state, None if order is None else order.by),
        before=stake.spot.name,
        reason=command.reason or ("" if order is None else order.reason),
        ordered_by=None if order is None else order.by,
    )


def order_correction(state: State, command: commands.OrderCorrection) -> Iterator[events.Event]:
    """Orders a correction; a post that corrects carries it out (AMB-ES-17)."""
    require_act(state, command.by, Act.ORDER_CORRECTION)
    stake = _mistaken(state, command.id)
    yield events.CorrectionOrdered(
        id=stake.id,
        on=room_at(state, stake, command.on).name,
        by=str(command.by),
        articles=_correction_cites(state, str(command.by)),
        before=stake.spot.name,
        reason=command.reason,
    )


def _mistaken(state: State, id: str) -> Stake:
    """The stake to correct; requires that betting is open."""
    cites = state.book.betting.cites
    require_open(state)
    if state.phase not in BETTING:
        detail = "the position decides; mistakes are reported before betting closes"
        articles = cites.correction or cites.no_change
        raise Refused(RefusalReason.REPORTED_TOO_LATE, articles, detail)
    stake = state.stakes.get(id)
    if stake is None:
        raise Refused(RefusalReason.NO_SUCH_STAKE, detail=f"no stake {id!r} lies on the cloth")
    return stake


def _correction_cites(state: State, ordered_by: str | None) -> tuple[str, ...]:
    """The articles behind a correction, and behind its order if there was one."""
    post = state.book.posts.get(state.staff.get(ordered_by or "", ""))
    ordered = () if post is None else act_cites(post, Act.ORDER_CORRECTION)
    return cited(state.book.betting.cites.correction, ordered)
