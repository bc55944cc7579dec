"""Calls: what the croupier says at each step, in the language of the house's calls."""

from __future__ import annotations

from novamas.game.cloth import winning_chances
from novamas.game.numerals import AND, THE
from novamas.game.rulebook.behaviours import Invitation, NumberCall
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket


def number_call(book: Rulebook, number: Pocket) -> str:
    """The winning number as the house calls it; zero is called without a simple chance.

    >>> from novamas.rulebooks import load
    >>> number_call(load("it"), 32)
    'trente-deux, rouge, pair et passe'
    >>> number_call(load("ar"), 32), number_call(load("bg"), 0)
    ('Colorado el treinta y dos', '0')
    """
    calls = book.calls
    called = calls.numbers[number]
    # A book has words only for the chances that it calls.
    chances = [calls.chances[name] for name in winning_chances(number) if name in calls.chances]
    if calls.number is NumberCall.COLOUR_NUMBER:
        return _begun(THE[calls.language].join((*chances, called)))
    if len(chances) > 1:
        *chances, last = chances
        chances[-1] += AND[calls.language] + last
    return ", ".join((called, *chances))


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def invitation(book: Rulebook, when: Invitation) -> str:
    """The invitation to bet if the house calls it at that moment; otherwise an empty text.

    >>> from novamas.rulebooks import load
    >>> invitation(load("es"), Invitation.BETTING), invitation(load("es"), Invitation.LAUNCH)
    ('Hagan juego, señores', '')
    """
    return book.calls.open_betting if book.calls.invites is when else ""
