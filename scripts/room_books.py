"""Writes every house's book as the screens get it, for the room's tests and its gallery.

`scripts/room books` calls it.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from novamas.game.rulebook.reader import read_rulebook
from novamas.house.views import rulebook_view
from novamas.rulebooks import HOUSES, load

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "ui" / "src" / "gallery" / "fixtures"
EXAMPLE = ROOT / "docs" / "examples" / "triple-zero.toml"
"""An invented house with three zeros."""


def main() -> None:
    """Writes one file for each house, and one for the example."""
    example = read_rulebook(EXAMPLE.read_text(encoding="utf-8"), file=EXAMPLE.name)
    for book in (*map(load, HOUSES), example):
        view = rulebook_view.of_rulebook(book)
        (FOLDER / f"{book.id}.json").write_bytes(msgspec.json.encode(view))


if __name__ == "__main__":
    main()
