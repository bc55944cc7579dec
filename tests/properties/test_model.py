"""Random table scripts come out of the table as they come out of a second model of it.

Hypothesis draws some scripts and makes a failing one small by itself. Many more are drawn from
seeds: a plain loop is fast, and a seed that came out differently once always does. A failure prints
the seed and the smallest script that still differs, as a file that `novamas run` plays.

Two writers share the houses: one writes for the first four, the other for the five further ones.
NOVAMAS_HYPOTHESIS=soak plays tens of thousands. NOVAMAS_SCRIPTS says how many seeds of each are
played, and NOVAMAS_FIRST_SEED which is the first.
"""

import os
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.model.compare import ORDERS, apart, told
from tests.properties.model.further import Further
from tests.properties.model.play import play
from tests.properties.model.writer import Writer
from tests.scenarios.check import differences, every_script

Script = dict[str, Any]

SOAK = os.environ.get("NOVAMAS_HYPOTHESIS") == "soak"
SCRIPTS = int(os.environ.get("NOVAMAS_SCRIPTS", "40000" if SOAK else "800"))
FIRST = int(os.environ.get("NOVAMAS_FIRST_SEED", "0"))
BATCHES = 8
WRITERS = [pytest.param(Writer, id="first houses"), pytest.param(Further, id="further houses")]


def names_the_tables_own_id(script: Script) -> bool:
    """Whether a script names a stake that the table itself made, by the id that it chose."""
    return any(str(command.get("id", "")).startswith("reduced-") for command in script["script"])


KNOWN = [script for script in every_script() if not names_the_tables_own_id(script)]


@pytest.mark.parametrize("script", KNOWN, ids=lambda s: s["id"])
def test_the_model_knows_the_scenarios(script: Script) -> None:
    outcome = play(script)
    for key in ORDERS:
        outcome[key] = [name for group in outcome[key] for name in group]
    assert not list(differences(script["expect"], outcome))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_table_plays_as_the_model(writer: type[Writer], batch: int) -> None:
    for seed in range(FIRST + batch, FIRST + SCRIPTS, BATCHES):
        script = writer(Random(seed)).script(f"seed {seed}")  # noqa: S311 - no money hangs on it.
        if apart(script):
            pytest.fail(told(script))


@pytest.mark.parametrize("writer", WRITERS)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(chance=st.randoms(use_true_random=False))
def test_the_table_plays_as_the_model_whatever_is_drawn(
    writer: type[Writer], chance: Random
) -> None:
    script = writer(chance).script("drawn")
    assert not apart(script), told(script)


CLOSE: Script = {"do": "no_more_bets"}


def out(number: int) -> list[Script]:
    """A coup without commands of its own."""
    return [CLOSE, {"do": "number", "number": number}]


def lay(id: str, player: str, on: str, amount: int, **flags: object) -> Script:
    """A stake."""
    return {"do": "stake", "id": id, "player": player, "on": on, "amount": amount, **flags}


def call(id: str, call: str, amount: int) -> Script:
    """An announcement of ana's."""
    return {"do": "announce", "id": id, "player": "ana", "call": call, "amount": amount}


