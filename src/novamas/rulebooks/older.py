"""Reads a rulebook from a log, which an older version may have written.

A log must stay readable as long as it is kept, but a book of an older version may lack keys that
books must have today. Such a book cites nothing where it had no citation, and keeps its behaviour.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from novamas.game.rulebook.behaviours import CHIP_ACTS
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import ODD_UNIT, read_rulebook, read_tables
from novamas.game.rulebook.toml_section import RulebookError

MOST = 1_000
"""The most citations that are repaired; no book has so many."""
_ODD_UNIT_TEXT = "Where a half does not come out even, the odd unit is the player's."
_CITATION = re.compile(r"\[(?P<path>[^\]]+)\] articles\.(?P<key>.+)")


def read_kept_rulebook(text: str, *, file: str) -> Rulebook:
    """Reads a rulebook from the text in a log; `file` is only its name in error messages.

    Raises the error of today's reader if its age does not explain the mistake.
    """
    try:
        return read_rulebook(text, file=file)
    except RulebookError:
        older = _read_older(text, file=file)
        if older is None:
            raise
        return older


def _read_older(text: str, *, file: str) -> Rulebook | None:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    _fill_in(table)
    for _ in range(MOST):
        try:
            return read_tables(table, file=file)
        except RulebookError as mistake:
            if not _mend(table, mistake):
                return None
    return None


def _fill_in(table: dict[str, Any]) -> None:
    """Adds the choices that version 0.1.0 made by default."""
    reduction = table.get("reduction")
    if isinstance(reduction, dict):
        # Winners on the cloth stayed as they had been laid.
        reduction.setdefault("stays_reduced", False)
    limits = table.get("limits")
    if isinstance(limits, dict) and "change_while_open" in limits:
        # Limits could only stay, or change while the table was open.
        limits["change"] = "while_open" if limits.pop("change_while_open") else "never"
        cited = limits.get("articles")
        if isinstance(cited, dict) and "change_while_open" in cited:
            cited["change"] = cited.pop("change_while_open")
    _fill_in_odd_unit(table)
    posts = table.get("posts")
    for post in posts.values() if isinstance(posts, dict) else ():
        # A post that touches no chips could still correct stakes.
        if isinstance(post, dict) and CHIP_ACTS & {*post.get("may", ())}:
            post.pop("touches_chips", None)
            cited = post.get("articles")
            if isinstance(cited, dict):
                cited.pop("touches_chips", None)


def _fill_in_odd_unit(table: dict[str, Any]) -> None:
    """Adds the reading on odd units: the table has always given them to the player."""
    readings, settled = table.setdefault("readings", {}), table.setdefault("settled", {})
    if isinstance(readings, dict):
        language = str(table.get("language", "en"))
        readings.setdefault(ODD_UNIT, {"en": _ODD_UNIT_TEXT, language: _ODD_UNIT_TEXT})
    cited = settled.setdefault("articles", {}) if isinstance(settled, dict) else None
    if isinstance(cited, dict):
        cited.setdefault("rounded", [ODD_UNIT])


def _mend(table: dict[str, Any], mistake: RulebookError) -> bool:
    """Adds a missing citation as empty, or removes an unknown one; returns whether it did."""
    found = _CITATION.fullmatch(mistake.key)
    if found is None:
        return False
    section: Any = table
    for name in found["path"].split("."):
        section = section.get(name) if isinstance(section, dict) else None
    if not isinstance(section, dict):
        return False
    cited, key = section.setdefault("articles", {}), found["key"]
    if not isinstance(cited, dict):
        return False
    if mistake.problem.startswith("missing") and key not in cited:
        cited[key] = []
        return True
    return mistake.problem.startswith("unknown") and cited.pop(key, None) is not None
