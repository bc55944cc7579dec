"""Decides commands at a table of the house: the rules of play, and the checks of the house.

A drawn table takes its number from the committed ball alone; nobody enters it. The ball is never
void, and once betting has closed no late stake is granted and the coup is always played to its end,
so that the house cannot drop a coup that it would lose.

A live table opens with a float in its bank: before that it takes no stake and pays nothing. No
rulebook leaves winnings unpaid because the bank is broken: they are paid even if it holds less; its
balance is then negative, and the desk fills it. What a book says of the float is in `floats`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH
from novamas.game.rulebook.behaviours import Act
from novamas.house.ball import decide_draw
from novamas.house.input_bounds import TOLD, out_of_bounds, shortened
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import commands, disputes, events, floats, proposals
from novamas.house.table.events import BallMode
from novamas.house.table.state import HouseTable, float_rules, least_float
from novamas.table import commands as play
from novamas.table.accounts import BANK, BOX
from novamas.table.commands import Command
from novamas.table.decide import decider_of, seats
from novamas.table.decide.checks import (
    require_act_or_management,
    require_amount,
    require_betting,
    require_not_suspended,
    require_player,
)
from novamas.table.events import Event, TipGiven, WrongPaymentCorrected
from novamas.table.identity import Identity, is_management
from novamas.table.refusals import Refusal, RefusalReason, Refused
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
    commands.CountFloat,
    commands.SignFloat,
    commands.EmptyBox,
    commands.DropProposal,
    commands.RaiseDispute,
    commands.WithdrawDispute,
    commands.DecideDispute,
)
"""Commands that end a stopped table in order: settle the last coup, and let everyone leave."""


LAST_BETS = {
    ENGLISH: "Last bets",
    SPANISH: "Últimas apuestas",
    ITALIAN: "Ultime puntate",
    BULGARIAN: "Последни залози",
    FRENCH: "Les jeux sont faits",
}
"""The call shortly before betting closes, by language. No book requires it: it is a courtesy of
this house."""


def decide(
    house_table: HouseTable, command: Command, *, balances: Mapping[str, int]
) -> tuple[Event, ...] | Refusal:
    """Returns the events of a command at a table of the house, or its refusal.

    A refusal quotes the input, and is stored: so it is at most one line long.
    """
    try:
        _require_in_order(house_table, command)
        if isinstance(command, commands.RecordWrongPayment):
            _require_float(house_table, balances)
        decider = _DECIDERS.get(type(command))
        if decider is not None:
            return tuple(decider(house_table, command, balances))
        if house_table.ball is BallMode.DRAWN:
            _keep_the_ball(house_table, command)
        if isinstance(command, proposals.SALES):
            proposals.require_within(house_table, command)
        decided = tuple(decider_of(command)(house_table.state, command))
        floats.require_float_for(house_table, command, balances)
    except Refused as refused:
        refusal = refused.refusal
        if len(refusal.detail) > TOLD:
            refusal = replace(refusal, detail=shortened(refusal.detail))
        return refusal
    return decided


def _require_in_order(house_table: HouseTable, command: Command) -> None:
    """Requires a table in play, if the command needs one, and nothing that is too large."""
    if house_table.stopped is not None and not isinstance(command, AT_A_STOPPED_TABLE):
        raise Refused(HouseRefusalReason.TABLE_WAS_STOPPED, detail=house_table.stopped)
    beyond = out_of_bounds(command)
    if beyond is not None:
        raise Refused(HouseRefusalReason.OUT_OF_BOUNDS, detail=beyond)


def _keep_the_ball(house_table: HouseTable, command: Command) -> None:
    if isinstance(command, play.PocketBall | play.CorrectNumber | play.SignNumber):
        raise Refused(HouseRefusalReason.NUMBER_IS_DRAWN, detail="the committed ball decides")
    if house_table.state.phase is Phase.CLOSED and isinstance(
        command, play.VoidBall | play.GrantException
    ):
        raise Refused(HouseRefusalReason.CLOSE_IS_FINAL, detail="a drawn coup is played to its end")
    if isinstance(command, play.VoidBall):
        # The house knows the secret: if it could void a ball, it could choose the number.
        raise Refused(HouseRefusalReason.NUMBER_IS_DRAWN, detail="a committed ball is never void")


_Balances = Mapping[str, int]


def _call_last_bets(
    house_table: HouseTable, command: commands.CallLastBets, _: _Balances
) -> Iterator[Event]:
    require_act_or_management(house_table.state, command.by, Act.CLOSE_BETTING)
    require_not_suspended(house_table.state)
    require_betting(house_table.state, house_table.state.book.betting.cites.no_stake)
    call = LAST_BETS.get(house_table.state.book.calls.language, LAST_BETS[ENGLISH])
    yield events.LastBetsCalled(call=call)


def _require_desk(house_table: HouseTable, person: Identity) -> None:
    """Refuses bank movements by others than the management or a post that sells chips."""
    if not is_management(person) and not house_table.state.may(person, Act.SELL_CHIPS):
        raise Refused(
            HouseRefusalReason.NOT_FOR_YOU, detail="the bank is for the management and the desk"
        )


def lacks_float(house_table: HouseTable, found: _Balances) -> bool:
    """Whether a live table has not opened yet, and its bank does not hold its float."""
    state = house_table.state
    least = max(1, least_float(house_table))
    return state.phase is Phase.OPENING and state.setup.live and found.get(BANK, 0) < least


def _require_float(house_table: HouseTable, found: _Balances) -> None:
    state = house_table.state
    if state.phase is Phase.OPENING and state.setup.live and found.get(BANK, 0) <= 0:
        detail = "the bank has no float yet: the cash desk opens it first, with OpenBank"
        raise Refused(HouseRefusalReason.BANK_NOT_OPEN, detail=detail)


def _open_table(
    house_table: HouseTable, command: play.OpenTable, found: _Balances
) -> Iterator[Event]:
    opened = tuple(seats.open_table(house_table.state, command))
    _require_float(house_table, found)
    floats.require_first_advance(house_table, found.get(BANK, 0))
    floats.require_entered(house_table)
    yield from opened


def _open_bank(
    house_table: HouseTable, command: commands.OpenBank, found: _Balances
) -> Iterator[Event]:
    _require_desk(house_table, command.by)
    require_amount(command.amount)
    if found.get(BANK, 0) or house_table.state.bank:
        raise Refused(HouseRefusalReason.BANK_IS_OPEN, detail="it has its float; fill it instead")
    floats.require_first_advance(house_table, command.amount)
    yield events.BankOpened(amount=command.amount, by=str(command.by))


def _fill_bank(
    house_table: HouseTable, command: commands.FillBank, found: _Balances
) -> Iterator[Event]:
    _require_desk(house_table, command.by)
    require_amount(command.amount)
    _require_float(house_table, found)
    floats.require_equal_refill(house_table, command.amount)
    yield events.BankFilled(amount=command.amount, by=str(command.by))
    rules = float_rules(house_table)
    if rules is not None and not rules.counted:
        yield from floats.resumed(house_table, found, more=command.amount)


def _credit_bank(
    house_table: HouseTable, command: commands.CreditBank, found: _Balances
) -> Iterator[Event]:
    _require_desk(house_table, command.by)
    require_amount(command.amount)
    if command.amount > found.get(BANK, 0):
        raise Refused(
            HouseRefusalReason.EXCEEDS_BANK, detail=f"the bank holds {found.get(BANK, 0)}"
        )
    if house_table.state.phase is Phase.ENDED:
        floats.require_entered(house_table)
    yield events.BankCredited(amount=command.amount, by=str(command.by))


def _count_bank(
    house_table: HouseTable, command: commands.CountBank, found: _Balances
) -> Iterator[Event]:
    _require_desk(house_table, command.by)
    counted = _require_count(command.counted)
    yield events.BankCounted(counted=counted, expected=found.get(BANK, 0), by=str(command.by))


def _empty_box(
    house_table: HouseTable, command: commands.EmptyBox, found: _Balances
) -> Iterator[Event]:
    _require_desk(house_table, command.by)
    counted = _require_count(command.counted)
    yield events.BoxEmptied(counted=counted, expected=-found.get(BOX, 0), by=str(command.by))


def _require_count(counted: int) -> int:
    if type(counted) is not int or counted < 0:
        raise Refused(
            RefusalReason.AMOUNT_NOT_POSITIVE, detail="a count is a whole number, zero or more"
        )
    return counted


def _correct_payment(
    house_table: HouseTable, command: commands.CorrectWrongPayment, _: _Balances
) -> Iterator[Event]:
    if not house_table.state.may(command.by, Act.CORRECT):
        raise Refused(HouseRefusalReason.NOT_FOR_YOU, detail="for who corrects")
    wrong = house_table.state.wrong_payments.get(command.id)
    if wrong is None:
        raise Refused(
            HouseRefusalReason.NO_SUCH_WRONG_PAYMENT,
            detail=f"no wrong payment {command.id!r} is open",
        )
    player = require_player(house_table.state, wrong.player)
    if player.purse < wrong.amount:
        raise Refused(RefusalReason.EXCEEDS_PURSE, detail=f"{player.name} holds {player.purse}")
    yield WrongPaymentCorrected(
        id=wrong.id,
        player=wrong.player,
        amount=wrong.amount,
        by=str(command.by),
        reason=command.reason,
    )


def _give_tip(house_table: HouseTable, command: commands.GiveTip, _: _Balances) -> Iterator[Event]:
    player = require_player(house_table.state, command.by)
    require_amount(command.amount)
    if command.amount > player.purse:
        raise Refused(RefusalReason.EXCEEDS_PURSE, detail=f"{player.name} holds {player.purse}")
    yield TipGiven(player=player.name, amount=command.amount)


def _seat_player(
    house_table: HouseTable, command: commands.SeatPlayer, _: _Balances
) -> Iterator[Event]:
    yield from _for_player(house_table, command.by, play.Sit(by=command.player))


def _see_player_off(
    house_table: HouseTable, command: commands.SeePlayerOff, _: _Balances
) -> Iterator[Event]:
    yield from _for_player(house_table, command.by, play.Leave(by=command.player))


def _for_player(house_table: HouseTable, by: Identity, wish: Command) -> Iterator[Event]:
    """Decides a command for a player without a screen, given by the person who sells chips."""
    require_act_or_management(house_table.state, by, Act.SELL_CHIPS)
    if house_table.ball is not BallMode.WHEEL:
        detail = "at a drawn table everybody plays at a screen of their own"
        raise Refused(HouseRefusalReason.ONLY_AT_A_WHEEL, detail=detail)
    yield from decider_of(wish)(house_table.state, wish)


def _close_table(
    house_table: HouseTable, command: play.CloseTable, _: _Balances
) -> Iterator[Event]:
    return seats.close_table(
        house_table.state, command, out_of_play=house_table.stopped is not None
    )


_DECIDERS: dict[type[Command], Callable[[HouseTable, Any, _Balances], Iterator[Event]]] = {
    commands.CommitNonce: lambda house_table, command, _: decide_draw.commit_nonce(
        house_table, command
    ),
    commands.OpenNonce: lambda house_table, command, _: decide_draw.open_nonce(
        house_table, command
    ),
    commands.OpenBank: _open_bank,
    commands.FillBank: _fill_bank,
    commands.CreditBank: _credit_bank,
    commands.CountBank: _count_bank,
    commands.CountFloat: floats.count_float,
    commands.SignFloat: floats.sign_float,
    commands.EmptyBox: _empty_box,
    commands.RecordWrongPayment: lambda house_table, given, _: proposals.propose_wrong_payment(
        house_table, given
    ),
    commands.ProposeSale: lambda house_table, given, _: proposals.propose_sale(house_table, given),
    commands.ConfirmProposal: lambda house_table, given, _: proposals.confirm(house_table, given),
    commands.DropProposal: lambda house_table, given, _: proposals.drop(house_table, given),
    commands.CorrectWrongPayment: _correct_payment,
    commands.RaiseDispute: lambda house_table, command, _: disputes.raise_dispute(
        house_table, command
    ),
    commands.WithdrawDispute: lambda house_table, command, _: disputes.withdraw_dispute(
        house_table, command
    ),
    commands.DecideDispute: lambda house_table, command, _: disputes.decide_dispute(
        house_table, command
    ),
    commands.GiveTip: _give_tip,
    commands.SeatPlayer: _seat_player,
    commands.SeePlayerOff: _see_player_off,
    commands.CallLastBets: _call_last_bets,
    play.OpenTable: _open_table,
    play.CloseTable: _close_table,
}
