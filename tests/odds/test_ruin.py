"""Ruin and target: closed forms, every sequence counted, and limits in force."""

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from novamas.game.limits import Limits
from novamas.odds import markov, step_by_step
from novamas.odds.errors import LayoutError, TooLargeError
from novamas.odds.layout import Layout
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play
from novamas.odds.player import Game
from novamas.odds.purse_law import purses_after
from novamas.odds.ruin import Ruin, ruin_of
from novamas.odds.systems import SYSTEMS, read_system
from novamas.rulebooks import HOUSES, load

LIMITS = Limits.of({"simple": {"min": 1, "max": 8}})


@pytest.mark.parametrize(("purse", "target"), [(1, 2), (3, 10), (10, 20), (50, 60), (100, 101)])
@pytest.mark.parametrize("unit", [1, 10])
def test_gamblers_ruin_in_closed_form(purse: int, target: int, unit: int) -> None:
    found = ruin_of(load("ar"), f"red:{unit}", purse * unit, target=target * unit)
    ratio = Fraction(19, 18)
    reached = (1 - ratio**purse) / (1 - ratio**target)
    assert found.reached == reached
    assert found.ruin == 1 - reached
    assert found.duration == (purse - target * reached) / (Fraction(19, 37) - Fraction(18, 37))
    assert found.purse == target * unit * reached
    assert found.turnover == found.duration * unit


def test_gamblers_ruin_where_half_is_kept() -> None:
    """Italy divides at zero: with two units a step is two down, two up or one down."""
    found = ruin_of(load("it"), "red:2", 4, target=8)

    # The value from each purse solves v(n) = 18/37 v(n+2) + 18/37 v(n-2) + 1/37 v(n-1).
    values = {0: Fraction(0), 1: Fraction(0), **{n: Fraction(1) for n in (8, 9)}}
    inner = range(2, 8)
    guess = dict.fromkeys(inner, Fraction(0))
    rows = {
        n: {n + 2: Fraction(18, 37), n - 2: Fraction(18, 37), n - 1: Fraction(1, 37)} for n in inner
    }
    solved = _gauss(rows, values)
    assert set(guess) == set(solved)
    assert found.reached == solved[4]


def _gauss(rows: dict[int, dict[int, Fraction]], known: dict[int, Fraction]) -> dict[int, Fraction]:
    """Solves v(n) = sum of rows[n][k] v(k) by plain elimination."""
    names = list(rows)
    matrix = [
        [Fraction(n == k) - rows[n].get(k, Fraction(0)) for k in names]
        + [sum((p * known[k] for k, p in rows[n].items() if k in known), Fraction(0))]
        for n in names
    ]
    for place in range(len(names)):
        pivot = next(r for r in range(place, len(names)) if matrix[r][place])
        matrix[place], matrix[pivot] = matrix[pivot], matrix[place]
        matrix[place] = [value / matrix[place][place] for value in matrix[place]]
        for other in range(len(names)):
            if other != place:
                factor = matrix[other][place]
                matrix[other] = [
                    a - factor * b for a, b in zip(matrix[other], matrix[place], strict=True)
                ]
    return {name: matrix[place][-1] for place, name in enumerate(names)}


def enumerated(
    purse: int, target: int, coups: int, most: int, *, restart: bool = False
) -> dict[str, Fraction]:
    """A martingale on red at a house where zero loses, by every sequence of wins and losses."""
    found = {"ruin": Fraction(0), "reached": Fraction(0), "playing": Fraction(0)}

    @cache
    def follow(left: int, money: int, wants: int) -> tuple[Fraction, Fraction, Fraction]:
        if money >= target:
            return Fraction(0), Fraction(1), Fraction(0)
        if money < 1:
            return Fraction(1), Fraction(0), Fraction(0)
        if not left:
            return Fraction(0), Fraction(0), Fraction(1)
        if restart and wants > most:
            wants = 1
        laid = min(wants, most, money)
        won = follow(left - 1, money + laid, 1)
        lost = follow(left - 1, money - laid, 2 * laid)
        return tuple(  # type: ignore[return-value]
            Fraction(18, 37) * a + Fraction(19, 37) * b for a, b in zip(won, lost, strict=True)
        )

    found["ruin"], found["reached"], found["playing"] = follow(coups, purse, 1)
    return found


@pytest.mark.parametrize("coups", [1, 2, 5, 17, 60])
@pytest.mark.parametrize("restart", [False, True])
def test_a_martingale_within_the_limits_by_every_sequence(coups: int, *, restart: bool) -> None:
    found = ruin_of(
        load("bg"),
        "red:1",
        20,
        target=27,
        coups=coups,
        system="martingale",
        limits=LIMITS,
        at_limit="restart" if restart else "cap",
        exact=True,
    )
    by_hand = enumerated(20, 27, coups, 8, restart=restart)
    assert {name: getattr(found, name) for name in by_hand} == by_hand


