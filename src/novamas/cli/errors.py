"""Errors of the command line, each with its exit code."""

from __future__ import annotations


class CommandError(Exception):
    """A message for the person at the terminal; never a traceback."""

    code = 2

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        """A hint that says what to do."""
        super().__init__(message)


class InputError(CommandError):
    """The input cannot be understood, or no house has what it names."""

    code = 2


class OutputError(CommandError):
    """The output cannot be written."""

    code = 1
