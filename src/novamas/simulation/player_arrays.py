"""Player arrays: the state of the sixteen players who are simulated side by side.

It is one array of whole numbers, so that a loop can return to request something and continue where
it was, and so that the compiler knows that nothing overlaps.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from novamas.odds.systems import System

SEATS: Final = 16
"""How many streams are drawn side by side; the compiler makes this a few vector instructions."""
LINE: Final = 64
"""The bytes of a line of the processor's cache."""

RUIN, TARGET, STOPPED, PLAYING = range(4)
"""How a play ends; the first three in the order of `novamas.odds.player.ENDS`."""
UNFINISHED: Final = -1
DONE, CUT_SHORT, NEEDS_ROW, NEEDS_ROOM, NEEDS_LIMITS, TOO_MUCH, TOO_FAR = range(7)
"""Why a loop returned: all is played, it was stopped, it needs something, or a player's money or
stakes, or the state of a system of one's own, are more than can be counted."""
MOST_STATE: Final = 1 << 53
"""How large the numbers of a state of one's own may be: far from where 64 bits overflow."""
CAP, RESTART, REFUSE = range(3)
"""What happens when a system wants more than the maximum: lay that, restart, or give up."""

# Each of these has one number for every seat.
_FIELDS: Final = 23
(
    WEALTH,  # The purse, and what is in prison.
    TIMES,  # The sum of the multiples of the layout, in rounds that are decided.
    FIRST,  # The two numbers that the system remembers, or the bounds of its line.
    SECOND,
    WANTED,  # What a system that keeps a line wants.
    LAID,  # The multiple of the layout in this round.
    CAME,  # What the round has brought so far.
    PRISON,  # The row of the tables that is played: of the layout, or of what is in prison.
    ROOM,  # Where the room for the line begins.
    HEAD,  # The first number of the line, the second, and the last but one.
    BEHIND,
    BEFORE,
    PLACE,  # The value to write into the line, and its place.
    NUMBER,
    BEGINS,  # Whether the line begins again.
    LOW,  # The play goes on while the wealth is not below this,
    SPAN,  # and less than this much above it.
    LATER,  # What is handled after the coup.
    PLAYER,  # The number of the player in the seat, counted from the first of the block.
    PLAYED,  # How many coups the player has played.
    MARK,  # The next mark at which the player's wealth is recorded.
    AT,
    DESK,
) = (SEATS * field for field in range(_FIELDS))
COUP, DRAWN, WRITTEN, NEXT = (AT + place for place in range(4))
"""The current coup among those whose numbers were drawn; how many were drawn; for how many groups
of four the nets are written; and the next player to sit down."""
NOBODY: Final = -1
UNREADY, ENDS = 1, 2
"""What is handled after the coup: the next stake is not known yet, or the play ends."""
FAR: Final = 1 << 62
NO_PURSE: Final = 1 << 60
"""The purse of a player without a bankroll, who cannot be ruined."""
REACH: Final = 1 << 59
"""How much a player without a bankroll may win or lose; one who gets further is refused."""
TOP: Final = 1 << 61
"""The purse at which a player without a target is refused. A coup from there does not overflow."""
MOST_TURNOVER: Final = 1 << 62
"""How much a player may stake in all. It is looked at when numbers are drawn, and what is staked
from there to the next look does not overflow."""


def zeros_in_line(count: int, of: Any) -> Any:
    """An array of zeros that begins where a line of the processor's cache begins.

    A vector instruction that reads across two lines takes twice the time, and `np.zeros` begins
    anywhere: the same loop was up to a fifth slower in one process than in the next.
    """
    size = count * np.dtype(of).itemsize
    room = np.zeros(size + LINE, dtype=np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(of)


def progress_array() -> Any:
    """An array in which a loop reports its number of coups, and reads whether to stop."""
    return np.zeros(2, dtype=np.int64)


def desk_of() -> Any:
    """Arrays with empty seats."""
    desk = zeros_in_line(DESK, np.int64)
    desk[PLAYER : PLAYER + SEATS] = NOBODY
    desk[LATER : LATER + SEATS] = UNREADY
    desk[LOW : LOW + SEATS] = -FAR
    desk[SPAN : SPAN + SEATS] = 2 * FAR - 1
    return desk


def at_play(desk: Any, unit: int) -> Any:
    """The players still seated, a row each: wealth, coups, and what they have staked so far."""
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
    # Rooms of a power of two would make the lines collide in the processor's cache.
    room = max(256, 2 * len(system.start), 4 * had) // 16 * 16 + 8
    found = np.zeros((SEATS, room), dtype=np.int64)
    if before is not None:
        found[:, :had] = before.reshape(SEATS, had)
    moved = np.arange(SEATS) * (room - had)
    for each in (ROOM, FIRST, SECOND, PLACE):
        # Before each line there is one unused place, for writes that must have no effect.
        desk[each : each + SEATS] += moved + int(before is None)
    return found.ravel()
