"""Citations: for each section of a rulebook, the keys under which it names its articles.

A section's `articles` table in the book has these keys and no others: one for each datum of the
section, and one for each other occasion on which the section is cited. Each section's keys are the
fields of a class, so the reader refuses any other key in a book, and the type checker refuses it in
code. Keys that are names from a closed set or from the book itself, such as the causes of a void
ball, are together in one field that is a mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar, dataclass_transform

from novamas.game.errors import NovamasError

if TYPE_CHECKING:
    from novamas.game.cloth import SpotClass
    from novamas.game.rulebook.behaviours import Act, Cause, Replay

Ids: TypeAlias = tuple[str, ...]
"""The ids of articles."""

REST = "*"
"""The key in a book for the articles behind every datum that has none of its own."""


class CitationKeyError(NovamasError, TypeError):
    """A section of the format has a citation key for which its class has no field."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Citations:
    """The articles behind each datum of a section and behind each occasion on which it is cited.

    The annotations of a subclass are its keys. It is not a dataclass, because generating the
    methods of twenty dataclasses slows the start of the command.
    """

    NAMES: ClassVar[str] = ""
    """The field for keys that are names, if the section has any."""
    GIVEN: ClassVar[frozenset[str]] = frozenset()
    """The fields that only some houses cite: `REST` does not apply to them."""

    def __init__(self, **cited: Ids | Mapping[Any, Ids]) -> None:
        vars(self).update(cited)

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read from a book and does not change")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(vars(self))} keys>"

    def with_names(self, names: Mapping[Any, Ids]) -> Self:
        """A copy with the citations by name of another table of the book."""
        return type(self)(**{**vars(self), self.NAMES: names})

    def of(self, key: str) -> Ids:
        """The articles behind a datum, for code that lists a whole book; empty if it cites none."""
        found: Ids = vars(self).get(key, ())
        return found


_Section = TypeVar("_Section", bound=Citations)


def keys_of(kind: type[Citations]) -> frozenset[str]:
    """The citation keys that have a field of their own."""
    return frozenset(kind.__annotations__) - {kind.NAMES}


def citations(
    kind: type[_Section],
    cited: Mapping[str, Ids],
    *,
    known: Iterable[str],
    name: Callable[[str], Any] = str,
) -> _Section:
    """The citations of a section; `known` are its keys, and `name` parses keys that are names.

    Raises `CitationKeyError` if the section knows a key for which its class has no field.
    """
    known, keys, rest = set(known), keys_of(kind), cited.get(REST, ())
    values: dict[str, Any] = {}
    for key in keys:
        otherwise = () if key in kind.GIVEN else rest
        values[key] = cited.get(key, otherwise) if key in known else ()
    names = sorted(known - keys)
    if kind.NAMES:
        there = (key for key in names if key in cited or kind.NAMES not in kind.GIVEN)
        values[kind.NAMES] = {name(key): cited.get(key, rest) for key in there}
    elif names:
        raise CitationKeyError(f"{kind.__name__} has no field for {', '.join(names)}")
    return kind(**values)


class NamedCites(Citations):
    """The citations of a section whose keys are all names."""

    NAMES = "named"

    named: Mapping[str, Ids]


class ClothCites(Citations):
    """Of `[cloth]`."""

    zeros: Ids
    drawing: Ids
    left: Ids
    right: Ids


class SpotCites(Citations):
    """Of `[spots.CLASS]`."""

    NAMES = "of_spot"

    pays: Ids
    spot: Ids
    """The articles that define those of its spots that are not named."""
    of_spot: Mapping[str, Ids]


class StraddleCites(Citations):
    """Of `[spots.straddle]`."""

    NAMES = "of_spot"

    plays: Ids
    pays: Ids
    minimum: Ids
    maximum: Ids
    offered: Ids
    of_spot: Mapping[str, Ids]


class SettledCites(Citations):
    """Of `[settled]`: cited in addition to the spot's own articles."""

    won: Ids
    lost: Ids
    rounded: Ids
    """Behind rounding up to a whole unit."""


class ZeroCites(Citations):
    """Of `[zero]`."""

    simple: Ids
    again: Ids
    last_is_forced: Ids
    small_halves_stay: Ids
    void_reopens_choice: Ids
    half: Ids
    prison: Ids
    freed: Ids
    taken: Ids
    unchosen: Ids
    double: Ids
    wins: Ids


class LimitCites(Citations):
    """Of `[limits]`."""

    NAMES = "of_class"

    kept: Ids
    change: Ids
    change_binds: Ids
    linked: Ids
    levelled: Ids
    """Behind what goes back from linked combinations."""
    short: Ids
    third_parties: Ids
    highest_bet: Ids
    multiples_of_minimum: Ids
    minimum: Ids
    maximum: Ids
    of_class: Mapping[SpotClass, Ids]
    """By class: its maximum in minima of the table (`[limits.multiples_of_minimum]`)."""


class PiecesCites(Citations):
    """Of `[pieces]`."""

    on_chance: Ids
    on_numbers: Ids
    value_on_simple: Ids
    value_elsewhere: Ids
    foreign_counted: Ids
    winners_left_play: Ids


