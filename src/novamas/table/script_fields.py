"""The fields of a table script: each is read once, with its type, and none is left over."""

from __future__ import annotations

from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from novamas.game.errors import NovamasError
from novamas.game.wheel import Pocket, is_zero
from novamas.table.identity import Identity, read_identity

_Choice = TypeVar("_Choice", bound=StrEnum)


class ScriptError(NovamasError, ValueError):
    """A script that cannot be read: where it goes wrong and what was expected."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        self.problem = problem
        super().__init__(f"{where}: {problem}")


class Fields:
    """The fields of a script or of one of its commands, read with their types."""

    def __init__(self, where: str, given: object) -> None:
        self.where = where
        if not isinstance(given, dict):
            raise ScriptError(where, "expected an object")
        self._given: dict[str, Any] = given
        self._taken: set[str] = set()

    def error(self, key: str, problem: str) -> ScriptError:
        """A mistake at one of the fields."""
        return ScriptError(f"{self.where}.{key}", problem)

    def take(self, key: str, default: object = ...) -> Any:
        """The field's value, of any type."""
        self._taken.add(key)
        if key in self._given:
            return self._given[key]
        if default is ...:
            raise self.error(key, "missing")
        return default

    def text(self, key: str) -> str:
        """A text."""
        value = self.take(key)
        if not isinstance(value, str):
            raise self.error(key, f"expected a text, found {value!r}")
        return value

    def text_or(self, key: str, default: str) -> str:
        """A text that may be missing."""
        return self.text(key) if self.has(key) else default

    def who(self, key: str, default: Identity) -> Identity:
        """Who does it; may be missing."""
        return read_identity(self.text(key)) if self.has(key) else default

    def whole(self, key: str) -> int:
        """A whole number."""
        value = self.take(key)
        if type(value) is not int:
            raise self.error(key, f"expected a whole number, found {value!r}")
        return value

    def pocket(self, key: str) -> Pocket:
        """A number of the wheel: a whole number, or the text of a further zero, such as `"00"`."""
        value = self.take(key)
        if type(value) is int or is_zero(value):
            return value  # type: ignore[no-any-return]
        raise self.error(key, f"expected a whole number or '00', found {value!r}")

    def has(self, key: str) -> bool:
        """Whether the field is there."""
        self._taken.add(key)
        return self._given.get(key) is not None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, found {value!r}")
        return value

    def one(self, key: str, choices: type[_Choice]) -> _Choice:
        """One word of a closed set."""
        value = self.take(key)
        try:
            return choices(value)
        except ValueError:
            known = ", ".join(each.value for each in choices)
            raise self.error(key, f"expected one of {known}; found {value!r}") from None

    def table(self, key: str, default: object = ...) -> dict[str, Any]:
        """An object."""
        value = self.take(key, default)
        if not isinstance(value, dict):
            raise self.error(key, f"expected an object, found {value!r}")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts, which may be missing."""
        value = self.take(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.error(key, f"expected a list of texts, found {value!r}")
        return value

    def done(self) -> None:
        """Raises `ScriptError` if a field was not read."""
        for key in self._given:
            if key not in self._taken | {"do", "note"}:
                raise self.error(key, "unknown field")

    def no_slips(self, keys: tuple[str, ...]) -> None:
        """Raises `ScriptError` if an unread field looks like a misspelling of one of these."""
        for key in self._given:
            if key not in keys and (meant := get_close_matches(key, keys, 1, cutoff=0.8)):
                raise self.error(key, f"unknown field; is {meant[0]} meant?")
