"""Decisions about inspections: before a table opens, and of a ball that left the wheel."""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.rulebook.behaviours import Act
from novamas.table import commands, events
from novamas.table.decide.checks import require_act, require_open
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import Phase, State


def inspect_table(state: State, command: commands.InspectTable) -> Iterator[events.Event]:
    """Records that table, wheel and ball were inspected before the table opens (SD-11.a)."""
    rules = state.book.wheel
    if not rules.inspected or state.inspected:
        raise Refused(RefusalReason.NOTHING_TO_INSPECT, rules.cites.inspected)
    require_act(state, command.by, Act.INSPECT_TABLE)
    if state.phase is not Phase.OPENING:
        raise Refused(RefusalReason.TABLE_ALREADY_OPEN, rules.cites.inspected)
    yield events.TableInspected(
        by=str(command.by),
        articles=rules.cites.inspected,
        done=command.done,
        licence=command.licence,
    )


def require_inspected_table(state: State) -> None:
    """Requires the inspection, where the house has one before it opens a table."""
    rules = state.book.wheel
    if rules.inspected and not state.inspected:
        detail = "inspect table, wheel and ball first"
        raise Refused(RefusalReason.TABLE_NOT_INSPECTED, rules.cites.inspected, detail)


def inspect_ball(state: State, command: commands.InspectBall) -> Iterator[events.Event]:
    """Records that the ball was inspected after it had left the wheel (SD-06.d)."""
    articles = state.book.wheel.cites.inspect_after
    if not state.ball_to_inspect:
        raise Refused(RefusalReason.NOTHING_TO_INSPECT, articles)
    require_act(state, command.by, Act.INSPECT_BALL)
    require_open(state)
    yield events.BallInspected(by=str(command.by), articles=articles)


def require_inspected_ball(state: State) -> None:
    """Requires that a ball that left the wheel was inspected."""
    if state.ball_to_inspect:
        articles = state.book.wheel.cites.inspect_after
        detail = "the ball left the wheel; inspect it first"
        raise Refused(RefusalReason.BALL_NOT_INSPECTED, articles, detail)
