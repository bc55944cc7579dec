"""The state of a table: everything that decides what may happen next, and who owns each chip.

Only `evolve` changes the state, one event at a time and in place: a cloth of a hundred thousand
stakes is not copied for each new one. Deciding never changes it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape

from novamas.game.announcements import call_of
from novamas.game.chips import kinds_for
from novamas.game.cloth import Spot
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line, Settlement
from novamas.game.payment import Payment
from novamas.game.post_zones import NO_ZONE, Zone
from novamas.game.rulebook.behaviours import (
    Act,
    ChangeBinds,
    ChipKind,
    LimitsKept,
    ValueCounted,
    Winning,
)
from novamas.game.rulebook.model import Post, Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Direction, Pocket
from novamas.table.events.money import WrongPaymentMade
from novamas.table.identity import Identity, Officer


class Phase(StrEnum):
    """The phase of a coup."""

    OPENING = "opening"
    """The staff takes its posts and players sit down; nothing may be staked yet."""
    BETTING = "betting"
    CHOOSING = "choosing"
    """Betting, while owners of stakes that met zero may still choose."""
    CLOSED = "closed"
    """No more bets; the ball runs."""
    POCKETED = "pocketed"
    COLLECTING = "collecting"
    """The number is called and marked with the dolly; losers are being collected."""
    PAYING = "paying"
    ENDED = "ended"
    """The last coup is over, or the table was closed."""


BETTING = (Phase.BETTING, Phase.CHOOSING)
"""The phases in which stakes are laid and changed freely."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a table is set up before it opens."""

    limits: Limits = NO_LIMITS
    winning: Winning = Winning.HAND
    limits_kept: LimitsKept = LimitsKept.ENFORCED
    chip: int = 1
    """The base value of a chip (IT-general-1)."""
    own_chips: Mapping[str, int] = field(default_factory=dict)
    """Player → what their colour chip is worth before they buy one, where a script says so."""
    colours: int = 10
    """How many colours there are, where the house does not say."""
    rotation: int = 10
    """How many spins a croupier makes before the next takes over, if they take turns (ES-P.4)."""
    live: bool = False
    """Whether it is live: a chip is an even number of units, so that halves are whole (X-03)."""
    double: bool = False
    """Whether it is a double table, with two cloths."""
    highest_bet: int | None = None
    """The highest bet of all by law, in units, where the book has such a law and the house says."""
    zone: Zone = NO_ZONE
    """Where a post that has a zone lays and corrects stakes (AMB-ES-18)."""

    @classmethod
    def usual(cls, book: Rulebook) -> Setup:
        """The default setup of the house (X-02, X-04)."""
        return cls(winning=book.betting.winners_stay, limits_kept=book.limits.kept[0])


@dataclass(slots=True)
class Player:
    """A player at the table."""

    name: str
    purse: int = 0
    colour: str | None = None
    chip: int = 1
    value_chips: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement on the cloth, or in its space until it is placed."""

    id: str
    player: str
    call: str
    amount: int
    pieces: tuple[str, ...]
    """The ids of its stakes."""


def is_whole(book: Rulebook, announcement: Announcement) -> bool:
    """Whether it still has all its pieces; one that won has only its winners."""
    call = call_of(book, announcement.call)
    return call is not None and len(announcement.pieces) == len(set(call.pieces))


@dataclass(frozen=True, slots=True)
class Won:
    """An announcement that won in the last coup and may be played again."""

    announcement: Announcement
    winners: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A number that, according to a person, came out instead of the called one."""

    number: Pocket
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Order:
    """A correction that was ordered and not carried out yet."""

    id: str
    """The stake."""
    on: str
    by: str
    reason: str


