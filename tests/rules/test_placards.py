"""Every table has a placard: by its book's own multiples of the minimum, straddles besides."""

from dataclasses import replace

import pytest

from novamas.game.cloth import LIMITED, SPOTS, SpotClass
from novamas.game.limits import Limit, placard
from novamas.rulebooks import HOUSES, load
from novamas.table.events import StakesReturned
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import opened, place, refused

MULTIPLES = {
    "straight": 30,
    "split": 60,
    "street": 90,
    "corner": 120,
    "sixline": 180,
    "dozen": 360,
    "column": 360,
    "simple": 540,
}


@pytest.mark.parametrize(
    "house",
    [
        pytest.param("ar", marks=pytest.mark.rule("AR-13", "NV-12")),
        pytest.param("es", marks=pytest.mark.rule("ES-G.4")),
        pytest.param("it", marks=pytest.mark.rule("IT-general-15a", "NV-12")),
        pytest.param("bg", marks=pytest.mark.rule("AMB-BG-08", "NV-12")),
    ],
)
def test_the_placard_follows_from_the_minimum(house: str) -> None:
    book = load(house)
    limits = placard(book, 20)
    assert {kind.value: limits[kind] for kind in LIMITED if kind in book.cloth.plan.classes} == {
        name: Limit(20, 20 * times) for name, times in MULTIPLES.items()
    }
    table = opened(house, {"ana": 10_000}, chip=20, limits=limits, limits_kept=book.limits.kept[0])
    table.stake("ana", "17:600")
    refusal = refused(table, place("ana", "17:20"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.EXCEEDS_MAXIMUM,
        book.limits.cites.maximum,
    )


@pytest.mark.rule("AR-17.a", "AR-17.b", "AMB-AR-17", "AMB-AR-19")
def test_ar_17_the_placard_has_the_limits_a_caballo() -> None:
    apart = placard(load("ar"), 10).apart(load("ar"))
    assert {spot.name: limit for spot, limit in apart.items()} == {
        "d1+d2": Limit(20, 2 * 3600),
        "d2+d3": Limit(20, 2 * 3600),
        "c1+c2": Limit(20, 2 * 3600),
        "c2+c3": Limit(20, 2 * 3600),
        "low+d3": Limit(20, 2 * 5400),
    }


@pytest.mark.rule("AMB-AR-19", "AR-13")
def test_ar_13_a_stake_a_caballo_that_is_too_little_cites_why_it_needs_twice_the_minimum() -> None:
    terms = load("ar").terms[SPOTS["d1+d2"]]
    assert terms.minimum_cites == ("AMB-AR-19",)
    table = opened("ar", {"ana": 100}, chip=10, limits=placard(load("ar"), 10))
    table.stake("ana", "d1+d2:10 17:10")
    table.close()
    ((_, amount, articles),) = table.last(StakesReturned).returned
    assert (amount, articles) == (10, ("AR-13", "X-05", "AMB-AR-19"))


@pytest.mark.parametrize("house", HOUSES)
def test_a_class_without_a_multiple_has_a_minimum_alone(house: str) -> None:
    book = load(house)
    rules = replace(book.limits, multiples_of_minimum={SpotClass.STRAIGHT: 30})
    limits = placard(replace(book, limits=rules), 10)
    assert limits[SpotClass.STRAIGHT] == Limit(10, 300)
    assert limits[SpotClass.SIMPLE] == Limit(10, None)
