"""The compiled loops: players at a table, coup after coup, by a staking system.

There is one loop, compiled anew for each system. What a system wants and how it goes on are the
very functions of `novamas.odds.systems`, taken by the compiler as they are; what a coup pays is
looked up in the tables that the engine wrote. The order of what happens is that of
`novamas.odds.game.Game`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numba import njit
from numba.extending import overload, register_jitable

from novamas.odds import systems
from novamas.odds.systems import SYSTEMS, System
from novamas.simulation import chance
from novamas.simulation.chance import begun, fill
from novamas.simulation.tables import ROW

RUIN, TARGET, STOPPED, PLAYING = range(4)
"""How a play ends; the first three in the order of `novamas.odds.game.ENDS`."""
DONE, CUT_SHORT, NEEDS_ROW, NEEDS_ROOM = range(4)
"""Why a loop came back: all is played, it was told to stop, or something must be made larger."""
SEGMENT: Final = 1 << 22
"""After so many coups a loop looks whether it should stop, and says how far it is."""

FEW: Final = 16
"""So many fours of numbers are drawn when a play begins."""
AT_ONCE: Final = 4096
"""The most numbers that are drawn at once."""
SHIFT: Final = np.uint64(6)
"""From the number of a row to its place."""
FIRST_ROW: Final = np.uint64(ROW)

_OWN: dict[str, System] = {}
"""Systems of one's own, by the name under which they are compiled."""

_line_wanted = register_jitable(inline="always")(systems.line_wanted)
_line_after = register_jitable(inline="always")(systems.line_after)


# The functions of a system, chosen by its name while the loop is compiled ------------------------


def _begin(name: str, line: Any, start: Any) -> Any:
    raise NotImplementedError


def _want(name: str, one: int, two: int, line: Any) -> int:
    raise NotImplementedError


def _go_on(name: str, one: int, two: int, line: Any, start: Any, came: Any) -> Any:
    raise NotImplementedError


def _named(name: Any) -> System:
    key = name.literal_value
    return SYSTEMS.get(key) or _OWN[key]


@overload(_begin, prefer_literal=True, inline="always")
def _begin_of(name: Any, line: Any, start: Any) -> Callable[..., Any]:
    if _named(name).keeps_line:

        def begin(name: Any, line: Any, start: Any) -> Any:
            for place in range(len(start)):
                line[place] = start[place]
            return 0, len(start)

        return begin

    def begin(name: Any, line: Any, start: Any) -> Any:  # type: ignore[no-redef]
        return start[0], start[1]

    return begin


@overload(_want, prefer_literal=True, inline="always")
def _want_of(name: Any, one: Any, two: Any, line: Any) -> Callable[..., Any]:
    system = _named(name)
    if system.wanted is None:

        def want(name: Any, one: Any, two: Any, line: Any) -> Any:
            return _line_wanted(line, one, two)

        return want
    wanted = register_jitable(system.wanted)

    def want(name: Any, one: Any, two: Any, line: Any) -> Any:  # type: ignore[no-redef]
        return wanted((one, two))

    return want


@overload(_go_on, prefer_literal=True, inline="always")
def _go_on_of(
    name: Any,
    one: Any,
    two: Any,
    line: Any,
    start: Any,
    came: Any,
) -> Callable[..., Any]:
    system = _named(name)
    if system.after is None:
        reverse = int(system.reverse)

        def go_on(
            name: Any,
            one: Any,
            two: Any,
            line: Any,
            start: Any,
            came: Any,
        ) -> Any:
            one, two = _line_after(line, one, two, came[0], came[1], reverse)
            if one == two:
                # All is struck out: the next line is the first again.
                for place in range(len(start)):
                    line[place] = start[place]
                return 0, len(start)
            if two + 1 >= len(line) and 2 * one >= len(line):
                # The end is reached: the line moves back to the beginning of its room.
                for place in range(two - one):
                    line[place] = line[one + place]
                return 0, two - one
            return one, two

        return go_on
    after = register_jitable(system.after)

    def go_on(  # type: ignore[no-redef]
        name: Any,
        one: Any,
        two: Any,
        line: Any,
        start: Any,
        came: Any,
    ) -> Any:
        return after((one, two), came[0], came[1], came[2])

    return go_on


# The loop ---------------------------------------------------------------------------------------


def _stamp() -> int:
    """What the loops are made of: a cache of another make is never taken."""
    parts = [Path(str(made.__file__)).read_bytes() for made in (systems, chance)]
    return crc32(b"".join(parts))


