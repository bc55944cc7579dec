"""Reduction: a player's winning chips on a number made into straights before they are paid.

Two semiplenos pay as much as one pleno, four cuadros too, three calles, six líneas; so the chips
are brought together, what a straight does not need goes back to the bank, and nobody gains or
loses (AR-23 to AR-27).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from novamas.game.cloth import Spot, SpotClass
from novamas.game.lines import Line, Part, Settlement
from novamas.game.rulebook import Rulebook
from novamas.game.settlement import class_pays


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a reduction: so many chips of a class made into so many straights."""

    kind: SpotClass
    chips: int
    straights: int
    freed: int
    """Chips that the straights do not need: behind the zero's plate, to the bank (AR-26.b)."""
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The reduction of one player's winners, counted in chips."""

    player: str
    chip: int
    steps: tuple[Step, ...]
    straights: int
    """On the winning number after the reduction, those that were there before included."""
    left: dict[SpotClass, int]
    """What could not be reduced, by class, paid at its own odds."""
    freed: int
    paid: int
    """Chips paid for the straights and for what is left."""
    articles: tuple[str, ...]

    @property
    def stays(self) -> int:
        """Chips of the player's that remain as his stake."""
        return self.straights + sum(self.left.values())


def reductions(book: Rulebook, settlement: Settlement) -> tuple[Reduction, ...]:
    """The reductions of a coup in the order they are made: chips of greatest value first (AR-25.a).

    They are the spool from its last place to its first: payment goes the other way.
    """
    rules = book.reduction
    if rules is None:
        return ()
    winners: dict[str, list[Line]] = defaultdict(list)
    for line in settlement.lines:
        if line.won and line.stake.spot.kind.on_numbers:
            winners[line.stake.player].append(line)
    made = [
        _reduce(book, player, lines)
        for player, lines in winners.items()
        if len({line.stake.spot for line in lines}) >= rules.winning_stakes
    ]
    # The settlement has them in the order of payment, and the spool is paid from the other end.
    return tuple(reversed(made))


def _reduce(book: Rulebook, player: str, lines: Iterable[Line]) -> Reduction:
    rules = book.reduction
    if rules is None:
        raise LookupError(book.id)
    lines = tuple(lines)
    chip = lines[0].stake.chip
    chips: dict[SpotClass, int] = defaultdict(int)
    for line in lines:
        for part in parts_of(line):
            chips[part.kind] += part.amount // chip
    straights = chips.pop(SpotClass.STRAIGHT, 0)
    steps: list[Step] = []
    left: dict[SpotClass, int] = {}
    for kind in rules.order:
        needed = rules.into_straight[kind]
        made, rest = divmod(chips.pop(kind, 0), needed)
        if made:
            freed = made * (needed - 1)
            articles = (*rules.cites["order"], *rules.cites[f"into.{kind}"])
            steps.append(Step(kind, made * needed, made, freed, articles))
        if rest:
            left[kind] = rest
        straights += made
    left.update({kind: count for kind, count in chips.items() if count})
    paid = straights * class_pays(book, SpotClass.STRAIGHT)
    paid += sum(count * class_pays(book, kind) for kind, count in left.items())
    return Reduction(
        player=player,
        chip=chip,
        steps=tuple(steps),
        straights=straights,
        left=left,
        freed=sum(step.freed for step in steps),
        paid=int(paid),
        articles=(*rules.cites["winning_stakes"], *rules.cites["freed"]),
    )


def parts_of(line: Line) -> tuple[Part, ...]:
    """The classes at which a line's stake played."""
    if line.parts:
        return line.parts
    spot: Spot = line.stake.spot
    return (Part(spot.kind, line.stake.amount, line.won),)
