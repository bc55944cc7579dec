"""How the table is laid out on a screen: which cloth, what stands beside it, what is left."""

from __future__ import annotations

from typing import Final, NamedTuple

from novamas.drawing.text_grid import LYING, Grid, Size, upright
from novamas.game.rulebook.model import Rulebook

BESIDE_FROM: Final = 120
"""From this width on, wheel, numbers, limits and explanation stand beside the cloth."""
_FIXED: Final = 4
"""Rows of the head, of the spot under the cursor, of the typed line and of the keys."""
_NUMBERS_WIDE: Final = 12
_COMFORT: Final = 7
"""Rows of messages that a cloth with higher squares must leave."""


class Arrangement(NamedTuple):
    """The parts of the screen."""

    grid: Grid
    cloth_rows: int
    """Rows of the cloth that are shown; fewer than it has on a low screen."""
    side: int
    """Columns beside the cloth; 0 if nothing stands there."""
    waiting: bool
    """Whether a row below the cloth shows the announcements that wait to be placed."""
    messages: int
    """Rows for what is said."""


def arrange(book: Rulebook, width: int, height: int) -> Arrangement:
    """The arrangement for a screen of this size."""
    waiting = any(call.to_place for call in book.announcements.calls.values())
    room = max(1, height - _FIXED - waiting - 1)
    side = 0 if width < BESIDE_FROM else max(width - 128, 40) if width < 190 else 60
    grid = _grid(book, width - side, room)
    shown = min(grid.rows, room)
    return Arrangement(grid, shown, side, waiting, max(1, height - _FIXED - waiting - shown))


def _grid(book: Rulebook, width: int, room: int) -> Grid:
    """The largest cloth that fits; the smallest if none does."""
    if width < LYING.width:
        sizes = [upright(book.cloth.drawing, width, high=high) for high in (2, 1)]
    else:
        more = min(4, (width - LYING.width) // _NUMBERS_WIDE)
        wide = LYING.width + more * _NUMBERS_WIDE
        sizes = [Size(wide, LYING.square + more, high) for high in (5, 4, 3, 2, 1)]
    for size in sizes:
        grid = Grid(book, size)
        roomy = size.high > (1 if size.upright else LYING.high)
        if room + 1 - grid.rows >= (_COMFORT if roomy else 1):
            break
    return grid
