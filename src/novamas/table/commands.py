"""Commands: what a person at the table asks to be done. `by` is who asks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from novamas.game.chips import ForeignChips
from novamas.game.rulebook import Cause, ChipKind, Replay

MANAGEMENT = "management"
"""Who opens and closes the house's tables and may suspend them; holds no post at the table."""


class Choice(StrEnum):
    """What a player may do with a simple chance that met zero, where he has the choice."""

    HALF = "half"
    PRISON = "prison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A wish of someone at the table."""

    by: str


# The staff and the table --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePost(Command):
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavePost(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspend(Command):
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLimits(Command):
    limits: object
    """Plain data, class → {min, max}; what is not named stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceLastGames(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command):
    pass


# The players and their chips ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sit(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyChips(Command):
    player: str
    amount: int
    colour: str | None = None
    value_chips: bool = False
    chip: int | None = None
    """What one chip of the colour shall be worth; the table's own value if nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAway(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComeBack(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCustody(Command):
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Command):
    pass


# Stakes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceStake(Command):
    id: str
    player: str
    on: str
    amount: int
    chips: ChipKind | None = None
    covered: bool = True
    """False for a stake that was only announced, with no chips laid."""
    value_unclear: bool = False
    laid_for: str | None = None
    """The id of the stake for whose owner this one is laid."""
    unattended: bool = False
    foreign: ForeignChips | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    id: str
    player: str
    call: str
    amount: int
    covered: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveStake(Command):
    id: str
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawStake(Command):
    id: str
    amount: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectStake(Command):
    """A mistake, of a player or of the staff, put right."""

    id: str
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseAfterZero(Command):
    id: str
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnnouncement(Command):
    id: str
    mode: Replay
    new_id: str


# The coup -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchBall(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBetting(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantException(Command):
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeExcess(Command):
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidBall(Command):
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class PocketBall(Command):
    number: int
    last: bool = False
    """Whether this is the last coup of the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallNumber(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectLosers(Command):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PayNext(Command):
    """Makes the next payment of the house's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayWinners(Command):
    """Makes all the payments that are still due, in the house's order."""
