"""Checks arguments of public functions: whole numbers, words, shares, switches, types.

Each function returns the value, or raises a `UsageError` that names the argument and says what is
expected. Callers may not check types, so nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, TypeVar

from novamas.game.errors import UsageError, has_type, nearest

_Value = TypeVar("_Value")


def whole(number: object, *, argument: str, least: int | None = 1, most: int | None = None) -> int:
    """A whole number from `least` to `most`; True and 2.0 are not whole numbers."""
    if (
        type(number) is int
        and (least is None or number >= least)
        and (most is None or number <= most)
    ):
        return number
    bounds = "" if least is None else f" of at least {least}"
    if most is not None and type(number) is int and number > most:
        bounds = f" of at most {most}"
    raise UsageError(f"{argument}: expected a whole number{bounds}, not {shown(number)}")


def whole_or_none(
    number: object, *, argument: str, least: int = 1, most: int | None = None
) -> int | None:
    """A whole number, or None where the argument is not given."""
    return None if number is None else whole(number, argument=argument, least=least, most=most)


def one_of(name: object, known: Iterable[str], *, argument: str) -> str:
    """One of some known words."""
    known = tuple(known)
    if isinstance(name, str) and name in known:
        return name
    listed = ", ".join(known) or "nothing: there are none"
    question = nearest(name, known) if isinstance(name, str) else ""
    raise UsageError(f"{argument}: expected one of {listed}, not {shown(name)}{question}")


def instance(value: object, kind: type[_Value], *, argument: str) -> _Value:
    """A value of a type."""
    if isinstance(value, kind):
        return value
    raise UsageError(f"{argument}: expected {kind.__name__}, not {shown(value)}")


def switch(value: object, *, argument: str) -> bool:
    """True or False; 1 and "no" are neither."""
    if isinstance(value, bool):
        return value
    raise UsageError(f"{argument}: expected True or False, not {shown(value)}")


def listed(values: Any, *, argument: str, of: str, most: int) -> Sequence[Any]:
    """A sequence whose length is known before its items are read; a text is none."""
    is_array = callable(getattr(values, "tolist", None)) and getattr(values, "ndim", 0) == 1
    if is_array or (has_type(values, Sequence) and not has_type(values, str, bytes, bytearray)):
        if len(values) > most:
            raise UsageError(f"{argument}: at most {most} {of}, not {len(values)}")
        found: Sequence[Any] = values.tolist() if is_array else values
        return found
    raise UsageError(f"{argument}: expected a list of {of}, not {shown(values)}")


def items(values: Any, *, argument: str, of: str) -> Iterable[Any]:
    """Something that can be gone through; a text is nothing of the kind."""
    if has_type(values, Iterable) and not has_type(values, str, bytes, bytearray):
        found: Iterable[Any] = values
        return found
    raise UsageError(f"{argument}: expected {of}, not {shown(values)}")


def share(value: object, *, argument: str) -> Fraction:
    """A share from 0 to 1, exactly as it is written: 0.07 is seven hundredths.

    >>> share(0.07, argument="share")
    Fraction(7, 100)
    """
    found = None
    if isinstance(value, Fraction) or type(value) is int:
        found = Fraction(value)
    elif isinstance(value, float) and 0 <= value <= 1:
        found = Fraction(float.__repr__(value))
    if found is None or not 0 <= found <= 1:
        raise UsageError(f"{argument}: expected a share from 0 to 1, not {shown(value)}")
    return found


def place_of(value: object, count: int, *, argument: str) -> int:
    """The place, among `count` values in order, of the least that a share of them does not exceed.

    >>> place_of(0.07, 100, argument="shares"), place_of(0, 100, argument="shares")
    (6, 0)
    """
    return max(0, ceil(share(value, argument=argument) * count) - 1)


def seconds(value: object, *, argument: str) -> float:
    """A time of more than nothing, in seconds."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < LONGEST_WAIT:
        return float(value)
    told = f"expected seconds, more than 0 and less than {LONGEST_WAIT:,}"
    raise UsageError(f"{argument}: {told}, not {shown(value)}")


def function(value: object, *, argument: str) -> Callable[..., Any]:
    """Something that can be called."""
    if callable(value):
        return value
    raise UsageError(f"{argument}: expected a function, not {shown(value)}")


LONGEST_WAIT = 1_000_000
"""A wait is shorter than this many seconds."""
LONGEST = 80
"""How many characters of a wrong value a message shows."""


def shown(value: object) -> str:
    """A wrong value as a message shows it: short, and whatever its own `repr` does."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - it is anybody's object.
        text = f"an object of {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
