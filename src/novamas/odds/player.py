"""A player at a table: a purse, a layout and a staking system, and what each coup leads to.

The player lays their layout as the system says, and waits while a part of it is in prison. They
stop when their purse has reached the target, has fallen to the stop-loss, or no longer buys the
layout once; but never while something of theirs is in prison.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from novamas.game.arguments import instance, one_of, switch, whole, whole_or_none
from novamas.game.errors import UsageError
from novamas.game.wheel import Pocket
from novamas.odds.law import Carrier, Law
from novamas.odds.play import Play, Prison, Turn, held_in
from novamas.odds.systems import Memory, System, laid_of

AtLimit: TypeAlias = Literal["cap", "restart"]

ENDS: Final = ("ruin", "target", "stopped")
"""The ways in which a play ends."""
UNBOUNDED: Final = 2**62
"""A maximum that no stake reaches."""


class At(NamedTuple):
    """The state of the play before a coup."""

    wealth: int
    """The purse, and what is in prison."""
    memory: Memory
    laid: int
    """The multiple of the layout that is in prison; 0 when the player is free."""
    net: int
    """What the round has brought so far."""
    prison: Prison


class Move(NamedTuple):
    """Where some of the pockets lead."""

    pockets: int
    to: At | str
    """The next state, or the way in which the play ends."""
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
        instance(play, Play, argument="play")
        instance(system, System, argument="system")
        whole(bankroll, argument="bankroll", least=0)
        whole_or_none(target, argument="target", least=0)
        whole_or_none(stop_loss, argument="stop_loss", least=0)
        one_of(at_limit, get_args(AtLimit), argument="at_limit")
        if switch(lays_on, argument="lays_on") and system.name != "flat":
            raise UsageError("lays_on: only flat play can go on while a part is in prison")
        self.play = play
        self.system = system
        self.bankroll = bankroll
        self.target = target
        self.stop_loss = stop_loss
        self.at_limit = at_limit
        self.lays_on = lays_on
        """Whether the player lays their layout even while a part of it is in prison."""
        self.unit = play.layout.stake
        """What the layout costs once."""
        most = play.layout.most(play.limits)
        self.most = UNBOUNDED if most is None else most
        """The highest multiple of the layout at this table."""
        self._carrier = Carrier(play)
        self._laws: dict[int, Law] = {}

    def start(self) -> At | str:
        """The first state of the play, or how it ends before it has begun."""
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
        """The multiple of the layout that is laid now; 0 while the player waits."""
        if at.laid:
            return 0
        purse = at.wealth - held_in(at.prison)
        return laid_of(self.system.wants(at.memory), self.most, purse, self.unit)

    def law(self, times: int) -> Law:
        """The law of a round of a multiple of the layout."""
        if times not in self._laws:
            self._laws[times] = self._carrier.after(self.play.turns(times=times))
        return self._laws[times]

    def decided(self, at: At, *, laid: int, net: int, wealth: int) -> At | str:
        """The state of the play after a round with this result."""
        memory = self.system.next(at.memory, laid=laid, net=net, unit=self.unit)
        return self._free(wealth, memory)

    def moves(self, at: At) -> list[Move]:
        """What the pockets lead to in one coup."""
        times = self.lays(at)
        turns = self.play.turns(times=times, prison=at.prison)
        return [self._move(at, turn, laid=at.laid or times) for turn in turns]

    def after(self, at: At, number: Pocket) -> Move:
        """The state after one number, so that a play can be followed coup by coup."""
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
