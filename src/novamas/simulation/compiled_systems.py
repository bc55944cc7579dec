"""The staking systems as the compiled loops take them.

The functions are those of `novamas.odds.systems`, as they are; which of them is meant is chosen by
the name of the system while a loop is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload, register_jitable

from novamas.odds import systems
from novamas.odds.systems import SYSTEMS, System

OWN: dict[str, System] = {}
"""Systems of one's own, by the name under which they are compiled."""

_line_wanted = register_jitable(systems.line_wanted)
_line_after = register_jitable(systems.line_after)


def begin_at(name: str, line: Any, room: int, start: Any) -> Any:
    """What a system remembers at first; its line is written down at the beginning of its room."""
    raise NotImplementedError


def wanted_of(name: str, one: int, two: int, line: Any) -> int:
    """How many times over it wants the layout laid."""
    raise NotImplementedError


def go_on(name: str, one: int, two: int, came: Any) -> Any:
    """What it remembers after a round that came to laid, net, unit.

    A line is also told what it wanted and its ends; it is not changed, and what must be written is
    given back.
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


def is_own(system: System) -> bool:
    """Whether it is none of the systems that are known by name."""
    known = SYSTEMS.get(system.name)
    return known is None or known.after is not system.after or known.wanted is not system.wanted


def compiled_name(system: System) -> str:
    """The name under which a system is compiled; one's own is made known by it."""
    if not is_own(system):
        return system.name
    name = f"own {system.name} {id(system.after)} {id(system.wanted)}"
    OWN[name] = system
    return name
