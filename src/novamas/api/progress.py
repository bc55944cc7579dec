"""A progress bar in the terminal or in a notebook, for what takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Final, TextIO, TypeVar

WIDTH: Final = 24
Thing = TypeVar("Thing")
OFTEN: Final = 0.1
"""Seconds between two drawings."""


class ProgressBar:
    """A progress bar; `close` draws its last state and leaves it on the screen."""

    def __init__(
        self,
        *,
        stream: TextIO | None = None,
        show: Callable[[str], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._show = show if show is not None or stream is not None else in_notebook()
        self._clock = clock
        self._began = clock()
        self._drawn = float("-inf")
        self._last = (0.0, "")

    def draw(self, done: float, text: str) -> None:
        """Draws a share from 0 to 1 and a few words, unless it has just been drawn."""
        self._last = (done, text)
        now = self._clock()
        if now - self._drawn >= OFTEN:
            self._drawn = now
            self._write(done, text)

    def close(self) -> None:
        """Draws the last state."""
        self._write(*self._last)
        if self._show is None:
            self._stream.write("\n")
            self._stream.flush()

    def _write(self, done: float, text: str) -> None:
        share = min(1.0, max(0.0, done))
        passed = self._clock() - self._began
        left = f", {passed * (1 - share) / share:.0f} s left" if 0 < share < 1 else ""
        words = f"{100 * share:3.0f} % {text}, {passed:.0f} s{left}"
        if self._show is not None:
            self._show(f'<progress max="1" value="{share:.4f}"></progress> {words}')
            return
        full = round(share * WIDTH)
        # The line is cleared first: the one before may have been longer.
        self._stream.write(f"\r\x1b[K{'█' * full}{'░' * (WIDTH - full)} {words}")
        self._stream.flush()


def watched(things: Iterable[Thing], count: int, what: str) -> Iterator[Thing]:
    """The things of an iterator, with a bar that shows how many are done."""
    bar = ProgressBar()
    for done, thing in enumerate(things, 1):
        yield thing
        bar.draw(done / count, f"{done:,} of {count:,} {what}")
    bar.close()


def in_notebook() -> Callable[[str], object] | None:
    """What shows HTML in the notebook that runs this, always at the same place; else None."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "kernel"):
        return None
    shown: Any = import_module("IPython.display")
    handle = shown.display(shown.HTML(""), display_id=True)
    return lambda html: handle.update(shown.HTML(html))
