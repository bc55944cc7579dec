"""Decisions of the register: pure functions from the state and a request to events.

The permission matrix decides who may ask; here it is decided whether it can be done.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from novamas.game.errors import NovamasError
from novamas.house.people import events, names
from novamas.house.people.events import LimitKind, Post, RegisterEvent
from novamas.house.people.state import DAY, FOR_GOOD, Person, Register, sound
from novamas.house.refusals import Problem

LONGEST_NAME = 24
SCRIPT_NAMES = frozenset(
    (
        "__definegetter__ __definesetter__ __lookupgetter__ __lookupsetter__ __proto__ constructor"
        " hasownproperty isprototypeof propertyisenumerable tolocalestring tostring valueof"
    ).split()
)
"""Property names of every JavaScript object; as names of people they would collide."""
LARGEST = 10**12
SESSION = 12 * 60 * 60 * 1000
"""The longest that a session lasts."""
SESSIONS = 20
"""How many sessions a person may have at once; one more ends the oldest."""
FIRST_PASSWORD = 72 * 60 * 60 * 1000
"""How long a password that somebody else chose is valid."""
LOCKED_OUT = DAY
"""How long strangers need more than the password, once they have tried too often."""
LONGEST_REASON = 200


class RegisterError(NovamasError):
    """The request cannot be carried out; says why, and what to do."""

    def __init__(self, why: Problem, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        """A stable code for the reason, independent of the sentence."""


class NameTakenError(RegisterError):
    """A name that is not allowed, or that somebody has."""


class NoMoneyError(RegisterError):
    """The wallet holds too little, or a limit of the player's own is reached."""


class TakesTwoError(RegisterError):
    """One person alone may not do it: they request it, and another approves."""


class ShutOutError(RegisterError):
    """A person who may not sign in now."""


def clean_name(name: str) -> str:
    """Normalises a name; refuses names that look like others."""
    name = unicodedata.normalize("NFC", name).strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise NameTakenError(
            Problem.NAME_NOT_VALID, f"a name has 1 to {LONGEST_NAME} printable characters"
        )
    flaw = names.flaw(name)
    if flaw is not None:
        raise NameTakenError(Problem.NAME_NOT_VALID, flaw)
    first = names.shape(name).partition(" ")[0]
    is_taken = first in names.HOUSE_NAMES or sound(name) in SCRIPT_NAMES
    if is_taken or ":" in name:
        raise NameTakenError(Problem.NAME_TAKEN, f"the name {name!r} is taken")
    if "/" in name or not name.strip("."):
        # Names are part of URLs, for instance to end somebody's sessions.
        raise NameTakenError(Problem.NAME_NOT_VALID, "a name has no slash, and not dots alone")
    return name


def is_free(register: Register, name: str, posts: Sequence[Post] = (Post.PLAYER,)) -> bool:
    """Whether a name, and all that look like it, are free; no player has a staff name."""
    if sound(name) in register.people or register.signing_in(name) is not None:
        return False
    if set(posts) == {Post.PLAYER} and names.shape(name) in names.STAFF_NAMES:
        return False
    return names.like(name, (each.name for each in register.people.values())) is None


def register_person(
    register: Register,
    name: str,
    posts: Sequence[Post],
    *,
    by: str,
    password: str | None = None,
) -> Iterator[RegisterEvent]:
    """Registers a person; without a password, a guest."""
    name = clean_name(name)
    if not is_free(register, name, posts):
        raise NameTakenError(Problem.NAME_TAKEN, f"the name {name!r} is taken")
    if not posts:
        raise RegisterError(Problem.NO_POST, "posts: a person has at least one")
    guest = password is None
    yield events.PersonRegistered(name=name, posts=tuple(posts), by=by, guest=guest)
    if password is not None:
        yield events.PasswordSet(name=name, password=password, by=by)


def set_password(
    register: Register, name: str, password: str, *, by: str
) -> Iterator[RegisterEvent]:
    """Sets a password; every session of that person ends."""
    person = known(register, name)
    if person.guest:
        raise RegisterError(Problem.IS_A_GUEST, "name: a guest has no password")
    yield events.PasswordSet(name=person.name, password=password, by=by)
    yield from end_sessions(register, person.name, by=by, reason="the password was changed")


def choose_sign_in_name(register: Register, name: str, chosen: str) -> Iterator[RegisterEvent]:
    """Lets a person sign in under a private name, and no longer under their public one."""
    person, chosen = known(register, name), clean_name(chosen)
    if sound(chosen) == person.sign_in:
        return
    if sound(chosen) in register.people or register.signing_in(chosen) is not None:
        raise NameTakenError(
            Problem.NAME_TAKEN, "name: another than people see, and that nobody else has"
        )
    yield events.SignInNameChosen(name=person.name, sign_in=chosen)


