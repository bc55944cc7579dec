"""Writes docs/vectors/ball.json: honest spins and every known way to cheat, with their verdicts.

    python -m scripts.vectors

Any verifier of the ball can be tried on the file. The problems of each vector are written down
here by hand; its counts are those of the verifier in the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from novamas.house.ball.verify_ball import verdict
from scripts.vectors import cheats, cheats_with_the_wheel, honest
from scripts.vectors.play import Data, made

TARGET = Path(__file__).parents[2] / "docs" / "vectors" / "ball.json"


def vectors() -> Iterator[Data]:
    """Every vector with its verdict."""
    every = (honest.VECTORS, cheats.VECTORS, cheats_with_the_wheel.VECTORS)
    for each in chain.from_iterable(map(made, every)):
        found = verdict(each["proof"], each["events"], each["table"])
        counts = {key: value for key, value in found.items() if key != "problems"}
        yield {**each, "counts": counts}


def written() -> str:
    """The file: one vector a line."""
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in vectors())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(written(), encoding="utf-8")