@dataclass(slots=True, repr=False)
class State:
    """A table.

    >>> import novamas as nv
    >>> nv.Table("it", players={"anna": 1_000}, seed=7).state
    <State it: betting, coup 1, 1 player, 0 stakes>
    """

    book: Rulebook
    setup: Setup
    limits: Limits
    coming_limits: Limits | None = None
    """A placard that was announced and does not apply yet."""
    phase: Phase = Phase.OPENING
    suspended: bool = False
    staff: dict[str, str] = field(default_factory=dict)
    """Person → post."""
    players: dict[str, Player] = field(default_factory=dict)
    stakes: dict[str, Stake] = field(default_factory=dict)
    on_spot: dict[tuple[str, Spot], int] = field(default_factory=dict)
    """What each player answers for on each spot, by `Stake.whose`."""
    announcements: dict[str, Announcement] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)
    """Stake → its ordered correction; it lapses when the stake moves or betting closes."""
    prison: dict[str, Prisoner] = field(default_factory=dict)
    undecided: set[str] = field(default_factory=set)
    """Prisoners whose owners had not chosen when betting closed, until the ball is pocketed."""
    custody: dict[str, int] = field(default_factory=dict)
    exceptions: set[str] = field(default_factory=set)
    """Players who may still lay one late stake."""
    coup: int = 1
    spins: int = 0
    ball_launched: bool = False
    inspected: bool = False
    """Whether table, wheel and ball were inspected, where the house requires it before opening."""
    ball_to_inspect: bool = False
    """Whether the ball must be inspected before it is launched again."""
    number: Pocket | None = None
    questioned: Question | None = None
    """A changed number that waits for the second signature."""
    last: bool = False
    games_left: int | None = None
    settlement: Settlement | None = None
    due: deque[Payment] = field(default_factory=deque)
    won: dict[str, Won] = field(default_factory=dict)
    bank: int = 0
    """What the bank has gained since the table opened."""
    wrong_payments: dict[str, WrongPaymentMade] = field(default_factory=dict)
    """Wrong payments that are not corrected yet, by their ids."""

    @classmethod
    def fresh(cls, book: Rulebook, setup: Setup | None = None) -> State:
        """A table that has not opened yet, with the house's default setup unless one is given."""
        setup = setup or Setup.usual(book)
        return cls(book=book, setup=setup, limits=setup.limits)

    def directions(self, spin: int) -> tuple[Direction, Direction]:
        """The directions of the wheel and the ball at a spin; the wheel first turns clockwise."""
        turns = Direction.CLOCKWISE
        if self.book.wheel.alternates and spin % 2 == 0:
            turns = Direction.COUNTERCLOCKWISE
        return turns, turns.opposite if self.book.wheel.ball_against_wheel else turns

    def posts_of(self, post: str) -> list[str]:
        """Who holds a post, in the order in which they took it."""
        return [person for person, held in self.staff.items() if held == post]

    def held(self) -> Counter[str]:
        """How many people hold each post."""
        return Counter(self.staff.values())

    def post_of(self, who: Identity) -> Post | None:
        """The post that somebody holds; an officer of the management holds none."""
        if isinstance(who, Officer):
            return None
        return self.book.posts.get(self.staff.get(who, ""))

    def may(self, who: Identity, act: Act) -> bool:
        """Whether somebody's post may do an act."""
        post = self.post_of(who)
        return post is not None and act in post.may

    def who_may(self, act: Act) -> str | None:
        """A person at the table who may do an act now: for scripts and automatic croupiers."""
        if act is Act.LAUNCH_BALL:
            return self.spinner()
        return next((person for person in self.staff if self.may(person, act)), None)

    def spinner(self) -> str | None:
        """The person who spins next: the one whose turn it is, where they take turns (ES-P.4)."""
        spinning: list[Post] = [p for p in self.book.posts.values() if Act.LAUNCH_BALL in p.may]
        for post in spinning:
            there = self.posts_of(post.name)
            if there:
                turn = self.spins // self.setup.rotation if post.rotates else 0
                return there[turn % len(there)]
        return None

    @property
    def colours(self) -> int:
        """How many colours the table has: as many as the house says, or as its setup says."""
        return self.book.chips.colours or self.setup.colours

    @property
    def seats(self) -> int | None:
        """How many players may sit here; None if the house says nothing."""
        rules = self.book.seats
        if rules is None:
            return None
        return rules.double if self.setup.double else rules.at_most

    @property
    def limits_wait(self) -> bool:
        """Whether limits that are announced now apply only later (AMB-IT-27)."""
        if self.phase not in (Phase.OPENING, *BETTING):
            return True
        at_rest = not self.ball_launched and not self.stakes
        return self.book.limits.change_binds is ChangeBinds.CLEAR_CLOTH and not at_rest

    def chip_for(self, player: Player, kind: ChipKind) -> int:
        """The chip in which a player's stake is counted (AMB-IT-30)."""
        by_table = self.book.chips.value_counted_in is ValueCounted.TABLE
        return self.setup.chip if kind is ChipKind.VALUE and by_table else player.chip

    def kind_for(self, player: Player, spot: Spot) -> ChipKind:
        """The kind of chip that a player lays on a spot by default."""
        kinds = kinds_for(self.book, spot)
        if player.value_chips and ChipKind.VALUE in kinds:
            return ChipKind.VALUE
        return kinds[0]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{player.purse}</td><td>{escape(self._laid_by(name))}</td></tr>"
            for name, player in self.players.items()
        )
        caption = (
            f"<caption>{escape(self.book.name)}: {self.phase.value}, coup {self.coup}</caption>"
        )
        head = "<tr><th>player</th><th>purse</th><th>stakes</th></tr>"
        return f"<table>{caption}{head}{rows}</table>"

    def _laid_by(self, player: str) -> str:
        """What a player has on the cloth and in prison, in the notation."""
        lies = [f"{s.spot.name}:{s.amount}" for s in self.stakes.values() if s.player == player]
        held = [f"{p.spot.name}:{p.amount}" for p in self.prison.values() if p.player == player]
        return " ".join(lies + (["prison", *held] if held else []))

    def __repr__(self) -> str:
        players, stakes = len(self.players), len(self.stakes) + len(self.prison)
        there = f"{players} player{'' if players == 1 else 's'}"
        laid = f"{stakes} stake{'' if stakes == 1 else 's'}"
        return f"<State {self.book.id}: {self.phase.value}, coup {self.coup}, {there}, {laid}>"

    @property
    def on_cloth(self) -> int:
        """The total on the cloth."""
        return sum(stake.amount for stake in self.stakes.values())
