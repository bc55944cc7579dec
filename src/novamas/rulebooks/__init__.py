"""The rulebooks of the houses, as files; and the one door through which they are read.

>>> load("ar").word("straight")
'pleno'
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from novamas.game.errors import nearest
from novamas.game.house_words import Words
from novamas.game.rulebook.extending import allow_extending
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import read_rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.rulebooks import plugins

HOUSES = ("ar", "es", "it", "bg", "fr", "fram", "fran", "esam", "sd")
"""The houses whose books come with the package."""


def houses() -> tuple[str, ...]:
    """The ids of all houses: those of the package, then those of other distributions.

    A book of another distribution never replaces one that comes with the package.
    """
    return (*HOUSES, *sorted(id for id in plugins.found() if id not in HOUSES))


def source(id: str) -> str:
    """The TOML text of a house's book."""
    return resources.files(__name__).joinpath(f"{id}.toml").read_text(encoding="utf-8")


allow_extending(HOUSES, source)


@cache
def load(id: str) -> Rulebook:
    """The book of a house, from the package or from another distribution."""
    if id in HOUSES:
        return read_rulebook(source(id), file=f"{id}.toml")
    if entries := plugins.found().get(id):
        return plugins.read_plugin(id, entries)
    known = houses()
    listed = f"no such rulebook; the houses are {', '.join(known)}, or give a file (.toml)"
    raise RulebookError(id, "", listed + nearest(id.lower(), known))


@cache
def words() -> Words:
    """The words of all the houses, to write a bet in any of their languages.

    >>> words()["tre-primi"], words()["червено"]
    ('1/3', 'red')
    """
    return Words.of(*map(load, HOUSES))


def words_of(book: Rulebook) -> Words:
    """The words for bets: those of all houses, or those of a book from another source."""
    if book.id in HOUSES and book is load(book.id):
        return words()
    found = book.derived.get(Words)
    if not isinstance(found, Words):
        found = book.derived[Words] = Words.of(book)
    return found


def load_any(name: str) -> Rulebook:
    """A house's book by its id, or any rulebook by the path of its file."""
    if name in HOUSES or not name.endswith(".toml"):
        return load(name)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:  # Not UTF-8, or not a valid path.
        raise RulebookError(name, "", f"cannot be read: {problem}") from None
    return read_rulebook(text, file=Path(name).name)
