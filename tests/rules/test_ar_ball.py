"""Argentina: the ball thrown and annulled, what is called, and what comes too late."""

from dataclasses import replace
from functools import partial
from typing import cast

import pytest

from novamas.game.rulebook.behaviours import Cause
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import BallLaunched, BallVoided, BettingClosed, CoupEnded, TableOpened
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from novamas.wording.calls import number_call
from tests.rules.helpers import Table, case, coup, opened, place, refused

CAUSES = {
    "ball_escaped": "AR-18.a",
    "object_in_wheel": "AR-18.b",
    "ball_out": "AR-18.c1",
    "ball_stuck": "AR-18.c2",
    "wheel_stopped": "AR-18.d",
}


def staked() -> Table:
    """A table with two stakes of ana's, s1 and s2."""
    table = opened("ar", {"ana": 100, "luis": 100})
    table.stake("ana", "17:5 red:10")
    return table


def void(cause: str = "ball_out") -> commands.VoidBall:
    """The tallador's command that annuls the ball, for a cause of the list or for another."""
    named = Cause(cause) if cause in CAUSES else cast(Cause, cause)
    return commands.VoidBall(by="tallador-1", cause=named)


# Annulment ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "article"),
    [case(f"{article} AR-18.0 AR-19", cause, article) for cause, article in CAUSES.items()],
)
@pytest.mark.parametrize("when", ["betting", "closed"])
def test_ar_18_an_annulled_ball_settles_nothing(cause: str, article: str, when: str) -> None:
    table = staked()
    table.launch()
    if when == "closed":
        table.close()
    table.void(cause)
    voided = table.last(BallVoided)
    assert voided.call == "No va esta bola"
    assert voided.articles == (article, "AMB-AR-20")
    assert {id: stake.amount for id, stake in table.state.stakes.items()} == {"s1": 5, "s2": 10}
    assert (table.purse("ana"), table.state.bank) == (85, 0)
    assert not table.tally.coups
    assert (table.state.phase, table.state.ball_launched) == (Phase.BETTING, False)


@pytest.mark.rule("AR-18.0", "AR-18.a")
def test_ar_18_before_the_throw_only_a_ball_that_slipped_can_be_annulled() -> None:
    table = staked()
    for cause in CAUSES:
        if cause != "ball_escaped":
            refusal = refused(table, void(cause))
            assert refusal.why is RefusalReason.BALL_NOT_LAUNCHED
            assert refusal.articles == ("AR-18.0", "AMB-AR-21")
    table.void("ball_escaped")
    assert table.last(BallVoided).articles == ("AR-18.a", "AMB-AR-20")


@pytest.mark.rule("AR-18.0", "AR-18.b", "AMB-AR-21")
@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("steps", [["pocket"], ["pocket", "call"], ["pocket", "call", "collect"]])
def test_ar_18_once_pocketed_the_result_stands(cause: str, steps: list[str]) -> None:
    table = staked()
    table.pocket(17)
    for step in steps[1:]:
        getattr(table, step)()
    refusal = refused(table, void(cause))
    assert refusal.why is RefusalReason.BALL_ALREADY_POCKETED
    assert refusal.articles == ("AR-18.0", "AMB-AR-21")
    for step in ["call", "collect", "pay"][len(steps) - 1 :]:
        getattr(table, step)()
    assert table.tally.coups[-1].of("ana").won == 175


@pytest.mark.rule("AMB-AR-21", "AR-18.0")
@pytest.mark.parametrize("cause", ["two_balls", "wheel_not_turning", "bad_throw", ""])
def test_ar_18_what_is_not_in_the_list_annuls_nothing(cause: str) -> None:
    table = staked()
    table.close()
    assert refused(table, void(cause)).why is RefusalReason.COMMAND_NOT_UNDERSTOOD
    assert coup(table, 17).of("ana").won == 175