ONCE_APART = [
    pytest.param(
        {"limits": {"split": {"max": 3}}},
        [call("a", "f4/5", 50), {"do": "notice_excess", "id": "a"}],
        {"ana": 971, "bo": 1000},
        id="noticing an announcement notices all its pieces",
    ),
    pytest.param(
        {"limits": {"split": {"max": 5}}},
        [call("a", "tiers", 30), lay("b", "bo", "5/8", 5, **{"for": "a"}), *out(8)],
        {"ana": 1000 - 30 + 90, "bo": 1000},
        id="a stake for the owner of an announcement",
    ),
    pytest.param(
        {"settings": {"winning": "cloth"}},
        [
            *(call("a", "tiers", 6), *out(10), *out(11)),
            {"do": "replay", "id": "a", "mode": "rifare", "as": "c"},
        ],
        {"ana": 1000 - 6 + 17 + 17, "bo": 1000},
        id="a piece that stayed is no announcement",
    ),
    pytest.param(
        {"limits": {"straight": {"max": 50}}},
        [
            *(lay("b", "ana", "8", 30), lay("c", "bo", "8", 30, **{"for": "b"})),
            *({"do": "withdraw", "id": "b", "amount": 5}, *out(8)),
        ],
        {"ana": 1000 + 25 * 35, "bo": 1000 + 25 * 35},
        id="a stake that was made smaller is no later",
    ),
    pytest.param(
        {},
        [
            *(lay("b", "ana", "red", 20, unattended=True), lay("c", "ana", "red", 9)),
            *(lay("d", "ana", "red", 9, unattended=True), *out(9), {"do": "withdraw", "id": "d"}),
        ],
        {"ana": 1000 - 38 + 18 + 18, "bo": 1000},
        id="without a maximum everything rides",
    ),
    pytest.param(
        {"limits": {"simple": {"max": 6}}},
        [
            *(lay("b", "ana", "low", 6), lay("c", "ana", "low", 5, unattended=True), *out(17)),
            {"do": "withdraw", "id": "c"},
        ],
        {"ana": 1000 - 11 + 12, "bo": 1000},
        id="what lay above the maximum does not ride",
    ),
    pytest.param(
        {"rulebook": "es", "chip": 2},
        [
            {"do": "buy", "player": "ana", "amount": 2, "value_chips": True},
            *(lay("b", "ana", "red", 24), *out(0)),
            {"do": "buy", "player": "ana", "amount": 2, "chip": 4},
        ],
        {"ana": 1000 + 2 - 24 + 2, "bo": 1000},
        id="value chips in prison keep nobody from another colour chip",
    ),
    pytest.param(
        {"rulebook": "fr"},
        [
            *(lay("b", "ana", "red", 8), *out(0), CLOSE, {"do": "void", "cause": "ball_out"}),
            {"do": "choose", "id": "b", "choice": "half"},
        ],
        {"ana": 1000 - 4, "bo": 1000},
        id="a void ball gives back the choice in France too",
    ),
    pytest.param(
        {"rulebook": "fr"},
        [
            *(lay("b", "ana", "red", 8), *out(0), {"do": "step_away", "player": "ana"}),
            {"do": "choose", "id": "b", "choice": "half"},
        ],
        {"ana": 1000 - 4, "bo": 1000},
        id="who was there when zero fell takes the half",
    ),
    pytest.param(
        {"rulebook": "fran", "value_chips": ["ana"]},
        [call("a", "tiers", 6), *out(8)],
        {"ana": 1000, "bo": 1000},
        id="no announcement in value chips where they lie on the simple chances alone",
    ),
    pytest.param(
        {"rulebook": "esam"},
        [lay("b", "ana", "red", 15, unattended=True), lay("c", "ana", "red", 5), *out(0)],
        {"ana": 1000 - 10, "bo": 1000},
        id="what an absent player has on a chance is halved with the rest",
    ),
    pytest.param(
        {"rulebook": "fram", "chip": 6, "limits": {"simple": {"max": 20}}},
        [lay("b", "ana", "odd", 12, unattended=True), *out(25), {"do": "withdraw", "id": "b"}],
        {"ana": 1000 - 12 + 20, "bo": 1000},
        id="an ownerless stake rides up to the maximum",
    ),
    pytest.param(
        {"rulebook": "fram", "limits": {"straight": {"min": 5}, "split": {"min": 1}}},
        [lay("b", "ana", "17/20", 3), lay("c", "ana", "17/18", 8), *out(17)],
        {"ana": 1000, "bo": 1000},
        id="linked combinations below the minimum of a straight do not play",
    ),
    pytest.param(
        {
            "rulebook": "fram",
            "chip": {"ana": 1, "bo": 2},
            "limits": {"straight": {"min": 5}},
            "purses": {"ana": 1000, "bo": 0},
        },
        [{"do": "buy", "player": "bo", "amount": 9}, lay("b", "bo", "17", 6), *out(17)],
        {"ana": 1000, "bo": 9 + 210},
        id="a script's own chips are not held to the limits of a straight",
    ),
    pytest.param(
        {"rulebook": "fr"},
        [{"do": "buy", "player": "ana", "amount": 9, "chip": chip} for chip in (1, 2)],
        {"ana": 1000 + 9, "bo": 1000},
        id="where all play value chips, only another chip than the script's is refused",
    ),
]
"""Scripts that once came out differently, Italian unless they say so, and what players hold."""


@pytest.mark.parametrize(("table", "commands", "purses"), ONCE_APART)
def test_what_was_once_apart(table: Script, commands: list[Script], purses: dict[str, int]) -> None:
    start = {"id": "once", "rulebook": "it", "purses": {"ana": 1000, "bo": 1000}}
    script = {**start, **table, "script": commands}
    assert not apart(script)
    assert play(script)["purses"] == purses
