"""Rulebooks of other distributions, found through the entry points `novamas.rulebooks`.

The name of an entry point is the id of its book. Its value names a file in a package,
`"my_houses:paris.toml"`, or an object, `"my_houses:paris"`: a path or another resource to read, the
TOML text itself, or a function that returns one of these. A book is read on request, so a broken
one does not affect the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING

from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import read_rulebook
from novamas.game.rulebook.toml_section import RulebookError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "novamas.rulebooks"


def found() -> dict[str, list[EntryPoint]]:
    """The entry points of installed distributions by the id of the book."""
    # Importing this takes longer than reading all books of the package.
    from importlib.metadata import entry_points

    by_id: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        by_id.setdefault(entry.name, []).append(entry)
    return by_id


def read_plugin(id: str, entries: Sequence[EntryPoint]) -> Rulebook:
    """Reads the book of an entry point; an error names the distribution it comes from."""
    if len(entries) > 1:
        givers = " and ".join(sorted(_giver(entry) for entry in entries))
        raise RulebookError(id, "", f"{givers} each bring a rulebook with this id; keep one")
    (entry,) = entries
    file = f"{id} (from {_giver(entry)})"
    book = read_rulebook(_text(entry, file=file), file=file)
    if book.id != id:
        problem = f"expected {id!r}, as its entry point is called, found {book.id!r}"
        raise RulebookError(file, "id", problem)
    return book


def _text(entry: EntryPoint, *, file: str) -> str:
    package, _, name = entry.value.partition(":")
    try:
        if name.strip().endswith(".toml"):
            resource = resources.files(package.strip()).joinpath(name.strip())
            return resource.read_text(encoding="utf-8")
        given = entry.load()
        given = given() if callable(given) else given
        text = given if isinstance(given, str) else given.read_text(encoding="utf-8")
    except (Exception, SystemExit) as problem:
        what = f"{type(problem).__name__}: {problem}"
        raise RulebookError(file, "", f"{entry.value} cannot be read: {what}") from problem
    if not isinstance(text, str):
        gives = f"{entry.value} gives {type(text).__name__}, expected TOML text or a resource"
        raise RulebookError(file, "", gives)
    return text


def _giver(entry: EntryPoint) -> str:
    return "an unnamed distribution" if entry.dist is None else str(entry.dist.name)
