"""Italy, the readings AMB-IT-25 to AMB-IT-30 as table scripts, with their figures."""

from typing import Any

import pytest

from novamas.rulebooks import load_any
from novamas.table.script import run_script
from novamas.table.script_fields import ScriptError
from tests.scenarios.check import differences

Step = dict[str, Any]


def stake(id: str, on: str, amount: int, player: str = "A", **more: Any) -> Step:
    """A stake of a script."""
    return {"do": "stake", "id": id, "player": player, "on": on, "amount": amount, **more}


def value(id: str, on: str, amount: int, player: str = "A") -> Step:
    """A stake in value chips."""
    return stake(id, on, amount, player, value_chips=True)


def announce(id: str, call: str, amount: int, player: str = "A") -> Step:
    """An announcement of a script."""
    return {"do": "announce", "id": id, "player": player, "call": call, "amount": amount}


def do(name: str, **more: Any) -> Step:
    """Any other command."""
    return {"do": name, **more}


CLOSE, VOID = do("no_more_bets"), do("void", cause="ball_out")


def coup(number: int) -> tuple[Step, Step]:
    """A coup that is played to its end."""
    return CLOSE, do("number", number=number)


def sums(won: int = 0, returned: int = 0, lost: int = 0, held: int = 0) -> dict[str, int]:
    """What a coup brings a player."""
    return {"won": won, "returned": returned, "lost": lost, "held": held}


def come_out(*script: Step, table: Step | None = None, **expected: Any) -> None:
    """Play a script at an Italian table, where A and B hold 1000 each, and compare."""
    given = {"rulebook": "it", "purses": {"A": 1000, "B": 1000}, **(table or {})}
    outcome = run_script({**given, "script": list(script)}, load_any)
    coups = expected.pop("coups", None)
    if coups is not None:
        expected["coups"] = [{"players": players} for players in coups]
    assert not list(differences({"refused": [], **expected}, outcome))


# AMB-IT-30: what a chip is worth ------------------------------------------------------------------

OF_FOUR = {"chip": {"A": 12, "B": 4}}
"""The smallest chip is the table's."""


@pytest.mark.rule("AMB-IT-30", "IT-general-2a", "IT-general-6b", "AMB-IT-20")
@pytest.mark.parametrize(
    ("laid", "does"),
    [
        (stake("s", "red", 60), True),
        (stake("s", "red", 48), False),
        (value("s", "red", 20), True),
        (value("s", "red", 16), False),
        (value("s", "30", 4), True),
        (value("s", "30", 3), False),
    ],
)
def test_it_amb_30_at_a_table_of_four_with_chips_of_twelve(laid: Step, *, does: bool) -> None:
    amount = laid["amount"]
    brings = sums(lost=amount) if does else sums(returned=amount)
    come_out(laid, *coup(2), table=OF_FOUR, coups=[{"A": brings}])


@pytest.mark.rule("AMB-IT-30", "IT-gioco-14", "IT-gioco-15a")
@pytest.mark.parametrize(
    ("laid", "brings"),
    [(value("s", "red", 28), sums(0, 12, 12, 4)), (stake("s", "red", 60), sums(0, 24, 24, 12))],
)
def test_it_amb_30_zero_divides_by_the_tables_chips_or_ones_own(
    laid: Step, brings: dict[str, int]
) -> None:
    come_out(laid, *coup(0), table=OF_FOUR, coups=[{"A": brings}])


@pytest.mark.rule("AMB-IT-30", "IT-general-1")
def test_it_amb_30_chips_of_twelve_are_sold_and_chips_of_six_are_not() -> None:
    come_out(
        do("buy", player="A", amount=60, chip=6),
        do("buy", player="A", amount=60, chip=12),
        stake("s", "red", 60),
        *coup(9),
        table={"chip": 4, "purses": {"A": 0}},
        refused=[0],
        coups=[{"A": sums(60, 60)}],
        purses={"A": 120},
    )


@pytest.mark.rule("AMB-IT-30", "IT-general-1")
def test_it_amb_30_who_sits_down_later_finds_a_colour_and_the_tables_chip() -> None:
    come_out(
        do("sit", player="C"),
        do("buy", player="C", amount=60, chip=6),
        do("buy", player="C", amount=60),
        stake("s", "red", 20, "C"),
        *coup(0),
        table={"chip": 4},
        refused=[1],
        coups=[{"C": sums(0, 8, 8, 4)}],
    )


@pytest.mark.rule("AMB-IT-30")
def test_it_amb_30_who_holds_nothing_yet_buys_the_chips_that_the_script_gives_him() -> None:
    come_out(
        do("buy", player="A", amount=120),
        stake("s", "red", 60),
        *coup(0),
        table={**OF_FOUR, "purses": {"A": 0, "B": 40}},
        coups=[{"A": sums(0, 24, 24, 12)}],
    )


@pytest.mark.rule("AMB-IT-30")
def test_it_amb_30_a_player_whom_the_script_gives_no_chip_has_the_tables() -> None:
    come_out(stake("s", "red", 20, "B"), *coup(0), table={"chip": {"A": 4}})
    come_out(stake("s", "red", 18, "B"), table={"chip": {"A": 4}}, refused=[0])


@pytest.mark.rule("AMB-IT-30")
def test_it_amb_30_who_plays_value_chips_needs_no_multiple() -> None:
    come_out(
        stake("s", "red", 28),
        *coup(0),
        table={"chip": {"A": 6, "B": 4}, "value_chips": ["A"]},
        coups=[{"A": sums(0, 12, 12, 4)}],
    )
    with pytest.raises(ScriptError, match=r"a multiple of the table's chip, 4 .*AMB-IT-30"):
        come_out(table={"chip": {"A": 6, "B": 4}})


