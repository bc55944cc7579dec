"""Sections of a rulebook's TOML: each key is read once, with its type, and none is left over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from novamas.game.errors import NovamasError
from novamas.game.rulebook.citations import REST, Citations, Ids, citations

_Cites = TypeVar("_Cites", bound=Citations)
_Choice = TypeVar("_Choice", bound=StrEnum)


class RulebookError(NovamasError, ValueError):
    """A rulebook that cannot be used: which book, which key, and what is allowed there.

    >>> import novamas as nv
    >>> try:
    ...     nv.Rulebook.from_toml("language = 3")
    ... except nv.RulebookError as error:
    ...     print(error)
    rulebook: language: expected a text, found 3
    """

    def __init__(self, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        super().__init__(f"{file}: {key}: {problem}" if key else f"{file}: {problem}")


class OtherBook(NamedTuple):
    """What a book that extends another says itself, and what the other book cites."""

    said: frozenset[str] = frozenset()
    """The data that the book says itself, as `section.key`."""
    says_why: frozenset[str] = frozenset()
    """The citation keys that it has itself, as `section.key`."""
    cited: Mapping[str, Mapping[str, object]] = {}
    """Section → citation key → the articles that the other book cites there."""


class Section:
    """A table of the book: each key is read once, with its type, and none may be left over.

    Its key `articles` holds citations. `citing` reads them against the closed set of citation keys
    that the section has: the keys of its data, and the other occasions on which it is cited.
    """

    def __init__(
        self,
        file: str,
        path: str,
        table: Mapping[str, Any],
        *,
        inherited: Mapping[str, tuple[str, ...]] | None = None,
        citations: list[tuple[str, str]] | None = None,
        other: OtherBook | None = None,
    ) -> None:
        self.file = file
        self.path = path
        self._other = other or OtherBook()
        self.citations = [] if citations is None else citations
        """Every id that the whole book cites, with the place of the citation."""
        self._left = dict(table)
        self._there = frozenset(table)
        self._asked: set[str] = set()
        self._inner: dict[str, Section] = {}
        # At the top level `articles` holds the articles themselves, not a citation.
        given = self._left.pop("articles", None) if path else None
        self.own_cites = {} if given is None else self._read_citations(given)
        self._cited = dict(inherited or {}) if given is None else self.own_cites
        self._is_citing = False

    def _read_citations(self, given: object) -> dict[str, tuple[str, ...]]:
        if isinstance(given, list):
            return {REST: self._ids("articles", given)}
        if isinstance(given, dict):
            return {key: self._ids(f"articles.{key}", ids) for key, ids in given.items()}
        raise self.error("articles", "expected a list of article ids, or a table of such lists")

    def _ids(self, key: str, ids: object) -> tuple[str, ...]:
        if isinstance(ids, list) and all(isinstance(each, str) for each in ids):
            self.citations.extend((self._where(key), each) for each in ids)
            return tuple(ids)
        raise self.error(key, "expected a list of article ids")

    def cites(self, key: str) -> bool:
        """Whether the book cites something under just this key."""
        return key in self.own_cites

    def citing(
        self,
        kind: type[_Cites],
        occasions: Mapping[str, bool] | None = None,
        *,
        name: Callable[[str], object] = str,
    ) -> _Cites:
        """The citations of this section; called after all its data have been read.

        `kind` is the class that has a field for each of the section's keys. `occasions` are the
        keys that are not data of the section, each with whether the book must cite something under
        it. Every datum needs a citation, under its own key or under `*`. A key that is neither
        datum nor occasion is a mistake. `name` parses the keys that are names.
        """
        self._is_citing = True
        occasions = occasions or {}
        known = {*self._asked, *occasions}
        for key in self._cited:
            if key not in known and key != REST:
                raise self.error(f"articles.{key}", _unknown(key, known))
        data = (key for key in self._there if key in self._asked and key not in self._inner)
        for key in (*sorted(data), *(key for key, must in occasions.items() if must)):
            self._check_own(key)
            if key not in self._cited and REST not in self._cited:
                self._cited[key] = self._taken_over(key)
        inner = {key: part.own_cites[REST] for key, part in self._inner.items() if part.cites(REST)}
        return citations(kind, inner | self._cited, known=known, name=name)

    def _check_own(self, key: str) -> None:
        """Checks that a book that extends another cites an article for what it says itself."""
        if f"{self.path}.{key}" not in self._other.said:
            return
        outer, _, name = self.path.rpartition(".")
        places = [f"{self.path}.{key}", f"{self.path}.{REST}"]
        if self.path not in self._other.cited:
            places += [f"{outer}.{name}", f"{outer}.{REST}"]
        if not any(place in self._other.says_why for place in places):
            problem = f"missing; this book says {key} itself, and so it cites its own article"
            raise self.error(f"articles.{key}", f"{problem}, or an empty list")

    def _taken_over(self, key: str) -> Ids:
        """The other book's citation, where this one needs it and does not give it."""
        cited = self._other.cited.get(self.path, {})
        if key not in cited and REST not in cited:
            problem = "missing; an empty list says that no article stands behind it"
            raise self.error(f"articles.{key}", problem)
        return self._ids(f"articles.{key}", cited.get(key, cited.get(REST)))

    @property
    def rest(self) -> Ids | None:
        """The articles behind every datum without a citation of its own, if the book has them."""
        return self._cited.get(REST)

    def error(self, key: str, problem: str) -> RulebookError:
        """A mistake at one of this table's keys."""
        return RulebookError(self.file, self._where(key), problem)

    def _where(self, key: str) -> str:
        return f"[{self.path}] {key}" if self.path else key

    def has(self, key: str) -> bool:
        """Whether the table still has the key."""
        self._asked.add(key)
        return key in self._left

    def take(self, key: str, default: object = ...) -> Any:
        """The key's value of any type; a key without a default is required."""
        self._asked.add(key)
        if key in self._left:
            return self._left.pop(key)
        if default is ...:
            raise self.error(key, "missing")
        return default

    def done(self) -> None:
        """Checks that every key was read; raises `RulebookError` for a key that is left over."""
        paths = {key: f"{self.path}.{key}" if self.path else key for key in self._left}
        for key, path in paths.items():
            if not self._other.said or path in self._other.said:
                raise self.error(key, "unknown key")
        if paths:
            keys = ", ".join(f'"{path}"' for path in paths.values())
            problem = "taken over from the other book, but this one has no place for it"
            raise self.error(", ".join(paths), f"{problem}: add without = [{keys}]")
        if self.own_cites and not self._is_citing:
            raise self.error("articles", "unknown key")

    def integer(self, key: str, *, least: int, default: object = ...) -> int:
        """A whole number of at least `least`."""
        value = self.take(key, default)
        if type(value) is not int or value < least:
            raise self.error(key, f"expected a whole number of at least {least}, found {value!r}")
        return value

    def whole_or_none(self, key: str, *, least: int) -> int | None:
        """A whole number of at least `least`, or None where the book has no such key."""
        return self.integer(key, least=least) if self.has(key) else None

    def flag(self, key: str, default: object = ...) -> bool:
        """True or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, found {value!r}")
        return value

    def text(self, key: str, default: object = ...) -> str:
        """A text that is not empty, unless the default is."""
        value = self.take(key, default)
        if not isinstance(value, str) or (default is ... and not value.strip()):
            raise self.error(key, f"expected a text, found {value!r}")
        return value

    def texts(self, key: str, default: object = ...) -> tuple[str, ...]:
        """A list of texts."""
        value = self.take(key, default)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.error(key, f"expected a list of texts, found {value!r}")
        return tuple(value)

    def one(self, key: str, choices: type[_Choice], default: object = ...) -> _Choice:
        """One word of a closed set."""
        return self._choice(key, self.take(key, default), choices)

    def many(
        self, key: str, choices: type[_Choice], default: object = ..., *, least: int = 0
    ) -> tuple[_Choice, ...]:
        """Several words of a closed set, each once."""
        found = tuple(self._choice(key, each, choices) for each in self.texts(key, default))
        if len(set(found)) != len(found):
            raise self.error(key, "the same word stands twice")
        if len(found) < least:
            raise self.error(key, f"expected at least {least} of: {_words(choices)}")
        return found

    def _choice(self, key: str, value: object, choices: type[_Choice]) -> _Choice:
        try:
            return choices(str(value))
        except ValueError:
            expected = f"expected one of: {_words(choices)}; found {value!r}"
            raise self.error(key, expected) from None

    def section(self, key: str, default: object = ...) -> Section:
        """A table within this one, which inherits its citations if it has none of its own."""
        path = f"{self.path}.{key}" if self.path else key
        table = self.take(key, default)
        if not isinstance(table, dict):
            raise self.error(key, "expected a table")
        rest = self._cited.get(key, self.rest)
        inherited = None if rest is None else {REST: rest}
        inner = Section(
            self.file,
            path,
            table,
            inherited=inherited,
            citations=self.citations,
            other=self._other,
        )
        self._inner[key] = inner
        return inner

    def keys(self) -> tuple[str, ...]:
        """The keys that have not been read yet."""
        return tuple(self._left)


def _unknown(key: str, known: Iterable[str]) -> str:
    """The message for an unknown key: what is allowed, and which known key may be meant."""
    # Imported here because a book is seldom wrong, and the import slows the start of the command.
    from difflib import get_close_matches

    known = sorted(known)
    near = "".join(f"; did you mean {each}?" for each in get_close_matches(key, known, 1))
    return f"unknown; expected one of: {', '.join(known)}{near}"


def _words(choices: type[StrEnum]) -> str:
    return ", ".join(each.value for each in choices)