@cache
def loop_of(name: str, *, linear: bool, recorded: bool) -> Any:
    """The loop of one system; `linear` without prison, `recorded` on numbers that are given.

    It plays the players from `at` on, and gives the player at whom it ended, why, and what it
    needs.
    """
    own = name in _OWN
    keeps_line = (_OWN[name] if own else SYSTEMS[name]).keeps_line
    flat = name == "flat"
    stamp = _stamp()

    # Nothing is made in the loop, and counting who holds an array would take half the time.
    @njit(nogil=True, cache=not own, _nrt=False)  # type: ignore[call-overload]
    def loop(
        rows: Any, terms: Any, start: Any, numbers: Any, line: Any, marks: Any, out: Any, at: Any
    ) -> Any:
        net_of, following, row_of, win_of, loss_of = rows
        spins, drawn = numbers
        seed, coups, bankroll, unit, low, high, most, restart, first = terms
        wealths, durations, turnovers, ends, paths, laids, told = out
        span = np.uint64(high - low)
        worst, best = 1, 1
        for pocket in range(ROW, ROW + 37):
            worst, best = max(worst, -net_of[pocket]), max(best, net_of[pocket])
        if stamp < 0:  # Never; it is named here so that the compiler's cache goes by it.
            return 0, DONE, 0
        for player in range(at, len(wealths)):
            a, b, c, d = begun(seed, first + player)
            origin = (first + player) * coups if recorded else 0
            filled = 0
            wealth, done, times, prison, laid, came, once = bankroll, 0, 0, 0, 0, 0, 0
            one, two = _begin(name, line, start)
            mark = 0
            shown = player < paths.shape[0]
            playing = bool(np.uint64(wealth - low) < span)
            while playing and done < coups:
                began = done
                until = min(coups, done + SEGMENT)
                if not recorded:
                    # The first numbers are few, because many a play is short.
                    if done >= filled:
                        origin = -done
                        fours = min(len(spins) // 4, FEW + done, (coups - done + 3) // 4)
                        a, b, c, d = fill(drawn, fours, a, b, c, d)
                        filled = done + 4 * fours
                    until = min(until, filled)
                if shown and mark < len(marks):
                    until = min(until, marks[mark])
                if flat and linear:
                    # Where the bounds are farther than the purse can come, nobody looks at them.
                    far = min((wealth - low) // worst, (high - 1 - wealth) // best, until - done)
                    came = 0
                    for spin in range(origin + done, origin + done + far):
                        came += net_of[FIRST_ROW | np.uint64(spins[np.uint64(spin)])]
                    wealth += came
                    done += far
                while done < until:
                    number = np.uint64(spins[np.uint64(origin + done)])
                    done += 1
                    if linear or prison == 0:
                        laid = _want(name, one, two, line)
                        if laid > most:
                            if restart:
                                one, two = _begin(name, line, start)
                                laid = _want(name, one, two, line)
                            laid = min(laid, most)
                        if own:
                            laid = max(laid, 0)
                        # The layout once is always within the purse: the play ends when it is not.
                        if not flat:
                            if laid * unit > wealth:
                                laid = wealth // unit
                            times += laid
                        if not linear:
                            prison = row_of[laid] if laid < len(row_of) else 0
                            if prison == 0:
                                return player, NEEDS_ROW, laid
                            came = 0
                            if flat:
                                times += 1
                    if linear:
                        once = net_of[FIRST_ROW | number]
                        came = once * laid
                        wealth += came
                    else:
                        place = (np.uint64(prison) << SHIFT) | number
                        came += net_of[place]
                        wealth += net_of[place]
                        prison = following[place]
                    if linear or prison == 0:
                        if flat:
                            pass
                        elif keeps_line:
                            came = once if linear else came
                            one, two = _go_on(name, one, two, line, start, (laid, came, unit))
                        elif linear and not own:
                            # At least one is laid, so that the number alone says whether it wins.
                            # All three ways are gone and one is kept: a branch would be guessed
                            # wrong at every other coup.
                            wins, loses = win_of[number], loss_of[number]
                            evens = ~(wins | loses)
                            up, up2 = _go_on(
                                name, one, two, line, start, (laid, max(came, 1), unit)
                            )
                            down, down2 = _go_on(
                                name, one, two, line, start, (laid, min(came, -1), unit)
                            )
                            same, same2 = _go_on(name, one, two, line, start, (laid, 0, unit))
                            one = (up & wins) | (down & loses) | (same & evens)
                            two = (up2 & wins) | (down2 & loses) | (same2 & evens)
                        else:
                            one, two = _go_on(name, one, two, line, start, (laid, came, unit))
                        if keeps_line and two + 1 >= len(line):
                            return player, NEEDS_ROOM, 0
                        if np.uint64(wealth - low) >= span:
                            playing = False
                            break
                if flat and linear:
                    times = done
                told[0] += done - began
                if shown and mark < len(marks) and done == marks[mark]:
                    paths[player, mark] = wealth
                    laids[player, mark] = times
                    mark += 1
                if told[1] != 0:
                    return player, CUT_SHORT, 0
            wealths[player] = wealth
            durations[player] = done
            turnovers[player] = times * unit
            ends[player] = PLAYING if playing else (TARGET if wealth >= high else RUIN)
            if shown:
                # Who has stopped keeps what he has.
                for later in range(mark, len(marks)):
                    paths[player, later] = wealth
                    laids[player, later] = times
        return len(wealths), DONE, 0

    return loop


def compiled_name(system: System) -> str:
    """The name under which a system is compiled; one's own is made known by it."""
    known = SYSTEMS.get(system.name)
    if known is not None and known.after is system.after and known.wanted is system.wanted:
        return system.name
    name = f"own {system.name} {id(system.after)} {id(system.wanted)}"
    _OWN[name] = system
    return name
