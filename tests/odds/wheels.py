"""Houses on other wheels, made from the books of the project: two zeros, and three."""

import tomllib
from functools import cache
from typing import Any

from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import read_tables
from novamas.game.wheel import AMERICAN, Pocket
from novamas.rulebooks import source

TRIPLE: tuple[Pocket, ...] = (*AMERICAN.order, "000")
"""The pockets of a wheel with three zeros; their order does not matter to the odds."""


@cache
def on_wheel(house: str, zeros: int, simple: str = "") -> Rulebook:
    """A house as it would be with so many zeros, and with another word on zero if one is given."""
    table: dict[str, Any] = tomllib.loads(source(house))
    table["id"] = f"{house}{zeros}{simple}"
    if zeros > 1:
        table["wheel"]["order"] = "american" if zeros == 2 else list(TRIPLE)
        table["wheel"]["articles"]["order"] = []
        table["cloth"]["zeros"] = [["000"], [0, "00"]][3 - zeros :]
        if isinstance(table["cloth"]["articles"], dict):
            table["cloth"]["articles"]["zeros"] = []
        table["spots"]["five"] = {"pays": 6, "articles": table["spots"]["sixline"]["articles"]}
        table["payment"]["order"].append(["five"])
        table["announcements"].pop("calls", None)
        for kind in ("straight", "split", "street", "corner"):
            # Not every spot at the zeros of the one cloth is on the other.
            cites = table["spots"][kind]["articles"]
            table["spots"][kind]["articles"] = {key: cites[key] for key in ("pays", "spot")}
    if simple:
        table["zero"]["simple"] = simple
    return read_tables(table, file=house)
