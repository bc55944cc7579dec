"""The houses and their rulebooks, and the notation."""

from __future__ import annotations

from novamas import rulebooks
from novamas.api.arguments import House, book_of
from novamas.game.arguments import shown
from novamas.game.errors import UsageError, has_type
from novamas.game.notation import Bet, parse_bets
from novamas.game.rulebook.model import Rulebook


def houses() -> tuple[str, ...]:
    """The ids of all houses: those of the package, then those of installed plug-ins.

    Another distribution adds a rulebook with an entry point of the group `novamas.rulebooks`.

    >>> import novamas as nv
    >>> nv.houses()[:4]
    ('ar', 'es', 'it', 'bg')
    """
    return rulebooks.houses()


def load(house: House) -> Rulebook:
    """The rulebook of a house by its id, or of a file by its path.

    >>> import novamas as nv
    >>> ar = nv.load("ar")
    >>> ar.name, ar.word("split"), ar.find("6.a")[0].summary["en"]
    ('Argentina', 'semipleno', 'A winning semipleno is paid 17 times the bet.')
    """
    return book_of(house)


def parse(text: str) -> tuple[Bet, ...]:
    """The bets of a text, in the notation or in the words of any house.

    >>> import novamas as nv
    >>> nv.parse("17/20:4 rosso:10")
    (<Bet 17/20:4>, <Bet red:10>)
    >>> nv.parse("17/22:4")
    Traceback (most recent call last):
        ...
    novamas.game.notation.NotationError: 17/22:4
       ^
    17 and 22 do not touch: expected 14/17, 16/17, 17/18, 17/20 or 17/21
    """
    if not has_type(text, str):
        raise UsageError(f"text: expected bets such as '17/20:4', not {shown(text)}")
    return parse_bets(text, rulebooks.words())
