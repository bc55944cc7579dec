"""Payment: the order in which a house pays its winners, and what it pays together.

A house pays stake by stake, or all of one colour together (IT-gioco-3), or from a spool that holds
the reduced chips (AR-25). From a spool, the croupier counts out the reduced payment (AMB-AR-33).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from novamas.game.cloth import SpotClass
from novamas.game.lines import Line, Settlement, cited
from novamas.game.reduction import Reduction, parts_of, reductions
from novamas.game.rulebook.model import ChipKind, PayBy, Rulebook


class Payment(NamedTuple):
    """One payment of the croupier to one player.

    >>> import novamas as nv
    >>> nv.settle("it", 17, "ana 17:5 17/20:5").payments
    (<Payment ana 260 for 17:5 17/20:5>,)
    """

    player: str
    lines: tuple[Line, ...]
    articles: tuple[str, ...]
    """The articles that put it in this place."""
    reduction: Reduction | None = None
    """The reduction by which it is paid."""

    @property
    def won(self) -> int:
        """What the stakes win as they were laid, before any reduction."""
        return sum(line.won for line in self.lines)

    @property
    def freed(self) -> int:
        """The worth of the chips that the reduction sends to the bank."""
        return 0 if self.reduction is None else self.reduction.freed * self.reduction.chip

    @property
    def paid(self) -> int:
        """The amount counted out: what was won plus the worth of the freed chips (AMB-AR-33)."""
        return self.won + self.freed

    @property
    def stays(self) -> int:
        """The part of the winning stakes that remains as the player's stake."""
        played = sum(part.amount for line in self.lines for part in parts_of(line))
        return played - self.freed

    def __repr__(self) -> str:
        laid = " ".join(f"{line.stake.spot.name}:{line.stake.amount}" for line in self.lines)
        return f"<Payment {self.player} {self.paid} for {laid}>"


Winner = tuple[int, int, str, SpotClass, Line]
"""The rank of a winner's spot in the house's order, its place on the cloth (a stake that was laid
earlier has a smaller one), its player, the class at which it wins, and its line."""


def in_order(book: Rulebook, paid: Iterable[Winner]) -> list[Line]:
    """The lines of the winners as the house pays them."""
    by = book.payment.by
    winners = sorted(paid, key=itemgetter(1))
    winners.sort(key=itemgetter(0))
    if by is PayBy.STAKE:
        return [winner[-1] for winner in winners]
    spool, value_last = by is PayBy.SPOOL, book.payment.value_chips_last
    seen: dict[str, int] = {}
    ordered: list[Line] = []
    for _, ranked in groupby(winners, key=itemgetter(0)):
        together: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for _, _, player, kind, line in ranked:
            turn = seen.setdefault(player, len(seen))
            if not kind.on_numbers:
                together[0, 0].append(line)
            elif spool:
                # The first reduction lies last in the spool, so of two equal values the later one
                # is paid first.
                together[line.stake.chip, -turn].append(line)
            elif value_last and is_value(line):
                together[1, 0].append(line)
            else:
                together[0, turn].append(line)
        for place in sorted(together):
            ordered += together[place]
    return ordered


def is_value(line: Line) -> bool:
    """Whether the stake was laid in value chips."""
    return getattr(line.stake, "kind", None) is ChipKind.VALUE


def payments(book: Rulebook, settlement: Settlement) -> tuple[Payment, ...]:
    """The payments of a coup, in the house's order.

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> from novamas.game.settlement import settle
    >>> from novamas.game.stakes import Stake
    >>> stakes = [Stake("b1", "ana", spot("17"), 1), Stake("b2", "ana", spot("17/20"), 2)]
    >>> [payment.won for payment in payments(load("it"), settle(load("it"), 17, stakes))]
    [69]
    >>> (payment,) = payments(load("ar"), settle(load("ar"), 17, stakes))
    >>> payment.won, payment.paid, payment.stays
    (69, 70, 2)
    """
    reduced = {made.player: made for made in reductions(book, settlement)}
    singly, value_last = book.payment.by is PayBy.STAKE, book.payment.value_chips_last
    cites: dict[tuple[bool, bool], tuple[str, ...]] = {}
    found: list[Payment] = []
    for line in settlement.lines:
        if not line.won:
            continue
        if not singly and found and _together(found[-1].lines, line):
            found[-1] = found[-1]._replace(lines=(*found[-1].lines, line))
            continue
        player, on_numbers = line.stake.player, line.stake.spot.kind.on_numbers
        kind = on_numbers, value_last and is_value(line)
        if kind not in cites:
            cites[kind] = _place_cites(book, line)
        made = reduced.pop(player, None) if reduced and on_numbers else None
        said = cites[kind] if made is None else cited(cites[kind], _reduced_cites(book))
        found.append(Payment(player, (line,), said, made))
    return tuple(found)


def _reduced_cites(book: Rulebook) -> tuple[str, ...]:
    """The articles behind counting out the reduced payment."""
    return () if book.reduction is None else book.reduction.cites.paid


def _place_cites(book: Rulebook, line: Line) -> tuple[str, ...]:
    """The articles that put a payment in its place."""
    cites = book.payment.cites
    if not line.stake.spot.kind.on_numbers:
        return cites.order
    last = book.payment.value_chips_last and is_value(line)
    together = () if last or book.payment.by is PayBy.STAKE else cites.by
    return cited(cites.order, together, cites.value_chips_last if last else ())


def _together(lines: Sequence[Line], line: Line) -> bool:
    """Whether a line is paid together with those before it, where stakes are not paid singly."""
    if lines[0].stake.player != line.stake.player:
        return False
    numbers = all(each.stake.spot.kind.on_numbers for each in (*lines, line))
    return numbers and is_value(lines[0]) == is_value(line)
