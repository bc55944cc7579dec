"""Decide: what a command brings about, as events, or why it is refused.

Deciding only reads the state. Each family of commands has a module of its own; here they meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from novamas.table import commands, correcting, coup, people, staking
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.refusals import Refusal, Refused, Why
from novamas.table.state import State
from novamas.table.understood import require_understood

Decision = tuple[Event, ...] | Refusal


def decide(state: State, command: commands.Command) -> Decision:
    """The events that a command brings about, or its refusal."""
    decider = _DECIDERS.get(type(command))
    if decider is None:
        return Refusal(Why.COMMAND_NOT_UNDERSTOOD, detail="no such command")
    try:
        require_understood(command)
        return tuple(decider(state, command))
    except Refused as refused:
        return refused.refusal


def act(state: State, command: commands.Command) -> Decision:
    """Decides a command and, unless it is refused, makes its events so.

    >>> from novamas.rulebooks import load
    >>> from novamas.table.state import State
    >>> table = State.fresh(load("bg"))
    >>> print(act(table, commands.OpenTable(by="management")))
    post must be held: крупие (BG-3)
    """
    decision = decide(state, command)
    if not isinstance(decision, Refusal):
        for event in decision:
            evolve(state, event)
    return decision


_DECIDERS: dict[type[commands.Command], Callable[[State, Any], Iterable[Event]]] = {
    commands.TakePost: people.take_post,
    commands.LeavePost: people.leave_post,
    commands.OpenTable: people.open_table,
    commands.Suspend: people.suspend,
    commands.Resume: people.resume,
    commands.ChangeLimits: people.change_limits,
    commands.AnnounceLastGames: people.announce_last_games,
    commands.CloseTable: people.close_table,
    commands.Sit: people.sit,
    commands.BuyChips: people.buy_chips,
    commands.StepAway: people.step_away,
    commands.ComeBack: people.come_back,
    commands.ClaimCustody: people.claim_custody,
    commands.Leave: people.leave,
    commands.PlaceStake: staking.place_stake,
    commands.Announce: staking.announce,
    commands.MoveStake: staking.move_stake,
    commands.WithdrawStake: staking.withdraw_stake,
    commands.CorrectStake: correcting.correct_stake,
    commands.OrderCorrection: correcting.order_correction,
    commands.ChooseAfterZero: staking.choose_after_zero,
    commands.ReplayAnnouncement: staking.replay_announcement,
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
"""Every command has its decider; a new command without one fails the suite."""
