"""Every promise has a test that is named by it, and the page of the promises says so."""

import json
from pathlib import Path

import pytest

from scripts import promises
from tests.promises import figures

WANTED = (
    "F1 F2 F4 F5 F6 F7 F9 F12 F13 R1 R2 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R20"
    " R21 R22 R23 R24"
).split()


@pytest.mark.parametrize("id", WANTED)
def test_a_promise_has_a_test_of_its_name(id: str) -> None:
    assert promises.named_by(id), f"no test_{id.lower()}_… in tests/promises"


def test_the_page_names_every_promise_and_its_tests() -> None:
    assert list(promises.PROMISES) == WANTED
    page = promises.PAGE.read_text("utf-8")
    current = page.startswith(promises.overview())
    assert current, f"docs/reference/promises.md is out of date: run `{promises.REFRESH}`"


def test_every_promise_has_figures_on_the_page() -> None:
    _, _, seen = promises.PAGE.read_text("utf-8").partition(promises.SEEN)
    rows = {row.split("|")[1].strip() for row in seen.splitlines() if row.startswith("| ")}
    assert rows - {"id"} == set(WANTED)


def test_tests_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "test_r1_kills.py").write_text("def test_r1_lives(): ...\ndef test_other(): ...\n")
    (tmp_path / "test_r10_restart.py").write_text("async def test_r10_short(): ...\n")
    assert promises.named_by("R1", tmp_path) == ["test_r1_kills.py::test_r1_lives"]
    assert promises.named_by("R10", tmp_path) == ["test_r10_restart.py::test_r10_short"]
    assert "| R2 | A failing disk fails closed. | **none** |" in promises.overview(tmp_path)


def test_figures_of_two_tests_stand_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    figures.record("F1", "one", pockets=37)
    figures.record("F1", "two", share=0.5)
    figures.record("F1", "one", pockets=38)
    assert promises.figures(tmp_path)["F1"] == {"one": {"pockets": 38}, "two": {"share": 0.5}}
    assert json.loads((tmp_path / "F1.json").read_text("utf-8"))["id"] == "F1"
    part = promises.seen_part(promises.figures(tmp_path))
    assert "| F1 | one | pockets 38 |\n| F1 | two | share 0.5 |" in part
