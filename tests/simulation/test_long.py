"""A long simulation on two threads: it comes to its end, and needs no more memory than a short one.

`make soak` plays ten thousand million coups; the ordinary tests a hundredth of that.
"""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from novamas.odds.one_coup import odds_of
from novamas.rulebooks import load

COUPS = 10**10 if os.environ.get("NOVAMAS_SOAK") == "1" else 10**8
PLAYERS = 10_000
PROGRAM = """
import json, resource, sys
from novamas.game.limits import Limits
from novamas.rulebooks import load
from novamas.simulation.run import simulate
house, system, coups, players = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
limits = Limits.of({"simple": {"min": 5, "max": 500}})
found = simulate(
    load(house), "red:5", system=system, coups=coups, players=players, limits=limits, threads=2
)
print(json.dumps({
    "played": int(found.coups.sum()),
    "whole": found.is_whole,
    "edge": found.figures["edge"].as_data(),
    "seconds": found.seconds,
    "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
}))
"""


def played(house: str, system: str, coups: int) -> dict[str, Any]:
    words = [house, system, str(coups), str(PLAYERS)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(house, system, found)  # noqa: T201 - `make soak` shows it.
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("house", "system"), [("ar", "flat"), ("es", "flat"), ("ar", "martingale")]
)
def test_many_coups_come_to_their_end_in_the_same_memory(house: str, system: str) -> None:
    short = played(house, system, COUPS // PLAYERS // 100)
    long = played(house, system, COUPS // PLAYERS)
    assert long["played"] == COUPS
    assert long["whole"]
    truth = odds_of(load(house), "red:5").edge
    assert abs(long["edge"]["value"] - float(truth)) <= 4 * long["edge"]["error"]
    # In kilobytes: a byte for each coup would be a hundred thousand of them, or ten million.
    assert long["peak"] - short["peak"] < 8_000
