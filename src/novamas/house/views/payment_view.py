"""Payment views: the payments of the running coup in the house's order, with their reductions."""

from __future__ import annotations

import msgspec

from novamas.game.lines import Line
from novamas.game.payment import in_piles, payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.house.views.view import Ratio, View
from novamas.table.state import State


class PaidLine(View):
    """A stake that is paid."""

    id: str
    on: str
    amount: int
    chips: ChipKind
    won: int
    pays: Ratio
    """What its spot pays for the stake."""


class Piles(View):
    """A payment in chips of the player's colour, cut by height."""

    size: int
    """How many chips a pile has."""
    piles: int
    """The whole piles."""
    rest: int
    """The chips beside them."""


class PaymentView(View):
    """A single payment to one player."""

    player: str
    colour: str | None
    won: int
    """What the stakes win, as they were laid."""
    paid: int
    """What is paid out: after a reduction more, by the value of the freed chips."""
    stays: int
    """What is left beside the payment, as the player's stake."""
    lines: tuple[PaidLine, ...]
    """The stakes that are paid."""
    piles: Piles | None
    """The piles in which it is paid; None if the house does not cut them, or the chips are none."""
    articles: tuple[str, ...]
    """The articles that determine its position in the order."""


class ReductionStepView(View):
    """A number of chips of one class turned into straights."""

    kind: str = msgspec.field(name="class")
    chips: int
    """How many chips are turned."""
    straights: int
    """How many chips on the winning number they become."""
    freed: int
    """Chips that go to the bank."""
    articles: tuple[str, ...]


class ReductionView(View):
    """A player's winners turned into straights, counted in chips."""

    player: str
    chip: int
    steps: tuple[ReductionStepView, ...]
    """The steps, one class after the other."""
    straights: int
    """The chips on the winning number in the end."""
    left: dict[str, int]
    """Class → chips that could not be reduced."""
    freed: int
    """The chips that go to the bank."""
    paid: int
    """What is paid, in chips."""
    stays: int
    """What is left beside the payment, in chips."""
    articles: tuple[str, ...]


class PaymentsView(View):
    """The payments of the running coup, in the house's order."""

    coup: int
    number: Pocket | None
    """None while nothing is settled: then there are no payments."""
    made: int
    """How many of them are done."""
    payments: tuple[PaymentView, ...]
    """The payments, in order."""
    reductions: tuple[ReductionView, ...]
    """The reductions behind them, where the house reduces winners."""


def of_payments(state: State) -> PaymentsView:
    """The payments of the running coup, for the person who makes them."""
    book, settlement = state.book, state.settlement
    due = payments(book, settlement) if settlement is not None else ()
    reduced = reductions(book, settlement) if settlement is not None else ()
    return PaymentsView(
        coup=state.coup,
        number=None if settlement is None else settlement.pocket,
        made=len(due) - len(state.due),
        payments=tuple(
            PaymentView(
                player=each.player,
                colour=state.players[each.player].colour,
                won=each.won,
                paid=each.paid,
                stays=each.stays,
                lines=tuple(_paid_line(book, line) for line in each.lines),
                piles=_piles(book, each.paid, state.players[each.player].chip),
                articles=each.articles,
            )
            for each in due
        ),
        reductions=tuple(of_reduction(each) for each in reduced),
    )


def _piles(book: Rulebook, paid: int, chip: int) -> Piles | None:
    """The piles of a payment in chips of that value."""
    chips, odd = divmod(paid, chip)
    cut = in_piles(book, chips)
    if cut is None or book.payment.pile is None or odd:
        return None
    return Piles(size=book.payment.pile, piles=cut[0], rest=cut[1])


def of_reduction(reduction: Reduction) -> ReductionView:
    """A player's reduction, counted in chips."""
    return ReductionView(
        player=reduction.player,
        chip=reduction.chip,
        steps=tuple(
            ReductionStepView(
                kind=step.kind,
                chips=step.chips,
                straights=step.straights,
                freed=step.freed,
                articles=step.articles,
            )
            for step in reduction.steps
        ),
        straights=reduction.straights,
        left={str(kind): chips for kind, chips in reduction.left.items()},
        freed=reduction.freed,
        paid=reduction.paid,
        stays=reduction.stays,
        articles=reduction.articles,
    )


def _paid_line(book: Rulebook, line: Line) -> PaidLine:
    pays = book.terms[line.stake.spot].pays
    return PaidLine(
        id=line.stake.id,
        on=line.stake.spot.name,
        amount=line.stake.amount,
        chips=line.stake.kind,
        won=line.won,
        pays=(pays.numerator, pays.denominator),
    )