def change_posts(
    register: Register, name: str, posts: Sequence[Post], *, by: str, reason: str
) -> Iterator[RegisterEvent]:
    """Changes posts; sessions for a removed post end at once."""
    person = known(register, name)
    if sound(by) == sound(person.name):
        raise RegisterError(
            Problem.OWN_POSTS, "nobody changes their own posts; another chief does it"
        )
    after = tuple(post for post in Post if post in posts)
    if after == person.posts:
        return
    yield events.PostsChanged(
        name=person.name, before=person.posts, posts=after, by=by, reason=require_reason(reason)
    )
    for session in register.sessions.values():
        if session.name == person.name and session.post not in after:
            why = f"no longer {session.post}"
            yield events.SessionEnded(session=session.id, by=by, reason=why)


def open_session(
    register: Register, name: str, post: Post, session: str, *, now: int, for_good: bool = False
) -> Iterator[RegisterEvent]:
    """Opens a session for one of a person's posts; they were authenticated before.

    A guest has nothing but the session: it lasts `for_good`, as long as the house's store.
    """
    person = known(register, name)
    require_welcome(person, post, now)
    expires = FOR_GOOD if for_good else now + SESSION
    if post is Post.PLAYER and is_time_over(register, person, now):
        raise ShutOutError(
            Problem.OWN_TIME, "your own limit of minutes in a day is reached; come back later"
        )
    if not person.guest:
        mine = [each for each in register.sessions.values() if each.name == person.name]
        for each in mine[: max(0, len(mine) + 1 - SESSIONS)]:
            why = "signed in elsewhere too often"
            yield events.SessionEnded(session=each.id, by="house", reason=why)
    yield events.SessionOpened(session=session, name=person.name, post=post, expires=expires)


def require_welcome(person: Person, post: Post, now: int) -> None:
    """Refuses a person who may not sign in now for this post."""
    if post is Post.PLAYER and person.is_excluded(now):
        raise ShutOutError(
            Problem.SHUT_OUT, "this player is self-excluded, and the house keeps to it"
        )
    if post not in person.posts:
        raise ShutOutError(Problem.NOT_THEIR_POST, f"post: {person.name} is not {post} here")


def is_time_over(register: Register, person: Person, now: int) -> bool:
    """Whether a player has used up the minutes of their own daily limit."""
    minutes = person.limit(LimitKind.MINUTES, now)
    return minutes is not None and register.player_time(person, now) >= minutes * 60_000


def require_fresh(person: Person, now: int) -> None:
    """Refuses a password that somebody else chose, if its owner did not replace it in time."""
    if person.is_lent and now >= person.password_set + FIRST_PASSWORD:
        raise RegisterError(
            Problem.FIRST_ONE_EXPIRED,
            "this first password was good for 72 hours; ask a chief for another",
        )


def end_session(
    register: Register, session: str, *, by: str, reason: str
) -> Iterator[RegisterEvent]:
    """Ends a session."""
    if session in register.sessions:
        yield events.SessionEnded(session=session, by=by, reason=require_reason(reason))


def end_sessions(
    register: Register,
    name: str,
    *,
    by: str,
    reason: str,
    post: Post | None = None,
    but: str | None = None,
) -> Iterator[RegisterEvent]:
    """Ends every session of a person, or those for one post; except `but`, if it is given."""
    for each in register.sessions.values():
        if sound(each.name) == sound(name) and post in (None, each.post) and each.id != but:
            yield events.SessionEnded(session=each.id, by=by, reason=require_reason(reason))


def see_sessions(register: Register, seen: Sequence[str]) -> Iterator[RegisterEvent]:
    """Records active sessions, for the other servers of the house."""
    yield from (events.SessionSeen(session=id) for id in seen if id in register.sessions)


def lock(register: Register, name: str, *, now: int, reason: str) -> Iterator[RegisterEvent]:
    """Makes strangers need more than the password for a while: too many tried and failed."""
    person = register.person(name)
    if person is not None:
        yield events.PersonLocked(name=person.name, until=now + LOCKED_OUT, reason=reason)


# The cash desk ------------------------------------------------------------------------------------


def take_cash(
    register: Register, name: str, amount: int, *, id: str, by: str, now: int, by_two: bool = False
) -> Iterator[RegisterEvent]:
    """A player pays cash in; one person alone may take only so much from them in a day."""
    person = _customer(register, name, by=by)
    amount = require_amount(amount)
    if person.is_excluded(now):
        raise ShutOutError(
            Problem.SHUT_OUT, "this player is self-excluded: they may be paid, but not buy in"
        )
    if not by_two and person.credited_in_a_day(now) + amount > register.alone.desk:
        left = max(0, register.alone.desk - person.credited_in_a_day(now))
        raise TakesTwoError(
            Problem.TAKES_TWO, f"amount: one person takes {left} more of them today; two take more"
        )
    yield events.CashTaken(id=id, name=person.name, amount=amount, by=by)


