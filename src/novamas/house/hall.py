"""A table as the house sees it: the play, the ball's commitments and nonces, and the log's place.

`Hall` folds the whole log of a table, play and house events alike. It is what a snapshot holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from novamas.game.bookreader import read_rulebook
from novamas.game.limits import Limits
from novamas.game.rulebook import ChipKind, LimitsKept, Rulebook, Winning
from novamas.game.zone import read_zone
from novamas.house import events as house
from novamas.house.disputed import Disputes
from novamas.house.payable import Payable
from novamas.rulebooks import HOUSES, load
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.state import Phase, Setup, State


@dataclass(slots=True)
class Hall:
    """Everything the house knows of one table."""

    table: str
    ball: house.BallMode
    state: State
    set_up: house.TableSetUp
    chain: house.BallChainCommitted | None = None
    """The chain that secrets are revealed from."""
    place: int = 0
    """How far the chain was bound to spins."""
    commitment: house.BallCommitted | None = None
    """The commitment that is not opened yet."""
    hashes: dict[str, str] = field(default_factory=dict)
    """Player → the hash of the nonce that they committed to for this commitment."""
    opened: dict[str, str] = field(default_factory=dict)
    """Player → the nonce behind it, once betting has closed."""
    drawn: list[tuple[int, int]] = field(default_factory=list)
    """The last spins and their numbers, newest last; a short history for screens.

    At a drawn table they stand there once they are revealed, at a wheel once the ball lies still.
    """
    wrong_payments: dict[str, house.WrongPaymentMade] = field(default_factory=dict)
    proposals: dict[str, house.WrongPaymentProposed | house.CashSaleProposed] = field(
        default_factory=dict
    )
    """What waits for a second person."""
    payable: Payable = field(default_factory=Payable)
    """What the last coups could have paid, and did; of a wheel, where hands pay."""
    alone: dict[str, int] = field(default_factory=dict)
    """Player → what one person alone took of them, since two people last looked."""
    disputes: Disputes = field(default_factory=Disputes)
    stopped: str | None = None

    @classmethod
    def fresh(cls, event: house.TableSetUp) -> Hall:
        """The table right after it was set up."""
        book = book_of(event)
        setup = Setup(
            limits=Limits.of(event.limits),
            winning=Winning(event.winning),
            limits_kept=LimitsKept(event.limits_kept),
            chip=event.chip,
            colours=event.colours,
            rotation=event.rotation,
            live=event.live,
            zone=read_zone(book, event.zone),
        )
        return cls(event.table, event.ball, State.fresh(book, setup), event)

    def restore(self, other: Hall) -> None:
        """Becomes the other in place, for all who look at this one."""
        state = self.state
        for each in fields(other.state):
            setattr(state, each.name, getattr(other.state, each.name))
        for each in fields(other):
            setattr(self, each.name, getattr(other, each.name))
        self.state = state


def book_of(event: house.TableSetUp) -> Rulebook:
    """The rulebook a table plays by: a house's own, or the text that its log carries."""
    if event.book is not None:
        return read_rulebook(event.book, file=event.rulebook)
    if event.rulebook not in HOUSES:
        raise LookupError(f"no rulebook {event.rulebook!r}")
    return load(event.rulebook)


def advance(hall: Hall, event: Event) -> Hall:
    """The table after an event of its log, whether of play or of the house."""
    apply = _HOUSE.get(type(event))
    if apply is not None:
        apply(hall, event)
        return hall
    if isinstance(event, play.BettingClosed):
        lying = [each.player for each in hall.state.stakes.values()]
        lying += [each.player for each in hall.state.prison.values()]
        hall.disputes.played(hall.state.coup, lying)
    if isinstance(event, play.StakePlaced) and event.exception:
        hall.disputes.played(hall.state.coup, (event.player,))
    if isinstance(event, play.PlayerLeft) and hall.state.phase is not Phase.CLOSED:
        # Whoever leaves after the close took part in the ball that runs.
        hall.hashes.pop(event.player, None)
    if isinstance(event, play.BallPocketed) and hall.ball is house.BallMode.WHEEL:
        _note_spin(hall, hall.state.spins, event.number)
    if isinstance(event, play.NumberCalled) and hall.ball is house.BallMode.WHEEL:
        hall.payable.called(hall.state.book, hall.state.coup, event.settlement)
    if (taken := _taken_alone(event)) is not None:
        hall.alone[taken[0]] = hall.alone.get(taken[0], 0) + taken[1]
    if isinstance(event, play.NumberCorrected):
        hall.drawn[-1] = (hall.state.spins, event.number)
    evolve(hall.state, event)
    return hall


