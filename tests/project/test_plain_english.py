"""Pages and comments speak plain English: no "he" for everybody, no metaphor for machinery."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from scripts.ledger import ROOT

GENERATED = {
    "commands.md",
    "houses-compared.md",
    "json-answers.md",
    "promises.md",
    "rule-coverage.md",
}
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.name not in GENERATED),
]
TOOLS = sorted(
    path for path in (ROOT / "scripts").rglob("*") if path.is_file() and path.suffix != ".pyc"
)
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__))
SETTINGS = sorted(path for path in (ROOT / "deploy").iterdir() if path.is_file())
UNWANTED = re.compile(
    r"\b(he|his|him|himself|whoever|told|mementos?|tenancy|porter|entrance)\b", re.IGNORECASE
)
HE = re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE)


def prose(page: str) -> str:
    """A page without its code."""
    page = re.sub(r"^ *```.*?^ *```", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", page)


def remarks(path: Path) -> str:
    """The comments of a script, and the docstrings of one in Python."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return "\n".join(re.findall(r"(?:^|\s)#.*", text))
    return "\n".join((*_comments(text), *_docstrings(text)))


def _comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def _docstrings(source: str) -> list[str]:
    return [
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def named(path: Path) -> str:
    """The path below the repository, to name a case."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_speaks_plain_english(path: Path) -> None:
    assert UNWANTED.findall(prose(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("path", TOOLS, ids=named)
def test_a_script_is_commented_in_plain_english(path: Path) -> None:
    assert UNWANTED.findall(prose(remarks(path))) == []


def commented_with(unwanted: re.Pattern[str], paths: list[Path]) -> dict[str, list[str]]:
    """The files whose comments or docstrings have an unwanted word, each with its words."""
    # Few files have such a word at all, and only those need be taken apart.
    suspects = (path for path in paths if unwanted.search(path.read_text("utf-8")))
    found = {named(path): unwanted.findall(prose(remarks(path))) for path in suspects}
    return {path: words for path, words in found.items() if words}


def test_the_code_is_commented_in_plain_english() -> None:
    assert commented_with(UNWANTED, SOURCES) == {}


def test_the_tests_speak_of_everybody_as_they() -> None:
    assert commented_with(HE, TESTS) == {}


@pytest.mark.parametrize("path", SETTINGS, ids=named)
def test_a_file_to_deploy_speaks_plain_english(path: Path) -> None:
    assert UNWANTED.findall(path.read_text("utf-8")) == []


def test_code_is_not_prose() -> None:
    page = "He `whoever` said\n```sh\nhis\n```\nthe memento\n"
    assert UNWANTED.findall(prose(page)) == ["He", "memento"]


def test_comments_and_docstrings_are_prose(tmp_path: Path) -> None:
    script = tmp_path / "a.py"
    script.write_text('"""He."""\n\ntold = "his"  # It is told.\n', "utf-8")
    assert UNWANTED.findall(remarks(script)) == ["told", "He"]
    shell = tmp_path / "check"
    shell.write_text("# It is told.\necho his  # whoever\n", "utf-8")
    assert UNWANTED.findall(remarks(shell)) == ["told", "whoever"]
