"""Deciding at a table of the house: the play's own decisions, with what the house adds to them.

A drawn table takes its number from the committed ball and from nobody's hand. The ball is never
void, and once betting has closed no late stake is granted and the coup is always played to its end,
so that the house cannot drop a coup that it would lose.

A live table opens with a float in its bank: before that it takes no stake and pays nothing. No
rulebook closes a table whose bank is broken: what was won is paid even where it is more than the
bank holds, its account then stands below zero, and the desk fills it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH
from novamas.game.rulebook import Act
from novamas.house import commands, disputes, drawing, events, proposals
from novamas.house.bounds import TOLD, out_of_bounds, shortened
from novamas.house.events import BallMode
from novamas.house.hall import Hall
from novamas.house.ledger import BANK, BOX
from novamas.house.refusals import HouseWhy
from novamas.table import commands as play
from novamas.table import people
from novamas.table.checks import (
    require_act_or_management,
    require_amount,
    require_betting,
    require_not_suspended,
    require_player,
)
from novamas.table.commands import Command, is_management
from novamas.table.decide import decide as decide_play
from novamas.table.events import Event
from novamas.table.refusals import Refusal, Refused, Why
from novamas.table.state import Phase

AT_A_STOPPED_TABLE = (
    play.CallNumber,
    play.CollectLosers,
    play.PayNext,
    play.PayWinners,
    play.ChooseAfterZero,
    play.WithdrawStake,
    play.ClaimCustody,
    play.Leave,
    commands.SeePlayerOff,
    play.LeavePost,
    play.CloseTable,
    commands.CreditBank,
    commands.CountBank,
    commands.EmptyBox,
    commands.DropProposal,
    commands.RaiseDispute,
    commands.WithdrawDispute,
    commands.DecideDispute,
)
"""What ends a stopped table in order: its last coup is settled, and all go with what is theirs."""


LAST_BETS = {
    ENGLISH: "Last bets",
    SPANISH: "Últimas apuestas",
    ITALIAN: "Ultime puntate",
    BULGARIAN: "Последни залози",
    FRENCH: "Les jeux sont faits",
}
"""What is said shortly before betting closes, in the language of the calls. No book wants it: it is
a courtesy of this house."""


def decide(
    hall: Hall, command: Command, *, balances: Mapping[str, int]
) -> tuple[Event, ...] | Refusal:
    """The events that a command brings about at a table of the house, or its refusal.

    A refusal quotes what was sent, and is kept: so it is no longer than a line.
    """
    decision = _decide(hall, command, balances)
    if isinstance(decision, Refusal) and len(decision.detail) > TOLD:
        return replace(decision, detail=shortened(decision.detail))
    return decision


def _decide(
    hall: Hall, command: Command, balances: Mapping[str, int]
) -> tuple[Event, ...] | Refusal:
    if hall.stopped is not None and not isinstance(command, AT_A_STOPPED_TABLE):
        return Refusal(HouseWhy.TABLE_WAS_STOPPED, detail=hall.stopped)
    beyond = out_of_bounds(command)
    if beyond is not None:
        return Refusal(HouseWhy.OUT_OF_BOUNDS, detail=beyond)
    decider = _DECIDERS.get(type(command))
    try:
        if isinstance(command, commands.RecordWrongPayment):
            _require_float(hall, balances)
        if decider is not None:
            return tuple(decider(hall, command, balances))
        _keep_the_ball(hall, command)
        proposals.require_within(hall, command)
    except Refused as refused:
        return refused.refusal
    return decide_play(hall.state, command)


def _keep_the_ball(hall: Hall, command: Command) -> None:
    if hall.ball is BallMode.WHEEL:
        return
    if isinstance(command, play.PocketBall | play.CorrectNumber | play.SignNumber):
        raise Refused(HouseWhy.NUMBER_IS_DRAWN, detail="the committed ball decides")
    if hall.state.phase is Phase.CLOSED and isinstance(
        command, play.VoidBall | play.GrantException
    ):
        raise Refused(HouseWhy.CLOSE_IS_FINAL, detail="a drawn coup is played to its end")
    if isinstance(command, play.VoidBall):
        # The house knows its secret: a ball that it could call void is one that it could choose.
        raise Refused(HouseWhy.NUMBER_IS_DRAWN, detail="a committed ball is never void")


_Balances = Mapping[str, int]


def _call_last_bets(hall: Hall, command: commands.CallLastBets, _: _Balances) -> Iterator[Event]:
    require_act_or_management(hall.state, command.by, Act.CLOSE_BETTING)
    require_not_suspended(hall.state)
    require_betting(hall.state, "no_stake")
    call = LAST_BETS.get(hall.state.book.calls.language, LAST_BETS[ENGLISH])
    yield events.LastBetsCalled(call=call)


def _require_desk(hall: Hall, person: str) -> None:
    """The bank is moved by the management, or by a post that sells chips."""
    if not is_management(person) and not hall.state.may(person, Act.SELL_CHIPS):
        raise Refused(HouseWhy.NOT_FOR_YOU, detail="the bank is for the management and the desk")


def lacks_float(hall: Hall, found: _Balances) -> bool:
    """Whether a live table has not opened yet, and nothing is in its bank to open with."""
    state = hall.state
    return state.phase is Phase.OPENING and state.setup.live and found.get(BANK, 0) <= 0


def _require_float(hall: Hall, found: _Balances) -> None:
    if lacks_float(hall, found):
        detail = "the bank has no float yet: the cash desk opens it first, with OpenBank"
        raise Refused(HouseWhy.BANK_NOT_OPEN, detail=detail)


def _open_table(hall: Hall, command: play.OpenTable, found: _Balances) -> Iterator[Event]:
    opened = tuple(people.open_table(hall.state, command))
    _require_float(hall, found)
    yield from opened


def _open_bank(hall: Hall, command: commands.OpenBank, found: _Balances) -> Iterator[Event]:
    _require_desk(hall, command.by)
    require_amount(command.amount)
    if found.get(BANK, 0) or hall.state.bank:
        raise Refused(HouseWhy.BANK_IS_OPEN, detail="it has its float; fill it instead")
    yield events.BankOpened(amount=command.amount, by=command.by)


def _fill_bank(hall: Hall, command: commands.FillBank, found: _Balances) -> Iterator[Event]:
    _require_desk(hall, command.by)
    require_amount(command.amount)
    _require_float(hall, found)
    yield events.BankFilled(amount=command.amount, by=command.by)


def _credit_bank(hall: Hall, command: commands.CreditBank, found: _Balances) -> Iterator[Event]:
    _require_desk(hall, command.by)
    require_amount(command.amount)
    if command.amount > found.get(BANK, 0):
        raise Refused(HouseWhy.EXCEEDS_BANK, detail=f"the bank holds {found.get(BANK, 0)}")
    yield events.BankCredited(amount=command.amount, by=command.by)


def _count_bank(hall: Hall, command: commands.CountBank, found: _Balances) -> Iterator[Event]:
    _require_desk(hall, command.by)
    counted = _require_count(command.counted)
    yield events.BankCounted(counted=counted, expected=found.get(BANK, 0), by=command.by)


def _empty_box(hall: Hall, command: commands.EmptyBox, found: _Balances) -> Iterator[Event]:
    _require_desk(hall, command.by)
    counted = _require_count(command.counted)
    yield events.BoxEmptied(counted=counted, expected=-found.get(BOX, 0), by=command.by)


def _require_count(counted: int) -> int:
    if type(counted) is not int or counted < 0:
        raise Refused(Why.AMOUNT_NOT_POSITIVE, detail="a count is a whole number, zero or more")
    return counted


def _correct_payment(
    hall: Hall, command: commands.CorrectWrongPayment, _: _Balances
) -> Iterator[Event]:
    if not hall.state.may(command.by, Act.CORRECT):
        raise Refused(HouseWhy.NOT_FOR_YOU, detail="for who corrects")
    wrong = hall.wrong_payments.get(command.id)
    if wrong is None:
        raise Refused(
            HouseWhy.NO_SUCH_WRONG_PAYMENT, detail=f"no wrong payment {command.id!r} is open"
        )
    player = require_player(hall.state, wrong.player)
    if player.purse < wrong.amount:
        raise Refused(Why.EXCEEDS_PURSE, detail=f"{player.name} holds {player.purse}")
    yield events.WrongPaymentCorrected(
        id=wrong.id,
        player=wrong.player,
        amount=wrong.amount,
        by=command.by,
        reason=command.reason,
    )


def _give_tip(hall: Hall, command: commands.GiveTip, _: _Balances) -> Iterator[Event]:
    player = require_player(hall.state, command.by)
    require_amount(command.amount)
    if command.amount > player.purse:
        raise Refused(Why.EXCEEDS_PURSE, detail=f"{player.name} holds {player.purse}")
    yield events.TipGiven(player=player.name, amount=command.amount)


def _seat_player(hall: Hall, command: commands.SeatPlayer, _: _Balances) -> Iterator[Event]:
    yield from _for_player(hall, command.by, play.Sit(by=command.player))


def _see_player_off(hall: Hall, command: commands.SeePlayerOff, _: _Balances) -> Iterator[Event]:
    yield from _for_player(hall, command.by, play.Leave(by=command.player))


def _for_player(hall: Hall, by: str, wish: Command) -> Iterator[Event]:
    """What a player without a screen wishes, said by whoever sells him chips."""
    require_act_or_management(hall.state, by, Act.SELL_CHIPS)
    if hall.ball is not BallMode.WHEEL:
        detail = "at a drawn table everybody plays at a screen of his own"
        raise Refused(HouseWhy.ONLY_AT_A_WHEEL, detail=detail)
    decision = decide_play(hall.state, wish)
    if isinstance(decision, Refusal):
        raise Refused(decision.why, decision.articles, decision.detail)
    yield from decision


def _close_table(hall: Hall, command: play.CloseTable, _: _Balances) -> Iterator[Event]:
    return people.close_table(hall.state, command, out_of_play=hall.stopped is not None)


_DECIDERS: dict[type[Command], Callable[[Hall, Any, _Balances], Iterator[Event]]] = {
    commands.CommitNonce: lambda hall, command, _: drawing.commit_nonce(hall, command),
    commands.OpenNonce: lambda hall, command, _: drawing.open_nonce(hall, command),
    commands.OpenBank: _open_bank,
    commands.FillBank: _fill_bank,
    commands.CreditBank: _credit_bank,
    commands.CountBank: _count_bank,
    commands.EmptyBox: _empty_box,
    commands.RecordWrongPayment: lambda hall, given, _: proposals.propose_wrong_payment(
        hall, given
    ),
    commands.ProposeSale: lambda hall, given, _: proposals.propose_sale(hall, given),
    commands.ConfirmProposal: lambda hall, given, _: proposals.confirm(hall, given),
    commands.DropProposal: lambda hall, given, _: proposals.drop(hall, given),
    commands.CorrectWrongPayment: _correct_payment,
    commands.RaiseDispute: lambda hall, command, _: disputes.raise_dispute(hall, command),
    commands.WithdrawDispute: lambda hall, command, _: disputes.withdraw_dispute(hall, command),
    commands.DecideDispute: lambda hall, command, _: disputes.decide_dispute(hall, command),
    commands.GiveTip: _give_tip,
    commands.SeatPlayer: _seat_player,
    commands.SeePlayerOff: _see_player_off,
    commands.CallLastBets: _call_last_bets,
    play.OpenTable: _open_table,
    play.CloseTable: _close_table,
}
