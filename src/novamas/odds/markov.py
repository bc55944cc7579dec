"""Absorbing Markov chains: what each state leads to in the long run.

A chain is solved by eliminating its states one by one: what led to a state then leads to its
successors. This uses only sums, products and quotients of nonnegative numbers, so nothing is lost
by cancellation. With fractions the result is exact. With floating point it is inserted into the
equations again, and the residual gives a bound on the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple, TypeAlias

from novamas.odds.errors import TooLargeError

Number: TypeAlias = Fraction | float

WORK: Final = 20_000_000
"""The most arithmetic steps before a chain counts as too large."""


class State(NamedTuple):
    """A state of a chain: its successors with their probabilities."""

    goes: dict[int, Fraction]
    """State → probability."""
    ends: tuple[Fraction, ...]
    """The probability of each way of ending here."""
    brings: tuple[Fraction, ...]
    """What this state adds to each of the accumulated sums."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a state leads to."""

    ends: tuple[Number, ...]
    """The probability of each way of ending."""
    brings: tuple[Number, ...]
    """The mean of each sum."""
    precision: float
    """A bound on the error of each probability; 0 with fractions."""
    longest: float
    """The highest mean of the first sum over all states."""


def solve(states: list[State], *, exact: bool) -> Solution:
    """What the first state leads to. The first of the sums must be at least 1 in every state.

    >>> toss = State({0: Fraction(1, 37)}, (Fraction(18, 37), Fraction(18, 37)), (Fraction(1),))
    >>> solve([toss], exact=True).brings
    (Fraction(37, 36),)
    """
    work = _Elimination(states, exact=exact)
    values = work.run()
    kinds = len(states[0].ends)
    longest = max(float(value[kinds]) for value in values)
    precision = 0.0 if exact else _doubt(states, values, kinds, longest)
    first = values[0]
    return Solution(tuple(first[:kinds]), tuple(first[kinds:]), precision, longest)


class _Elimination:
    def __init__(self, states: list[State], *, exact: bool) -> None:
        self.kinds = len(states[0].ends)
        number: Callable[[Fraction], Number] = Fraction if exact else float
        self.goes: list[dict[int, Number]] = [
            {to: number(chance) for to, chance in state.goes.items()} for state in states
        ]
        self.brings: list[list[Number]] = [
            [number(amount) for amount in (*state.ends, *state.brings)] for state in states
        ]
        self.comes: list[set[int]] = [set() for _ in states]
        for state, goes in enumerate(self.goes):
            for to in goes:
                self.comes[to].add(state)
        self.work = 0

    def run(self) -> list[list[Number]]:
        """Eliminates every state, the first one last, and then computes the value of each."""
        order = self._order()
        for state in reversed(order):
            brings = self.brings[state]
            for to, chance in self.goes[state].items():
                for place, value in enumerate(self.brings[to]):
                    brings[place] += chance * value
        return self.brings

    def _order(self) -> list[int]:
        """Eliminates states, those with the fewest neighbours first."""
        waiting = [(self._degree(s), s) for s in range(1, len(self.goes))]
        heapify(waiting)
        out = [False] * len(self.goes)
        order: list[int] = []
        while waiting:
            degree, state = heappop(waiting)
            if out[state]:
                continue
            now = self._degree(state)
            if now > degree:
                heappush(waiting, (now, state))
                continue
            out[state] = True
            order.append(state)
            self._take_out(state)
        self._take_out(0)
        order.append(0)
        return order

    def _degree(self, state: int) -> int:
        return len(self.comes[state]) * len(self.goes[state])

    def _take_out(self, state: int) -> None:
        goes, brings = self.goes[state], self.brings[state]
        goes.pop(state, None)
        self.comes[state].discard(state)
        # The probability of leaving the state, as a sum and not as a difference from 1, so that no
        # digit is lost.
        leaves = sum(goes.values()) + sum(brings[: self.kinds])
        if not leaves:
            raise TooLargeError("a state of the play is never left", instead="set a target")
        for to in goes:
            goes[to] /= leaves
        brings[:] = [amount / leaves for amount in brings]
        for before in self.comes[state]:
            there = self.goes[before]
            chance = there.pop(state)
            for to, share in goes.items():
                if to in there:
                    there[to] += chance * share
                else:
                    there[to] = chance * share
                    self.comes[to].add(before)
            own = self.brings[before]
            for place, amount in enumerate(brings):
                own[place] += chance * amount
        for to in goes:
            self.comes[to].discard(state)
        self.work += len(self.comes[state]) * (len(goes) + len(brings)) + len(goes)
        if self.work > WORK:
            raise TooLargeError(f"a play with {len(self.goes)} states is too entangled to solve")


def _doubt(states: list[State], values: list[list[Number]], kinds: int, longest: float) -> float:
    """A bound on the error of the probabilities.

    If every state adds at least 1 to a sum, and the residual of the equations is at most r, then
    the error of the solution is at most r times the greatest value of that sum.
    """
    out_of_true = [0.0] * (kinds + 1)
    for state, value in zip(states, values, strict=True):
        goes = [(to, float(chance)) for to, chance in state.goes.items()]
        for place in range(kinds + 1):
            given = float(state.ends[place] if place < kinds else state.brings[0])
            parts = [given, -float(value[place])]
            parts += [chance * float(values[to][place]) for to, chance in goes]
            # Each probability and each product is rounded once.
            rounded = math.fsum(map(abs, parts)) * 2**-51
            here = abs(math.fsum(parts)) + rounded
            out_of_true[place] = max(out_of_true[place], here)
    slack = out_of_true[kinds]
    return math.inf if slack >= 0.5 else max(out_of_true[:kinds]) * longest / (1 - slack)
