"""What differs between the books of the houses, and what each house keeps of a stake."""

from fractions import Fraction
from itertools import combinations

import pytest

from novamas.game.rulebook.choices import Pays, choices
from novamas.game.rulebook.compare import Difference, differences
from novamas.odds.edges import compare_edges, edges
from novamas.rulebooks import HOUSES, load


def by_key(*houses: str) -> dict[tuple[str, str], Difference]:
    return {(each.section, each.key): each for each in differences(*map(load, houses))}


@pytest.mark.parametrize("house", HOUSES)
def test_a_book_does_not_differ_from_itself(house: str) -> None:
    assert differences(load(house), load(house)) == ()


@pytest.mark.parametrize(("one", "other"), [*combinations(HOUSES, 2)])
def test_the_order_of_the_houses_changes_nothing_but_the_sides(one: str, other: str) -> None:
    there, back = by_key(one, other), by_key(other, one)
    assert {key: each.sides[::-1] for key, each in there.items()} == {
        key: each.sides for key, each in back.items()
    }
    for each in there.values():
        assert each.values[0] != each.values[1]
        for house, side in zip((one, other), each.sides, strict=True):
            assert side is None or set(side.articles) <= set(load(house).articles)


@pytest.mark.parametrize(("one", "other"), [*combinations(HOUSES, 2)])
def test_every_datum_that_is_not_the_same_is_told(one: str, other: str) -> None:
    """Checked the other way round: what is not told must be equal in both books."""
    told = by_key(one, other)
    mine = {(each.section, each.key): each.value for each in choices(load(one))}
    theirs = {(each.section, each.key): each.value for each in choices(load(other))}
    for key in mine.keys() & theirs.keys():
        section, name = key
        words = section == "posts" and name.endswith(".word")
        words |= section == "calls" and name.startswith("chances.")
        if key not in told and not words and section != "spots":
            assert mine[key] == theirs[key], key
    for spot in {*load(one).terms} | {*load(other).terms}:
        pays = [load(house).terms.get(spot) for house in (one, other)]
        alike = len({p and (p.pays, p.halves) for p in pays}) == 1
        keys = [each.key for each in told.values() if isinstance_pays(each)]
        named = any(spot.name in key.split() or key == spot.kind for key in keys)
        assert named != alike, spot


def isinstance_pays(difference: Difference) -> bool:
    return any(isinstance(value, Pays) for value in difference.values)


def test_two_zeros_beside_one() -> None:
    found = by_key("fr", "fram")
    assert found["wheel", "order"].values == ("european", "american")
    assert found["cloth", "zeros"].values == ((0,), (0, "00"))
    assert found["zero", "simple"].values == ("choice", "lose")
    assert found["spots", "split 0/3"].values == (Pays(Fraction(17), halves=False), None)
    assert found["spots", "five 0/00/1/2/3"].values == (None, Pays(Fraction(6), halves=False))
    assert found["limits", "multiples_of_minimum.five"].values == (None, 100)
    side = found["limits", "multiples_of_minimum.straight"].sides[1]
    assert side is not None
    assert side.articles == ("FRAM-55-3.e",), "the article on that class alone"


def test_a_post_that_only_one_house_has_is_one_difference() -> None:
    found = by_key("fr", "es")
    assert found["posts", "subchief"].values == ("sous-chef de table", None)
    assert not any(key.startswith("subchief.") for _, key in found)


ONE_ZERO, TWO_ZEROS = Fraction(1, 37), Fraction(1, 19)


@pytest.mark.parametrize(
    ("house", "simple"),
    [
        ("ar", {"": "1/37"}),
        ("es", {"half": "1/74", "prison": "1/73"}),
        ("it", {"": "1/74"}),
        ("bg", {"": "1/37"}),
        ("fr", {"half": "1/74", "prison": "1/73"}),
        ("fram", {"": "1/19"}),
        ("fran", {"": "1/74"}),
        ("esam", {"": "1/74"}),
        ("sd", {"": "1/19"}),
    ],
)
def test_the_edge_of_every_class(house: str, simple: dict[str, str]) -> None:
    book = load(house)
    found = edges(book)
    assert {each.choice: str(each.edge) for each in found if each.bet == "simple"} == simple
    every = ONE_ZERO if len(book.wheel.pockets.zeros) == 1 else TWO_ZEROS
    for each in found:
        if each.bet not in ("simple", "five"):
            assert each.edge == every, each
    five = [each.edge for each in found if each.bet == "five"]
    assert five == ([] if every == ONE_ZERO else [Fraction(3, 38)])
    assert {each.bet for each in found} == {str(spot.kind) for spot in book.terms}


def test_edges_side_by_side() -> None:
    found = {(each.bet, each.choice): each for each in compare_edges(*map(load, ("fr", "sd")))}
    assert found["five", ""].edges == (None, Fraction(3, 38))
    assert found["simple", "half"].edges == (Fraction(1, 74), TWO_ZEROS)
    assert found["simple", "prison"].edges == (Fraction(1, 73), TWO_ZEROS)
    assert found["straddle", ""].edges == (ONE_ZERO, None)
    assert all(each.differ for each in found.values())
