"""Events of the register, in the past tense, never to be changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Post(StrEnum):
    """What a person is in the house; at a table the rulebook's posts come on top."""

    PLAYER = "player"
    CROUPIER = "croupier"
    CHIEF = "chief"
    """Chief of table or inspector."""
    CASHIER = "cashier"
    AUDITOR = "auditor"
    MANAGEMENT = "management"
    """Sets tables up. In a local house it may act for anybody; with accounts it may not."""

    @property
    def spoken(self) -> str:
        """The post in a sentence."""
        if self is Post.MANAGEMENT:
            return "the management"
        return f"an {self}" if self is Post.AUDITOR else f"a {self}"


class LimitKind(StrEnum):
    """What players may limit for themselves."""

    SPEND = "spend"
    """Money taken to the tables in a day, less what comes back."""
    MINUTES = "minutes"
    """Minutes signed in as a player in a day, over all sessions."""


class ActForTwo(StrEnum):
    """Acts that one person requests and another approves."""

    REGISTER_STAFF = "register_staff"
    """Registers a person who may hold a staff post."""
    CHANGE_POSTS = "change_posts"
    SET_PASSWORD = "set_password"  # noqa: S105  # nosec B105 - the name of an act
    """Sets another person's password, with which one could sign in as them."""
    RESET_SECOND_FACTOR = "reset_second_factor"
    CREDIT_DESK = "credit_desk"
    """The cash desk takes more for a wallet than one person may take alone."""
    SET_ALONE_LIMITS = "set_alone_limits"
    """Sets how much one person may take alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEvent:
    """An event of the register."""


# People -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRegistered(RegisterEvent):
    """A person was registered."""

    name: str
    posts: tuple[Post, ...]
    by: str
    guest: bool = False
    """Without a password: the session alone authenticates them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordSet(RegisterEvent):
    """A password was set; the event has its hash."""

    name: str
    password: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRestored(RegisterEvent):
    """A chief who had lost the password got access again, by an operator at the machine itself."""

    name: str
    by: str
    account: str
    """The system account under which it was done."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsChanged(RegisterEvent):
    """The posts that a person may hold were changed."""

    name: str
    before: tuple[Post, ...]
    posts: tuple[Post, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLocked(RegisterEvent):
    """Strangers tried a name too often: for a while they need more than its password.

    Devices on which the person has signed in before do not count as strangers, nor do sign-ins that
    include the second factor.
    """

    name: str
    until: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInNameChosen(RegisterEvent):
    """A person chose a private name to sign in with, other than their public one."""

    name: str
    sign_in: str
    """Known to the person alone; readers of the register do not see it."""


# The second factor --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TotpEnrolled(RegisterEvent):
    """A person enrolled an app that shows one-time codes (TOTP)."""

    name: str
    factor: str
    label: str
    sealed: str
    """The secret, encrypted with a key outside the store, in hexadecimal digits."""
    counter: int
    """The time step of the code that confirmed it; codes up to it are no longer valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyEnrolled(RegisterEvent):
    """A person enrolled a passkey (WebAuthn), which verifies its user."""

    name: str
    factor: str
    label: str
    credential: str
    """The credential's id, base64url."""
    public_key: str
    """COSE, base64url."""
    counter: int
    """The authenticator's count of signatures; 0 where it does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotpResealed(RegisterEvent):
    """The secret of an app was encrypted under another key; the secret is the same."""

    name: str
    factor: str
    sealed: str
    """In hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChanged(RegisterEvent):
    """All secrets in the store were encrypted under another key, at the machine itself."""

    by: str
    account: str
    """The system account under which it was done."""
    reason: str
    seeds: int
    """How many seeds of the ball were encrypted again."""
    apps: int
    """How many secrets of apps were encrypted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorUsed(RegisterEvent):
    """A second factor was used to sign in; its code or challenge cannot be used again."""

    name: str
    factor: str
    counter: int
    challenge: str | None = None
    """The hash of the challenge that a passkey signed."""
    challenge_expires: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorRemoved(RegisterEvent):
    """A person removed one of their second factors."""

    name: str
    factor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorsReset(RegisterEvent):
    """All second factors of a person were removed, because they were lost."""

    name: str
    by: str
    reason: str


# Sessions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened(RegisterEvent):
    """A person signed in for a post."""

    session: str
    """The hash of its token."""
    name: str
    post: Post
    expires: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSeen(RegisterEvent):
    """A session is active: so that no other server of the house takes it for idle."""

    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(RegisterEvent):
    """A session was ended early."""

    session: str
    by: str
    reason: str


# The cash desk and the wallets --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTaken(RegisterEvent):
    """The cash desk took money for a player's wallet."""

    id: str
    name: str
    amount: int
    by: str
    play_money: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CashPaid(RegisterEvent):
    """The cash desk paid a player out of their wallet."""

    id: str
    name: str
    amount: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsSold(RegisterEvent):
    """A player paid for chips at a table, from the wallet or in cash."""

    name: str
    table: str
    seq: int
    """The event of the table that gave the chips."""
    amount: int
    cash: bool = False
    """Paid in cash into the table's box: it counts towards the player's own limit only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsRedeemed(RegisterEvent):
    """A player left a table, and the value of their chips went to their wallet."""

    name: str
    table: str
    seq: int
    """The event of the table with which they left."""
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskIssued(RegisterEvent):
    """The cash desk accounts for chips that a table received: a float, a fill, a counted box."""

    table: str
    seq: int
    """The event of the table."""
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskReceived(RegisterEvent):
    """The cash desk took chips back from a table."""

    table: str
    seq: int
    """The event of the table."""
    amount: int


# Money that was carried between wallets and tables: written by version 0.1.0 ----------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsTaken(RegisterEvent):
    """Money left a wallet for a command that buys chips at a table, or was paid there in cash."""

    name: str
    table: str
    command: str
    amount: int
    cash_to: str | None = None
    """Who took cash for them at the table; None if the wallet pays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsArrived(RegisterEvent):
    """The command was accepted: the money is at the table."""

    table: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsGivenBack(RegisterEvent):
    """The command was refused, or never reached the table: the money is the player's again."""

    table: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBrought(RegisterEvent):
    """A player left a table, and the value of their chips came back to their wallet."""

    name: str
    table: str
    seq: int
    """The event of the table with which they left."""
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksCarriedOver(RegisterEvent):
    """The register now has a separate account for a table of version 0.1.0.

    Until then all tables were one account, and the register had no floats and fills.
    """

    table: str
    seq: int
    """The last event of the table that the old accounts cover."""
    wallets: int
    """Money from wallets until then, less what went back; negative if more went back."""
    desk: int
    """The same for the cash desk: floats, fills, chips paid there, cash of the box."""


