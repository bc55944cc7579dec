"""The best that a player of an environment can expect, exactly, by backward induction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple, Protocol, TypeAlias

from novamas.odds.errors import TooLargeError
from novamas.odds.play import Prison, Turn, held_in

MOST_MOVES: Final = 100_000
"""The most moves (a state and what an action leads to) that are looked at."""


class State(NamedTuple):
    """What decides about the future: the coups left, all that the player has, and the prison."""

    left: int
    wealth: int
    prison: Prison

    @property
    def purse(self) -> int:
        """What may be laid."""
        return self.wealth - held_in(self.prison)


class Problem(Protocol):
    """What the induction asks of an environment."""

    pockets: int

    def turns_of(self, state: State) -> Iterable[tuple[Hashable, tuple[Turn, ...]]]:
        """Every action that the table allows, with what the pockets then do."""

    def end_of(self, state: State) -> str | None:
        """How the play has ended in a state; None if it goes on."""

    def reward(self, net: int, end: str | None) -> int:
        """What a coup brings."""


Lead: TypeAlias = tuple[tuple[int, int, State], ...]
Moves: TypeAlias = dict[Lead, Hashable]
"""What an action leads to (pockets, reward, next state) → the first action that does so."""


class Optimum(NamedTuple):
    """The greatest expected sum of rewards, and an action that begins it."""

    value: Fraction
    action: object


def best(problem: Problem, start: State) -> Optimum:
    """The optimum from a state on; raises `TooLargeError` where too many states can be reached."""
    layers: list[dict[State, Moves]] = []
    reached: dict[State, Moves] = {} if _over(problem, start) else {start: {}}
    looked = 0
    while reached:
        before = looked
        following: dict[State, Moves] = {}
        for state, moves in reached.items():
            for action, turns in problem.turns_of(state):
                moves.setdefault(_led_to(problem, state, turns), action)
                looked += 1
            for lead in moves:
                for _, _, to in lead:
                    if not _over(problem, to):
                        following.setdefault(to, {})
            # The states of the next coup have about as many actions as those of this one.
            if looked + len(following) * (looked - before) // len(reached) > MOST_MOVES:
                raise TooLargeError(
                    "too many states can be reached",
                    instead="take fewer coups, bets or units in the purse",
                )
        layers.append(reached)
        reached = following
    return _induced(problem, start, layers)


def _induced(problem: Problem, start: State, layers: list[dict[State, Moves]]) -> Optimum:
    """Works back from the last coup; values are whole numbers over `pockets ** coups left`."""
    values: Mapping[State, int] = {}
    chosen: object = None
    for layer in reversed(layers):
        now: dict[State, int] = {}
        for state, moves in layer.items():
            scale = problem.pockets ** (state.left - 1)
            found = [
                (sum(p * (reward * scale + values.get(to, 0)) for p, reward, to in lead), action)
                for lead, action in moves.items()
            ]
            # The first of equal actions: doing nothing comes before any bet.
            now[state], chosen = max(found, key=lambda pair: pair[0])
        values = now
    value = Fraction(values.get(start, 0), problem.pockets**start.left)
    return Optimum(value, chosen)


def _over(problem: Problem, state: State) -> bool:
    return state.left == 0 or problem.end_of(state) is not None


def _led_to(problem: Problem, state: State, turns: Iterable[Turn]) -> Lead:
    found: dict[tuple[int, State], int] = {}
    for turn in turns:
        to = State(state.left - 1, state.wealth + turn.net, turn.prison)
        reward = problem.reward(turn.net, problem.end_of(to))
        found[reward, to] = found.get((reward, to), 0) + turn.pockets
    return tuple(sorted(((p, r, to) for (r, to), p in found.items()), key=_order))


def _order(move: tuple[int, int, State]) -> tuple[int, int, int]:
    return (move[1], move[2].wealth, move[0])
