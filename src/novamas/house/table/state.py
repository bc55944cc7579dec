"""A table's full state: play, the ball's commitments and nonces, and the position in the log.

`HouseTable` is the fold of a table's whole log, play and house events alike. Snapshots store it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from novamas.game.limits import Limits
from novamas.game.post_zones import read_zone
from novamas.game.rulebook.behaviours import ChipKind, LimitsKept, Winning
from novamas.game.rulebook.model import FloatRules, Rulebook
from novamas.game.wheel import Pocket
from novamas.house.table import events as house
from novamas.house.table.dispute_records import Disputes
from novamas.house.table.payment_bounds import Payable
from novamas.rulebooks import HOUSES, load
from novamas.rulebooks.older import read_kept_rulebook
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.evolve import EVOLVERS, evolve
from novamas.table.state import Phase, Setup, State


@dataclass(frozen=True, slots=True)
class FloatDue:
    """A count of the float that must be made and signed."""

    occasion: house.FloatOccasion
    amount: int
    """What was brought to the bank."""
    counted: house.FloatCounted | None = None
    """The count, once somebody made it."""


@dataclass(slots=True)
class HouseTable:
    """Everything that the house knows about one table."""

    table: str
    ball: house.BallMode
    state: State
    set_up: house.TableSetUp
    chain: house.BallChainCommitted | None = None
    """The current chain of secrets."""
    place: int = 0
    """How many secrets of the chain are bound to spins."""
    commitment: house.BallCommitted | None = None
    """The commitment that is not opened yet."""
    hashes: dict[str, str] = field(default_factory=dict)
    """Player → the hash of the nonce that they committed to for this commitment."""
    opened: dict[str, str] = field(default_factory=dict)
    """Player → the nonce behind it, once betting has closed."""
    nonces: dict[str, str] = field(default_factory=dict)
    """Player → the public nonce that they set, at a table of version 0.1.0."""
    drawn: list[tuple[int, Pocket]] = field(default_factory=list)
    """The last spins and their numbers, newest last; a short history for screens.

    A drawn table adds them when they are revealed, a wheel when the ball has come to rest.
    """
    proposals: dict[str, house.WrongPaymentProposed | house.CashSaleProposed] = field(
        default_factory=dict
    )
    """Proposals that wait for a second person."""
    payable: Payable = field(default_factory=Payable)
    """Payment bounds of the last coups; only at a wheel, where people pay."""
    alone: dict[str, int] = field(default_factory=dict)
    """Player → cash that one person alone took from them since the last sale by two people."""
    disputes: Disputes = field(default_factory=Disputes)
    advance: int = 0
    """The float with which the table opened: later advances may have to equal it."""
    float_due: FloatDue | None = None
    """A count of the float that is not entered yet."""
    is_uncovered: bool = False
    """Whether play is suspended because the bank cannot cover the bets."""
    stopped: str | None = None

    @classmethod
    def fresh(cls, event: house.TableSetUp) -> HouseTable:
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
            double=event.double,
            highest_bet=event.highest_bet,
        )
        return cls(event.table, event.ball, State.fresh(book, setup), event)

    @property
    def refill(self) -> int | None:
        """What every advance after the opening must be; None if it may be anything."""
        rules = float_rules(self)
        return self.advance if rules is not None and rules.equal_refills else None

    def restore(self, other: HouseTable) -> None:
        """Takes over another table's state in place, so that references to this one stay valid."""
        state = self.state
        for each in fields(other.state):
            setattr(state, each.name, getattr(other.state, each.name))
        for each in fields(other):
            setattr(self, each.name, getattr(other, each.name))
        self.state = state


def book_of(event: house.TableSetUp) -> Rulebook:
    """The rulebook of a table: a built-in one, or the text in its log."""
    if event.book is not None:
        return read_kept_rulebook(event.book, file=event.rulebook)
    if event.rulebook not in HOUSES:
        raise LookupError(f"no rulebook {event.rulebook!r}")
    return load(event.rulebook)


def advance(house_table: HouseTable, event: Event) -> HouseTable:
    """Applies an event of the log, of play or of the house; returns the table."""
    follow = _FOLLOWED.get(type(event))
    if follow is not None:
        follow(house_table, event)
    if type(event) in EVOLVERS:
        evolve(house_table.state, event)
    return house_table


