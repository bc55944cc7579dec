"""Spain, what the order of 1979 fills in: the wheel, the close, the payments, null spins."""

import pytest

from novamas.game.payment import payments
from novamas.game.rulebook.model import Cause, ChipKind
from novamas.game.wheel import Direction
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.helpers import (
    coup,
    number_called,
    opened,
    paid_in_order,
    place,
    refused,
    settled,
    stakes,
)

CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE


# The wheel ----------------------------------------------------------------------------------------


@pytest.mark.rule("ES-G.6")
def test_es_g_6_the_cylinder_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    table = opened("es", {})
    for number in (17, 0, 32):
        coup(table, number)
    table.launch()
    spun = [(e.wheel, e.ball) for e in table.events if isinstance(e, events.BallLaunched)]
    assert spun == [(CW, CCW), (CCW, CW), (CW, CCW), (CCW, CW)]


@pytest.mark.rule("ES-G.6", "ES-G.9")
def test_es_g_6_a_null_spin_was_a_time_too() -> None:
    table = opened("es", {})
    table.launch()
    table.void("ball_out")
    table.launch()
    assert table.tally.directions == ["cw", "ccw"]


@pytest.mark.rule("ES-G.9")
@pytest.mark.parametrize("cause", ["ball_escaped", "object_in_wheel", "ball_out", "ball_stuck"])
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_es_g_9_a_null_spin_settles_nothing(cause: str, phase: Phase) -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:10 red:20")
    table.launch()
    if phase is Phase.CLOSED:
        table.close()
    table.void(cause)
    void = table.last(events.BallVoided)
    assert (void.call, void.by, void.articles) == ("Tirada nula", "chief-1", ("ES-G.9",))
    assert (table.state.on_cloth, table.purse("ana"), table.state.bank) == (30, 70, 0)
    assert not table.tally.coups
    # The ball is thrown again, and until then the stakes may be changed.
    table.act(commands.WithdrawStake(by="ana", id="s2"))
    assert coup(table, 17).of("ana").won == 350


@pytest.mark.rule("ES-G.9")
def test_es_g_9_only_the_chief_makes_a_spin_null() -> None:
    table = opened("es", {})
    table.launch()
    void = commands.VoidBall(by="croupier-1", cause=Cause.BALL_OUT)
    refusal = refused(table, void)
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail == "void ball is for the jefe de mesa"


@pytest.mark.rule("ES-G.9")
def test_es_g_9_a_cause_that_the_order_does_not_name_makes_nothing_null() -> None:
    table = opened("es", {})
    table.launch()
    refusal = refused(table, commands.VoidBall(by="chief-1", cause=Cause.WHEEL_STOPPED))
    assert (refusal.why, refusal.articles) == (RefusalReason.CAUSE_NOT_IN_THE_BOOK, ("ES-G.9",))
    assert refusal.detail == "causes here: ball_escaped, object_in_wheel, ball_out, ball_stuck"


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
    table = opened("es", {"ana": 100})
    table.launch()
    table.stake("ana", "17:10 20:10")
    table.close()
    assert table.last(events.BettingClosed).call == "No va más"
    late: list[commands.Command] = [
        place("ana", "5:10"),
        commands.MoveStake(by="ana", id="s1", on="20"),
        commands.WithdrawStake(by="ana", id="s1"),
    ]
    for command in late:
        refusal = refused(table, command)
        assert (refusal.why, refusal.articles) == (RefusalReason.BETTING_IS_CLOSED, ("ES-G.7",))
    table.pocket(17)
    assert refused(table, late[0]).why is RefusalReason.BETTING_IS_CLOSED
    table.call()
    assert refused(table, late[0]).why is RefusalReason.BETTING_IS_CLOSED
    table.collect()
    # Not even on a spot that did not win, while the winner is being paid.
    refusal = refused(table, late[0])
    assert (refusal.why, refusal.articles) == (RefusalReason.BETTING_IS_CLOSED, ("ES-G.7",))
    table.pay()
    table.stake("ana", "5:10")


@pytest.mark.rule("ES-G.7")
def test_es_g_7_nobody_grants_an_exception() -> None:
    table = opened("es", {"ana": 100})
    table.close()
    refusal = refused(table, commands.GrantException(by="chief-1", player="ana"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_EXCEPTION_IN_THE_BOOK, ("ES-G.7",))


@pytest.mark.rule("ES-G.7")
def test_es_g_7_words_without_chips_are_no_bet() -> None:
    table = opened("es", {"ana": 100})
    refusal = refused(table, place("ana", "17:10", covered=False, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_LAID, ("ES-G.7",))
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
