"""Limits: the minima and maxima of the placard, and which stakes are too small at the close.

A maximum applies to all that a player has on a spot; what others lay on their behalf counts where
the house says so. Minima are checked when betting closes, because chips are stacked one by one
until then (X-05).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from novamas.game.arguments import instance
from novamas.game.cloth import LIMITED, Spot, SpotClass
from novamas.game.errors import NovamasError
from novamas.game.lines import cited
from novamas.game.rulebook.behaviours import ChipKind, LimitsKept, Linked, ShortStake
from novamas.game.rulebook.model import PiecesRules, Rulebook, Terms
from novamas.game.stakes import Stake


class LimitsError(NovamasError, ValueError):
    """Limits that a table cannot have; the message names the wrong field.

    >>> import novamas as nv
    >>> try:
    ...     nv.Table("ar", limits={"straight": {"max": -1}})
    ... except nv.LimitsError as error:
    ...     print(error)
    limits.straight.max: expected a whole number of at least 1
    """

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"{field}: {problem}")


class Limit(NamedTuple):
    """The minimum and the maximum of a class; None where there is no bound."""

    minimum: int | None = None
    maximum: int | None = None

    def as_data(self) -> dict[str, int]:
        """The bounds as plain data; a missing bound has no key."""
        named = {"min": self.minimum, "max": self.maximum}
        return {key: value for key, value in named.items() if value is not None}


UNBOUNDED = Limit()


@dataclass(frozen=True, slots=True, repr=False)
class Limits:
    """The placard: a limit for each class of spots.

    >>> Limits.of({"straight": {"min": 1, "max": 100}, "simple": {"max": 500}})
    <Limits straight:1-100 simple:-500>
    >>> Limits.of({"straight": {"min": 1, "max": 100}})[SpotClass.STRAIGHT].maximum
    100
    """

    by_class: Mapping[SpotClass, Limit]

    @classmethod
    def of(cls, table: object) -> Limits:
        """Limits from plain data: class → {min, max}, either of which may be missing."""
        return cls({}).changed(table)

    def changed(self, table: object) -> Limits:
        """The placard with the limits that `table` names changed, and all others kept."""
        if not isinstance(table, dict):
            raise LimitsError("limits", "expected classes with their min and max")
        by_class = dict(self.by_class)
        for name, given in table.items():
            if name not in LIMITED:
                raise LimitsError(f"limits.{name}", f"expected one of: {', '.join(LIMITED)}")
            kind = SpotClass(name)
            by_class[kind] = _limit(f"limits.{name}", given, by_class.get(kind, UNBOUNDED))
        return Limits(by_class)

    def as_data(self) -> dict[str, dict[str, int]]:
        """The placard as plain data, the inverse of `of`."""
        data: dict[str, dict[str, int]] = {}
        for kind, limit in self.by_class.items():
            data[kind.value] = limit.as_data()
        return data

    def __getitem__(self, kind: SpotClass) -> Limit:
        return self.by_class.get(kind, UNBOUNDED)

    def __repr__(self) -> str:
        shown = (
            f" {kind.value}:{limit.minimum or ''}-{limit.maximum or ''}"
            for kind, limit in self.by_class.items()
        )
        return f"<Limits{''.join(shown) or ' none'}>"

    def maximum(self, terms: Terms) -> int | None:
        """The most that one player may have on a spot (a straddle: AR-17, ES-G.4)."""
        most = self[terms.maximum_of].maximum
        return None if most is None else most * terms.maximum_times

    def minimum(self, terms: Terms) -> int:
        """The least that one player may have on a spot for it to play."""
        return terms.minimum_times * max(self[kind].minimum or 0 for kind in terms.minimum_of)

    def apart(self, book: Rulebook) -> dict[Spot, Limit]:
        """The limits of the spots whose limits differ from those of their class."""
        instance(book, Rulebook, argument="book")
        found = {
            spot: Limit(self.minimum(terms) or None, self.maximum(terms))
            for spot, terms in book.terms.items()
        }
        return {spot: limit for spot, limit in found.items() if limit != self[spot.kind]}

    def maxima(self, book: Rulebook) -> dict[Spot, int]:
        """The maximum of every spot that has one."""
        instance(book, Rulebook, argument="book")
        found = {spot: self.maximum(terms) for spot, terms in book.terms.items()}
        return {spot: most for spot, most in found.items() if most is not None}


NO_LIMITS = Limits({})


def maxima_of(book: Rulebook, limits: Limits) -> Mapping[Spot, int]:
    """The maxima of a placard; kept for the coups after this one, until the placard changes.

    >>> from novamas.rulebooks import load
    >>> len(maxima_of(load("bg"), Limits.of({"simple": {"max": 500}})))
    6
    """
    if not limits.by_class:
        return {}
    known = book.derived.get(maxima_of)
    if known is None or known[0] is not limits:  # type: ignore[index]
        known = book.derived[maxima_of] = (limits, limits.maxima(book))
    found: Mapping[Spot, int] = known[1]  # type: ignore[index]
    return found


def _limit(field: str, given: object, before: Limit) -> Limit:
    if not isinstance(given, dict):
        raise LimitsError(field, "expected {min, max}")
    for key, value in given.items():
        if key not in ("min", "max"):
            raise LimitsError(f"{field}.{key}", "expected min or max")
        unbounded = value is None or (key == "min" and value == 0 and type(value) is int)
        if not unbounded and (type(value) is not int or value < 1):
            raise LimitsError(f"{field}.{key}", "expected a whole number of at least 1")
    limit = Limit(given.get("min", before.minimum) or None, given.get("max", before.maximum))
    if limit.minimum and limit.maximum and limit.minimum > limit.maximum:
        raise LimitsError(field, f"the minimum {limit.minimum} is above {limit.maximum}")
    return limit


def placard(book: Rulebook, minimum: int, *, highest: int | None = None) -> Limits:
    """The limits of a table from its minimum, by the house's list of multiples (ES-G.4, NV-12).

    A class that the list does not name has no maximum. A class without a spot has no limit. Where
    a law sets the highest bet of all, no maximum is above `highest` (SD-12.08).
    """
    multiples = book.limits.multiples_of_minimum
    most = {kind: minimum * times for kind, times in multiples.items()}
    if highest is not None and book.limits.highest_bet:
        most = {kind: min(most.get(kind, highest), highest) for kind in limited(book)}
    return Limits({kind: Limit(minimum, most.get(kind)) for kind in limited(book)})


def limited(book: Rulebook) -> tuple[SpotClass, ...]:
    """The classes that a placard of the house names: those of which it offers a spot.

    >>> from novamas.rulebooks import load
    >>> SpotClass.FIVE in limited(load("fr")), SpotClass.FIVE in limited(load("fram"))
    (False, True)
    """
    offered = {spot.kind for spot in book.terms}
    return tuple(kind for kind in LIMITED if kind in offered)


class Counted(StrEnum):
    """A player's chips on a spot, counted to check whether they are enough to play."""

    VALUE = "value"
    """The value of all that the player has on the spot."""
    CHIPS_ON_SPOT = "chips_on_spot"
    CHIPS_ON_NUMBERS = "chips_on_numbers"
    LINKED = "linked"
    """The value on each of the combinations that a common number links."""


