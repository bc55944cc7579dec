"""ARCHITECTURE.md names files and functions that exist, and its picture shows the contract."""

import re
from pathlib import Path

import pytest

from scripts import layers
from scripts.ledger import ROOT

PAGE = ROOT / "ARCHITECTURE.md"
FOLDERS = ("src", "ui", "tests", "docs", "scripts", "bench", "deploy", "requirements")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+)\)")
NAME = re.compile(r"[A-Za-z_]\w*")


def is_path(text: str) -> bool:
    return text.split("/", maxsplit=1)[0] in FOLDERS and " " not in text


def paths(page: str) -> list[str]:
    """The files and folders that a page names, in code or as links."""
    return [text for text in CODE.findall(page) if is_path(text)] + LINK.findall(page)


def missing(page: str) -> list[str]:
    return [path for path in paths(page) if not (ROOT / path).exists()]


def names_not_found(page: str) -> list[str]:
    """The names of a step that do not stand in one of the step's files."""
    wrong = []
    for row in page.splitlines():
        if not re.match(r"\| \d+ \|", row):
            continue
        code = CODE.findall(row)
        texts = [(ROOT / each).read_text("utf-8") for each in code if is_path(each)]
        for each in code:
            name = each.removeprefix("novamas ")
            if NAME.fullmatch(name) and not any(re.search(rf"\b{name}\b", text) for text in texts):
                wrong.append(f"{each} is not in {', '.join(c for c in code if is_path(c))}")
    return wrong


def test_every_path_on_the_page_exists() -> None:
    page = PAGE.read_text("utf-8")
    assert len(paths(page)) > 60
    assert missing(page) == []


def test_every_name_of_a_step_stands_in_its_file() -> None:
    assert names_not_found(PAGE.read_text("utf-8")) == []


def test_what_is_wrong_with_the_page_is_found() -> None:
    assert missing("see `src/novamas/nowhere.py` and [this](docs/none.md)") == [
        "src/novamas/nowhere.py",
        "docs/none.md",
    ]
    row = "| 1 | `src/novamas/game/settlement.py` | `settle` and `unsettle` |"
    assert names_not_found(row) == ["unsettle is not in src/novamas/game/settlement.py"]


def test_the_picture_has_every_package_of_the_source() -> None:
    shown = {layer.name for row in layers.layers() for layer in row}
    there = {path.parent.name for path in (ROOT / "src" / "novamas").glob("*/__init__.py")}
    assert shown == there


def test_the_picture_follows_the_contract(tmp_path: Path) -> None:
    contract = tmp_path / "pyproject.toml"
    contract.write_text(
        '[[tool.importlinter.contracts]]\ntype = "layers"\nlayers = ["(web)", "odds | game"]\n'
        '[[tool.importlinter.contracts]]\ntype = "standard_library_only"\n'
        'modules = ["novamas.game"]\n',
        "utf-8",
    )
    rows = layers.layers(contract)
    assert [[layer.name for layer in row] for row in rows] == [["web"], ["odds", "game"]]
    assert [layer.is_pure for row in rows for layer in row] == [False, False, True]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_newcomers_are_sent_there(page: str) -> None:
    assert "(ARCHITECTURE.md)" in (ROOT / page).read_text("utf-8")
