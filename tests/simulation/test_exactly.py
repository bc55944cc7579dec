"""Whole numbers that would not fit are counted exactly or refused; nothing overflows silently."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from novamas.odds.errors import TooLargeError
from novamas.odds.systems import SYSTEMS, System, first_wanted, flat
from novamas.rulebooks import load
from novamas.simulation.intervals import total
from novamas.simulation.run import simulate
from novamas.simulation.user_systems import OwnSystemError

RED = 1
BLACK = 2


def test_sums_over_players_are_exact_beyond_64_bits() -> None:
    """Sixteen players once staked so much together that the house had kept -124 %."""
    found = simulate(load("ar"), "red:1000000000000000", coups=1_000, players=16)
    assert found.turnover.tolist() == [10**18] * 16
    assert total(found.turnover) == 16 * 10**18
    net = sum(found.net.tolist())
    assert found.mean == net / 16
    assert found.figures["edge"].value == pytest.approx(float(Fraction(-net, 16 * 10**18)))


@pytest.mark.parametrize(
    "values", [[-(2**63), -(2**63), 5], [2**63 - 1] * 9, [], [-1, 1, -7], [2**40] * 3]
)
def test_a_sum_of_64_bit_numbers_is_exact(values: list[int]) -> None:
    assert total(np.array(values, dtype=np.int64)) == sum(values)


def test_more_than_64_bits_of_stakes_are_refused_before_anything_is_played() -> None:
    with pytest.raises(TooLargeError, match="stake more than"):
        simulate(load("ar"), "red:1000000000000000", coups=10_000, players=1)


def test_a_player_without_a_purse_is_never_ruined() -> None:
    """They lose more than can be counted, and are refused instead."""
    with pytest.raises(TooLargeError, match="win or lose more than"):
        simulate(load("ar"), "red:1000000000000000", spins=[BLACK] * 1_000)
    with pytest.raises(TooLargeError, match="win or lose more than"):
        simulate(load("ar"), "red:1000000000000000", spins=[RED] * 1_000)


def test_a_purse_that_grows_beyond_64_bits_is_refused() -> None:
    stake = "17:1000000000000000"
    with pytest.raises(TooLargeError, match="set limits"):
        simulate(load("ar"), stake, bankroll=(1 << 60) - 1, spins=[17] * 100)


def test_stakes_that_add_up_to_more_than_64_bits_are_refused() -> None:
    """The purse hardly changes, but what is staked in all would overflow."""
    high = System("high", "a constant", (1 << 50, 0), first_wanted, flat)
    with pytest.raises(TooLargeError, match="stake over"):
        simulate(load("ar"), "red:1", system=high, spins=[RED, BLACK] * 4_000)


def test_a_layout_that_costs_too_much_is_refused() -> None:
    stake = " ".join(f"{number}:1000000000000000" for number in range(1, 20))
    with pytest.raises(TooLargeError, match="layout: it costs more than"):
        simulate(load("ar"), stake, coups=1, players=1)


def test_a_maximum_above_what_can_be_counted_is_no_bound() -> None:
    """Once such a maximum was silently lowered to what the loops can pay."""
    from novamas.game.limits import Limits

    limits = Limits.of({"simple": {"min": 1, "max": 10**18}})
    with pytest.raises(TooLargeError, match="set limits"):
        simulate(load("ar"), "red:1", system="martingale", spins=[BLACK] * 60, limits=limits)


def test_a_system_that_comes_to_want_less_than_nothing_is_refused() -> None:
    """It looks right for as many states as are tried in Python."""

    def after(
        state: tuple[int, int],
        laid: int,  # noqa: ARG001 - all are called alike.
        net: int,  # noqa: ARG001
        unit: int,  # noqa: ARG001
    ) -> tuple[int, int]:
        return (-1 if state[1] > 2_000 else 1), state[1] + 1

    low = System("low", "falls below", (1, 0), first_wanted, after)
    with pytest.raises(OwnSystemError, match="want the layout -1 times over"):
        simulate(load("ar"), "red:1", system=low, coups=3_000, players=1)


def test_a_known_system_may_begin_elsewhere() -> None:
    """The loop of flat play is written for one layout; three at once are a system of one's own."""
    three = replace(SYSTEMS["flat"], start=(3, 0))
    for house in ("ar", "es"):
        found = simulate(load(house), "red:2", system=three, spins=[RED, BLACK, BLACK, 0])
        assert found.turnover.tolist() == [24]
        assert simulate(load(house), "red:2", system=three, spins=[BLACK]).net.tolist() == [-6]


def doubles(state: tuple[int, int], laid: int, net: int, unit: int) -> tuple[int, int]:  # noqa: ARG001
    return state[0] * 2, 0


def squares(state: tuple[int, int], laid: int, net: int, unit: int) -> tuple[int, int]:  # noqa: ARG001
    return 1, max(2, state[1]) ** 2


@pytest.mark.parametrize("after", [doubles, squares])
def test_a_state_of_ones_own_that_would_overflow_is_refused(
    after: Callable[[tuple[int, int], int, int, int], tuple[int, int]],
) -> None:
    """A doubled state came to 0 after 64 rounds, and the player silently sat out the rest."""
    from novamas.game.limits import Limits

    own = System("own", "grows without bound", (1, 0), first_wanted, after)
    limits = Limits.of({"simple": {"min": 1, "max": 10}})
    with pytest.raises(OwnSystemError, match="own: its state comes to numbers beyond"):
        simulate(load("ar"), "red:1", system=own, coups=2_200, players=20, limits=limits)


def test_a_play_that_ends_before_its_state_overflows_is_played() -> None:
    """The empty seat beside it plays on, and its state is nobody's."""
    own = System("own", "grows without bound", (1, 0), first_wanted, doubles)
    found = simulate(load("ar"), "red:1", system=own, bankroll=1_000, coups=10_000, players=50)
    assert (found.net == -1_000).all()
    assert found.coups.max() < 40
