"""Decisions: what people decided at a table beyond its ordinary play, gathered from its log.

Corrections, exceptions, suspensions, void balls and disputes: each with who, when, why, what was
before and after, and the articles behind it. Every event of a log either is such a decision or is
named here as none, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from novamas.house.log.store import Record
from novamas.house.table import events as house
from novamas.house.table.state import HouseTable
from novamas.table import events as play
from novamas.table.events import Event


class DecisionKind(StrEnum):
    """What was decided."""

    SUSPENDED = "suspended"
    RESUMED = "resumed"
    STOPPED = "stopped"
    LIMITS_CHANGED = "limits_changed"
    BALL_VOIDED = "ball_voided"
    EXCEPTION_GRANTED = "exception_granted"
    LATE_STAKE = "late_stake"
    """The stake that was laid by an exception."""
    CORRECTION_ORDERED = "correction_ordered"
    """Somebody of the staff is to carry it out."""
    STAKE_CORRECTED = "stake_corrected"
    EXCESS_RETURNED = "excess_returned"
    NUMBER_QUESTIONED = "number_questioned"
    NUMBER_CONFIRMED = "number_confirmed"
    """The question was taken back: what was called stands."""
    NUMBER_CORRECTED = "number_corrected"
    WRONG_PAYMENT = "wrong_payment"
    PAYMENT_CORRECTED = "payment_corrected"
    DISPUTE_RAISED = "dispute_raised"
    DISPUTE_WITHDRAWN = "dispute_withdrawn"
    DISPUTE_UPHELD = "dispute_upheld"
    DISPUTE_REJECTED = "dispute_rejected"


class Standing(StrEnum):
    """How the table stood, where a decision changed that."""

    IN_PLAY = "in_play"
    SUSPENDED = "suspended"
    STOPPED = "stopped"
    BALL_RUNS = "ball_runs"
    BETTING = "betting"
    CLOSED = "closed"
    ONE_STAKE = "one_stake"
    """Closed to all but one, who may lay one stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What stood before a decision, or after it: of all of these, what it changed."""

    standing: Standing | None = None
    number: int | None = None
    spot: str | None = None
    amount: int | None = None
    """What lay on the spot."""
    wrong_by: int | None = None
    """By how much a payment was wrong: too much above zero, too little below, 0 if it was right."""
    limits: dict[str, dict[str, int]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Something that somebody decided."""

    kind: DecisionKind
    seq: int = 0
    at: int = 0
    coup: int = 0
    by: str | None
    """Who decided; nobody, where the house itself had to stop."""
    second: str | None = None
    """Who signed besides."""
    hand: str | None = None
    """Who carried it out, where somebody else ordered it."""
    about: str | None = None
    """The player whom it concerns."""
    why: str = ""
    """The reason in the words of whoever gave it, or the name of a cause in the book."""
    before: Side | None = None
    after: Side | None = None
    articles: tuple[str, ...] = ()
    dispute: int | None = None
    """The number of the dispute."""


def of_event(house_table: HouseTable, record: Record, event: Event) -> Decision | None:
    """The decision that an event is, if it is one; `house_table` is the table right before it."""
    tell = DECISIONS.get(type(event))
    told = tell(house_table, event) if tell is not None else None
    if told is None:
        return None
    coup = told.coup or house_table.state.coup
    return replace(told, seq=record.seq, at=record.at, coup=coup)


# One for each event -------------------------------------------------------------------------------


def _suspended(_: HouseTable, event: play.TableSuspended) -> Decision:
    return Decision(
        kind=DecisionKind.SUSPENDED,
        by=event.by,
        why=event.reason,
        before=Side(standing=Standing.IN_PLAY),
        after=Side(standing=Standing.SUSPENDED),
        articles=event.articles,
    )


def _resumed(_: HouseTable, event: play.TableResumed) -> Decision:
    return Decision(
        kind=DecisionKind.RESUMED,
        by=event.by,
        why=event.reason,
        before=Side(standing=Standing.SUSPENDED),
        after=Side(standing=Standing.IN_PLAY),
    )


def _stopped(house_table: HouseTable, event: house.TableStopped) -> Decision:
    was = Standing.SUSPENDED if house_table.state.suspended else Standing.IN_PLAY
    return Decision(
        kind=DecisionKind.STOPPED,
        by=None,
        why=event.reason,
        before=Side(standing=was),
        after=Side(standing=Standing.STOPPED),
    )