def test_limits_bind_a_martingale() -> None:
    free = ruin_of(load("bg"), "red:1", 63, target=64, system="martingale")
    # Six losses in a row are ruin; anything else wins one before them.
    assert free.ruin == Fraction(19, 37) ** 6
    bound = ruin_of(load("bg"), "red:1", 63, target=64, system="martingale", limits=LIMITS)
    assert bound.ruin > free.ruin
    again = ruin_of(
        load("bg"), "red:1", 63, target=64, system="martingale", limits=LIMITS, at_limit="restart"
    )
    assert again.ruin != bound.ruin
    with pytest.raises(LayoutError, match="above a maximum"):
        ruin_of(load("bg"), "red:9", 63, target=64, limits=LIMITS)


LINES = {"labouchere": "labouchere:1,1", "reverse-labouchere": "reverse-labouchere:1,2"}
"""Short lines for those systems, whose states are many."""


@pytest.mark.parametrize("system", [LINES.get(name, name) for name in SYSTEMS])
@pytest.mark.parametrize(("house", "unit"), [("ar", 1), ("es", 1), ("it", 5)])
def test_many_coups_come_to_the_long_run(house: str, unit: int, system: str) -> None:
    """Two ways to the same answer: the chain solved, and followed until hardly anyone plays."""
    limits = Limits.of({"simple": {"min": unit, "max": 8 * unit}})
    bet, purse, target = f"red:{unit}", 9 * unit, 13 * unit
    book = load(house)
    if system == LINES["labouchere"] and house != "ar":
        # A loss of a part writes the whole stake on the line, which can grow for ever.
        with pytest.raises(TooLargeError, match="more than 60000 states"):
            ruin_of(book, bet, purse, target=target, system=system, limits=limits)
        return
    long = ruin_of(book, bet, purse, target=target, system=system, limits=limits)
    some = ruin_of(
        book, bet, purse, target=target, coups=400, system=system, limits=limits, exact=False
    )
    left = float(some.playing)
    assert left < 1e-3
    apart = [float(some.ruin - long.ruin), float(some.reached - long.reached)]
    assert max(map(abs, apart)) <= left + long.precision + some.precision
    assert some.duration <= long.duration + 1e-9


@pytest.mark.parametrize("layout", ["red:10", "17:1", "red:2 17:1"])
def test_floating_point_is_as_precise_as_it_says(layout: str) -> None:
    for coups in (None, 40):
        exact = ruin_of(load("es"), layout, 60, target=90, coups=coups, exact=True)
        rounded = ruin_of(load("es"), layout, 60, target=90, coups=coups, exact=False)
        assert exact.precision == 0
        assert 0 < rounded.precision < 1e-10
        for name in ("ruin", "reached", "playing"):
            assert abs(getattr(exact, name) - getattr(rounded, name)) <= rounded.precision
        for name in ("duration", "turnover", "purse"):
            assert getattr(rounded, name) == pytest.approx(float(getattr(exact, name)), rel=1e-9)


def test_without_numpy_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> Ruin:
        return ruin_of(
            load("es"), "red:3", 30, target=60, coups=60, system="martingale", exact=False
        )

    fast = found()
    monkeypatch.setattr(step_by_step, "numpy_or_none", lambda: None)
    slow = found()
    for name in ("ruin", "reached", "playing"):
        apart = abs(getattr(fast, name) - getattr(slow, name))
        assert apart <= fast.precision + slow.precision
    assert fast.turnover == pytest.approx(slow.turnover, rel=1e-9)


def test_a_stop_loss_ends_the_play() -> None:
    found = ruin_of(load("ar"), "red:1", 10, target=20, stop_loss=5)
    free = ruin_of(load("ar"), "red:1", 5, target=15)
    assert found.stopped == free.ruin
    assert found.reached == free.reached
    assert found.ruin == 0


def test_the_purse_waits_for_what_is_in_prison() -> None:
    """Only one coup: what zero put in prison is neither won nor lost, and the play goes on."""
    found = ruin_of(load("es"), "red:5", 5, target=10, coups=1)
    assert found.ruin == Fraction(18, 37)
    assert found.reached == Fraction(18, 37)
    assert found.playing == Fraction(1, 37)
    assert found.purse == Fraction(18, 37) * 10 + Fraction(1, 37) * 5
    # Nothing new is laid while it waits, so that the second coup stakes nothing more.
    then = ruin_of(load("es"), "red:5", 5, target=10, coups=2)
    assert then.turnover == 5
    assert then.duration == 1 + Fraction(1, 37)


def test_a_play_that_is_over_before_it_begins() -> None:
    assert ruin_of(load("ar"), "red:10", 5, target=20).ruin == 1
    assert ruin_of(load("ar"), "red:10", 20, target=20).reached == 1
    assert ruin_of(load("ar"), "red:10", 20, target=30, stop_loss=20).stopped == 1
    assert ruin_of(load("ar"), "red:10", 5, target=20).duration == 0


