"""The shapes of a rulebook and its cloth, as OpenAPI publishes them."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from novamas.game.rulebook.model import (
    ChangeBinds,
    ChipKind,
    ColourWorth,
    Drawing,
    Invitation,
    LimitsKept,
    ZeroAgain,
    ZeroRule,
)
from novamas.web.schemas import Shape, Texts

Place = Annotated[list[float], Field(min_length=2, max_length=2)]
"""A point: x and y."""
Sides = Annotated[list[float], Field(min_length=4, max_length=4)]
"""A rectangle: left, top, right, bottom."""


class BookTitle(Shape):
    """A rulebook among others."""

    id: str
    title: Texts


class BookSpot(Shape):
    """What a rulebook says of a spot."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    kind: Annotated[str, Field(alias="class")]
    word: str
    """Its name as the house says it."""
    numbers: list[int]
    pays: Annotated[list[int], Field(min_length=2, max_length=2)]
    """A fraction: so many for so many."""
    halves: bool
    articles: list[str]
    limit_articles: list[str]
    """Those on what it takes at least and at most."""


class BookPost(Shape):
    """A post at the table."""

    word: str
    may: list[str]
    at_least: int
    """So many hold it, or the table does not open."""
    at_most: int
    touches_chips: bool
    """Whether the house lets it handle chips at all."""
    watches: bool
    """Whether a chief of the house holds it, and no croupier."""
    zone: bool
    """Whether it lays and corrects stakes only in the table's zone."""


class BookStaffing(Shape):
    """Posts of which so many people hold one or another, or the table does not open."""

    posts: list[str]
    at_least: int


class BookCalls(Shape):
    """What the croupier says."""

    language: str
    """In which he says it, which need not be the house's own."""
    open_betting: str
    invites: Invitation
    """When it says `open_betting`."""
    no_more_bets: str
    void: str
    numbers: Annotated[list[str], Field(min_length=37, max_length=37)]


class ClothBox(Shape):
    """A printed area of the cloth."""

    spot: str
    outline: list[Place]
    chip: Place
    """Where the chips of its spot lie."""
    word: str
    """What is printed there."""


class Cloth(Shape):
    """A house's cloth as it is drawn: a number's square is two units wide and high."""

    drawing: Drawing
    bounds: Sides
    boxes: list[ClothBox]
    points: dict[str, list[Place]]
    """Spot → every point where its chip may lie."""
    prison: dict[str, Annotated[list[Place], Field(min_length=2, max_length=2)]]
    """Simple chance → the ends of its line; empty where the house knows no prison."""
    spaces: dict[str, Sides]
    """Announcement → where its chips lie until they are placed."""


class BookChips(Shape):
    """The kinds of chips that are taken; the first is meant when nothing is said."""

    on_numbers: list[ChipKind]
    on_chances: list[ChipKind]
    colour_worth: ColourWorth
    """What a colour chip may be worth."""
    foreign: bool
    """Whether colour chips of another table, laid by mistake, are paid when they win."""


class Book(BookTitle):
    """A rulebook for the screens."""

    language: str
    drawing: str
    left: list[str]
    right: list[str]
    cloth: Cloth
    wheel: Annotated[list[int], Field(min_length=37, max_length=37)]
    """The numbers clockwise from zero."""
    red: list[int]
    chips: BookChips
    kept: list[LimitsKept]
    """How a table of this house may keep its limits."""
    change_binds: ChangeBinds
    """From when limits that change while a table is open bind."""
    multiples: dict[str, int]
    """Class of spots → its maximum in minima of the table, where the house has such a list."""
    words: dict[str, list[str]]
    spots: dict[str, BookSpot]
    announcements: dict[str, list[str]]
    sector: int | None
    replays: list[str]
    zero: ZeroRule
    zero_again: ZeroAgain | None
    """What a further zero does to a stake in prison."""
    causes: list[str]
    posts: dict[str, BookPost]
    staffing: list[BookStaffing]
    calls: BookCalls
    articles: dict[str, Texts]