def _limits(house_table: HouseTable, event: play.LimitsChanged) -> Decision:
    # Older logs do not say what hung there before; the table does.
    hung = event.before or (house_table.state.coming_limits or house_table.state.limits).as_data()
    changed = {name for name in {*hung, *event.limits} if hung.get(name) != event.limits.get(name)}
    return Decision(
        kind=DecisionKind.LIMITS_CHANGED,
        by=event.by,
        why=event.reason,
        before=Side(limits={name: hung[name] for name in hung if name in changed}),
        after=Side(limits={n: each for n, each in event.limits.items() if n in changed}),
        articles=event.articles,
    )


def _voided(_: HouseTable, event: play.BallVoided) -> Decision:
    return Decision(
        kind=DecisionKind.BALL_VOIDED,
        by=event.by,
        why=event.cause.value,
        before=Side(standing=Standing.BALL_RUNS),
        after=Side(standing=Standing.BETTING),
        articles=event.articles,
    )


def _exception(_: HouseTable, event: play.ExceptionGranted) -> Decision:
    return Decision(
        kind=DecisionKind.EXCEPTION_GRANTED,
        by=event.by,
        about=event.player,
        why=event.reason,
        before=Side(standing=Standing.CLOSED),
        after=Side(standing=Standing.ONE_STAKE),
        articles=event.articles,
    )


def _late_stake(house_table: HouseTable, event: play.StakePlaced) -> Decision | None:
    if not event.exception:
        return None
    return Decision(
        kind=DecisionKind.LATE_STAKE,
        by=event.by,
        about=event.player,
        before=Side(spot=event.on, amount=0),
        after=Side(spot=event.on, amount=event.amount),
        articles=house_table.state.book.betting.cites.exception_after_close,
    )


def _moved(house_table: HouseTable, event: play.StakeMoved) -> Decision | None:
    if not event.correction:
        return None
    stake = house_table.state.stakes[event.id]
    return Decision(
        kind=DecisionKind.STAKE_CORRECTED,
        by=event.ordered_by or event.by,
        hand=event.by if event.ordered_by is not None else None,
        about=stake.player,
        why=event.reason,
        before=Side(spot=stake.spot.name, amount=stake.amount),
        after=Side(spot=event.on, amount=stake.amount),
        articles=event.articles,
    )


def _ordered(house_table: HouseTable, event: play.CorrectionOrdered) -> Decision:
    stake = house_table.state.stakes[event.id]
    return Decision(
        kind=DecisionKind.CORRECTION_ORDERED,
        by=event.by,
        about=stake.player,
        why=event.reason,
        before=Side(spot=stake.spot.name, amount=stake.amount),
        after=Side(spot=event.on, amount=stake.amount),
        articles=event.articles,
    )


def _returned(house_table: HouseTable, event: play.StakesReturned) -> Decision | None:
    if event.by is None:
        return None
    stakes = [house_table.state.stakes[id] for id, _, _ in event.returned]
    lay, back = sum(each.amount for each in stakes), sum(amount for _, amount, _ in event.returned)
    spots = {each.spot.name for each in stakes}
    spot = spots.pop() if len(spots) == 1 else None
    cited = (id for _, _, articles in event.returned for id in articles)
    return Decision(
        kind=DecisionKind.EXCESS_RETURNED,
        by=event.by,
        about=", ".join(dict.fromkeys(each.player for each in stakes)),
        before=Side(spot=spot, amount=lay),
        after=Side(spot=spot, amount=lay - back),
        articles=tuple(dict.fromkeys(cited)),
    )


def _questioned(house_table: HouseTable, event: play.NumberQuestioned) -> Decision:
    asked = house_table.state.questioned
    confirmed = event.number == event.before
    return Decision(
        kind=DecisionKind.NUMBER_CONFIRMED if confirmed else DecisionKind.NUMBER_QUESTIONED,
        by=event.by,
        why=event.reason,
        before=Side(number=asked.number if confirmed and asked else event.before),
        after=Side(number=event.number),
        articles=event.articles,
    )


