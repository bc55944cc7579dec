"""Sessions of local mode: who is at the other end of a connection, and what he may ask for.

Local mode serves one machine. A player needs no login: he is given a name, a token and play money.
The consoles of the staff, and the management's key, are opened by one-time keys that the house
prints when it starts. Default deny: what a role is not given here it cannot ask for.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from novamas.house.views import Audience

LONGEST_NAME = 24
HOUSE_NAMES = ("auto", "management")
"""No player is called like the house itself: the automatic croupier's names begin with "auto"."""


class Role(StrEnum):
    """Who someone is to the house."""

    PLAYER = "player"
    STAFF = "staff"
    """At the posts of a table: croupier, chief, inspector."""
    MANAGEMENT = "management"
    """Sets tables up, and may act for anybody: for scripts and exercises on one machine."""

    @property
    def spoken(self) -> str:
        """The role in a sentence."""
        return f"a {self}" if self is Role.PLAYER else f"the {self}"


PLAYER_COMMANDS = frozenset(
    (
        "Sit",
        "StepAway",
        "ComeBack",
        "Leave",
        "BuyChips",
        "ClaimCustody",
        "PlaceStake",
        "Announce",
        "MoveStake",
        "WithdrawStake",
        "ChooseAfterZero",
        "ReplayAnnouncement",
        "SetNonce",
        "GiveTip",
    )
)
"""What a player may ask for. Chips and custody are asked for, and given by the staff."""

STAFF_COMMANDS = frozenset(
    (
        "TakePost",
        "LeavePost",
        "OpenTable",
        "Suspend",
        "Resume",
        "ChangeLimits",
        "AnnounceLastGames",
        "CloseTable",
        "BuyChips",
        "ClaimCustody",
        "PlaceStake",
        "Announce",
        "WithdrawStake",
        "MoveStake",
        "CorrectStake",
        "LaunchBall",
        "CloseBetting",
        "GrantException",
        "NoticeExcess",
        "VoidBall",
        "PocketBall",
        "CallNumber",
        "CorrectNumber",
        "SignNumber",
        "CollectLosers",
        "PayNext",
        "PayWinners",
        "DrawBall",
        "CallLastBets",
        "OpenBank",
        "FillBank",
        "CreditBank",
        "CountBank",
        "RecordWrongPayment",
        "CorrectWrongPayment",
    )
)
"""What the staff may ask for; which post may do it is the rulebook's to say."""


class KeptSession(msgspec.Struct, forbid_unknown_fields=True):
    """A session as it is written down."""

    token: str
    """The hash of it."""
    name: str
    role: Role
    money: int
    moved: list[tuple[str, str, int]]
    pending: list[tuple[str, str, int]]


@dataclass(slots=True)
class Session:
    """Someone who is connected."""

    token: str = field(repr=False)
    """Whoever has it is him: it is told once, to him, and stands in no log."""
    name: str
    role: Role
    money: int = 0
    """Play money that he has not bought chips for."""
    _moved: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)
    """What each command took of it or brought, so that one that comes twice does it once."""
    _pending: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict, repr=False)
    """What each command that is not answered yet took, and how many times it was given."""

    @property
    def audience(self) -> Audience:
        """As whom he sees the table."""
        seen = {Role.STAFF: Audience.STAFF, Role.MANAGEMENT: Audience.AUDITOR}
        return seen.get(self.role, Audience.PUBLIC)

    def spend(self, table: str, command: str, amount: int) -> bool:
        """Takes play money for a command; False if there is not so much."""
        if self._is_known(table, command):
            return True
        if not 0 < amount <= self.money:
            return amount <= 0  # What is no amount costs nothing, and the table refuses it.
        self.money -= amount
        self._pending[table, command] = (amount, 1)
        return True

    def leave(self, table: str, command: str) -> None:
        """Notes that a command will bring what he holds at a table, if it is done."""
        if not self._is_known(table, command):
            self._pending[table, command] = (0, 1)

    def _is_known(self, table: str, command: str) -> bool:
        pending = self._pending.get((table, command))
        if pending is not None:
            spent, times = pending
            self._pending[table, command] = (spent, times + 1)
        return pending is not None or (table, command) in self._moved

    def waits_for(self, table: str, command: str) -> bool:
        """Whether a command moves play money as soon as it is answered."""
        return (table, command) in self._pending

    def give_back(self, table: str, command: str) -> None:
        """Gives back what a command took that was not done, however often it was given."""
        spent, times = self._pending.pop((table, command), (0, 0))
        if times > 1:
            self._pending[table, command] = (spent, times - 1)
        else:
            self.money += spent

    def settle(self, table: str, command: str) -> None:
        """What a command took is spent: it was done."""
        spent, times = self._pending.pop((table, command), (0, 0))
        if times:
            self._moved[table, command] = -spent

    def receive(self, table: str, command: str, amount: int) -> None:
        """Takes in what a player brings from a table that he left."""
        self._pending.pop((table, command), None)
        if (table, command) not in self._moved:
            self.money += amount
            self._moved[table, command] = amount

    def written(self, token: str) -> KeptSession:
        """The session as it is written down, under the hash of its token."""
        moved = [(table, command, amount) for (table, command), amount in self._moved.items()]
        pending = [(table, command, s) for (table, command), (s, _) in self._pending.items()]
        return KeptSession(token, self.name, self.role, self.money, moved, pending)

    def may(self, command: str) -> bool:
        """Whether his role may ask for a command."""
        if self.role is Role.MANAGEMENT:
            return True
        return command in (PLAYER_COMMANDS if self.role is Role.PLAYER else STAFF_COMMANDS)