def _taken_alone(event: Event) -> tuple[str, int] | None:
    """Of whom, and for how much, somebody took cash or the chips of another table."""
    if isinstance(event, play.ChipsBought) and event.cash:
        return event.player, event.amount
    if isinstance(event, play.StakePlaced) and event.chips is ChipKind.FOREIGN:
        return event.player, event.amount
    return None


def _chain_committed(hall: Hall, event: house.BallChainCommitted) -> None:
    hall.chain, hall.place = event, 0
    _unbind(hall)


def _committed(hall: Hall, event: house.BallCommitted) -> None:
    _unbind(hall)
    hall.commitment, hall.place = event, event.place


def _unbind(hall: Hall) -> None:
    """No commitment stands, and the players' hashes, which were made for one, are void."""
    hall.commitment = None
    hall.hashes, hall.opened = {}, {}


def _nonce_committed(hall: Hall, event: house.NonceCommitted) -> None:
    hall.hashes[event.player] = event.hash


def _nonce_opened(hall: Hall, event: house.NonceOpened) -> None:
    hall.opened[event.player] = event.nonce


def _revealed(hall: Hall, event: house.BallRevealed) -> None:
    _unbind(hall)
    _note_spin(hall, event.spin, event.number)


def _note_spin(hall: Hall, spin: int, number: int) -> None:
    hall.drawn = [*hall.drawn[-99:], (spin, number)]


def _proposed(hall: Hall, event: house.WrongPaymentProposed | house.CashSaleProposed) -> None:
    hall.proposals[event.id] = event


def _dropped(hall: Hall, event: house.ProposalDropped) -> None:
    del hall.proposals[event.id]


def _sale_confirmed(hall: Hall, event: house.CashSaleConfirmed) -> None:
    del hall.proposals[event.id]
    # The sale follows it; then what one person may take alone begins anew.
    hall.alone[event.player] = -event.amount


def _wrong(hall: Hall, event: house.WrongPaymentMade) -> None:
    hall.proposals.pop(event.id, None)
    hall.wrong_payments[event.id] = event
    hall.payable.wrong(event.coup, event.player, event.amount)
    hall.state.players[event.player].purse += event.amount


def _corrected(hall: Hall, event: house.WrongPaymentCorrected) -> None:
    wrong = hall.wrong_payments.pop(event.id)
    hall.payable.wrong(wrong.coup, wrong.player, -wrong.amount)
    hall.state.players[wrong.player].purse -= wrong.amount
    hall.disputes.corrected(event)


def _tip(hall: Hall, event: house.TipGiven) -> None:
    hall.state.players[event.player].purse -= event.amount


def _stopped(hall: Hall, event: house.TableStopped) -> None:
    hall.stopped = event.reason


def _nothing(_hall: Hall, _event: Event) -> None:
    """It changes nothing at the table: the ledger alone is moved by it, or it was only said."""


_HOUSE: dict[type[Event], Callable[[Hall, Any], None]] = {
    house.TableSetUp: _nothing,
    house.BallChainCommitted: _chain_committed,
    house.BallCommitted: _committed,
    house.NonceCommitted: _nonce_committed,
    house.NonceOpened: _nonce_opened,
    house.BallRevealed: _revealed,
    house.BankOpened: _nothing,
    house.BankFilled: _nothing,
    house.BankCredited: _nothing,
    house.BankCounted: _nothing,
    house.BoxEmptied: _nothing,
    house.WrongPaymentProposed: _proposed,
    house.CashSaleProposed: _proposed,
    house.CashSaleConfirmed: _sale_confirmed,
    house.ProposalDropped: _dropped,
    house.WrongPaymentMade: _wrong,
    house.WrongPaymentCorrected: _corrected,
    house.DisputeRaised: lambda hall, event: hall.disputes.raised(event),
    house.DisputeWithdrawn: lambda hall, event: hall.disputes.withdrawn(event),
    house.DisputeDecided: lambda hall, event: hall.disputes.decided(event),
    house.TipGiven: _tip,
    house.LastBetsCalled: _nothing,
    house.TableStopped: _stopped,
}
