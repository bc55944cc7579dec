"""Names in commands: the spot or the announcement that a text means at a house.

A command may use the notation or any word that the notation reads: `20/17`, `rojo`, `tre primi`,
`serie 5/8`. Events always store the plain name.
"""

from __future__ import annotations

from novamas.game import announcements
from novamas.game.cloth import SPOTS, Spot
from novamas.game.house_words import Announced, Playable, Words, WordsError, read
from novamas.game.rulebook.model import Call, Rulebook
from novamas.rulebooks import words_of


def spot_named(book: Rulebook, text: str) -> Spot | None:
    """The spot that a text names, whether or not the house offers it; None if it names none.

    >>> from novamas.rulebooks import load
    >>> spot_named(load("es"), "rojo"), spot_named(load("es"), "20/17")
    (<simple red>, <split 17/20>)
    """
    found = SPOTS.get(text) or _meant(book, text)
    return found if isinstance(found, Spot) else None


def call_named(book: Rulebook, text: str) -> Call | None:
    """The announcement that a text names, or None if the house does not take it.

    >>> from novamas.rulebooks import load
    >>> call_named(load("it"), "Serie 5/8").name
    'tiers'
    """
    known = announcements.call_of(book, text)
    if known is not None:
        return known
    found = _meant(book, text)
    return announcements.call_of(book, found.name) if isinstance(found, Announced) else None


def _meant(book: Rulebook, text: str) -> Playable | None:
    try:
        words = words_of(book)
    except WordsError:  # A book whose words are ambiguous is played in the notation alone.
        words = Words()
    return read(text, words)
