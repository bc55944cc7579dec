"""The data of a rulebook in words: what a datum is about, and what a house says of it.

>>> from novamas.game.rulebook.behaviours import ZeroRule
>>> name("en", "zero", "simple"), value("fr", ZeroRule.LOSE)
('Even chances when zero comes up', 'perdent')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Final

from novamas.game.cloth import SpotClass
from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH
from novamas.game.rulebook.choices import Pays
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import WHEELS
from novamas.wording.explain import odds

LANGUAGES: Final = {
    ENGLISH: "english",
    SPANISH: "spanish",
    ITALIAN: "italian",
    FRENCH: "french",
    BULGARIAN: "bulgarian",
}
"""Language → the module that has its words."""

CALLS: Final = "calls."
"""The keys of single announcements begin with this."""
NOTHING: Final = "–"
"""What stands where a house says nothing."""


@cache
def words(language: str) -> Mapping[str, str]:
    """The words of a language, or else of English; every language has the same names."""
    module = import_module(f"novamas.wording.book_words.{LANGUAGES.get(language, 'english')}")
    found: Mapping[str, str] = module.WORDS
    return found


def section(language: str, name: str) -> str:
    """A section of a book as a heading."""
    return words(language)[f"section.{name}"]


def bet(language: str, name: str, choice: str = "") -> str:
    """A class of bets or a single spot, with the player's choice at zero where that matters.

    >>> bet("en", "simple", "half"), bet("es", "straight"), bet("it", "d1+d2")
    ('even chance, the player takes half', 'pleno', 'd1+d2')
    """
    known = words(language)
    named = known.get(f"spot.{name}", name)
    return f"{named}, {known[f'if_{choice}']}" if choice else named


def name(language: str, section: str, key: str, *, posts: Mapping[str, str] | None = None) -> str:
    """What a datum is about. `posts` has the words for posts by their plain names."""
    known = words(language)
    if section == "spots":
        # A class and the spots of it, or spots alone: each has its word.
        return known.get(f"spots.{key}") or " ".join(bet(language, each) for each in key.split())
    if section == "announcements" and key.startswith(CALLS):
        return known["announcements.calls"]
    first, _, rest = key.partition(".")
    if section == "posts":
        which = (posts or {}).get(first, first)
        return known[f"posts.{rest}"].format(which=which) if rest else known["posts.post"]
    if section == "staffing":
        return known[f"staffing.{rest}"]
    return known[f"{section}.{first}"].format(which=bet(language, rest))


def value(language: str, datum: object, *, book: Rulebook | None = None) -> str:
    """What a house says of a datum.

    >>> value("en", True), value("en", ("red", "even")), value("es", None)
    ('yes', 'red, even', '–')
    >>> value("en", "american")
    '38 pockets, 0 and 00'
    """
    known = words(language)
    if datum is None or datum in ("", (), frozenset()):
        return NOTHING
    if isinstance(datum, Pays):
        paid = odds(language, datum.pays)
        return known["halves"] if datum.halves else known["pays"].format(odds=paid)
    if isinstance(datum, bool):
        return known["yes" if datum else "no"]
    if isinstance(datum, Enum):
        # A class of spots is named as a bet.
        word = known.get(f"{type(datum).__name__}.{datum.value}")
        return word or bet(language, str(datum.value))
    if isinstance(datum, frozenset):
        return ", ".join(_listed(language, datum, book))
    if isinstance(datum, tuple):
        listed = (value(language, each, book=book) for each in datum)
        return _between(datum[0]).join(listed)
    return _plain(language, str(datum), book)


def _between(first: object) -> str:
    """What stands between the parts of a list: steps in their order, or alternatives."""
    if isinstance(first, tuple | frozenset | SpotClass):
        return " → "
    return " / " if isinstance(first, Enum) else ", "


def announcements(book: Rulebook, keys: Iterable[str]) -> str:
    """Announcements as the house calls them; those of one kind have its word only once.

    >>> from novamas.rulebooks import load
    >>> announcements(load("fran"), ["calls.tiers", "calls.f0", "calls.f1"])
    'tiers du cylindre; finale 0, 1'
    """
    found: list[str] = []
    finals: list[str] = []
    for name in (key.removeprefix(CALLS) for key in keys):
        if name in book.words:
            found.append(book.words[name][0])
        else:
            finals.append(name.removeprefix("f"))
    listed = [", ".join(found)] if found else []
    if finals:
        word = book.words["final"][0] if "final" in book.words else "f"
        listed.append(f"{word} {', '.join(finals)}")
    return "; ".join(listed)


def further(language: str, mine: frozenset[object], theirs: frozenset[object]) -> str:
    """What one of two sets has and the other has not."""
    known = words(language)
    listed = ", ".join(_listed(language, mine - theirs, None))
    return known["besides"].format(what=listed) if listed else known["nothing_besides"]


def _listed(language: str, data: Iterable[object], book: Rulebook | None) -> list[str]:
    return sorted(value(language, each, book=book) for each in data)


def _plain(language: str, text: str, book: Rulebook | None) -> str:
    """A word of the book that is in no closed set: a spot, a wheel, a post, or a call."""
    known = words(language)
    if text in WHEELS:
        return known[f"Wheel.{text}"].format(pockets=len(WHEELS[text]))
    for group in ("spot", "language"):
        if f"{group}.{text}" in known:
            return known[f"{group}.{text}"]
    post = None if book is None else book.posts.get(text)
    return text if post is None else post.word
