"""The example with 0, 00 and 000: a wheel of 39 pockets is a book, and needs no code."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from novamas.game.cloth import Point, SpotClass
from novamas.game.lines import Line
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.rulebooks import load, load_any
from novamas.table.script import run_script

PATH = Path(__file__).parents[2] / "docs" / "examples" / "triple-zero.toml"


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load_any(str(PATH))


def line_of(book: Rulebook, pocket: Pocket, on: str, amount: int) -> Line:
    """The line of one stake that lies alone on the cloth."""
    stake = Stake("b1", "ana", book.cloth.plan.spots[on], amount)
    (line,) = settle(book, pocket, [stake]).lines
    return line


def test_the_wheel_has_39_pockets_and_the_triple_zero_lies_beside_the_zero(book: Rulebook) -> None:
    pockets = book.wheel.pockets
    assert len(pockets) == 39
    assert set(pockets) == {0, "00", "000", *range(1, 37)}
    assert pockets.neighbours(0, 1) == ("000", 0, 28)
    assert pockets.neighbours("000", 1) == (2, "000", 0)


def test_the_cloth_has_what_two_zeros_have_and_four_spots_more(book: Rulebook) -> None:
    more = {spot.name for spot in book.terms} - {spot.name for spot in load("sd").terms}
    assert more == {"000", "0/000", "00/000", "0/00/000"}
    assert len(book.terms) == 161 + 4
    points = {name: book.cloth.plan.points[book.cloth.plan.spots[name]] for name in more}
    assert points == {
        "000": (Point(3, -3),),
        "0/000": (Point(1.5, -2),),
        "00/000": (Point(4.5, -2),),
        "0/00/000": (Point(3, -2),),
    }


@pytest.mark.parametrize(
    ("on", "out", "won", "article"),
    [
        ("000", "000", 35, "TRIPLEZERO-1"),
        ("0/000", 0, 17, "TRIPLEZERO-2"),
        ("00/000", "000", 17, "TRIPLEZERO-2"),
        ("0/00/000", "00", 11, "TRIPLEZERO-2"),
        ("0/00/1/2/3", 3, 6, "SD-G.1"),
        ("17", 17, 35, "TRIPLEZERO-3"),
    ],
)
def test_a_winner_is_paid_by_an_article_of_the_example_or_of_sd(
    book: Rulebook, on: str, out: Pocket, won: int, article: str
) -> None:
    line = line_of(book, out, on, 1)
    assert (line.won, line.returned) == (won, 1)
    assert article in line.articles


@pytest.mark.parametrize("out", [0, "00", "000"])
@pytest.mark.parametrize("on", ["red", "even", "low", "d1", "c3"])
def test_every_zero_takes_the_outside_bets(book: Rulebook, on: str, out: Pocket) -> None:
    line = line_of(book, out, on, 10)
    assert (line.lost, line.returned) == (10, 0)
    assert "TRIPLEZERO-4" in line.articles
    assert "SD-G.2" not in line.articles


def test_the_house_has_one_in_13_and_four_in_39_of_the_five(book: Rulebook) -> None:
    for spot in book.terms:
        hands = sum(line_of(book, out, spot.name, 1).hand for out in book.wheel.pockets)
        expected = Fraction(4, 39) if spot.kind is SpotClass.FIVE else Fraction(1, 13)
        assert 1 - Fraction(hands, 39) == expected, spot


def test_what_the_example_does_not_say_is_sds(book: Rulebook) -> None:
    sd = load("sd")
    assert book.wheel.causes == sd.wheel.causes
    assert book.wheel.turns == 4
    assert book.calls.no_more_bets == "No more bets"
    assert {name: post.word for name, post in book.posts.items()} == {
        "dealer": "dealer",
        "supervisor": "pit supervisor",
    }
    assert book.article("SD-06.d").summary == sd.article("SD-06.d").summary
    assert {id for id in book.articles if id.startswith("TRIPLEZERO-")} == {
        f"TRIPLEZERO-{number}" for number in range(1, 5)
    }
    # The table itself cites it, of every house.
    assert "X-03" in book.articles
    # What decides nothing here is not shown.
    assert "SD-01" not in book.articles
    assert "SD-G.2" not in book.articles


def test_a_table_plays_it() -> None:
    script: list[dict[str, Any]] = [
        {"do": "stake", "id": "a", "player": "ana", "on": "0/00/000", "amount": 3},
        {"do": "stake", "id": "b", "player": "ana", "on": "000", "amount": 1},
        {"do": "stake", "id": "c", "player": "ana", "on": "red", "amount": 10},
        {"do": "stake", "id": "d", "player": "ana", "on": "0/3", "amount": 10},
        {"do": "no_more_bets"},
        {"do": "number", "number": "000"},
    ]
    outcome = run_script(
        {"rulebook": str(PATH), "purses": {"ana": 100}, "script": script}, load_any
    )
    assert outcome["refused"] == [3]
    assert outcome["coups"][0]["number"] == "000"
    assert outcome["purses"] == {"ana": 100 + 33 + 35 - 10}


def test_the_number_is_called_triple_zero(book: Rulebook) -> None:
    assert book.calls.numbers["000"] == "triple zero"
