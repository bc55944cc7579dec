"""Books that extend another: "like es, but …".

A book with `extends = "es"` has everything that the book of that house says, and what it says
itself takes its place, key by key. A list replaces a list. `without` names keys that it does not
take over. An article of the other book stays only where a datum still cites it.

A book cites an article of its own for every datum that it says itself. The `articles` of a section
replace those of the other book; only a citation that the section needs, for a datum that both books
share or for an occasion, is still the other book's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from novamas.game.errors import nearest
from novamas.game.rulebook.citations import REST
from novamas.game.rulebook.toml_section import OtherBook, RulebookError

KEYS = ("extends", "without")
"""The keys of a book that extends another."""
_OWN = ("id", "title", "language")
"""The keys that every book has of its own."""
_TEXTS = ("articles", "readings")
"""The tables of the articles themselves."""


class Extended(NamedTuple):
    """A book together with what it takes over."""

    table: Mapping[str, Any]
    origins: dict[str, str]
    """Each datum → the house whose book says it; empty for a book that extends none."""
    taken_over: frozenset[str]
    """The articles of the other books."""
    other: OtherBook
    """What the sections must know of the book that this one extends."""


class _Known:
    """The books that can be extended: their ids, and how to get their text."""

    ids: Collection[str] = ()
    text: Callable[[str], str]


def allow_extending(ids: Collection[str], text: Callable[[str], str]) -> None:
    """Says which books can be extended, and where their text is: this package reads no files."""
    _Known.ids, _Known.text = ids, staticmethod(text)


def extend(table: Mapping[str, Any], *, file: str) -> Extended:
    """A parsed book with all that it takes over from the book that it extends."""
    if "extends" not in table:
        without = table.get("without")
        if without is not None:
            raise RulebookError(file, "without", "expected only in a book that extends another")
        return Extended(table, {}, frozenset(), OtherBook())
    parent = table["extends"]
    if parent not in _Known.ids or parent == table.get("id"):
        known = ", ".join(_Known.ids)
        near = nearest(parent, _Known.ids) if isinstance(parent, str) else ""
        raise RulebookError(file, "extends", f"expected one of: {known}; found {parent!r}{near}")
    for key in _OWN:
        if key not in table:
            raise RulebookError(file, key, "missing; a book that extends another has its own")
    base = extend(tomllib.loads(_Known.text(parent)), file=f"{parent}.toml")
    origins = base.origins or dict.fromkeys(_data(base.table), parent)
    rest = _without(base.table, table.get("without", []), file=file)
    said = {key: value for key, value in table.items() if key not in KEYS}
    merged = _merged(rest, said)
    here = str(table["id"])
    own = frozenset(_data(said))
    found = {path: here if path in own else origins.get(path, parent) for path in _data(merged)}
    texts = {id for part in _TEXTS for id in rest.get(part, {})}
    mine = {id for part in _TEXTS for id in said.get(part, {})}
    cited = dict(_citations(base.table))
    for path, ids in base.other.cited.items():
        if REST not in cited.get(path, {}):
            cited[path] = {**ids, **cited.get(path, {})}
    says_why = {f"{path}.{key}" for path, ids in _citations(said) for key in ids}
    other = OtherBook(said=own, says_why=frozenset(says_why), cited=cited)
    return Extended(merged, found, frozenset(texts - mine), other)


def _data(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The data of a book as `section.key`, without its articles."""
    for key, value in table.items():
        if key in _TEXTS or (not path and key in KEYS):
            continue
        where = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _data(value, where)
        else:
            yield where


def _citations(
    table: Mapping[str, Any], path: str = ""
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each section's citations; a list stands for all that the section says."""
    cited = table.get("articles") if path else None
    if cited is not None:
        yield path, cited if isinstance(cited, dict) else {REST: cited}
    for key, value in table.items():
        if isinstance(value, dict) and key not in _TEXTS:
            yield from _citations(value, f"{path}.{key}" if path else key)


def _merged(
    base: Mapping[str, Any], said: Mapping[str, Any], *, top: bool = True
) -> dict[str, Any]:
    """`base` with what `said` says; at the top, `articles` holds texts and not citations."""
    found = dict(base)
    for key, value in said.items():
        before = found.get(key)
        whole = (key == "articles" and not top) or (top and key in _OWN)
        if isinstance(before, dict) and isinstance(value, dict) and not whole:
            # The text of an article is replaced as a whole.
            text = top and key in _TEXTS
            found[key] = {**before, **value} if text else _merged(before, value, top=False)
        else:
            found[key] = value
    return found


def _without(table: Mapping[str, Any], paths: object, *, file: str) -> dict[str, Any]:
    if not isinstance(paths, list) or not all(isinstance(each, str) for each in paths):
        raise RulebookError(file, "without", "expected a list of keys, such as ['zero.again']")
    found = _copy(table)
    for path in paths:
        *sections, key = path.split(".")
        part: Any = found
        for section in sections:
            part = part.get(section) if isinstance(part, dict) else None
        if not isinstance(part, dict) or key not in part:
            raise RulebookError(file, "without", f"the other book has no {path}")
        del part[key]
        cited = part.get("articles")
        if sections and isinstance(cited, dict):
            cited.pop(key, None)
    return found


def _copy(table: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copy(v) if isinstance(v, dict) else v for k, v in table.items()}
