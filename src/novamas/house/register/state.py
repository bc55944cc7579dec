"""The state of the register: who is known, who is signed in, what is under way to a table."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from novamas.house.ledger import Transfer
from novamas.house.register import events
from novamas.house.register.events import LimitKind, Post, RegisterEvent

DAY = 24 * 60 * 60 * 1000
"""Milliseconds; limits are counted over it, and a higher one waits for it."""
FOR_GOOD = 2**62
CASH, PLAY_MONEY, TABLES = "cash", "play money", "tables"
"""The accounts outside the wallets."""


def wallet(name: str) -> str:
    """The account of what a person has at the house, beside the tables."""
    return f"wallet:{name}"


def sound(name: str) -> str:
    """A name as it is compared: nobody passes for another by a capital or a wide letter."""
    return unicodedata.normalize("NFKC", name).casefold()


@dataclass(slots=True)
class Person:
    """Somebody whom the house knows."""

    name: str
    posts: tuple[Post, ...]
    guest: bool
    password: str | None = field(default=None, repr=False)
    is_lent: bool = False
    """Whether somebody else chose the password: then it is good for choosing one's own."""
    locked_until: int = 0
    excluded_until: int = 0
    limits: dict[LimitKind, list[tuple[int, int | None]]] = field(default_factory=dict)
    """From when on each limit binds, in the order in which they were set."""
    spent: deque[tuple[int, int]] = field(default_factory=deque)
    """When how much went to the tables, or came back."""

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
        while self.spent and self.spent[0][0] <= at - DAY:
            self.spent.popleft()
        self.spent.append((at, amount))

    def is_excluded(self, now: int) -> bool:
        """Whether he has shut himself out."""
        return now < self.excluded_until


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
    under_way: dict[tuple[str, str], events.ChipsTaken] = field(default_factory=dict)
    """Table and command → money of which it is not known yet whether it arrived."""
    arrived: dict[tuple[str, str], events.ChipsTaken] = field(default_factory=dict)
    """Commands whose money is at their table: one that comes again takes none."""
    brought: dict[str, int] = field(default_factory=dict)
    """Table → the last event of its log with which somebody brought his chips back."""
    wallets: dict[str, int] = field(default_factory=dict)
    done: dict[str, events.CashTaken | events.CashPaid] = field(default_factory=dict)
    """What the cash desk has done, by its ids."""

    def person(self, name: str) -> Person | None:
        """Somebody by his name, however he writes it."""
        return self.people.get(sound(name))

    def has(self, name: str) -> int:
        """What is in a wallet."""
        return self.wallets.get(name, 0)

    def is_led(self) -> bool:
        """Whether somebody can sign in who may make the others known."""
        return any(not person.guest for person in self.holders(Post.CHIEF))

    def holders(self, post: Post) -> Iterator[Person]:
        """Who may hold a post."""
        return (person for person in self.people.values() if post in person.posts)


def transfers(register: Register, event: RegisterEvent) -> tuple[Transfer, ...]:
    """What an event moves between the accounts; `register` is right before it."""
    match event:
        case events.CashTaken():
            source = PLAY_MONEY if event.play_money else CASH
            return (Transfer(source, wallet(event.name), event.amount),)
        case events.CashPaid():
            return (Transfer(wallet(event.name), CASH, event.amount),)
        case events.ChipsTaken(cash_to=None):
            return (Transfer(wallet(event.name), TABLES, event.amount),)
        case events.ChipsGivenBack():
            taken = register.under_way[event.table, event.command]
            if taken.cash_to is not None:
                return ()  # It was handed over at the table, and so it is handed back.
            return (Transfer(TABLES, wallet(taken.name), taken.amount),)
        case events.ChipsBrought() if event.amount:
            return (Transfer(TABLES, wallet(event.name), event.amount),)
        case _:
            return ()


def evolve(register: Register, event: RegisterEvent, at: int) -> None:  # noqa: C901, PLR0912 - one case an event
    """Lets the register go on by an event that was recorded at a time."""
    for source, target, amount in transfers(register, event):
        for account, change in ((source, -amount), (target, amount)):
            kind, _, name = account.partition(":")
            if kind == "wallet":
                register.wallets[name] = register.wallets.get(name, 0) + change
    match event:
        case events.PersonRegistered():
            register.people[sound(event.name)] = Person(event.name, event.posts, event.guest)
        case events.PasswordSet():
            person = _known(register, event.name)
            person.password = event.password
            other = register.person(event.by)
            person.is_lent = other is not None and other is not person
        case events.PostsChanged():
            _known(register, event.name).posts = event.posts
        case events.PersonLocked():
            _known(register, event.name).locked_until = event.until
        case events.SessionOpened():
            register.sessions[event.session] = SignedIn(
                event.session, event.name, event.post, opened=at, expires=event.expires, seen=at
            )
        case events.SessionSeen():
            register.sessions[event.session] = replace(register.sessions[event.session], seen=at)
        case events.SessionEnded():
            register.sessions.pop(event.session, None)
        case events.CashTaken() | events.CashPaid():
            register.done[event.id] = event
        case events.ChipsTaken():
            register.under_way[event.table, event.command] = event
            _known(register, event.name).spend(event.amount, at)
        case events.ChipsArrived():
            order = event.table, event.command
            register.arrived[order] = register.under_way.pop(order)
        case events.ChipsGivenBack():
            taken = register.under_way.pop((event.table, event.command))
            _known(register, taken.name).spend(-taken.amount, at)
        case events.ChipsBrought():
            register.brought[event.table] = event.seq
            _known(register, event.name).spend(-event.amount, at)
        case events.LimitSet():
            limits = _known(register, event.name).limits.setdefault(event.kind, [])
            # What waits gives way to what was asked for last.
            limits[:] = [each for each in limits if each[0] <= at]
            limits.append((event.binds, event.amount))
        case events.Excluded():
            person = _known(register, event.name)
            person.excluded_until = FOR_GOOD if event.until is None else event.until
        case _:
            raise TypeError(f"the register does not know {type(event).__name__}")


def _known(register: Register, name: str) -> Person:
    return register.people[sound(name)]
