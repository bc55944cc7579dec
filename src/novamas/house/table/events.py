"""Events of the house: what happens around a table that is not play, in the log of its play."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from novamas.game.wheel import Pocket
from novamas.table.accounts import BANK, BOX, DESK, MISSING, Transfers
from novamas.table.decision_record import Decision, DecisionKind, Side, Standing
from novamas.table.events.event import DEFINED, Event, SeenBy, event

if TYPE_CHECKING:
    from novamas.table.state import State

CASH_ALONE = 200_000
"""Default limit of cash for which one person alone may sell chips to one player."""


class BallMode(StrEnum):
    """Where a table's numbers come from."""

    WHEEL = "wheel"
    """A physical wheel: the croupier enters what it shows."""
    DRAWN = "drawn"
    """A chain of secrets, committed before the first stake, and what the players add to it."""


@event(SeenBy.EVERYBODY, private=("book",))
class TableSetUp(Event):
    """A table was set up: the first event of its log."""

    table: str
    rulebook: str
    """The id of a built-in rulebook, or the name of a custom one."""
    book: str | None
    """The text of a custom rulebook, so that the log can be replayed anywhere."""
    ball: BallMode
    limits: dict[str, dict[str, int]]
    winning: str
    limits_kept: str
    chip: int
    colours: int
    rotation: int
    live: bool
    zone: tuple[str, ...] = ()
    """The spots of the zone, if a post of the house has one."""
    cash_alone: int = CASH_ALONE
    """The limit of cash for which one person alone may sell chips to one player."""
    double: bool = False
    """Whether it is a double table, with two cloths."""
    highest_bet: int | None = None
    """The highest bet of all by law, where the book has such a law and the house says."""


class ChainReason(StrEnum):
    """Why the house committed to a new chain of secrets."""

    OPENED = "opened"
    """The table opened, and had none."""
    USED_UP = "used_up"
    """The last secret of the previous chain was revealed."""
    TAKEN_UP = "taken_up"
    """A server loaded the table from its store, which may be older than what was played."""


@event(SeenBy.EVERYBODY)
class BallChainCommitted(Event):
    """The house committed to the secrets of many spins, by the last hash of their chain.

    The rest of the previous chain is never used.
    """

    number: int
    """The chains of a table are numbered from 1."""
    tip: str
    """The commitment of its first place."""
    length: int
    """How many spins it is for."""
    reason: ChainReason
    """Why a new chain was needed."""


@event(SeenBy.EVERYBODY)
class BallCommitted(Event):
    """The next secret of the chain was bound to a spin, before any stake on that spin."""

    coup: int
    spin: int
    chain: int
    """The number of the chain; 0 in logs of version 0.1.0, which drew each secret separately."""
    place: int
    """Its place in the chain, from 1."""
    commitment: str
    """The hash of the secret: the secret revealed before it, or the tip of the chain."""
    zeros: tuple[Pocket, ...] = (0,)
    """The zeros of the wheel: with the numbers 1 to 36 they are the pockets of the draw."""


@event(SeenBy.EVERYBODY)
class NonceCommitted(Event):
    """A player published the hash of a nonce for the next spin; a later one replaces it."""

    player: str
    spin: int
    hash: str


@event(SeenBy.EVERYBODY)
class NonceOpened(Event):
    """After the close a player opened the nonce behind the hash."""

    player: str
    spin: int
    nonce: str


@event(SeenBy.EVERYBODY)
class NonceSet(Event):
    """A player set a public nonce for all following spins; only in logs of version 0.1.0."""

    player: str
    nonce: str


@event(SeenBy.EVERYBODY)
class BallRevealed(Event):
    """The secret behind a commitment was revealed, with everything that the number depends on."""

    coup: int
    spin: int
    secret: str
    """The secret of the spin, as 64 hexadecimal digits."""
    nonces: dict[str, str]
    """Player → the nonce that they opened after the close."""
    withheld: dict[str, str]
    """Player → the hash at the close whose nonce they did not open in time."""
    number: Pocket
    zeros: tuple[Pocket, ...] = (0,)
    """The zeros of the wheel, as in the commitment."""


@event(SeenBy.STAFF)
class BankOpened(Event):
    """The table's bank received its opening float."""

    amount: int
    by: str

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(DESK, BANK, self.amount)


@event(SeenBy.STAFF)
class BankFilled(Event):
    """Chips were brought to the table's bank."""

    amount: int
    by: str

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(DESK, BANK, self.amount)


@event(SeenBy.STAFF)
class BankCredited(Event):
    """Chips were taken from the table's bank to the cash desk."""

    amount: int
    by: str

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(BANK, DESK, self.amount)


@event(SeenBy.STAFF)
class BankCounted(Event):
    """The table's bank was counted; a difference from the ledger is recorded, not hidden."""

    counted: int
    expected: int
    """What the ledger says."""
    by: str


class FloatOccasion(StrEnum):
    """Why the float of a table is counted."""

    OPENED = "opened"
    """The table opens, or opens again with another placard."""
    REFILLED = "refilled"
    INTERRUPTED = "interrupted"
    """Play is suspended."""
    CLOSED = "closed"


