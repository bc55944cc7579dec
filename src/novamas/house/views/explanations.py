"""Explanations: the result of each stake of a coup in sentences, from the log.

The log is the only source: for each called number, the position of the call in the log is kept, and
what the call alone does not contain. The lines are read again on request.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from novamas.game.cloth import spot
from novamas.game.lines import Line, cited
from novamas.game.payment import Payment, payments
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.house.log.store import Record
from novamas.house.log.stored_lines import StoredCall, StoredLine, read_line, upgraded
from novamas.house.table.state import HouseTable
from novamas.house.views.payment_view import ReductionView, of_reduction
from novamas.house.views.view import View
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.state import State
from novamas.wording.calls import number_call
from novamas.wording.explain import Explanation, explain, explain_choice, explain_returned


class Returned(NamedTuple):
    """A stake, or a part of one, that was returned before it could play."""

    stake: Stake | Prisoner
    amount: int
    articles: tuple[str, ...]


class Announced(NamedTuple):
    """The announcement of which a stake is a piece."""

    id: str
    call: str


class ReducedPayment(View):
    """What was paid to a player whose winners were reduced (AMB-AR-33)."""

    player: str
    won: int
    paid: int
    """The winnings, and the value of the freed chips."""
    stays: int
    """What is left beside the payment, as the player's stake."""
    freed: int
    """The value of the chips that went to the bank."""
    articles: tuple[str, ...]
    reduction: ReductionView
    """The reduction itself, step by step."""


class CitedArticle(View):
    """An article with its summary."""

    id: str
    """The id of the article."""
    summary: str
    """What the article says, in short."""


class ExplainedLine(View):
    """The result of a stake, and why."""

    id: str
    player: str
    on: str
    amount: int
    won: int
    returned: int
    lost: int
    held: int
    stays: int
    aside: int
    freed: int
    """Of what is returned, the value of chips that a reduction sent to the bank."""
    reduced: int
    """Of the stake, what a reduction put on the winning number."""
    sentences: tuple[str, ...]
    """Why the stake got what it got."""
    articles: tuple[CitedArticle, ...]
    """The articles behind it."""
    announcement: str | None = None
    """The id of the announcement of which the stake is a piece."""
    call: str | None = None
    """The name of that announcement, such as `voisins`."""


class CoupExplanation(View):
    """A coup, explained."""

    coup: int
    number: Pocket
    call: str
    """How the croupier calls the number."""
    won: int
    """What all of these stakes won, including those of lines that are left out."""
    lost: int
    """What they lost."""
    lines: tuple[ExplainedLine, ...]
    """All lines for the staff; for a player, their own."""
    reduced: tuple[ReducedPayment, ...]
    """The same for the reduced payments, if the house reduces winners."""
    more: int = 0
    """How many lines are left out. An event has only the first ones; `/why` leaves out none."""


@dataclass(slots=True)
class CalledCoup:
    """What is kept about a coup whose number was called; the rest is read from the log again."""

    coup: int
    seq: int
    """The sequence of the call in the log."""
    prisoners: frozenset[str]
    """The stakes in prison when the number was called."""
    returned: list[Returned]
    reduced: list[ReducedPayment]
    pieces: dict[str, Announced]
    """Stake → the announcement of which it is a piece."""
    choices: dict[str, Line] = field(default_factory=dict)
    """Stake → the line of its owner's choice after zero."""


class Explanations:
    """The coups of a table that can be explained."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._called: OrderedDict[int, CalledCoup] = OrderedDict()
        self._returned: list[Returned] = []

    def note(self, house_table: HouseTable, record: Record, event: Event) -> None:
        """Takes an event; `house_table` is the table right before it."""
        state = house_table.state
        match event:
            case play.StakesReturned():
                self._returned.extend(returned_stakes(state, event))
            case play.NumberCalled():
                prisoners = frozenset(state.prison)
                reduced = reduced_payments(payments(state.book, event.settlement))
                called = CalledCoup(
                    state.coup,
                    record.seq,
                    prisoners,
                    self._returned,
                    reduced,
                    pieces(line.stake for line in event.settlement.lines),
                )
                self._called[state.coup] = called
                if self._most is not None and len(self._called) > self._most:
                    self._called.popitem(last=False)
            case play.CoupEnded():
                # Not at the call: a corrected number is called again.
                self._returned = []
            case play.ChoiceMade():
                # A choice belongs to the coup whose zero offered it.
                last = self._called.get(state.coup - 1)
                if last is not None:
                    last.choices[event.id] = event.line
            case _:
                pass  # No other event explains anything.

    def of(self, coup: int | None) -> CalledCoup | None:
        """What is kept about a coup; by default about the last one called."""
        if coup is None:
            return next(reversed(self._called.values()), None)
        return self._called.get(coup)


def pieces(stakes: Iterable[Stake | Prisoner]) -> dict[str, Announced]:
    """Those of the stakes that are pieces of an announcement."""
    return {
        each.id: Announced(each.announcement, each.call)
        for each in stakes
        if isinstance(each, Stake) and each.announcement is not None and each.call is not None
    }


def returned_stakes(state: State, event: play.StakesReturned) -> tuple[Returned, ...]:
    """The stakes that an event returns; `state` is the table right before it."""
    return tuple(
        Returned(state.stakes.get(id) or state.prison[id], amount, articles)
        for id, amount, articles in event.returned
    )


def reduced_payments(due: Iterable[Payment]) -> list[ReducedPayment]:
    """The payments of a coup that are made by a reduction."""
    return [
        ReducedPayment(
            player=each.player,
            won=each.won,
            paid=each.paid,
            stays=each.stays,
            freed=each.freed,
            articles=cited(each.reduction.articles, each.articles),
            reduction=of_reduction(each.reduction),
        )
        for each in due
        if each.reduction is not None
    ]


def called_lines(
    coup: CalledCoup, record: Record, *, player: str | None
) -> tuple[Pocket, list[Line]]:
    """The number that a stored call names, and its lines: every one, or one player's."""
    payload = upgraded(record.type, record.version, record.payload)
    called = msgspec.json.decode(payload, type=StoredCall)
    return called.pocket, [
        read_line(stored, _stake(stored, coup))
        for stored in called.lines
        if player is None or stored.player == player
    ]


