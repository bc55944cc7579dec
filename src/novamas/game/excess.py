"""Excess: what lies above a maximum, and how it plays on at lower classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from novamas.game.cloth import Spot, SpotClass
from novamas.game.errors import NovamasError
from novamas.game.limits import Limits
from novamas.game.lines import Reason, Unplayed, not_played
from novamas.game.rulebook.citations import ExcessCites, Ids
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket


class RulebookWithoutExcessError(NovamasError, LookupError):
    """The house has no articles on excess."""


class Over(NamedTuple):
    """How a stake divides, where its owner has more than the maximum on the spot."""

    stake: Stake
    plays: int
    unclear: int
    """Above the maximum, with a value not clear at a glance: always returned (AR-22)."""
    excess: int
    """The rest of what is above the maximum."""

    @property
    def not_clear(self) -> tuple[Unplayed, ...]:
        """The part with an unclear value, as what did not play."""
        return not_played(Reason.UNCLEAR, self.unclear)


def divide_excess(book: Rulebook, stakes: Iterable[Stake], maximum: int) -> tuple[Over, ...]:
    """Divides the stakes of one player on one spot into what plays and what is above the maximum.

    The later stake is cut first, because the earlier one was regular when it was laid (AMB-IT-12).

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> b1 = Stake("b1", "ana", spot("17"), 30)
    >>> b2 = Stake("b2", "luis", spot("17"), 30, principal="ana")
    >>> [each.plays for each in divide_excess(load("it"), (b1, b2), 50)]
    [30, 20]
    """
    stakes = tuple(stakes)
    if len(stakes) == 1 and not stakes[0].unclear:
        plays = min(stakes[0].amount, maximum)
        return (Over(stakes[0], plays, 0, stakes[0].amount - plays),)
    over = sum(stake.amount for stake in stakes) - maximum
    gives_back = book.excess is not None and book.excess.unclear_plays_maximum
    unclear: dict[str, int] = {}
    excess: dict[str, int] = {}
    for stake in reversed(stakes):
        if stake.unclear and gives_back and over > 0:
            unclear[stake.id] = min(over, stake.amount)
            over -= unclear[stake.id]
    for stake in reversed(stakes):
        if over > 0:
            excess[stake.id] = min(over, stake.amount - unclear.get(stake.id, 0))
            over -= excess[stake.id]
    return tuple(
        Over(
            stake,
            stake.amount - unclear.get(stake.id, 0) - excess.get(stake.id, 0),
            unclear.get(stake.id, 0),
            excess.get(stake.id, 0),
        )
        for stake in stakes
    )


@dataclass(slots=True)
class Descent:
    """Where a stake's excess plays at the lower classes."""

    parts: list[tuple[SpotClass, int]] = field(default_factory=list)
    """The classes at which it plays, each with the amount that plays there."""
    decided_by: list[Ids] = field(default_factory=list)
    """The articles on excess that decided it, besides those on the cascade itself."""


def cascade(
    book: Rulebook, pocket: Pocket, stakes: Iterable[Stake], limits: Limits
) -> dict[str, Descent]:
    """Where the excess of one player's winners plays, by the id of the stake (AR-14).

    One pass from the top class down (AMB-AR-13). The excess is computed position by position. The
    room of a class is its maximum minus the player's own winners there (AMB-AR-07).

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> most = Limits.of({"straight": {"max": 100}, "split": {"max": 200}})
    >>> cascade(load("ar"), 17, [Stake("b1", "ana", spot("17"), 500)], most)["b1"].parts
    [(<SpotClass.SPLIT: 'split'>, 200), (<SpotClass.STREET: 'street'>, 200)]
    """
    if book.excess is None:
        return {}
    winners: dict[SpotClass, dict[Spot, list[Stake]]] = defaultdict(lambda: defaultdict(list))
    for stake in stakes:
        if pocket in stake.spot.numbers:
            winners[stake.spot.kind][stake.spot].append(stake)
    way = _WayDown(book, book.excess.cites, limits)
    there = _classes_there(book, pocket)
    for kind in book.excess.cascade:
        if kind in there:
            way.through(kind, winners.get(kind, {}), last=kind is book.excess.cascade[-1])
        else:
            way.past()
    return way.found


def winning_numbers(book: Rulebook, pocket: Pocket) -> tuple[Spot, ...]:
    """The spots on the numbers that win with a pocket; computed once for each pocket."""
    key = ("winning numbers", pocket)
    if key not in book.derived:
        won = (spot for spot in book.terms if pocket in spot.numbers and spot.kind.on_numbers)
        book.derived[key] = tuple(won)
    found: tuple[Spot, ...] = book.derived[key]  # type: ignore[assignment]
    return found


def _classes_there(book: Rulebook, pocket: Pocket) -> frozenset[SpotClass]:
    """The classes of the spots that hold a number; computed once for each pocket."""
    key = ("classes", pocket)
    if key not in book.derived:
        book.derived[key] = frozenset(spot.kind for spot in book.terms if pocket in spot.numbers)
    found: frozenset[SpotClass] = book.derived[key]  # type: ignore[assignment]
    return found


class _WayDown:
    """One pass down the classes; carries the stake ids and amounts that are not placed yet."""

    def __init__(self, book: Rulebook, cites: ExcessCites, limits: Limits) -> None:
        self.book = book
        self.cites = cites
        self.limits = limits
        self.carried: list[tuple[str, int]] = []
        self.found: dict[str, Descent] = defaultdict(Descent)

    def _note(self, decided_by: Ids, carried: Iterable[tuple[str, int]]) -> None:
        for id, _ in carried:
            self.found[id].decided_by.append(decided_by)

    def past(self) -> None:
        """Skips a class without spots: no six-line holds zero, so the cascade ends (AMB-AR-09)."""
        self._note(self.cites.no_class, self.carried)

    def through(self, kind: SpotClass, winners: dict[Spot, list[Stake]], *, last: bool) -> None:
        """Places what the class has room for, and adds the class's own excess to the rest."""
        if not winners and not self.carried:
            return
        going_on = self._placed(kind, sum(each.amount for on in winners.values() for each in on))
        most = self.limits[kind].maximum
        joins = [
            (over.stake.id, over.excess)
            for there in winners.values()
            if most is not None
            for over in divide_excess(self.book, there, most)
            if over.excess
        ]
        self.carried = [*going_on, *joins]
        if going_on and joins:
            self._note(self.cites.one_pass, self.carried)
        if last:
            self._note(self.cites.last_class, joins)

    def _placed(self, kind: SpotClass, own: int) -> list[tuple[str, int]]:
        """Places the carried amounts where the player has winners; returns the rest."""
        least, most = self.limits[kind]
        room = sum(amount for _, amount in self.carried) if most is None else max(0, most - own)
        going_on: list[tuple[str, int]] = []
        for id, amount in self.carried:
            plays = min(amount, room)
            room -= plays
            if plays:
                self.found[id].parts.append((kind, plays))
                if plays < (least or 0):
                    self._note(self.cites.below_minimum, ((id, plays),))
            if amount > plays:
                going_on.append((id, amount - plays))
        if own:
            self._note(self.cites.room, going_on)
        return going_on