def _betting_closed(house_table: HouseTable, _: play.BettingClosed) -> None:
    state = house_table.state
    if house_table.commitment is not None and is_single(house_table.commitment):
        nonces = house_table.nonces
        house_table.opened = {name: nonces[name] for name in nonces if name in state.players}
    lying = [each.player for each in state.stakes.values()]
    lying += [each.player for each in state.prison.values()]
    house_table.disputes.played(state.coup, lying)


def _stake_placed(house_table: HouseTable, event: play.StakePlaced) -> None:
    if event.exception:
        house_table.disputes.played(house_table.state.coup, (event.player,))
    if event.chips is ChipKind.FOREIGN:
        _taken_alone(house_table, event)


def _chips_bought(house_table: HouseTable, event: play.ChipsBought) -> None:
    if event.cash:
        _taken_alone(house_table, event)


def _taken_alone(house_table: HouseTable, event: play.ChipsBought | play.StakePlaced) -> None:
    """Adds what one person took alone: cash, or the chips of another table."""
    player = event.player
    house_table.alone[player] = house_table.alone.get(player, 0) + event.amount


def _player_left(house_table: HouseTable, event: play.PlayerLeft) -> None:
    house_table.nonces.pop(event.player, None)
    if house_table.state.phase is not Phase.CLOSED:
        # Players who leave after the close still take part in the running ball.
        house_table.hashes.pop(event.player, None)


def _pocketed(house_table: HouseTable, event: play.BallPocketed) -> None:
    if house_table.ball is house.BallMode.WHEEL:
        _note_spin(house_table, house_table.state.spins, event.number)


def _called(house_table: HouseTable, event: play.NumberCalled) -> None:
    if house_table.ball is house.BallMode.WHEEL:
        state = house_table.state
        house_table.payable.called(state.book, state.coup, event.settlement)


def _number_corrected(house_table: HouseTable, event: play.NumberCorrected) -> None:
    house_table.drawn[-1] = (house_table.state.spins, event.number)


def _chain_committed(house_table: HouseTable, event: house.BallChainCommitted) -> None:
    house_table.chain, house_table.place = event, 0
    house_table.nonces = {}
    _unbind(house_table)


def _committed(house_table: HouseTable, event: house.BallCommitted) -> None:
    _unbind(house_table)
    house_table.commitment, house_table.place = event, event.place


def _unbind(house_table: HouseTable) -> None:
    """Clears the commitment, and with it the players' hashes, which were made for it."""
    house_table.commitment = None
    house_table.hashes, house_table.opened = {}, {}


def is_single(commitment: house.BallCommitted) -> bool:
    """Whether it is a commitment of version 0.1.0 to a single spin, without a chain."""
    return commitment.chain == 0


def _nonce_set(house_table: HouseTable, event: house.NonceSet) -> None:
    house_table.nonces[event.player] = event.nonce


def _nonce_committed(house_table: HouseTable, event: house.NonceCommitted) -> None:
    house_table.hashes[event.player] = event.hash


def _nonce_opened(house_table: HouseTable, event: house.NonceOpened) -> None:
    house_table.opened[event.player] = event.nonce


def _revealed(house_table: HouseTable, event: house.BallRevealed) -> None:
    _unbind(house_table)
    _note_spin(house_table, event.spin, event.number)


def _note_spin(house_table: HouseTable, spin: int, number: Pocket) -> None:
    house_table.drawn = [*house_table.drawn[-99:], (spin, number)]


def _proposed(
    house_table: HouseTable, event: house.WrongPaymentProposed | house.CashSaleProposed
) -> None:
    house_table.proposals[event.id] = event


def _dropped(house_table: HouseTable, event: house.ProposalDropped) -> None:
    del house_table.proposals[event.id]


def _sale_confirmed(house_table: HouseTable, event: house.CashSaleConfirmed) -> None:
    del house_table.proposals[event.id]
    # The sale follows; then the amount that one person may take starts at zero again.
    house_table.alone[event.player] = -event.amount


def _wrong(house_table: HouseTable, event: play.WrongPaymentMade) -> None:
    house_table.proposals.pop(event.id, None)
    house_table.payable.wrong(event.coup, event.player, event.amount)


def _corrected(house_table: HouseTable, event: play.WrongPaymentCorrected) -> None:
    wrong = house_table.state.wrong_payments[event.id]
    house_table.payable.wrong(wrong.coup, wrong.player, -wrong.amount)
    house_table.disputes.corrected(event)


def float_rules(house_table: HouseTable) -> FloatRules | None:
    """The articles on the float; a table that only a script plays has none."""
    return house_table.state.book.float if house_table.state.setup.live else None


