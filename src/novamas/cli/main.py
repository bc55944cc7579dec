"""The door of the command line: from what was typed to the module of the command.

Only the parser is imported at first. What a command needs is imported when it is given, so that
`novamas --help` answers at once.
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
"""What a shell expects of a command that Ctrl-C ended."""
NOT_WRITTEN = 74
"""What the system's own list calls an error of input or output; 1 is kept for an answer."""
NOBODY_READS = 141
"""What a shell shows of a command whose reader has gone."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line, and gives the code with which it ends.

    0 is well, 1 unsound or not done, 2 bad input; what breaks the output is neither of them.
    """
    try:
        code = _parsed_and_run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough; what is still unwritten must not be tried again at exit.
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
    except SystemExit as ended:  # Help and mistakes end here.
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
        # What was said so far comes before the complaint about the rest.
        sys.stdout.flush()
        _complain(problem.message, problem.hint)
        return problem.code
    return code


def _complain(message: str, hint: str = "") -> None:
    """Says on the standard error what is wrong, and what to do about it."""
    from novamas.cli.terminal import Terminal

    if sys.stderr is None:
        return
    terminal = Terminal.on(sys.stderr)
    start = terminal.paint("novamas:", "red")
    # A text with its mistake pointed at stands on lines of its own, so that the caret fits.
    terminal.say(f"{start} {message}" if "\n" not in message else f"{start}\n{message}")
    if hint:
        terminal.say(f"  {hint}")


def _let_go(stream: TextIO | None) -> None:
    """Sends what a broken stream still holds to nowhere."""
    if stream is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # A stream without a descriptor has nothing to flush at exit.
