"""The state of the register: who is known, who is signed in, and what each wallet holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from novamas.house.people import events
from novamas.house.people.events import ActForTwo, LimitKind, Post, RegisterEvent
from novamas.house.table.events import CASH_ALONE
from novamas.table.accounts import Transfer

DAY = 24 * 60 * 60 * 1000
"""Milliseconds; limits are counted over it, and a higher one waits for it."""
FOR_GOOD = 2**62
MACHINE = "machine"
"""Who acts at the machine itself, where the store is: not a person that could sign in."""
CASH, PLAY_MONEY = "cash", "play money"
"""Where money comes from and goes to: what the cash desk, and a local house, have issued."""
TABLES = "tables"
"""What version 0.1.0 had carried to all tables; empty once their books are carried over."""


def wallet(name: str) -> str:
    """The account of what a person has at the house, beside the tables."""
    return f"wallet:{name}"


def table_account(table: str) -> str:
    """The account of all that a table holds from wallets and the cash desk."""
    return f"table:{table}"


def sound(name: str) -> str:
    """A name as it is compared: nobody passes for another by a capital or a wide letter."""
    return unicodedata.normalize("NFKC", name).casefold()


FactorEvent = (
    events.TotpEnrolled
    | events.TotpResealed
    | events.PasskeyEnrolled
    | events.SecondFactorUsed
    | events.SecondFactorRemoved
    | events.SecondFactorsReset
)
"""What happens to somebody's second factors."""


CarriedEvent = (
    events.ChipsTaken
    | events.ChipsArrived
    | events.ChipsGivenBack
    | events.ChipsBrought
    | events.BooksCarriedOver
)
"""What version 0.1.0 wrote of money between wallets and tables, and what ends it."""


class FactorKind(StrEnum):
    """What a second factor is."""

    TOTP = "totp"
    """An app that shows codes which are good for half a minute."""
    PASSKEY = "passkey"


@dataclass(frozen=True, slots=True)
class Factor:
    """A second factor of a person."""

    id: str
    kind: FactorKind
    label: str
    enrolled: int
    counter: int
    """The last time step or signature count that was used: only a later one is good."""
    used: int | None = None
    """When it last let its owner in."""
    sealed: str = field(default="", repr=False)
    """Of a TOTP: its secret, sealed."""
    credential: str = ""
    public_key: str = ""


@dataclass(slots=True)
class Person:
    """Somebody whom the house knows."""

    name: str
    posts: tuple[Post, ...]
    guest: bool
    password: str | None = field(default=None, repr=False)
    is_lent: bool = False
    """Whether somebody else chose the password: then it is good for choosing one's own."""
    password_set: int = 0
    """When the password was set."""
    sign_in: str = field(default="", repr=False)
    """The name to sign in under, as it is compared, if it is another than `name`."""
    factors: dict[str, Factor] = field(default_factory=dict)
    """Second factors by their ids."""
    locked_until: int = 0
    """Until then the password alone lets no stranger in."""
    signed_in: list[tuple[int, int]] = field(default_factory=list)
    """From when until when each session as a player lasted that has ended in the last day."""
    excluded_until: int = 0
    limits: dict[LimitKind, list[tuple[int, int | None]]] = field(default_factory=dict)
    """From when on each limit binds, in the order in which they were set."""
    spent: list[tuple[int, int]] = field(default_factory=list)
    """When how much went to the tables, or came back."""
    credited: list[tuple[int, int]] = field(default_factory=list)
    """When the cash desk took how much for the wallet, since two people last looked."""
    made_by: dict[str, int] = field(default_factory=dict)
    """By the sound of a name, when that person last made this one what they are.

    They made them known, gave them posts, set their password or their second factor, or approved
    that another did."""

    def limit(self, kind: LimitKind, now: int) -> int | None:
        """The limit that binds now."""
        binding = [amount for since, amount in self.limits.get(kind, ()) if since <= now]
        return binding[-1] if binding else None

    def coming(self, kind: LimitKind, now: int) -> tuple[int, int | None] | None:
        """A higher limit that waits, and when it binds."""
        waiting = [each for each in self.limits.get(kind, ()) if each[0] > now]
        return waiting[-1] if waiting else None

    def spent_in_a_day(self, now: int) -> int:
        """What went to the tables in the last day, less what came back."""
        return sum(amount for at, amount in self.spent if at > now - DAY)

    def spend(self, amount: int, at: int) -> None:
        """Notes what went to the tables, or came back; what is older than a day is forgotten."""
        old = 0
        while old < len(self.spent) and self.spent[old][0] <= at - DAY:
            old += 1
        del self.spent[:old]
        self.spent.append((at, amount))

    def credit(self, amount: int, at: int) -> None:
        """Notes what the cash desk took; what is older than a day is forgotten."""
        self.credited[:] = [each for each in self.credited if each[0] > at - DAY]
        self.credited.append((at, amount))

    def credited_in_a_day(self, now: int) -> int:
        """What one person alone took at the cash desk in the last day."""
        return sum(amount for at, amount in self.credited if at > now - DAY)

    def is_excluded(self, now: int) -> bool:
        """Whether he has shut himself out."""
        return now < self.excluded_until


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that waits for a second person."""

    request: events.ApprovalRequested
    at: int
    """When it was asked for."""


@dataclass(frozen=True, slots=True)
class AloneLimits:
    """How much one person takes alone; above it, two do."""

    desk: int = 1_000_000
    """For a wallet at the cash desk, in a day."""
    table: int = CASH_ALONE
    """For chips at a table, of one player; each table keeps what stood when it was set up."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A session as the register has it."""

    id: str
    name: str
    post: Post
    opened: int
    expires: int
    seen: int
    """When he was last known to be at work, by whichever server."""


