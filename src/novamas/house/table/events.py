"""Events of the house: what happens around a table that is not play, in the log of its play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from novamas.table.events import Event

CASH_ALONE = 200_000
"""For how much cash one person alone sells chips to one player, where the house says nothing."""


class BallMode(StrEnum):
    """Where a table's numbers come from."""

    WHEEL = "wheel"
    """A physical wheel: the croupier enters what it shows."""
    DRAWN = "drawn"
    """A chain of secrets, committed before the first stake, and what the players add to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetUp(Event):
    """A table was set up: the first event of its log."""

    table: str
    rulebook: str
    """The house's id, or the name of a rulebook of its own."""
    book: str | None
    """The text of a rulebook of its own, so that the log can be played again anywhere."""
    ball: BallMode
    limits: dict[str, dict[str, int]]
    winning: str
    limits_kept: str
    chip: int
    colours: int
    rotation: int
    live: bool
    zone: tuple[str, ...] = ()
    """The spots of the zone, where a post of the house has one."""
    cash_alone: int = CASH_ALONE
    """For how much cash one person alone sells chips to one player."""


class ChainReason(StrEnum):
    """Why the house committed itself to a new chain of secrets."""

    OPENED = "opened"
    """The table opened: it had none."""
    USED_UP = "used_up"
    """The last secret of the chain before it was revealed."""
    TAKEN_UP = "taken_up"
    """A server took the table up from its store, which may be older than what was played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallChainCommitted(Event):
    """The house committed itself to the secrets of many spins, by the last hash of their chain.

    What is left of the chain before it is never used.
    """

    number: int
    """The chains of a table are numbered from 1."""
    tip: str
    length: int
    """For how many spins it lasts."""
    reason: ChainReason


@dataclass(frozen=True, slots=True, kw_only=True)
class BallCommitted(Event):
    """The next secret of the chain was bound to a spin, before any stake on that spin."""

    coup: int
    spin: int
    chain: int
    """0 in logs of version 0.1.0, which drew a secret for each spin by itself."""
    place: int
    """Its place in the chain, from 1."""
    commitment: str
    """What the secret hashes to: the secret revealed before it, or the tip of the chain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NonceCommitted(Event):
    """A player published the hash of a nonce for the spin to come; a later one replaces it."""

    player: str
    spin: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NonceOpened(Event):
    """After the close a player opened the nonce behind the hash."""

    player: str
    spin: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NonceSet(Event):
    """A player set a nonce in the open, for all spins to come: in logs of version 0.1.0 alone."""

    player: str
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BallRevealed(Event):
    """The secret behind a commitment was revealed, with all that the number was drawn from."""

    coup: int
    spin: int
    secret: str
    nonces: dict[str, str]
    """Player → the nonce that they opened after the close."""
    withheld: dict[str, str]
    """Player → the hash that stood at the close, whose nonce they did not open in time."""
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BankOpened(Event):
    """The table's bank received its opening float."""

    amount: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankFilled(Event):
    """Chips were brought to the table's bank."""

    amount: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankCredited(Event):
    """Chips were taken from the table's bank to the cash desk."""

    amount: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BankCounted(Event):
    """The table's bank was counted; a difference from the ledger is recorded, not hidden."""

    counted: int
    expected: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxEmptied(Event):
    """The cash in the table's box went to the cash desk, as it was counted.

    What is missing of what was expected, or is too much, stands in an account of its own.
    """

    counted: int
    expected: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPaymentProposed(Event):
    """Somebody proposed to write a wrong payment down; it waits for a second person."""

    id: str
    player: str
    amount: int
    coup: int
    reason: str
    by: str
    post: str | None
    """The post from which it was proposed: another confirms it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashSaleProposed(Event):
    """Somebody proposed to sell chips for a large sum of cash; it waits for a second person."""

    id: str
    player: str
    amount: int
    colour: str | None
    value_chips: bool
    chip: int | None
    reason: str
    by: str
    post: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CashSaleConfirmed(Event):
    """A second person confirmed a large sale; the chips are sold with it."""

    id: str
    player: str
    amount: int
    by: str
    confirmed_by: str
    confirmed_because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalDropped(Event):
    """A proposal was taken back, or a second person refused to confirm it: nothing moves."""

    id: str
    withdrawn: bool
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPaymentMade(Event):
    """At a physical table a player was given more, or less, than the settlement says."""

    id: str
    player: str
    amount: int
    """Too much if above zero, too little if below."""
    reason: str
    by: str
    coup: int = 0
    """The coup that was paid wrongly; 0 in logs that do not say."""
    confirmed_by: str | None = None
    """The second person; nobody in logs of a time when one person was enough."""
    confirmed_because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPaymentCorrected(Event):
    """A wrong payment was put right."""

    id: str
    player: str
    amount: int
    """By how much it had been wrong: too much if above zero, too little if below."""
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRaised(Event):
    """A player disputed what became of his stakes in a coup."""

    id: int
    """The disputes of a table are numbered from 1 on."""
    player: str
    coup: int
    says: str
    stake: str | None
    by: str
    """The player himself, or whoever of the house wrote it down for him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeWithdrawn(Event):
    """A player took his dispute back."""

    id: int
    player: str
    coup: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeDecided(Event):
    """A dispute was decided."""

    id: int
    player: str
    coup: int
    upheld: bool
    reason: str
    correction: str | None
    """The wrong payment that stood behind it; none, where nothing changes."""
    amount: int
    """By how much that payment was wrong; 0 where nothing changes."""
    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TipGiven(Event):
    """A player gave the staff a tip."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LastBetsCalled(Event):
    """Everybody was told that betting is about to close."""

    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStopped(Event):
    """The house took the table out of play, because its ball or its store cannot be trusted."""

    reason: str


HOUSE_EVENTS: tuple[type[Event], ...] = (
    TableSetUp,
    BallChainCommitted,
    BallCommitted,
    NonceCommitted,
    NonceOpened,
    NonceSet,
    BallRevealed,
    BankOpened,
    BankFilled,
    BankCredited,
    BankCounted,
    BoxEmptied,
    WrongPaymentProposed,
    CashSaleProposed,
    CashSaleConfirmed,
    ProposalDropped,
    WrongPaymentMade,
    WrongPaymentCorrected,
    DisputeRaised,
    DisputeWithdrawn,
    DisputeDecided,
    TipGiven,
    LastBetsCalled,
    TableStopped,
)
