"""The staking systems in the form that the compiled loops use.

The functions are those of `novamas.odds.systems`, unchanged; the name of the system selects one of
them while a loop is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload, register_jitable

from novamas.odds import systems
from novamas.odds.systems import SYSTEMS, System
from novamas.simulation.plan import is_own

OWN: dict[str, System] = {}
"""The user's own systems, by the name under which they are compiled."""

_line_wanted = register_jitable(systems.line_wanted)
_line_after = register_jitable(systems.line_after)


def begin_at(name: str, line: Any, room: int, start: Any) -> Any:
    """The first state of a system; its line is written at the beginning of its room."""
    raise NotImplementedError


def wanted_of(name: str, one: int, two: int, line: Any) -> int:
    """The multiple of the layout that it wants."""
    raise NotImplementedError


def go_on(name: str, one: int, two: int, came: Any) -> Any:
    """The state after a round with laid, net and unit.

    A system with a line also gets what it wanted and the ends of the line. It does not change the
    line, but returns what must be written.
    """
    raise NotImplementedError


def _named(name: Any) -> System:
    key = name.literal_value
    return SYSTEMS.get(key) or OWN[key]


@overload(begin_at, prefer_literal=True, inline="always")
def _begin_of(name: Any, line: Any, room: Any, start: Any) -> Callable[..., Any]:
    if _named(name).keeps_line:

        def begin_line(name: Any, line: Any, room: Any, start: Any) -> Any:
            for place in range(len(start)):
                line[np.uint64(room + place)] = start[place]
            return room, room + len(start)

        return begin_line

    def begin_pair(name: Any, line: Any, room: Any, start: Any) -> Any:
        return start[0], start[1]

    return begin_pair


@overload(wanted_of, prefer_literal=True, inline="always")
def _wanted_of(name: Any, one: Any, two: Any, line: Any) -> Callable[..., Any]:
    system = _named(name)
    if system.wanted is None:

        def want_of_line(name: Any, one: Any, two: Any, line: Any) -> Any:
            return _line_wanted(line, one, two)

        return want_of_line
    wanted = register_jitable(system.wanted)

    def want_of_pair(name: Any, one: Any, two: Any, line: Any) -> Any:
        return wanted((one, two))

    return want_of_pair


@overload(go_on, prefer_literal=True, inline="always")
def _go_on_of(name: Any, one: Any, two: Any, came: Any) -> Callable[..., Any]:
    system = _named(name)
    if system.after is None:
        reverse = int(system.reverse)

        def go_on_by_line(name: Any, one: Any, two: Any, came: Any) -> Any:
            return _line_after(came[4], (one, two), came[3], came[0], came[1], reverse)

        return go_on_by_line
    after = register_jitable(system.after)

    def go_on_by_pair(name: Any, one: Any, two: Any, came: Any) -> Any:
        return after((one, two), came[0], came[1], came[2])

    return go_on_by_pair


def compiled_name(system: System) -> str:
    """The name under which a system is compiled; registers the user's own system."""
    if not is_own(system):
        return system.name
    name = f"own {system.name} {id(system.after)} {id(system.wanted)}"
    OWN[name] = system
    return name
