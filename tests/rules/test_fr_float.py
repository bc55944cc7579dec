"""France, articles 42 to 44, 49 and 50, at all three roulettes: the float of a table."""

import pytest

from novamas.rulebooks import load
from tests.rules.helpers import case


@pytest.mark.parametrize(
    ("house", "cited"),
    [
        case("FR-49 FR-53.k", "fr", ("FR-49", "FR-53.k")),
        case("FRAM-43", "fram", ("FRAM-43",)),
        case("FRAN-43", "fran", ("FRAN-43",)),
    ],
)
def test_fr_49_the_float_is_15000_minima_at_all_three_roulettes(
    house: str, cited: tuple[str, ...]
) -> None:
    rules = load(house).float
    assert rules is not None
    assert rules.minima == 15000
    assert rules.cites.minima == cited


@pytest.mark.parametrize(
    "house",
    [
        case("FR-42 FR-43.a FR-43.b FR-44.a", "fr"),
        case("FRAM-43", "fram"),
        case("FRAN-43", "fran"),
    ],
)
def test_fr_42_it_is_refilled_with_its_like_counted_and_stops_the_game(house: str) -> None:
    rules = load(house).float
    assert rules is not None
    assert (rules.equal_refills, rules.counted, rules.suspends) == (True, True, True)
