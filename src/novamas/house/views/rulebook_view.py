"""Rulebook views: a rulebook as the screens need it, from its drawn cloth to its articles."""

from __future__ import annotations

import msgspec

from novamas.drawing.layout import layout
from novamas.game import wheel
from novamas.game.house_words import spoken
from novamas.game.lines import cited
from novamas.game.rulebook.behaviours import (
    Act,
    Cause,
    ChangeBinds,
    ChipKind,
    ColourWorth,
    Drawing,
    Invitation,
    LimitsChange,
    LimitsKept,
    NewWorth,
    Replay,
    ZeroAgain,
    ZeroRule,
)
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.house.views.view import Ratio, Texts, View
from novamas.wording.calls import number_call

Place = tuple[float, float]
"""A point: x and y."""
Sides = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom."""


class RulebookTitle(View):
    """A rulebook in a list."""

    id: str
    """The id of the rulebook."""
    title: Texts


class RulebookSpot(View):
    """What a rulebook says about a spot."""

    kind: str = msgspec.field(name="class")
    word: str
    """Its name as the house says it."""
    numbers: tuple[Pocket, ...]
    """The numbers that it covers."""
    pays: Ratio
    """What it pays for the stake, on top of the stake."""
    halves: bool
    """Whether each of its two boxes plays half of the stake."""
    articles: tuple[str, ...]
    limit_articles: tuple[str, ...]
    """The articles on its minimum and maximum."""


class RulebookPost(View):
    """A post at the table."""

    word: str
    """Its name as the house says it."""
    may: tuple[Act, ...]
    """What its holder may do."""
    at_least: int
    """How many people must hold it for the table to open."""
    at_most: int
    """How many people may hold it."""
    double_at_least: int
    """How many people must hold it for a double table to open."""
    double_at_most: int
    """How many people may hold it at a double table."""
    touches_chips: bool
    """Whether the house lets it handle chips at all."""
    watches: bool
    """Whether a chief of the house holds it, and not a croupier."""
    zone: bool
    """Whether it lays and corrects stakes only in the table's zone."""


class RulebookStaffing(View):
    """A group of posts, and how many people must hold one of them for the table to open."""

    posts: tuple[str, ...]
    """The posts of the group."""
    at_least: int
    """How many people must hold one of them."""


class RulebookCalls(View):
    """The calls of the croupier."""

    language: str
    """The language of the calls, which need not be the house's own."""
    open_betting: str
    """The invitation to bet."""
    invites: Invitation
    """When the croupier says `open_betting`."""
    no_more_bets: str
    """What is said when betting closes."""
    void: str
    """What is said when a ball is void."""
    numbers: Texts
    """What is said for each number of the wheel."""


class RulebookPieces(View):
    """The least number of chips, besides the minima of the table; 1 asks for nothing."""

    on_chance: int
    """Colour chips together on one chance."""
    on_numbers: int
    """Colour chips in all on the numbers."""
    value_on_simple: int
    """Value chips on a simple chance."""
    value_elsewhere: int
    """Value chips on any other spot."""
    on_chance_articles: tuple[str, ...]
    """The ids of the articles behind `on_chance`."""
    on_numbers_articles: tuple[str, ...]
    """The ids of the articles behind `on_numbers`."""
    value_on_simple_articles: tuple[str, ...]
    """The ids of the articles behind `value_on_simple`."""
    value_elsewhere_articles: tuple[str, ...]
    """The ids of the articles behind `value_elsewhere`."""


class RulebookFloat(View):
    """What the book says of the float, the money with which a table pays."""

    minima: int
    """How many minima of the table it has at least."""
    equal_refills: bool
    """Whether every later advance equals the first."""
    counted: bool
    """Whether it is counted and signed when the table opens, is refilled and closes, and may be
    while play is suspended."""
    suspends: bool
    """Whether play is suspended while the bank cannot cover the bets."""
    minima_articles: tuple[str, ...]
    """The articles on its minima."""
    refill_articles: tuple[str, ...]
    """The articles on later advances."""
    count_articles: tuple[str, ...]
    """The articles on counting it."""
    suspension_articles: tuple[str, ...]
    """The articles on a bank that cannot cover the bets."""
    """The articles behind the suspension, and behind going on after it."""


class ClothBox(View):
    """A printed area of the cloth."""

    spot: str
    """The plain name of its spot."""
    outline: tuple[Place, ...]
    """The corners of the area."""
    chip: Place
    """Where the chips of its spot lie."""
    word: str
    """What is printed there."""


