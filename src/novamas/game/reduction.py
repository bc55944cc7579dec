"""Reduction: turns a player's winning chips on a number into straights before payment.

Two semiplenos pay as much as one pleno, four cuadros too, three calles, six líneas; so the croupier
brings the chips together, and the chips that the straights do not need go to the bank. Nobody gains
or loses (AR-23 to AR-27). Winners that stay on the cloth stay as the reduction made them
(AMB-AR-32).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from novamas.game.cloth import Spot, SpotClass
from novamas.game.lines import Line, Part, Settlement, cited, freeing
from novamas.game.rulebook.model import ReductionRules, Rulebook
from novamas.game.spot_classes import class_pays
from novamas.game.stakes import Prisoner, Stake


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a reduction: how many chips of a class become how many straights."""

    kind: SpotClass
    chips: int
    straights: int
    freed: int
    """Chips that the straights do not need: behind the zero's plate, to the bank (AR-26.b)."""
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Reduction:
    """The reduction of one player's winners, counted in chips.

    >>> import novamas as nv
    >>> nv.settle("ar", 17, "ana 17:5 14/17:10").reductions
    (<Reduction ana: 10 straights, 350 paid, 5 freed>,)
    """

    player: str
    chip: int
    steps: tuple[Step, ...]
    straights: int
    """Straights on the winning number after the reduction, with those that were there before."""
    left: dict[SpotClass, int]
    """Chips that could not be reduced, by class; they are paid at their own odds."""
    freed: int
    paid: int
    """Chips paid for the straights and for what is left."""
    articles: tuple[str, ...]

    @property
    def stays(self) -> int:
        """Chips that remain as the player's stake."""
        return self.straights + sum(self.left.values())

    def __repr__(self) -> str:
        made = f"{self.straights} straights, {self.paid} paid, {self.freed} freed"
        return f"<Reduction {self.player}: {made}>"


def reductions(book: Rulebook, settlement: Settlement) -> tuple[Reduction, ...]:
    """The reductions of a coup in the order they are made: most valuable chips first (AR-25.a).

    This is the spool from its last place to its first; payment goes the other way.
    """
    rules = book.reduction
    if rules is None:
        return ()
    winners = _reduced_winners(rules, settlement.lines)
    made = [_reduce(book, rules, player, lines) for player, lines in winners.items()]
    # The settlement has them in the order of payment, which starts at the other end of the spool.
    return tuple(reversed(made))