class Short(NamedTuple):
    """A stake that is too small to play and is returned when betting closes."""

    stake: Stake
    articles: tuple[str, ...]
    counted: Counted
    least: int
    there: int


def short_stakes(
    book: Rulebook,
    stakes: Iterable[Stake],
    limits: Limits,
    kept: LimitsKept = LimitsKept.ENFORCED,
) -> tuple[Short, ...]:
    """The stakes that are too small to play at the close, with the article that says so.

    Every other check of a minimum calls this function: late stakes, previews and odds. Where the
    house says so, a stake below its minimum plays if the limits are policed and nobody noticed it.
    An announcement always plays, because its price is its minimum (AMB-IT-03), unless the house
    binds its pieces; they count together with the player's other chips on their spots.
    """
    stakes = tuple(stakes)
    plays = book.limits.short is ShortStake.PLAYS and kept is LimitsKept.POLICED
    short = () if plays else _below_placard(book, stakes, limits)
    if book.pieces is not None:
        gone = {each.stake.id for each in short}
        left = [stake for stake in stakes if stake.id not in gone]
        short = (*short, *_below_pieces(book.pieces, left))
    return short


def _below_placard(book: Rulebook, stakes: Iterable[Stake], limits: Limits) -> tuple[Short, ...]:
    least = {spot: limits.minimum(terms) for spot, terms in book.terms.items()}
    if not any(least.values()):
        return ()
    on_spot: dict[tuple[str, Spot], int] = defaultdict(int)
    for stake in stakes:
        on_spot[stake.player, stake.spot] += stake.amount
    cites = book.limits.cites.minimum
    return tuple(
        Short(
            stake,
            cited(cites, book.terms[stake.spot].minimum_cites),
            Counted.VALUE,
            least[stake.spot],
            there,
        )
        for stake in stakes
        if (stake.announcement is None or book.announcements.pieces_bound)
        and (there := on_spot[stake.player, stake.spot]) < least[stake.spot]
    )


