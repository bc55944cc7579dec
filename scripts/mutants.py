"""Altered rulebooks: each datum of a book, the articles that govern it, the ways to falsify it.

Nothing here runs a test; `scripts.mutate_rulebooks` does.
"""

import copy
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.ledger import Table

NOT_RULES = frozenset({"id", "language", "title", "extends", "without", "articles", "readings"})
"""The keys of a book that are not rules: its identity, the book it extends, and its articles."""

Key = str | int
Value = Any


@dataclass(frozen=True)
class Datum:
    """One fact of a book: its key, its value, and the articles behind it."""

    house: str
    path: tuple[Key, ...]
    value: Value
    articles: tuple[str, ...]

    @property
    def key(self) -> str:
        """Its dotted key in TOML."""
        return ".".join(str(step) for step in self.path)


@dataclass(frozen=True)
class Mutant:
    """A datum with another value in its place."""

    datum: Datum
    value: Value
    only_reordered: bool = False

    def __str__(self) -> str:
        was, now = (json.dumps(v, ensure_ascii=False) for v in (self.datum.value, self.value))
        return f"{self.datum.house}.toml  {self.datum.key}: {was} → {now}"

    def text(self, book: Table) -> str:
        """The whole book with this one datum altered."""
        altered = copy.deepcopy(book)
        place: Any = altered
        for step in self.datum.path[:-1]:
            place = place[step]
        place[self.datum.path[-1]] = self.value
        return dumps(altered)


def dumps(book: Table) -> str:
    r"""A book as TOML text; only programs read it, so each table at the top is one line.

    >>> dumps({"zero": {"simple": "lose", "last": False, "order": [["a"], [1, 2]]}})
    '"zero" = {"simple" = "lose", "last" = false, "order" = [["a"], [1, 2]]}\n'
    """
    return "".join(f"{_quoted(key)} = {_written(value)}\n" for key, value in book.items())


def _written(value: Value) -> str:
    if isinstance(value, dict):
        pairs = (f"{_quoted(key)} = {_written(inner)}" for key, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(inner) for inner in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    raise TypeError(f"a rulebook holds no {type(value).__name__}: {value!r}")


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, except for the one character that TOML requires to be escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def data(house: str, book: Table) -> Iterator[Datum]:
    """Every datum of a book, with the articles that govern it.

    >>> book = {"zero": {"simple": "lose", "articles": {"simple": ["AR-12"]}}}
    >>> [(datum.key, datum.articles) for datum in data("ar", book)]
    [('zero.simple', ('AR-12',))]
    """
    for key, value in book.items():
        if key not in NOT_RULES:
            for path, leaf in _leaves((key,), value):
                yield Datum(house, path, leaf, governing(book, path))


def _leaves(path: tuple[Key, ...], value: Value) -> Iterator[tuple[tuple[Key, ...], Value]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "articles":
                yield from _leaves((*path, key), inner)
    elif isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
        for index, inner in enumerate(value):
            yield from _leaves((*path, index), inner)
    else:
        yield path, value


def governing(book: Table, path: tuple[Key, ...]) -> tuple[str, ...]:
    """The articles behind a datum, from the nearest table around it that has `articles`.

    They are a list for all its data, or a table: by the key of the datum, or of the table within
    which the datum lies, or `*` for the rest.
    """
    tables: list[Any] = [book]
    for step in path[:-1]:
        tables.append(tables[-1][step])
    # At the top of a book `articles` is the articles themselves.
    for depth in range(len(tables) - 1, 0, -1):
        found = tables[depth].get("articles") if isinstance(tables[depth], dict) else None
        if isinstance(found, list):
            return tuple(found)
        if isinstance(found, dict):
            for key in (*reversed(path[depth:]), "*"):
                if key in found:
                    return tuple(found[key])
            return ()
    return ()


def mutants(datum: Datum, choices: Sequence[Collection[str]]) -> Iterator[Mutant]:
    """The ways to falsify a datum; `choices` are the closed sets of words that the engine knows."""
    if isinstance(datum.value, list):
        yield from _of_list(datum, choices)
    else:
        for value in _of_scalar(datum.value, choices):
            yield Mutant(datum, value)


def _of_scalar(value: Value, choices: Sequence[Collection[str]]) -> list[Value]:
    """Other values of the same type.

    >>> _of_scalar(True, []), _of_scalar(0, []), _of_scalar(35, []), _of_scalar("pleno", [])
    ([False], [1], [36, 34], ['plfno'])
    >>> _of_scalar("lose", [["lose", "choice", "partage"]])
    ['choice', 'partage']
    """
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1] if value > 0 else [value + 1]
    if isinstance(value, str):
        words = dict.fromkeys(word for words in choices if value in words for word in words)
        return [word for word in words if word != value] or [_misspelt(value)]
    raise TypeError(f"a rulebook holds no {type(value).__name__}: {value!r}")


def _misspelt(text: str) -> str:
    """The text with a letter in its middle changed for the next, or with a letter added."""
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    if not places:
        return text + "x"
    at = places[len(places) // 2]
    letter = "a" if text[at] in "zZ9" else chr(ord(text[at]) + 1)
    return text[:at] + letter + text[at + 1 :]


def _of_list(datum: Datum, choices: Sequence[Collection[str]]) -> Iterator[Mutant]:
    """Each element dropped in turn, or altered; the first two swapped; the same in inner lists.

    An empty list gets an element: a word of each closed set, because the reader decides which fits.
    """
    if not datum.value:
        for words in (*choices, ["x"]):
            yield Mutant(datum, [next(iter(words))])
    for value, only_reordered in _lists(datum.value, choices):
        yield Mutant(datum, value, only_reordered)


def _lists(
    value: list[Value], choices: Sequence[Collection[str]]
) -> Iterator[tuple[list[Value], bool]]:
    for at, element in enumerate(value):
        before, after = value[:at], value[at + 1 :]
        yield [*before, *after], False
        if isinstance(element, list):
            for inner, only_reordered in _lists(element, choices):
                yield [*before, inner, *after], only_reordered
        else:
            other = next((o for o in _of_scalar(element, choices) if o not in value), None)
            if other is not None:
                yield [*before, other, *after], False
    if len(value) > 1 and value[0] != value[1]:
        yield [value[1], value[0], *value[2:]], True
