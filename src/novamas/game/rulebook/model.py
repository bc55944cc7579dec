"""The rulebook: a house's articles and the behaviours they choose, as typed and frozen data.

A rulebook is read from TOML text by `novamas.game.rulebook.reader`; nothing here reads files. Each
section keeps, beside its facts, the ids of the articles behind each fact (`cites`), so that the
code that applies the fact can cite them. The behaviours are closed sets: a house chooses, it does
not program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from novamas.game.arguments import instance, shown
from novamas.game.cloth import MULTIPLES, SPOTS, Cloth, Spot, SpotClass
from novamas.game.errors import UsageError, nearest
from novamas.game.rulebook.behaviours import (
    AbsenceEnds,
    Act,
    Cause,
    ChangeBinds,
    ChipKind,
    ColourWorth,
    Drawing,
    Instant,
    Invitation,
    LateExcess,
    LimitsChange,
    LimitsKept,
    Linked,
    NewWorth,
    NumberCall,
    PayBy,
    Replay,
    ShortStake,
    ValueCounted,
    Winning,
    ZeroAgain,
    ZeroRule,
)
from novamas.game.rulebook.citations import (
    AbsenceCites,
    AnnouncementCites,
    BettingCites,
    CallCites,
    ChipCites,
    ClosingCites,
    ClothCites,
    ExcessCites,
    FloatCites,
    LimitCites,
    PaymentCites,
    PiecesCites,
    PostCites,
    ReductionCites,
    SeatCites,
    SettledCites,
    StaffingCites,
    WheelCites,
    ZeroCites,
)
from novamas.game.rulebook.display import ShownRulebook
from novamas.game.wheel import Pocket, Wheel

SHOWN: Final = 60
"""The most characters of an article's text in its short form."""


@dataclass(frozen=True, slots=True, repr=False)
class Article:
    """An article of the house, or our reading where the house's text is unclear.

    >>> import novamas as nv
    >>> nv.load("ar").article("AR-6.b")
    <Article AR-6.b: A semipleno lies on the line that two neighbouring numbers s…>
    """

    id: str
    summary: Mapping[str, str]
    """Language → what it says, in our words."""
    is_reading: bool = False
    nothing_to_do: str | None = None
    source: str | None = None
    """Where it is from, if not from the house's own text."""

    def text(self, language: str) -> str:
        """Its text in that language, or else in English; followed by its source if it has one.

        >>> Article("ES-G.7", {"en": "No bets after it."}, source="Orden de 1979").text("es")
        'No bets after it. [Orden de 1979]'
        """
        text = self.summary.get(instance(language, str, argument="language")) or self.summary["en"]
        return f"{text} [{self.source}]" if self.source else text

    def __repr__(self) -> str:
        text = self.text("en")
        short = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        return f"<Article {self.id}: {short}>"


@dataclass(frozen=True, slots=True)
class ClothRules:
    """How the house's cloth is drawn: its style and the order of the simple chances."""

    plan: Cloth
    """The spots that can be drawn on it, and where they lie."""
    drawing: Drawing
    left: tuple[str, ...]
    right: tuple[str, ...]
    cites: ClothCites


class Terms(NamedTuple):
    """What a house's book says of one spot."""

    spot: Spot
    pays: Fraction
    spot_cites: tuple[str, ...]
    """The articles that define the spot."""
    pays_cites: tuple[str, ...]
    """The articles that set its payment."""
    minimum_of: tuple[SpotClass, ...]
    """The classes whose minimum each part of it must reach."""
    minimum_times: int
    minimum_cites: tuple[str, ...]
    """The articles behind those minima, where it is not the minimum of one class."""
    maximum_of: SpotClass
    """The class whose maximum applies to it."""
    maximum_times: int
    limit_cites: tuple[str, ...]
    halves: bool
    """Whether it plays half in each of its two boxes."""


@dataclass(frozen=True, slots=True)
class ZeroRules:
    """What zero does to the chances."""

    simple: ZeroRule
    again: ZeroAgain | None
    last_is_forced: bool
    """On the last spin of the session the half must be taken."""
    small_halves_stay: bool
    """From the second zero on, a half below the table's minimum may not be withdrawn."""
    void_reopens_choice: bool
    """Whether a void ball restores the choices that were open when betting closed."""
    cites: ZeroCites


