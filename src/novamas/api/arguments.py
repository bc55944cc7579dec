"""Reads the arguments of the public API: houses, pockets, stakes, limits, amounts.

Each function returns the typed value, or raises an error that names the argument and says what is
expected.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from novamas import rulebooks
from novamas.game.arguments import instance, one_of, shown, whole
from novamas.game.errors import UsageError, has_type
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.notation import Bet, Hand, parse_bets, parse_hand
from novamas.game.rulebook.behaviours import Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket, Wheel
from novamas.odds.layout import Layout
from novamas.wording.phrases import PHRASES

House: TypeAlias = str | os.PathLike[str] | Rulebook
"""The id of a house, the path of a rulebook file, or a rulebook."""
Bets: TypeAlias = str | Bet | Iterable[Bet]
"""Bets in the notation, or as they were parsed."""
LimitsLike: TypeAlias = Limits | Mapping[str, Mapping[str, int]] | None
"""Limits, or plain data such as `{"straight": {"min": 1, "max": 100}}`."""


def book_of(house: House) -> Rulebook:
    """The rulebook that an argument names."""
    if isinstance(house, Rulebook):
        return house
    if not has_type(house, str, os.PathLike):
        expected = "the id of a house, the path of a rulebook file or a Rulebook"
        raise UsageError(f"house: expected {expected}, not {shown(house)}")
    name = os.fspath(house)
    if not isinstance(house, str) and not name.endswith(".toml"):
        raise UsageError(f"house: {name!r}: expected the path of a file that ends in .toml")
    return rulebooks.load_any(name)


def pocket_of(number: object, wheel: Wheel, *, argument: str = "pocket") -> Pocket:
    """A pocket of a wheel.

    Text is not read as a number: `"00"` is the label of a pocket, and `"0"` and `"17"` are none.
    """
    if isinstance(number, int | str) and number in wheel:
        return number
    problem = f"{argument}: expected {wheel.expected}, not {shown(number)}"
    if isinstance(number, str) and number.isdecimal() and number == str(int(number)):
        problem += f"; write {number} without quotes"
    raise UsageError(problem)


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
        raise UsageError(
            f"limits: expected Limits or a dict such as {expected}, not {shown(limits)}"
        )
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
        return tuple(instance(bet, Bet, argument=argument) for bet in bets)
    raise UsageError(f"{argument}: expected bets such as '17:5 red:10', not {shown(bets)}")


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
