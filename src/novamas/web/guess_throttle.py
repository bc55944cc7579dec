"""Throttling of password and code guesses: it slows the attacker, not the owner of the account.

Failures are counted by where they come from: by address, by address and name, and by device alone
for a device on which the person has signed in before. So an attacker uses up the attempts of
strangers, never those of the owner's own device. Failures of all strangers for a name are counted
too: above that limit, strangers must send the second factor together with the password.

The limits, for each server of a house since it started:

| counted by | failures | then |
|---|---|---|
| address | 20 in a minute, 300 in a day | 429 |
| address and name | 5 in 15 minutes, 30 in a day | every password is refused |
| own device and name | 5 in 15 minutes, 50 in a day | every password is refused there |
| name, all strangers together | 100 in a day | strangers must send password and code for a day |
| name, codes with the right password | 20 in a day | every stranger's code is refused |
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

REMEMBERED: Final = 10_000
"""How many names and addresses are remembered; the oldest are forgotten first."""
MINUTE, QUARTER, DAY = 60.0, 15 * 60.0, 24 * 60 * 60.0
FAILURES: Final = 5
"""Wrong passwords in a quarter of an hour, for a name from one address or device."""
TRIES: Final = 20
"""Failed sign-ins from one address in a minute.

Correct passwords do not count: all people of a house may share one address.
"""
ADDRESS_DAY, PAIR_DAY, OWN_DAY, STRANGERS_DAY, CODES_DAY = 300, 30, 50, 100, 20


class Often:
    """Counts how often something happened lately, by key."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def is_too_often(self, who: str) -> bool:
        """Whether the limit is reached."""
        times = self._times.get(who, deque())
        while times and times[0] <= self._clock() - self._seconds:
            times.popleft()
        return len(times) >= self._most

    def note(self, who: str) -> None:
        """Counts one more."""
        times = self._times.pop(who, None) or deque(maxlen=self._most)
        times.append(self._clock())
        self._times[who] = times
        while len(self._times) > REMEMBERED:
            self._times.popitem(last=False)

    def take_back(self, who: str) -> None:
        """Uncounts the last one."""
        if times := self._times.get(who):
            times.pop()

    def forget(self, who: str) -> None:
        """Resets the count of a key."""
        self._times.pop(who, None)


class Daily:
    """Counts how often something happened in the day since its first time, by key.

    Unlike `Often` it stores only two numbers for each key, however high the limit.
    """

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most, self._clock = most, clock
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def _count(self, who: str) -> tuple[float, int]:
        since, count = self._counts.get(who, (self._clock(), 0))
        return (since, count) if self._clock() < since + DAY else (self._clock(), 0)

    def is_too_often(self, who: str) -> bool:
        """Whether the limit is reached."""
        return self._count(who)[1] >= self._most

    def note(self, who: str) -> None:
        """Counts one more."""
        since, count = self._count(who)
        self._counts[who] = since, count + 1
        self._counts.move_to_end(who)
        while len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)

    def take_back(self, who: str) -> None:
        """Uncounts the last one."""
        since, count = self._count(who)
        self._counts[who] = since, max(0, count - 1)

    def forget(self, who: str) -> None:
        """Resets the count of a key."""
        self._counts.pop(who, None)


@dataclass(frozen=True, slots=True)
class Source:
    """Where an attempt comes from."""

    address: str
    own: str | None = None
    """The person's own device or session; None for a stranger."""


class GuessThrottle:
    """The failed attempts on one server.

    An attempt is counted before it is checked, so that parallel attempts count too, and is
    uncounted if it was correct.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._addresses = (Often(TRIES, MINUTE, clock), Daily(ADDRESS_DAY, clock))
        self._pairs = (Often(FAILURES, QUARTER, clock), Daily(PAIR_DAY, clock))
        self._own = (Often(FAILURES, QUARTER, clock), Daily(OWN_DAY, clock))
        self._strangers = Daily(STRANGERS_DAY, clock)
        self._codes = Daily(CODES_DAY, clock)
        self._since: Counter[str] = Counter()
        """How often counting was reset for a name, as after a new password."""

    def is_address_shut(self, address: str) -> bool:
        """Whether an address has failed too often, for whatever names."""
        return any(each.is_too_often(address) for each in self._addresses)

    def note_address(self, address: str) -> None:
        """Counts an attempt of an address."""
        for each in self._addresses:
            each.note(address)

    def take_back_address(self, address: str) -> None:
        """Uncounts the last attempt of an address, which was correct."""
        for each in self._addresses:
            each.take_back(address)

    def is_shut(self, name: str, source: Source) -> bool:
        """Whether every password for this name from this source is refused."""
        budget, who = self._budget(name, source)
        return any(each.is_too_often(who) for each in budget)

    def note(self, name: str, source: Source) -> None:
        """Counts an attempt for a name."""
        budget, who = self._budget(name, source)
        for each in budget:
            each.note(who)
        if source.own is None:
            self._strangers.note(name)

    def take_back(self, name: str, source: Source) -> None:
        """Uncounts the last attempt, which was correct."""
        budget, who = self._budget(name, source)
        for each in budget:
            each.take_back(who)
        if source.own is None:
            self._strangers.take_back(name)

    def forgive(self, name: str, source: Source) -> None:
        """Clears the recent failures of a source after a successful sign-in."""
        (lately, _), who = self._budget(name, source)
        lately.forget(who)

    def is_name_tried_too_often(self, name: str) -> bool:
        """Whether strangers have tried a name so often that they need its second factor."""
        return self._strangers.is_too_often(name)

    def are_codes_shut(self, name: str, source: Source) -> bool:
        """Whether every stranger's code is refused because somebody guesses codes."""
        return source.own is None and self._codes.is_too_often(name)

    def note_code(self, name: str, source: Source) -> None:
        """Counts a wrong code with a correct password."""
        if source.own is None:
            self._codes.note(name)

    def forget(self, name: str) -> None:
        """Resets the counts of a name that has a new password or lost its second factor."""
        self._since[name] += 1
        self._strangers.forget(name)
        self._codes.forget(name)

    def _budget(self, name: str, source: Source) -> tuple[tuple[Often, Daily], str]:
        since = self._since[name]
        if source.own is not None:
            return self._own, f"{since} {source.own} {name}"
        return self._pairs, f"{since} {source.address} {name}"
