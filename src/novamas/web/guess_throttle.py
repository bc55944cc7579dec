"""Guessing at passwords and codes: who guesses is slowed, and not the person who is guessed at.

Failures are counted by where they come from: by address, by address and name, and for a device on
which the person has signed in before by that device alone. So a stranger uses up what strangers
have, and never what the owner's own device has. Over all strangers a name is counted too: beyond
that, strangers must show the second factor together with the password.

What one may guess, for each server of a house and since it started:

| counted by | failures | then |
|---|---|---|
| address | 20 in a minute, 300 in a day | 429 |
| address and name | 5 in 15 minutes, 30 in a day | no password is right |
| own device and name | 5 in 15 minutes, 50 in a day | no password is right there |
| name, all strangers together | 100 in a day | for a day strangers show password and code at once |
| name, codes with the right password | 20 in a day | no stranger's code is right |
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

REMEMBERED: Final = 10_000
"""How many names and addresses are remembered for that; the oldest are forgotten first."""
MINUTE, QUARTER, DAY = 60.0, 15 * 60.0, 24 * 60 * 60.0
FAILURES: Final = 5
"""Wrong passwords in a quarter of an hour, for a name from one address or device."""
TRIES: Final = 20
"""Sign-ins from one address that fail in a minute.

Whoever knows the password does not count: a whole house may come through one address.
"""
ADDRESS_DAY, PAIR_DAY, OWN_DAY, STRANGERS_DAY, CODES_DAY = 300, 30, 50, 100, 20


class Often:
    """Counts how often something was done lately, by whom."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def is_too_often(self, who: str) -> bool:
        """Whether it was done so often that it must wait."""
        times = self._times.get(who, deque())
        while times and times[0] <= self._clock() - self._seconds:
            times.popleft()
        return len(times) >= self._most

    def note(self, who: str) -> None:
        """It was done once more."""
        times = self._times.pop(who, None) or deque(maxlen=self._most)
        times.append(self._clock())
        self._times[who] = times
        while len(self._times) > REMEMBERED:
            self._times.popitem(last=False)

    def take_back(self, who: str) -> None:
        """The last time does not count."""
        if times := self._times.get(who):
            times.pop()

    def forget(self, who: str) -> None:
        """It begins anew."""
        self._times.pop(who, None)


class Daily:
    """Counts how often something was done in a day from the first time on, by whom.

    Unlike `Often` it keeps two numbers for each, however many are allowed.
    """

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most, self._clock = most, clock
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def _count(self, who: str) -> tuple[float, int]:
        since, count = self._counts.get(who, (self._clock(), 0))
        return (since, count) if self._clock() < since + DAY else (self._clock(), 0)

    def is_too_often(self, who: str) -> bool:
        """Whether it was done so often that it must wait."""
        return self._count(who)[1] >= self._most

    def note(self, who: str) -> None:
        """It was done once more."""
        since, count = self._count(who)
        self._counts[who] = since, count + 1
        self._counts.move_to_end(who)
        while len(self._counts) > REMEMBERED:
            self._counts.popitem(last=False)

    def take_back(self, who: str) -> None:
        """The last time does not count."""
        since, count = self._count(who)
        self._counts[who] = since, max(0, count - 1)

    def forget(self, who: str) -> None:
        """It begins anew."""
        self._counts.pop(who, None)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a try comes from."""

    address: str
    own: str | None = None
    """The person's own device or session; None for a stranger."""


class GuessThrottle:
    """The failures of a server.

    A try counts before it is known to be wrong, so that many at once are counted too, and is taken
    back once it is known to be right.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._addresses = (Often(TRIES, MINUTE, clock), Daily(ADDRESS_DAY, clock))
        self._pairs = (Often(FAILURES, QUARTER, clock), Daily(PAIR_DAY, clock))
        self._own = (Often(FAILURES, QUARTER, clock), Daily(OWN_DAY, clock))
        self._strangers = Daily(STRANGERS_DAY, clock)
        self._codes = Daily(CODES_DAY, clock)
        self._since: Counter[str] = Counter()
        """How often counting began anew for a name: its new password is not guessed at yet."""

    def is_address_shut(self, address: str) -> bool:
        """Whether an address has failed too often, whatever names it tried."""
        return any(each.is_too_often(address) for each in self._addresses)

    def note_address(self, address: str) -> None:
        """An address tries once more."""
        for each in self._addresses:
            each.note(address)

    def take_back_address(self, address: str) -> None:
        """The last try of an address was right."""
        for each in self._addresses:
            each.take_back(address)

    def is_shut(self, name: str, source: Source) -> bool:
        """Whether no password of a name is right for whoever comes from there."""
        budget, who = self._budget(name, source)
        return any(each.is_too_often(who) for each in budget)

    def note(self, name: str, source: Source) -> None:
        """Somebody tries a name."""
        budget, who = self._budget(name, source)
        for each in budget:
            each.note(who)
        if source.own is None:
            self._strangers.note(name)

    def take_back(self, name: str, source: Source) -> None:
        """The last try was right."""
        budget, who = self._budget(name, source)
        for each in budget:
            each.take_back(who)
        if source.own is None:
            self._strangers.take_back(name)

    def forgive(self, name: str, source: Source) -> None:
        """Whoever came from there is let in: what was mistyped a moment ago counts no more."""
        (lately, _), who = self._budget(name, source)
        lately.forget(who)

    def is_name_tried_too_often(self, name: str) -> bool:
        """Whether strangers have tried a name so often that they need its second factor."""
        return self._strangers.is_too_often(name)

    def are_codes_shut(self, name: str, source: Source) -> bool:
        """Whether no stranger's code is right: somebody knows the password, and guesses codes."""
        return source.own is None and self._codes.is_too_often(name)

    def note_code(self, name: str, source: Source) -> None:
        """A code was wrong whose password was right."""
        if source.own is None:
            self._codes.note(name)

    def forget(self, name: str) -> None:
        """The name has a new password, or lost its second factor: counting begins anew."""
        self._since[name] += 1
        self._strangers.forget(name)
        self._codes.forget(name)

    def _budget(self, name: str, source: Source) -> tuple[tuple[Often, Daily], str]:
        since = self._since[name]
        if source.own is not None:
            return self._own, f"{since} {source.own} {name}"
        return self._pairs, f"{since} {source.address} {name}"
