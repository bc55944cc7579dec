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


def test_the_page_is_written_from_the_tests_and_the_data_file() -> None:
    assert list(promises.PROMISES) == WANTED
    current = promises.PAGE.read_text("utf-8") == promises.page(promises.recorded())
    assert current, f"docs/reference/promises.md is out of date: run `{promises.REFRESH}`"


@pytest.mark.parametrize("id", WANTED)
def test_every_promise_has_its_main_figures_in_one_short_sentence(id: str) -> None:
    sentence = promises.main_figures(id, promises.recorded())
    assert sentence
    assert promises.UNKNOWN not in sentence, f"no test of {id} records one of these figures"
    assert len(sentence) <= 120


def test_no_cell_of_the_page_is_a_dump() -> None:
    page = promises.PAGE.read_text("utf-8")
    cells = [cell for row in page.splitlines() if row.startswith("|") for cell in row.split("|")]
    assert max(map(len, cells)) <= 130


def test_tests_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "test_r1_kills.py").write_text("def test_r1_lives(): ...\ndef test_other(): ...\n")
    (tmp_path / "test_r10_restart.py").write_text("async def test_r10_short(): ...\n")
    assert promises.named_by("R1", tmp_path) == ["test_r1_kills.py::test_r1_lives"]
    assert promises.named_by("R10", tmp_path) == ["test_r10_restart.py::test_r10_short"]
    assert "| R2 | A failing disk fails closed. | **none** |" in promises.overview({}, tmp_path)
    assert "### R1\n\nAn acknowledged stake survives anything.\n\n- lives (" in promises.listed(
        tmp_path
    )


def test_figures_of_several_cases_are_summed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    figures.record("R8", "flip a bit", tried=64, found=60)
    figures.record("R8", "cut the end", tried=10_000, found=10_000)
    figures.record("R8", "flip a bit", tried=64, found=64)
    seen = promises.figures(tmp_path)
    assert seen["R8"]["flip a bit"] == {"tried": 64, "found": 64}
    assert json.loads((tmp_path / "R8.json").read_text("utf-8"))["id"] == "R8"
    assert promises.main_figures("R8", seen) == "10,064 alterations tried, 10,064 found"
    assert promises.main_figures("F9", {"F9": {"by one file": {"coups": 7}}}).startswith("7 coups")
    assert promises.main_figures("F9", {}) == ""
