"""The pages speak plain English: no "he" for everybody, and no old metaphor for the machinery."""

import re
from pathlib import Path

import pytest

from scripts.ledger import ROOT

GENERATED = {"commands.md", "promises.md", "rule-coverage.md"}
FOLDERS = ("tutorial", "how-to", "reference", "explanation")
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "docs" / "index.md",
    *sorted(
        path
        for folder in FOLDERS
        for path in (ROOT / "docs" / folder).glob("*.md")
        if path.name not in GENERATED
    ),
]
UNWANTED = re.compile(
    r"\b(he|his|him|himself|whoever|snapshot|tenancy|porter|entrance)\b", re.IGNORECASE
)


def prose(page: str) -> str:
    """A page without its code and without the requirements that are still open."""
    page = re.sub(r"^ *```.*?^ *```", "", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"`[^`\n]*`", "", page)
    return re.sub(r"^\| [\d., to]+ \|[^|]*\| Open: .*$", "", page, flags=re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_speaks_plain_english(path: Path) -> None:
    assert UNWANTED.findall(prose(path.read_text("utf-8"))) == []


def test_code_is_not_prose() -> None:
    page = (
        "He `whoever` said\n```sh\nhis\n```\n| 6.3.3 | a factor | Open: whoever |\nthe snapshot\n"
    )
    assert UNWANTED.findall(prose(page)) == ["He", "snapshot"]
