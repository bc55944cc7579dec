"""Validation: whether a command is well formed, checked before it is decided.

Commands come from scripts, consoles and sockets, and a field may hold anything. Amounts and numbers
are checked where they are used, because there the refusal has its own name.
"""

from __future__ import annotations

from dataclasses import fields
from types import NoneType
from typing import get_args, get_type_hints

from novamas.table.commands import Command
from novamas.table.refusals import RefusalReason, Refused

Kinds = tuple[tuple[str, tuple[type, ...]], ...]
"""Command → its fields, with the types that each may hold."""


def require_valid(command: Command) -> None:
    """Requires that every field holds a value of its type."""
    kind = type(command)
    if kind not in _KINDS:
        _KINDS[kind] = _kinds(kind)
    for name, kinds in _KINDS[kind]:
        if not isinstance(getattr(command, name), kinds):
            expected = " or ".join(_WORDS.get(each, each.__name__) for each in kinds)
            raise Refused(
                RefusalReason.COMMAND_NOT_UNDERSTOOD, detail=f"{name}: expected {expected}"
            )


_WORDS: dict[type, str] = {str: "a text", bool: "true or false", NoneType: "nothing"}

_KINDS: dict[type[Command], Kinds] = {}


def _kinds(command: type[Command]) -> Kinds:
    hints = get_type_hints(command)
    found = [
        (each.name, get_args(hints[each.name]) or (hints[each.name],)) for each in fields(command)
    ]
    return tuple((name, kinds) for name, kinds in found if not {int, object} & {*kinds})
