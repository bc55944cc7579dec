"""Commands of the house: requests around a table that are not play."""

from __future__ import annotations

from dataclasses import dataclass

from novamas.table import commands as play
from novamas.table.commands import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitNonce(Command):
    """A player publishes the hash of a nonce, for the spin of the current commitment."""

    commitment: str
    """The house's commitment that the hash was made for."""
    hash: str
    """The hash of the nonce, as 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenNonce(Command):
    """After the close a player opens the nonce behind the hash."""

    nonce: str
    """The text behind the hash."""


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
class CountFloat(Command):
    """A post of the table counts its float, where the house counts it before play goes on."""

    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFloat(Command):
    """A second person signs the count of the float."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyBox(Command):
    """The cash in the table's box is counted, and taken to the cash desk."""

    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordWrongPayment(Command):
    """Proposes to record that a payment at a physical table differed from the settlement.

    Another person confirms it; only then do chips move.
    """

    id: str
    """A new id for the proposal."""
    player: str
    amount: int
    """Positive if too much was paid, negative if too little."""
    reason: str
    coup: int | None = None
    """The coup that was paid wrongly; by default the last one called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeSale(Command):
    """Proposes to sell chips for more cash than one person may take alone; another confirms it."""

    id: str
    """A new id for the proposal."""
    player: str
    amount: int
    """What the player pays, and receives in chips."""
    reason: str
    colour: str | None = None
    value_chips: bool = False
    chip: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmProposal(Command):
    """A second person, at another post, confirms what the first proposed."""

    id: str
    """The id of the proposal."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropProposal(Command):
    """The proposer takes a proposal back, or a second person refuses to confirm it."""

    id: str
    """The id of the proposal."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectWrongPayment(Command):
    """A wrong payment is corrected."""

    id: str
    """The id of the wrong payment."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseDispute(Command):
    """A player disputes the result of their stakes in a coup, or the staff does it for them."""

    player: str
    coup: int
    says: str
    """What the player says, in their own words."""
    stake: str | None = None
    """The disputed stake, if it is a single one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawDispute(Command):
    """A player takes their dispute back."""

    id: int
    """The number of the dispute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideDispute(Command):
    """A dispute is decided, by the person whom the book names for it."""

    id: int
    """The number of the dispute."""
    upheld: bool
    reason: str
    correction: str | None = None
    """The wrong payment that was corrected because of it; None if nothing changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveTip(Command):
    """A player gives the staff a tip."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlayer(Command):
    """The seller of chips at a wheel seats a player who has no screen."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeePlayerOff(Command):
    """The seller of chips at a wheel cashes a player's chips, and lets them leave."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLastBets(Command):
    """Announces that betting is about to close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawBall(Command):
    """The committed ball of a drawn table falls: for the post that announces where a ball lies."""


HOUSE_COMMANDS: tuple[type[Command], ...] = (
    CommitNonce,
    OpenNonce,
    OpenBank,
    FillBank,
    CreditBank,
    CountBank,
    CountFloat,
    SignFloat,
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

COMMANDS: dict[str, type[Command]] = {
    **{
        name: each
        for name, each in vars(play).items()
        if isinstance(each, type) and issubclass(each, Command) and each is not Command
    },
    **{each.__name__: each for each in HOUSE_COMMANDS},
}
"""Every command that a person may give, by its name."""
