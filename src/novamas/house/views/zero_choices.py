"""Zero choices: what a player may choose after zero, and what each choice is worth.

The amounts come from the table's own decision, and the expectations from the exact odds: the
screens compute neither.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from novamas.game.notation import Bet
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
    """How many of the 37 pockets return it in the next coup."""
    takes: int
    """How many of them lose it."""
    worth: Annotated[str, msgspec.Meta(pattern=r"^\d+(/\d+)?$")]
    """A fraction: its average value if it is left in prison."""


def of_prisoner(state: State, held: Prisoner) -> ZeroOffer:
    """What the owner of a stake in prison may choose now."""
    half, articles = _half(state, held)
    play, prison = _waiting(state, held)
    turns = play.wait(prison)
    return ZeroOffer(
        half=half,
        articles=articles,
        frees=sum(turn.pockets for turn in turns if not turn.prison and not turn.net),
        takes=sum(turn.pockets for turn in turns if turn.net == -held.amount),
        worth=str(worth(state, held)),
    )


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
