"""The decision that nobody owns a stake."""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.lines import cited
from novamas.game.rulebook.behaviours import AbsenceEnds, Act
from novamas.table import commands, events
from novamas.table.decide.checks import require_act, require_betting
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import State


def declare_orphan(state: State, command: commands.DeclareOrphan) -> Iterator[events.Event]:
    """Finds between two coups that nobody owns a stake; it goes into custody (FR-41)."""
    rules = state.book.absence
    if rules.until is not AbsenceEnds.DECLARED:
        raise Refused(RefusalReason.NO_ORPHANS_IN_THE_BOOK, rules.cites.to_custody)
    require_act(state, command.by, Act.DECLARE_ORPHAN)
    require_betting(state, rules.cites.declared)
    if state.ball_launched:
        raise Refused(RefusalReason.COUP_IN_PLAY, rules.cites.declared, "wait for the number")
    announcement = state.announcements.get(command.id)
    pieces = (command.id,) if announcement is None else announcement.pieces
    found = [state.stakes[id] for id in pieces if id in state.stakes]
    if not found:
        detail = f"no stake {command.id!r} lies on the cloth"
        raise Refused(RefusalReason.NO_SUCH_STAKE, detail=detail)
    if not all(stake.away or state.players[stake.player].away for stake in found):
        detail = f"{command.id} has an owner at the table"
        raise Refused(RefusalReason.NOT_AN_ORPHAN, rules.cites.declared, detail)
    yield events.OrphanDeclared(
        id=command.id,
        player=found[0].player,
        stakes=tuple(stake.id for stake in found),
        amount=sum(stake.amount for stake in found),
        by=str(command.by),
        articles=cited(rules.cites.declared, rules.cites.to_custody),
        reason=command.reason,
    )
