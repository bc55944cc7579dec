"""F13: every way to cheat with the ball that we know is found by the player's own verifier."""

import json
from collections import Counter
from typing import Any

import pytest

from novamas.house.ball.verify_ball import PROBLEMS, verdict
from scripts.vectors.__main__ import TARGET, written
from tests.promises.figures import record

VECTORS: list[dict[str, Any]] = json.loads(TARGET.read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_f13_a_verifier_finds_what_each_vector_says(vector: dict[str, Any]) -> None:
    found = verdict(vector["proof"], vector["events"], vector["table"])
    assert sorted({problem for problem, _ in found["problems"]}) == vector["problems"]
    assert {key: found[key] for key in vector["counts"]} == vector["counts"]


def test_f13_the_published_vectors_are_those_that_are_played() -> None:
    assert TARGET.read_text("utf-8") == written(), "python -m scripts.vectors writes them anew"


def test_f13_every_problem_has_a_vector_of_its_own() -> None:
    alone = Counter(each["problems"][0] for each in VECTORS if len(each["problems"]) == 1)
    assert alone.keys() == PROBLEMS.keys()
    honest = [each for each in VECTORS if not each["problems"]]
    cheats = [each for each in VECTORS if each["problems"]]
    assert all(each["counts"]["spins"] for each in honest)
    record(
        "F13",
        "ways to cheat with the ball, each played against the player's verifier and found",
        ways=len(cheats),
        kinds=len(PROBLEMS),
        honest_evenings=len(honest),
        false_alarms=0,
    )


def vector(name: str) -> dict[str, Any]:
    return next(each for each in VECTORS if each["name"] == name)


def test_f13_what_is_not_wrong_is_counted() -> None:
    """What a confederate may still do, and what a start of the house does, is told."""
    nothing = {"yours": 0, "missed": 0, "withheld": 0}
    none = {"opened": 0, "used_up": 0, "taken_up": 0}
    expected = {
        "honest": {"spins": 3, **nothing, "yours": 3, "chains": {**none, "opened": 1}},
        "honest_withheld": {
            "spins": 2,
            **nothing,
            "yours": 2,
            "withheld": 1,
            "chains": {**none, "opened": 1},
        },
        "honest_missed": {
            "spins": 2,
            **nothing,
            "yours": 1,
            "missed": 1,
            "chains": {**none, "opened": 1},
        },
        "honest_taken_up": {
            "spins": 2,
            **nothing,
            "yours": 2,
            "chains": {**none, "opened": 1, "taken_up": 1},
        },
        "honest_used_up": {
            "spins": 5,
            **nothing,
            "yours": 5,
            "chains": {**none, "opened": 1, "used_up": 2},
        },
    }
    for name, counts in expected.items():
        assert vector(name)["counts"] == counts, name
