"""Events: what happened at the table, in the past tense, never to be changed.

Each has a stable name (`StakePlaced`) and carries plain data: spots in notation, amounts as whole
numbers, and the articles behind whatever money it moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from novamas.game.lines import Line, Settlement
from novamas.game.rulebook import Cause, ChipKind, Replay
from novamas.game.wheel import Direction
from novamas.table.commands import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostTaken(Event):
    person: str
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLeft(Event):
    person: str
    post: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(Event):
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSuspended(Event):
    by: str
    reason: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResumed(Event):
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsChanged(Event):
    by: str
    limits: dict[str, dict[str, int]]
    """The whole placard as it now hangs."""
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastGamesAnnounced(Event):
    games: int
    call: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(Event):
    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSat(Event):
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought(Event):
    player: str
    amount: int
    colour: str | None
    chip: int
    """What a chip of his is worth; for value chips, the table's base chip."""
    value_chips: bool
    articles: tuple[str, ...]


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
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerCameBack(Event):
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustodyClaimed(Event):
    player: str
    amount: int
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(Event):
    player: str
    amount: int
    """What he takes with him."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StakePlaced(Event):
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
    id: str
    on: str
    by: str
    correction: bool
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeWithdrawn(Event):
    id: str
    amounts: dict[str, int]
    """Stake → what was taken of it; several for an announcement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StakesReturned(Event):
    """Stakes, or parts of them, given back by the house."""

    returned: tuple[tuple[str, int, tuple[str, ...]], ...]
    """Stake, amount and the articles that send it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallLaunched(Event):
    by: str
    spin: int
    wheel: Direction
    ball: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingClosed(Event):
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionGranted(Event):
    player: str
    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallVoided(Event):
    cause: Cause
    call: str
    by: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BallPocketed(Event):
    number: int
    last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCalled(Event):
    call: str
    settlement: Settlement


@dataclass(frozen=True, slots=True, kw_only=True)
class LosersCollected(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersPaid(Event):
    """So many of the payments that were due were made, in order."""

    payments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupEnded(Event):
    coup: int
    games_left: int | None
    call: str
    """What the croupier says: how many games remain, or the invitation to bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceMade(Event):
    id: str
    choice: Choice
    line: Line
    """What became of the prisoner by the choice."""
