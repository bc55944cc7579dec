"""A player at a table: a purse, a layout and a staking system, and what each coup leads to.

The player lays his layout as the system says, waits while a part of it is in prison, and stops when
his purse has reached the target, has fallen to the stop-loss, or no longer buys the layout once;
never while something of his is in prison.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from novamas.game.errors import UsageError
from novamas.odds.law import Carrier, Law
from novamas.odds.play import Play, Prison, Turn, held_in
from novamas.odds.systems import Memory, System, laid_of

AtLimit: TypeAlias = Literal["cap", "restart"]

ENDS: Final = ("ruin", "target", "stopped")
"""The ways in which a play ends."""
UNBOUNDED: Final = 2**62
"""A maximum that no stake reaches."""


class At(NamedTuple):
    """Where the play stands before a coup."""

    wealth: int
    """The purse, and what is in prison."""
    memory: Memory
    laid: int
    """How many times over the layout was laid that is in prison; 0 when the player is free."""
    net: int
    """What the round has brought so far."""
    prison: Prison


class Move(NamedTuple):
    """Where some of the pockets lead."""

    pockets: int
    to: At | str
    """Where it leads, or the way in which the play ends."""
    wealth: int


class Game:
    """A player with a purse, a layout and a system, at a table."""

    def __init__(
        self,
        play: Play,
        system: System,
        bankroll: int,
        *,
        target: int | None = None,
        stop_loss: int | None = None,
        at_limit: AtLimit = "cap",
        lays_on: bool = False,
    ) -> None:
        if lays_on and system.name != "flat":
            raise UsageError("only who plays flat can lay on while a part of it is in prison")
        self.play = play
        self.system = system
        self.bankroll = bankroll
        self.target = target
        self.stop_loss = stop_loss
        self.at_limit = at_limit
        self.lays_on = lays_on
        """Whether he lays his layout also while a part of it is in prison."""
        self.unit = play.layout.stake
        """What the layout costs once."""
        most = play.layout.most(play.limits)
        self.most = UNBOUNDED if most is None else most
        """How many times over the layout may be laid at this table."""
        self._carrier = Carrier(play)
        self._laws: dict[int, Law] = {}

    def start(self) -> At | str:
        """Where the play begins, or how it ends before it has begun."""
        return self._free(self.bankroll, self.system.start)

    def _free(self, wealth: int, memory: Memory) -> At | str:
        if self.target is not None and wealth >= self.target:
            return "target"
        if self.stop_loss is not None and wealth <= self.stop_loss:
            return "stopped"
        if wealth < self.unit:
            return "ruin"
        if self.at_limit == "restart" and self.system.wants(memory) > self.most:
            memory = self.system.start
        return At(wealth, memory, 0, 0, ())

    def lays(self, at: At) -> int:
        """How many times over the layout is laid now; nothing while the player waits."""
        if at.laid:
            return 0
        purse = at.wealth - held_in(at.prison)
        return laid_of(self.system.wants(at.memory), self.most, purse, self.unit)

    def law(self, times: int) -> Law:
        """What a round of the layout, laid so many times over, comes to."""
        if times not in self._laws:
            self._laws[times] = self._carrier.after(self.play.turns(times=times))
        return self._laws[times]

    def decided(self, at: At, *, laid: int, net: int, wealth: int) -> At | str:
        """Where the play stands after a round that brought so much."""
        memory = self.system.next(at.memory, laid=laid, net=net, unit=self.unit)
        return self._free(wealth, memory)

    def moves(self, at: At) -> list[Move]:
        """What the pockets lead to in one coup."""
        times = self.lays(at)
        turns = self.play.turns(times=times, prison=at.prison)
        return [self._move(at, turn, laid=at.laid or times) for turn in turns]

    def after(self, at: At, number: int) -> Move:
        """What one number leads to: a play can be followed coup by coup."""
        times = self.lays(at)
        turn = self.play.pocket(number, times=times, prison=at.prison)
        return self._move(at, turn, laid=at.laid or times)

    def _move(self, at: At, turn: Turn, *, laid: int) -> Move:
        net, wealth = at.net + turn.net, at.wealth + turn.net
        to: At | str
        if turn.prison and self.lays_on:
            to = At(wealth, at.memory, 0, 0, turn.prison)
        elif turn.prison:
            to = At(wealth, at.memory, laid, net, turn.prison)
        else:
            to = self.decided(at, laid=laid, net=net, wealth=wealth)
        return Move(turn.pockets, to, wealth)
