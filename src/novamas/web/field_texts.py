"""Descriptions of fields for the published schemas.

A field is described by the docstring below it in its class. A field without one has the meaning
that its name has everywhere, which is said here once, in `COMMON`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect as shapes

from novamas.game.wheel import NUMBERS

COMMON: Final[Mapping[str, str]] = {
    "amount": "An amount, in units of money.",
    "announcement": "The id of the announcement that the stake is a piece of, if it is one.",
    "articles": "The ids of the articles behind it.",
    "aside": "What is set aside for a player who is away.",
    "at": "When it happened, in milliseconds since 1970.",
    "ball": "Where the numbers come from: a wheel, or a draw that players can check.",
    "by": "The person who did it.",
    "call": "The plain name of the announcement.",
    "cause": "The cause, one of those in the rulebook.",
    "chip": "What one chip of the colour is worth.",
    "chips": "The kind of chips.",
    "choice": "What the owner of the stake chooses.",
    "colour": "The colour of the chips; none for value chips.",
    "colours": "How many colours of chips the table has.",
    "confirmed_because": "The reason of the second person.",
    "confirmed_by": "The second person, who confirmed it.",
    "counted": "What was counted.",
    "coup": "The number of the coup at the table, from 1.",
    "credential": "What the browser returns, in the JSON of `PublicKeyCredential.toJSON`.",
    "drawing": "How the cloth is drawn.",
    "games_left": "How many games are still played, once the last games are announced.",
    "hash": "The hash, as 64 hexadecimal digits.",
    "held": "What stays in prison.",
    "id": "The id of the stake or announcement.",
    "kind": "The class of spots.",
    "label": "A name for the factor, to tell several apart.",
    "last": "Whether this is the last coup of the session.",
    "last_numbers": "The numbers of the last coups, the newest last.",
    "limits": "Class of spots, or spot → its minimum and its maximum.",
    "limits_kept": "Whether a stake above its maximum is refused, or its excess returned.",
    "live": "Whether people play at the table, and not only a script.",
    "lost": "What the house takes.",
    "mode": "How an announcement is played again.",
    "modes": "The ways in which it may be played again.",
    "money": "What is in the wallet.",
    "name": "The name of the person.",
    "nonce": "The text that a player adds to the draw.",
    "number": 'A number of the wheel: from 0 to 36, or the text of a further zero, such as "00".',
    "on": "The spot in notation; a command may also use the words of any house.",
    "person": "The name of the person.",
    "phase": "Where the coup stands.",
    "player": "The name of the player.",
    "post": "The plain name of the post in the rulebook.",
    "reason": "The reason, in the words of the person who gives it.",
    "returned": "What the player gets back of the stake.",
    "double": "Whether it is a double table, with two cloths.",
    "rotation": "How many spins a croupier makes before the next one, where they take turns.",
    "rulebook": "The id of the rulebook.",
    "seq": "Its number in the log.",
    "spin": "The number of the spin at the table, from 1; a void ball counts too.",
    "spot": "The plain name of the spot.",
    "stake": "The id of the disputed stake, if it is a single one.",
    "stays": "What stays on the spot as the stake of the next coup.",
    "table": "The name of the table.",
    "title": "The name of the house, by language.",
    "unattended": "Whether the owner of the stake is away.",
    "upheld": "Whether the dispute is upheld.",
    "value_chips": "Whether the chips are value chips, and not a colour.",
    "wheel": "The direction of the wheel.",
    "winning": "Whether winning stakes stay on the cloth or go back to the hand.",
    "won": "What the house pays on top of the stake.",
}


def described(schemas: Mapping[str, Any], types: Mapping[str, type]) -> dict[str, Any]:
    """The schemas with a description of every field; `types` are the classes behind them."""
    found = dict(schemas)
    for name in schemas.keys() & types.keys():
        fields = schemas[name].get("properties", {})
        texts = field_texts(types[name])
        found[name] = schemas[name] | {
            "properties": {
                field: _with_text(_with_pockets(each), texts.get(field))
                for field, each in fields.items()
            }
        }
    return found


POCKET: Final = (
    {"type": "integer", "minimum": 0, "maximum": NUMBERS[-1]},
    {"type": "string", "pattern": "^00+$"},
)
"""The two forms of a pocket: a number of the wheel, or the text of a further zero."""


def _with_pockets(schema: Any) -> Any:
    """Bounds the pockets in a schema: whatever may be a whole number or a text is one."""
    if isinstance(schema, list):
        return [_with_pockets(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _with_pockets(each) for key, each in schema.items()}
    either = found.get("anyOf", ())
    if all({"type": form["type"]} in either for form in POCKET):
        others = [each for each in either if each.get("type") == "null"]
        found["anyOf"] = [*POCKET, *others]
    return found


def _with_text(schema: dict[str, Any], text: str | None) -> dict[str, Any]:
    return schema if text is None else {**schema, "description": text}


def field_texts(kind: type) -> dict[str, str]:
    """The description of each field of a class, by its name on the wire."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        texts |= _docstrings(base.__module__).get(base.__qualname__, {})
    names: dict[str, str] = {field: field for field in inspect.get_annotations(kind)}
    for base in kind.__mro__:
        names = {field: field for field in inspect.get_annotations(base)} | names
    if issubclass(kind, msgspec.Struct):
        names |= dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return {
        wire: text
        for field, wire in names.items()
        if (text := texts.get(field) or COMMON.get(field)) is not None
    }


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """Class → field → the docstring below the field, from the source of a module."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):  # A module without source, such as `builtins`.
        return {}
    return {
        each.name: {
            before.target.id: " ".join(after.value.value.split())
            for before, after in zip(each.body, each.body[1:], strict=False)
            if isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        }
        for each in ast.parse(source).body
        if isinstance(each, ast.ClassDef)
    }


def named_types(types: Iterable[Any]) -> dict[str, type]:
    """The classes with fields that some types are made of, by name."""
    found: dict[str, type] = {}
    left: list[Any] = list(shapes.multi_type_info(types))
    while left:
        each = left.pop()
        if isinstance(each, shapes.StructType | shapes.DataclassType):
            if each.cls.__name__ in found:
                continue
            found[each.cls.__name__] = each.cls
            left += [field.type for field in each.fields]
        elif isinstance(each, shapes.UnionType):
            left += each.types
        elif isinstance(each, shapes.TupleType):
            left += each.item_types
        elif isinstance(each, shapes.CollectionType):
            left.append(each.item_type)
        elif isinstance(each, shapes.DictType):
            left += [each.key_type, each.value_type]
        elif isinstance(each, shapes.Metadata):
            left.append(each.type)
    return found
