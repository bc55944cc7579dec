"""Quotas: what one person, or one address of strangers, may cost the house.

They are counted by person and not by connection, so that more sockets or more sessions give nobody
more. A house on a machine of one's own counts nothing.
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
"""How many sockets one address may have open of which nobody is signed in."""
BYTES, BYTES_AT_ONCE = 4_096.0, 262_144.0
"""How many bytes of commands a second one person may send, and at once."""
REFUSALS, REFUSALS_AT_ONCE = 1.0, 200.0
"""How many refusals a second are kept for one person, and at once.

A refusal is kept so that the same command again gets the same answer. Whoever has used them up is
heard no more until there are some again; so what is kept of a person who is always refused grows
by less than 40 MB a day, however fast they ask.
"""
REMEMBERED: Final = 10_000
"""How many people and addresses are remembered; the one unheard of for longest is forgotten."""
PAUSE: Final = 0.01
"""Seconds for which nothing is read from a socket that sent more than it may."""


class Allowance:
    """What one person may still ask for now."""

    def __init__(self, each_second: float, clock: Callable[[], float] = monotonic) -> None:
        self._commands = Rate(each_second, 2 * each_second, clock)
        self._bytes = Rate(BYTES, BYTES_AT_ONCE, clock)
        self._refusals = Rate(REFUSALS, REFUSALS_AT_ONCE, clock)

    def allows(self, size: int = 0) -> bool:
        """Whether one more command of so many bytes is heard now."""
        return self._refusals.allows(0) and self._bytes.allows(size) and self._commands.allows()

    def note_refusal(self) -> None:
        """A command was refused, and the refusal is kept."""
        self._refusals.allows()


class Allowances:
    """The allowance of everybody who was heard of lately, and the sockets that are open."""

    def __init__(self, each_second: float | None, clock: Callable[[], float] = monotonic) -> None:
        """`each_second` is how many commands a person may give; None where nothing is counted."""
        self._each_second = each_second
        self._clock = clock
        self._by_name: OrderedDict[str, Allowance] = OrderedDict()
        self._sockets: Counter[str] = Counter()

    def of(self, name: str | None, address: str) -> Allowance | None:
        """Of a person, or of the strangers of an address; None where nothing is counted."""
        if self._each_second is None:
            return None
        key = _key(name, address)
        found = self._by_name.pop(key, None) or Allowance(self._each_second, self._clock)
        self._by_name[key] = found
        while len(self._by_name) > REMEMBERED:
            self._by_name.popitem(last=False)
        return found

    def open_socket(self, name: str | None, address: str) -> bool:
        """Counts one more socket; False, and none is counted, if there are too many."""
        key, most = _key(name, address), ONLOOKERS if name is None else SOCKETS
        if self._each_second is not None and self._sockets[key] >= most:
            return False
        self._sockets[key] += 1
        return True

    def close_socket(self, name: str | None, address: str) -> None:
        """Counts one less."""
        key = _key(name, address)
        self._sockets[key] -= 1
        if self._sockets[key] <= 0:
            del self._sockets[key]


def _key(name: str | None, address: str) -> str:
    # No name has a colon in it, so that no address is taken for one.
    return f"address:{address}" if name is None else name
