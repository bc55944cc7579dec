"""`novamas play` in a real terminal: tmux draws what the command sends, in four sizes."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.program("tmux")
NOVAMAS = str(Path(sys.executable).with_name("novamas"))
TMUX = shutil.which("tmux") or "tmux"
PATIENCE = 60
"""Seconds after which a screen that was waited for is taken for missing."""


class Window:
    """A terminal of a given size in which a command runs."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            [TMUX, "-S", str(self._socket), "-f", "/dev/null", *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.stdout

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def until(self, *wanted: str) -> str:
        """The screen as soon as it shows all of this."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            shown = self.tmux("capture-pane", "-p")
            if all(text in shown for text in wanted):
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{wanted} did not come:\n{shown}")


@contextmanager
def window(folder: Path, width: int, height: int, command: str) -> Iterator[Window]:
    """Runs a command in a terminal of this size; it stays open when the command has ended."""
    opened = Window(folder / "tmux")
    size = ("-x", str(width), "-y", str(height))
    # Without these the size and the colours would be those of whoever runs the tests.
    kept = {"PATH", "PYTHONPATH", "HOME", "LANG", "PYTHONDONTWRITEBYTECODE"} & os.environ.keys()
    environment = [f"{name}={os.environ[name]}" for name in kept]
    clean = shlex.join(["env", "-i", *environment, "LC_ALL=C.UTF-8", "TERM=screen-256color"])
    opened.tmux("new-session", "-d", *size, f"{clean} {command}; echo left with $?; cat")
    try:
        yield opened
    finally:
        opened.tmux("kill-server")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "shown", "hidden"),
    [
        (60, 40, "│  ◆34  │  ◇35  │  ◆36  │", "límites"),
        (80, 24, "◆27 │◆30 │◇33 │◆36", "límites"),
        (120, 40, "límites", "│  ◆34  │  ◇35  │  ◆36  │"),
        (200, 60, "límites", "│  ◆34  │  ◇35  │  ◆36  │"),
    ],
)
def test_a_coup_is_played_in_a_terminal(
    tmp_path: Path, width: int, height: int, shown: str, hidden: str
) -> None:
    command = f"{NOVAMAS} play es --seed 5 --lang es"
    with window(tmp_path, width, height, command) as terminal:
        screen = terminal.until("España", shown, "[1·10]")
        assert hidden not in screen
        terminal.type("3", "Space")
        terminal.until("● 50", "en el paño 50")
        terminal.type("Enter", "x")
        screen = terminal.until("[16]", "> x")
        assert "Pierde 50." in screen
        terminal.type("C-c")
        screen = terminal.until("left with 0")
        assert "1 jugada (16)" in screen


@pytest.mark.slow
def test_a_new_size_is_drawn_anew(tmp_path: Path) -> None:
    with window(tmp_path, 80, 24, f"{NOVAMAS} play sd --fast") as terminal:
        terminal.until("│ 00 │", "FIRST COLUMN")
        terminal.tmux("resize-window", "-x", "60", "-y", "40")
        terminal.until("│      0       │      00      │")
        terminal.tmux("resize-window", "-x", "120", "-y", "40")
        assert "│      0       │" not in terminal.until("FIRST COLUMN", "limits")
        terminal.type("C-c")
        assert "0 coups" in terminal.until("left with 0")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        f"{NOVAMAS} play ar --plain",
        f"TERM=dumb {NOVAMAS} play ar",
        f"PYTHONIOENCODING=ascii {NOVAMAS} play ar",
    ],
)
def test_the_transcript_is_played_where_it_is_wanted(tmp_path: Path, command: str) -> None:
    with window(tmp_path, 80, 24, command) as terminal:
        terminal.until("1000 in hand, 0 on the cloth >")
        terminal.type("red:5", "0", "Enter")
        terminal.until("b1  colorado: 50")
        terminal.type("leave", "Enter")
        assert "You leave as you came." in terminal.until("left with 0")
