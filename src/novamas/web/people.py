"""People at the door: who is signed in, for which post, and whether he may still be.

Whoever holds a session's token is that person, so the house keeps only the token's hash. A session
ends when it is over, when it is taken away, when a post was idle for too long, or when a player's
own limits say so; whoever is connected by it is let go at once, on every server of the house.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from novamas.house.register import deciding, events
from novamas.house.register.deciding import NameTakenError, RegisterError, ShutOutError
from novamas.house.register.events import LimitKind, Post, RegisterEvent
from novamas.house.register.keeping import Registry
from novamas.house.register.state import Person, Register, SignedIn, sound
from novamas.house.views import Audience
from novamas.web import permissions
from novamas.web.passwords import Passwords

IDLE: Final = 15 * 60.0
"""Seconds after which a post at which nothing is done is locked; a player's seat is not a post."""
FAILURES, FAILED_IN = 5, 15 * 60.0
"""So many wrong passwords for a name within so many seconds lock it."""
TRIES, TRIED_IN = 20, 60.0
"""How often one address may try to sign in, and in how many seconds."""
AUDIENCES: Final = {
    Post.PLAYER: Audience.PUBLIC,
    Post.CROUPIER: Audience.STAFF,
    Post.CHIEF: Audience.STAFF,
    Post.CASHIER: Audience.STAFF,
    Post.AUDITOR: Audience.AUDITOR,
    Post.MANAGEMENT: Audience.AUDITOR,
}


class WrongPasswordError(Exception):
    """The name or the password is wrong; which of them is not said."""


class TooOftenError(Exception):
    """Somebody tries too often."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in for a post."""

    id: str
    name: str
    post: Post

    @property
    def audience(self) -> Audience:
        """As whom he sees the tables."""
        return AUDIENCES[self.post]

    @property
    def is_player(self) -> bool:
        """Whether he is here to play."""
        return self.post is Post.PLAYER

    def may(self, message: str) -> bool:
        """Whether his post may ask for it at a table; the management of one's own machine, all."""
        if self.post is Post.MANAGEMENT:
            return True
        return permissions.may(permissions.MESSAGES, message, self.post)


