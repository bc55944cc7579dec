"""Explanations: the result of each stake of a coup in sentences, from the log.

The log is the only source: for each called number, the position of the call in the log is kept, and
what the call alone does not contain. The lines are read again on request.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from novamas.game.cloth import spot
from novamas.game.lines import Line, Settlement, cited
from novamas.game.payment import payments
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.house.log.store import Record
from novamas.house.log.stored_lines import StoredCall, StoredLine, read_line, upgraded
from novamas.house.table.state import HouseTable
from novamas.house.views.view import View
from novamas.table import events as play
from novamas.table.events import Event
from novamas.wording.calls import number_call
from novamas.wording.explain import Explanation, explain, explain_choice, explain_returned


class Returned(NamedTuple):
    """A stake, or a part of one, that was returned before it could play."""

    stake: Stake | Prisoner
    amount: int
    articles: tuple[str, ...]


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


class CoupExplanation(View):
    """A coup, explained."""

    coup: int
    number: int
    call: str
    """How the croupier calls the number."""
    lines: tuple[ExplainedLine, ...]
    """All lines for the staff; for a player, their own."""
    reduced: tuple[ReducedPayment, ...]
    """The same for the reduced payments, if the house reduces winners."""


@dataclass(slots=True)
class CalledCoup:
    """What is kept about a coup whose number was called."""

    coup: int
    seq: int
    """The sequence of the call in the log."""
    prisoners: frozenset[str]
    """The stakes in prison when the number was called."""
    returned: list[Returned]
    reduced: list[ReducedPayment]
    choices: dict[str, Line] = field(default_factory=dict)
    """Stake → the line of its owner's choice after zero."""


class Explanations:
    """The coups of a table that can be explained."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._told: OrderedDict[int, CalledCoup] = OrderedDict()
        self._returned: list[Returned] = []

    def note(self, house_table: HouseTable, record: Record, event: Event) -> None:
        """Takes an event; `house_table` is the table right before it."""
        state = house_table.state
        match event:
            case play.StakesReturned():
                for id, amount, articles in event.returned:
                    stake = state.stakes.get(id) or state.prison[id]
                    self._returned.append(Returned(stake, amount, articles))
            case play.NumberCalled():
                prisoners = frozenset(state.prison)
                reduced = _reduced_payments(state.book, event.settlement)
                told = CalledCoup(state.coup, record.seq, prisoners, self._returned, reduced)
                self._returned = []
                self._told[state.coup] = told
                if self._most is not None and len(self._told) > self._most:
                    self._told.popitem(last=False)
            case play.ChoiceMade():
                # A choice belongs to the coup whose zero offered it.
                last = self._told.get(state.coup - 1)
                if last is not None:
                    last.choices[event.id] = event.line
            case _:
                pass  # No other event explains anything.

    def of(self, coup: int | None) -> CalledCoup | None:
        """What is kept about a coup; by default about the last one called."""
        if coup is None:
            return next(reversed(self._told.values()), None)
        return self._told.get(coup)


def _reduced_payments(book: Rulebook, settlement: Settlement) -> list[ReducedPayment]:
    return [
        ReducedPayment(
            player=each.player,
            won=each.won,
            paid=each.paid,
            stays=each.stays,
            freed=each.freed,
            articles=cited(each.reduction.articles, each.articles),
        )
        for each in payments(book, settlement)
        if each.reduction is not None
    ]


def of_call(
    book: Rulebook, told: CalledCoup, record: Record, *, player: str | None, language: str
) -> CoupExplanation:
    """Explains a coup from its call: every line, or one player's."""
    payload = upgraded(record.type, record.version, record.payload)
    called = msgspec.json.decode(payload, type=StoredCall)
    number = called.pocket
    lines = [
        _returned(book, each, language)
        for each in told.returned
        if player is None or each.stake.player == player
    ]
    for stored in called.lines:
        if player is None or stored.player == player:
            line = read_line(stored, _stake(stored, told.prisoners))
            lines.append(_explained(book, line, number, told.choices.get(stored.id), language))
    return CoupExplanation(
        coup=told.coup,
        number=number,
        call=number_call(book, number),
        lines=tuple(lines),
        reduced=tuple(each for each in told.reduced if player is None or each.player == player),
    )


def _stake(stored: StoredLine, prisoners: frozenset[str]) -> Stake | Prisoner:
    kind = Prisoner if stored.id in prisoners else Stake
    return kind(stored.id, stored.player, spot(stored.on), stored.amount)


def _returned(book: Rulebook, back: Returned, language: str) -> ExplainedLine:
    stake, amount, articles = back
    told = explain_returned(book, stake, amount, articles, language=language)
    if isinstance(stake, Stake):
        stake = replace(stake, amount=amount)  # What was not returned plays, and has its own line.
    line = Line(stake, returned=amount, lost=stake.amount - amount, articles=articles)
    return _line(line, [told])


def _explained(
    book: Rulebook, line: Line, number: int, choice: Line | None, language: str
) -> ExplainedLine:
    told = [explain(book, line, number, language=language)]
    if choice is not None:
        told.append(explain_choice(book, choice, language=language))
        line = line._replace(
            returned=line.returned + choice.returned,
            lost=line.lost + choice.lost,
            held=choice.held,
        )
    return _line(line, told)


def _line(line: Line, told: list[Explanation]) -> ExplainedLine:
    stake = line.stake
    summaries = {a.id: a.told(each.language) for each in told for a in each.articles}
    articles = cited(*(tuple(a.id for a in each.articles) for each in told))
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
        sentences=tuple(sentence for each in told for sentence in each.sentences),
        articles=tuple(CitedArticle(id=id, summary=summaries[id]) for id in articles),
    )