def _reduced_winners(rules: ReductionRules, lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Each player's winners on the numbers, if enough for a reduction, in order of payment."""
    winners: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        stake = line.stake
        if stake.spot.kind.on_numbers and line.won:
            winners[stake.player].append(line)
    least = rules.winning_stakes
    return {
        player: own
        for player, own in winners.items()
        if len(own) >= least and _is_reduced(rules, own)
    }


def _is_reduced(rules: ReductionRules, lines: Sequence[Line]) -> bool:
    if not rules.stays_reduced and any(line.stays for line in lines):
        return False
    return len({line.stake.spot for line in lines}) >= rules.winning_stakes


def _reduce(book: Rulebook, rules: ReductionRules, player: str, lines: Sequence[Line]) -> Reduction:
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
            articles = (*rules.cites.order, *rules.cites.into[kind])
            steps.append(Step(kind, made * needed, made, freed, articles))
        if rest:
            left[kind] = rest
        straights += made
    left.update({kind: number for kind, number in chips.items() if number})
    paid = straights * class_pays(book, SpotClass.STRAIGHT)
    paid += sum(number * class_pays(book, kind) for kind, number in left.items())
    return Reduction(
        player=player,
        chip=chip,
        steps=tuple(steps),
        straights=straights,
        left=left,
        freed=sum(step.freed for step in steps),
        paid=int(paid),
        articles=(*rules.cites.winning_stakes, *rules.cites.freed),
    )


def parts_of(line: Line) -> tuple[Part, ...]:
    """The classes at which a line's stake played."""
    if line.parts:
        return line.parts
    spot: Spot = line.stake.spot
    return (Part(spot.kind, line.stake.amount, line.won),)


# What the reduction does to the chips -------------------------------------------------------------


def settle_reductions(
    book: Rulebook, paid: list[Line], *, lying: Iterable[Stake | Prisoner], coup: int
) -> list[Line]:
    """The lines of the winners, changed by what their reductions do to the chips.

    The freed chips go to the bank, which pays their worth. For winners that stay on the cloth, the
    straights become a new stake on the number. `lying` are the stakes whose ids are taken.
    """
    rules = book.reduction
    winners = {} if rules is None else _reduced_winners(rules, paid)
    if rules is None or not winners:
        return paid
    ids = _new_ids(lying, coup)
    changed: dict[int, Line] = {}
    for lines in winners.values():
        staying = [line for line in lines if line.stays and not _is_absent(line)]
        if not staying:
            changed |= _freed(rules, lines)
        elif _is_reduced(rules, staying):
            changed |= _left_on_cloth(rules, staying, ids)
    return [changed.get(id(line), line) for line in paid]


def _is_absent(line: Line) -> bool:
    """Whether the owner of a stake is away, so that they cannot choose to leave what rides."""
    return isinstance(line.stake, Stake) and line.stake.away


def _new_ids(lying: Iterable[Stake | Prisoner], coup: int) -> Iterator[str]:
    """Generates ids that no stake, announcement or prisoner has: `reduced-3`, then `reduced-3-2`.

    The taken ids are collected when the first new id is requested, because most coups need none.
    """
    taken = set[str | None]()
    for stake in lying:
        taken |= {stake.id, stake.announcement if isinstance(stake, Stake) else None}
    names = chain((f"reduced-{coup}",), (f"reduced-{coup}-{place}" for place in count(2)))
    yield from (name for name in names if name not in taken)


def _freed(rules: ReductionRules, lines: Sequence[Line]) -> dict[int, Line]:
    """The lines of winners that go to the hand: the bank takes the freed chips and pays them."""
    chip = lines[0].stake.chip
    by_itself = _freed_by_itself(rules, lines, chip)
    if by_itself is not None:
        return by_itself
    parts = [(line, part) for line in lines if not line.aside for part in parts_of(line)]
    shares = _shares(rules, [(part.kind, part.amount // chip) for _, part in parts])
    freed: dict[int, int] = defaultdict(int)
    for (line, _), share in zip(parts, shares, strict=True):
        freed[id(line)] += share.freed * chip
    return {id(line): freeing(line, freed[id(line)]) for line in lines if freed[id(line)]}


def _freed_by_itself(
    rules: ReductionRules, lines: Sequence[Line], chip: int
) -> dict[int, Line] | None:
    """The fast path of `_freed` where each stake played at its own class; else None."""
    changed: dict[int, Line] = {}
    kinds: set[SpotClass] = set()
    for line in lines:
        kind = line.stake.spot.kind
        if line.parts or line.aside or kind in kinds:
            return None
        kinds.add(kind)
        needed = rules.into_straight.get(kind, 1)
        freed = line.stake.amount // chip // needed * (needed - 1)
        if freed:
            changed[id(line)] = freeing(line, freed * chip)
    return changed


def _left_on_cloth(
    rules: ReductionRules, lines: Sequence[Line], ids: Iterator[str]
) -> dict[int, Line]:
    """The lines of winners that stay, reduced among themselves (AMB-AR-32).

    In each class, the chips laid first are taken first, and the rest stay where they lie.
    """
    chip = lines[0].stake.chip
    shares = _shares(rules, [(line.stake.spot.kind, line.stays // chip) for line in lines])
    into = next(ids) if any(share.straights for share in shares) else None
    changed: dict[int, Line] = {}
    for line, share in zip(lines, shares, strict=True):
        if share.taken:
            freed = share.freed * chip
            changed[id(line)] = line._replace(
                returned=line.returned + freed,
                stays=line.stays - share.taken * chip,
                articles=cited(line.articles, rules.cites.stays_reduced),
                freed=freed,
                reduced=share.straights * chip,
                into=into if share.straights else None,
            )
    return changed


class _Share(NamedTuple):
    """Which of a stake's chips of one class a reduction takes."""

    straights: int
    """Chips that lie on the number afterwards."""
    freed: int

    @property
    def taken(self) -> int:
        return self.straights + self.freed


def _shares(rules: ReductionRules, chips: Sequence[tuple[SpotClass, int]]) -> list[_Share]:
    """What a reduction takes from each of these chips of a class; chips laid first are taken first.

    Of the chips that make a straight, the first lies on the number and the others are freed.
    """
    left: Counter[SpotClass] = Counter()
    for kind, number in chips:
        left[kind] += number
    for kind in left:
        needed = rules.into_straight.get(kind)
        left[kind] = 0 if needed is None else left[kind] // needed * needed
    passed: Counter[SpotClass] = Counter()
    shares: list[_Share] = []
    for kind, number in chips:
        taken = min(number, left[kind] - passed[kind])
        needed = rules.into_straight.get(kind, 1)
        first, behind = passed[kind], passed[kind] + taken
        passed[kind] = behind
        # Every `needed`-th chip, from the first one on.
        straights = -(-behind // needed) - -(-first // needed)
        shares.append(_Share(straights, taken - straights))
    return shares