@pytest.mark.rule("AMB-IT-30", "IT-general-4a")
def test_it_amb_30_after_a_conversion_what_is_laid_is_value() -> None:
    come_out(
        do("step_away", player="A"),
        do("come_back", player="A"),
        stake("s", "red", 28),
        *coup(0),
        do("buy", player="A", amount=60),
        stake("t", "red", 20),
        stake("u", "red", 60),
        *coup(0),
        table=OF_FOUR,
        refused=[6],
        coups=[{"A": sums(0, 12, 12, 4)}, {"A": sums(0, 24, 24, 12 + 4)}],
    )


# AMB-IT-25 and AMB-IT-26: the five pieces ---------------------------------------------------------

FIVE = tuple(stake(on, on, 1) for on in ("6", "10", "22", "28", "31"))
CLOTH = {"settings": {"winning": "cloth"}}


@pytest.mark.rule("AMB-IT-25", "IT-general-11", "IT-general-2b")
@pytest.mark.parametrize(
    ("then", "brings"),
    [
        ([], sums(won=35)),
        ([stake("x", "7", 2)], sums(won=35, returned=2)),
        ([stake("x", "7", 4)], sums(won=35, lost=4)),
        ([do("move", id="22", on="25")], sums(returned=1)),
        ([do("correct", id="22", on="25")], sums(returned=1)),
    ],
)
def test_it_amb_25_a_winner_left_plays_on(then: list[Step], brings: dict[str, int]) -> None:
    come_out(
        *FIVE,
        *coup(22),
        *then,
        *coup(22),
        table=CLOTH,
        coups=[{"A": sums(won=35, lost=4)}, {"A": brings}],
    )


FOREIGN = do("stake", id="f", player="A", on="30") | {
    "foreign": {"count": 4, "table": "6", "opening_minimum": 2, "value": 3}
}


@pytest.mark.rule("AMB-IT-26", "IT-general-5a", "IT-general-2b")
def test_it_amb_26_chips_of_another_table_play_alone() -> None:
    come_out(FOREIGN, *coup(30), coups=[{"A": sums(420, 12)}], purses={"A": 1420})
    come_out(
        FOREIGN,
        stake("own", "33", 2),
        *coup(30),
        coups=[{"A": sums(420, 12 + 2)}],
        purses={"A": 1420},
    )


@pytest.mark.rule("AMB-IT-26", "IT-general-15a")
def test_it_amb_26_the_placard_binds_them_by_their_worth() -> None:
    placard = {"limits": {"straight": {"min": 15}}}
    come_out(FOREIGN, *coup(30), table=placard, coups=[{"A": sums(0, 12)}], purses={"A": 1000})


# AMB-IT-27: from when limits bind -----------------------------------------------------------------

EIGHTY = {"limits": {"straight": {"max": 80}}}
LOWER = do("change_limits", limits={"straight": {"max": 25}})


@pytest.mark.rule("AMB-IT-27", "IT-general-16", "IT-general-15c")
@pytest.mark.parametrize("between", [(), (CLOSE, VOID)])
def test_it_amb_27_a_change_binds_the_next_coup(between: tuple[Step, ...]) -> None:
    come_out(
        stake("a", "9", 70),
        LOWER,
        *between,
        *coup(9),
        stake("b", "9", 30),
        *coup(9),
        table=EIGHTY,
        coups=[{"A": sums(2450, 70)}, {"A": sums(875, 30)}],
    )


@pytest.mark.rule("AMB-IT-27")
@pytest.mark.parametrize(
    ("before", "won"),
    [
        ((LOWER,), 875),
        ((stake("b", "red", 5, "B"), *coup(0), LOWER), 875),
        ((do("launch"), LOWER), 2450),
        ((do("launch"), LOWER, VOID), 875),
        ((stake("b", "red", 5, "B"), LOWER), 2450),
        ((stake("b", "red", 5, "B"), LOWER, do("withdraw", id="b")), 2450),
        ((stake("b", "red", 5, "B"), LOWER, do("withdraw", id="b"), CLOSE, VOID), 875),
    ],
)
def test_it_amb_27_at_once_only_on_a_clear_cloth(before: tuple[Step, ...], won: int) -> None:
    given = {"rulebook": "it", "purses": {"A": 1000, "B": 1000}, **EIGHTY}
    script = [*before, stake("a", "9", 70), *coup(9)]
    outcome = run_script({**given, "script": script}, load_any)
    assert outcome["coups"][-1]["players"]["A"] == sums(won, 70)


# AMB-IT-28: the wheel -----------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-28", "IT-gioco-2")
def test_it_amb_28_three_spins_the_second_void() -> None:
    come_out(*coup(17), CLOSE, VOID, *coup(3), wheel=["cw", "cw", "cw"])


# AMB-IT-29: announcements while winners are paid --------------------------------------------------


@pytest.mark.rule("AMB-IT-29", "IT-general-13b")
def test_it_amb_29_nassa_is_taken_and_orfanelli_wait() -> None:
    come_out(
        stake("s", "14", 5),
        stake("r", "red", 5),
        CLOSE,
        do("pocket", number=14),
        do("call"),
        announce("n", "nassa", 5, "B"),
        do("collect"),
        announce("n", "nassa", 5, "B"),
        announce("o", "orphelins", 5, "B"),
        do("pay", payments=1),
        announce("o", "orphelins", 5, "B"),
        do("pay", payments=1),
        announce("o", "orphelins", 5, "B"),
        *coup(19),
        refused=[5, 8, 10],
        coups=[{"A": sums(175 + 5, 10)}, {"B": sums(35, 1, 9)}],
        payment_order=["n"],
    )
