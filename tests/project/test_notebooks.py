"""The notebooks of the documentation run, and show what is stored in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.ledger import ROOT
from scripts.notebook_pages import as_markdown
from scripts.notebooks import NOTEBOOKS, run, run_cell, written

FOUND = sorted(NOTEBOOKS.glob("*.ipynb"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_give(path: Path) -> None:
    stored = path.read_text("utf-8")
    assert stored == written(run(json.loads(stored), path.stem)), (
        "python -m scripts.notebooks writes them anew"
    )


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_notebook_is_a_page_of_the_site_with_what_it_shows(path: Path) -> None:
    assert f"\nnotebooks/{path.stem}\n" in (ROOT / "docs" / "index.md").read_text("utf-8")
    page = as_markdown(json.loads(path.read_text("utf-8")))
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        assert "".join(cell["source"]) in page
        for output in cell.get("outputs", ()):
            assert "".join(output.get("text") or output["data"]["text/plain"]) in page


def test_there_is_one_for_each_reader() -> None:
    assert [path.stem for path in FOUND] == ["analyst", "mathematician", "teacher"]


def test_a_cell_keeps_what_it_prints_and_its_last_expression() -> None:
    names: dict[str, object] = {}
    printed, value = run_cell("x = 6\nprint(x)\nx * 7", names, "cell", 3)
    assert printed["text"] == ["6\n"]
    assert value["data"] == {"text/plain": ["42"]}
    assert run_cell("y = x", names, "cell", 4) == []
    with pytest.raises(ZeroDivisionError):
        run_cell("x / 0", names, "cell", 5)
