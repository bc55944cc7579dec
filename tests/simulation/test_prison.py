"""What is in prison after the last coup: told, and followed to its end where that is asked for."""

from __future__ import annotations

from typing import Any

import pytest

import novamas as nv
from novamas.odds.many_coups import after_coups
from novamas.rulebooks import HOUSES, load
from novamas.simulation.charts import law_of

PRISON = [house for house in HOUSES if load(house).zero.simple.imprisons]


def played(house: str, **terms: Any) -> nv.Simulation:
    return nv.simulate(house, "red:10", coups=2, players=200_000, seed=8, **terms)


@pytest.mark.parametrize("house", PRISON)
def test_a_short_run_to_the_end_keeps_what_the_house_keeps(house: str) -> None:
    edge = played(house, to_the_end=True).figures["edge"]
    truth = float(nv.odds(house, "red:10").edge)
    assert abs(edge.value - truth) <= 4 * edge.error


def test_cut_short_a_spanish_run_shows_less() -> None:
    cut_short = played("es").figures["edge"]
    assert cut_short.value + 4 * cut_short.error < nv.odds("es", "red:10").edge


@pytest.mark.parametrize("house", PRISON)
def test_the_results_are_those_of_the_exact_law(house: str) -> None:
    """The exact law follows a prison to its end too."""
    truth = after_coups(load(house), "red:10", 2)
    found = played(house, to_the_end=True)
    for net in sorted(set(found.net.tolist())):
        share = float(truth.chance(net))
        seen = float((found.net == net).mean())
        assert abs(seen - share) <= 4.5 * (share * (1 - share) / found.players) ** 0.5 + 1e-5


def test_what_is_still_held_is_told() -> None:
    found = played("es")
    held = [amount for amount in found.held.tolist() if amount]
    assert held
    assert set(held) <= {10, 5, 3, 2}
    assert found.as_data()["held"] == sum(held)
    assert found.table().columns["held"] == found.held.tolist()


def test_to_the_end_nothing_is_held_and_more_coups_are_played() -> None:
    found = played("es", to_the_end=True)
    assert not found.held.any()
    assert (found.coups >= 2).all()
    assert (found.coups > 2).any()
    assert not found.figures["coups"].has_interval or found.figures["coups"].value > 2


def test_the_law_beside_it_is_followed_to_the_end_too() -> None:
    law = law_of(played("es", to_the_end=True))
    assert law is not None
    assert law.mean == after_coups(load("es"), "red:10", 2).mean
    assert law_of(nv.simulate("es", "red:10", bankroll=50, coups=2, to_the_end=True)) is None


def test_only_those_in_prison_play_on() -> None:
    """The coups before are the same numbers, so everybody else ends as without it."""
    short, whole = played("es"), played("es", to_the_end=True)
    free = short.held == 0
    assert (short.net[free] == whole.net[free]).all()
    assert (whole.coups[free] == 2).all()
    assert (whole.coups[~free] > 2).all()
    assert (short.turnover == whole.turnover).all()


@pytest.mark.parametrize("system", ["flat", "martingale", "labouchere"])
def test_threads_and_neighbours_change_nothing(system: str) -> None:
    def asked(threads: int, players: int) -> list[int]:
        found = nv.simulate(
            "es",
            "red:10",
            system=system,
            coups=50,
            players=players,
            bankroll=2_000,
            threads=threads,
            to_the_end=True,
        )
        nets: list[int] = found.net.tolist()
        return nets

    assert asked(1, 3_000)[:40] == asked(3, 3_000)[:40] == asked(1, 40)


def test_recorded_numbers_end_with_the_last() -> None:
    with pytest.raises(nv.UsageError, match="to_the_end: recorded numbers end"):
        nv.simulate("es", "red:10", spins=[0], to_the_end=True)
    found = nv.simulate("es", "red:10", spins=[1, 0, 0])
    assert found.held.tolist() == [5]
