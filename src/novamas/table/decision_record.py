"""Decision records: what people decided at a table beyond its ordinary play.

Corrections, exceptions, suspensions, void balls and disputes: each record says who, when and why,
what was there before and after, and the articles behind it. The event of a decision makes its
record.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from novamas.game.wheel import Pocket


class DecisionKind(StrEnum):
    """What was decided."""

    SUSPENDED = "suspended"
    RESUMED = "resumed"
    STOPPED = "stopped"
    LIMITS_CHANGED = "limits_changed"
    TABLE_REOPENED = "table_reopened"
    """Closed and opened again with another placard."""
    BALL_VOIDED = "ball_voided"
    EXCEPTION_GRANTED = "exception_granted"
    LATE_STAKE = "late_stake"
    """The stake that was laid by an exception."""
    CORRECTION_ORDERED = "correction_ordered"
    """A member of the staff must carry it out."""
    STAKE_CORRECTED = "stake_corrected"
    ORPHAN_DECLARED = "orphan_declared"
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
    """The state of the table, where a decision changed it."""

    IN_PLAY = "in_play"
    SUSPENDED = "suspended"
    STOPPED = "stopped"
    BALL_RUNS = "ball_runs"
    BETTING = "betting"
    CLOSED = "closed"
    ONE_STAKE = "one_stake"
    """Closed to all players but one, who may lay one stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What was there before or after a decision; only the fields that it changed are set."""

    standing: Standing | None = None
    """The state of the table."""
    number: Pocket | None = None
    """The number of the wheel."""
    spot: str | None = None
    amount: int | None = None
    """What lay on the spot."""
    wrong_by: int | None = None
    """By how much a payment was wrong: too much above zero, too little below, 0 if it was right."""
    limits: dict[str, dict[str, int]] | None = None
    """The placard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision of a person at a table."""

    kind: DecisionKind
    """What was decided."""
    seq: int = 0
    at: int = 0
    coup: int = 0
    by: str | None
    """The person who decided; None where the house itself had to stop."""
    second: str | None = None
    """The second person who signed."""
    hand: str | None = None
    """The person who carried it out, where another ordered it."""
    about: str | None = None
    """The player whom it concerns."""
    why: str = ""
    """The reason in the words of the person who gave it, or the name of a cause in the book."""
    before: Side | None = None
    """What was there before."""
    after: Side | None = None
    """What is there since."""
    articles: tuple[str, ...] = ()
    dispute: int | None = None
    """The number of the dispute."""
