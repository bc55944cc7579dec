"""The entry point of the command line: parses the arguments and runs the command's module.

Only the parser is imported at first. The module of a command is imported when the command runs, so
that `novamas --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace

from novamas.cli.parser import build_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

LEFT_BY_INTERRUPT = 130
"""The exit code of a command that Ctrl-C ended, as shells expect it."""
NOT_WRITTEN = 74
"""The exit code for an input or output error (`EX_IOERR`); 1 is reserved for an answer."""
NOBODY_READS = 141
"""The exit code of a command whose output pipe was closed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line, and returns its exit code.

    0 is success, 1 is unsound or refused, 2 is bad input; output errors have other codes.
    """
    try:
        code = _parsed_and_run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; Python must not try to flush the rest again at exit.
        _let_go(sys.stdout)
        return NOBODY_READS
    except OSError as problem:
        _let_go(sys.stdout)
        _complain(f"cannot write: {problem.strerror or problem}")
        return NOT_WRITTEN
    except KeyboardInterrupt:
        return LEFT_BY_INTERRUPT
    return code


def _parsed_and_run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as ended:  # Help and usage errors end here.
        return ended.code if isinstance(ended.code, int) else 2
    if args.command is None:
        parser.print_help()
        return 0
    return _run(args)


def _run(args: Namespace) -> int:
    from importlib import import_module

    from novamas.cli.errors import CommandError
    from novamas.cli.terminal import Terminal

    if sys.stdout is None:
        _complain("there is no output to write to")
        return NOT_WRITTEN
    terminal = Terminal.on(sys.stdout, colour=False if args.no_color else None)
    try:
        code: int = import_module(f"novamas.cli.commands.{args.command}").run(args, terminal)
    except CommandError as problem:
        # Output so far comes before the error message.
        sys.stdout.flush()
        _complain(problem.message, problem.hint)
        return problem.code
    return code


def _complain(message: str, hint: str = "") -> None:
    """Writes to standard error what is wrong, and what to do about it."""
    from novamas.cli.terminal import Terminal

    if sys.stderr is None:
        return
    terminal = Terminal.on(sys.stderr)
    start = terminal.paint("novamas:", "red")
    # A text with a caret under its mistake has its own lines, so that the caret fits.
    terminal.say(f"{start} {message}" if "\n" not in message else f"{start}\n{message}")
    if hint:
        terminal.say(f"  {hint}")


def _let_go(stream: TextIO | None) -> None:
    """Discards what a broken stream still holds."""
    if stream is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # A stream without a descriptor has nothing to flush at exit.
