"""What the command says when it cannot go on, and the code with which it then ends."""

from __future__ import annotations


class CommandError(Exception):
    """A message for the person at the terminal; never a traceback."""

    code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        """What to do about it."""
        super().__init__(message)


class InputError(CommandError):
    """What was asked for cannot be understood, or no house has it."""

    code = 2


class OutputError(CommandError):
    """What was asked for is there, but cannot be written."""

    code = 1