class Often:
    """Counts how often something was done lately, by whom."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._times: dict[str, deque[float]] = defaultdict(deque)

    def is_too_often(self, who: str) -> bool:
        """Whether it was done so often that it must wait."""
        times = self._times[who]
        while times and times[0] <= self._clock() - self._seconds:
            times.popleft()
        if not times:
            del self._times[who]
        return len(times) >= self._most

    def note(self, who: str) -> None:
        """It was done once more."""
        self._times[who].append(self._clock())

    def forget(self, who: str) -> None:
        """It begins anew."""
        self._times.pop(who, None)


class Rate:
    """Lets so many through in a second, and some more at once."""

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._each_second, self._most, self._clock = each_second, at_once, clock
        self._left, self._at = at_once, clock()

    def allows(self) -> bool:
        """Whether one more is let through now."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._each_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class People:
    """Everybody who is signed in, on the house's register."""

    def __init__(
        self,
        registry: Registry,
        *,
        guest_money: int | None = None,
        passwords: Passwords | None = None,
        idle: float = IDLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.registry = registry
        self.guest_money = guest_money
        """What a guest is given to play with; None where nobody plays without an account."""
        self._passwords = passwords
        self._idle = idle
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._failures = Often(FAILURES, FAILED_IN, clock)
        self._tries = Often(TRIES, TRIED_IN, clock)
        self._keys: dict[str, tuple[str, Post]] = {}
        self.ended: list[Callable[[str, str], None]] = []
        """Told of each session that ends, and why, so that its connections end too."""
        registry.on_change.append(self._heard)

    # Who somebody is ------------------------------------------------------------------------

    def of(self, token: str | None) -> Session | None:
        """Whose token it is, if it is good now; whoever asks is not idle."""
        if not token:
            return None
        id = digest(token)
        found = self.registry.register.sessions.get(id)
        if found is None or self.why_over(found) is not None:
            return None
        self._seen[id] = self._clock()
        return Session(id, found.name, found.post)

    async def known(self, token: str | None) -> Session | None:
        """The same, of one who may have signed in at another server a moment ago."""
        found = self.of(token)
        if found is None and token:
            await self.registry.read()
            found = self.of(token)
        return found

    def touch(self, session: Session) -> bool:
        """Notes that somebody did something; False if his session is over."""
        found = self.registry.register.sessions.get(session.id)
        if found is None or self.why_over(found) is not None:
            return False
        self._seen[session.id] = self._clock()
        return True

    def why_over(self, session: SignedIn) -> str | None:
        """Why a session is over, though nobody has ended it."""
        now = self.registry.now()
        if now >= session.expires:
            return "its time is over"
        person = self.registry.register.person(session.name)
        if person is None or session.post not in person.posts:
            return "the post was taken away"
        if session.post is Post.PLAYER:
            minutes = person.limit(LimitKind.MINUTES, now)
            if minutes is not None and now >= session.opened + minutes * 60_000:
                return "your own limit of time is reached"
            return "shut out" if person.is_excluded(now) else None
        seen = self._seen.setdefault(session.id, self._clock())
        is_local = person.guest
        if not is_local and self._clock() - seen > self._idle:
            return "the post was idle; sign in again"
        return None

    async def sweep(self) -> None:
        """Ends what is over: called now and then."""
        sessions = tuple(self.registry.register.sessions.values())
        over = {each.id: why for each in sessions if (why := self.why_over(each)) is not None}
        for id, why in over.items():
            await self.end(id, by="house", reason=why)

    def _heard(self, event: RegisterEvent) -> None:
        if isinstance(event, events.SessionEnded):
            self._seen.pop(event.session, None)
            for told in tuple(self.ended):
                told(event.session, event.reason)

    # Signing in -----------------------------------------------------------------------------

    async def sign_in(
        self, name: str, password: str, post: Post, *, address: str
    ) -> tuple[str, Session]:
        """Lets somebody in who knows his password; gives his token, which is told once."""
        if self._passwords is None:
            raise WrongPasswordError
        if self._tries.is_too_often(address):
            raise TooOftenError
        self._tries.note(address)
        await self.registry.read()
        person = self.registry.register.person(name)
        kept = person.password if person is not None else None
        right = await self._passwords.is_right(kept, password)
        if not right or person is None:
            await self._failed(name)
            raise WrongPasswordError
        now = self.registry.now()
        deciding.require_welcome(person, post, now)
        self._failures.forget(sound(name))
        return await self._open(person.name, post)

    async def _failed(self, name: str) -> None:
        self._failures.note(sound(name))
        if self._failures.is_too_often(sound(name)):
            self._failures.forget(sound(name))
            why = f"{FAILURES} wrong passwords"
            await self.registry.do(lambda r, now: deciding.lock(r, name, now=now, reason=why))

    async def _open(self, name: str, post: Post, *, for_good: bool = False) -> tuple[str, Session]:
        token = secrets.token_urlsafe(32)
        id = digest(token)
        await self.registry.do(
            lambda r, now: deciding.open_session(r, name, post, id, now=now, for_good=for_good)
        )
        self._seen[id] = self._clock()
        return token, Session(id, name, post)

    async def guest(self, name: str | None = None) -> tuple[str, Session]:
        """Lets a player in without an account, with play money; on a machine of one's own."""
        if self.guest_money is None:
            raise ShutOutError("nobody plays here without an account")
        money = self.guest_money
        if name is not None:
            name = deciding.clean_name(name)
            if sound(name) in self._reserved():
                raise NameTakenError(f"the name {name!r} is taken")

        def enter(register: Register, _: int) -> list[RegisterEvent]:
            chosen = name or self._free_name(register)
            made = [*deciding.register_person(register, chosen, [Post.PLAYER], by="house")]
            return [*made, *deciding.give_play_money(register, chosen, money)]

        made = await self.registry.do(enter)
        first = made[0]
        assert isinstance(first, events.PersonRegistered)  # noqa: S101 - what was just decided
        return await self._open(first.name, Post.PLAYER, for_good=True)

    def _free_name(self, register: Register) -> str:
        taken = {*register.people, *self._reserved()}
        names = (f"guest-{number}" for number in itertools.count(len(register.people) + 1))
        return next(each for each in names if sound(each) not in taken)

    def _reserved(self) -> set[str]:
        return {sound(name) for name, _ in self._keys.values()}

    def issue_key(self, name: str, post: Post) -> str:
        """A one-time key for a console on a machine of one's own."""
        key = secrets.token_urlsafe(24)
        self._keys[digest(key)] = (name, post)
        return key

    async def use_key(self, key: str) -> tuple[str, Session] | None:
        """Opens a console; the key is good once."""
        found = self._keys.pop(digest(key), None)
        if found is None:
            return None
        name, post = found

        def enter(register: Register, _: int) -> list[RegisterEvent]:
            if register.person(name) is not None:
                return []
            return [events.PersonRegistered(name=name, posts=(post,), by="house", guest=True)]

        await self.registry.do(enter)
        return await self._open(name, post, for_good=True)

    # Signing out, passwords -----------------------------------------------------------------

    async def end(self, id: str, *, by: str, reason: str) -> None:
        """Ends a session."""
        await self.registry.do(lambda r, _: deciding.end_session(r, id, by=by, reason=reason))

    async def register(
        self, name: str, password: str, posts: tuple[Post, ...], *, by: str
    ) -> Person:
        """Makes somebody known to the house."""
        name = deciding.clean_name(name)
        kept = await self._hashed(password, name=name)
        await self.registry.do(
            lambda r, _: deciding.register_person(r, name, posts, by=by, password=kept)
        )
        return deciding.known(self.registry.register, name)

    async def set_password(self, name: str, password: str, *, by: str) -> None:
        """Sets a password; every session of that person ends."""
        person = deciding.known(self.registry.register, name)
        if person.guest:
            raise RegisterError("name: a guest has no password")
        kept = await self._hashed(password, name=person.name)
        await self.registry.do(lambda r, _: deciding.set_password(r, name, kept, by=by))

    async def is_right(self, name: str, password: str) -> bool:
        """Whether it is somebody's password."""
        person = self.registry.register.person(name)
        if self._passwords is None or person is None:
            return False
        return await self._passwords.is_right(person.password, password)

    async def _hashed(self, password: str, *, name: str) -> str:
        if self._passwords is None:
            raise RegisterError("there are no accounts on a machine of one's own")
        self._passwords.require_good(password, name=name)
        return await self._passwords.hashed(password)


def digest(secret: str) -> str:
    """Tokens and keys are looked up by their hashes, so that the search tells nothing of them."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
