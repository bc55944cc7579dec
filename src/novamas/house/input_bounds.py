"""Input bounds: the largest numbers and the longest texts that the house accepts.

A table has no largest amount. A house does: everything must fit into its store, and no single
command may fill it.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from novamas.game.chips import ForeignChips
from novamas.table.commands import Command

LARGEST = 10**12
"""The largest number in a command."""
LONGEST = 1_000
"""The longest text in characters."""
LONGEST_DETAIL = 200
"""How many characters of an error message are stored and sent."""


def shortened(text: str) -> str:
    """Shortens a sentence that quotes input, to be stored and sent back.

    >>> shortened("on: no spot '" + "1/" * 400)[-4:]
    '/1/…'
    """
    return text if len(text) <= LONGEST_DETAIL else f"{text[: LONGEST_DETAIL - 1]}…"


def out_of_bounds(command: Command) -> str | None:
    """Says what is too large in a command; None if nothing is.

    >>> from novamas.table.commands import PlaceStake
    >>> out_of_bounds(PlaceStake(by="ana", id="b1", player="ana", on="17", amount=10**13))
    'amount: at most 1000000000000'
    """
    kind = type(command)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(command))
    for name in _NAMES[kind]:
        value = getattr(command, name)
        # Most values are short texts, small numbers, or nothing.
        plain = type(value)
        if value is None or plain is bool or (plain is str and len(value) <= LONGEST):
            continue
        if (plain is not int or not -LARGEST <= value <= LARGEST) and (problem := _problem(value)):
            return f"{name}: {problem}"
    return None


_NAMES: dict[type[Command], tuple[str, ...]] = {}


def _problem(value: object) -> str | None:
    # Nested values are visited with a list instead of recursion, because they may be very deep.
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str):
            if len(each) > LONGEST:
                return f"at most {LONGEST} characters"
        elif isinstance(each, int):
            if abs(each) > LARGEST:
                return f"at most {LARGEST}"
        elif isinstance(each, dict):
            left += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            left += each
        elif isinstance(each, ForeignChips):
            left += [each.number, each.table, each.opening_minimum, each.value, each.worth]
        elif is_dataclass(each):
            left += [getattr(each, inner.name) for inner in fields(each)]
    return None
