"""Events of the register, in the past tense, never to be changed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Post(StrEnum):
    """What somebody is to the house; at a table the rulebook's posts come on top."""

    PLAYER = "player"
    CROUPIER = "croupier"
    CHIEF = "chief"
    """Chief of table or inspector."""
    CASHIER = "cashier"
    AUDITOR = "auditor"
    MANAGEMENT = "management"
    """Sets tables up. On a machine of one's own it may act for anybody; in a house it may not."""

    @property
    def spoken(self) -> str:
        """The post in a sentence."""
        if self is Post.MANAGEMENT:
            return "the management"
        return f"an {self}" if self is Post.AUDITOR else f"a {self}"


class LimitKind(StrEnum):
    """What a player may limit for himself."""

    SPEND = "spend"
    """What goes to the tables in a day, less what comes back."""
    MINUTES = "minutes"
    """How long one is signed in as a player in a day, in however many sessions."""


class ActForTwo(StrEnum):
    """What one person asks for and another approves."""

    REGISTER_STAFF = "register_staff"
    """Somebody is made known who may hold a post of the staff."""
    CHANGE_POSTS = "change_posts"
    SET_PASSWORD = "set_password"  # noqa: S105  # nosec B105 - the name of an act
    """Another's: whoever knows it could sign in as them."""
    RESET_SECOND_FACTOR = "reset_second_factor"
    CREDIT_DESK = "credit_desk"
    """The cash desk takes more for a wallet than one person takes alone."""
    SET_ALONE_LIMITS = "set_alone_limits"
    """How much one person takes alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEvent:
    """Something that was written into the register."""


# People -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRegistered(RegisterEvent):
    """A person became known to the house."""

    name: str
    posts: tuple[Post, ...]
    by: str
    guest: bool = False
    """Without a password: whoever holds the session is him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordSet(RegisterEvent):
    """A password was set; it stands here as its hash."""

    name: str
    password: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRestored(RegisterEvent):
    """A chief who had lost the password was let in again, by whoever sat at the machine itself."""

    name: str
    by: str
    account: str
    """Under which account of the system it was done."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsChanged(RegisterEvent):
    """A person may hold other posts than before."""

    name: str
    before: tuple[Post, ...]
    posts: tuple[Post, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLocked(RegisterEvent):
    """Strangers tried a name too often: for a while its password alone lets no stranger in.

    Devices on which the person has signed in before are no strangers, and neither is whoever shows
    the second factor too.
    """

    name: str
    until: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInNameChosen(RegisterEvent):
    """A person signs in under another name than the one that everybody sees at a table."""

    name: str
    sign_in: str
    """Known to the person alone; the register's readers do not see it."""


# The second factor --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TotpEnrolled(RegisterEvent):
    """A person has an app that shows one-time codes (TOTP)."""

    name: str
    factor: str
    label: str
    sealed: str
    """The secret, sealed with a key outside the store, in hexadecimal digits."""
    counter: int
    """The time step of the code that confirmed it; no code up to it is good again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyEnrolled(RegisterEvent):
    """A person has a passkey (WebAuthn), which verifies who uses it."""

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
    """The secret of an app is sealed under another key; it is the same secret."""

    name: str
    factor: str
    sealed: str
    """In hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChanged(RegisterEvent):
    """All that lies sealed in the store is under another key now; done at the machine itself."""

    by: str
    account: str
    """Under which account of the system it was done."""
    reason: str
    seeds: int
    """How many seeds of the ball were sealed anew."""
    apps: int
    """How many secrets of apps were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorUsed(RegisterEvent):
    """A second factor let somebody in; what it showed is good for nothing more."""

    name: str
    factor: str
    counter: int
    challenge: str | None = None
    """The hash of the challenge that a passkey signed."""
    challenge_expires: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorRemoved(RegisterEvent):
    """A person gave up one of their second factors."""

    name: str
    factor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorsReset(RegisterEvent):
    """All second factors of a person were taken away: they are lost, and new ones are enrolled."""

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
    """Somebody is at work: so that no other server of the house takes his post for idle."""

    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded(RegisterEvent):
    """A session was ended before its time."""

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
    """The cash desk paid a player out of his wallet."""

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
    """Paid into the table's box: the wallet is untouched, but the player's own limit counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsRedeemed(RegisterEvent):
    """A player left a table, and what they held there is in their wallet."""

    name: str
    table: str
    seq: int
    """The event of the table with which they left."""
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskIssued(RegisterEvent):
    """The cash desk answers for chips that a table received: a float, a fill, a counted box."""

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
    """Who took cash for them at the table; nobody, where the wallet pays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsArrived(RegisterEvent):
    """The command was accepted: the money is at the table."""

    table: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsGivenBack(RegisterEvent):
    """The command was refused, or never came to the table: the money is the player's again."""

    table: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBrought(RegisterEvent):
    """A player left a table, and what they held there came back to their wallet."""

    name: str
    table: str
    seq: int
    """The event of the table with which they left."""
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksCarriedOver(RegisterEvent):
    """From here on the register answers for a table of version 0.1.0 in an account of its own.

    Until then all tables were one account, and the register knew nothing of floats and fills.
    """

    table: str
    seq: int
    """The last event of the table that the old books answer for."""
    wallets: int
    """What had come from wallets until then, less what went back; below zero if more went back."""
    desk: int
    """The same of the cash desk: floats, fills, chips paid there, cash of the box."""


# A player's own protection ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSet(RegisterEvent):
    """A player limited himself; a higher limit than before binds only later."""

    name: str
    kind: LimitKind
    amount: int | None
    """None: no limit of his own."""
    binds: int
    """From when on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded(RegisterEvent):
    """A player shut himself out; nobody can let him in sooner."""

    name: str
    until: int | None
    """None: for good."""


# What takes two people ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested(RegisterEvent):
    """Somebody asked for what takes two people; it waits for the second."""

    id: str
    act: ActForTwo
    by: str
    subject: str
    """Whom it is about; the house itself if it is about nobody."""
    details: dict[str, str | int | list[str]]
    """What else the act needs, by its names."""
    reason: str
    expires: int
    """From then on it can no longer be approved."""
    password: str | None = None
    """The hash of a password that the act sets; nobody is shown it."""
    digest: str = ""
    """Of the command that asked for it under this id: what is approved is done once under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDecided(RegisterEvent):
    """A request was approved, and what it asked for was done with it; or it was not."""

    id: str
    by: str
    approved: bool
    reason: str
    withdrawn: bool = False
    """Whether whoever asked took it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AloneLimitsSet(RegisterEvent):
    """How much one person takes alone was set, for the cash desk and for tables set up later."""

    desk: int
    table: int
    by: str


# The house's clock --------------------------------------------------------------------------------


class ClockNote(StrEnum):
    """What is noted of the machine's clock."""

    SET = "set"
    """It was set while the house was open; the house went on by the time that passed."""
    BEHIND = "behind"
    """It was behind the newest event when the house opened; the house went on from that event."""
    CONFIRMED = "confirmed"
    """Whoever opened the house after a long rest said that it is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockNoted(RegisterEvent):
    """The machine's clock was not where the house expected it."""

    note: ClockNote
    ahead: int
    """Milliseconds by which it is ahead of the house's; negative if it is behind."""
