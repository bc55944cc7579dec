"""A command of any kind, with something in each field that it must have."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any, get_type_hints

from novamas.game.wheel import Pocket
from novamas.house.table.commands import COMMANDS


def sample(command: str, *, player: str) -> dict[str, Any]:
    """The fields that a command must have, filled in somehow."""
    kind = COMMANDS[command]
    hints = get_type_hints(kind)
    told: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if field.name == "by" or field.default is not dataclasses.MISSING:
            continue
        hint = hints[field.name]
        if field.name == "player":
            told["player"] = player
        elif isinstance(hint, type) and issubclass(hint, Enum):
            told[field.name] = next(iter(hint)).value
        else:
            told[field.name] = {str: "x", int: 10, Pocket: 10, bool: True}.get(hint, {})
    return told