@dataclass(frozen=True, slots=True)
class LimitRules:
    """How minima and maxima are enforced."""

    kept: tuple[LimitsKept, ...]
    """The ways that the house allows; a live table starts with the first."""
    change: LimitsChange
    change_binds: ChangeBinds
    linked: Linked
    short: ShortStake
    third_parties: bool
    """Whether a stake laid for another player counts with that player's own."""
    highest_bet: bool
    """Whether a law sets the highest bet of all: the house says what that is in units."""
    multiples_of_minimum: Mapping[SpotClass, int]
    """Class → its maximum as a multiple of the table's minimum, where the house has such a list."""
    cites: LimitCites


@dataclass(frozen=True, slots=True)
class PiecesRules:
    """The least number of chips that a player must play, besides the minima of the placard."""

    on_chance: int
    """Colour chips together on one chance."""
    on_numbers: int
    """Colour chips in all on the numbers."""
    value_on_simple: int
    """Value chips on a simple chance, in the chips in which they are counted."""
    value_elsewhere: int
    """Value chips on any other spot, in the chips in which they are counted."""
    foreign_counted: bool
    """Whether these minima apply to chips of another table, which then count towards them."""
    winners_left_play: bool
    """Whether a winner left in its combination plays on, even below the least number of pieces."""
    cites: PiecesCites


@dataclass(frozen=True, slots=True)
class ExcessRules:
    """What becomes of an amount above a maximum."""

    multiples: LateExcess
    chances: LateExcess
    multiples_until: Instant
    """The last instant at which a notice returns the excess on a multiple."""
    chances_until: Instant
    cascade: tuple[SpotClass, ...]
    unclear_plays_maximum: bool
    cites: ExcessCites


@dataclass(frozen=True, slots=True)
class PaymentRules:
    """In which order the winners are paid, and which of them together."""

    order: tuple[frozenset[str], ...]
    """Groups of classes, or single straddles' box classes (`straddle-column`), first paid first."""
    by: PayBy
    value_chips_last: bool
    pile: int | None
    """How many chips a standard pile has, where payments are cut by height; otherwise None."""
    cites: PaymentCites


@dataclass(frozen=True, slots=True)
class ReductionRules:
    """How winning chips on the numbers are reduced to straights before they are paid."""

    order: tuple[SpotClass, ...]
    into_straight: Mapping[SpotClass, int]
    winning_stakes: int
    """The least number of winning stakes of one player for a reduction."""
    stays_reduced: bool
    """Whether winners that stay on the cloth are reduced too; if not, they are paid as they lie."""
    cites: ReductionCites


@dataclass(frozen=True, slots=True)
class Call:
    """An announcement that the house takes."""

    name: str
    pieces: tuple[Spot, ...]
    """The spots of its pieces; a spot with two pieces stands twice."""
    to_place: bool
    """Held "pagati a piazzare": the chips lie in a space of their own until the number is out."""
    all_times: int | None
    """How many times it is played "per il tutto", if the house offers that."""
    cites: tuple[str, ...]
    piece_cites: Mapping[str, tuple[str, ...]]
    """What the house says of single pieces: by spot, `*` for the rest, and `number 17`."""


@dataclass(frozen=True, slots=True)
class AnnouncementRules:
    """Which announcements the house takes, and how they are replayed."""

    must_be_covered: bool
    """Whether an announced stake plays only if its chips are laid before betting closes."""
    calls: Mapping[str, Call]
    neighbours: int | None
    """How many neighbours on each side a sector has; None: the house takes no sectors."""
    replays: tuple[Replay, ...]
    pieces_bound: bool
    """Whether each piece must reach the minimum of its spot, as any other stake."""
    cites: AnnouncementCites


