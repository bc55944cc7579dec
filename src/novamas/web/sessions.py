"""Sessions: who is signed in, for which post, and whether the session is still valid.

A session's token authenticates its owner, so the server stores only the token's hash. A session
ends when it expires, when it is revoked, when a post was idle for too long, or when a player's own
limits say so. Its connections are then closed at once, on every server of the house.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from novamas.house.clock import monotonic
from novamas.house.encryption import SealingKey
from novamas.house.people import decide, events, second_factor
from novamas.house.people.decide import NameTakenError, RegisterError, ShutOutError
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.registry import Registry
from novamas.house.people.state import Person, Register, SignedIn, sound
from novamas.house.refusals import Problem
from novamas.house.views.event_view import Audience
from novamas.web import permissions
from novamas.web.factor_proofs import Factors, Site
from novamas.web.guess_throttle import GuessThrottle, Source
from novamas.web.passwords import BadPasswordError, Passwords, as_kept
from novamas.web.sign_in import Recognition, TooOftenError, WrongPasswordError

IDLE: Final = 15 * 60.0
"""Seconds of inactivity after which a staff session is locked; a player's seat is not a post."""
SHARED: Final = 3 * 60.0
"""How often, in seconds, the servers of one house share that a session is active."""
MOMENT: Final = 500
"""Milliseconds after which a session that was good is examined again."""
MARK: Final = 8
"""Number of letters of a session's hash that identify it in logs; they grant no access."""
AUDIENCES: Final = {
    Post.PLAYER: Audience.PUBLIC,
    Post.CROUPIER: Audience.STAFF,
    Post.CHIEF: Audience.STAFF,
    Post.CASHIER: Audience.STAFF,
    Post.AUDITOR: Audience.AUDITOR,
    Post.MANAGEMENT: Audience.AUDITOR,
}


@dataclass(frozen=True, slots=True)
class Session:
    """A person who is signed in for a post."""

    id: str
    name: str
    post: Post
    enrolling: bool = False
    """Whether a required second factor is missing; until it is enrolled, nothing else works."""

    @property
    def mark(self) -> str:
        """The short identifier of the session in logs and in the register."""
        return self.id[:MARK]

    @property
    def audience(self) -> Audience:
        """The audience as which this person sees the tables."""
        return AUDIENCES[self.post]

    @property
    def is_player(self) -> bool:
        """Whether this person is here as a player."""
        return self.post is Post.PLAYER

    def may(self, message: str) -> bool:
        """Whether the post of this session may send this message at a table."""
        return permissions.may(permissions.MESSAGES, message, self.post)


