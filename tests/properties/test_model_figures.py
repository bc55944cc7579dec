"""The second model agrees with the figures that are known of the further houses.

Counts of the cloth, what the house wins of each bet, and the table of linked combinations: each was
found by another way than by playing scripts.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.properties.model.cloth import pockets_of, spots_of
from tests.properties.model.play import play

Script = dict[str, Any]

ONE_ZERO = {"straight": 37, "split": 60, "street": 14, "corner": 23, "sixline": 11}
TWO_ZEROS = {"straight": 38, "split": 62, "street": 15, "corner": 22, "five": 1, "sixline": 11}
BOXES = {"dozen": 3, "column": 3, "simple": 6}
COUNTS = [
    pytest.param("fr", {**ONE_ZERO, **BOXES}, 4, 157, id="fr"),
    pytest.param("fram", {**TWO_ZEROS, **BOXES}, 0, 161, id="fram"),
    pytest.param("fran", {**ONE_ZERO, **BOXES}, 4, 157, id="fran"),
    pytest.param("esam", {**ONE_ZERO, **BOXES}, 4, 157, id="esam"),
    pytest.param("sd", {**TWO_ZEROS, **BOXES}, 0, 161, id="sd"),
]


@pytest.mark.parametrize(("house", "classes", "straddles", "all_spots"), COUNTS)
def test_the_cloth_has_so_many_spots(
    house: str, classes: dict[str, int], straddles: int, all_spots: int
) -> None:
    spots = spots_of(house)
    alone = {name: both for name, both in spots.items() if "+" not in name}
    assert len(alone) == all_spots
    assert len(spots) - len(alone) == straddles
    assert Counter(kind for kind, _ in alone.values()) == classes


@pytest.mark.parametrize(("number", "spots"), [(2, 14), (0, 7), ("00", 7)])
def test_a_number_at_the_head_lies_in_so_many_spots(number: int | str, spots: int) -> None:
    numbers = {name: both for name, both in spots_of("fram").items() if both[0] not in BOXES}
    assert sum(number in covered for _, covered in numbers.values()) == spots


def edge(house: str, spot: str) -> Fraction:
    """What the house wins of a stake, on the average; a half is taken where there is a choice."""
    lost = 0
    for number in pockets_of(house):
        script: list[Script] = [
            {"do": "stake", "id": "a", "player": "ana", "on": spot, "amount": 4},
            {"do": "no_more_bets"},
            {"do": "number", "number": number},
            {"do": "choose", "id": "a", "choice": "half"},
        ]
        lost += play({"rulebook": house, "purses": {"ana": 4}, "script": script})["bank"]
    return Fraction(lost, 4 * len(pockets_of(house)))


EDGES = {"fr": (37, 74), "fram": (19, 19), "fran": (37, 74), "esam": (37, 74), "sd": (19, 19)}


@pytest.mark.parametrize("house", EDGES)
def test_the_house_wins_so_much_of_each_bet(house: str) -> None:
    for spot, (kind, _) in spots_of(house).items():
        expected = Fraction(1, EDGES[house][kind == "simple"])
        if kind == "five":
            expected = Fraction(3, 38)
        assert edge(house, spot) == expected, spot


CHANCES_BESIDE = "17:5 13/18:5 16/20:5 d2:200 red:50"
LEVELLED = [
    ("17:5 17/20:3 20/23:4 1:10", 1, (1, 20, 40), "17:3 17/20:3 20/23:3 1:10", 3),
    ("17/20:30 17/18:30", 1, (1, 20, 40), "17/20:20 17/18:20", 20),
    ("17/20:40", 1, (1, 20, 40), "17/20:40", 0),
    (CHANCES_BESIDE, 1, (1, 20, 40), CHANCES_BESIDE, 0),
    ("0/00/1/2/3:25 0/00:8 00/3:14 3:9", 1, (1, 20, 40), "0/00/1/2/3:8 0/00:8 00/3:8 3:8", 24),
    ("8/11:32 10/11:20", 4, (2, 18, 40), "8/11:16 10/11:16", 20),
]


@pytest.mark.parametrize(("laid", "chip", "limits", "plays", "returned"), LEVELLED)
def test_linked_combinations_are_levelled(
    laid: str, chip: int, limits: tuple[int, int, int], plays: str, returned: int
) -> None:
    least, straight, split = limits
    stakes: list[Script] = []
    for one in laid.split():
        on, amount = one.split(":")
        stakes.append({"do": "stake", "id": on, "player": "ana", "on": on, "amount": int(amount)})
    table = {
        "rulebook": "fram",
        "limits": {"straight": {"min": least, "max": straight}, "split": {"max": split}},
        "chip": chip,
        "purses": {"ana": 1000},
    }
    out = [{"do": "no_more_bets"}, {"do": "void", "cause": "ball_out"}]
    # What lies there still can be taken back, and no more than that.
    each = [one.split(":") for one in plays.split()]
    back = [{"do": "withdraw", "id": on, "amount": int(amount)} for on, amount in each]
    outcome = play({**table, "script": [*stakes, *out, *back]})
    assert outcome["refused"] == []
    assert outcome["purses"] == {"ana": 1000}
    kept = play({**table, "script": [*stakes, *out]})
    assert kept["purses"] == {"ana": 1000 - sum(int(amount) for _, amount in each)}
    assert returned == sum(stake["amount"] for stake in stakes) - sum(int(a) for _, a in each)