def of_call(
    book: Rulebook, coup: CalledCoup, record: Record, *, player: str | None, language: str
) -> CoupExplanation:
    """Explains a coup from its call: every line, or one player's."""
    number, lines = called_lines(coup, record, player=player)
    return Explainer(book, coup.coup, number).explain(
        returned=[r for r in coup.returned if player is None or r.stake.player == player],
        lines=lines,
        choices=coup.choices,
        reduced=[each for each in coup.reduced if player is None or each.player == player],
        language=language,
    )


class Explainer:
    """Explains the stakes of one coup; stakes of which the same is said share the work."""

    def __init__(self, book: Rulebook, coup: int, number: Pocket) -> None:
        self._book = book
        self._coup = coup
        self._number = number
        self._known: dict[object, _Said] = {}

    def explain(
        self,
        *,
        returned: Sequence[Returned],
        lines: Sequence[Line],
        choices: Mapping[str, Line],
        reduced: Sequence[ReducedPayment],
        language: str,
        most: int | None = None,
    ) -> CoupExplanation:
        """Explains these stakes, in at most so many lines: first those that were returned."""
        count = len(returned) + len(lines)
        left = count if most is None else most
        # What is lost of a prisoner that is returned when the table closes is lost before a call.
        lost = sum([_returned_line(each).lost for each in returned])
        lost += sum([line.lost for line in lines])
        if choices:
            lost += sum(choices[line.stake.id].lost for line in lines if line.stake.id in choices)
        shown = [self._returned(each, language) for each in returned[:left]]
        for line in lines[: left - len(shown)]:
            choice = choices.get(line.stake.id)
            said = self._said(line, choice, language)
            shown.append(_explained_line(_chosen(line, choice), said))
        return CoupExplanation(
            coup=self._coup,
            number=self._number,
            call=number_call(self._book, self._number),
            won=sum([line.won for line in lines]),
            lost=lost,
            lines=tuple(shown),
            reduced=tuple(reduced),
            more=count - len(shown),
        )

    def _returned(self, back: Returned, language: str) -> ExplainedLine:
        stake, amount, articles = back
        explanation = explain_returned(self._book, stake, amount, articles, language=language)
        return _explained_line(_returned_line(back), _say([explanation]))

    def _said(self, line: Line, choice: Line | None, language: str) -> _Said:
        # What is said of a line depends neither on its owner nor on the id of the stake.
        stake, *parts = line
        key = type(stake), stake.spot.name, stake.amount, *parts, choice, language
        if key not in self._known:
            explanations = [explain(self._book, line, self._number, language=language)]
            if choice is not None:
                explanations.append(explain_choice(self._book, choice, language=language))
            self._known[key] = _say(explanations)
        return self._known[key]


class _Said(NamedTuple):
    """What is said of a line."""

    sentences: tuple[str, ...]
    articles: tuple[CitedArticle, ...]


def _say(explanations: list[Explanation]) -> _Said:
    summaries = {a.id: a.text(each.language) for each in explanations for a in each.articles}
    articles = cited(*(tuple(a.id for a in each.articles) for each in explanations))
    return _Said(
        tuple(sentence for each in explanations for sentence in each.sentences),
        tuple(CitedArticle(id=id, summary=summaries[id]) for id in articles),
    )


def _stake(stored: StoredLine, coup: CalledCoup) -> Stake | Prisoner:
    lying = stored.id, stored.player, spot(stored.on), stored.amount
    if stored.id in coup.prisoners:
        return Prisoner(*lying)
    id, call = coup.pieces.get(stored.id, (None, None))
    return Stake(*lying, announcement=id, call=call)


def _returned_line(back: Returned) -> Line:
    stake, amount, articles = back
    if isinstance(stake, Stake):
        stake = replace(stake, amount=amount)  # What was not returned plays, and has its own line.
    return Line(stake, returned=amount, lost=stake.amount - amount, articles=articles)


def _chosen(line: Line, choice: Line | None) -> Line:
    """The line of a stake, with what its owner chose after zero."""
    if choice is None:
        return line
    return line._replace(
        returned=line.returned + choice.returned, lost=line.lost + choice.lost, held=choice.held
    )


def _explained_line(line: Line, said: _Said) -> ExplainedLine:
    stake = line.stake
    announced = pieces([stake]).get(stake.id)
    return ExplainedLine(
        id=stake.id,
        player=stake.player,
        on=stake.spot.name,
        amount=stake.amount,
        won=line.won,
        returned=line.returned,
        lost=line.lost,
        held=line.held,
        stays=line.stays,
        aside=line.aside,
        freed=line.freed,
        reduced=line.reduced,
        sentences=said.sentences,
        articles=said.articles,
        announcement=announced and announced.id,
        call=announced and announced.call,
    )
