"""People at the door: who is signed in, for which post, and whether he may still be.

Whoever holds a session's token is that person, so the house keeps only the token's hash. A session
ends when it is over, when it is taken away, when a post was idle for too long, or when a player's
own limits say so; whoever is connected by it is let go at once, on every server of the house.
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
"""Seconds after which a post at which nothing is done is locked; a player's seat is not a post."""
SHARED: Final = 3 * 60.0
"""How often, in seconds, the servers of one house tell each other that somebody is at work."""
MARK: Final = 8
"""So many letters of a session's hash tell it from others, and open nothing."""
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
    """Somebody who is signed in for a post."""

    id: str
    name: str
    post: Post
    enrolling: bool = False
    """Whether a second factor is missing that they must have: nothing else is done before."""

    @property
    def mark(self) -> str:
        """How the log of the server and the register's readers tell it from others."""
        return self.id[:MARK]

    @property
    def audience(self) -> Audience:
        """As whom he sees the tables."""
        return AUDIENCES[self.post]

    @property
    def is_player(self) -> bool:
        """Whether he is here to play."""
        return self.post is Post.PLAYER

    def may(self, message: str) -> bool:
        """Whether his post may ask for it at a table."""
        return permissions.may(permissions.MESSAGES, message, self.post)


class Rate:
    """Lets so many through in a second, and some more at once."""

    def __init__(
        self, each_second: float, at_once: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._each_second, self._most, self._clock = each_second, at_once, clock
        self._left, self._at = at_once, clock()

    def allows(self, cost: float = 1) -> bool:
        """Whether one more is let through now, or one that costs as much as several."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._each_second)
        self._at = now
        if self._left < max(cost, 1):
            return False
        self._left -= cost
        return True


class People:
    """Everybody who is signed in, on the house's register."""

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
        """What a guest is given to play with; None where nobody plays without an account."""
        self._passwords = passwords
        self.required = required
        """The posts that nobody holds here without a second factor."""
        self._idle = idle
        self._is_shared = is_shared
        """Whether other servers of the house see people too."""
        self._clock = clock
        self._seen: dict[str, float] = {}
        self.factors = Factors(key or SealingKey())
        """What checks second factors, with a key that is not in the store."""
        self._guesses = GuessThrottle(clock)
        self._recognition = Recognition(registry, passwords, self.factors, self._guesses)
        self._keys: dict[str, tuple[str, Post]] = {}
        self.ended: list[Callable[[str, str], None]] = []
        """Told of each session that ends, and why, so that its connections end too."""
        registry.on_change.append(self._heard)

    # Who somebody is ------------------------------------------------------------------------

    @property
    def is_local(self) -> bool:
        """Whether this is a machine of one's own, where guests play and keys open the consoles."""
        return self.guest_money is not None

    def of(self, token: str | None, *, at_work: bool = True) -> Session | None:
        """Whose token it is, if it is good now; whoever does more than look on is not idle."""
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
        """The same, of one who may have signed in at another server a moment ago."""
        found = self.of(token, at_work=at_work)
        if found is None and token:
            await self.registry.read()
            found = self.of(token, at_work=at_work)
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
        if person.guest and not self.is_local:
            return "nobody is here without an account"
        if session.post is Post.PLAYER:
            if decide.is_time_over(self.registry.register, person, now):
                return "your own limit of time is reached"
            return "shut out" if person.is_excluded(now) else None
        is_idle = not person.guest and self._rested(session, now) > self._idle
        return "the post was idle; sign in again" if is_idle else None

    def _rested(self, session: SignedIn, now: int) -> float:
        """For how many seconds nothing was done in a session, here or at another server."""
        here = self._clock() - self._seen.setdefault(session.id, self._clock())
        # Whoever works elsewhere is heard of now and then.
        elsewhere = (now - session.seen) / 1000 - SHARED
        return min(here, elsewhere) if self._is_shared else here

    async def sweep(self) -> None:
        """Ends what is over: called now and then."""
        sessions = tuple(self.registry.register.sessions.values())
        over = {each.id: why for each in sessions if (why := self.why_over(each)) is not None}
        for id, why in over.items():
            await self.end(id, by="house", reason=why)
        if self._is_shared:
            await self._tell_who_works()

    async def _tell_who_works(self) -> None:
        """Tells the other servers of the house, where they have not heard of it for a while."""
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
            for told in tuple(self.ended):
                told(event.session, event.reason)

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
        """Lets somebody in who knows the password; gives the token, which is told once.

        A password that somebody else chose lets nobody in but with a `new` one to take its place.
        Whoever has a second factor shows a `code` too, or signs in with a passkey instead.
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
        """Where somebody comes from: a device on which that person signed in before, or not."""
        person = self.registry.register.signing_in(name)
        if person is None:
            return Source(address)
        known = self.factors.known_device(device, person.name, self.registry.now())
        return Source(address, known and f"device {known}")

    async def sign_in_with_passkey(
        self, credential: dict[str, Any], post: Post, site: Site
    ) -> tuple[str, Session]:
        """Lets somebody in whose passkey verified its user: that is two factors in one.

        Nobody guesses a signature, so nothing is counted, and whoever guesses passwords at the same
        address keeps nobody out.
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
        """Opens a session, and uses up what proved the second factor, in one decision."""
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
        """Lets a player in without an account, with play money; on a machine of one's own."""
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
        """The name of somebody who plays without a screen of his own.

        In a house he is known already. On a machine of one's own he becomes a guest, without play
        money: his chips are paid for at the table.
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
                Problem.SHUT_OUT, "this player has shut himself out, and the house keeps to it"
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
        await self.registry.do(lambda r, _: decide.end_session(r, id, by=by, reason=reason))

    async def register(
        self, name: str, password: str, posts: tuple[Post, ...], *, by: str
    ) -> Person:
        """Makes somebody known to the house."""
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
        """Whose session it is, who knows the password too; a session alone is not enough."""
        person = self.registry.register.person(session.name)
        source = Source("", f"session {session.id}")
        return await self._recognition.recognised(person, password, source)

    async def change_password(self, session: Session, *, old: str, new: str) -> None:
        """Changes somebody's own password."""
        person = await self.confirm(session, old)
        await self._replace_password(person, old=old, new=new)

    async def _replace_password(self, person: Person, *, old: str, new: str) -> None:
        if as_kept(old) == as_kept(new):
            raise BadPasswordError(Problem.SAME_AS_BEFORE, "password: another one than before")
        await self.set_password(person.name, new, by=person.name)

    async def end_others(self, session: Session, *, password: str) -> None:
        """Ends every other session of somebody; a session alone is not enough for it."""
        await self.confirm(session, password)
        await self.registry.do(
            lambda r, _: decide.end_sessions(
                r, session.name, by=session.name, reason="ended by himself", but=session.id
            )
        )

    async def hashed(self, password: str, *, name: str) -> str:
        """The hash of a password that is good enough for somebody."""
        if self._passwords is None:
            raise RegisterError(
                Problem.NO_ACCOUNTS, "there are no accounts on a machine of one's own"
            )
        self._passwords.require_good(password, name=name)
        await self._passwords.require_not_stolen(password)
        return await self._passwords.hashed(password)


def digest(secret: str) -> str:
    """Tokens and keys are looked up by their hashes, so that the search tells nothing of them."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