class ExcessCites(Citations):
    """Of `[excess]`: its rules, and our readings that decide a line where the text says nothing."""

    multiples: Ids
    chances: Ids
    multiples_until: Ids
    chances_until: Ids
    cascade: Ids
    unclear_plays_maximum: Ids
    lost: Ids
    remainder: Ids
    third_parties: Ids
    together: Ids
    halves: Ids
    unclear_multiples: Ids
    at_class: Ids
    room: Ids
    no_class: Ids
    below_minimum: Ids
    last_class: Ids
    one_pass: Ids


class PaymentCites(Citations):
    """Of `[payment]`."""

    order: Ids
    by: Ids
    value_chips_last: Ids
    pile: Ids


class ReductionCites(Citations):
    """Of `[reduction]`."""

    NAMES = "into"

    order: Ids
    winning_stakes: Ids
    stays_reduced: Ids
    into_straight: Ids
    freed: Ids
    paid: Ids
    into: Mapping[SpotClass, Ids]
    """By class: how many chips make a straight (`[reduction.into_straight]`)."""


class AnnouncementCites(Citations):
    """Of `[announcements]`."""

    NAMES = "of_replay"

    must_be_covered: Ids
    calls: Ids
    neighbours: Ids
    replays: Ids
    pieces_bound: Ids
    sector: Ids
    not_taken: Ids
    of_replay: Mapping[Replay, Ids]


class AnnouncedCites(Citations):
    """Of `[announcements.calls.CALL]`."""

    NAMES = "of_piece"
    GIVEN = frozenset(("of_piece",))

    pieces: Ids
    to_place: Ids
    all_times: Ids
    call: Ids
    of_piece: Mapping[str, Ids]
    """By spot, and `number 17` for a number that comes out."""


class ChipCites(Citations):
    """Of `[chips]`."""

    GIVEN = frozenset(("other_use",))

    on_numbers: Ids
    on_chances: Ids
    on_dozens: Ids
    change_pending: Ids
    own_colour: Ids
    placing_needs_colour: Ids
    colour_worth: Ids
    new_worth: Ids
    one_player_per_value: Ids
    colours: Ids
    value_counted_in: Ids
    converted_on_leaving: Ids
    converted_when_away: Ids
    foreign_paid: Ids
    foreign_known: Ids
    foreign_unknown: Ids
    foreign_lost: Ids
    bought_here: Ids
    other_use: Ids
    """Only for a house with an article on another person's use of the chips."""


class BettingCites(Citations):
    """Of `[betting]`."""

    GIVEN = frozenset(("hands_off",))

    stakes_while_paying: Ids
    announcements_while_paying: Ids
    exception_after_close: Ids
    winners_stay: Ids
    no_stake: Ids
    no_change: Ids
    not_collected: Ids
    not_marked: Ids
    no_straddle: Ids
    correction: Ids
    hands_off: Ids
    """Only for a house that forbids players to touch the winners."""


class AbsenceCites(Citations):
    """Of `[absence]`."""

    to_custody: Ids
    until: Ids
    declared: Ids
    rides: Ids
    multiples_after: Ids
    chances_after: Ids


class WheelCites(Citations):
    """Of `[wheel]`."""

    NAMES = "of_cause"

    order: Ids
    alternates: Ids
    ball_against_wheel: Ids
    causes: Ids
    turns: Ids
    inspect_after: Ids
    inspected: Ids
    stakes_stay: Ids
    too_late: Ids
    corrected: Ids
    of_cause: Mapping[Cause, Ids]


class SeatCites(Citations):
    """Of `[seats]`."""

    at_most: Ids
    double: Ids


class FloatCites(Citations):
    """Of `[float]`."""

    minima: Ids
    equal_refills: Ids
    counted: Ids
    interrupted: Ids
    """Behind a count while play is suspended."""
    suspends: Ids
    resumes: Ids
    """Behind going on once the bank can cover the bets again."""


class ClosingCites(Citations):
    """Of `[closing]`."""

    last_games: Ids
    left: Ids
    seated: Ids
    empty: Ids
    suspension: Ids
    dispute: Ids


class PostCites(Citations):
    """Of `[posts.POST]`."""

    NAMES = "of_act"
    GIVEN = frozenset(("of_act",))

    word: Ids
    at_least: Ids
    at_most: Ids
    double_at_least: Ids
    double_at_most: Ids
    tables: Ids
    tables_with_racetrack: Ids
    may: Ids
    rotates: Ids
    touches_chips: Ids
    watches: Ids
    zone: Ids
    of_act: Mapping[Act, Ids]


class StaffingCites(Citations):
    """Of `[staffing.NAME]`."""

    posts: Ids
    at_least: Ids


class CallCites(Citations):
    """Of `[calls]`."""

    open_betting: Ids
    invites: Ids
    no_more_bets: Ids
    void: Ids
    number: Ids
    language: Ids
    chances: Ids
    last_games: Ids
    games_left: Ids
