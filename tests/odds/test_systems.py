"""Staking systems: their rows by hand, what their lines promise, and that they can be compiled."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novamas.odds.systems import SYSTEMS, System, laid_of, line_after, line_wanted, read_system


def row(system: System, results: str) -> list[int]:
    """What is laid coup after coup: w is a win, l a loss, e neither."""
    memory = system.start
    found = []
    for result in results:
        wants = system.wants(memory)
        found.append(wants)
        net = {"w": wants, "l": -wants, "e": 0}[result] * 10
        memory = system.next(memory, laid=wants, net=net, unit=10)
    return [*found, system.wants(memory)]


ROWS = [
    ("flat", "lwlew", [1, 1, 1, 1, 1, 1]),
    ("martingale", "lllewl", [1, 2, 4, 8, 8, 1, 2]),
    ("grand-martingale", "lllewl", [1, 3, 7, 15, 15, 1, 3]),
    ("dalembert", "llwewww", [1, 2, 3, 2, 2, 1, 1, 1]),
    ("contre-dalembert", "wwlelll", [1, 2, 3, 2, 2, 1, 1, 1]),
    ("fibonacci", "lllllewwww", [1, 1, 2, 3, 5, 8, 8, 3, 1, 1, 1]),
    ("labouchere", "lwewwl", [5, 6, 6, 6, 3, 5, 6]),
    ("labouchere", "wlww", [5, 5, 7, 3, 5]),
    ("labouchere:3", "wl", [3, 3, 6]),
    ("reverse-labouchere", "wwll", [5, 6, 7, 7, 7]),
    ("paroli", "wwwwlwew", [1, 2, 4, 1, 2, 1, 2, 2, 4]),
    ("oscars-grind", "llwwlew", [1, 1, 1, 2, 1, 1, 1, 1]),
    ("oscars-grind", "llllwww", [1, 1, 1, 1, 1, 2, 2, 1]),
    ("1-3-2-6", "wwwwwewl", [1, 3, 2, 6, 1, 3, 3, 2, 1]),
]
"""The system, what befalls it, and what it lays, with what it would lay next."""


@pytest.mark.parametrize(("name", "results", "laid"), ROWS)
def test_the_row_of_each_system(name: str, results: str, laid: list[int]) -> None:
    assert row(read_system(name), results) == laid


def test_every_system_has_a_row() -> None:
    assert {name.partition(":")[0] for name, _, _ in ROWS} == set(SYSTEMS)


def test_no_system_climbs_from_what_was_not_laid() -> None:
    for name in ("martingale", "grand-martingale", "dalembert", "fibonacci"):
        system = SYSTEMS[name]
        memory = system.start
        for _ in range(50):
            laid = laid_of(system.wants(memory), 100, 10**9, 10)
            memory = system.next(memory, laid=laid, net=-10 * laid, unit=10)
        assert system.wants(memory) <= 201
    assert laid_of(8, 5, 1000, 10) == 5
    assert laid_of(8, 500, 37, 10) == 3


lines = st.lists(st.integers(1, 9), min_size=1, max_size=8)
rounds = st.lists(st.tuples(st.booleans(), st.integers(1, 12)), max_size=30)


@given(line=lines, played=rounds, reverse=st.booleans())
def test_a_line_holds_what_is_still_to_be_won(
    line: list[int], played: list[tuple[bool, int]], *, reverse: bool
) -> None:
    cells = [*line, *([0] * 80)]
    low, high = 0, len(line)
    left = sum(line)
    for won, most in played:
        wanted = line_wanted(cells, low, high)
        laid = min(wanted, most)
        ends = cells[low], cells[low + 1], cells[high - 2]
        net = 7 if won else -7
        (low, high), wanted, at, number = line_after(
            ends, (low, high), wanted, laid, net, int(reverse)
        )
        cells[at] = number
        left += laid if won == reverse else -laid
        assert sum(cells[low:high]) == left
        assert all(cell > 0 for cell in cells[low:high])
        if low >= high:
            break
        assert wanted == line_wanted(cells, low, high)
    assert (left == 0) == (low >= high)


@given(st.lists(st.sampled_from("wl"), max_size=60))
def test_a_series_of_oscars_grind_brings_one_unit(results: list[str]) -> None:
    system = SYSTEMS["oscars-grind"]
    memory, brought = system.start, 0
    for result in results:
        wants = system.wants(memory)
        net = wants if result == "w" else -wants
        brought += net
        memory = system.next(memory, laid=wants, net=net, unit=1)
        assert brought <= 1
        if memory == system.start and brought == 1:
            brought = 0
        assert memory[1] == brought


@pytest.mark.parametrize("text", ["martingal", "martingale:1,2", "labouchere:1,x", "labouchere:0"])
def test_what_is_no_system(text: str) -> None:
    with pytest.raises(ValueError, match=r"no staking system|keeps no line|a line is written"):
        read_system(text)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    import numba

    made: Callable[..., Any] = numba.njit(function)
    return made


PAIRS = [system for system in SYSTEMS.values() if not system.keeps_line]


@pytest.mark.parametrize("system", PAIRS, ids=lambda system: system.name)
def test_a_compiler_takes_the_systems_as_they_are(system: System) -> None:
    assert system.after is not None
    assert system.wanted is not None
    after, wanted = compiled(system.after), compiled(system.wanted)
    state = (system.start[0], system.start[1])
    for step in range(60):
        net = (-1) ** (step * step // 3 % 2) * (step % 4)
        laid = max(1, system.wanted(state))
        assert wanted(state) == system.wanted(state)
        assert after(state, laid, net, 1) == system.after(state, laid, net, 1)
        state = system.after(state, laid, net, 1) if step % 9 else state


def test_a_compiler_takes_the_line_as_it_is() -> None:
    import numpy as np

    def play(line: Any, count: Any, wants: Any, after: Any) -> list[int]:
        bounds = 0, count
        found = []
        for step in range(12):
            low, high = bounds
            laid = wants(line, low, high)
            ends = int(line[low]), int(line[low + 1]), int(line[high - 2])
            net = -1 if step % 3 else 1
            bounds, _, at, number = after(ends, bounds, int(laid), int(laid), net, 0)
            line[at] = number
            found.append(int(laid))
        return found

    cells = np.zeros(64, dtype=np.int64)
    cells[:4] = (1, 2, 3, 4)
    plain = play([1, 2, 3, 4, *([0] * 60)], 4, line_wanted, line_after)
    assert plain == play(cells, 4, compiled(line_wanted), compiled(line_after))
    assert len(set(plain)) > 6
