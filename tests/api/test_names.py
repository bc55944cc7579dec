"""The public names: complete, listed, documented, typed, and each with one path."""

from __future__ import annotations

import ast
import doctest
import enum
import inspect
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import novamas as nv
from novamas.api.places import PLACES

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("names.txt")
STUB = Path(nv.__file__).with_suffix(".pyi").read_text("utf-8")
NAMES = [name for name in nv.__all__ if not name.startswith("__")]


def kind_of(thing: object) -> str:
    if isinstance(thing, type):
        return "exception" if issubclass(thing, BaseException) else "class"
    return "function"


def members_of(thing: type) -> list[str]:
    """What a class offers: its own public methods and properties, and those of its bases here."""
    found: dict[str, str] = {}
    for base in reversed(thing.__mro__):
        if not base.__module__.startswith("novamas"):
            continue
        for name, member in vars(base).items():
            if name.startswith("_"):
                continue
            if isinstance(member, types.FunctionType):
                found[name] = f"{name}{inspect.signature(member)}"
            elif isinstance(member, classmethod | staticmethod):
                found[name] = (
                    f"{name}{inspect.signature(member.__func__)} [{type(member).__name__}]"
                )
            elif isinstance(member, enum.Enum):
                continue
            else:
                found[name] = name
    return [f"    .{told}" for _, told in sorted(found.items())]


def listed() -> str:
    """Every public name with its kind, its signature and, of a class, what it offers."""
    lines: list[str] = []
    for name in NAMES:
        thing = getattr(nv, name)
        kind = kind_of(thing)
        signature = "" if kind == "exception" else str(inspect.signature(thing))
        lines.append(f"{kind} {name}{signature}")
        if isinstance(thing, type) and kind == "class":
            lines += members_of(thing)
    text = "\n".join(lines) + "\n"
    text = re.sub(r"ForwardRef\('(.*?)'\)", r"\1", text)
    text = re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", text)
    return re.sub(r"(?<=[:>] )'(.*?)'", r"\1", text)


def test_the_public_names_are_those_of_the_list() -> None:
    """A change of the API is seen; `NOVAMAS_API=write pytest tests/api` writes the list anew."""
    now = listed()
    if os.environ.get("NOVAMAS_API") == "write":
        LIST.write_text(now, encoding="utf-8")
    assert now == LIST.read_text("utf-8")


def test_every_name_is_found_lazily_and_seen_by_type_checkers() -> None:
    places = set(PLACES)
    seen: set[str] = set()
    for node in ast.walk(ast.parse(STUB)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("novamas"):
            seen |= {each.asname or each.name for each in node.names}
    assert places == seen == set(NAMES)
    listed_in_stub = re.search(r"__all__ = (\[.*?\])", STUB, re.DOTALL)
    assert listed_in_stub is not None
    assert ast.literal_eval(listed_in_stub[1]) == nv.__all__
    assert {*NAMES, "__version__"} <= set(dir(nv))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented_with_an_example(name: str) -> None:
    thing = getattr(nv, name)
    documented = [thing]
    if isinstance(thing, type):
        own = (base for base in thing.__mro__ if base.__module__.startswith("novamas"))
        documented += [member for base in own for member in vars(base).values()]
    documented = [each.__func__ if isinstance(each, staticmethod) else each for each in documented]
    documented = [each.fget if isinstance(each, property) else each for each in documented]
    found = doctest.DocTestFinder(recurse=False)
    examples = [
        example
        for each in documented
        if inspect.getdoc(each) and isinstance(each, type | types.FunctionType)
        for test in found.find(each, name, module=False)
        for example in test.examples
    ]
    assert inspect.getdoc(thing)
    assert examples, f"{name} shows no example"


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'roulette'"):
        _ = nv.roulette  # type: ignore[attr-defined]


def test_odds_is_the_function_whatever_is_imported() -> None:
    program = (
        "import novamas.odds.many_coups, novamas.odds as a, novamas\n"
        "from novamas import odds\n"
        "from novamas.odds.one_coup import odds_of\n"
        "assert novamas.odds is odds and callable(odds), odds\n"
        "print(odds('ar', 'red:10').edge, odds_of.__module__)\n"
    )
    assert run(program) == "1/37 novamas.odds.one_coup\n"


def test_a_star_import_brings_them_all() -> None:
    program = "from novamas import *; print(settle('ar', 17, 'ana 17:5').net, Table.__name__)"
    assert run(program) == "{'ana': 175} Table\n"


@pytest.mark.slow
def test_type_checkers_see_the_names(tmp_path: Path) -> None:
    """A program is checked as a user would: right calls pass, a misspelt name is told."""
    assert Path(nv.__file__).with_name("py.typed").is_file()
    program = tmp_path / "program.py"
    program.write_text(
        "import novamas as nv\n"
        "reveal_type(nv.settle('ar', 17, 'ana 17:5').net)\n"
        "reveal_type(nv.odds('es', 'red:10').edge)\n"
        "reveal_type(nv.Table('it', players={'anna': 1_000}).spin())\n"
        "nv.setle\n"
    )
    # As strict as the project is with itself: what mypy has kept of the project is of use here.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(program)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert '"dict[str, int]"' in done.stdout.replace("builtins.", ""), done.stdout
    assert '"fractions.Fraction"' in done.stdout
    assert '"novamas.api.coup.Coup"' in done.stdout
    assert 'Module has no attribute "setle"' in done.stdout


def run(program: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
