"""The tenth house of the page on rulebooks: three differences from South Dakota, in 36 lines."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import novamas as nv
from novamas.game.rulebook.compare import differences
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.rulebooks import load, load_any
from novamas.table.script import run_script

PATH = Path(__file__).parents[2] / "docs" / "examples" / "atlantic.toml"


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load_any(str(PATH))


def test_it_is_short() -> None:
    assert len(PATH.read_text("utf-8").splitlines()) <= 40


def test_it_differs_from_south_dakota_in_three_things(book: Rulebook) -> None:
    found = {each.section: each for each in differences(load("sd"), book)}
    assert [*found] == ["zero", "limits", "excess", "seats"], "limits and excess are one difference"
    own = {path.partition(".")[0] for path, id in book.origins.items() if id == "atlantic"}
    assert own == {"id", "language", "title", "zero", "limits", "seats"}


@pytest.mark.parametrize("out", [0, "00"])
def test_a_zero_takes_half_of_an_even_chance_and_all_of_a_dozen(
    book: Rulebook, out: Pocket
) -> None:
    coup = nv.settle(book, out, "ana red:10 d1:4", "luis 0/00:2")
    red, dozen, split = coup.lines
    assert (red.returned, red.lost) == (5, 5)
    assert "ATLANTIC-1.a" in red.articles
    assert (dozen.returned, dozen.lost) == (0, 4)
    assert "ATLANTIC-1.b" in dozen.articles
    assert not {"SD-G.2", "AMB-SD-02"} & {*red.articles, *dozen.articles}
    assert (split.won, split.returned) == (34, 2)


@pytest.mark.rule("X-03")
def test_an_odd_unit_goes_to_the_player_and_the_odds_say_so(book: Rulebook) -> None:
    (line,) = nv.settle(book, 0, "ana red:5").lines
    assert (line.returned, line.lost) == (3, 2)
    assert "X-03" in line.articles
    (warned,) = nv.odds(book, "red:5").rounded
    assert (warned.edge, warned.exact_edge) == (Fraction(2, 95), Fraction(1, 38))
    assert warned.articles == ("X-03",)


def test_surrender_halves_what_the_house_keeps_of_an_even_chance(book: Rulebook) -> None:
    edges = nv.compare("red:10", houses=["sd", book]).edges
    assert edges == {"sd": Fraction(1, 19), "atlantic": Fraction(1, 38)}
    assert nv.odds(book, "0/00/1/2/3:5").edge == Fraction(3, 38)


def test_its_cloth_is_drawn(book: Rulebook) -> None:
    drawing = nv.cloth(book, "ana red:10 0/00/1/2/3:5", number="00")
    assert drawing.svg().startswith("<svg")
    assert re.search(r"\b00\b", str(drawing))


def test_a_table_plays_it() -> None:
    script: list[dict[str, Any]] = [
        {"do": "stake", "id": "a", "player": "ana", "on": "red", "amount": 10},
        {"do": "stake", "id": "b", "player": "ana", "on": "17", "amount": 31},
        {"do": "no_more_bets"},
        {"do": "number", "number": "00"},
    ]
    outcome = run_script(
        {
            "rulebook": str(PATH),
            "purses": {"ana": 100},
            "limits": {"straight": {"max": 30}},
            "script": script,
        },
        load_any,
    )
    (refusal,) = outcome["refusals"]
    assert (refusal["index"], refusal["articles"]) == (1, ["ATLANTIC-2"])
    assert outcome["purses"] == {"ana": 95}


def test_the_ninth_player_finds_no_seat() -> None:
    players = [f"p{number}" for number in range(1, 10)]
    outcome = run_script(
        {
            "rulebook": str(PATH),
            "purses": {},
            "script": [{"do": "sit", "player": player} for player in players],
        },
        load_any,
    )
    assert outcome["refused"] == [8]
    assert outcome["refusals"][0]["articles"] == ["ATLANTIC-3"]
