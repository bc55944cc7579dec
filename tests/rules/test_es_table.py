"""Spain, what the order of 1979 fills in: the wheel, the close, the payments, null spins."""

import pytest

from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import Cause, ChipKind
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.alike import (
    check_a_void_ball_settles_nothing,
    check_no_exception,
    check_no_void_for,
    check_the_close,
    check_the_wheel_alternates,
    check_words_are_no_stake,
)
from tests.rules.helpers import (
    number_called,
    opened,
    paid_in_order,
    refused,
    settled,
    stakes,
)

# The wheel ----------------------------------------------------------------------------------------


@pytest.mark.rule("ES-G.6", "ES-G.9")
def test_es_g_6_the_cylinder_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    check_the_wheel_alternates("es", void="ball_out")


@pytest.mark.rule("ES-G.9")
@pytest.mark.parametrize("cause", ["ball_escaped", "object_in_wheel", "ball_out", "ball_stuck"])
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_es_g_9_a_null_spin_settles_nothing(cause: str, phase: Phase) -> None:
    void = check_a_void_ball_settles_nothing("es", cause, phase, call="Tirada nula", by="chief-1")
    assert void.articles == ("ES-G.9",)


@pytest.mark.rule("ES-G.9")
def test_es_g_9_only_the_chief_makes_a_spin_null() -> None:
    table = opened("es", {})
    table.launch()
    void = commands.VoidBall(by="croupier-1", cause=Cause.BALL_OUT)
    refusal = refused(table, void)
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail == "void ball is for the jefe de mesa"


@pytest.mark.rule("ES-G.9")
@pytest.mark.parametrize("cause", ["wheel_stopped", "same_direction", "too_few_turns"])
def test_es_g_9_a_cause_that_the_order_does_not_name_makes_nothing_null(cause: str) -> None:
    assert check_no_void_for("es", cause) == ("ES-G.9",)


@pytest.mark.rule("ES-G.9")
def test_es_g_9_a_spin_is_null_only_while_the_ball_runs() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:10")
    void = commands.VoidBall(by="chief-1", cause=Cause.OBJECT_IN_WHEEL)
    refusal = refused(table, void)
    assert (refusal.why, refusal.articles) == (RefusalReason.BALL_NOT_LAUNCHED, ("ES-G.9",))
    table.pocket(17)
    for step in (table.call, table.collect):
        refusal = refused(table, void)
        assert (refusal.why, refusal.articles) == (RefusalReason.BALL_ALREADY_POCKETED, ("ES-G.9",))
        step()
    assert refused(table, void).why is RefusalReason.BALL_ALREADY_POCKETED


# From the close to the payments -------------------------------------------------------------------


@pytest.mark.rule("ES-G.7")
def test_es_g_7_bets_are_taken_until_no_va_mas_and_none_after_it() -> None:
    check_the_close("es", ("ES-G.7",), call="No va más")


@pytest.mark.rule("ES-G.7")
def test_es_g_7_nobody_grants_an_exception() -> None:
    check_no_exception("es", ("ES-G.7",))


@pytest.mark.rule("ES-G.7")
def test_es_g_7_words_without_chips_are_no_bet() -> None:
    check_words_are_no_stake("es", ("ES-G.7",))
    table = opened("es", {"ana": 100})
    announce = commands.Announce(by="ana", player="ana", id="a", call="voisins", amount=9)
    assert refused(table, announce).why is RefusalReason.ANNOUNCEMENT_NOT_TAKEN


@pytest.mark.rule("ES-G.10")
@pytest.mark.parametrize(
    ("number", "call"),
    [
        (32, "treinta y dos, rojo, par y pasa"),
        (17, "diecisiete, negro, impar y falta"),
        (0, "cero"),
    ],
)
def test_es_g_10_the_croupier_calls_the_number_and_its_simple_chances(
    number: int, call: str
) -> None:
    assert number_called("es", number) == call


@pytest.mark.rule("ES-G.10")
def test_es_g_10_called_then_collected_and_only_then_paid() -> None:
    lines = paid_in_order("es").last(events.NumberCalled).settlement.lines
    assert [line.lost for line in lines] == [20, 0]


@pytest.mark.rule("ES-G.8")
def test_es_g_8_plenos_are_paid_last() -> None:
    laid = "17:2 17/20:2 16/20:2 13/18:2 16/18:2 black:2 d1+d2:2 c1+c2:2 d2:2 c2:2"
    order = [line.stake.spot.name for line in settled("es", 17, laid).lines]
    expected = "c2 d2 c1+c2 d1+d2 black 16/18 13/18 16/20 17/20 17".split()
    assert order == expected


@pytest.mark.rule("ES-G.8")
def test_es_g_8_within_a_kind_each_stake_is_paid_by_itself_as_it_was_laid() -> None:
    ana = stakes("17:2 17/20:2 17:4", "ana")
    luis = stakes("17:10", "luis", chip=5, kind=ChipKind.VALUE)
    laid = [ana[0], luis[0], ana[1], ana[2]]
    paid = payments(load("es"), settled("es", 17, laid))
    assert [[line.stake.id for line in each.lines] for each in paid] == [
        ["ana2"],
        ["ana1"],
        ["luis1"],
        ["ana3"],
    ]
    assert {each.articles for each in paid} == {("ES-G.8",)}


@pytest.mark.rule("ES-G.8", "ES-G.10")
def test_es_g_8_the_croupier_pays_in_that_order() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:2 red:2 c2:2 black:2")
    table.pocket(17)
    table.call()
    table.collect()
    purses = []
    while table.state.phase is Phase.PAYING:
        table.act(commands.PayNext(by="croupier-1"))
        purses.append(table.purse("ana") - 92)
    assert purses == [6, 10, 10 + 72]
