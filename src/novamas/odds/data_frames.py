"""Columns of results: plain lists, and a data frame of Polars or pandas on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from itertools import islice
from typing import Any, Final

from novamas.game.arguments import shown
from novamas.game.errors import NovamasError, UsageError, has_type

KINDS: Final = ("polars", "pandas")
EXTRAS: Final = {None: "maths", "polars": "maths", "pandas": "notebook"}
"""The kind of data frame → the extra that installs what makes it."""


MOST_ROWS: Final = 100
"""How many rows are shown in a notebook."""


class FrameError(NovamasError, ImportError):
    """The package for the requested data frame is not installed."""


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Named columns of the same length.

    >>> table = Table({"net": [-1, 35], "probability": [36 / 37, 1 / 37]})
    >>> table.rows()[1]["net"], table
    (35, <Table of 2 rows: net, probability>)
    """

    columns: Mapping[str, Sequence[Any]]

    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with the names of the columns."""
        names = list(self.columns)
        lines = zip(*self.columns.values(), strict=True)
        return [dict(zip(names, line, strict=True)) for line in lines]

    def __len__(self) -> int:
        return max(map(len, self.columns.values()), default=0)

    def __repr__(self) -> str:
        rows = len(self)
        return f"<Table of {rows} row{'' if rows == 1 else 's'}: {', '.join(self.columns)}>"

    def html(self, caption: str = "") -> str:
        """The first rows of the table in HTML; every text is escaped."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        shown = islice(zip(*self.columns.values(), strict=True), MOST_ROWS)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>"
            for row in shown
        )
        left = len(self) - MOST_ROWS
        rest = f"<tr><td>… and {left:,} more rows</td></tr>" if left > 0 else ""
        title = f"<caption>{escape(caption)}</caption>" if caption else ""
        return f"<table>{title}<tr>{head}</tr>{body}{rest}</table>"

    def _repr_html_(self) -> str:
        return self.html()

    def as_frame(self, kind: str | None = None) -> Any:
        """A data frame of `polars` or `pandas`; by default of the first that is installed."""
        if kind is not None and (not has_type(kind, str) or kind not in KINDS):
            expected = f"expected {' or '.join(KINDS)}"
            raise UsageError(f"kind: {shown(kind)} makes no data frames: {expected}")
        for name in KINDS if kind is None else (kind,):
            try:
                package = import_module(name)
            except ImportError:
                continue
            return package.DataFrame(self._plain())
        wanted = kind or " or ".join(KINDS)
        raise FrameError(f"data frames need {wanted}: install novamas[{EXTRAS[kind]}]")

    def _plain(self) -> dict[str, list[Any]]:
        """The columns for a data frame: pockets are texts where one of them is, such as `00`."""
        found: dict[str, list[Any]] = {}
        for key, column in self.columns.items():
            mixed = {type(each) for each in column} >= {int, str}
            found[key] = [str(each) for each in column] if mixed else list(column)
        return found

    def as_arrow(self) -> Any:
        """A table of Arrow."""
        try:
            arrow = import_module("pyarrow")
        except ImportError:
            raise FrameError("Arrow needs pyarrow: install novamas[notebook]") from None
        return arrow.table(self._plain())


class Framed:
    """A result with rows, which other tools may take over."""

    __slots__ = ()

    def columns(self) -> Table:
        """The rows as columns."""
        raise NotImplementedError

    def frame(self, kind: str | None = None) -> Any:
        """The rows as a data frame of `polars` or `pandas`, whichever is installed."""
        return self.columns().as_frame(kind)

    def to_polars(self) -> Any:
        """The rows as a data frame of Polars."""
        return self.columns().as_frame("polars")

    def to_pandas(self) -> Any:
        """The rows as a data frame of pandas."""
        return self.columns().as_frame("pandas")

    def to_arrow(self) -> Any:
        """The rows as a table of Arrow."""
        return self.columns().as_arrow()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
