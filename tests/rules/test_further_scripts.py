"""The further houses as table scripts: chips, refusals, and what a script goes on with."""

from typing import Any

import pytest

from novamas.rulebooks import load_any
from novamas.table.script import run_script

Step = dict[str, Any]


def stake(id: str, on: str, amount: int, player: str = "A", **more: Any) -> Step:
    """A stake of a script."""
    return {"do": "stake", "id": id, "player": player, "on": on, "amount": amount, **more}


def do(name: str, **more: Any) -> Step:
    """Any other command."""
    return {"do": name, **more}


def coup(number: int | str) -> tuple[Step, Step]:
    """A coup that is played to its end."""
    return do("no_more_bets"), do("number", number=number)


def played(house: str, *script: Step, **more: Any) -> dict[str, Any]:
    """The outcome of a script in which A has 100 and B nothing yet, unless it says so."""
    purses = {"purses": {"A": 100, "B": 0}}
    return run_script({"rulebook": house, **purses, **more, "script": list(script)}, load_any)


STRAIGHT = {"straight": {"min": 5, "max": 100}}


@pytest.mark.parametrize(
    "house",
    [
        pytest.param("fram", marks=pytest.mark.rule("FRAM-55-3.b")),
        pytest.param("fran", marks=pytest.mark.rule("FRAN-55-13.c")),
        pytest.param("esam", marks=pytest.mark.rule("ESAM-I.c", "ESAM-V.b")),
    ],
)
def test_what_a_script_says_of_a_chip_is_not_held_to_the_limits_of_a_straight(house: str) -> None:
    """B has bought nothing yet: their own chip is the script's all the same, asked for or not."""
    script = (
        do("buy", player="B", amount=40),
        stake("b1", "17", 3, "B"),
        stake("b2", "17", 6, "B"),
        do("buy", player="B", amount=20, chip=2),
        # The table's chip is another player's: for B it is a value like any other.
        do("buy", player="B", amount=20, chip=1),
        *coup(17),
    )
    out = played(house, *script, chip={"A": 1, "B": 2}, limits=STRAIGHT)
    assert out["refused"] == [1, 4]
    assert out["coups"][0]["players"]["B"] == {"won": 210, "returned": 6, "lost": 0, "held": 0}
    assert out["purses"]["B"] == 40 + 20 + 210


@pytest.mark.rule("AMB-FR-09")
def test_amb_fr_09_a_script_may_name_the_chip_that_its_players_have() -> None:
    script = (
        do("buy", player="A", amount=7, chip=5),
        do("buy", player="A", amount=7, chip=10),
        stake("b1", "17", 3),
        *coup(17),
    )
    out = played("fr", *script, chip=5)
    assert (out["refused"], out["purses"]) == ([1], {"A": 100 + 7 + 105, "B": 0})


def sums(out: dict[str, Any], player: str = "A") -> list[tuple[int, int, int, int] | None]:
    """What a player won, got back, lost and had held, coup by coup."""
    lines = (each["players"].get(player) for each in out["coups"])
    return [line and (line["won"], line["returned"], line["lost"], line["held"]) for line in lines]


@pytest.mark.rule("FR-52.z5", "FR-52.z6", "AMB-FR-03", "X-03")
def test_fr_52_z5_odd_units_through_four_zeros() -> None:
    """75 is worth 38, 19 and 10 at the further zeros, and half of that on the last coup."""
    last = do("number", number=0, last=True)
    out = played("fr", stake("b", "red", 75), *coup(0) * 3, do("no_more_bets"), last)
    assert sums(out) == [(0, 0, 0, 75), (0, 0, 37, 38), (0, 0, 19, 19), (0, 5, 14, 0)]
    assert (out["purses"]["A"], out["bank"]) == (30, 70)


@pytest.mark.rule("FR-41.b", "AMB-FR-10", "FR-41.d")
def test_fr_41_b_a_stake_without_an_owner_rides_is_held_and_is_set_aside() -> None:
    script = (
        stake("b", "red", 5, unattended=True),
        *coup(9),  # 10 would ride, 8 may.
        *coup(0),
        do("orphan", id="b"),  # In prison it does not lie on the cloth.
        *coup(12),
        do("orphan", id="b"),
        do("claim", player="A"),
    )
    out = played("fr", *script, limits={"simple": {"max": 8}})
    assert sums(out) == [(5, 0, 0, 0), (0, 0, 0, 8), (0, 0, 0, 0)]
    assert out["refused"] == [5, 8]
    assert (out["purses"]["A"], out["bank"]) == (105, -5)
    assert "custody" not in out


