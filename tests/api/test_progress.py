"""Progress bars: drawn now and then, in the terminal or in a notebook, and only if asked for."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import novamas as nv
from novamas.api.progress import ProgressBar, in_notebook, watched


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bar_shows_share_and_remaining_time_and_is_not_drawn_too_often() -> None:
    clock, stream = Clock(), io.StringIO()
    bar = ProgressBar(stream=stream, clock=clock)
    clock.now = 5.0
    bar.draw(0.25, "1 of 4 players")
    clock.now = 5.01
    bar.draw(0.5, "2 of 4 players")
    drawn = "\r\x1b[K██████░░░░░░░░░░░░░░░░░░  25 % 1 of 4 players, 5 s, 15 s left"
    assert stream.getvalue() == drawn
    clock.now = 20.0
    bar.draw(1.0, "4 of 4 players")
    bar.close()
    assert stream.getvalue().endswith("█ 100 % 4 of 4 players, 20 s\n")


def test_in_a_notebook_it_is_html_at_one_place() -> None:
    shown: list[str] = []
    bar = ProgressBar(show=shown.append, clock=Clock())
    bar.draw(0.5, "half")
    bar.close()
    assert shown[0].startswith('<progress max="1" value="0.5000"></progress>  50 % half')
    assert len(shown) == 2


def test_a_notebook_is_known_by_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert in_notebook() is None
    updated: list[Any] = []
    handle = SimpleNamespace(update=updated.append)
    display = SimpleNamespace(display=lambda _, **__: handle, HTML=str)
    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    show = in_notebook()
    assert show is not None
    show("half")
    assert updated == ["half"]


def test_what_is_watched_comes_out_as_it_went_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(watched(iter("abc"), 3, "letters")) == ["a", "b", "c"]
    assert "100 % 3 of 3 letters" in capsys.readouterr().err


@pytest.mark.parametrize("asked", [True, False])
def test_simulations_and_trials_draw_a_bar_only_where_asked(
    asked: bool,  # noqa: FBT001 - pytest passes it
    capsys: pytest.CaptureFixture[str],
) -> None:
    def nothing(_: nv.View) -> None:
        return None

    nv.simulate("ar", "red:10", coups=20, players=20, progress=asked)
    nv.trials("ar", nothing, bankroll=10, coups=2, players=2, progress=asked)
    seen = capsys.readouterr()
    assert ("% 400 coups" in seen.err) is asked
    assert ("% 2 of 2 players" in seen.err) is asked
    assert seen.out == ""
