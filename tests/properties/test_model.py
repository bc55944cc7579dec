"""Random table scripts come out of the table as they come out of a second model of it.

Hypothesis draws some scripts and makes a failing one small by itself. Many more are drawn from
seeds: a plain loop is fast, and a seed that came out differently once always does. A failure prints
the seed and the smallest script that still differs, as a file that `novamas run` plays.

NOVAMAS_HYPOTHESIS=soak plays tens of thousands. NOVAMAS_SCRIPTS says how many seeds are played, and
NOVAMAS_FIRST_SEED which is the first.
"""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.model.compare import ORDERS, apart, told
from tests.properties.model.play import play
from tests.properties.model.writer import Writer
from tests.scenarios.check import READINGS, SCENARIOS, differences

Script = dict[str, Any]

SOAK = os.environ.get("NOVAMAS_HYPOTHESIS") == "soak"
SCRIPTS = int(os.environ.get("NOVAMAS_SCRIPTS", "40000" if SOAK else "800"))
FIRST = int(os.environ.get("NOVAMAS_FIRST_SEED", "0"))
BATCHES = 8


def scripts_of(*files: Path) -> list[Script]:
    """The scripts of the files."""
    return [script for file in files for script in json.loads(file.read_text("utf-8"))]


@pytest.mark.parametrize("script", scripts_of(SCENARIOS, READINGS), ids=lambda s: s["id"])
def test_the_model_knows_the_scenarios(script: Script) -> None:
    outcome = play(script)
    for key in ORDERS:
        outcome[key] = [name for group in outcome[key] for name in group]
    assert not list(differences(script["expect"], outcome))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_table_plays_as_the_model(batch: int) -> None:
    for seed in range(FIRST + batch, FIRST + SCRIPTS, BATCHES):
        script = Writer(Random(seed)).script(f"seed {seed}")  # noqa: S311 - no money hangs on it.
        if apart(script):
            pytest.fail(told(script))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.randoms(use_true_random=False))
def test_the_table_plays_as_the_model_whatever_is_drawn(chance: Random) -> None:
    script = Writer(chance).script("drawn")
    assert not apart(script), told(script)
