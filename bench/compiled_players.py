"""Players of a load: they read the events of all in compiled code, so that the house is the limit.

Each of 800 players gets every stake of all of them. Reading that in Python takes more time than
serving it, and the measurement would show the players. These check every frame as the others do:
its length, that it is an event, and that its number follows the one before.
"""

import asyncio
from typing import Any

import numpy as np
from numba import njit

from bench.players import TEXT, BasePlayer

ROOM = 1 << 22
"""Bytes of the buffer into which all players read, one after the other."""
BUFFER = np.zeros(ROOM, np.uint8)
VIEW = memoryview(BUFFER)  # type: ignore[arg-type]
HEAD = np.array(list(b'{"seq":'), np.uint8)
"""How every event begins, and no other message."""
SHORT, LONG = 126, 127
DIGIT_0, DIGIT_9 = ord("0"), ord("9")


@njit("UniTuple(i8, 4)(u1[::1], u1[::1], i8, i8, i8)", nogil=True, cache=True)
def read_events(data: Any, head: Any, at: int, end: int, seq: int) -> Any:
    """Reads events up to the first frame that is incomplete or something else.

    Returns where that frame begins, the number of the last event, how many there were, and how many
    of them did not follow the one before.
    """
    events = gaps = 0
    while at + 2 <= end and data[at] == TEXT:
        length, start = int(data[at + 1]), at + 2
        if length >= SHORT:
            wide = 2 if length == SHORT else 8
            if start + wide > end:
                break
            length = 0
            for place in range(start, start + wide):
                length = length * 256 + data[place]
            start += wide
        if start + length > end or length <= head.size:
            break
        is_event = True
        for place in range(head.size):
            is_event &= data[start + place] == head[place]
        if not is_event:
            break
        number, place = 0, start + head.size
        while DIGIT_0 <= data[place] <= DIGIT_9:
            number = number * 10 + data[place] - DIGIT_0
            place += 1
        gaps += number != seq + 1
        seq = number
        events += 1
        at = start + length
    return at, seq, events, gaps


class CompiledPlayer(BasePlayer, asyncio.BufferedProtocol):
    """A player of a load."""

    _left = b""
    """The beginning of a frame that has not come whole."""
    _open = False

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes go: they are read at once, so all players share the room."""
        del sizehint
        kept = len(self._left)
        VIEW[:kept] = self._left
        return VIEW[kept:]

    def buffer_updated(self, nbytes: int) -> None:
        """Reads all complete frames."""
        end = len(self._left) + nbytes
        at = 0
        if not self._open:
            head = bytes(VIEW[:end]).find(b"\r\n\r\n")
            if head < 0:
                self._left = bytes(VIEW[:end])
                return
            self._open, at = True, head + 4
        while True:
            at, self.seq, events, gaps = read_events(BUFFER, HEAD, at, end, self.seq)
            self.events += events
            self.gaps += gaps
            after = self._other(at, end)
            if after == at:
                break
            at = after
        self._left = bytes(VIEW[at:end])

    def _other(self, at: int, end: int) -> int:
        """Reads a frame that is no event; returns where it ends, or `at` if it is not complete."""
        if at + 2 > end:
            return at
        length, start = VIEW[at + 1], at + 2
        if length >= SHORT:
            wide = 2 if length == SHORT else 8
            length, start = int.from_bytes(VIEW[start : start + wide], "big"), start + wide
        if start + length > end:
            return at
        self._frame(VIEW[at], bytes(VIEW[start : start + length]))
        return start + length
