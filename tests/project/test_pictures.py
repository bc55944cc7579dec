"""The pictures of the documentation are drawn by the house itself, and are up to date."""

import re

import pytest

from scripts.ledger import ROOT
from scripts.pictures import FOLDER, PICTURES, REFRESH, drawn


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_house_draws_now(name: str) -> None:
    path = FOLDER / f"{name}.svg"
    committed = path.read_text("utf-8") if path.exists() else ""
    current = committed == drawn(PICTURES[name])
    assert current, f"docs/pictures/{name}.svg is out of date: run `{REFRESH}`"


def test_no_picture_was_drawn_by_hand() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.svg" for name in PICTURES}


def test_every_picture_is_shown_on_a_page() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    shown = {
        name
        for page in pages
        for name in re.findall(r"pictures/(\w+)\.svg", page.read_text("utf-8"))
    }
    assert shown == set(PICTURES)