class ClothView(View):
    """A house's cloth as it is drawn: a number's square is two units wide and high."""

    drawing: Drawing
    bounds: Sides
    """The outer edges: left, top, right, bottom."""
    boxes: tuple[ClothBox, ...]
    """The printed areas."""
    points: dict[str, tuple[Place, ...]]
    """Spot → every point where its chip may lie."""
    prison: dict[str, tuple[Place, Place]]
    """Simple chance → the ends of its line; empty if the house has no prison."""
    spaces: dict[str, Sides]
    """Announcement → where its chips lie until they are placed."""


class RulebookChips(View):
    """The kinds of chips that are accepted; the first is the default."""

    on_numbers: tuple[ChipKind, ...]
    """The kinds that are taken on the numbers."""
    on_chances: tuple[ChipKind, ...]
    """The kinds that are taken on the simple chances."""
    on_dozens: tuple[ChipKind, ...]
    """The kinds that are taken on dozens and columns, and between two of them."""
    change_pending: bool
    """Whether value chips are taken where only colour is, if there was no time to change them."""
    colour_worth: ColourWorth
    """The values that a colour chip may have."""
    new_worth: NewWorth
    """When a player may have another value for their colour."""
    foreign: bool
    """Whether colour chips of another table, laid by mistake, are paid when they win."""


class RulebookView(View):
    """A rulebook for the screens: its articles, what it offers, and its calls."""

    id: str
    """The id of the rulebook."""
    title: Texts
    language: str
    """The house's language."""
    drawing: Drawing
    left: tuple[str, ...]
    """The boxes on the left of the numbers."""
    right: tuple[str, ...]
    """The boxes on the right of the numbers."""
    cloth: ClothView
    """The drawing of the cloth."""
    wheel: tuple[Pocket, ...]
    """The numbers clockwise from zero."""
    red: tuple[int, ...]
    """The red numbers."""
    chips: RulebookChips
    """The chips that are taken."""
    kept: tuple[LimitsKept, ...]
    """How a table of this house may apply its limits."""
    change: LimitsChange
    """How the placard of an open table may change."""
    change_binds: ChangeBinds
    """From when on limits apply that change while a table is open."""
    multiples: dict[str, int]
    """Class of spots → its maximum in minima of the table, if the house has such a list."""
    multiples_articles: tuple[str, ...]
    """The articles behind that list."""
    words: dict[str, tuple[str, ...]]
    """Plain name → the house's words for it; the first is the one that it prints."""
    spots: dict[str, RulebookSpot]
    """Plain name → what the house says about the spot, for every spot that it offers."""
    announcements: dict[str, tuple[str, ...]]
    """Announcement → the spots that it is laid on."""
    pieces: RulebookPieces | None
    """The least number of chips; null if the house asks for none."""
    sector: int | None
    """How many neighbours on each side a sector has, if the house takes sectors."""
    replays: tuple[Replay, ...]
    """The ways in which an announcement that won may be played again."""
    zero: ZeroRule
    """What becomes of a simple chance when zero comes out."""
    zero_again: ZeroAgain | None
    """What a further zero does to a stake in prison."""
    causes: tuple[Cause, ...]
    """The causes for which a ball is void."""
    posts: dict[str, RulebookPost]
    """Plain name → the post."""
    double: bool
    """Whether the house has rules for a double table."""
    staffing: tuple[RulebookStaffing, ...]
    """How many people the table needs to open."""
    float: RulebookFloat | None
    """What the book says of the float; null if it has no articles on it."""
    calls: RulebookCalls
    """What the croupier says."""
    articles: dict[str, Texts]
    """Id → the summary of the article, by language."""
    readings: tuple[str, ...]
    """The ids of those that are our readings, where the house's text is unclear or silent."""


