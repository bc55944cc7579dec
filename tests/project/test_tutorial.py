"""The programs of the tutorial: each is run, prints what the page shows, and stays short."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.ledger import ROOT
from tests.web.serving import opened_by

PAGE = ROOT / "docs" / "tutorial" / "ten-programs.md"
HURRIED = ROOT / "tests" / "web" / "hurried_house.py"
PROGRAM = re.compile(
    r"<!-- program: (\w+) -->\n```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL
)
PROGRAMS = {name: (body, shown) for name, body, shown in PROGRAM.findall(PAGE.read_text("utf-8"))}
BEFORE = {
    "settle": 10,
    "cloth": 4,
    "table": 25,
    "strategy": 5,
    "system": 6,
    "rulebook": 286,
    "bot": 24,
    "log": 10,
}
"""How many lines each took before the library had one import, and before a book could extend
another. The data frame took one line."""


def run(body: str) -> tuple[str, Any]:
    """What a program prints, and what its last expression is, as a notebook would show it."""
    tree = ast.parse(body)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, str(PAGE), "exec"), names)  # noqa: S102 - our own page
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), str(PAGE), "eval"), names)  # noqa: S307
    return printed.getvalue(), value


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program writes goes into a folder of its own, from where it sees the documentation."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)


def test_there_are_ten_programs() -> None:
    assert [*PROGRAMS] == [
        "settle", "cloth", "table", "strategy", "frame", "system", "rulebook", "bot", "log",
        "compare",
    ]  # fmt: skip


@pytest.mark.parametrize("name", BEFORE)
def test_a_program_is_at_most_half_as_long_as_it_was(name: str) -> None:
    lines = [line for line in PROGRAMS[name][0].splitlines() if line.strip()]
    assert len(lines) <= BEFORE[name] // 2
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    "name",
    ["settle", "table", pytest.param("system", marks=pytest.mark.slow), "rulebook", "compare"],
)
def test_a_program_prints_what_the_page_shows(name: str) -> None:
    body, shown = PROGRAMS[name]
    assert shown
    assert run(body)[0] == shown


def test_the_cloth_shows_itself() -> None:
    _, cloth = run(PROGRAMS["cloth"][0])
    assert cloth._repr_svg_().startswith("<svg")


@pytest.mark.slow
def test_the_strategy_is_plotted(tmp_path: Path) -> None:
    run(PROGRAMS["strategy"][0])
    assert (tmp_path / "martingale.svg").read_text("utf-8").startswith("<svg")


def test_the_data_frame_is_one_line() -> None:
    body, _ = PROGRAMS["frame"]
    assert len([line for line in body.splitlines() if line.strip()]) == 2
    assert "probability" in run(body)[0]


@pytest.mark.slow
def test_a_bot_plays_at_a_running_house_and_its_log_is_read(tmp_path: Path) -> None:
    """The house keeps a store, and runs on while its log is read."""
    store = tmp_path / "house.db"
    with opened_by([sys.executable, str(HURRIED), str(store)]) as house:
        bot, _ = PROGRAMS["bot"]
        printed, _ = run(bot.replace("http://127.0.0.1:8037", house.url))
        coups = [tuple(map(int, line.split())) for line in printed.splitlines()]
        assert len(coups) == 2
        told, _ = run(PROGRAMS["log"][0])
    net = sum(brought for _, brought in coups)
    assert told.startswith(f"{{'ana': {net}}} [(")
