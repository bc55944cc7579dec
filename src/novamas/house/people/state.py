"""The state of the register: who is registered, who is signed in, and what each wallet holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from novamas.house.people import events
from novamas.house.people.events import ActForTwo, LimitKind, Post, RegisterEvent
from novamas.house.table.events import CASH_ALONE
from novamas.table.accounts import Transfer

DAY = 24 * 60 * 60 * 1000
"""Milliseconds of a day; limits count over a day, and a higher limit waits a day."""
FOR_GOOD = 2**62
MACHINE = "machine"
"""The actor of what is done at the machine of the store: not a person who could sign in."""
CASH, PLAY_MONEY = "cash", "play money"
"""The accounts that issue money: the cash desk's, and a local house's play money."""
TABLES = "tables"
"""The account of all tables of version 0.1.0; empty once they are migrated."""


def wallet(name: str) -> str:
    """The account of a person's wallet."""
    return f"wallet:{name}"


def table_account(table: str) -> str:
    """The account of everything that a table holds from wallets and the cash desk."""
    return f"table:{table}"


@lru_cache(maxsize=8192)
def sound(name: str) -> str:
    """A name as it is compared: upper case and full-width letters make no difference."""
    return unicodedata.normalize("NFKC", name).casefold()


FactorEvent = (
    events.TotpEnrolled
    | events.TotpResealed
    | events.PasskeyEnrolled
    | events.SecondFactorUsed
    | events.SecondFactorRemoved
    | events.SecondFactorsReset
)
"""Events of second factors."""


CarriedEvent = (
    events.ChipsTaken
    | events.ChipsArrived
    | events.ChipsGivenBack
    | events.ChipsBrought
    | events.BooksCarriedOver
)
"""Events of version 0.1.0 about money between wallets and tables, and of its migration."""


class FactorKind(StrEnum):
    """The kinds of second factor."""

    TOTP = "totp"
    """An app that shows codes which are valid for half a minute."""
    PASSKEY = "passkey"


@dataclass(frozen=True, slots=True)
class Factor:
    """A second factor of a person."""

    id: str
    kind: FactorKind
    label: str
    enrolled: int
    counter: int
    """The last time step or signature count that was used: only a later one is valid."""
    used: int | None = None
    """When it was last used to sign in."""
    sealed: str = field(default="", repr=False)
    """The encrypted secret of a TOTP."""
    credential: str = ""
    public_key: str = ""


@dataclass(slots=True)
class Person:
    """A registered person."""

    name: str
    posts: tuple[Post, ...]
    guest: bool
    password: str | None = field(default=None, repr=False)
    is_lent: bool = False
    """Whether somebody else chose the password: then it only serves to choose a new one."""
    password_set: int = 0
    """When the password was set."""
    sign_in: str = field(default="", repr=False)
    """The private name to sign in with, as it is compared, if it is not `name`."""
    factors: dict[str, Factor] = field(default_factory=dict)
    """Second factors by id."""
    locked_until: int = 0
    """Until then strangers need more than the password."""
    signed_in: list[tuple[int, int]] = field(default_factory=list)
    """Start and end of each session as a player that ended in the last day."""
    excluded_until: int = 0
    limits: dict[LimitKind, list[tuple[int, int | None]]] = field(default_factory=dict)
    """From when on each limit applies, in the order in which they were set."""
    spent: list[tuple[int, int]] = field(default_factory=list)
    """When and how much money went to the tables, or came back."""
    credited: list[tuple[int, int]] = field(default_factory=list)
    """When and how much cash the desk took for the wallet, since two people last checked."""
    made_by: dict[str, int] = field(default_factory=dict)
    """By the compared form of a name, when that person last changed this one's account.

    They registered them, gave them posts, set their password or their second factor, or approved
    it.
    """

    def limit(self, kind: LimitKind, now: int) -> int | None:
        """The limit that applies now."""
        binding = [amount for since, amount in self.limits.get(kind, ()) if since <= now]
        return binding[-1] if binding else None

    def coming(self, kind: LimitKind, now: int) -> tuple[int, int | None] | None:
        """A higher limit that does not apply yet, and when it will."""
        waiting = [each for each in self.limits.get(kind, ()) if each[0] > now]
        return waiting[-1] if waiting else None

    def spent_in_a_day(self, now: int) -> int:
        """Money taken to the tables in the last day, less what came back."""
        return sum(amount for at, amount in self.spent if at > now - DAY)

    def spend(self, amount: int, at: int) -> None:
        """Records money that went to the tables or came back; forgets what is older than a day."""
        old = 0
        while old < len(self.spent) and self.spent[old][0] <= at - DAY:
            old += 1
        del self.spent[:old]
        self.spent.append((at, amount))

    def credit(self, amount: int, at: int) -> None:
        """Records what the cash desk took; forgets what is older than a day."""
        self.credited[:] = [each for each in self.credited if each[0] > at - DAY]
        self.credited.append((at, amount))

    def credited_in_a_day(self, now: int) -> int:
        """What one person alone took at the cash desk in the last day."""
        return sum(amount for at, amount in self.credited if at > now - DAY)

    def is_excluded(self, now: int) -> bool:
        """Whether they have excluded themselves."""
        return now < self.excluded_until


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that waits for a second person."""

    request: events.ApprovalRequested
    at: int
    """When it was requested."""


@dataclass(frozen=True, slots=True)
class AloneLimits:
    """How much one person may take alone; larger amounts need two."""

    desk: int = 1_000_000
    """For a wallet at the cash desk, in a day."""
    table: int = CASH_ALONE
    """For chips at a table, from one player; a table keeps the value from when it was set up."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session as the register has it."""

    id: str
    name: str
    post: Post
    opened: int
    expires: int
    seen: int
    """When it was last known to be active, on any server."""


