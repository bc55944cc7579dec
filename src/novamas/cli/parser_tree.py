"""The commands and the arguments of a parser, which argparse itself does not list publicly."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P", bound=ArgumentParser)


class Leaf(NamedTuple, Generic[P]):
    """A command that has no commands of its own."""

    words: tuple[str, ...]
    """As it is typed after the program's name: `verify`, `log`."""
    does: str
    """Its line in the list of commands."""
    parser: P


def leaves(parser: P, words: tuple[str, ...] = ()) -> Iterator[Leaf[P]]:
    """Every command of a parser that has no commands of its own, in the order of the help."""
    for action in arguments(parser):
        if isinstance(action, _SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}  # noqa: SLF001 - argparse has no public way to list these.
            for name, inner in action.choices.items():
                path = (*words, name)
                yield from list(leaves(inner, path)) or [Leaf(path, helps.get(name, ""), inner)]


def arguments(parser: ArgumentParser) -> list[Action]:
    """The arguments and options of a command, in the order in which they were added."""
    return list(parser._actions)  # noqa: SLF001 - The same.
