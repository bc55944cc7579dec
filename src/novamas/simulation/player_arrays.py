"""Player arrays: what is known of the sixteen players who are simulated side by side.

All of it lies in one array of whole numbers, so that a loop can come back to ask for something and
go on where it was, and so that the compiler sees that nothing overlaps.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from novamas.odds.systems import System
from novamas.simulation.rng import SEATS

RUIN, TARGET, STOPPED, PLAYING = range(4)
"""How a play ends; the first three in the order of `novamas.odds.player.ENDS`."""
UNFINISHED: Final = -1
DONE, CUT_SHORT, NEEDS_ROW, NEEDS_ROOM, NEEDS_LIMITS = range(5)
"""Why a loop came back: all is played, it was told to stop, or something is needed."""
CAP, RESTART, REFUSE = range(3)
"""What is done when a system wants more than the most: lay that, begin again, or give up."""

# For each of these there is a number for every seat.
_FIELDS: Final = 23
(
    WEALTH,  # The purse, and what is in prison.
    TIMES,  # How many times over the layout was laid, in rounds that are decided.
    FIRST,  # The two numbers that the system remembers, or the bounds of its line.
    SECOND,
    WANTED,  # What a system that keeps a line wants.
    LAID,  # How many times over the layout is laid in this round.
    CAME,  # What the round has brought so far.
    PRISON,  # The row of the tables that is played: of the layout, or of what is in prison.
    ROOM,  # Where the room for the line begins.
    HEAD,  # The first number of the line, the second, and the last but one.
    BEHIND,
    BEFORE,
    PLACE,  # What is to be written into the line, and where.
    NUMBER,
    BEGINS,  # Whether the line begins again.
    LOW,  # The play goes on while the wealth is not below this,
    SPAN,  # and less than so much above it.
    LATER,  # What is left until the coup is over.
    PLAYER,  # Who sits there, counted from the first of the block.
    PLAYED,  # How many coups he has played.
    MARK,  # The next mark at which his wealth is written down.
    AT,
    DESK,
) = (SEATS * field for field in range(_FIELDS))
COUP, DRAWN, WRITTEN, NEXT = (AT + place for place in range(4))
"""The coup among those whose numbers were drawn; how many that are; for how many fours of them the
nets are written; who sits down next."""
NOBODY: Final = -1
UNREADY, ENDS = 1, 2
"""What is left until the coup is over: what is laid next is not yet known, or the play ends."""
FAR: Final = 1 << 62
NO_PURSE: Final = 1 << 60
"""Where the player has no purse, he begins with so much and cannot be ruined."""


def desk_of() -> Any:
    """A desk where nobody sits yet."""
    desk = np.zeros(DESK, dtype=np.int64)
    desk[PLAYER : PLAYER + SEATS] = NOBODY
    desk[LATER : LATER + SEATS] = UNREADY
    desk[LOW : LOW + SEATS] = -FAR
    desk[SPAN : SPAN + SEATS] = 2 * FAR - 1
    return desk


def at_play(desk: Any, unit: int) -> Any:
    """Who sits there still, a row each: his wealth, his coups, and what he has staked so far."""
    seats = desk[:AT].reshape(-1, SEATS)
    wealth, times, played, player = (
        seats[field // SEATS] for field in (WEALTH, TIMES, PLAYED, PLAYER)
    )
    return np.stack((wealth, played, times * unit), axis=1)[player != NOBODY]


def lines_of(system: System, desk: Any, *, before: Any = None) -> Any:
    """Room for the lines of all seats, if the system keeps one; more than `before`."""
    if not system.keeps_line:
        return np.zeros(1, dtype=np.int64)
    had = 0 if before is None else len(before) // SEATS
    # Were the rooms a power of two, the processor would take one line for the other.
    room = max(256, 2 * len(system.start), 4 * had) // 16 * 16 + 8
    found = np.zeros((SEATS, room), dtype=np.int64)
    if before is not None:
        found[:, :had] = before.reshape(SEATS, had)
    moved = np.arange(SEATS) * (room - had)
    for each in (ROOM, FIRST, SECOND, PLACE):
        # Before each line is one place at which nothing is kept.
        desk[each : each + SEATS] += moved + int(before is None)
    return found.ravel()
