"""What a house that chooses the other word plays: each choice is the book's, not a house's name."""

from pathlib import Path
from typing import Any

import pytest

from novamas import rulebooks
from novamas.table.script import run_script

Step = dict[str, Any]


def stake(id: str, on: str, amount: int, **more: Any) -> Step:
    return {"do": "stake", "id": id, "player": "ana", "on": on, "amount": amount, **more}


def coup(number: int) -> tuple[Step, Step]:
    return {"do": "no_more_bets"}, {"do": "number", "number": number}


LOWER = {"do": "change_limits", "limits": {"straight": {"max": 25}}}
FOREIGN = {"count": 4, "table": "6", "opening_minimum": 3}
CHOICES: dict[str, tuple[str, Step, list[Step], tuple[int, ...], Step]] = {
    "chips.colour_worth": (
        'colour_worth = "any"',
        {"chip": 4, "purses": {"ana": 0}},
        [{"do": "buy", "player": "ana", "amount": 60, "chip": 6}],
        (),
        {"purses": {"ana": 60}},
    ),
    "chips.value_counted_in": (
        'value_counted_in = "own"',
        {"chip": {"ana": 12, "ben": 4}},
        [stake("s", "red", 28, value_chips=True), *coup(2)],
        (),
        {"won": 0, "returned": 28, "lost": 0, "held": 0},
    ),
    "pieces.foreign_counted": (
        "foreign_counted = true",
        {},
        [{"do": "stake", "id": "f", "player": "ana", "on": "30", "foreign": FOREIGN}, *coup(30)],
        (),
        {"won": 0, "returned": 12, "lost": 0, "held": 0},
    ),
    "pieces.winners_left_play": (
        "winners_left_play = false",
        {"settings": {"winning": "cloth"}},
        [stake("s", "22", 5), *coup(22), {"do": "withdraw", "id": "s", "amount": 4}, *coup(22)],
        (),
        {"won": 0, "returned": 1, "lost": 0, "held": 0},
    ),
    "limits.change_binds": (
        'change_binds = "betting"',
        {"limits": {"straight": {"max": 80}}},
        [stake("s", "9", 70), LOWER, *coup(9)],
        (),
        {"won": 875, "returned": 70, "lost": 0, "held": 0},
    ),
    "limits.change_binds after a void ball": (
        'change_binds = "betting"',
        {"limits": {"straight": {"max": 80}}},
        [stake("s", "9", 70), coup(9)[0], LOWER, {"do": "void", "cause": "ball_out"}, *coup(9)],
        (),
        {"won": 875, "returned": 70, "lost": 0, "held": 0},
    ),
    "betting.announcements_while_paying": (
        "announcements_while_paying = false",
        {},
        [
            stake("s", "14", 5),
            coup(14)[0],
            {"do": "pocket", "number": 14},
            {"do": "call"},
            {"do": "collect"},
            {"do": "announce", "id": "n", "player": "ana", "call": "nassa", "amount": 5},
            {"do": "pay", "payments": 1},
        ],
        (5,),
        {"won": 175, "returned": 5, "lost": 0, "held": 0},
    ),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_another_house_may_choose_otherwise(choice: str, tmp_path: Path) -> None:
    line, table, script, refused, brings = CHOICES[choice]
    key = line.partition(" = ")[0]
    text = rulebooks.source("it").splitlines()
    (place,) = (
        n for n, each in enumerate(text) if each.partition(" = ")[0] == key and "[" not in each
    )
    text[place] = line
    book = tmp_path / "other.toml"
    book.write_text("\n".join(text), "utf-8")
    given = {"rulebook": str(book), "purses": {"ana": 1000, "ben": 1000}, **table}
    outcome = run_script({**given, "script": script}, rulebooks.load_any)
    assert outcome["refused"] == list(refused)
    if "purses" in brings:
        assert outcome["purses"] == brings["purses"]
    else:
        assert outcome["coups"][-1]["players"]["ana"] == brings
