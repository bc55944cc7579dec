"""Results: what each coup brought each player, computed from the table's events."""

from __future__ import annotations

from dataclasses import dataclass, field

from novamas.game.lines import Line, Settlement
from novamas.game.payment import payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.table import events
from novamas.table.state import State


@dataclass(slots=True)
class Sums:
    """A player's sums in one coup."""

    won: int = 0
    returned: int = 0
    lost: int = 0
    held: int = 0


@dataclass(slots=True)
class CoupTally:
    """The result of a coup: its sums by player, and the order in which winners were paid."""

    number: Pocket | None = None
    players: dict[str, Sums] = field(default_factory=dict)
    purses: dict[str, int] = field(default_factory=dict)
    """What each player held right after the number, before any choice or replay."""
    payment_order: list[str] = field(default_factory=list)
    reductions: tuple[Reduction, ...] = ()

    def of(self, player: str) -> Sums:
        """The player's sums."""
        return self.players.setdefault(player, Sums())


@dataclass(slots=True)
class Tally:
    """The results of a table's day so far."""

    coups: list[CoupTally] = field(default_factory=list)
    running: CoupTally = field(default_factory=CoupTally)
    directions: list[str] = field(default_factory=list)
    games_left: list[int] = field(default_factory=list)

    def note(self, state: State, event: events.Event) -> None:
        """Adds an event; `state` is the table right before it."""
        match event:
            case events.StakesReturned():
                for id, amount, _ in event.returned:
                    owner = state.stakes.get(id) or state.prison[id]
                    self.running.of(owner.player).returned += amount
            case events.BallLaunched():
                self.directions.append(event.wheel.value)
            case events.BallPocketed():
                self.running.number = event.number
            case events.NumberCorrected():
                self._corrected(state, event)
            case events.NumberCalled():
                self._called(state, event)
            case events.CoupEnded():
                self._ended(state, event)
            case events.ChoiceMade() if self.coups:
                self._chosen(event)

    def _corrected(self, state: State, event: events.NumberCorrected) -> None:
        """Takes the sums of a number back that was called by mistake; it is called again."""
        self.running.number = event.number
        if state.settlement is not None:
            self._add(state.settlement, -1)

    def _add(self, settlement: Settlement, times: int) -> None:
        for line in settlement.lines:
            sums = self.running.of(line.stake.player)
            sums.won += times * line.won
            sums.returned += times * line.returned
            sums.lost += times * line.lost
            sums.held += times * line.held

    def _called(self, state: State, event: events.NumberCalled) -> None:
        self._add(event.settlement, 1)
        self.running.reductions = reductions(state.book, event.settlement)
        paid = [name_of(x) for p in payments(state.book, event.settlement) for x in p.lines]
        self.running.payment_order = list(dict.fromkeys(paid))

    def _ended(self, state: State, event: events.CoupEnded) -> None:
        self.running.purses = {name: player.purse for name, player in state.players.items()}
        self.coups.append(self.running)
        self.running = CoupTally()
        if event.games_left is not None:
            self.games_left.append(event.games_left)

    def _chosen(self, event: events.ChoiceMade) -> None:
        # A choice belongs to the coup whose zero offered it.
        prisoner = event.line.stake
        sums = self.coups[-1].of(prisoner.player)
        sums.held += event.line.held - prisoner.amount
        sums.returned += event.line.returned
        sums.lost += event.line.lost


def name_of(line: Line) -> str:
    """The id that people use for a line's stake: for a piece, that of its announcement."""
    stake: Stake | Prisoner = line.stake
    announcement = stake.announcement if isinstance(stake, Stake) else None
    return announcement or stake.id