def _below_pieces(rules: PiecesRules, stakes: Iterable[Stake]) -> tuple[Short, ...]:
    """The stakes of too few pieces (IT-general-2, IT-general-6).

    On the numbers, a player's colour chips count together. On any other spot, the value of all that
    they have there counts. Each stake is counted in its own chips.
    """
    worth: dict[tuple[str, Spot], int] = defaultdict(int)
    on_numbers: dict[str, int] = defaultdict(int)
    counted = [s for s in stakes if s.kind is not ChipKind.FOREIGN or rules.foreign_counted]
    for stake in counted:
        worth[stake.player, stake.spot] += stake.amount
        if stake.spot.kind.on_numbers and stake.kind is not ChipKind.VALUE:
            on_numbers[stake.player] += stake.pieces
    short: list[Short] = []
    for stake in counted:
        if stake.announcement is not None or (stake.left and rules.winners_left_play):
            continue
        there, cites = worth[stake.player, stake.spot], rules.cites
        if stake.kind is not ChipKind.VALUE and stake.spot.kind.on_numbers:
            least, articles, of = rules.on_numbers, cites.on_numbers, Counted.CHIPS_ON_NUMBERS
            there = on_numbers[stake.player]
        elif stake.kind is not ChipKind.VALUE:
            least, articles, of = rules.on_chance, cites.on_chance, Counted.CHIPS_ON_SPOT
            there //= stake.chip
        elif stake.spot.kind is SpotClass.SIMPLE:
            least, articles, of = rules.value_on_simple, cites.value_on_simple, Counted.VALUE
            least *= stake.chip
        else:
            least, articles, of = rules.value_elsewhere, cites.value_elsewhere, Counted.VALUE
            least *= stake.chip
        if there < least:
            short.append(Short(stake, articles, of, least, there))
    return tuple(short)


class Levelled(NamedTuple):
    """A stake of which a part goes back, so that linked combinations carry equal pieces."""

    stake: Stake
    back: int
    articles: tuple[str, ...]
    plays: int
    """What plays on each of the linked combinations."""
    there: int
    """What lies on this one."""


def levelled(book: Rulebook, stakes: Iterable[Stake], limits: Limits) -> tuple[Levelled, ...]:
    """What goes back at the close from combinations with a number in common (FRAM-55-3.l, m).

    Each group of a player's combinations that hang together is levelled to the least that lies on
    one of them, and to the limits of a straight, in whole chips. The latest chips go back first.
    """
    if book.limits.linked is Linked.FREE:
        return ()
    by_player: dict[str, dict[Spot, list[Stake]]] = defaultdict(lambda: defaultdict(list))
    for stake in stakes:
        if stake.spot.kind.on_numbers:
            by_player[stake.player][stake.spot].append(stake)
    found: list[Levelled] = []
    cites = cited(book.limits.cites.linked, book.limits.cites.levelled)
    for on_spots in by_player.values():
        for group in _linked_groups(on_spots):
            if len(group) > 1:
                there = [on_spots[spot] for spot in group]
                plays = _level(there, limits[SpotClass.STRAIGHT])
                for lying in there:
                    total = sum(stake.amount for stake in lying)
                    found += (
                        Levelled(stake, back, cites, plays, total)
                        for stake, back in _latest(lying, total - plays)
                    )
    return tuple(found)


def _linked_groups(spots: Iterable[Spot]) -> list[list[Spot]]:
    """The spots in groups: two with a number in common are in one group."""
    groups: list[list[Spot]] = []
    for spot in spots:
        apart: list[list[Spot]] = []
        joined = [spot]
        for group in groups:
            if any(spot.numbers & other.numbers for other in group):
                joined = [*group, *joined]
            else:
                apart.append(group)
        groups = [*apart, joined]
    return groups


def _level(there: Sequence[Sequence[Stake]], straight: Limit) -> int:
    """What plays on each of these linked combinations."""
    least = min(sum(stake.amount for stake in lying) for lying in there)
    if straight.maximum is not None:
        least = min(least, straight.maximum)
    least -= least % max(stake.chip for lying in there for stake in lying)
    return 0 if least < (straight.minimum or 0) else least


def _latest(lying: Sequence[Stake], over: int) -> Iterator[tuple[Stake, int]]:
    """The stakes that go back, the latest first, each with the amount."""
    for stake in reversed(lying):
        back = min(over, stake.amount)
        if back:
            yield stake, back
        over -= back
