"""The look of cloth and chips is defined once, and what is generated for the room is current."""

from __future__ import annotations

import re
from pathlib import Path

from novamas.drawing import look
from scripts.ledger import ROOT
from scripts.room_look import files, stale


def test_what_is_generated_for_the_room_is_current() -> None:
    assert stale() == [], "run `scripts/room look`"


def test_a_missing_and_an_edited_file_are_found(tmp_path: Path) -> None:
    for name, text in files().items():
        (tmp_path / name).write_text(text, "utf-8")
    assert stale(tmp_path) == []
    edited = tmp_path / "look.generated.ts"
    edited.write_text(edited.read_text("utf-8").replace(look.HUES[0], "#2b5bd8"), "utf-8")
    (tmp_path / "look.generated.css").unlink()
    assert stale(tmp_path) == ["look.generated.ts", "look.generated.css"]


def test_no_hue_of_a_chip_stands_anywhere_else() -> None:
    hues = {*look.HUES, look.CHANCE, look.VALUE, look.CHANCE_INLAY, look.CHANCE_RIM}
    hues |= {look.INK, look.VALUE_RING, look.GOLD}
    sources = [
        *(ROOT / "src" / "novamas" / "drawing").glob("*.py"),
        *(path for path in (ROOT / "ui" / "src").rglob("*.*") if "gallery" not in path.parts),
    ]
    defined = {"look.py", "look.generated.ts", "look.generated.css", "look.fixture.json"}
    again = [
        (path.relative_to(ROOT).as_posix(), hue)
        for path in sources
        if path.suffix in {".py", ".ts", ".svelte", ".css"}
        and path.name not in defined
        and not path.name.endswith(".test.ts")
        for hue in re.findall(r"#[0-9a-f]{6}\b", _code(path))
        if hue in hues
    ]
    assert again == []


def _code(path: Path) -> str:
    """The text without docstrings and doctests."""
    text = path.read_text("utf-8")
    return re.sub(r'""".*?"""', "", text, flags=re.DOTALL) if path.suffix == ".py" else text
