"""Books with more than one zero, for what must hold on every wheel and cloth."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any, Final

from novamas import rulebooks
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import read_tables
from novamas.game.wheel import AMERICAN, Pocket

ORDER_OF_THREE: Final[tuple[Pocket, ...]] = (*AMERICAN.order[:30], "000", *AMERICAN.order[30:])

HEADS: Final[dict[str, list[list[Pocket]]]] = {
    "two": [[0, "00"]],
    "three": [[0, "00", "000"]],
    "one-two": [["000"], [0, "00"]],
    "two-one": [["00", "000"], [0]],
    "column": [["000"], ["00"], [0]],
}
"""Rows of zeros, the last of which touches 1, 2 and 3."""


@cache
def with_zeros(house: str, head: str) -> Rulebook:
    """The book of a house with one of the heads, and without announcements."""
    return read_tables(tables_with_zeros(house, head), file=f"{house}-{head}.toml")


def tables_with_zeros(house: str, head: str) -> dict[str, Any]:
    """The same as parsed TOML."""
    tables: dict[str, Any] = tomllib.loads(rulebooks.source(house))
    rows = HEADS[head]
    count = sum(map(len, rows))
    tables["cloth"]["zeros"] = rows
    tables["wheel"]["order"] = "american" if count == 2 else list(ORDER_OF_THREE)
    for section, key in (("cloth", "zeros"), ("wheel", "order")):
        about = tables[section]["articles"]
        if isinstance(about, dict):
            about[key] = []
    tables["announcements"].pop("calls", None)
    if len(rows[-1]) == 2:
        tables["spots"]["five"] = {"pays": 6, "articles": tables["spots"]["corner"]["articles"]}
        tables["payment"]["order"].append(["five"])
    for kind in tables["spots"].values():
        # What the book says of single spots may not be on this cloth.
        about = kind.get("articles")
        if isinstance(about, dict):
            kind["articles"] = {key: ids for key, ids in about.items() if "/" not in key}
    return tables