@dataclass(slots=True)
class Register:
    """All people, their sessions and their wallets."""

    people: dict[str, Person] = field(default_factory=dict)
    """By the compared form of their names."""
    sessions: dict[str, SignedIn] = field(default_factory=dict)
    wallets: dict[str, int] = field(default_factory=dict)
    challenges: dict[str, int] = field(default_factory=dict)
    """Hashes of challenges that passkeys have signed → when they expire."""
    pending: dict[str, Pending] = field(default_factory=dict)
    """Requests that wait for a second person, by id."""
    alone: AloneLimits = field(default_factory=AloneLimits)
    under_way: dict[str, dict[str, events.ChipsTaken]] = field(default_factory=dict)
    """Table → command → money that version 0.1.0 took and has not settled."""
    carried: dict[str, int] = field(default_factory=dict)
    """Table of version 0.1.0 → the last event that its old accounts cover."""

    def person(self, name: str) -> Person | None:
        """A person by name, in any spelling that compares equal."""
        return self.people.get(sound(name))

    def signing_in(self, name: str) -> Person | None:
        """The person who signs in under a name: the private one, if they chose one."""
        called = sound(name)
        person = self.people.get(called)
        if person is not None and not person.sign_in:
            return person
        return next((each for each in self.people.values() if each.sign_in == called), None)

    def has(self, name: str) -> int:
        """The balance of a wallet."""
        return self.wallets.get(name, 0)

    def is_led(self) -> bool:
        """Whether there is somebody who can sign in and register others."""
        return any(not person.guest for person in self.holders(Post.CHIEF))

    def player_time(self, person: Person, now: int) -> int:
        """Milliseconds of the last day in which somebody was signed in as a player.

        Overlapping sessions count once.
        """
        still = [
            (each.opened, min(now, each.expires))
            for each in self.sessions.values()
            if each.name == person.name and each.post is Post.PLAYER
        ]
        total, reached = 0, now - DAY
        for since, until in sorted([*person.signed_in, *still]):
            total += max(0, until - max(since, reached))
            reached = max(reached, until)
        return total

    def holders(self, post: Post) -> Iterator[Person]:
        """The people who may hold a post."""
        return (person for person in self.people.values() if post in person.posts)


def transfers(event: RegisterEvent, register: Register) -> tuple[Transfer, ...]:
    """The transfers of an event; `register` is the state right before it."""
    match event:
        case events.CashTaken():
            source = PLAY_MONEY if event.play_money else CASH
            return (Transfer(source, wallet(event.name), event.amount),)
        case events.CashPaid():
            return (Transfer(wallet(event.name), CASH, event.amount),)
        case events.ChipsSold(cash=False):
            return (Transfer(wallet(event.name), table_account(event.table), event.amount),)
        case events.ChipsRedeemed():
            return (Transfer(table_account(event.table), wallet(event.name), event.amount),)
        case events.DeskIssued():
            return (Transfer(CASH, table_account(event.table), event.amount),)
        case events.DeskReceived():
            return (Transfer(table_account(event.table), CASH, event.amount),)
        case _:
            return _carried_transfers(event, register)


