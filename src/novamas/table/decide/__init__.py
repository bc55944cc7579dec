"""Decide: the events that follow from a command, or its refusal.

Deciding only reads the state. Each family of commands has its own module; this one dispatches to
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from novamas.table import commands
from novamas.table.decide import corrections, coup, inspections, orphans, seats, stakes
from novamas.table.decide.validation import require_valid
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.refusals import Refusal, RefusalReason, Refused
from novamas.table.state import State

EventsOrRefusal = tuple[Event, ...] | Refusal
Decider = Callable[[State, Any], Iterable[Event]]
"""Yields the events of a command, or raises `Refused`."""


def decide(state: State, command: commands.Command) -> EventsOrRefusal:
    """The events that follow from a command, or its refusal; its fields may hold anything."""
    try:
        require_valid(command)
        return tuple(decider_of(command)(state, command))
    except Refused as refused:
        return refused.refusal


def decider_of(command: commands.Command) -> Decider:
    """The function that decides a command; the fields must have been validated."""
    decider = _DECIDERS.get(type(command))
    if decider is None:
        raise Refused(RefusalReason.COMMAND_NOT_UNDERSTOOD, detail="no such command")
    return decider


def act(state: State, command: commands.Command) -> EventsOrRefusal:
    """Decides a command and, unless it is refused, applies its events to the state.

    >>> from novamas.rulebooks import load
    >>> from novamas.table.identity import MANAGEMENT
    >>> from novamas.table.state import State
    >>> table = State.fresh(load("bg"))
    >>> print(act(table, commands.OpenTable(by=MANAGEMENT)))
    post must be held: крупие (BG-3)
    """
    decision = decide(state, command)
    if not isinstance(decision, Refusal):
        for event in decision:
            evolve(state, event)
    return decision


_DECIDERS: dict[type[commands.Command], Decider] = {
    commands.TakePost: seats.take_post,
    commands.LeavePost: seats.leave_post,
    commands.OpenTable: seats.open_table,
    commands.Suspend: seats.suspend,
    commands.Resume: seats.resume,
    commands.ChangeLimits: seats.change_limits,
    commands.ReopenTable: seats.reopen_table,
    commands.InspectTable: inspections.inspect_table,
    commands.InspectBall: inspections.inspect_ball,
    commands.AnnounceLastGames: seats.announce_last_games,
    commands.CloseTable: seats.close_table,
    commands.Sit: seats.sit,
    commands.BuyChips: seats.buy_chips,
    commands.StepAway: seats.step_away,
    commands.ComeBack: seats.come_back,
    commands.ClaimCustody: seats.claim_custody,
    commands.Leave: seats.leave,
    commands.PlaceStake: stakes.place_stake,
    commands.Announce: stakes.announce,
    commands.DeclareOrphan: orphans.declare_orphan,
    commands.MoveStake: stakes.move_stake,
    commands.WithdrawStake: stakes.withdraw_stake,
    commands.CorrectStake: corrections.correct_stake,
    commands.OrderCorrection: corrections.order_correction,
    commands.ChooseAfterZero: stakes.choose_after_zero,
    commands.ReplayAnnouncement: stakes.replay_announcement,
    commands.LaunchBall: coup.launch_ball,
    commands.CloseBetting: coup.close_betting,
    commands.GrantException: coup.grant_exception,
    commands.NoticeExcess: coup.notice_excess,
    commands.VoidBall: coup.void_ball,
    commands.PocketBall: coup.pocket_ball,
    commands.CallNumber: coup.call_number,
    commands.CorrectNumber: coup.correct_number,
    commands.SignNumber: coup.sign_number,
    commands.CollectLosers: coup.collect_losers,
    commands.PayNext: coup.pay_next,
    commands.PayWinners: coup.pay_winners,
}
"""Command → the function that decides it; a test fails if a command has none."""
