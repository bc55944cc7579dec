"""A page that covers the cloth while it is read, such as the list of the commands."""

from __future__ import annotations

from typing import Final

from novamas.cli.fullscreen.messages import Messages
from novamas.cli.typed_commands import TypedCommands

KEYS: Final = (
    ("←↑→↓", "screen_arrows"),
    ("1 … 6", "screen_chips"),
    ("Space Delete", "screen_space"),
    ("u Backspace", "screen_back"),
    ("Enter", "screen_enter"),
    ("F2 F3 F5 F6", "screen_f"),
    ("abc…", "screen_type"),
)
"""The keys of the full screen, each with the key of its explanation."""


class Page:
    """Lines of text, and how far they are scrolled."""

    def __init__(self, lines: list[str], rows: int) -> None:
        self.lines = lines
        self.rows = rows
        self.top = 0

    def scrolled(self, key: str) -> bool:
        """Scrolls by a key; False if the key does something else."""
        far = max(0, len(self.lines) - self.rows)
        steps = {
            "up": -1,
            "down": 1,
            "pageup": 1 - self.rows,
            "pagedown": self.rows - 1,
            "home": -far,
            "end": far,
        }
        if key not in steps:
            return False
        self.top = max(0, min(self.top + steps[key], far))
        return True

    @property
    def shown(self) -> list[str]:
        """The lines that stand on the screen now."""
        return self.lines[self.top : self.top + self.rows]


def keys_page(messages: Messages, typed: TypedCommands) -> list[str]:
    """The keys of the full screen, and then the commands."""
    said = typed.side.said
    named = {"Space": said("key_space"), "Enter": said("key_enter")}
    rows = [
        ("  ".join(named.get(key, key) for key in keys.split()), said(name)) for keys, name in KEYS
    ]

    def say() -> None:
        messages.terminal.table(rows, "ll", indent="  ")
        messages.terminal.say()
        typed.help([])

    return messages.captured(say)