@dataclass(frozen=True, slots=True)
class ChipRules:
    """Which chips are played."""

    on_numbers: tuple[ChipKind, ...]
    on_chances: tuple[ChipKind, ...]
    """The kinds accepted on the simple chances; the first is the default."""
    on_dozens: tuple[ChipKind, ...]
    """The kinds accepted on dozens, columns and the straddles between them."""
    change_pending: bool
    """Whether value chips that there was no time to change are accepted where only colour is."""
    own_colour: bool
    """Whether a colour has only one owner."""
    placing_needs_colour: bool
    """Whether the staff places stakes only for players who hold a colour."""
    colour_worth: ColourWorth
    new_worth: NewWorth
    one_player_per_value: bool
    """Whether only one player at a time has value chips of one denomination on the numbers."""
    colours: int | None
    """How many colours the table has, where the house says so."""
    value_counted_in: ValueCounted
    converted_on_leaving: bool
    converted_when_away: bool
    """Whether a short absence is enough for the colour to be changed."""
    foreign_paid: bool
    """Whether colour chips of another table are paid when they win."""
    cites: ChipCites


@dataclass(frozen=True, slots=True)
class BettingRules:
    """When stakes may be laid, changed and touched."""

    stakes_while_paying: bool
    """Whether new stakes are taken during payments, on spots that did not win."""
    announcements_while_paying: bool
    """Whether announcements are taken then, if none of their pieces lies on a spot that won."""
    exception_after_close: bool
    """Whether the chief may grant a late stake before the ball is pocketed."""
    winners_stay: Winning
    cites: BettingCites


@dataclass(frozen=True, slots=True)
class AbsenceRules:
    """How many coups the winners of an absent player wait, and where they go then."""

    to_custody: bool
    """Whether the house sets them aside; otherwise they go to the player's hand."""
    until: AbsenceEnds
    multiples_after: int
    chances_after: int
    cites: AbsenceCites


@dataclass(frozen=True, slots=True)
class WheelRules:
    """The wheel, how it is turned, and what makes a ball void."""

    pockets: Wheel
    alternates: bool
    ball_against_wheel: bool
    causes: frozenset[Cause]
    turns: int | None
    """How many turns a valid spin has at least, where the house says so."""
    inspect_after: frozenset[Cause]
    """The causes after which the ball is inspected before it is launched again."""
    inspected: bool
    """Whether a post checks the table, its wheel or its chips before the table opens."""
    cites: WheelCites


@dataclass(frozen=True, slots=True)
class SeatRules:
    """How many players sit at a table."""

    at_most: int
    double: int
    """At a double table."""
    cites: SeatCites


@dataclass(frozen=True, slots=True)
class FloatRules:
    """The float: the money with which a table pays."""

    minima: int
    """How many minima of the table it has at least."""
    equal_refills: bool
    """Whether every later advance equals the first."""
    counted: bool
    """Whether it is counted and signed when the table opens, is refilled and closes, and may be
    while play is suspended."""
    suspends: bool
    """Whether play is suspended while the bank cannot cover the bets."""
    cites: FloatCites


@dataclass(frozen=True, slots=True)
class ClosingRules:
    """How the table closes."""

    last_games: int
    """How many last games are announced and counted; 0 if the house does not announce them."""
    cites: ClosingCites


@dataclass(frozen=True, slots=True)
class Post:
    """A post of the staff: how many hold it and what it may do."""

    name: str
    word: str
    at_least: int
    at_most: int
    double_at_least: int
    """How many hold it at a double table."""
    double_at_most: int
    tables: int | None
    """At how many tables one person may hold it."""
    tables_with_racetrack: int | None
    """The same, where one of the tables has a racetrack."""
    may: frozenset[Act]
    rotates: bool
    touches_chips: bool
    watches: bool
    """Whether it supervises the croupiers; then a chief holds it, never a croupier."""
    zone: bool
    """Whether it lays and corrects stakes only in the zone that the table's setup names."""
    cites: PostCites


@dataclass(frozen=True, slots=True)
class Staffing:
    """Posts that count together: a number of people must hold any of them."""

    name: str
    posts: tuple[str, ...]
    """The order in which automatic staffing fills the posts."""
    at_least: int
    cites: StaffingCites