def least_float(house_table: HouseTable, limits: Limits | None = None) -> int:
    """The least float of a table; 0 if its book says nothing of it."""
    rules = float_rules(house_table)
    if rules is None:
        return 0
    minima = (limit.minimum for limit in (limits or house_table.state.limits).by_class.values())
    # Without a minimum on the placard, the smallest stake is one unit.
    return rules.minima * min(filter(None, minima), default=1)


def _due(house_table: HouseTable, occasion: house.FloatOccasion, amount: int) -> None:
    rules = float_rules(house_table)
    if rules is not None and rules.counted:
        house_table.float_due = FloatDue(occasion, amount)


def _bank_moved(
    house_table: HouseTable, event: house.BankOpened | house.BankFilled | house.BankCredited
) -> None:
    is_taken = isinstance(event, house.BankCredited)
    if house_table.state.phase is Phase.OPENING:
        house_table.advance += -event.amount if is_taken else event.amount
        _due(house_table, house.FloatOccasion.OPENED, house_table.advance)
    elif not is_taken:
        _due(house_table, house.FloatOccasion.REFILLED, event.amount)


def _reopened(house_table: HouseTable, event: play.TableReopened) -> None:
    if float_rules(house_table) is not None:
        house_table.advance = least_float(house_table, Limits.of(event.limits))
        _due(house_table, house.FloatOccasion.OPENED, house_table.advance)


def _closed(house_table: HouseTable, _: play.TableClosed) -> None:
    house_table.is_uncovered = False
    _due(house_table, house.FloatOccasion.CLOSED, 0)


def _float_counted(house_table: HouseTable, event: house.FloatCounted) -> None:
    if house_table.float_due is not None:
        house_table.float_due = replace(house_table.float_due, counted=event)


def _float_entered(house_table: HouseTable, _: house.FloatEntered) -> None:
    house_table.float_due = None


def _uncovered(house_table: HouseTable, _: house.BankUncovered) -> None:
    house_table.is_uncovered = True


def _suspended(house_table: HouseTable, _: play.TableSuspended) -> None:
    # A bank that cannot cover bets is filled first, and counted then.
    if house_table.float_due is None and not house_table.is_uncovered:
        _due(house_table, house.FloatOccasion.INTERRUPTED, 0)


def _resumed(house_table: HouseTable, _: play.TableResumed) -> None:
    house_table.is_uncovered = False
    due = house_table.float_due
    if due is not None and due.occasion is house.FloatOccasion.INTERRUPTED and due.counted is None:
        house_table.float_due = None  # It was locked away.


def _stopped(house_table: HouseTable, event: house.TableStopped) -> None:
    house_table.stopped = event.reason


_FOLLOWED: dict[type[Event], Callable[[HouseTable, Any], None]] = {
    house.BallChainCommitted: _chain_committed,
    house.BallCommitted: _committed,
    house.NonceCommitted: _nonce_committed,
    house.NonceOpened: _nonce_opened,
    house.NonceSet: _nonce_set,
    house.BallRevealed: _revealed,
    house.WrongPaymentProposed: _proposed,
    house.CashSaleProposed: _proposed,
    house.CashSaleConfirmed: _sale_confirmed,
    house.ProposalDropped: _dropped,
    house.DisputeRaised: lambda at, event: at.disputes.raised(event),
    house.DisputeWithdrawn: lambda at, event: at.disputes.withdrawn(event),
    house.DisputeDecided: lambda at, event: at.disputes.decided(event),
    house.TableStopped: _stopped,
    house.BankOpened: _bank_moved,
    house.BankFilled: _bank_moved,
    house.BankCredited: _bank_moved,
    house.FloatCounted: _float_counted,
    house.FloatEntered: _float_entered,
    house.BankUncovered: _uncovered,
    play.TableReopened: _reopened,
    play.TableClosed: _closed,
    play.TableSuspended: _suspended,
    play.TableResumed: _resumed,
    play.BettingClosed: _betting_closed,
    play.StakePlaced: _stake_placed,
    play.ChipsBought: _chips_bought,
    play.PlayerLeft: _player_left,
    play.BallPocketed: _pocketed,
    play.NumberCalled: _called,
    play.NumberCorrected: _number_corrected,
    play.WrongPaymentMade: _wrong,
    play.WrongPaymentCorrected: _corrected,
}
"""What an event changes for the house; `evolve` has what it changes in play."""