class Rate:
    """A token bucket: a rate per second, and a burst."""

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._each_second, self._most, self._clock = each_second, at_once, clock
        self._left, self._at = at_once, clock()

    def allows(self, cost: float = 1) -> bool:
        """Takes `cost` tokens; returns False if there are not enough."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._each_second)
        self._at = now
        if self._left < max(cost, 1):
            return False
        self._left -= cost
        return True


class People:
    """All signed-in people, on top of the house's register."""

    def __init__(
        self,
        registry: Registry,
        *,
        guest_money: int | None = None,
        passwords: Passwords | None = None,
        key: SealingKey | None = None,
        required: frozenset[Post] = second_factor.MUST_HAVE,
        idle: float = IDLE,
        is_shared: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.registry = registry
        self.guest_money = guest_money
        """The play money that a guest gets; None where playing needs an account."""
        self._passwords = passwords
        self.required = required
        """The posts that require a second factor."""
        self._idle = idle
        self._is_shared = is_shared
        """Whether other servers of the house have sessions too."""
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._good: dict[str, tuple[int, int, int]] = {}
        """Session → the state of the register and the moment in which it was good."""
        self.factors = Factors(key or SealingKey())
        """Checks second factors, with a key that is not in the store."""
        self._guesses = GuessThrottle(clock)
        self._recognition = Recognition(registry, passwords, self.factors, self._guesses)
        self._keys: dict[str, tuple[str, Post]] = {}
        self.ended: list[Callable[[str, str], None]] = []
        """Callbacks that get the id of each session that ends and the reason, to close its
        connections."""
        registry.on_change.append(self._heard)

    # Who somebody is ------------------------------------------------------------------------

    @property
    def is_local(self) -> bool:
        """Whether this is a local house, where guests play and one-time keys open the consoles."""
        return self.guest_money is not None

    def of(self, token: str | None, *, at_work: bool = True) -> Session | None:
        """Returns the session of a token if it is valid now; `at_work` counts this as activity."""
        if not token:
            return None
        id = digest(token)
        found = self.registry.register.sessions.get(id)
        if found is None or self.why_over(found) is not None:
            return None
        if at_work:
            self._seen[id] = self._clock()
        return self._session(found)

    def _session(self, found: SignedIn) -> Session:
        person = self.registry.register.person(found.name)
        is_missing = (
            person is not None
            and not self.is_local
            and second_factor.is_missing(person, found.post, self.required)
        )
        return Session(found.id, found.name, found.post, is_missing)

    async def known(self, token: str | None, *, at_work: bool = True) -> Session | None:
        """Like `of`, but also finds a session that another server opened a moment ago."""
        found = self.of(token, at_work=at_work)
        if found is None and token:
            await self.registry.read()
            found = self.of(token, at_work=at_work)
        return found

    def touch(self, session: Session) -> bool:
        """Records activity in a session; returns False if the session is over."""
        # A session that was good stays good until the register changes or a moment has passed.
        seconds = self._clock()
        moment = self.registry.head.seq, self.registry.now() // MOMENT, int(seconds)
        if self._good.get(session.id) != moment:
            found = self.registry.register.sessions.get(session.id)
            if found is None or self.why_over(found) is not None:
                return False
            self._good[session.id] = moment
        self._seen[session.id] = seconds
        return True

    def why_over(self, session: SignedIn) -> str | None:
        """Returns why a session has expired, or None if it has not."""
        now = self.registry.now()
        if now >= session.expires:
            return "its time is over"
        person = self.registry.register.person(session.name)
        if person is None or session.post not in person.posts:
            return "the post was taken away"
        if person.guest and not self.is_local:
            return "nobody is here without an account"
        if session.post is Post.PLAYER:
            if decide.is_time_over(self.registry.register, person, now):
                return "your own limit of time is reached"
            return "shut out" if person.is_excluded(now) else None
        is_idle = not person.guest and self._rested(session, now) > self._idle
        return "the post was idle; sign in again" if is_idle else None

    def _rested(self, session: SignedIn, now: int) -> float:
        """Returns the seconds of inactivity of a session, counting all servers of the house."""
        here = self._clock() - self._seen.setdefault(session.id, self._clock())
        # Activity on other servers is reported only at intervals.
        elsewhere = (now - session.seen) / 1000 - SHARED
        return min(here, elsewhere) if self._is_shared else here

    async def sweep(self) -> None:
        """Ends the sessions that have expired; called at intervals."""
        sessions = tuple(self.registry.register.sessions.values())
        over = {each.id: why for each in sessions if (why := self.why_over(each)) is not None}
        for id, why in over.items():
            await self.end(id, by="house", reason=why)
        if self._is_shared:
            await self._tell_who_works()

    async def _tell_who_works(self) -> None:
        """Shares active sessions with the other servers, if the last report is old enough."""
        now, clock = self.registry.now(), self._clock()
        works = [
            each.id
            for each in self.registry.register.sessions.values()
            if each.post is not Post.PLAYER
            and each.id in self._seen
            and now - (clock - self._seen[each.id]) * 1000 - each.seen >= SHARED * 1000
        ]
        if works:
            await self.registry.do(lambda r, _: decide.see_sessions(r, works))

    def _heard(self, event: RegisterEvent) -> None:
        if isinstance(event, events.PasswordSet | events.SecondFactorsReset):
            self._guesses.forget(sound(event.name))
        if isinstance(event, events.SessionEnded):
            self._seen.pop(event.session, None)
            self._good.pop(event.session, None)
            for listener in tuple(self.ended):
                listener(event.session, event.reason)

    # Signing in -----------------------------------------------------------------------------

    async def sign_in(
        self,
        name: str,
        password: str,
        post: Post,
        *,
        source: Source,
        new: str | None = None,
        code: str | None = None,
    ) -> tuple[str, Session]:
        """Signs somebody in by password; returns the token, which is shown once, and the session.

        A password that somebody else chose must be replaced with `new` at once. People with a
        second factor also give a `code`, or sign in with a passkey instead.
        """
        if self._passwords is None:
            raise WrongPasswordError
        is_stranger = source.own is None
        if is_stranger and self._guesses.is_address_shut(source.address):
            raise TooOftenError
        if is_stranger:
            self._guesses.note_address(source.address)
        await self.registry.read()
        called = self.registry.register.signing_in(name)
        person = await self._recognition.recognised(called, password, source, code=code)
        if is_stranger:
            self._guesses.take_back_address(source.address)
        now = self.registry.now()
        decide.require_fresh(person, now)
        decide.require_welcome(person, post, now)
        if person.is_lent and new is None:
            raise RegisterError(
                Problem.CHOSEN_BY_ANOTHER, "new: somebody else chose this password; choose your own"
            )
        used = self._recognition.check_code(person, code, source) if person.factors else None
        if new is not None:
            await self._replace_password(person, old=password, new=new)
        opened = await self._open(person.name, post, code=used)
        self._guesses.forgive(sound(person.name), source)
        return opened

    def known_source(self, name: str, *, address: str, device: str | None) -> Source:
        """Where a sign-in comes from, and whether that person used the device before."""
        person = self.registry.register.signing_in(name)
        if person is None:
            return Source(address)
        known = self.factors.known_device(device, person.name, self.registry.now())
        return Source(address, known and f"device {known}")

    async def sign_in_with_passkey(
        self, credential: dict[str, Any], post: Post, site: Site
    ) -> tuple[str, Session]:
        """Signs somebody in with a passkey that verified its user: two factors in one.

        A signature cannot be guessed, so no attempts are counted, and password guessing from the
        same address does not block this.
        """
        await self.registry.read()
        now = self.registry.now()
        signed = self.factors.signed(self.registry.register, credential, site, now=now)
        decide.require_welcome(signed.person, post, now)
        name = signed.person.name

        def use(register: Register) -> Iterable[RegisterEvent]:
            return second_factor.use_passkey(
                register,
                name,
                signed.factor.id,
                signed.count,
                challenge=signed.challenge,
                expires=signed.expires,
            )

        return await self._open(name, post, use=use)

    async def _open(
        self,
        name: str,
        post: Post,
        *,
        for_good: bool = False,
        code: tuple[str, int] | None = None,
        use: Callable[[Register], Iterable[RegisterEvent]] = lambda _: (),
    ) -> tuple[str, Session]:
        """Opens a session and uses up the proof of the second factor, in one decision."""
        token = secrets.token_urlsafe(32)
        id = digest(token)

        def enter(register: Register, now: int) -> Iterator[RegisterEvent]:
            if code is not None:
                yield from second_factor.use_code(register, name, *code)
            yield from use(register)
            yield from decide.open_session(register, name, post, id, now=now, for_good=for_good)

        await self.registry.do(enter)
        self._seen[id] = self._clock()
        return token, self._session(self.registry.register.sessions[id])

    async def guest(self, name: str | None = None) -> tuple[str, Session]:
        """Signs in a player without an account, with play money; only in a local house."""
        if self.guest_money is None:
            raise ShutOutError(Problem.NO_GUESTS, "nobody plays here without an account")
        money = self.guest_money
        if name is not None:
            name = decide.clean_name(name)
            if sound(name) in self._reserved():
                raise NameTakenError(Problem.NAME_TAKEN, f"the name {name!r} is taken")

        def enter(register: Register, _: int) -> list[RegisterEvent]:
            chosen = name or self._free_name(register)
            made = [*decide.register_person(register, chosen, [Post.PLAYER], by="house")]
            return [*made, *decide.give_play_money(chosen, money)]

        made = await self.registry.do(enter)
        (given,) = (each.name for each in made if isinstance(each, events.PersonRegistered))
        return await self._open(given, Post.PLAYER, for_good=True)

    async def at_table(self, name: str, *, by: str) -> str:
        """Returns the name of a player who plays without a screen of their own.

        With accounts, the person must be registered already. In a local house they become a guest
        without play money: their chips are paid for at the table.
        """
        person = self.registry.register.person(name)
        if person is None and not self.is_local:
            raise RegisterError(Problem.NOT_KNOWN, "player: nobody of that name is known here")
        if person is None:
            made = await self.registry.do(
                lambda register, _: decide.register_person(register, name, [Post.PLAYER], by=by)
            )
            (given,) = (each.name for each in made if isinstance(each, events.PersonRegistered))
            return given
        if person.is_excluded(self.registry.now()):
            raise ShutOutError(
                Problem.SHUT_OUT, "this player is self-excluded, and the house keeps to it"
            )
        if Post.PLAYER not in person.posts:
            raise RegisterError(Problem.NOT_KNOWN, f"player: {person.name} does not play here")
        return person.name

    def _free_name(self, register: Register) -> str:
        taken = self._reserved()
        names = (f"guest-{number}" for number in itertools.count(len(register.people) + 1))
        free = (each for each in names if decide.is_free(register, each))
        return next(each for each in free if sound(each) not in taken)

    def _reserved(self) -> set[str]:
        return {sound(name) for name, _ in self._keys.values()}

    def issue_key(self, name: str, post: Post) -> str:
        """Returns a one-time key for a console of a local house.

        It is typed after `--key`: no character of it may look like the dash of an option.
        """
        key = secrets.token_hex(20)
        self._keys[digest(key)] = (name, post)
        return key

    async def use_key(self, key: str) -> tuple[str, Session] | None:
        """Opens a console with a one-time key; returns None if the key is not valid."""
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
        await self.registry.do(lambda r, _: decide.end_session(r, id, by=by, reason=reason))

    async def register(
        self, name: str, password: str, posts: tuple[Post, ...], *, by: str
    ) -> Person:
        """Registers a person."""
        name = decide.clean_name(name)
        kept = await self.hashed(password, name=name)
        await self.registry.do(
            lambda r, _: decide.register_person(r, name, posts, by=by, password=kept)
        )
        return decide.known(self.registry.register, name)

    async def set_password(self, name: str, password: str, *, by: str) -> None:
        """Sets a password; every session of that person ends."""
        person = decide.known(self.registry.register, name)
        kept = await self.hashed(password, name=person.name)
        await self.registry.do(lambda r, _: decide.set_password(r, name, kept, by=by))

    async def confirm(self, session: Session, password: str) -> Person:
        """Checks the password of a session's owner and returns the person.

        Called before sensitive changes, for which a session alone is not enough.
        """
        person = self.registry.register.person(session.name)
        source = Source("", f"session {session.id}")
        return await self._recognition.recognised(person, password, source)

    async def change_password(self, session: Session, *, old: str, new: str) -> None:
        """Changes the session owner's own password."""
        person = await self.confirm(session, old)
        await self._replace_password(person, old=old, new=new)

    async def _replace_password(self, person: Person, *, old: str, new: str) -> None:
        if as_kept(old) == as_kept(new):
            raise BadPasswordError(Problem.SAME_AS_BEFORE, "password: another one than before")
        await self.set_password(person.name, new, by=person.name)

    async def end_others(self, session: Session, *, password: str) -> None:
        """Ends every other session of the owner; it needs the password as well as the session."""
        await self.confirm(session, password)
        await self.registry.do(
            lambda r, _: decide.end_sessions(
                r, session.name, by=session.name, reason="ended by its owner", but=session.id
            )
        )

    async def hashed(self, password: str, *, name: str) -> str:
        """Returns the hash of a password, or refuses one that is too weak for this person."""
        if self._passwords is None:
            raise RegisterError(
                Problem.NO_ACCOUNTS, "there are no accounts on a machine of one's own"
            )
        self._passwords.require_good(password, name=name)
        await self._passwords.require_not_stolen(password)
        return await self._passwords.hashed(password)


def digest(secret: str) -> str:
    """Hashes a token or key for lookup, so that the timing of the search reveals nothing."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
