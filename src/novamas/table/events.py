"""Events: what happened at the table, in the past tense, never to be changed.

Each has a stable name (`StakePlaced`) and carries plain data: spots in notation, amounts as whole
numbers, and the articles behind whatever money it moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from novamas.game.lines import Line, Settlement
from novamas.game.rulebook.model import Cause, ChipKind, Replay
from novamas.game.wheel import Direction
from novamas.table.commands import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostTaken(Event):
    """A person took a post."""

    person: str
    post: str
    place: int | None = None
    """The place among those at the post of whoever was relieved; after all of them if there is
    none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLeft(Event):
    """A person left a post."""

    person: str
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(Event):
    """The table opened for play."""

    call: str
    """The invitation to bet, where the house calls it when betting opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSuspended(Event):
    """Play was suspended."""

    by: str
    reason: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResumed(Event):
    """Play went on."""

    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsChanged(Event):
    """The placard was changed."""

    by: str
    limits: dict[str, dict[str, int]]
    """The whole placard as it now hangs, or will."""
    articles: tuple[str, ...]
    from_next_coup: bool = False
    """Whether it binds only later (AMB-IT-27)."""
    before: dict[str, dict[str, int]] = field(default_factory=dict)
    """The placard that it takes the place of."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastGamesAnnounced(Event):
    """The last games were announced."""

    games: int
    call: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(Event):
    """The table closed."""

    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSat(Event):
    """A player took a seat."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought(Event):
    """A player bought chips."""

    player: str
    amount: int
    colour: str | None
    chip: int
    """What a colour chip of theirs is worth."""
    value_chips: bool
    articles: tuple[str, ...]
    cash: bool = False
    """Whether they were paid for with cash, which went into the table's box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourConverted(Event):
    """A player's colour chips changed into value chips."""

    player: str
    colour: str
    chips: int
    chip: int
    amount: int
    """What the player holds in value chips after it; less than a chip is left out of `chips`."""
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSteppedAway(Event):
    """A player left the table for a while."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCameBack(Event):
    """A player came back."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustodyClaimed(Event):
    """A player was given what had been set aside for him."""

    player: str
    amount: int
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(Event):
    """A player left for good."""

    player: str
    amount: int
    """What he takes with him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StakePlaced(Event):
    """A stake was laid."""

    id: str
    player: str
    on: str
    amount: int
    chip: int
    chips: ChipKind
    by: str
    announcement: str | None = None
    call: str | None = None
    principal: str | None = None
    unclear: bool = False
    unattended: bool = False
    exception: bool = False
    """Laid after betting closed, by the chief's leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementPlaced(Event):
    """An announcement was taken, or played again."""

    id: str
    player: str
    call: str
    amount: int
    by: str
    stakes: tuple[StakePlaced, ...]
    from_cloth: tuple[str, ...] = ()
    """Winning pieces that lay on the cloth and count in (a completare, per il tutto)."""
    replays: str | None = None
    mode: Replay | None = None
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeMoved(Event):
    """A stake was moved, by its owner or as a correction."""

    id: str
    on: str
    by: str
    correction: bool
    articles: tuple[str, ...]
    before: str | None = None
    """Where it lay."""
    reason: str = ""
    ordered_by: str | None = None
    """Who ordered the correction that `by` carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionOrdered(Event):
    """A correction was ordered; the stake lies where it lay until somebody carries it out."""

    id: str
    on: str
    by: str
    articles: tuple[str, ...]
    before: str
    """Where it lies."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeWithdrawn(Event):
    """A stake, or a part of it, was taken back by its owner."""

    id: str
    amounts: dict[str, int]
    """Stake → what was taken of it; several for an announcement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StakesReturned(Event):
    """Stakes, or parts of them, given back by the house."""

    returned: tuple[tuple[str, int, tuple[str, ...]], ...]
    """Stake, amount and the articles that send it back."""
    by: str | None = None
    """Who noticed that they were too much; nobody, where they go back by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallLaunched(Event):
    """The wheel was spun and the ball launched."""

    by: str
    spin: int
    wheel: Direction
    ball: Direction
    call: str = ""
    """The invitation to bet, where the house calls it after the launch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingClosed(Event):
    """No more bets were taken."""

    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionGranted(Event):
    """A player was allowed one stake after the close."""

    player: str
    by: str
    articles: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallVoided(Event):
    """The ball was declared void; the stakes stayed."""

    cause: Cause
    call: str
    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallPocketed(Event):
    """The ball came to lie in a pocket."""

    number: int
    last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCalled(Event):
    """The number was called, and with it the coup settled."""

    call: str
    settlement: Settlement


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberQuestioned(Event):
    """It was said that another number came out than the one that was called."""

    before: int
    number: int
    """As it should be; the number that was called, where the question is taken back."""
    by: str
    reason: str
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCorrected(Event):
    """The number was changed, before anything was collected or paid."""

    before: int
    number: int
    by: str
    second: str | None
    """Who signed besides; nobody, where the number had not been called yet."""
    reason: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LosersCollected(Event):
    """The losing chips were collected, and what zero divides was divided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersPaid(Event):
    """So many of the payments that were due were made, in order."""

    payments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupEnded(Event):
    """The last payment was made and the coup was over."""

    coup: int
    games_left: int | None
    call: str
    """What the croupier says: how many games remain, the invitation to bet, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMade(Event):
    """The owner of a stake that met zero chose."""

    id: str
    choice: Choice
    line: Line
    """What became of the prisoner by the choice."""
