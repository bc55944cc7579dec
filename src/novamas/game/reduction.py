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

from novamas.game.cloth import Spot, SpotClass
from novamas.game.lines import Line, Part, Settlement, cited, freeing
from novamas.game.payment_order import Ordered
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
    on_numbers = [
        line.stake.player if line.won and line.stake.spot.kind.on_numbers else None
        for line in settlement.lines
    ]
    made = [
        _reduce(book, rules, player, [settlement.lines[index] for index in indices])
        for player, indices in _reduced_winners(rules, on_numbers, settlement.lines).items()
    ]
    # The settlement has them in the order of payment, which starts at the other end of the spool.
    return tuple(reversed(made))


def _reduced_winners(
    rules: ReductionRules, on_numbers: Sequence[str | None], lines: Sequence[Line]
) -> dict[str, list[int]]:
    """Each player's winners on the numbers, if enough for a reduction, as indices of their lines.

    `on_numbers` has the player of each line that is such a winner, and None for the others.
    """
    number = Counter(on_numbers)
    winners: dict[str, list[int]] = {}
    for index, player in enumerate(on_numbers):
        # Most players have too few, and get no list.
        if player is not None and number[player] >= rules.winning_stakes:
            winners.setdefault(player, []).append(index)
    return {
        player: indices
        for player, indices in winners.items()
        if _is_reduced(rules, [lines[index] for index in indices])
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
    book: Rulebook, winners: Ordered, *, lying: Iterable[Stake | Prisoner], coup: int
) -> list[Line]:
    """The lines of the winners, changed by what their reductions do to the chips.

    The freed chips go to the bank, which pays their worth. For winners that stay on the cloth, the
    straights become a new stake on the number. `lying` are the stakes whose ids are taken.
    """
    rules = book.reduction
    lines = winners.lines
    if rules is None:
        return lines
    ids = _new_ids(lying, coup)
    for indices in _reduced_winners(rules, winners.on_numbers, lines).values():
        # Who is away cannot choose to leave what rides.
        staying = [i for i in indices if lines[i].stays and not lines[i].stake.away]
        own = [lines[index] for index in staying or indices]
        if not staying:
            changed = _free(rules, own)
        elif _is_reduced(rules, own):
            changed = _left_on_cloth(rules, own, ids)
        else:
            continue
        for index, line in zip(staying or indices, changed, strict=True):
            lines[index] = line
    return lines


def _new_ids(lying: Iterable[Stake | Prisoner], coup: int) -> Iterator[str]:
    """Generates ids that no stake, announcement or prisoner has: `reduced-3`, then `reduced-3-2`.

    The taken ids are collected when the first new id is requested, because most coups need none.
    """
    taken = set[str | None]()
    for stake in lying:
        taken |= {stake.id, stake.announcement if isinstance(stake, Stake) else None}
    names = chain((f"reduced-{coup}",), (f"reduced-{coup}-{place}" for place in count(2)))
    yield from (name for name in names if name not in taken)


def _free(rules: ReductionRules, lines: Sequence[Line]) -> list[Line]:
    """The lines of winners that go to the hand: the bank takes the freed chips and pays them."""
    chip = lines[0].stake.chip
    of: list[int] = []
    chips: list[tuple[SpotClass, int]] = []
    for place, line in enumerate(lines):
        if line.aside:
            continue
        if line.parts:
            chips += [(part.kind, part.amount // chip) for part in line.parts]
            of += [place] * len(line.parts)
        else:
            stake = line.stake
            chips.append((stake.spot.kind, stake.amount // chip))
            of.append(place)
    changed = list(lines)
    for place, (_, freed) in zip(of, _shares(rules, chips), strict=True):
        if freed:
            line = changed[place]
            changed[place] = freeing(line, line.freed + freed * chip)
    return changed


def _left_on_cloth(rules: ReductionRules, lines: Sequence[Line], ids: Iterator[str]) -> list[Line]:
    """The lines of winners that stay, reduced among themselves (AMB-AR-32).

    In each class, the chips laid first are taken first, and the rest stay where they lie.
    """
    chip = lines[0].stake.chip
    shares = _shares(rules, [(line.stake.spot.kind, line.stays // chip) for line in lines])
    into = next(ids) if any(straights for straights, _ in shares) else None
    changed = list(lines)
    for place, (line, (straights, freed)) in enumerate(zip(lines, shares, strict=True)):
        if straights or freed:
            changed[place] = line._replace(
                returned=line.returned + freed * chip,
                stays=line.stays - (straights + freed) * chip,
                articles=cited(line.articles, rules.cites.stays_reduced),
                freed=freed * chip,
                reduced=straights * chip,
                into=into if straights else None,
            )
    return changed


def _shares(rules: ReductionRules, chips: Sequence[tuple[SpotClass, int]]) -> list[tuple[int, int]]:
    """How many of these chips, each of a class, lie on the number afterwards, and how many go.

    Chips laid first are taken first. Of the chips that make a straight, the first lies on the
    number and the others are freed.
    """
    whole: dict[SpotClass, int] = {}
    for kind, number in chips:
        whole[kind] = whole.get(kind, 0) + number
    passed: dict[SpotClass, int] = {}
    shares: list[tuple[int, int]] = []
    into = rules.into_straight
    for kind, number in chips:
        if kind not in into:
            shares.append((0, 0))
            continue
        needed, first = into[kind], passed.get(kind, 0)
        behind = passed[kind] = min(first + number, whole[kind] // needed * needed)
        # Every `needed`-th chip, from the first one on.
        straights = -(-behind // needed) - -(-first // needed)
        shares.append((straights, behind - first - straights))
    return shares
