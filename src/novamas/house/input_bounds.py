"""Input bounds: how large a number and how long a text may be that comes to the house.

A table knows no largest amount. A house does: what it writes down must fit its store, and no single
command shall fill it.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from novamas.game.chips import ForeignChips
from novamas.table.commands import Command

LARGEST = 10**12
"""The largest number that a command may name."""
LONGEST = 1_000
"""How many characters a text may have."""
TOLD = 200
"""How many characters of a sentence that tells what is wrong are kept, and sent."""


def shortened(text: str) -> str:
    """A sentence that quotes what somebody sent, as short as it is kept and sent back.

    >>> shortened("on: no spot '" + "1/" * 400)[-4:]
    '/1/…'
    """
    return text if len(text) <= TOLD else f"{text[: TOLD - 1]}…"


def out_of_bounds(command: Command) -> str | None:
    """What is too large in a command, in words; None if nothing is.

    >>> from novamas.table.commands import PlaceStake
    >>> out_of_bounds(PlaceStake(by="ana", id="b1", player="ana", on="17", amount=10**13))
    'amount: at most 1000000000000'
    """
    kind = type(command)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(command))
    for name in _NAMES[kind]:
        value = getattr(command, name)
        problem = None if value is None or value is True or value is False else _problem(value)
        if problem is not None:
            return f"{name}: {problem}"
    return None


_NAMES: dict[type[Command], tuple[str, ...]] = {}


def _problem(value: object) -> str | None:
    # What lies inside another is looked at in a list, for it may lie very deep.
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