# A player's own protection ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet(RegisterEvent):
    """A player set a limit of their own; a higher one than before applies only later."""

    name: str
    kind: LimitKind
    amount: int | None
    """None means no limit."""
    binds: int
    """From when on it applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded(RegisterEvent):
    """A player excluded themselves; nobody can lift it early."""

    name: str
    until: int | None
    """None means permanently."""


# What takes two people ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested(RegisterEvent):
    """Somebody requested an action that needs two people; it waits for the second."""

    id: str
    act: ActForTwo
    by: str
    subject: str
    """The person whom it is about, or the house itself."""
    details: dict[str, str | int | list[str]]
    """The other parameters of the act, by name."""
    reason: str
    expires: int
    """After this time it can no longer be approved."""
    password: str | None = None
    """The hash of a password that the act sets; it is shown to nobody."""
    digest: str = ""
    """The digest of the command with this id: what is approved is done once under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDecided(RegisterEvent):
    """A request was approved and carried out, or it was refused."""

    id: str
    by: str
    approved: bool
    reason: str
    withdrawn: bool = False
    """Whether the requester took it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AloneLimitsSet(RegisterEvent):
    """The limits for one person alone were set, for the cash desk and for tables set up later."""

    desk: int
    table: int
    by: str


# The house's clock --------------------------------------------------------------------------------


class ClockNote(StrEnum):
    """What was noted about the machine's clock."""

    SET = "set"
    """It was set while the house was open; the house continued by elapsed time."""
    BEHIND = "behind"
    """It was behind the newest event when the house opened; the house continued from that event."""
    CONFIRMED = "confirmed"
    """The operator confirmed that it is right, after the house was closed for long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockNoted(RegisterEvent):
    """The machine's clock differed from what the house expected."""

    note: ClockNote
    ahead: int
    """Milliseconds by which it is ahead of the house's; negative if it is behind."""
