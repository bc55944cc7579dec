"""The base of all exceptions that the library raises.

Whoever calls the library catches `NovamasError` and has them all. Most of them are a `ValueError`,
a `LookupError` or an `ImportError` besides, as Python programs expect.
"""

from __future__ import annotations

from collections.abc import Iterable


class NovamasError(Exception):
    """Something that the library cannot do, or was asked in a way that it does not understand.

    >>> import novamas as nv
    >>> try:
    ...     nv.settle("ar", 37, "ana 17:5")
    ... except nv.NovamasError as error:
    ...     print(error)
    pocket: expected a whole number from 0 to 36, not 37
    """


class UsageError(NovamasError, ValueError):
    """A value that cannot be used: the message names the argument and says what would be right.

    >>> import novamas as nv
    >>> try:
    ...     nv.odds("ar", "red:10", chip=0)
    ... except nv.UsageError as error:
    ...     print(error)
    chip: expected a whole number of at least 1, not 0
    """


class MissingExtraError(NovamasError, ImportError):
    """A package is not installed that this part of the library needs; it comes with an extra.

    >>> import novamas as nv
    >>> print(nv.MissingExtraError("simulate", "numpy", "maths"))
    simulate needs numpy: install novamas[maths]
    """

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: install novamas[{extra}]")


def has_type(value: object, *kinds: type) -> bool:
    """Whether a value is of one of some types, asked where the caller may not check types.

    >>> has_type("17", int), has_type(17, int, str)
    (False, True)
    """
    return isinstance(value, kinds)


def nearest(word: str, known: Iterable[str]) -> str:
    """A question that offers the known word nearest to a mistyped one; empty if none is near.

    >>> nearest("martingal", ["flat", "martingale"])
    "; did you mean 'martingale'?"
    """
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
