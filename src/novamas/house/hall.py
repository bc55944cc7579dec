"""A table as the house sees it: the play, the ball's commitments and nonces, and the log's place.

`Hall` folds the whole log of a table, play and house events alike. It is what a snapshot holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from novamas.game.bookreader import read_rulebook
from novamas.game.limits import Limits
from novamas.game.rulebook import LimitsKept, Rulebook, Winning
from novamas.game.zone import read_zone
from novamas.house import events as house
from novamas.house.disputed import Disputes
from novamas.rulebooks import HOUSES, load
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.state import Setup, State


@dataclass(slots=True)
class Hall:
    """Everything the house knows of one table."""

    table: str
    ball: house.BallMode
    state: State
    set_up: house.TableSetUp
    commitment: house.BallCommitted | None = None
    """The commitment that is not opened yet."""
    nonces: dict[str, str] = field(default_factory=dict)
    closed_nonces: dict[str, str] | None = None
    """The nonces as they stood when betting closed, while the ball is not revealed."""
    drawn: list[tuple[int, int | None]] = field(default_factory=list)
    """The last spins and their numbers, newest last; a short history for screens.

    At a drawn table they stand there once they are revealed, at a wheel once the ball lies still.
    """
    wrong_payments: dict[str, house.WrongPaymentMade] = field(default_factory=dict)
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
        hall.closed_nonces = {
            name: nonce for name, nonce in hall.nonces.items() if name in hall.state.players
        }
        lying = [each.player for each in hall.state.stakes.values()]
        lying += [each.player for each in hall.state.prison.values()]
        hall.disputes.played(hall.state.coup, lying)
    if isinstance(event, play.StakePlaced) and event.exception:
        hall.disputes.played(hall.state.coup, (event.player,))
    if isinstance(event, play.PlayerLeft):
        hall.nonces.pop(event.player, None)
    if isinstance(event, play.BallPocketed) and hall.ball is house.BallMode.WHEEL:
        _note_spin(hall, hall.state.spins, event.number)
    if isinstance(event, play.NumberCorrected):
        hall.drawn[-1] = (hall.state.spins, event.number)
    evolve(hall.state, event)
    return hall


def _committed(hall: Hall, event: house.BallCommitted) -> None:
    hall.commitment = event
    hall.closed_nonces = None


def _nonce(hall: Hall, event: house.NonceSet) -> None:
    hall.nonces[event.player] = event.nonce


def _revealed(hall: Hall, event: house.BallRevealed) -> None:
    hall.commitment = None
    hall.closed_nonces = None
    _note_spin(hall, event.spin, event.number)


def _note_spin(hall: Hall, spin: int, number: int | None) -> None:
    hall.drawn = [*hall.drawn[-99:], (spin, number)]


def _wrong(hall: Hall, event: house.WrongPaymentMade) -> None:
    hall.wrong_payments[event.id] = event
    hall.state.players[event.player].purse += event.amount


def _corrected(hall: Hall, event: house.WrongPaymentCorrected) -> None:
    wrong = hall.wrong_payments.pop(event.id)
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
    house.BallCommitted: _committed,
    house.NonceSet: _nonce,
    house.BallRevealed: _revealed,
    house.BankOpened: _nothing,
    house.BankFilled: _nothing,
    house.BankCredited: _nothing,
    house.BankCounted: _nothing,
    house.BoxEmptied: _nothing,
    house.WrongPaymentMade: _wrong,
    house.WrongPaymentCorrected: _corrected,
    house.DisputeRaised: lambda hall, event: hall.disputes.raised(event),
    house.DisputeWithdrawn: lambda hall, event: hall.disputes.withdrawn(event),
    house.DisputeDecided: lambda hall, event: hall.disputes.decided(event),
    house.TipGiven: _tip,
    house.LastBetsCalled: _nothing,
    house.TableStopped: _stopped,
}