def test_what_is_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLargeError, match="set a target"):
        ruin_of(load("ar"), "red:1", 100)
    with pytest.raises(TooLargeError, match="more than 60000 states here; simulate it"):
        ruin_of(load("ar"), "red:1", 200, target=400, system="labouchere")
    monkeypatch.setattr(step_by_step, "WORK", 10_000)
    monkeypatch.setattr(step_by_step, "STATES_AT_ONCE", 1_000)
    with pytest.raises(TooLargeError, match=r"200 coups of labouchere pass .*; simulate it"):
        ruin_of(load("ar"), "red:1", 100, coups=200, system="labouchere")
    monkeypatch.setattr(markov, "WORK", 10)
    with pytest.raises(TooLargeError, match="too entangled"):
        ruin_of(load("ar"), "red:1", 100, target=200)
    for coups in (0, -1):
        with pytest.raises(ValueError, match="coups: expected a whole number of at least 1"):
            ruin_of(load("ar"), "red:1", 100, target=200, coups=coups)


def test_the_bolder_the_play_the_better_the_chance() -> None:
    """The edge works on what is staked: few large stakes double a purse sooner than many small."""
    chances = [
        ruin_of(load("ar"), f"red:{unit}", 40, target=80).reached for unit in (1, 2, 4, 8, 20, 40)
    ]
    assert chances == sorted(chances)
    assert chances[-1] == Fraction(18, 37)


def test_the_kinder_the_house_the_better_the_chance() -> None:
    by_edge = sorted(
        (odds_of(load(house), "red:2", choice="half").edge, -float(_double(house)))
        for house in ("ar", "es", "it")
    )
    assert [chance for _, chance in by_edge] == sorted(chance for _, chance in by_edge)


def _double(house: str) -> Fraction | float:
    return ruin_of(load(house), "red:2", 40, target=80, choice="half").reached


def test_the_answer_as_plain_data() -> None:
    data = ruin_of(load("ar"), "red:1", 1, target=2).as_data()
    assert data["fractions"] == {"ruin": "19/37", "reached": "18/37"}
    assert data["ruin"] == 19 / 37
    assert data["system"] == "flat"
    assert "fractions" not in ruin_of(load("ar"), "red:1", 1, target=2, exact=False).as_data()


def test_who_lays_on_in_prison_loses_the_same_of_what_he_stakes() -> None:
    """Prisoners and new layouts are in play at once; each stake still costs what it costs alone."""
    for house, layout in (("es", "red:2"), ("es", "red:4 17:2"), ("it", "red:3")):
        terms: dict[str, Any] = {"target": 30, "lays_on": True, "exact": True}
        found = ruin_of(load(house), layout, 18, **terms)
        edge = odds_of(load(house), layout).edge
        assert (18 - found.purse) / found.turnover == edge
        assert found.ruin + found.reached == 1
        waits = ruin_of(load(house), layout, 18, target=30, exact=True)
        assert found != waits
    free = ruin_of(load("ar"), "red:2", 18, target=30, exact=True)
    assert ruin_of(load("ar"), "red:2", 18, target=30, exact=True, lays_on=True) == free


def test_who_lays_on_for_many_coups_comes_to_the_long_run() -> None:
    terms: dict[str, Any] = {"target": 12, "lays_on": True}
    long = ruin_of(load("es"), "red:2", 6, **terms)
    followed = ruin_of(load("es"), "red:2", 6, coups=2_000, exact=False, **terms)
    assert float(followed.ruin) == pytest.approx(float(long.ruin), abs=1e-9)
    assert float(followed.duration) == pytest.approx(float(long.duration), abs=1e-6)


def test_a_system_does_not_lay_on() -> None:
    with pytest.raises(ValueError, match="flat"):
        ruin_of(load("es"), "red:2", 6, target=12, system="martingale", lays_on=True)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("system", ["flat", "martingale", "labouchere"])
def test_the_law_of_a_purse_is_one_of_what_it_ends_with(house: str, system: str) -> None:
    """The same by whole numbers and by floating point, and with the right average."""
    play = Play(Layout.read(load(house), "red:2"))
    game = Game(play, read_system(system), 20, target=30)
    exactly = purses_after(game, 9, exact=True)
    assert sum(exactly.chances.values()) == 1
    found = ruin_of(load(house), "red:2", 20, target=30, coups=9, system=system, exact=True)
    assert 20 + exactly.mean == pytest.approx(float(found.purse))
    assert exactly.ahead == 1 - exactly.at_most(0)
    nearly = purses_after(game, 9, exact=False)
    assert nearly.chances == pytest.approx({n: float(p) for n, p in exactly.chances.items()})
    assert nearly.precision > exactly.precision == 0
