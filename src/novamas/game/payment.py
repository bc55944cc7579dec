"""Payment: the order in which a house pays its winners, and what it pays together.

A house pays stake by stake, or all of one colour together (IT-gioco-3), or all winners of a player
(FRAM-55-1.q), or from a spool that holds the reduced chips (AR-25). From a spool, the croupier
counts out the reduced payment (AMB-AR-33).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from novamas.game.lines import Line, Settlement, cited
from novamas.game.reduction import Reduction, parts_of, reductions
from novamas.game.rulebook.behaviours import ChipKind, PayBy
from novamas.game.rulebook.model import Rulebook


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
    by, value_last = book.payment.by, book.payment.value_chips_last
    cites: dict[tuple[bool, bool], tuple[str, ...]] = {}
    found: list[Payment] = []
    for line in settlement.lines:
        if not line.won:
            continue
        if by is not PayBy.STAKE and found and _together(by, found[-1].lines, line):
            found[-1] = found[-1]._replace(lines=(*found[-1].lines, line))
            continue
        stake = line.stake
        player, on_numbers = stake.player, stake.spot.kind.on_numbers
        kind = on_numbers, value_last and is_value(line)
        said = cites.get(kind)
        if said is None:
            said = cites[kind] = _place_cites(book, line)
        made = reduced.pop(player, None) if reduced and on_numbers else None
        if made is not None:
            said = cited(said, _reduced_cites(book))
        found.append(Payment(player, (line,), said, made))
    return tuple(found)


def in_piles(book: Rulebook, chips: int) -> tuple[int, int] | None:
    """Whole piles and single chips of a payment, where the house cuts payments by height.

    >>> from novamas.rulebooks import load
    >>> in_piles(load("fran"), 175)
    (8, 15)
    """
    return None if book.payment.pile is None else divmod(chips, book.payment.pile)


def _reduced_cites(book: Rulebook) -> tuple[str, ...]:
    """The articles behind counting out the reduced payment."""
    return () if book.reduction is None else book.reduction.cites.paid


def _place_cites(book: Rulebook, line: Line) -> tuple[str, ...]:
    """The articles that put a payment in its place."""
    cites = book.payment.cites
    if book.payment.by is PayBy.PLAYER:
        return cited(cites.order, cites.by, cites.pile if book.payment.pile else ())
    if not line.stake.spot.kind.on_numbers:
        return cites.order
    last = book.payment.value_chips_last and is_value(line)
    together = () if last or book.payment.by is PayBy.STAKE else cites.by
    return cited(cites.order, together, cites.value_chips_last if last else ())


def _together(by: PayBy, lines: Sequence[Line], line: Line) -> bool:
    """Whether a line is paid together with those before it."""
    if lines[0].stake.player != line.stake.player:
        return False
    if by is PayBy.PLAYER:
        return True
    numbers = all(each.stake.spot.kind.on_numbers for each in (*lines, line))
    return numbers and is_value(lines[0]) == is_value(line)
