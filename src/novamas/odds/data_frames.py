"""Columns of results: plain lists, and a data frame of Polars or pandas where one is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

KINDS: Final = ("polars", "pandas")


class FrameError(ImportError):
    """A data frame was asked for, and the package that makes it is not installed."""


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns of the same length.

    >>> Table({"net": [-1, 35], "probability": [36 / 37, 1 / 37]}).rows()[1]["net"]
    35
    """

    columns: Mapping[str, Sequence[Any]]

    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with the names of the columns."""
        names = list(self.columns)
        lines = zip(*self.columns.values(), strict=True)
        return [dict(zip(names, line, strict=True)) for line in lines]

    def as_frame(self, kind: str | None = None) -> Any:
        """A data frame of `polars` or `pandas`; of the first that is installed if none is named."""
        if kind is not None and kind not in KINDS:
            raise ValueError(f"{kind!r} makes no data frames: expected {' or '.join(KINDS)}")
        for name in KINDS if kind is None else (kind,):
            try:
                package = import_module(name)
            except ImportError:
                continue
            return package.DataFrame({key: list(column) for key, column in self.columns.items()})
        wanted = kind or " or ".join(KINDS)
        raise FrameError(f"data frames need {wanted}: install novamas[maths]")
