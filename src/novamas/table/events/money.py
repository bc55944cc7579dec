"""Events of a player's money at the table: chips, custody, tips, and wrong payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novamas.game.chips import takes
from novamas.game.rulebook.behaviours import ChipKind
from novamas.table.accounts import BANK, BOX, DESK, TIPS, Transfers, custody, purse
from novamas.table.decision_record import Decision, DecisionKind, Side
from novamas.table.events.event import Event, SeenBy, event, script_command

if TYPE_CHECKING:
    from novamas.table.state import State


@event(SeenBy.EVERYBODY, private=("amount", "cash"))
class ChipsBought(Event):
    """A player bought chips."""

    player: str
    amount: int
    colour: str | None
    chip: int
    """What a colour chip of theirs is worth."""
    value_chips: bool
    articles: tuple[str, ...]
    cash: bool = False
    """Whether the player paid with cash, which went into the table's box."""

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(BOX if self.cash else DESK, purse(self.player), self.amount)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command(
            "buy",
            player=self.player,
            amount=self.amount,
            colour=None if self.value_chips else self.colour,
            # A house that sells value chips alone takes no value of a colour chip.
            chip=self.chip if takes(state.book, ChipKind.COLOUR) else None,
            value_chips=self.value_chips or None,
        )


@event(SeenBy.EVERYBODY, private=("amount", "chips"))
class ColourConverted(Event):
    """A player's colour chips changed into value chips."""

    player: str
    colour: str
    chips: int
    """How many colour chips were changed."""
    chip: int
    amount: int
    """What the player holds in value chips afterwards; `chips` leaves out parts of a chip."""
    articles: tuple[str, ...]


@event(SeenBy.PLAYER)
class CustodyClaimed(Event):
    """A player received what had been set aside for them."""

    player: str
    amount: int
    articles: tuple[str, ...]

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(custody(self.player), purse(self.player), self.amount)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("claim", player=self.player)


@event(SeenBy.PLAYER)
class TipGiven(Event):
    """A player gave the staff a tip."""

    player: str
    amount: int

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(purse(self.player), TIPS, self.amount)


@event(SeenBy.EVERYBODY)
class WrongPaymentMade(Event):
    """At a physical table a player received more, or less, than the settlement says."""

    id: str
    """The id of the wrong payment."""
    player: str
    amount: int
    """Too much if above zero, too little if below."""
    reason: str
    by: str
    coup: int = 0
    """The coup that was paid wrongly; 0 in logs that do not say."""
    confirmed_by: str | None = None
    """The second person who signed; None in logs from when one person was enough."""
    confirmed_because: str = ""

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(BANK, purse(self.player), self.amount)

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.WRONG_PAYMENT,
            by=self.by,
            second=self.confirmed_by,
            about=self.player,
            why=self.reason,
            before=Side(wrong_by=0),
            after=Side(wrong_by=self.amount),
        )


@event(SeenBy.EVERYBODY)
class WrongPaymentCorrected(Event):
    """A wrong payment was corrected."""

    id: str
    """The id of the wrong payment."""
    player: str
    amount: int
    """By how much it had been wrong: too much if above zero, too little if below."""
    by: str
    reason: str = ""

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(purse(self.player), BANK, self.amount)

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.PAYMENT_CORRECTED,
            by=self.by,
            about=self.player,
            # A correction without its own reason has the reason of the record that it corrects.
            why=self.reason or state.wrong_payments[self.id].reason,
            before=Side(wrong_by=self.amount),
            after=Side(wrong_by=0),
        )
