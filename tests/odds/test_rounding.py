"""Odd units: where a rounding lowers what the house keeps, the odds say so (X-03, AMB-X-03)."""

import json
from fractions import Fraction

import pytest

import novamas as nv
from novamas.game.cloth import SpotClass
from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.odds.one_coup import odds_of
from novamas.rulebooks import HOUSES, load
from tests.cli.running import good

STRADDLES = [
    house for house in HOUSES if any(spot.kind is SpotClass.STRADDLE for spot in load(house).terms)
]
HALVES = [house for house in HOUSES if load(house).zero.simple is ZeroRule.HALF]
CHOICES = [house for house in HOUSES if load(house).zero.simple is ZeroRule.CHOICE]


def test_the_houses_that_halve() -> None:
    assert STRADDLES == ["ar", "es", "fr", "fran", "esam"]
    assert HALVES == ["fran", "esam"]
    assert CHOICES == ["es", "fr"]


@pytest.mark.rule("X-03", "AMB-X-03")
@pytest.mark.parametrize("house", STRADDLES)
def test_one_unit_on_two_dozens_gives_the_player_an_edge(house: str) -> None:
    (found,) = nv.odds(house, "d1+d2:1").rounded
    assert found.edge == Fraction(-11, 37)
    assert found.exact_edge == Fraction(1, 37)
    assert found.divides == 2
    assert found.laid == "d1+d2:1"
    assert "X-03" in found.articles
    assert found.articles == load(house).settled.rounded
    assert str(found) == (
        f"d1+d2:1 is rounded for the player ({', '.join(found.articles)}): the player has an edge "
        "of 11/37, where the house keeps 1/37 of a stake that divides; a multiple of 2 divides"
    )
    for spot in load(house).terms:
        if spot.kind is SpotClass.STRADDLE:
            for amount in (1, 3, 5, 101):
                (one,) = nv.odds(house, f"{spot.name}:{amount}").rounded
                assert one.edge < one.exact_edge == Fraction(1, 37)
            for amount in (2, 4, 6, 100):
                assert nv.odds(house, f"{spot.name}:{amount}").rounded == ()


@pytest.mark.rule("X-03", "AMB-X-03")
@pytest.mark.parametrize("house", HALVES)
@pytest.mark.parametrize(("amount", "edge"), [(1, "0"), (3, "1/111"), (5, "2/185"), (7, "3/259")])
def test_an_odd_unit_lowers_what_a_compulsory_half_costs(
    house: str, amount: int, edge: str
) -> None:
    odds = nv.odds(house, f"red:{amount}")
    (found,) = odds.rounded
    assert odds.edge == found.edge == Fraction(edge)
    assert found.exact_edge == Fraction(1, 74)
    assert found.divides == 2
    assert "AMB-X-03" in found.articles
    assert f"the house keeps {edge} instead of 1/74" in str(found)
    assert nv.odds(house, f"red:{amount + 1}").rounded == ()
    # The half is taken of all that a player has on the chance.
    assert nv.odds(house, f"red:{amount} red:{amount}").rounded == ()
    assert nv.odds(house, f"red:{amount} black:{amount}").rounded != ()


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("house", CHOICES)
def test_an_odd_unit_in_prison(house: str) -> None:
    for choice, exact in (("half", Fraction(1, 74)), ("prison", Fraction(1, 73))):
        (one,) = nv.odds(house, "red:1", choice=choice).rounded
        assert one.edge < one.exact_edge == exact
        (three,) = nv.odds(house, "red:3", choice=choice).rounded
        assert three.divides == 2
        # Later halves may be odd: that is told by a divisible stake, not by a warning.
        assert nv.odds(house, "red:2", choice=choice).rounded == ()
        # Each stake is chosen for alone.
        assert len(nv.odds(house, "red:1 red:1", choice=choice).rounded) == 1
    assert nv.odds(house, "red:1", divisible=True).rounded == ()


@pytest.mark.parametrize("house", HOUSES)
def test_nothing_else_is_rounded(house: str) -> None:
    book = load(house)
    for spot in book.terms:
        halved = spot.kind is SpotClass.STRADDLE or (
            spot.kind is SpotClass.SIMPLE and book.zero.simple in (ZeroRule.HALF, ZeroRule.CHOICE)
        )
        for amount in (1, 3):
            assert bool(odds_of(book, f"{spot.name}:{amount}").rounded) is halved, spot.name


def test_each_bet_is_named_once_and_alone() -> None:
    odds = nv.odds("fran", "d1+d2:1 17:3 red:3 even:2 voisins:9")
    assert [each.laid for each in odds.rounded] == ["d1+d2:1", "red:3"]
    assert nv.odds("es", "d1+d2:5", chip=5).rounded[0].divides == 10


def test_the_answer_as_data() -> None:
    data = nv.odds("fran", "red:1").as_data()
    assert data["rounded"] == [
        {
            "laid": "red:1",
            "edge": "0",
            "exact_edge": "1/74",
            "divides": 2,
            "articles": ["X-03", "AMB-X-03"],
        }
    ]
    json.dumps(data)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        (ENGLISH, "A multiple of 2 divides without a rest."),
        (SPANISH, "múltiplo de 2"),
        (ITALIAN, "multiplo di 2"),
        (FRENCH, "multiple de 2"),
        (BULGARIAN, "кратен на 2"),
    ],
)
def test_the_command_warns_in_every_language(language: str, says: str) -> None:
    for layout, figures in (("d1+d2:1", ("11/37", "1/37")), ("red:3", ("1/111", "1/74"))):
        told = " ".join(good("odds", "fran", layout, "--lang", language).split())
        assert says in told
        assert "(X-03, AMB-X-03)" in told
        assert all(figure in told for figure in figures)
        data = json.loads(good("odds", "fran", layout, "--lang", language, "--json"))
        (warning,) = data["warnings"]
        assert says in warning["text"]
        assert warning["articles"] == ["X-03", "AMB-X-03"]
        assert f"{warning['on']}:{warning['amount']}" == layout
        assert warning["divides"] == 2
    assert json.loads(good("odds", "fran", "red:2", "--json"))["warnings"] == []
