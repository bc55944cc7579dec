"""Reads the arguments of the public API: houses, pockets, stakes, limits, amounts.

Each function returns the typed value, or raises an error that names the argument and says what is
expected.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from novamas import rulebooks
from novamas.game import wheel
from novamas.game.errors import UsageError, has_type, nearest
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.notation import Bet, Hand, parse_bets, parse_hand
from novamas.game.rulebook.model import Rulebook, Winning
from novamas.odds.layout import Layout
from novamas.wording.phrases import PHRASES

House: TypeAlias = str | os.PathLike[str] | Rulebook
"""The id of a house, the path of a rulebook file, or a rulebook."""
Bets: TypeAlias = str | Bet | Iterable[Bet]
"""Bets in the notation, or as they were parsed."""
LimitsLike: TypeAlias = Limits | Mapping[str, Mapping[str, int]] | None
"""Limits, or plain data such as `{"straight": {"min": 1, "max": 100}}`."""

_Named = TypeVar("_Named")


def book_of(house: House) -> Rulebook:
    """The rulebook that an argument names."""
    if isinstance(house, Rulebook):
        return house
    if not has_type(house, str, os.PathLike):
        expected = "the id of a house, the path of a rulebook file or a Rulebook"
        raise UsageError(f"house: expected {expected}, not {house!r}")
    name = os.fspath(house)
    if not isinstance(house, str) and not name.endswith(".toml"):
        raise UsageError(f"house: {name!r}: expected the path of a file that ends in .toml")
    return rulebooks.load_any(name)


def pocket_of(number: object, *, argument: str = "pocket") -> int:
    """A pocket of the wheel by its number.

    The pockets are the numbers 0 to 36. Text is not read as a number: on a wheel with a pocket
    `00`, `"0"` and `"00"` would be two pockets, so a text could only be such a label.
    """
    if isinstance(number, int) and wheel.is_pocket(number):
        return number
    problem = f"{argument}: expected a whole number from 0 to 36, not {number!r}"
    if isinstance(number, str) and number.isdecimal() and number == str(int(number)):
        problem += f"; write {number} without quotes"
    raise UsageError(problem)


def whole(number: object, *, argument: str, least: int = 1) -> int:
    """A whole number of at least `least`; True and 2.0 are not whole numbers."""
    if type(number) is not int or number < least:
        raise UsageError(f"{argument}: expected a whole number of at least {least}, not {number!r}")
    return number


def one_of(name: object, known: Iterable[str], *, argument: str) -> str:
    """One of some known words."""
    known = tuple(known)
    if isinstance(name, str) and name in known:
        return name
    listed = ", ".join(known) or "nothing: there are none"
    question = nearest(name, known) if isinstance(name, str) else ""
    raise UsageError(f"{argument}: expected one of {listed}, not {name!r}{question}")


def language_of(language: object) -> str:
    """A language in which the library explains."""
    return one_of(language, PHRASES, argument="language")


def winning_of(winning: object) -> Winning:
    """Where winning stakes go: to the `hand`, or they stay on the `cloth`."""
    return Winning(one_of(winning, (each.value for each in Winning), argument="winning"))


def limits_of(limits: LimitsLike) -> Limits:
    """Limits from limits or plain data."""
    if limits is None:
        return NO_LIMITS
    if isinstance(limits, Limits):
        return limits
    if not has_type(limits, Mapping):
        expected = '{"straight": {"min": 1, "max": 100}}'
        raise UsageError(f"limits: expected Limits or a dict such as {expected}, not {limits!r}")
    return Limits.of({kind: _plain(given) for kind, given in limits.items()})


def _plain(given: object) -> object:
    return dict(given) if isinstance(given, Mapping) else given


def bets_of(book: Rulebook, bets: Bets, *, argument: str = "bets") -> tuple[Bet, ...]:
    """Bets from the notation, or as they are."""
    if isinstance(bets, str):
        return parse_bets(bets, rulebooks.words_of(book))
    if isinstance(bets, Bet):
        return (bets,)
    if isinstance(bets, Iterable):
        return tuple(_instance(bet, Bet, argument=argument) for bet in bets)
    raise UsageError(f"{argument}: expected bets such as '17:5 red:10', not {bets!r}")


def _instance(value: object, kind: type[_Named], *, argument: str) -> _Named:
    if isinstance(value, kind):
        return value
    raise UsageError(f"{argument}: expected {kind.__name__}, not {value!r}")


def layout_of(book: Rulebook, layout: Bets | Layout, *, chip: int) -> Layout:
    """The layout of one player."""
    if isinstance(layout, Layout):
        return layout
    whole(chip, argument="chip")
    return Layout(book, bets_of(book, layout, argument="layout"), chip)


def hands_of(book: Rulebook, text: str) -> tuple[Hand, ...]:
    """The hands of a text; `;` or `|` separates several."""
    parts = [part for part in re.split(r"[;|]", text) if part.strip()] or [text]
    words = rulebooks.words_of(book)
    return tuple(parse_hand(part.strip(), words) for part in parts)
