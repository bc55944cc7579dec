"""Zero choices: what a player may choose after zero, and what each choice is worth.

The amounts come from the table's own decision, and the expectations from the exact odds: the
screens compute neither.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, NamedTuple

import msgspec

from novamas.game.limits import Limits
from novamas.game.notation import Bet
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner
from novamas.house.views.view import View
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.play import Held, Play
from novamas.table.commands import Choice, ChooseAfterZero
from novamas.table.decide import decide
from novamas.table.events import ChoiceMade
from novamas.table.refusals import Refusal
from novamas.table.state import State


class ZeroOffer(View):
    """The choices of the owner of a stake after zero."""

    half: int | None
    """What the owner gets for taking the half; null if they may not."""
    articles: tuple[str, ...]
    """The articles on the half, or on why it may not be taken."""
    frees: int
    """How many pockets of the wheel return it in the next coup."""
    takes: int
    """How many of them lose it."""
    worth: Annotated[str, msgspec.Meta(pattern=r"^\d+(/\d+)?$")]
    """A fraction: its average value if it is left in prison."""


class _Waiting(NamedTuple):
    """What becomes of a stake that is left in prison."""

    frees: int
    takes: int
    worth: Fraction


def of_prisoner(state: State, held: Prisoner) -> ZeroOffer:
    """What the owner of a stake in prison may choose now."""
    half, articles = _half(state, held)
    waiting = _left_in_prison(state, held)
    return ZeroOffer(
        half=half,
        articles=articles,
        frees=waiting.frees,
        takes=waiting.takes,
        worth=str(waiting.worth),
    )


_KNOWN: dict[object, tuple[Rulebook, Limits, _Waiting]] = {}
"""Results that do not depend on who owns the stake: many players meet the same zero. The book and
the limits are kept with the result, so that their ids stay valid; neither ever changes."""
KEPT = 1024


def _left_in_prison(state: State, held: Prisoner) -> _Waiting:
    book, limits = state.book, state.limits
    key = id(book), id(limits), held.spot.name, held.amount, held.zeros, held.chip
    if key not in _KNOWN:
        if len(_KNOWN) >= KEPT:
            _KNOWN.clear()
        play, prison = _waiting(state, held)
        turns = play.wait(prison)
        _KNOWN[key] = (
            book,
            limits,
            _Waiting(
                frees=sum(turn.pockets for turn in turns if not turn.prison and not turn.net),
                takes=sum(turn.pockets for turn in turns if turn.net == -held.amount),
                worth=worth(state, held),
            ),
        )
    return _KNOWN[key][2]


def worth(state: State, held: Prisoner) -> Fraction:
    """The average value of a stake that is left in prison.

    If zero comes out again its owner takes the half, if they may: no other choice is worth more
    then.
    """
    play, prison = _waiting(state, held)
    return held.amount + Carrier(play).law(prison).moments[0]


def _half(state: State, held: Prisoner) -> tuple[int | None, tuple[str, ...]]:
    """What the owner gets for the half, None if they may not take it; and the articles."""
    half = ChooseAfterZero(by=held.player, id=held.id, choice=Choice.HALF)
    decision = decide(state, half)
    if isinstance(decision, Refusal):
        return None, decision.articles
    (made,) = (event for event in decision if isinstance(event, ChoiceMade))
    return made.line.returned, made.line.articles


def _waiting(state: State, held: Prisoner) -> tuple[Play, tuple[Held, ...]]:
    """The play in which the owner leaves it in prison now, and takes the half at the next zero."""
    layout = Layout(state.book, (Bet(held.spot, held.chip),), held.chip)
    choices = (*(Choice.PRISON,) * held.zeros, Choice.HALF)
    play = Play(layout, choices, state.limits)
    return play, (Held(held.spot, held.amount, held.zeros),)
