"""The base of all exceptions that the library raises.

A caller that catches `NovamasError` catches all of them. Most are also a `ValueError`, a
`LookupError` or an `ImportError`, as Python programs expect.
"""

from __future__ import annotations

from collections.abc import Iterable


class NovamasError(Exception):
    """The base class of all exceptions of the library.

    >>> import novamas as nv
    >>> try:
    ...     nv.settle("ar", 37, "ana 17:5")
    ... except nv.NovamasError as error:
    ...     print(error)
    pocket: expected a whole number from 0 to 36, not 37
    """


class UsageError(NovamasError, ValueError):
    """An argument has a wrong value: the message names the argument and says what is expected.

    >>> import novamas as nv
    >>> try:
    ...     nv.odds("ar", "red:10", chip=0)
    ... except nv.UsageError as error:
    ...     print(error)
    chip: expected a whole number of at least 1, not 0
    """


class MissingExtraError(NovamasError, ImportError):
    """This part of the library needs a package that is not installed; the message names the extra.

    >>> import novamas as nv
    >>> print(nv.MissingExtraError("simulate", "numpy", "maths"))
    simulate needs numpy: install novamas[maths]
    """

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: install novamas[{extra}]")


def has_type(value: object, *kinds: type) -> bool:
    """Whether a value is of one of some types; for arguments of callers that do not check types.

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
