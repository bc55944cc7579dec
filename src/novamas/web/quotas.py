"""Quotas: the load that one person, or one address of strangers, may put on the house.

They count by person and not by connection, so that more sockets or sessions give nobody more. A
local house counts nothing.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from novamas.house.clock import monotonic
from novamas.web.sessions import Rate

SOCKETS: Final = 16
"""How many sockets a person may have open."""
ONLOOKERS: Final = 32
"""How many sockets without a session one address may have open."""
BYTES, BYTES_AT_ONCE = 4_096.0, 262_144.0
"""Bytes of commands that one person may send per second, and the burst."""
REFUSALS, REFUSALS_AT_ONCE = 1.0, 200.0
"""Refusals per second that are stored for one person, and the burst.

A refusal is stored so that the same command again gets the same answer. A person who has used them
up must wait until there are some again; so a person who is always refused adds less than 40 MB a
day to the store, however fast they ask.
"""
REMEMBERED: Final = 10_000
"""How many people and addresses are remembered; the least recently active is forgotten first."""
PAUSE: Final = 0.01
"""Seconds for which reading pauses on a socket that exceeded its quota."""


class Allowance:
    """The current quota of one person."""

    def __init__(self, each_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._commands = Rate(each_second, 2 * each_second, clock)
        self._bytes = Rate(BYTES, BYTES_AT_ONCE, clock)
        self._refusals = Rate(REFUSALS, REFUSALS_AT_ONCE, clock)

    def allows(self, size: int = 0) -> bool:
        """Takes one command of this size from the quota; returns False if it is used up."""
        return self._refusals.allows(0) and self._bytes.allows(size) and self._commands.allows()

    def note_refusal(self) -> None:
        """Counts a refusal that is stored."""
        self._refusals.allows()


class Allowances:
    """The quotas of recently active people and addresses, and their open sockets."""

    def __init__(self, each_second: float | None, clock: Callable[[], float] = monotonic) -> None:
        """`each_second` is how many commands a person may give; None for no limit."""
        self._each_second = each_second
        self._clock = clock
        self._by_name: OrderedDict[str, Allowance] = OrderedDict()
        self._sockets: Counter[str] = Counter()

    def of(self, name: str | None, address: str) -> Allowance | None:
        """The quota of a person, or of the strangers of an address; None for no limit."""
        if self._each_second is None:
            return None
        key = _key(name, address)
        found = self._by_name.pop(key, None) or Allowance(self._each_second, self._clock)
        self._by_name[key] = found
        while len(self._by_name) > REMEMBERED:
            self._by_name.popitem(last=False)
        return found

    def open_socket(self, name: str | None, address: str) -> bool:
        """Counts one more socket; returns False, and counts none, if there are too many."""
        key, most = _key(name, address), ONLOOKERS if name is None else SOCKETS
        if self._each_second is not None and self._sockets[key] >= most:
            return False
        self._sockets[key] += 1
        return True

    def close_socket(self, name: str | None, address: str) -> None:
        """Counts one socket less."""
        key = _key(name, address)
        self._sockets[key] -= 1
        if self._sockets[key] <= 0:
            del self._sockets[key]


def _key(name: str | None, address: str) -> str:
    # Names contain no colon, so an address is never taken for a name.
    return f"address:{address}" if name is None else name
