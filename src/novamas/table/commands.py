"""Commands: what a person asks the table to do. `by` is who asks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import Cause, ChipKind, Replay
from novamas.game.wheel import Pocket
from novamas.table.identity import Identity


class Choice(StrEnum):
    """What a player may do with a simple chance that met zero, where they have the choice."""

    HALF = "half"
    PRISON = "prison"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a person asks the table to do."""

    by: Identity


# The staff and the table --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePost(Command):
    """A person takes a post at the table, or relieves the person who holds it."""

    post: str
    """The plain name of the post in the rulebook."""
    relieves: str | None = None
    """The person whom the new holder relieves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavePost(Command):
    """A person leaves their post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Command):
    """The table opens; every post that the book requires must be held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspend(Command):
    """Play is suspended."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    """Play goes on."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLimits(Command):
    """The placard changes."""

    limits: object
    """Plain data, class → {min, max}; a limit that is not named does not change."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenTable(Command):
    """The table is closed and opened again with another placard; what lies on it goes back."""

    limits: object
    """Plain data, class → {min, max}; a limit that is not named does not change."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectTable(Command):
    """A member of the staff has inspected table, wheel and ball before the table opens."""

    done: str = ""
    """What was done."""
    licence: str = ""
    """The licence of the person who inspected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectBall(Command):
    """A member of the staff has inspected the ball after it left the wheel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceLastGames(Command):
    """The last games are announced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command):
    """The table closes for the day."""


# The players and their chips ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sit(Command):
    """A player takes a seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyChips(Command):
    """A player buys chips from a member of the staff."""

    player: str
    amount: int
    """What the player pays, and receives in chips."""
    colour: str | None = None
    value_chips: bool = False
    """Whether the player takes value chips in place of a colour."""
    chip: int | None = None
    """What one chip of the colour is worth; by default the table's own value. It does not apply to
    value chips."""
    cash: bool = False
    """Whether the player pays with cash, which goes into the table's box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAway(Command):
    """A player leaves the table for a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComeBack(Command):
    """A player is at the table again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimCustody(Command):
    """A player asks for what was set aside for them."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Command):
    """A player leaves for good and takes their chips along."""


# Stakes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceStake(Command):
    """A stake is laid on a spot."""

    id: str
    """A new id for the stake."""
    player: str
    on: str
    amount: int
    chips: ChipKind | None = None
    """The kind of chips; by default the kind that the spot takes."""
    covered: bool = True
    """False for a stake that was only announced, with no chips laid."""
    value_unclear: bool = False
    """Whether the value is not clear at a glance."""
    laid_for: str | None = None
    """The id of the stake for whose owner this one is laid."""
    unattended: bool = False
    """Whether nobody is there to whom it belongs."""
    change_pending: bool = False
    """Whether it is in value chips because there was no time to change them."""
    denomination: int | None = None
    """What one of its value chips is worth."""
    foreign: ForeignChips | None = None
    """The chips of another table that the stake is made of; the amount then follows from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareOrphan(Command):
    """A member of the staff finds that nobody owns a stake; it goes into custody."""

    id: str
    """The stake, or the announcement with all its pieces."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    """An announcement is made; `amount` is its total."""

    id: str
    """A new id for the announcement."""
    player: str
    call: str
    """The announcement, in the notation or in the words of a house."""
    amount: int
    """The total: a multiple of the number of its pieces."""
    covered: bool = True
    """False for an announcement without chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveStake(Command):
    """A stake is moved to another spot."""

    id: str
    on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawStake(Command):
    """A stake, or a part of it, is taken back."""

    id: str
    amount: int | None = None
    """How much is taken back; by default all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectStake(Command):
    """A mistake of a player or of the staff is corrected, or an ordered correction is made."""

    id: str
    on: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCorrection(Command):
    """A post that touches no chips orders the correction of a mistake."""

    id: str
    on: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseAfterZero(Command):
    """The owner of a stake that met zero chooses."""

    id: str
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnnouncement(Command):
    """An announcement that has just won is played again."""

    id: str
    """The id of the announcement that won."""
    mode: Replay
    """How it is played again."""
    new_id: str
    """A new id for the replay."""


# The coup -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchBall(Command):
    """The wheel is spun and the ball launched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseBetting(Command):
    """No more bets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantException(Command):
    """A player may lay one stake after the close."""

    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeExcess(Command):
    """A member of the staff notices a stake above its maximum."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidBall(Command):
    """The running ball is declared void."""

    cause: Cause
    """Why the ball is void."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PocketBall(Command):
    """The ball has come to lie in a pocket."""

    number: Pocket
    """The number of the pocket."""
    last: bool = False
    """Whether this is the last coup of the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallNumber(Command):
    """The number is called and marked with the dolly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectNumber(Command):
    """The number that was entered is not the one that the wheel shows."""

    number: Pocket
    """Until the number is called it is changed at once; afterwards a second person signs."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignNumber(Command):
    """A second person signs the change of a number."""

    number: Pocket
    """The number that is signed, so that nobody signs a different number by mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectLosers(Command):
    """The losing chips are collected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayNext(Command):
    """Makes the next payment of the house's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayWinners(Command):
    """Makes all the payments that are still due, in the house's order."""
