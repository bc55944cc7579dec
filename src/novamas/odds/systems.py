"""Staking systems: the next multiple of the layout, from the result of the last round.

A system knows nothing of the wheel. It gets the multiple of the layout that was laid and the result
of the round in money (`net`; `unit` is what the layout costs once), and says what it wants next. A
gain is a win, a loss of any part is a loss, and a round that ends even changes nothing. What the
table's maximum or the purse did not allow was not laid, and no system climbs from a stake that was
not laid.

The functions take and return only whole numbers, so that a compiler can use them as they are. Most
systems remember two numbers; the Labouchère keeps a line of them, from `low` up to but not `high`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from novamas.game.arguments import function, instance, listed, shown, whole, whole_or_none
from novamas.game.errors import UsageError, nearest

Pair: TypeAlias = tuple[int, int]
Memory: TypeAlias = tuple[int, ...]
"""What a system remembers: a pair, or a line."""
Ends: TypeAlias = tuple[int, int, int]
"""The first number of a line, the second, and the last but one; any value if there is none."""
DIGITS: Final = 12
"""How many digits a number of a line may have at the start."""
MOST_NUMBERS: Final = 10_000
"""How many numbers a line may have at the start."""
Written: TypeAlias = tuple[Pair, int, int, int]
"""The new bounds of a line, the next wanted multiple, and a place with its new value."""


# What is laid of what is wanted -----------------------------------------------------------------


def laid_of(wanted: int, most: int, purse: int, unit: int) -> int:
    """The multiple of the layout that is laid: within the maximum and the purse, at least 0."""
    return max(0, min(wanted, most, purse // unit))


# Systems that remember two numbers ----------------------------------------------------------------


def first_wanted(state: Pair) -> int:
    """The wanted multiple is the first number."""
    return state[0]


def second_wanted(state: Pair) -> int:
    """The wanted multiple is the second number."""
    return state[1]


def flat(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001 - all are called alike.
    """The same, always."""
    return state


def martingale(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """Doubles what was lost; after a win begins again."""
    if net > 0:
        return 1, 0
    return (2 * laid, 0) if net < 0 else state


def grand_martingale(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """Doubles what was lost and adds one; after a win begins again."""
    if net > 0:
        return 1, 0
    return (2 * laid + 1, 0) if net < 0 else state


def dalembert(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """One more after a loss, one less after a win."""
    if net > 0:
        return max(1, laid - 1), 0
    return (laid + 1, 0) if net < 0 else state


def contre_dalembert(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """One more after a win, one less after a loss."""
    if net > 0:
        return laid + 1, 0
    return (max(1, laid - 1), 0) if net < 0 else state


def fibonacci(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """One step on in 1, 1, 2, 3, 5 … after a loss, two steps back after a win.

    The state is the number before and the one to lay.
    """
    before, now = state
    if net < 0:
        return (now, before + now) if laid == now else state
    if net > 0:
        for _ in range(2):
            if before > 0:
                before, now = now - before, before
        return before, now
    return state


def paroli(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """Leaves stake and gain for two wins more; after the third, or a loss, begins again."""
    if net > 0 and state[1] < 2:
        return 2 * laid, state[1] + 1
    return (1, 0) if net != 0 else state


def one_three_two_six(state: Pair, laid: int, net: int, unit: int) -> Pair:  # noqa: ARG001
    """1, 3, 2, 6 as long as it wins; after a loss, or the fourth win, begins again."""
    if net > 0:
        if state[1] == 0:
            return 3, 1
        if state[1] == 1:
            return 2, 2
        if state[1] == 2:
            return 6, 3
    return (1, 0) if net != 0 else state


def oscars_grind(state: Pair, laid: int, net: int, unit: int) -> Pair:
    """One more after a win, but never more than brings the series one unit; the same after a loss.

    The state is what to lay and what the series has brought so far.
    """
    brought = state[1] + net
    if brought >= unit:
        return 1, 0
    if net > 0:
        missing = -((brought - unit) // unit)
        return min(laid + 1, missing), brought
    return state[0], brought


# Systems that keep a line -----------------------------------------------------------------------


def line_wanted(line: Sequence[int], low: int, high: int) -> int:
    """The sum of the first and the last number of the line, or the only one."""
    return line[low] + (line[high - 1] if high - low > 1 else 0)


def line_after(ends: Ends, bounds: Pair, wanted: int, laid: int, net: int, reverse: int) -> Written:
    """Strikes out the ends, or appends what was laid; returns what must be written.

    Whether a win strikes out, or with `reverse` a loss, the sum of the line changes by exactly what
    was laid: if less was laid than was wanted, the rest is written down again. The line is finished
    when low is not below high; a place that is not below high is never read.
    """
    (first, second, last_but_one), (low, high) = ends, bounds
    if net == 0:
        return (low, high), wanted, high, 0
    if (net > 0) == (reverse != 0):
        return (low, high + 1), first + laid, high, laid
    rest = wanted - laid
    if rest > 0:
        high -= 1 if high - low > 1 else 0
        low += 1
        return (low, high + 1), rest + (second if high > low else 0), high, rest
    together = second + last_but_one
    return (low + 1, high - 1), together >> 1 if high - low == 3 else together, high, 0


# The systems by name ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class System:
    """A staking system: its first state, and its next state after each round.

    >>> read_system("martingale")
    <System martingale: doubles after a loss>
    """

    name: str
    about: str
    start: Memory
    wanted: Callable[[Pair], int] | None = first_wanted
    after: Callable[[Pair, int, int, int], Pair] | None = None
    """None, like `wanted`, for a system that keeps a line."""
    reverse: bool = False
    highest: int | None = None
    """The highest multiple that it ever wants; None if there is no such bound, or it is unknown."""
    climb: int | None = None
    """How much more than before it may want after a round; None if that is not bounded."""

    def __repr__(self) -> str:
        return f"<System {self.name}: {self.about}>"

    @property
    def keeps_line(self) -> bool:
        """Whether it remembers a line instead of two numbers."""
        return self.after is None

    def wants(self, memory: Memory) -> int:
        """The multiple of the layout that it wants.

        >>> SYSTEMS["labouchere"].wants((1, 2, 3, 4))
        5
        """
        if self.wanted is None:
            return line_wanted(memory, 0, len(memory))
        return self.wanted((memory[0], memory[1]))

    def next(self, memory: Memory, *, laid: int, net: int, unit: int) -> Memory:
        """Its state after a round.

        >>> SYSTEMS["martingale"].next((4, 0), laid=4, net=-40, unit=10)
        (8, 0)
        """
        if self.after is not None:
            return _pair(self.after((memory[0], memory[1]), laid, net, unit), self.name)
        line = [*memory, 0]
        ends, bounds = (line[0], line[1], line[len(memory) - 2]), (0, len(memory))
        (low, high), _, at, number = line_after(
            ends, bounds, self.wants(memory), laid, net, int(self.reverse)
        )
        line[at] = number
        return tuple(line[low:high]) or self.start


def _pair(state: object, name: str) -> Pair:
    """What a system's `after` gave; it may be anybody's function."""
    if not isinstance(state, tuple) or len(state) != 2 or not all(map(_is_whole, state)):
        told = f"the state after a round, of {name}, is two whole numbers"
        raise UsageError(f"system: {told}, not {shown(state)}")
    return state


def _is_whole(number: object) -> bool:
    return isinstance(number, int)


_ALL: Final = (
    System("flat", "the same layout at every coup", (1, 0), first_wanted, flat, highest=1),
    System("martingale", "doubles after a loss", (1, 0), first_wanted, martingale),
    System(
        "grand-martingale",
        "doubles and adds one after a loss",
        (1, 0),
        first_wanted,
        grand_martingale,
    ),
    System(
        "dalembert",
        "one more after a loss, one less after a win",
        (1, 0),
        first_wanted,
        dalembert,
        climb=1,
    ),
    System(
        "contre-dalembert",
        "one more after a win, one less after a loss",
        (1, 0),
        first_wanted,
        contre_dalembert,
        climb=1,
    ),
    System("fibonacci", "1, 1, 2, 3, 5 … as it loses", (0, 1), second_wanted, fibonacci),
    System("labouchere", "a line of numbers to be struck out by wins", (1, 2, 3, 4), None, None),
    System(
        "reverse-labouchere",
        "a line of numbers to be struck out by losses",
        (1, 2, 3, 4),
        None,
        None,
        reverse=True,
    ),
    System(
        "paroli", "leaves stake and gain up to three wins", (1, 0), first_wanted, paroli, highest=4
    ),
    System(
        "oscars-grind",
        "one more after a win, for one unit a series",
        (1, 0),
        first_wanted,
        oscars_grind,
        climb=1,
    ),
    System("1-3-2-6", "1, 3, 2, 6 as it wins", (1, 0), first_wanted, one_three_two_six, highest=6),
)

SYSTEMS: Final = {system.name: system for system in _ALL}
"""The systems by name. A fixed layout of many spots is any layout, played flat."""


def read_system(text: str) -> System:
    """The system of a name; a system that keeps a line may begin with a given line.

    >>> read_system("labouchere:1,1,1").start
    (1, 1, 1)
    """
    instance(text, str, argument="system")
    name, colon, numbers = text.partition(":")
    system = SYSTEMS.get(name)
    if system is None:
        known = f"expected one of {', '.join(SYSTEMS)}"
        raise UsageError(
            f"system: {shown(name)} is no staking system: {known}{nearest(name, SYSTEMS)}"
        )
    if not colon:
        return system
    if not system.keeps_line:
        raise UsageError(f"system: {name} keeps no line: leave {shown(numbers)} out")
    parts = numbers.split(",")
    line = tuple(int(part) if part.isdecimal() and len(part) <= DIGITS else 0 for part in parts)
    if min(line) < 1:
        message = f"a line is written {name}:1,2,3, in whole numbers of at least 1"
        raise UsageError(f"system: {message} and at most {DIGITS} digits")
    return _checked_line(replace(system, start=line))


def system_of(system: object) -> System:
    """A system from its name or as it is; raises `UsageError` for anything else."""
    if isinstance(system, str):
        return read_system(system)
    if not isinstance(system, System):
        expected = f"one of {', '.join(SYSTEMS)}, or a System"
        raise UsageError(f"system: expected {expected}, not {shown(system)}")
    instance(system.name, str, argument="system: its name")
    whole_or_none(system.highest, argument="system: its highest")
    whole_or_none(system.climb, argument="system: its climb", least=0)
    if (system.wanted is None) != (system.after is None):
        raise UsageError("system: expected wanted and after, or neither for one that keeps a line")
    if system.wanted is None:
        return _checked_line(system)
    function(system.wanted, argument="system: its wanted")
    function(system.after, argument="system: its after")
    return system


def _checked_line(system: System) -> System:
    line = listed(system.start, argument="system", of="numbers in a line", most=MOST_NUMBERS)
    if not line:
        raise UsageError("system: expected at least one number in a line")
    for number in line:
        whole(number, argument="system: a number of its line", most=10**DIGITS - 1)
    return system