@pytest.mark.parametrize(
    "house",
    [
        pytest.param("fr", marks=pytest.mark.rule("FR-41.b", "FR-41.c")),
        pytest.param("fram", marks=pytest.mark.rule("FRAM-41")),
        pytest.param("fran", marks=pytest.mark.rule("FRAN-41")),
    ],
)
def test_a_stake_is_found_abandoned_between_two_coups_alone(house: str) -> None:
    script = (
        stake("b", "d1", 6, unattended=True),
        stake("c", "d1", 6, player="B"),
        do("launch"),
        do("orphan", id="b"),
        do("no_more_bets"),
        do("orphan", id="b"),
        do("void", cause="object_in_wheel"),
        do("orphan", id="c"),
        *coup(9),
        do("orphan", id="b"),
        do("orphan", id="b"),
    )
    out = played(house, *script, purses={"A": 100, "B": 100})
    assert out["refused"] == [3, 5, 7, 11]
    assert (out["purses"], out["custody"]) == ({"A": 94, "B": 112}, {"A": 18})


@pytest.mark.rule("FR-53.l", "AMB-FR-11", "X-05")
def test_fr_53_l_reopening_between_coups_keeps_the_limits_that_it_does_not_name() -> None:
    limits = {"straight": {"min": 5, "max": 150}, "simple": {"min": 5, "max": 50}}
    script = (
        stake("a", "red", 20),
        do("reopen", limits={"straight": {"max": 300}}),  # The 20 go back.
        stake("b", "17", 300),
        stake("c", "18", 4),
        stake("d", "red", 51),
        do("no_more_bets"),
        do("reopen", limits={"simple": {"max": 90}}),
        do("number", number=1),
        stake("e", "red", 20),
        *coup(0),
        do("reopen", limits={"simple": {"max": 90}}),
        do("choose", id="e", choice="half"),
        do("reopen", limits={"simple": {"min": 10}}),
        stake("f", "odd", 9),
        *coup(0),
    )
    out = played("fr", *script, limits=limits, purses={"A": 400})
    assert out["refused"] == [4, 6, 11]
    assert sums(out) == [(0, 4, 300, 0), (0, 10, 10, 0), (0, 9, 0, 0)]
    assert out["purses"] == {"A": 90}


@pytest.mark.rule("FRAM-55-3.l", "FRAM-55-3.m", "AMB-FRAM-06")
def test_fram_55_3_l_each_close_levels_anew_and_both_count_in_the_coup() -> None:
    script = (
        stake("a", "17", 5),
        stake("b", "17/20", 3),
        stake("x", "17/20", 9, player="B"),
        do("no_more_bets"),  # 2 go back.
        do("void", cause="ball_out"),
        stake("c", "17/20", 4),
        do("no_more_bets"),  # 4 go back.
        do("number", number=20),
    )
    out = played("fram", *script, purses={"A": 100, "B": 100})
    assert sums(out) == [(51, 2 + 4 + 3, 3, 0)]
    assert sums(out, "B") == [(153, 9, 0, 0)]


@pytest.mark.rule("FRAN-55-12.z", "AMB-FRAN-01", "X-03")
@pytest.mark.parametrize("house", ["fran", "esam"])
def test_fran_55_12_z_half_of_all_that_lies_on_the_chance(house: str) -> None:
    laid = [stake(id, "red", amount) for id, amount in (("a", 1), ("b", 1), ("c", 3))]
    out = played(house, *laid, stake("d", "odd", 1), *coup(0), do("choose", id="a", choice="half"))
    assert sums(out) == [(0, 3 + 1, 2, 0)]
    assert out["refused"] == [6]


@pytest.mark.rule("SD-03.c", "AMB-SD-06")
def test_sd_03_c_a_colour_of_value_chips_is_free_again_when_none_lies_on_the_numbers() -> None:
    mine: dict[str, Any] = {"value_chips": True, "denomination": 5}
    script = (
        stake("a", "17", 5, **mine),
        stake("b", "red", 5, "B", **mine),
        do("move", id="b", on="20"),
        do("correct", id="b", on="20"),
        stake("c", "20", 5, "B", value_chips=True, denomination=25),
        stake("d", "20", 5, "B", value_chips=True),
        do("withdraw", id="a"),
        do("move", id="b", on="20"),
        stake("e", "17", 5, **mine),
        *coup(20),
        stake("f", "17", 5, **mine),
    )
    out = played("sd", *script, purses={"A": 100, "B": 100})
    assert out["refused"] == [2, 3, 8]
    assert sums(out, "B") == [(525, 15, 0, 0)]
