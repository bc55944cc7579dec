"""Compiled loops, kept on disk for the next process, whatever state the folder is in.

Numba keeps what it has compiled beside the module or in the user's cache folder. It fails where
neither can be written, and where a file of an older version of this package names a class that has
moved. Here a cache that cannot be read is a cache that is empty, and one that cannot be written is
none; the loop is then compiled again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache


class KernelCache(FunctionCache):
    """The compiled versions of one function on disk."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for these types, or None if it is not there or cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001 - a stale file may raise whatever its classes raise.
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps what was compiled; a file that cannot be read is written anew."""
        try:
            super().save_overload(sig, data)
        except Exception:  # noqa: BLE001
            with suppress(Exception):  # The folder may be full or closed: it is only a cache.
                self.flush()
                super().save_overload(sig, data)


def kept_njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compiles a function when it is first called, as `njit` does, and keeps it on disk."""

    def compiled(function: Callable[..., Any]) -> Any:
        made = njit(**options)(function)
        with suppress(RuntimeError):  # No folder can be written: nothing is kept.
            made._cache = KernelCache(function)  # noqa: SLF001 - where Numba itself puts it.
        return made

    return compiled
