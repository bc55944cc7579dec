"""Zero choices: what a player may choose after zero, and what each way is worth.

What they would be given is the table's own decision, and what they may expect comes from the exact
odds: the screens compute neither.
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
    """What the owner of a stake that met zero may choose."""

    half: int | None
    """What the owner is given who takes the half; null where they may not."""
    articles: tuple[str, ...]
    """Those on the half, or on why it may not be taken."""
    frees: int
    """How many of the 37 pockets give it back in the next coup."""
    takes: int
    """How many take it."""
    worth: Annotated[str, msgspec.Meta(pattern=r"^\d+(/\d+)?$")]
    """A fraction: what it comes to on average if it is left in prison."""


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
    """What a stake that is left in prison comes to on average.

    Should zero come out again its owner takes the half, where they may: nothing else that they
    could do with it then is worth more.
    """
    play, prison = _waiting(state, held)
    return held.amount + Carrier(play).law(prison).moments[0]


def _half(state: State, held: Prisoner) -> tuple[int | None, tuple[str, ...]]:
    """What the owner is given for the half, None where they may not take it; and the articles."""
    half = ChooseAfterZero(by=held.player, id=held.id, choice=Choice.HALF)
    decision = decide(state, half)
    if isinstance(decision, Refusal):
        return None, decision.articles
    (made,) = (event for event in decision if isinstance(event, ChoiceMade))
    return made.line.returned, made.line.articles


def _waiting(state: State, held: Prisoner) -> tuple[Play, tuple[Held, ...]]:
    """Its owner leaves it in prison now, and takes the half at the next zero."""
    layout = Layout(state.book, (Bet(held.spot, held.chip),), held.chip)
    choices = (*(Choice.PRISON,) * held.zeros, Choice.HALF)
    play = Play(layout, choices, state.limits)
    return play, (Held(held.spot, held.amount, held.zeros),)
