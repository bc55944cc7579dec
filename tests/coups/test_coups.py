"""Golden coups in text for each rulebook; a rulebook without one fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from novamas.rulebooks import HOUSES
from tests.coups.playthrough import HERE, replay

FILES = sorted(HERE.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_table_plays_the_golden_coups_again(path: Path) -> None:
    """`NOVAMAS_GOLDEN=write` writes them anew: read the difference before you keep it."""
    golden = path.read_text(encoding="utf-8")
    played = replay(golden)
    if os.environ.get("NOVAMAS_GOLDEN") == "write":
        path.write_text(played, encoding="utf-8")
        golden = played
    assert played == golden


@pytest.mark.parametrize("house", HOUSES)
def test_every_rulebook_has_golden_coups(house: str) -> None:
    settled = [path for path in FILES if path.stem.startswith(house)]
    assert any("NumberCalled" in path.read_text(encoding="utf-8") for path in settled)