@dataclass(slots=True)
class Register:
    """Everybody, and what is theirs."""

    people: dict[str, Person] = field(default_factory=dict)
    """By the sound of their names."""
    sessions: dict[str, SignedIn] = field(default_factory=dict)
    wallets: dict[str, int] = field(default_factory=dict)
    challenges: dict[str, int] = field(default_factory=dict)
    """Hashes of challenges that passkeys have signed → when they would have expired."""
    pending: dict[str, Pending] = field(default_factory=dict)
    """What waits for a second person, by its id."""
    alone: AloneLimits = field(default_factory=AloneLimits)
    under_way: dict[str, dict[str, events.ChipsTaken]] = field(default_factory=dict)
    """Table → command → money that version 0.1.0 took and has not settled."""
    carried: dict[str, int] = field(default_factory=dict)
    """Table of version 0.1.0 → the last event that its old books answer for."""

    def person(self, name: str) -> Person | None:
        """Somebody by his name, however he writes it."""
        return self.people.get(sound(name))

    def signing_in(self, name: str) -> Person | None:
        """Who signs in under a name: under the one they chose for it, and then no other."""
        called = sound(name)
        person = self.people.get(called)
        if person is not None and not person.sign_in:
            return person
        return next((each for each in self.people.values() if each.sign_in == called), None)

    def has(self, name: str) -> int:
        """What is in a wallet."""
        return self.wallets.get(name, 0)

    def is_led(self) -> bool:
        """Whether somebody can sign in who may make the others known."""
        return any(not person.guest for person in self.holders(Post.CHIEF))

    def player_time(self, person: Person, now: int) -> int:
        """Milliseconds of the last day in which somebody was signed in as a player.

        Sessions at the same time count once.
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
        """Who may hold a post."""
        return (person for person in self.people.values() if post in person.posts)


def transfers(event: RegisterEvent, register: Register) -> tuple[Transfer, ...]:
    """What an event moves between the accounts; `register` is right before it."""
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
    """The same, of what version 0.1.0 carried between wallets and tables."""
    match event:
        case events.ChipsTaken(cash_to=None):
            return (Transfer(wallet(event.name), TABLES, event.amount),)
        case events.ChipsGivenBack():
            taken = register.under_way[event.table][event.command]
            if taken.cash_to is not None:
                return ()  # It was handed over at the table, and so it is handed back.
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
    """Transfers of amounts that may be below zero, and then go the other way; or zero."""
    return tuple(
        each
        if each.amount > 0
        else each._replace(source=each.target, target=each.source, amount=-each.amount)
        for each in moved
        if each.amount
    )


def evolve(register: Register, event: RegisterEvent, at: int) -> None:  # noqa: C901, PLR0912, PLR0915 - one case an event
    """Lets the register go on by an event that was recorded at a time."""
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
                person.sign_in = ""  # Whoever forgot the one may have forgotten the other.
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
            pass  # They move money alone, or are there to be read.
        case events.LimitSet():
            limits = _known(register, event.name).limits.setdefault(event.kind, [])
            # What waits gives way to what was asked for last.
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
    """The same, of what version 0.1.0 carried between wallets and tables."""
    if event.table in register.carried:
        # An older program still runs beside this one: what it moves nobody would find.
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
    """The same, of what takes two people."""
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
    """The act's own events were recorded right before it."""
    request = register.pending.pop(event.id).request
    if not event.approved:
        return
    if request.act is ActForTwo.CREDIT_DESK:
        # Two people have looked: what one may take begins anew.
        _known(register, request.subject).credited.clear()
    elif request.act is not ActForTwo.SET_ALONE_LIMITS:
        tie(register, request.subject, request.by, at)
        tie(register, request.subject, event.by, at)


def tie(register: Register, name: str, by: str, at: int) -> None:
    """Notes that one person made another what they are: neither approves the other's for a day."""
    person, other = register.person(name), register.person(by)
    if person is not None and other is not None and other is not person:
        person.made_by[sound(by)] = at