def _number(_: HouseTable, event: play.NumberCorrected) -> Decision:
    return Decision(
        kind=DecisionKind.NUMBER_CORRECTED,
        by=event.by,
        second=event.second,
        why=event.reason,
        before=Side(number=event.before),
        after=Side(number=event.number),
        articles=event.articles,
    )


def _wrong(_: HouseTable, event: house.WrongPaymentMade) -> Decision:
    return Decision(
        kind=DecisionKind.WRONG_PAYMENT,
        by=event.by,
        second=event.confirmed_by,
        about=event.player,
        why=event.reason,
        before=Side(wrong_by=0),
        after=Side(wrong_by=event.amount),
    )


def _right(house_table: HouseTable, event: house.WrongPaymentCorrected) -> Decision:
    return Decision(
        kind=DecisionKind.PAYMENT_CORRECTED,
        by=event.by,
        about=event.player,
        # Who gives no reason of his own puts right what was written down as wrong.
        why=event.reason or house_table.wrong_payments[event.id].reason,
        before=Side(wrong_by=event.amount),
        after=Side(wrong_by=0),
    )


def _raised(_: HouseTable, event: house.DisputeRaised) -> Decision:
    return Decision(
        kind=DecisionKind.DISPUTE_RAISED,
        coup=event.coup,
        by=event.by,
        about=event.player,
        why=event.says,
        dispute=event.id,
    )


def _withdrawn(_: HouseTable, event: house.DisputeWithdrawn) -> Decision:
    return Decision(
        kind=DecisionKind.DISPUTE_WITHDRAWN,
        coup=event.coup,
        by=event.player,
        about=event.player,
        dispute=event.id,
    )


def _decided(_: HouseTable, event: house.DisputeDecided) -> Decision:
    named = event.correction is not None
    return Decision(
        kind=DecisionKind.DISPUTE_UPHELD if event.upheld else DecisionKind.DISPUTE_REJECTED,
        coup=event.coup,
        by=event.by,
        about=event.player,
        why=event.reason,
        before=Side(wrong_by=event.amount) if named else None,
        after=Side(wrong_by=0) if named else None,
        articles=event.articles,
        dispute=event.id,
    )


DECISIONS: Mapping[type[Event], Callable[[HouseTable, Any], Decision | None]] = {
    play.TableSuspended: _suspended,
    play.TableResumed: _resumed,
    play.LimitsChanged: _limits,
    play.StakePlaced: _late_stake,
    play.StakeMoved: _moved,
    play.CorrectionOrdered: _ordered,
    play.StakesReturned: _returned,
    play.ExceptionGranted: _exception,
    play.BallVoided: _voided,
    play.NumberQuestioned: _questioned,
    play.NumberCorrected: _number,
    house.WrongPaymentMade: _wrong,
    house.WrongPaymentCorrected: _right,
    house.DisputeRaised: _raised,
    house.DisputeWithdrawn: _withdrawn,
    house.DisputeDecided: _decided,
    house.TableStopped: _stopped,
}

ORDINARY: frozenset[type[Event]] = frozenset(
    (
        house.TableSetUp,
        play.PostTaken,
        play.PostLeft,
        play.TableOpened,
        play.LastGamesAnnounced,
        play.TableClosed,
        play.PlayerSat,
        play.ChipsBought,
        play.ColourConverted,
        play.PlayerSteppedAway,
        play.PlayerCameBack,
        play.CustodyClaimed,
        play.PlayerLeft,
        play.AnnouncementPlaced,
        play.StakeWithdrawn,
        play.BallLaunched,
        play.BettingClosed,
        play.BallPocketed,
        play.NumberCalled,
        play.LosersCollected,
        play.WinnersPaid,
        play.CoupEnded,
        play.ChoiceMade,
        house.BallChainCommitted,
        house.BallCommitted,
        house.NonceCommitted,
        house.NonceOpened,
        house.BallRevealed,
        house.BankOpened,
        house.BankFilled,
        house.BankCredited,
        house.BankCounted,
        house.BoxEmptied,
        house.WrongPaymentProposed,
        house.CashSaleProposed,
        house.CashSaleConfirmed,
        house.ProposalDropped,
        house.TipGiven,
        house.LastBetsCalled,
    )
)
"""The events of ordinary play, and of the bank, whose books are the house's own."""
