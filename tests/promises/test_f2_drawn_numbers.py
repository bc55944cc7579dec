"""F2: the drawn numbers look random to every test we know.

How much is seen depends on how many are drawn. A pocket that comes 4 % too often is found among the
2,000,000 of the ordinary run, one that comes 0.6 % too often among the 100,000,000 of `make soak`.
A byte modulo 37 gives some pockets 13 % too few. F4 shows that every broken source that we know is
caught by 1,000,000.
"""

import math

import numpy as np
import pytest

from novamas.game.wheel import AMERICAN, EUROPEAN, Wheel
from tests.promises import battery
from tests.promises.chances import fit, normal
from tests.promises.drawing import drawn_numbers
from tests.promises.figures import SOAK, record

POCKETS = len(EUROPEAN)
DRAWS = 100_000_000 if SOAK else 2_000_000


@pytest.mark.slow
def test_f2_the_drawn_numbers_pass_the_whole_battery() -> None:
    numbers = drawn_numbers(DRAWS, pockets=POCKETS)
    assert len(numbers) == DRAWS
    verdict = battery.judge(numbers)
    assert len(verdict.results) == battery.how_many()
    assert verdict.is_believed, sorted(verdict.results, key=lambda result: result.chance)[:10]
    counts = battery.counted(numbers, POCKETS)
    record(
        "F2",
        "numbers of the production draw, all tests together at 1e-06",
        draws=len(numbers),
        tests=len(verdict.results),
        smallest_chance=verdict.worst.chance,
        it_is_of=verdict.worst.test,
        least_often=int(counts.min()),
        most_often=int(counts.max()),
    )


@pytest.mark.slow
@pytest.mark.parametrize("wheel", [AMERICAN, Wheel((*AMERICAN.order, "000"))], ids=len)
def test_f2_wheels_with_more_zeros_are_as_even(wheel: Wheel) -> None:
    """Every pocket, all together, and pairs; all tests together at 1e-6, as in the battery."""
    pockets, draws = len(wheel), 500_000
    numbers = drawn_numbers(draws, pockets=pockets).astype(np.int64)
    pairs = numbers[0::2] * pockets + numbers[1::2]
    chances = [
        fit(found, np.full(outcomes, 1 / outcomes), least=1 / outcomes)
        for outcomes, found in ((pockets, numbers), (pockets**2, pairs))
    ]
    spread = math.sqrt(draws * (pockets - 1)) / pockets
    counts = np.bincount(numbers, minlength=pockets)
    assert len(counts) == pockets
    chances += [normal((int(count) - draws / pockets) / spread) for count in counts]
    assert min(chances) * len(chances) > 1e-6


@pytest.mark.slow
def test_f2_the_battery_is_just() -> None:
    """An honest generator gets a chance below 1 % in about 1 % of the tests, and is believed."""
    honest = np.random.default_rng(20)
    chances = []
    for _ in range(40):
        verdict = battery.judge(honest.integers(0, POCKETS, 250_000, dtype=np.uint8))
        assert verdict.is_believed
        chances += [result.chance for result in verdict.results]
    rare = float(np.mean(np.array(chances) < 0.01))
    assert 0.007 < rare < 0.014
    record(
        "F2", "the battery on an honest generator", tests=len(chances), share_below_1_percent=rare
    )