def of_rulebook(book: Rulebook) -> RulebookView:
    """A rulebook for the screens."""
    return RulebookView(
        id=book.id,
        language=book.language,
        title=dict(book.title),
        drawing=book.cloth.drawing,
        left=tuple(book.cloth.left),
        right=tuple(book.cloth.right),
        cloth=_cloth(book),
        wheel=book.wheel.pockets.order,
        red=tuple(number for number in wheel.NUMBERS if number in wheel.RED),
        chips=RulebookChips(
            on_numbers=tuple(book.chips.on_numbers),
            on_chances=tuple(book.chips.on_chances),
            on_dozens=tuple(book.chips.on_dozens),
            change_pending=book.chips.change_pending,
            colour_worth=book.chips.colour_worth,
            new_worth=book.chips.new_worth,
            foreign=book.chips.foreign_paid,
        ),
        kept=tuple(book.limits.kept),
        change=book.limits.change,
        change_binds=book.limits.change_binds,
        multiples={str(kind): most for kind, most in book.limits.multiples_of_minimum.items()},
        multiples_articles=cited(
            *book.limits.cites.of_class.values(), book.limits.cites.multiples_of_minimum
        ),
        words={name: tuple(words) for name, words in book.words.items()},
        spots={
            spot.name: RulebookSpot(
                kind=spot.kind,
                word=spoken(book, spot),
                numbers=tuple(sorted(spot.numbers, key=wheel.written_order)),
                pays=(terms.pays.numerator, terms.pays.denominator),
                halves=terms.halves,
                articles=(*terms.spot_cites, *terms.pays_cites),
                limit_articles=cited(
                    terms.limit_cites,
                    terms.minimum_cites,
                    book.limits.cites.minimum,
                    book.limits.cites.maximum,
                ),
            )
            for spot, terms in book.terms.items()
        },
        announcements={
            name: tuple(spot.name for spot in call.pieces)
            for name, call in book.announcements.calls.items()
        },
        pieces=_pieces(book),
        sector=book.announcements.neighbours,
        replays=tuple(book.announcements.replays),
        zero=book.zero.simple,
        zero_again=book.zero.again,
        causes=tuple(cause for cause in Cause if cause in book.wheel.causes),
        posts={
            post.name: RulebookPost(
                word=post.word,
                may=tuple(sorted(post.may)),
                at_least=post.at_least,
                at_most=post.at_most,
                double_at_least=post.double_at_least,
                double_at_most=post.double_at_most,
                touches_chips=post.touches_chips,
                watches=post.watches,
                zone=post.zone,
            )
            for post in book.posts.values()
        },
        double=_has_double_tables(book),
        staffing=tuple(
            RulebookStaffing(posts=tuple(group.posts), at_least=group.at_least)
            for group in book.staffing
        ),
        float=_float(book),
        calls=RulebookCalls(
            language=book.calls.language,
            open_betting=book.calls.open_betting,
            invites=book.calls.invites,
            no_more_bets=book.calls.no_more_bets,
            void=book.calls.void,
            numbers={str(pocket): number_call(book, pocket) for pocket in book.wheel.pockets},
        ),
        articles={
            article.id: {language: article.text(language) for language in article.summary}
            for article in book.articles.values()
        },
        readings=tuple(each.id for each in book.articles.values() if each.is_reading),
    )


def _pieces(book: Rulebook) -> RulebookPieces | None:
    """The least number of chips that the book asks for."""
    rules = book.pieces
    if rules is None:
        return None
    return RulebookPieces(
        on_chance=rules.on_chance,
        on_numbers=rules.on_numbers,
        value_on_simple=rules.value_on_simple,
        value_elsewhere=rules.value_elsewhere,
        on_chance_articles=rules.cites.on_chance,
        on_numbers_articles=rules.cites.on_numbers,
        value_on_simple_articles=rules.cites.value_on_simple,
        value_elsewhere_articles=rules.cites.value_elsewhere,
    )


def _float(book: Rulebook) -> RulebookFloat | None:
    """What the book says of the float."""
    rules = book.float
    if rules is None:
        return None
    return RulebookFloat(
        minima=rules.minima,
        equal_refills=rules.equal_refills,
        counted=rules.counted,
        suspends=rules.suspends,
        minima_articles=rules.cites.minima,
        refill_articles=rules.cites.equal_refills,
        count_articles=rules.cites.counted,
        suspension_articles=cited(rules.cites.suspends, rules.cites.resumes),
    )


def _has_double_tables(book: Rulebook) -> bool:
    """Whether a double table of the house has other seats or another staff than a single one."""
    if book.seats is not None and book.seats.double != book.seats.at_most:
        return True
    return any(
        (post.at_least, post.at_most) != (post.double_at_least, post.double_at_most)
        for post in book.posts.values()
    )


def _cloth(book: Rulebook) -> ClothView:
    """The drawing of a cloth, with the word that is printed in each box."""
    drawn = layout(book)
    return ClothView(
        drawing=drawn.drawing,
        bounds=drawn.bounds,
        boxes=tuple(
            ClothBox(
                spot=box.spot.name,
                outline=tuple(box.outline),
                chip=box.chip,
                word=box.spot.name if box.spot.kind.on_numbers else book.word(box.spot.name),
            )
            for box in drawn.boxes
        ),
        points={spot.name: tuple(points) for spot, points in drawn.places.items()},
        prison={spot.name: (line.start, line.end) for spot, line in drawn.prison.items()},
        spaces={space.call: space.rect for space in drawn.spaces},
    )
