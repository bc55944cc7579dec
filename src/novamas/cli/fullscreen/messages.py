"""What is said at the table: the lines that commands write, caught for the screen."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from novamas.cli.terminal import FULL, Terminal

_KEPT: Final = 400
"""How many lines are remembered."""
_OF_MISTAKE: Final = 10
"""How many lines at most are said of one mistake, on a narrow screen."""


class Messages:
    """The lines that were said, and the terminal that catches them."""

    def __init__(self, *, colour: bool) -> None:
        self.terminal = Terminal(io.StringIO(), colour=colour, columns=80, styles=FULL)
        self.log: list[str] = []
        self.notice = ""
        """The line that matters most now."""

    def captured(self, say: Callable[[], None], *, columns: int | None = None) -> list[str]:
        """The lines that something writes to the terminal, in so many columns."""
        terminal, out, wide = self.terminal, io.StringIO(), self.terminal.columns
        before, terminal.out = terminal.out, out
        terminal.columns = columns or wide
        try:
            say()
        finally:
            terminal.out, terminal.columns = before, wide
        return out.getvalue().rstrip("\n").split("\n") if out.getvalue() else []

    def say(self, text: str) -> None:
        """Says one line."""
        self.add([f"  {text}"])

    def run(self, act: Callable[[], None]) -> None:
        """Does something, and keeps what is said meanwhile."""
        self.add(self.captured(act))

    def add(self, lines: list[str], *, mistaken: bool = False) -> None:
        """Keeps some lines; the last matters most, or what was meant by a mistake in it."""
        self.log = [*self.log, *lines][-_KEPT:]
        said = [line.strip() for line in lines if line.strip(" ^")]
        if said:
            # One row has no room for all that was expected; the word that was meant says more.
            _, _, meant = said[-1].rpartition("; ")
            self.notice = meant if mistaken and meant.endswith("?") else said[-1]

    def mistake_at(self, text: str) -> int | None:
        """The place in a line at which the last messages put their mark, if they are about it."""
        said = self.log[-_OF_MISTAKE:]
        for line, mark in pairwise(said):
            if line.strip() == text and mark.strip() == "^":
                return mark.index("^") - line.index(text)
        return None