@pytest.mark.rule("AMB-AR-21", "AR-18.0")
def test_ar_18_the_list_of_causes_is_closed() -> None:
    book = load("ar")
    assert {each.value for each in book.wheel.causes} == set(CAUSES)
    table = staked()
    table.close()
    shorter = replace(book.wheel, causes=book.wheel.causes - {Cause.BALL_STUCK})
    table.state.book = replace(book, wheel=shorter)
    refusal = refused(table, void("ball_stuck"))
    assert refusal.why is RefusalReason.CAUSE_NOT_IN_THE_BOOK
    assert refusal.articles == ("AR-18.0", *CAUSES.values(), "AMB-AR-21")


@pytest.mark.rule("AMB-AR-20")
def test_ar_18_after_an_annulled_ball_the_bets_may_be_changed_until_the_next_close() -> None:
    table = staked()
    table.close()
    table.void("object_in_wheel")
    table.act(commands.MoveStake(by="ana", id="s1", on="20"))
    table.act(commands.WithdrawStake(by="ana", id="s2"))
    table.stake("luis", "20:3")
    table.close()
    assert refused(table, commands.WithdrawStake(by="ana", id="s1")).articles == ("AR-20.b",)
    sums = coup(table, 20)
    assert (sums.of("ana").won, sums.of("luis").won) == (175, 105)


@pytest.mark.rule("AMB-AR-20")
def test_ar_18_bets_that_are_not_changed_play_with_the_next_ball() -> None:
    table = staked()
    for cause in CAUSES:
        table.close()
        table.void(cause)
    sums = coup(table, 17).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (175, 5, 10)


@pytest.mark.rule("AR-19", "AR-S1")
def test_ar_19_it_is_the_tallador_who_announces_it() -> None:
    table = staked()
    table.close()
    by_pagador = commands.VoidBall(by="pagador-1", cause=Cause.BALL_OUT)
    assert refused(table, by_pagador).why is RefusalReason.NOT_OF_THIS_POST
    by_player = commands.VoidBall(by="ana", cause=Cause.BALL_OUT)
    assert refused(table, by_player).articles == ("AR-S1",)
    table.act(void())
    assert table.last(BallVoided).by == "tallador-1"


# No va más ----------------------------------------------------------------------------------------


LATE: list[tuple[str, commands.Command]] = [
    ("AR-20.a", place("ana", "17:1")),
    ("AR-20.a", place("luis", "red:1")),
    ("AR-20.a", place("luis", "17:1", by="pagador-1")),
    ("AR-20.b", commands.WithdrawStake(by="ana", id="s1")),
    ("AR-20.b", commands.WithdrawStake(by="ana", id="s1", amount=1)),
    ("AR-20.b", commands.MoveStake(by="ana", id="s1", on="20")),
    ("AR-20.b", commands.CorrectStake(by="pagador-1", id="s1", on="20")),
]


@pytest.mark.parametrize(
    ("article", "command"), [case(article, article, command) for article, command in LATE]
)
@pytest.mark.parametrize("steps", [0, 1, 2, 3], ids=["closed", "pocketed", "called", "collected"])
def test_ar_20_after_no_va_mas_nothing_is_laid_taken_back_or_changed(
    article: str, command: commands.Command, steps: int
) -> None:
    table = staked()
    table.close()
    assert table.last(BettingClosed).call == "No va más"
    for step in (partial(table.pocket, 17), table.call, table.collect)[:steps]:
        step()
    refusal = refused(table, command)
    assert refusal.why in (RefusalReason.BETTING_IS_CLOSED, RefusalReason.REPORTED_TOO_LATE)
    assert refusal.articles == (article,)
    assert table.state.players["luis"].purse == 100


