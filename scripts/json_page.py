"""Writes docs/reference/json-answers.md from the types of the answers in JSON.

The types are in `novamas.cli.json_shapes`; a test compares the page with them, and the real output
of every command with the types.
"""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

from novamas.cli.json_shapes import ANSWERS, is_shape, keys_of
from scripts import ledger

PAGE = ledger.ROOT / "docs" / "reference" / "json-answers.md"
REFRESH = "make json-page"

INTRODUCTION = f"""\
# JSON answers

With `--json` a command prints one JSON document, and nothing else, on the standard output. Errors
go to the standard error as text, with the same exit codes as without `--json`. This page is
generated from the types in `novamas.cli.json_shapes`: `{REFRESH}` writes it anew, and a test holds
real output of every command against it.

What all answers have in common:

- Amounts are whole numbers of the table's unit. Probabilities are fractions in text (`"18/37"`)
  where they are exact, and numbers where they are rounded.
- `articles` is always a list of ids; it may be empty.
- `table` names the log of a table, and `*people` the register's, wherever logs are listed.
- Everything that verifies has `sound` (true or false) and `problems` (a list of sentences), for the
  whole and for each log. The exit code is 1 where `sound` is false.
- A key marked *optional* is left out where it does not apply; every other key is always there.
- `--lang` changes texts for people (the `text` of a warning, the `summary` of an article), never a
  key or an id.
"""

PLAIN = {
    int: "whole number",
    float: "number",
    str: "text",
    bool: "true or false",
    type(None): "null",
}


def parts(kind: Any) -> Iterator[Any]:
    """The objects in a type, itself first."""
    if is_shape(kind):
        yield kind
        for key in keys_of(kind).values():
            yield from parts(key.kind)
    else:
        for argument in get_args(kind):
            yield from parts(argument)


def named(kind: Any) -> str:
    """A type in words.

    >>> named(list[int]), named(dict[str, str | None])
    ('list of whole number', 'object of text or null by name')
    """
    if is_shape(kind):
        return f"`{kind.__name__}`"
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return named(arguments[0])
    if origin in (Union, types.UnionType):
        return " or ".join(map(named, arguments))
    if origin is list:
        return f"list of {named(arguments[0])}"
    if origin is dict:
        return f"object of {named(arguments[1])} by name"
    return PLAIN[kind]


def meaning(hint: Any) -> str:
    """The description of a key; for an object, that of the object."""
    if get_origin(hint) is Annotated:
        return str(hint.__metadata__[0])
    if is_shape(hint):
        text = " ".join((hint.__doc__ or "").split()).partition(".")[0].partition(";")[0]
        return text[:1].lower() + text[1:]
    for argument in get_args(hint):
        if said := meaning(argument):
            return said
    return ""


def table(kind: Any) -> Iterator[str]:
    """The keys of an object."""
    yield "| key | value | what it is |"
    yield "|---|---|---|"
    for name, key in keys_of(kind).items():
        optional = ", *optional*" if key.optional else ""
        yield f"| `{name}` | {named(key.kind)}{optional} | {meaning(key.kind)} |"


def page() -> str:
    """The whole page."""
    lines = [INTRODUCTION]
    shown: set[str] = set()
    for answer in ANSWERS:
        lines += [f"## `novamas {answer.command} --json`", ""]
        example = " ".join(f'"{word}"' if " " in word else word for word in answer.examples[0])
        lines += [f"Example: `novamas {example} --json`", ""]
        if get_origin(answer.shape) is list:
            lines += [f"A {named(answer.shape)}, in the order of the input.", ""]
        for part in parts(answer.shape):
            if part.__name__ in shown:
                if part in (answer.shape, *get_args(answer.shape)):
                    lines += [f"{named(part)}, as above.", ""]
                continue
            shown.add(part.__name__)
            text = " ".join((part.__doc__ or "").split())
            lines += [f"{named(part)}: {text}", "", *table(part), ""]
    return "\n".join(lines)


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ledger.ROOT)}")


if __name__ == "__main__":
    main()
