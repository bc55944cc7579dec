"""Many coups: equal to every sequence counted, and in floating point as precise as it says."""

import itertools
import time
from fractions import Fraction
from math import comb, isclose, sqrt

import pytest

from novamas.odds import many_coups
from novamas.odds.errors import TooLargeError
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.many_coups import ExactResults, RoundedResults, after_coups, fourier
from novamas.odds.play import Play, Prison, read_choices
from novamas.rulebooks import HOUSES, load

LAYOUTS = {
    "ar": "red:10 17:5 low+d3:4",
    "es": "red:10 17:1",
    "it": "red:7 17:5",
    "bg": "17~2:5 red:3",
    "fr": "red:10 d1+d2:3",
    "fram": "0/00/1/2/3:5 red:3",
    "fran": "red:7 tiers:6",
    "esam": "red:5 c1+c2:4",
    "sd": "00:1 red:3",
}


def counted(house: str, layout: str, coups: int, *, lays_on: bool = False) -> dict[int, Fraction]:
    """The law by following every kind of pocket from coup to coup, with nothing clever."""
    play = Play(Layout.read(load(house), layout))
    carrier = Carrier(play)
    law: dict[int, Fraction] = {}
    of = len(play.wheel)

    def follow(left: int, net: int, prison: Prison, share: Fraction) -> None:
        if not left:
            for more, chance in carrier.law(prison).outcomes.items():
                law[net + int(more)] = law.get(net + int(more), Fraction(0)) + share * chance
            return
        for turn in play.turns(times=0 if prison and not lays_on else 1, prison=prison):
            follow(left - 1, net + turn.net, turn.prison, share * Fraction(turn.pockets, of))

    follow(coups, 0, (), Fraction(1))
    return law


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("coups", [1, 2, 3, 4, 5])
def test_few_coups_by_every_sequence(house: str, coups: int) -> None:
    results = after_coups(load(house), LAYOUTS[house], coups)
    assert isinstance(results, ExactResults)
    assert results.outcomes == counted(house, LAYOUTS[house], coups)


def test_three_coups_by_every_pocket() -> None:
    play = Play(Layout.read(load("bg"), "red:3 17:1"))
    nets = [play.pocket(number).net for number in play.wheel]
    ways: dict[int, int] = {}
    for sequence in itertools.product(nets, repeat=3):
        ways[sum(sequence)] = ways.get(sum(sequence), 0) + 1
    results = after_coups(load("bg"), "red:3 17:1", 3)
    assert isinstance(results, ExactResults)
    assert results.total == 37**3
    assert results.ways == dict(sorted(ways.items()))


@pytest.mark.parametrize(("house", "layout"), [("es", "red:3"), ("it", "red:3 low:1")])
def test_a_player_who_lays_on_in_prison(house: str, layout: str) -> None:
    for coups in (1, 2, 3, 4):
        results = after_coups(load(house), layout, coups, lays_on=True)
        assert isinstance(results, ExactResults)
        assert results.outcomes == counted(house, layout, coups, lays_on=True)
    waits = after_coups(load(house), layout, 3)
    assert isinstance(waits, ExactResults)
    assert waits.outcomes != counted(house, layout, 3, lays_on=True)


def test_a_layout_laid_at_every_coup_loses_as_much_as_that_many() -> None:
    odds = after_coups(load("es"), "red:10", 1)
    results = after_coups(load("es"), "red:10", 30, lays_on=True)
    assert isclose(results.mean, 30 * odds.mean, rel_tol=1e-12)


def test_the_binomial_law() -> None:
    results = after_coups(load("ar"), "17:1", 1000)
    assert isinstance(results, ExactResults)
    assert results.outcomes == {
        36 * wins - 1000: Fraction(comb(1000, wins) * 36 ** (1000 - wins), 37**1000)
        for wins in range(1001)
    }
    assert results.mean == pytest.approx(-1000 / 37)
    assert results.deviation == pytest.approx(sqrt(1000 * 46656 / 1369))
    assert results.ahead + results.even + results.behind == 1


