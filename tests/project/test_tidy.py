"""The house is tidy: no code that knows a house by name, no long files, no stray addresses."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.ledger import ROOT, book_paths

SOURCES = sorted((ROOT / "src").rglob("*.py"))
OURS = sorted(p for d in ("src", "tests", "scripts", "bench") for p in (ROOT / d).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
LONGEST = 600


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def constants(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def houses_known_by_name(tree: ast.AST, houses: set[str]) -> list[int]:
    """The lines where the code chooses by the id of a house: compared, matched or looked up."""
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                chosen = {c for side in (left, *others) for c in constants(side)} & houses
            case ast.MatchValue() | ast.MatchMapping():
                chosen = set(constants(node)) & houses
            case ast.Dict(keys=keys):
                found = {c for key in keys if key for c in constants(key)} & houses
                # One such key may be a language; two or more are a table of houses, unless English
                # is among them: no house is called en.
                languages = any("en" in constants(key) for key in keys if key)
                chosen = found if len(found) > 1 and not languages else set()
            case _:
                continue
        if chosen:
            lines.append(node.lineno if hasattr(node, "lineno") else 0)
    return lines


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_code_knows_a_house_by_name(path: Path) -> None:
    houses = {book.stem for book in book_paths()}
    lines = houses_known_by_name(ast.parse(path.read_text("utf-8")), houses)
    assert not lines, f"{name(path)} chooses by the id of a house in lines {lines}"


def test_code_that_knows_a_house_by_name_is_found() -> None:
    guilty = [
        'if rulebook == "ar": pass',
        'if rulebook.id in ("ar", "es"): pass',
        'match id:\n    case "ar": pass',
        'pays = {"ar": 1, "es": 2}',
    ]
    for text in guilty:
        assert houses_known_by_name(ast.parse(text), {"ar", "es"}), text
    innocent = ['load("ar")', 'joins = {"en": ", ", "ar": " wa ", "es": " y "}']
    for text in innocent:
        assert not houses_known_by_name(ast.parse(text), {"ar", "es"}), text


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring, f"{name(path)} has no docstring"


@pytest.mark.parametrize("path", OURS, ids=name)
def test_a_file_can_be_held_in_the_head(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


def asserts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a test can fail by itself: it asserts, expects an error, or calls what checks."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            text = called if isinstance(called, str) else getattr(called, "id", "")
            if re.match(r"(raises|warns|fail|assert|check|expect|run_state_machine)", text):
                return True
    return False


Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_in(function: Function) -> set[str]:
    """The functions and methods that a function speaks of."""
    nodes = list(ast.walk(function))
    return {n.id for n in nodes if isinstance(n, ast.Name)} | {
        n.attr for n in nodes if isinstance(n, ast.Attribute)
    }


def unfailing_tests(tree: ast.Module) -> list[str]:
    """The tests that neither assert nor hand their work to a function of the file that does."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    checking = {each.name for each in functions if asserts(each)}
    grown = True
    while grown:
        more = {each.name for each in functions if names_in(each) & checking} - checking
        checking |= more
        grown = bool(more)
    return [
        each.name
        for each in functions
        if each.name.startswith("test_") and each.name not in checking
    ]


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_every_test_asserts_something(path: Path) -> None:
    empty = unfailing_tests(ast.parse(path.read_text("utf-8")))
    assert not empty, f"{name(path)}: {', '.join(empty)} cannot fail"


def test_a_test_that_cannot_fail_is_found() -> None:
    text = "def helper(): pass\ndef test_empty(): helper()"
    assert unfailing_tests(ast.parse(text)) == ["test_empty"]
    text = "def helper():\n    assert 1\ndef test_full(): run(helper())"
    assert unfailing_tests(ast.parse(text)) == []


def imported_tests(tree: ast.AST) -> list[str]:
    """The test modules from which a file imports, and the tests that it imports, each by name."""
    named: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            named += [f"{node.module or ''}.{each.name}" for each in node.names]
    return [each for each in named if any(part.startswith("test_") for part in each.split("."))]


def test_nothing_imports_from_a_test_module() -> None:
    """What several test modules share stands in a helper module or in a conftest.py."""
    found = {name(path): imported_tests(ast.parse(path.read_text("utf-8"))) for path in OURS}
    assert {path: tests for path, tests in found.items() if tests} == {}


def test_an_import_from_a_test_module_is_found() -> None:
    module = "tests.web.test_http"
    guilty = [
        f"from {module} import FullStore",
        f"import {module}",
        f"def late():\n    from {module} import FullStore",
        "from tests.web import test_http",
        "from .test_http import FullStore",
        "from . import test_http",
    ]
    for text in guilty:
        assert imported_tests(ast.parse(text)), text
    assert imported_tests(ast.parse("import pytest\nfrom tests.web.door import run")) == []


def committed() -> list[Path]:
    """The files of the repository: those git knows, or, without git, those of its folders."""
    done = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git is wherever it is.
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return [path for line in done.stdout.split("\0") if line and (path := ROOT / line).exists()]
    folders = [p for d in ("src", "docs", "requirements", "scripts") for p in (ROOT / d).rglob("*")]
    return [path for path in folders if path.is_file() and "__pycache__" not in path.parts]


def lines_with(pattern: str, paths: list[Path]) -> list[str]:
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:  # A picture, not a text.
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(pattern, line):
                found.append(f"{name(path)}:{number}: {line.strip()[:120]}")
    return found


def test_no_committed_file_names_a_registry_or_a_path_of_one_machine() -> None:
    registries = r"pypi\.org|pythonhosted|npmjs\.(org|com)"
    machine = r"(?<![\w.$}])/(work|root|home|tmp)/\w"
    itself = Path(__file__).resolve()
    found = lines_with(f"{registries}|{machine}", [p for p in committed() if p != itself])
    assert not found, "\n".join(found)


def test_no_lock_or_configuration_holds_an_address() -> None:
    settings = [
        path
        for path in committed()
        if path.suffix
        in {".cfg", ".in", ".ini", ".json", ".lock", ".toml", ".txt", ".yaml", ".yml"}
        or path.name in {"Makefile", ".editorconfig", ".gitignore"}
        or path.parent.name == ".ci"
    ]
    assert settings
    found = lines_with("https?://", settings)
    assert not found, "\n".join(found)
