"""Commands of the house: what is asked around a table that is not play."""

from __future__ import annotations

from dataclasses import dataclass

from novamas.table.commands import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitNonce(Command):
    """A player publishes the hash of a nonce, for the spin whose commitment stands now."""

    commitment: str
    """The house's commitment that the hash was made for."""
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenNonce(Command):
    """After the close a player opens the nonce behind the hash."""

    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBank(Command):
    """The table's bank receives its opening float."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FillBank(Command):
    """Chips are brought to the bank."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditBank(Command):
    """Chips are taken from the bank to the cash desk."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountBank(Command):
    """The bank is counted."""

    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyBox(Command):
    """The cash in the table's box is counted, and taken to the cash desk."""

    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordWrongPayment(Command):
    """Proposes to write down that a payment at a physical table was not what the settlement says.

    Another person confirms it; only then do chips move.
    """

    id: str
    player: str
    amount: int
    """Too much if above zero, too little if below."""
    reason: str
    coup: int | None = None
    """The coup that was paid wrongly; the last one called if nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeSale(Command):
    """Proposes to sell chips for more cash than one person takes alone; another confirms it."""

    id: str
    player: str
    amount: int
    reason: str
    colour: str | None = None
    value_chips: bool = False
    chip: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmProposal(Command):
    """A second person, at another post, confirms what the first proposed."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropProposal(Command):
    """Whoever proposed something takes it back, or a second person refuses to confirm it."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectWrongPayment(Command):
    """A wrong payment is put right."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseDispute(Command):
    """A player disputes what became of his stakes in a coup; or the staff does it for him."""

    player: str
    coup: int
    says: str
    """What he says, in his own words."""
    stake: str | None = None
    """The stake that he means, where it is one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawDispute(Command):
    """A player takes his dispute back."""

    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideDispute(Command):
    """A dispute is decided, by whom the book gives it to."""

    id: int
    upheld: bool
    reason: str
    correction: str | None = None
    """The wrong payment that is put right by it; none, where nothing changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveTip(Command):
    """A player gives the staff a tip."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlayer(Command):
    """Whoever sells chips at a wheel seats a player who has no screen."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeePlayerOff(Command):
    """Whoever sells chips at a wheel changes what a player has, and lets him go."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLastBets(Command):
    """Whoever closes betting says that it is about to close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawBall(Command):
    """The committed ball of a drawn table falls: for the post that tells where a ball lies."""


HOUSE_COMMANDS: tuple[type[Command], ...] = (
    CommitNonce,
    OpenNonce,
    OpenBank,
    FillBank,
    CreditBank,
    CountBank,
    EmptyBox,
    RecordWrongPayment,
    ProposeSale,
    ConfirmProposal,
    DropProposal,
    CorrectWrongPayment,
    RaiseDispute,
    WithdrawDispute,
    DecideDispute,
    GiveTip,
    SeatPlayer,
    SeePlayerOff,
    CallLastBets,
    DrawBall,
)
"""The commands of the house that a person may give."""