@dataclass(frozen=True, slots=True)
class CallRules:
    """What the croupier says, and in which language."""

    open_betting: str
    invites: Invitation
    """When `open_betting` is called."""
    no_more_bets: str
    void: str
    number: NumberCall
    language: str
    """The language of the calls, which need not be the house's own."""
    numbers: Mapping[Pocket, str]
    """The pockets as they are called."""
    chances: Mapping[str, str]
    last_games: str
    games_left: tuple[str, ...]
    """What is said when 0, 1, 2 … of the last games remain."""
    cites: CallCites


@dataclass(frozen=True, slots=True, repr=False)
class Rulebook(ShownRulebook):
    """A house's book."""

    id: str
    language: str
    title: Mapping[str, str]
    articles: Mapping[str, Article]
    cloth: ClothRules
    terms: Mapping[Spot, Terms]
    """The spots that the house offers, each with its terms."""
    settled: SettledCites
    """Cited in addition to the spot's own articles."""
    zero: ZeroRules
    limits: LimitRules
    pieces: PiecesRules | None
    excess: ExcessRules | None
    payment: PaymentRules
    reduction: ReductionRules | None
    announcements: AnnouncementRules
    chips: ChipRules
    betting: BettingRules
    absence: AbsenceRules
    wheel: WheelRules
    seats: SeatRules | None
    float: FloatRules | None
    closing: ClosingRules
    posts: Mapping[str, Post]
    staffing: tuple[Staffing, ...]
    calls: CallRules
    words: Mapping[str, tuple[str, ...]]
    """Canonical name → the house's words for it; the first is the one that it prints."""
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Each datum, as `section.key`, → the house whose book says it; empty without `extends`."""
    derived: dict[object, object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """A cache for what settlement derives from the book, such as the verdicts for each pocket."""

    def offers(self, spot: Spot) -> bool:
        """Whether the house's cloth has the spot."""
        return instance(spot, Spot, argument="spot") in self.terms

    def word(self, name: str) -> str:
        """The house's own word for a spot, a class or an announcement, or its plain name."""
        words = self.words.get(instance(name, str, argument="name"))
        return words[0] if words else name

    def article(self, id: str) -> Article:
        """The article or reading with that id.

        >>> import novamas as nv
        >>> nv.load("ar").article("AR-14.z")
        Traceback (most recent call last):
        novamas.game.errors.UsageError: id: ar has no article 'AR-14.z'; did you mean 'AR-14.d'?
        """
        found = self.articles.get(instance(id, str, argument="id"))
        if found is None:
            problem = f"{self.id} has no article {shown(id)}{nearest(id, self.articles)}"
            raise UsageError(f"id: {problem}")
        return found

    def find(self, text: str) -> tuple[Article, ...]:
        """The articles that a person means by `14`, `ar-14`, `AR-14.b` or `gioco-15`.

        An id without a suffix stands for all its parts.
        """
        wanted = instance(text, str, argument="text").strip().lower()
        prefix = self.id + "-"
        if not wanted.startswith((prefix, "amb-", "x-", "nv-")):
            wanted = prefix + wanted
        exact = [a for a in self.articles.values() if a.id.lower() == wanted]
        parts = [a for a in self.articles.values() if is_part(a.id.lower(), wanted)]
        return (*exact, *(a for a in parts if a not in exact))


def is_part(id: str, whole: str) -> bool:
    """Whether an id is a part of another: `ar-14.b` of `ar-14`, `it-general-2a` of `it-general-2`.

    >>> is_part("ar-14.b", "ar-14"), is_part("ar-14.b", "ar-1")
    (True, False)
    """
    if not id.startswith(whole) or id == whole:
        return False
    rest = id[len(whole) :]
    return (
        rest[0] in ".-"
        or (rest[0].isalpha() and whole[-1].isdigit())
        or (rest[0].isdigit() and whole[-1].isalpha())
    )


def classes_of(spot: Spot) -> tuple[SpotClass, ...]:
    """The classes of the boxes a spot lies in: its own, or those of a straddle's two boxes."""
    if spot.kind is SpotClass.STRADDLE:
        return tuple(SPOTS[box].kind for box in spot.boxes)
    return (spot.kind,)


def is_multiple(kind: SpotClass) -> bool:
    """Whether the class is laid on the numbers (a "suerte múltiple")."""
    return kind in MULTIPLES
