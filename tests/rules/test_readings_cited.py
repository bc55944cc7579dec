"""A line cites the readings that decided it, and none that did not."""

from typing import Any

import pytest

from novamas.game.cloth import spot
from novamas.game.lines import Line, Reason, Unplayed
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.stakes import Prisoner, Stake
from tests.rules.helpers import case, settled, stakes

LIMITS = {
    "straight": {"max": 100},
    "split": {"min": 5, "max": 200},
    "street": {"max": 300},
    "corner": {"max": 400},
    "sixline": {"max": 600},
    "dozen": {"max": 500},
    "simple": {"max": 1000},
}


def readings(line: Line) -> set[str]:
    """The readings that a line cites; X-03 is one of them."""
    return {id for id in line.articles if id.startswith(("AMB-", "X-"))}


def of_ar(pocket: int, bets: str, **more: Any) -> dict[str, set[str]]:
    """The spots of one player's stakes, and the readings that each cites."""
    lines = settled("ar", pocket, stakes(bets, **more), limits=LIMITS).lines
    return {line.stake.spot.name: readings(line) for line in lines}


@pytest.mark.parametrize(
    ("pocket", "bets", "cited"),
    [
        case("AMB-AR-08", 17, "17:150", {"17": {"AMB-AR-08"}}),
        case("AMB-AR-08", 17, "17:100", {"17": set()}),
        # 300 come down to a class that has room for 50: what is too much for it goes on.
        case(
            "AMB-AR-07", 17, "17:400 17/20:150", {"17": {"AMB-AR-08", "AMB-AR-07"}, "17/20": set()}
        ),
        # 50 come down, and 50 are what it has room for.
        case("AMB-AR-07", 17, "17:150 17/20:150", {"17": {"AMB-AR-08"}, "17/20": set()}),
        case("AMB-AR-09", 0, "0:2000", {"0": {"AMB-AR-08", "AMB-AR-09"}}),
        case("AMB-AR-09", 0, "0:200", {"0": {"AMB-AR-08"}}),
        case("AMB-AR-10", 17, "17:104", {"17": {"AMB-AR-08", "AMB-AR-10"}}),
        case("AMB-AR-10", 17, "17:105", {"17": {"AMB-AR-08"}}),
        case("AMB-AR-11", 17, "13/18:700", {"13/18": {"AMB-AR-11"}}),
        case(
            "AMB-AR-13",
            17,
            "17:150 17/18:260",
            {
                "17": {"AMB-AR-08", "AMB-AR-07", "AMB-AR-13"},
                "17/18": {"AMB-AR-08", "AMB-AR-13"},
            },
        ),
        case("AMB-AR-18", 14, "d1+d2:1200", {"d1+d2": {"AMB-AR-18"}}),
        case("AMB-AR-16 X-03", 14, "d1+d2:5", {"d1+d2": {"AMB-AR-16", "X-03"}}),
        case("AMB-AR-16 X-03", 14, "d1+d2:6", {"d1+d2": set()}),
        case("AMB-AR-29", 12, "even:600 even:500", {"even": {"AMB-AR-29"}}),
        case("AMB-AR-29", 11, "even:600 even:500", {"even": {"AMB-AR-29"}}),
        case("AMB-AR-29", 12, "even:1100", {"even": set()}),
    ],
)
def test_ar_the_readings_behind_an_excess(
    pocket: int, bets: str, cited: dict[str, set[str]]
) -> None:
    assert of_ar(pocket, bets) == cited


@pytest.mark.parametrize(
    ("pocket", "bets", "cited"),
    [
        case("AMB-AR-22", 8, "8:250", {"8": {"AMB-AR-22"}}),
        case("AMB-AR-22", 9, "8:250", {"8": {"AMB-AR-22"}}),
        case("AMB-AR-22", 8, "8:100", {"8": set()}),
        case("AR-22.b", 8, "even:1800", {"even": set()}),
    ],
)
def test_ar_22_the_reading_behind_an_unclear_stake_on_the_numbers(
    pocket: int, bets: str, cited: dict[str, set[str]]
) -> None:
    assert of_ar(pocket, bets, unclear=True) == cited


@pytest.mark.rule("AMB-IT-12", "IT-general-15b")
def test_it_15_the_later_stake_is_cut_whoever_laid_it_for_whom() -> None:
    own = Stake("own", "ana", spot("17"), 30)
    other = Stake("other", "luis", spot("17"), 30, principal="ana")
    limits = {"straight": {"max": 50}}
    for first, second in ((own, other), (other, own)):
        lines = {
            line.stake.id: line for line in settled("it", 17, [first, second], limits=limits).lines
        }
        assert "AMB-IT-12" in lines[second.id].articles
        assert "AMB-IT-12" not in lines[first.id].articles
        assert lines[second.id].unplayed == (Unplayed(Reason.EXCESS, 10),)


@pytest.mark.rule("IT-general-15b")
def test_it_15_a_stake_over_the_maximum_with_another_of_its_owner_cites_that_limit() -> None:
    limits = {"straight": {"max": 50}}
    over, within = settled("it", 17, "17:50 17:10", limits=limits).lines
    assert (over.stake.amount, within.stake.amount) == (10, 50)
    assert "IT-general-15b" in over.articles
    assert "IT-general-15b" not in within.articles


@pytest.mark.rule("X-03", "IT-gioco-14")
def test_it_14_what_is_less_than_a_chip_is_named_and_cites_x_03() -> None:
    stake = Stake("b1", "ana", spot("red"), 23, chip=10, kind=ChipKind.VALUE)
    (line,) = settled("it", 0, [stake]).lines
    assert (line.returned, line.lost, line.unplayed) == (13, 10, (Unplayed(Reason.LOOSE, 3),))
    assert "X-03" in line.articles
    (even,) = settled("it", 0, "red:4").lines
    assert readings(even) == set()


@pytest.mark.parametrize(
    ("amount", "spin", "cited"),
    [
        case("X-03 AMB-ES-05", 5, "one of many", {"AMB-ES-05", "X-03"}),
        case("X-03 AMB-ES-05", 6, "one of many", set()),
        # A half of 6 is 3, of which a half is forced.
        case("X-03 AMB-ES-05", 6, "the last", {"AMB-ES-05", "X-03"}),
        case("X-03 AMB-ES-05", 8, "the last", set()),
    ],
)
def test_es_an_odd_unit_in_prison_cites_who_gets_it(
    amount: int, spin: str, cited: set[str]
) -> None:
    prisoner = Prisoner("b1", "ana", spot("red"), amount)
    (line,) = settled("es", 0, prison=[prisoner], last=spin == "the last").lines
    assert readings(line) == cited


@pytest.mark.rule("AMB-ES-05", "X-03")
def test_es_half_of_an_odd_stake_on_two_dozens_cites_who_gets_the_odd_unit() -> None:
    (odd,) = settled("es", 5, "d1+d2:5").lines
    (even,) = settled("es", 5, "d1+d2:6").lines
    assert (odd.won, even.won) == (3, 3)
    assert (readings(odd), readings(even)) == ({"AMB-ES-05", "X-03"}, set())