def _carried_transfers(event: RegisterEvent, register: Register) -> tuple[Transfer, ...]:
    """The transfers of version 0.1.0's events between wallets and tables."""
    match event:
        case events.ChipsTaken(cash_to=None):
            return (Transfer(wallet(event.name), TABLES, event.amount),)
        case events.ChipsGivenBack():
            taken = register.under_way[event.table][event.command]
            if taken.cash_to is not None:
                return ()  # Cash was paid at the table, and is returned there.
            return (Transfer(TABLES, wallet(taken.name), taken.amount),)
        case events.ChipsBrought() if event.amount:
            return (Transfer(TABLES, wallet(event.name), event.amount),)
        case events.BooksCarriedOver():
            return _signed(
                Transfer(TABLES, table_account(event.table), event.wallets),
                Transfer(CASH, table_account(event.table), event.desk),
            )
        case _:
            return ()


def _signed(*moved: Transfer) -> tuple[Transfer, ...]:
    """Turns negative transfers around, and leaves out zeros."""
    return tuple(
        each
        if each.amount > 0
        else each._replace(source=each.target, target=each.source, amount=-each.amount)
        for each in moved
        if each.amount
    )


def evolve(register: Register, event: RegisterEvent, at: int) -> None:  # noqa: C901, PLR0912, PLR0915 - one case an event
    """Applies an event that was recorded at this time."""
    for source, target, amount in transfers(event, register):
        for account, change in ((source, -amount), (target, amount)):
            kind, _, name = account.partition(":")
            if kind == "wallet":
                register.wallets[name] = register.wallets.get(name, 0) + change
    match event:
        case events.PersonRegistered():
            register.people[sound(event.name)] = Person(event.name, event.posts, event.guest)
            tie(register, event.name, event.by, at)
        case events.PasswordSet():
            person = _known(register, event.name)
            person.password, person.password_set = event.password, at
            person.locked_until = 0
            tie(register, event.name, event.by, at)
            other = register.person(event.by)
            chosen_by_another = other is not None and other is not person
            person.is_lent = chosen_by_another or event.by == MACHINE
            if other is not person:
                person.sign_in = ""  # They may have forgotten this too.
        case events.AccessRestored():
            _known(register, event.name).locked_until = 0
        case events.SignInNameChosen():
            _known(register, event.name).sign_in = sound(event.sign_in)
        case events.PostsChanged():
            _known(register, event.name).posts = event.posts
            tie(register, event.name, event.by, at)
        case events.PersonLocked():
            _known(register, event.name).locked_until = event.until
        case events.SessionOpened():
            register.sessions[event.session] = SignedIn(
                event.session, event.name, event.post, opened=at, expires=event.expires, seen=at
            )
        case events.SessionSeen():
            register.sessions[event.session] = replace(register.sessions[event.session], seen=at)
        case events.SessionEnded():
            _end_session(register, event.session, at)
        case (
            events.TotpEnrolled()
            | events.TotpResealed()
            | events.PasskeyEnrolled()
            | events.SecondFactorUsed()
            | events.SecondFactorRemoved()
            | events.SecondFactorsReset()
        ):
            _evolve_factors(register, event, at)
        case events.ChipsSold():
            _known(register, event.name).spend(event.amount, at)
        case events.ChipsRedeemed():
            _known(register, event.name).spend(-event.amount, at)
        case events.CashTaken(play_money=False):
            _known(register, event.name).credit(event.amount, at)
        case (
            events.CashTaken()
            | events.CashPaid()
            | events.DeskIssued()
            | events.DeskReceived()
            | events.ClockNoted()
            | events.KeyChanged()
        ):
            pass  # They only move money, or are only there to be read.
        case events.LimitSet():
            limits = _known(register, event.name).limits.setdefault(event.kind, [])
            # The latest request replaces one that does not apply yet.
            limits[:] = [each for each in limits if each[0] <= at]
            limits.append((event.binds, event.amount))
        case events.Excluded():
            person = _known(register, event.name)
            person.excluded_until = FOR_GOOD if event.until is None else event.until
        case (
            events.ChipsTaken()
            | events.ChipsArrived()
            | events.ChipsGivenBack()
            | events.ChipsBrought()
            | events.BooksCarriedOver()
        ):
            _evolve_carried(register, event, at)
        case _:
            _evolve_two(register, event, at)


