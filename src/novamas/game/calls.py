"""Calls: what the croupier says at each step, in the language in which the house says it."""

from __future__ import annotations

from novamas.game import wheel
from novamas.game.cloth import winning_chances
from novamas.game.rulebook import NumberCall, Rulebook


def number_call(book: Rulebook, number: int) -> str:
    """The winning number as the house calls it; zero has no simple chance to be called with.

    >>> from novamas.rulebooks import load
    >>> number_call(load("it"), 32)
    'trente-deux, rouge, pair, passe'
    >>> number_call(load("bg"), 0)
    '0'
    """
    calls = book.calls
    named = winning_chances(number)
    if calls.number is NumberCall.NUMBER:
        named = ()
    elif calls.number is NumberCall.NUMBER_COLOUR:
        named = tuple(name for name in named if name in (wheel.Colour.RED, wheel.Colour.BLACK))
    return ", ".join((calls.numbers[number], *(calls.chances[name] for name in named)))
