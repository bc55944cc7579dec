"""What the parsers of all commands have in common. Nothing heavy is imported here.

A metavar says what an argument stands for; shell completion uses it too.
"""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from typing import NoReturn, TypeAlias

    from _typeshed import SupportsWrite

    Commands: TypeAlias = _SubParsersAction["Parser"]

HOUSE = "HOUSE"
FILE = "FILE"
KEY = "KEY"
CALL = "CALL"
LANG = "LANG"
SYSTEM = "SYSTEM"
CHOICE = "CHOICE"
ARTICLE = "ARTICLE"
LANGUAGES = ("en", "es", "it", "fr", "bg")
"""The languages in which the commands about the game answer."""


class _Formatter(RawDescriptionHelpFormatter):
    """A help formatter that keeps examples as written and leaves room for argument names."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)
        # The longest command, indented; argparse does not count it.
        self._action_max_length = 14


class Parser(ArgumentParser):
    """A parser whose errors suggest what was meant, and name the command's help."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse itself ignores errors when it writes help.
        (sys.stderr if file is None else file).write(message)

    def error(self, message: str) -> NoReturn:
        """Exits with 2; says what is wrong, and what to do about it."""
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            from difflib import get_close_matches

            near = get_close_matches(wrong[1], re.findall(r"[\w-]+", wrong[2]), n=1)
            message += f"; did you mean {near[0]}?" if near else ""
        self.exit(2, f"{self.prog}: {message}\n  `{self.prog} --help` explains how to use it\n")


def add_command(commands: Commands, name: str, does: str, *examples: str) -> Parser:
    """Adds a command with the options that all commands have."""
    listed = "\n".join(f"  novamas {example}" for example in examples)
    command = commands.add_parser(
        name,
        help=does,
        description=f"{does[0].upper()}{does[1:]}.",
        epilog=f"examples:\n{listed}" if listed else None,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    command.add_argument(
        "--no-color", action="store_true", default=SUPPRESS, help="print without colours"
    )
    return command


def whole_parser(prog: str, description: str, epilog: str) -> Parser:
    """The parser above all commands."""
    return Parser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )


def add_json(command: Parser) -> None:
    """Adds `--json`, for a command that can answer a program."""
    command.add_argument(
        "--json", action="store_true", help="print the answer as JSON (see the page JSON answers)"
    )


def add_language(command: Parser, *, default: str | None = "en", otherwise: str = "en") -> None:
    """Adds `--lang`, for a command about the game."""
    command.add_argument(
        "--lang",
        metavar=LANG,
        choices=LANGUAGES,
        default=default,
        help=f"language of the answer: {', '.join(LANGUAGES)} ({otherwise})",
    )


def add_output(command: Parser) -> None:
    """Adds the options of an answer about the game: its language, and JSON."""
    add_language(command)
    add_json(command)