def pay_cash(
    register: Register, name: str, amount: int, *, id: str, by: str
) -> Iterator[RegisterEvent]:
    """A player is paid out of their wallet."""
    person = _customer(register, name, by=by)
    amount = require_amount(amount)
    if amount > register.has(person.name):
        raise NoMoneyError(
            Problem.NO_MONEY, f"amount: there are {register.has(person.name)} in the wallet"
        )
    yield events.CashPaid(id=id, name=person.name, amount=amount, by=by)


def _customer(register: Register, name: str, *, by: str) -> Person:
    """Returns a player at the cash desk; refuses guests, whose play money is never paid out."""
    person = _player(register, name)
    if person.guest:
        raise RegisterError(Problem.IS_A_GUEST, "name: a guest has play money alone")
    if sound(by) == sound(person.name):
        raise RegisterError(Problem.OWN_CASH, "nobody serves themselves at the cash desk")
    return person


def give_play_money(name: str, amount: int) -> Iterator[RegisterEvent]:
    """Gives play money to a new guest of a local house."""
    if amount:
        id = f"play money of {name}"
        yield events.CashTaken(id=id, name=name, amount=amount, by="house", play_money=True)


def require_may_buy(
    register: Register,
    person: Person,
    amount: int,
    *,
    now: int,
    cash: bool,
    pending: int = 0,
    spent: int = 0,
) -> None:
    """Raises an error if a player may not, or cannot, pay for chips now.

    Cash paid at the table does not touch the wallet, but the player's own limit and exclusion apply
    to it too. `pending` is the earlier change of the wallet in the same commit, and `spent` what
    that commit already counts towards the limit.
    """
    if Post.PLAYER not in person.posts:
        raise RegisterError(Problem.NOT_KNOWN, f"player: {person.name} does not play here")
    if person.is_excluded(now):
        raise ShutOutError(Problem.SHUT_OUT, "you have shut yourself out")
    held = register.has(person.name) + pending
    if not cash and amount > held:
        raise NoMoneyError(Problem.NO_MONEY, f"amount: you have {held}")
    most = person.limit(LimitKind.SPEND, now)
    if most is not None and person.spent_in_a_day(now) + spent + amount > most:
        left = max(0, most - person.spent_in_a_day(now) - spent)
        raise NoMoneyError(
            Problem.OWN_LIMIT, f"amount: your own limit of {most} a day leaves {left}"
        )


# A player's own protection ------------------------------------------------------------------------


def set_limit(
    register: Register, name: str, kind: LimitKind, amount: int | None, *, now: int
) -> Iterator[RegisterEvent]:
    """Sets a player's own limit: a lower one at once, a higher one after a day."""
    person = _player(register, name)
    if amount is not None:
        amount = require_amount(amount)
    held = person.limit(kind, now)
    is_lower = amount is not None and (held is None or amount <= held)
    waits = held is not None and not is_lower
    binds = now + DAY if waits else now
    yield events.LimitSet(name=person.name, kind=kind, amount=amount, binds=binds)


def exclude(
    register: Register, name: str, until: int | None, *, now: int
) -> Iterator[RegisterEvent]:
    """Excludes a player at their own wish: at once, for at least a day, and never shortened."""
    person = _player(register, name)
    end = FOR_GOOD if until is None else until
    if end < now + DAY:
        raise RegisterError(Problem.SHUT_OUT_FOR_A_DAY, "until: a day from now at least")
    if end < person.excluded_until:
        raise RegisterError(
            Problem.SHUT_OUT_FOR_LONGER, "until: not before the end of what stands already"
        )
    yield events.Excluded(name=person.name, until=until)
    yield from end_sessions(
        register, person.name, by=person.name, reason="shut out", post=Post.PLAYER
    )


# What all of them need ----------------------------------------------------------------------------


def known(register: Register, name: str) -> Person:
    """Returns a registered person, or raises."""
    person = register.person(name)
    if person is None:
        raise RegisterError(Problem.NOT_KNOWN, "name: nobody of that name is known here")
    return person


def _player(register: Register, name: str) -> Person:
    person = known(register, name)
    if Post.PLAYER not in person.posts:
        raise RegisterError(Problem.NOT_KNOWN, f"name: {person.name} does not play here")
    return person


def require_amount(amount: int) -> int:
    """Checks that an amount is a whole number above zero."""
    if not 0 < amount <= LARGEST:
        raise RegisterError(
            Problem.AMOUNT_NOT_POSITIVE, f"amount: a whole number from 1 to {LARGEST}"
        )
    return amount


def require_reason(text: str) -> str:
    """Checks that a reason can be recorded."""
    if len(text) > LONGEST_REASON or not text.isprintable():
        raise RegisterError(
            Problem.REASON_NOT_VALID, f"reason: at most {LONGEST_REASON} printable characters"
        )
    return text
