"""Payoff tables: what every pocket does to a layout, written by the table's own engine.

A row says for each pocket of the wheel the player's winnings minus losses, and the next row: 0 when
all is decided and the player may lay again, otherwise the row of what is now in prison. There is a
row for the layout laid once, one for it laid twice, and so on, because halves need not be whole;
and one for each prison. The pockets of a row are in the order of `Wheel.pockets`. Rows are written
when they are first needed. Where the engine shows that everything is proportional to the stake and
nothing goes to prison, the first row is enough.
"""

from __future__ import annotations

from functools import partial
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

from novamas.odds.errors import TooLargeError
from novamas.odds.play import Play, Prison, held_in

ROW: Final = 64
"""The length of a row: a power of two that no wheel has more pockets than."""
MOST_TIMES: Final = 1 << 20
"""The highest multiple of a layout whose rows are written one by one."""
MOST_ROWS: Final = 1 << 16
LINEAR_UP_TO: Final = 17
"""Every multiple up to this is tested before payment counts as proportional."""


class Rows(NamedTuple):
    """The tables for the compiled loops; they are never changed, only replaced."""

    net: Any
    """net[row * ROW + index of the pocket]"""
    following: Any
    """The row that comes next, at the same place."""
    row_of: Any
    """Multiple → row of the layout; 0 where it is not written yet."""
    held: Any
    """Row → what is in prison before its coup."""
    pairs: Any
    """pairs[pockets * one + other]: what two coups of the layout, laid once, bring together."""
    holds: Any
    """Whether one of the two leads into prison."""
    ones: Any
    """The first of the two: its net result if the first row is enough, else its index."""
    others: Any
    """The same for the second."""


def too_often(times: int) -> TooLargeError:
    """An error: the multiple of the layout would be too high."""
    return TooLargeError(
        f"the layout would be laid {times} times over",
        instead="set limits, as every table does, or a larger unit",
    )


class Tables:
    """The tables of a play, which grow on demand."""

    def __init__(self, play: Play, most: int, *, is_linear: bool | None = None) -> None:
        self.play = play
        self._lock = Lock()
        self.pockets = len(play.wheel)
        """How many pockets the wheel has."""
        if self.pockets > ROW:
            raise TooLargeError(f"a wheel of {self.pockets} pockets", instead=f"{ROW} are the most")
        self._net: list[list[int]] = [[0] * self.pockets]
        self._following: list[list[int]] = [[0] * self.pockets]
        self._held = [0]
        self._prisons: dict[Prison, int] = {}
        self._times: dict[int, int] = {}
        self.most = most
        self.is_linear = self._is_linear(most) if is_linear is None else is_linear
        self._write(1)
        self.rows = self._rows()

    def __reduce__(self) -> Any:
        # Another machine writes further rows itself, because the number of a row has no meaning
        # elsewhere.
        return partial(Tables, is_linear=self.is_linear), (self.play, self.most)

    def need(self, times: int) -> Rows:
        """The tables with the row of a multiple of the layout, which is written if missing."""
        with self._lock:
            if times not in self._times:
                self._write(times)
                self.rows = self._rows()
            return self.rows

    def _is_linear(self, most: int) -> bool:
        """Whether the engine pays in proportion, tested on small, large and the largest stakes."""
        play = self.play
        once = [play.pocket(pocket) for pocket in play.wheel]
        if any(turn.prison for turn in once):
            return False
        tried = {*range(2, LINEAR_UP_TO), *((1 << k) - 1 for k in range(5, 40, 5)), most}
        for times in sorted(t for t in tried if 1 < t <= min(most, 1 << 40)):
            for pocket, one in zip(play.wheel, once, strict=True):
                turn = play.pocket(pocket, times=times)
                if turn.prison or turn.net != times * one.net:
                    return False
        return True

    def _write(self, times: int) -> None:
        if times > MOST_TIMES:
            raise too_often(times)
        self._times[times] = self._row(times, ())

    def _row(self, times: int, prison: Prison) -> int:
        """Writes a row and those it leads to; returns its number."""
        place = len(self._net)
        if place > MOST_ROWS:
            raise TooLargeError("too many prisons are possible at once", instead="set limits")
        nets, following = [0] * self.pockets, [0] * self.pockets
        self._net.append(nets)
        self._following.append(following)
        self._held.append(held_in(prison))
        if prison:
            self._prisons[prison] = place
        for index, pocket in enumerate(self.play.wheel):
            turn = self.play.pocket(pocket, times=times, prison=prison)
            nets[index] = turn.net
            if turn.prison:
                known = self._prisons.get(turn.prison)
                following[index] = self._row(0, turn.prison) if known is None else known
        return place

    def _rows(self) -> Rows:
        pockets = self.pockets
        net = np.zeros((len(self._net), ROW), dtype=np.int64)
        net[:, :pockets] = self._net
        following = np.zeros((len(self._net), ROW), dtype=np.int64)
        following[:, :pockets] = self._following
        greatest = max(self._times)
        row_of = np.zeros(greatest + 1, dtype=np.int64)
        for times, row in self._times.items():
            row_of[times] = row
        first = self._times[1]
        once, held = net[first, :pockets], following[first, :pockets] > 0
        each = once if self.is_linear else np.arange(pockets)
        return Rows(
            net.ravel(),
            following.ravel(),
            row_of,
            np.array(self._held, dtype=np.int64),
            pairs=np.add.outer(once, once).ravel(),
            holds=np.logical_or.outer(held, held).ravel(),
            ones=np.repeat(each, pockets),
            others=np.tile(each, pockets),
        )