@pytest.mark.rule("AR-20.a", "AR-20.b")
def test_ar_20_until_no_va_mas_bets_are_laid_and_changed_even_while_the_ball_runs() -> None:
    table = staked()
    table.launch()
    table.stake("luis", "17:1")
    table.act(commands.MoveStake(by="ana", id="s1", on="20"))
    table.act(commands.WithdrawStake(by="ana", id="s2", amount=4))
    assert table.purse("ana") == 89
    table.close()
    assert refused(table, place("luis", "17:1")).articles == ("AR-20.a",)


@pytest.mark.rule("AR-20.a")
def test_ar_20_there_is_no_exception_to_it() -> None:
    table = staked()
    table.close()
    grant = commands.GrantException(by="tallador-1", player="luis")
    refusal = refused(table, grant)
    assert refusal.why is RefusalReason.NO_EXCEPTION_IN_THE_BOOK
    assert refusal.articles == ("AR-20.a",)


@pytest.mark.rule("AR-20.a")
def test_ar_20_new_bets_wait_until_all_are_paid() -> None:
    table = staked()
    table.pocket(17)
    table.call()
    table.collect()
    assert table.state.phase is Phase.PAYING
    assert refused(table, place("luis", "20:1")).articles == ("AR-20.a",)
    table.pay()
    table.stake("luis", "20:1")


# Announced bets -----------------------------------------------------------------------------------


@pytest.mark.rule("AR-21")
def test_ar_21_a_bet_announced_without_chips_is_never_accepted() -> None:
    table = opened("ar", {"ana": 100})
    refusal = refused(table, place("ana", "32:10", covered=False, by="pagador-1"))
    assert refusal.why is RefusalReason.CHIPS_NOT_LAID
    assert refusal.articles == ("AR-21",)
    assert coup(table, 32).of("ana").won == 0


@pytest.mark.rule("AR-21", "AMB-AR-24")
def test_ar_21_with_its_chips_laid_before_no_va_mas_it_is_accepted() -> None:
    table = opened("ar", {"ana": 100})
    table.launch()
    table.stake("ana", "32:10", covered=True)
    assert coup(table, 32).of("ana").won == 350


@pytest.mark.rule("AR-1")
@pytest.mark.parametrize("call", ["voisins", "tiers", "orphelins", "zerospiel", "17~2", "f4"])
def test_ar_1_this_house_knows_no_announcements_of_many_numbers(call: str) -> None:
    table = opened("ar", {"ana": 180})
    announce = commands.Announce(by="ana", id="a1", player="ana", call=call, amount=180)
    refusal = refused(table, announce)
    assert refusal.why is RefusalReason.ANNOUNCEMENT_NOT_TAKEN
    assert refusal.articles == ("AR-1",)


# The wheel and the calls --------------------------------------------------------------------------


@pytest.mark.rule("NV-01")
def test_nv_01_each_spin_turns_against_the_one_before_and_the_ball_against_the_wheel() -> None:
    table = staked()
    coup(table, 1)
    table.launch()
    table.void("ball_out")
    coup(table, 2)
    spins = [event for event in table.events if isinstance(event, BallLaunched)]
    assert [(spin.wheel, spin.ball) for spin in spins] == [
        ("cw", "ccw"),
        ("ccw", "cw"),
        ("cw", "ccw"),
    ]


@pytest.mark.rule("NV-03")
def test_nv_03_betting_opens_with_the_customary_call() -> None:
    table = staked()
    coup(table, 1)
    assert table.last(TableOpened).call == "Hagan juego"
    assert table.last(CoupEnded).call == "Hagan juego"


@pytest.mark.parametrize(
    ("number", "call"),
    [
        case("AR-15.a NV-03 AR-4.b", 32, "Colorado el treinta y dos"),
        case("AR-15.a NV-03 AR-4.b", 17, "Negro el diecisiete"),
        case("AR-15.a NV-03 AMB-AR-26", 0, "Cero"),
    ],
)
def test_ar_15_the_number_is_called_as_is_customary_colour_first(number: int, call: str) -> None:
    assert number_call(load("ar"), number) == call
