"""Sessions of local mode: who is at the other end of a connection, and what he may ask for.

Local mode serves one machine. A player needs no login: he is given a name, a token and play money.
The consoles of the staff, and the management's key, are opened by one-time keys that the house
prints when it starts. Default deny: what a role is not given here it cannot ask for.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

from novamas.house.views import Audience

LONGEST_NAME = 24


class Role(StrEnum):
    """Who someone is to the house."""

    PLAYER = "player"
    STAFF = "staff"
    """At the posts of a table: croupier, chief, inspector."""
    MANAGEMENT = "management"
    """Sets tables up, and may act for anybody: for scripts and exercises on one machine."""


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
        "CollectLosers",
        "PayNext",
        "PayWinners",
        "DrawBall",
        "OpenBank",
        "FillBank",
        "CreditBank",
        "CountBank",
        "RecordWrongPayment",
        "CorrectWrongPayment",
    )
)
"""What the staff may ask for; which post may do it is the rulebook's to say."""


@dataclass(slots=True)
class Session:
    """Someone who is connected."""

    token: str
    name: str
    role: Role
    money: int = 0
    """Play money that he has not bought chips for yet."""
    spent: dict[str, int] = field(default_factory=dict)
    """What each of his commands took of it, so that one that comes twice takes it once."""

    @property
    def audience(self) -> Audience:
        """As whom he sees the table."""
        seen = {Role.STAFF: Audience.STAFF, Role.MANAGEMENT: Audience.AUDITOR}
        return seen.get(self.role, Audience.PUBLIC)

    def spend(self, command: str, amount: int) -> bool:
        """Takes play money for a command; False if there is not so much."""
        if command in self.spent:
            return True
        if amount > self.money:
            return False
        if amount > 0:
            self.money -= amount
            self.spent[command] = amount
        return True

    def give_back(self, command: str) -> None:
        """Gives back what a command took that was refused."""
        self.money += self.spent.pop(command, 0)

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
    _by_token: dict[str, Session] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _keys: dict[str, tuple[str, Role]] = field(default_factory=dict)

    def issue_key(self, name: str, role: Role) -> str:
        """A one-time key for a console."""
        key = secrets.token_urlsafe(24)
        self._keys[_digest(key)] = (name, role)
        return key

    def use_key(self, key: str) -> Session | None:
        """Opens a console; the key is good once."""
        wanted = _digest(key)
        for digest in list(self._keys):
            if hmac.compare_digest(digest, wanted):
                name, role = self._keys.pop(digest)
                return self._open(name, role)
        return None

    def guest(self, name: str | None = None) -> Session:
        """A new player, with play money."""
        if name is None:
            number = len(self._names) + 1
            while f"guest-{number}" in self._names:
                number += 1
            name = f"guest-{number}"
        name = unicodedata.normalize("NFC", name).strip()
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise BadNameError(f"a name has 1 to {LONGEST_NAME} printable characters")
        if name in self._names or name.split(" ")[0] in ("auto", "management"):
            raise BadNameError(f"the name {name!r} is taken")
        session = self._open(name, Role.PLAYER)
        session.money = self.guest_money
        return session

    def _open(self, name: str, role: Role) -> Session:
        session = Session(secrets.token_urlsafe(24), name, role)
        self._names.add(name)
        self._by_token[_digest(session.token)] = session
        return session

    def of(self, token: str | None) -> Session | None:
        """Whose token it is."""
        return self._by_token.get(_digest(token)) if token else None

    def revoke(self, token: str) -> None:
        """Ends a session."""
        self._by_token.pop(_digest(token), None)


def _digest(secret: str) -> str:
    """Tokens and keys are kept as hashes, so that a look into memory or a log shows none."""
    return hashlib.sha256(secret.encode()).hexdigest()