def _evolve_carried(register: Register, event: CarriedEvent, at: int) -> None:
    """Applies version 0.1.0's events about money between wallets and tables."""
    if event.table in register.carried:
        # An older server still runs beside this one: its moves would be lost.
        raise ValueError(f"version 0.1.0 wrote for {event.table} after its books were carried over")
    under_way = register.under_way.setdefault(event.table, {})
    match event:
        case events.ChipsTaken():
            under_way[event.command] = event
            _known(register, event.name).spend(event.amount, at)
        case events.ChipsArrived():
            del under_way[event.command]
        case events.ChipsGivenBack():
            taken = under_way.pop(event.command)
            _known(register, taken.name).spend(-taken.amount, at)
        case events.ChipsBrought():
            _known(register, event.name).spend(-event.amount, at)
        case events.BooksCarriedOver():
            del register.under_way[event.table]
            register.carried[event.table] = event.seq


def _evolve_two(register: Register, event: RegisterEvent, at: int) -> None:
    """Applies the events of requests that need two people."""
    match event:
        case events.ApprovalRequested():
            register.pending[event.id] = Pending(event, at)
            for old in [each for each in register.pending.values() if each.request.expires <= at]:
                del register.pending[old.request.id]
        case events.ApprovalDecided():
            _decided(register, event, at)
        case events.AloneLimitsSet():
            register.alone = AloneLimits(event.desk, event.table)
        case _:
            raise TypeError(f"the register does not know {type(event).__name__}")


def _end_session(register: Register, id: str, at: int) -> None:
    ended = register.sessions.pop(id, None)
    if ended is None or ended.post is not Post.PLAYER:
        return
    person = _known(register, ended.name)
    lately = [each for each in person.signed_in if each[1] > at - DAY]
    person.signed_in = [*lately, (ended.opened, min(at, ended.expires))]


def _evolve_factors(register: Register, event: FactorEvent, at: int) -> None:
    factors = _known(register, event.name).factors
    match event:
        case events.TotpEnrolled():
            factors[event.factor] = Factor(
                event.factor, FactorKind.TOTP, event.label, at, event.counter, sealed=event.sealed
            )
        case events.TotpResealed():
            factors[event.factor] = replace(factors[event.factor], sealed=event.sealed)
        case events.PasskeyEnrolled():
            factors[event.factor] = Factor(
                event.factor,
                FactorKind.PASSKEY,
                event.label,
                at,
                event.counter,
                credential=event.credential,
                public_key=event.public_key,
            )
        case events.SecondFactorUsed():
            factors[event.factor] = replace(factors[event.factor], counter=event.counter, used=at)
            if event.challenge is not None:
                kept = {each: until for each, until in register.challenges.items() if until > at}
                register.challenges = {**kept, event.challenge: event.challenge_expires}
        case events.SecondFactorRemoved():
            factors.pop(event.factor, None)
        case events.SecondFactorsReset():
            factors.clear()


def _known(register: Register, name: str) -> Person:
    return register.people[sound(name)]


def _decided(register: Register, event: events.ApprovalDecided, at: int) -> None:
    """Applies a decision; the act's own events were recorded right before it."""
    request = register.pending.pop(event.id).request
    if not event.approved:
        return
    if request.act is ActForTwo.CREDIT_DESK:
        # Two people have checked: the amount for one person alone starts at zero again.
        _known(register, request.subject).credited.clear()
    elif request.act is not ActForTwo.SET_ALONE_LIMITS:
        tie(register, request.subject, request.by, at)
        tie(register, request.subject, event.by, at)


def tie(register: Register, name: str, by: str, at: int) -> None:
    """Records that a person changed another's account: for a day neither approves the other's."""
    person, other = register.person(name), register.person(by)
    if person is not None and other is not None and other is not person:
        person.made_by[sound(by)] = at