class BadNameError(ValueError):
    """A name that nobody can have here."""


@dataclass(slots=True)
class Sessions:
    """Everybody who is connected, and the keys that are not used yet."""

    guest_money: int = 1_000_000
    _by_token: dict[str, Session] = field(default_factory=dict, repr=False)
    _names: set[str] = field(default_factory=set, repr=False)
    """The names that are taken, as they sound."""
    _keys: dict[str, tuple[str, Role]] = field(default_factory=dict, repr=False)

    def issue_key(self, name: str, role: Role) -> str:
        """A one-time key for a console, whose name is nobody else's from now on."""
        key = secrets.token_urlsafe(24)
        self._keys[_digest(key)] = (name, role)
        self._names.add(_sound(name))
        return key

    def use_key(self, key: str) -> Session | None:
        """Opens a console; the key is good once."""
        found = self._keys.pop(_digest(key), None)
        return None if found is None else self._open(*found)

    def guest(self, name: str | None = None) -> Session:
        """A new player, with play money."""
        if name is None:
            free = (f"guest-{number}" for number in itertools.count(len(self._names) + 1))
            name = next(each for each in free if _sound(each) not in self._names)
        name = unicodedata.normalize("NFC", name).strip()
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise BadNameError(f"a name has 1 to {LONGEST_NAME} printable characters")
        if _sound(name) in self._names or _sound(name).partition(" ")[0] in HOUSE_NAMES:
            raise BadNameError(f"the name {name!r} is taken")
        session = self._open(name, Role.PLAYER)
        session.money = self.guest_money
        return session

    def _open(self, name: str, role: Role) -> Session:
        session = Session(secrets.token_urlsafe(24), name, role)
        self._names.add(_sound(name))
        self._by_token[_digest(session.token)] = session
        return session

    def kept(self) -> list[KeptSession]:
        """All sessions as they are written down."""
        return [each.written(token) for token, each in self._by_token.items()]

    def take_in(self, kept: KeptSession) -> Session:
        """Opens a session again that was written down; its token is known to its owner alone."""
        session = Session(
            token="",
            name=kept.name,
            role=kept.role,
            money=kept.money,
            _moved={(table, command): amount for table, command, amount in kept.moved},
            _pending={(table, command): (spent, 1) for table, command, spent in kept.pending},
        )
        self._by_token[kept.token] = session
        self._names.add(_sound(kept.name))
        return session

    def of(self, token: str | None) -> Session | None:
        """Whose token it is."""
        return self._by_token.get(_digest(token)) if token else None

    def revoke(self, token: str) -> None:
        """Ends a session."""
        self._by_token.pop(_digest(token), None)


def _digest(secret: str) -> str:
    """Tokens and keys are looked up by their hashes, so that the search tells nothing of them."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _sound(name: str) -> str:
    """A name as it is compared: nobody passes for another by a capital or a wide letter."""
    return unicodedata.normalize("NFKC", name).casefold()