@event(SeenBy.STAFF)
class FloatCounted(Event):
    """A post of the table counted the float; a second person has yet to sign the count."""

    occasion: FloatOccasion
    """Why it was counted."""
    counted: int
    expected: int
    """What the ledger says."""
    by: str


@event(SeenBy.EVERYBODY)
class FloatEntered(Event):
    """A count of the float was signed: an entry in the book of advances, which anybody may see."""

    occasion: FloatOccasion
    """Why it was counted."""
    amount: int
    """What was brought to the bank; 0 when the table closes."""
    counted: int
    expected: int
    """What the ledger says."""
    counted_by: str
    """The person who counted."""
    signed_by: str
    """The second person, who signed."""
    articles: tuple[str, ...]


@event(SeenBy.EVERYBODY)
class BankUncovered(Event):
    """After a coup that was settled in full the bank cannot cover bets any more."""

    coup: int
    articles: tuple[str, ...]


@event(SeenBy.STAFF)
class BoxEmptied(Event):
    """The cash in the table's box was counted, and went to the cash desk.

    A difference from the expected amount has an account of its own.
    """

    counted: int
    expected: int
    """What the ledger says."""
    by: str

    def move(self, moved: Transfers, state: State) -> None:
        # From now on the desk accounts for the chips that were sold for this cash.
        moved.move(DESK, BOX, self.counted)
        moved.move(MISSING, BOX, self.expected - self.counted)


@event(SeenBy.STAFF)
class WrongPaymentProposed(Event):
    """Somebody proposed to record a wrong payment; it waits for a second person."""

    id: str
    """The id of the proposal."""
    player: str
    amount: int
    """Too much if above zero, too little if below."""
    coup: int
    reason: str
    by: str
    post: str | None
    """The post of the proposer; somebody at another post must confirm."""


@event(SeenBy.STAFF)
class CashSaleProposed(Event):
    """Somebody proposed to sell chips for a large sum of cash; it waits for a second person."""

    id: str
    """The id of the proposal."""
    player: str
    amount: int
    colour: str | None
    value_chips: bool
    chip: int | None
    reason: str
    by: str
    post: str | None
    """The post of the proposer; somebody at another post must confirm."""


@event(SeenBy.STAFF)
class CashSaleConfirmed(Event):
    """A second person confirmed a large sale; the chips are sold with it."""

    id: str
    """The id of the proposal."""
    player: str
    amount: int
    by: str
    confirmed_by: str
    confirmed_because: str


@event(SeenBy.STAFF)
class ProposalDropped(Event):
    """A proposal was taken back, or a second person refused to confirm it: nothing moves."""

    id: str
    """The id of the proposal."""
    withdrawn: bool
    """Whether the proposer took it back."""
    by: str
    reason: str


@event(SeenBy.EVERYBODY, private=("says",))
class DisputeRaised(Event):
    """A player disputed the result of their stakes in a coup."""

    id: int
    """The disputes of a table are numbered from 1."""
    player: str
    coup: int
    says: str
    """What the player says, in their own words."""
    stake: str | None
    by: str
    """The player, or the member of staff who recorded it for them."""

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.DISPUTE_RAISED,
            coup=self.coup,
            by=self.by,
            about=self.player,
            why=self.says,
            dispute=self.id,
        )


@event(SeenBy.EVERYBODY)
class DisputeWithdrawn(Event):
    """A player took their dispute back."""

    id: int
    """The number of the dispute."""
    player: str
    coup: int

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.DISPUTE_WITHDRAWN,
            coup=self.coup,
            by=self.player,
            about=self.player,
            dispute=self.id,
        )


@event(SeenBy.EVERYBODY)
class DisputeDecided(Event):
    """A dispute was decided."""

    id: int
    """The number of the dispute."""
    player: str
    coup: int
    upheld: bool
    reason: str
    correction: str | None
    """The wrong payment behind it; None if nothing changes."""
    amount: int
    """By how much that payment was wrong; 0 if nothing changes."""
    by: str
    articles: tuple[str, ...]

    def decision(self, state: State) -> Decision:
        named = self.correction is not None
        return Decision(
            kind=DecisionKind.DISPUTE_UPHELD if self.upheld else DecisionKind.DISPUTE_REJECTED,
            coup=self.coup,
            by=self.by,
            about=self.player,
            why=self.reason,
            before=Side(wrong_by=self.amount) if named else None,
            after=Side(wrong_by=0) if named else None,
            articles=self.articles,
            dispute=self.id,
        )


@event(SeenBy.EVERYBODY)
class LastBetsCalled(Event):
    """It was announced that betting is about to close."""

    call: str
    """What the croupier says."""


@event(SeenBy.EVERYBODY)
class TableStopped(Event):
    """The house stopped the table, because its ball or its store cannot be trusted."""

    reason: str

    def decision(self, state: State) -> Decision:
        was = Standing.SUSPENDED if state.suspended else Standing.IN_PLAY
        return Decision(
            kind=DecisionKind.STOPPED,
            by=None,
            why=self.reason,
            before=Side(standing=was),
            after=Side(standing=Standing.STOPPED),
        )


EVENTS: Mapping[str, type[Event]] = MappingProxyType(DEFINED)
"""Every event of a table's log by its name, including those of play."""
