"""Choices: what is open to a player after zero, and what each way is worth to him.

What he would be given is the table's own decision, and what he may expect comes from the exact
odds: the screens compute neither.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from novamas.game.notation import Bet
from novamas.game.stakes import Prisoner
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.play import Held, Play
from novamas.table.commands import Choice, ChooseAfterZero
from novamas.table.decide import decide
from novamas.table.events import ChoiceMade
from novamas.table.refusals import Refusal
from novamas.table.state import State


def of_prisoner(state: State, held: Prisoner) -> dict[str, Any]:
    """What the owner of a stake in prison may choose now."""
    half, articles = _half(state, held)
    play, prison = _waiting(state, held)
    turns = play.wait(prison)
    return {
        "half": half,
        "articles": articles,
        "frees": sum(turn.pockets for turn in turns if not turn.prison and not turn.net),
        "takes": sum(turn.pockets for turn in turns if turn.net == -held.amount),
        "worth": str(worth(state, held)),
    }


def worth(state: State, held: Prisoner) -> Fraction:
    """What a stake that is left in prison comes to on average.

    Should zero come out again its owner takes the half, where he may: nothing that he could do
    with it then is worth more.
    """
    play, prison = _waiting(state, held)
    return held.amount + Carrier(play).law(prison).moments[0]


def _half(state: State, held: Prisoner) -> tuple[int | None, tuple[str, ...]]:
    """What he is given who takes the half; None where he may not; and the articles on it."""
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