def check_rounded(house: str, layout: str, coups: int, *, lays_on: bool = False) -> None:
    """The law in floating point is within its own precision of the exact one."""
    exact = after_coups(load(house), layout, coups, lays_on=lays_on, exact=True)
    rounded = after_coups(load(house), layout, coups, lays_on=lays_on, exact=False)
    assert isinstance(exact, ExactResults)
    assert isinstance(rounded, RoundedResults)
    assert 0 < rounded.precision < 1e-10
    spread = list(exact.ways)[:: max(1, len(exact.ways) // 100)]
    for net in [*spread, 0, -1, 1, 10**9, -(10**9)]:
        assert abs(rounded.at_most(net) - exact.at_most(net)) <= rounded.precision
        assert abs(rounded.chance(net) - exact.chance(net)) <= rounded.precision
    mean = Fraction(sum(net * ways for net, ways in exact.ways.items()), exact.total)
    square = Fraction(sum(net**2 * ways for net, ways in exact.ways.items()), exact.total)
    for results in (exact, rounded):
        assert isclose(results.mean, mean, rel_tol=1e-9)
        assert isclose(results.deviation, sqrt(square - mean**2), rel_tol=1e-9)


@pytest.mark.parametrize(
    ("house", "layout", "coups"),
    [
        ("ar", "red:10", 3000),
        ("bg", "17:1", 3000),
        ("ar", "red:10 17:5 low+d3:4", 300),
        ("it", "red:10 17:5", 500),
        ("it", "red:7", 150),
        ("es", "red:10", 60),
        ("es", "red:10 17:1", 30),
        ("es", "red:4", 401),
        ("es", "red:1", 9),
    ],
)
def test_floating_point_is_as_precise_as_it_says(house: str, layout: str, coups: int) -> None:
    check_rounded(house, layout, coups)


def test_floating_point_for_one_who_lays_on() -> None:
    check_rounded("es", "red:2", 20, lays_on=True)
    check_rounded("it", "red:3", 20, lays_on=True)


def test_without_numpy_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = after_coups(load("es"), "red:100", 2_000, exact=False)
    assert isinstance(fast, RoundedResults)
    monkeypatch.setattr(fourier, "numpy_or_none", lambda: None)
    slow = after_coups(load("es"), "red:100", 2_000, exact=False)
    for share in many_coups.QUANTILES:
        net = fast.quantile(share)
        assert net == slow.quantile(share)
        assert abs(fast.at_most(net) - slow.at_most(net)) <= fast.precision + slow.precision
        assert abs(fast.chance(net) - slow.chance(net)) <= fast.precision + slow.precision


def test_too_many_frequencies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fourier, "MANY", 80)
    with pytest.raises(TooLargeError, match="simulate it"):
        after_coups(load("es"), "red:10", 1_000, exact=False)
    monkeypatch.setattr(fourier, "numpy_or_none", lambda: None)
    with pytest.raises(TooLargeError, match=r"novamas\[maths\]"):
        after_coups(load("es"), "red:10", 1_000, exact=False)


def test_an_exact_law_with_too_many_digits_is_refused() -> None:
    with pytest.raises(TooLargeError, match="floating point"):
        after_coups(load("it"), "red:10 17:5", 100_000, exact=True)


@pytest.mark.parametrize(
    ("house", "layout"),
    [("bg", "17:1"), ("it", "red:7 17:5 voisins:9"), ("es", "red:10"), ("ar", "low+d3:10 0:1")],
)
def test_a_million_coups_in_seconds(house: str, layout: str) -> None:
    start = time.perf_counter()
    results = after_coups(load(house), layout, 1_000_000)
    data = results.as_data()
    taken = time.perf_counter() - start
    # It takes a fraction of a second; the bound leaves room for a busy machine.
    assert taken < 20
    assert results.precision < 1e-11
    assert data["ahead"] + data["even"] + data["behind"] == pytest.approx(1, abs=1e-11)
    # So many coups are all but normal: the median is near the mean, 95 % within two deviations.
    within = results.at_most(round(results.mean + 1.96 * results.deviation)) - results.at_most(
        round(results.mean - 1.96 * results.deviation)
    )
    assert abs(float(within) - 0.95) < 2e-3
    assert abs(results.quantile(0.5) - results.mean) < 0.02 * results.deviation


def test_the_law_of_large_numbers() -> None:
    """What a layout loses per coup comes as near its expectation as one likes."""
    for coups in (10**4, 10**6, 10**8):
        results = after_coups(load("ar"), "red:1", coups)
        off = round(coups ** Fraction(3, 5))
        middle = round(-coups / 37)
        near = results.at_most(middle + off) - results.at_most(middle - off)
        assert near > 1 - 10 * coups / off**2


@pytest.mark.parametrize("exact", [True, False])
def test_quantiles_are_the_least_that_reach_their_share(exact: bool) -> None:  # noqa: FBT001
    results = after_coups(load("it"), "red:10 17:5", 200, exact=exact)
    for share in many_coups.QUANTILES:
        net = results.quantile(share)
        assert results.at_most(net) >= share > results.at_most(net - results.step)
    with pytest.raises(ValueError, match="between 0 and 1"):
        results.quantile(1.0)


def test_the_histogram_holds_nearly_all() -> None:
    results = after_coups(load("it"), "red:10 17:5", 200)
    rows = results.histogram(20)
    assert len(rows) <= 20
    assert 1 - 3e-4 < sum(chance for _, _, chance in rows) <= 1
    for (_, end, _), (start, _, _) in itertools.pairwise(rows):
        assert start == end + results.step
    for start, end, chance in rows:
        exact = sum(
            (results.chance(net) for net in range(start, end + 1, results.step)), Fraction(0)
        )
        assert chance == exact
    assert results.table(20).rows()[0]["from"] == rows[0][0]


def test_no_coups_are_refused() -> None:
    for coups in (0, -1, 10**13):
        with pytest.raises(ValueError, match="coups"):
            after_coups(load("ar"), "red:1", coups)


def test_the_choice_after_zero_counts() -> None:
    half = after_coups(load("es"), "red:10", 100, choice="half")
    prison = after_coups(load("es"), "red:10", 100, choice="prison", lays_on=True)
    assert half.mean > prison.mean
    assert read_choices(["prison", "half"]) == read_choices("prison,half")


@pytest.mark.parametrize("lays_on", [False, True])
@pytest.mark.parametrize(("house", "layout"), [("es", "red:10 17:1"), ("it", "red:7 low:3")])
def test_two_ways_to_the_same_law(
    house: str, layout: str, monkeypatch: pytest.MonkeyPatch, *, lays_on: bool
) -> None:
    """Coup by coup, and by the solution of the equation, the function is the same."""
    stepwise = after_coups(load(house), layout, 300, lays_on=lays_on, exact=False)
    monkeypatch.setattr(fourier, "STEPWISE", 0)
    solved = after_coups(load(house), layout, 300, lays_on=lays_on, exact=False)
    within = stepwise.precision + solved.precision
    assert within < 1e-11
    for net in range(-1500, 1500, 100):
        assert abs(float(stepwise.at_most(net)) - float(solved.at_most(net))) <= within
        assert abs(float(stepwise.chance(net)) - float(solved.chance(net))) <= within


def test_a_layout_that_can_only_lose() -> None:
    everything = " ".join(f"{number}:1" for number in range(37))
    for exact in (True, False):
        results = after_coups(load("ar"), everything, 1000, exact=exact)
        assert results.chance(-1000) == 1
        assert results.quantile(0.5) == -1000
        assert results.deviation == 0
        assert results.behind == 1
