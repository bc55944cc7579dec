"""Spain, American roulette: the wheel, the close, the payments player by player, null throws."""

import pytest

from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import Cause
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
    case,
    coup,
    number_called,
    opened,
    paid_in_order,
    refused,
    settled,
    stakes,
)

# The wheel ----------------------------------------------------------------------------------------


@pytest.mark.rule("ESAM-01.3.a")
def test_esam_3_a_the_cylinder_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    check_the_wheel_alternates("esam", void="ball_out")


@pytest.mark.parametrize(
    ("cause", "articles"),
    [
        case("ESAM-01.3.d", "object_in_wheel", ("ESAM-01.3.d",)),
        case("ESAM-01.3.d", "ball_out", ("ESAM-01.3.d",)),
        case("ESAM-01.3.d AMB-ESAM-07", "ball_escaped", ("ESAM-01.3.d", "AMB-ESAM-07")),
        case("ESAM-01.3.d AMB-ESAM-07", "ball_stuck", ("ESAM-01.3.d", "AMB-ESAM-07")),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_esam_3_d_a_null_throw_settles_nothing_and_the_stakes_lie(
    cause: str, articles: tuple[str, ...], phase: Phase
) -> None:
    void = check_a_void_ball_settles_nothing("esam", cause, phase, call="Tirada nula", by="chief-1")
    assert void.articles == articles


@pytest.mark.rule("ESAM-01.3.d")
@pytest.mark.parametrize("cause", ["wheel_stopped", "same_direction", "too_few_turns"])
def test_esam_3_d_what_the_order_does_not_name_makes_nothing_null(cause: str) -> None:
    assert "ESAM-01.3.d" in check_no_void_for("esam", cause)


@pytest.mark.rule("ESAM-01.3.d")
def test_esam_3_d_the_chief_makes_a_throw_null_and_only_while_the_ball_runs() -> None:
    table = opened("esam", {"ana": 100})
    void = commands.VoidBall(by="chief-1", cause=Cause.OBJECT_IN_WHEEL)
    assert refused(table, void).why is RefusalReason.BALL_NOT_LAUNCHED
    table.launch()
    by_croupier = commands.VoidBall(by="croupier-1", cause=Cause.OBJECT_IN_WHEEL)
    assert refused(table, by_croupier).why is RefusalReason.NOT_OF_THIS_POST
    table.pocket(17)
    refusal = refused(table, void)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.BALL_ALREADY_POCKETED,
        ("ESAM-01.3.d",),
    )


# From the first stake to the call -----------------------------------------------------------------


@pytest.mark.rule("ESAM-01.3.b")
def test_esam_3_b_bets_are_taken_before_the_throw_and_while_the_ball_runs_until_the_call() -> None:
    check_the_close("esam", ("ESAM-01.3.b",), call="No va más")


@pytest.mark.rule("ESAM-01.3.b")
def test_esam_3_b_nobody_grants_an_exception_and_words_without_chips_are_no_bet() -> None:
    check_words_are_no_stake("esam", ("ESAM-01.3.b",))
    check_no_exception("esam", ("ESAM-01.3.b",))


@pytest.mark.rule("ESAM-01.3.c")
@pytest.mark.parametrize(
    ("number", "call"),
    [
        (32, "treinta y dos, rojo, par y pasa"),
        (17, "diecisiete, negro, impar y falta"),
        (0, "cero"),
    ],
)
def test_esam_3_c_the_croupier_calls_the_number_and_its_simple_chances(
    number: int, call: str
) -> None:
    assert number_called("esam", number) == call


@pytest.mark.rule("ESAM-01.3.c")
def test_esam_3_c_called_then_collected_and_only_then_paid() -> None:
    lines = paid_in_order("esam").last(events.NumberCalled).settlement.lines
    assert [line.lost for line in lines] == [20, 0]


# The payments -------------------------------------------------------------------------------------


@pytest.mark.rule("ESAM-III.b")
def test_esam_iii_b_the_order_of_payment_has_a_place_for_each_simple_chance() -> None:
    # One player for each winner, so that nothing is brought together.
    bets = (
        "17:2 17/20:2 16/20:2 16/18:2 13/18:2 d2:2 d1+d2:2 low:2 odd:2 black:2 c2:2 c1+c2:2"
    ).split()
    hands = [stakes(bet, f"p{place}") for place, bet in enumerate(bets)]
    paid = payments(load("esam"), settled("esam", 17, *hands))
    order = [line.stake.spot.name for each in paid for line in each.lines]
    expected = "c1+c2 c2 odd black low d1+d2 d2 13/18 16/18 16/20 17/20 17".split()
    assert order == expected
    assert all("ESAM-III.b" in each.articles for each in paid)


@pytest.mark.rule("ESAM-III.b")
def test_esam_iii_b_pasa_comes_first_of_the_simple_chances_and_rojo_before_par() -> None:
    bets = "even:2 red:2 high:2".split()
    hands = [stakes(bet, f"p{place}") for place, bet in enumerate(bets)]
    paid = payments(load("esam"), settled("esam", 32, *hands))
    assert [each.lines[0].stake.spot.name for each in paid] == ["high", "red", "even"]


@pytest.mark.rule("ESAM-III.c", "AMB-ESAM-06")
def test_esam_iii_c_all_that_a_player_wins_is_paid_at_once() -> None:
    ana, luis = stakes("17:2 c2:2", "ana"), stakes("black:2", "luis")
    paid = payments(load("esam"), settled("esam", 17, ana, luis))
    by_player = [(each.player, [line.stake.spot.name for line in each.lines]) for each in paid]
    order = [(player, name) for player, names in by_player for name in names]
    assert order == [("ana", "c2"), ("ana", "17"), ("luis", "black")]
    assert all("ESAM-III.c" in each.articles for each in paid)


@pytest.mark.rule("ESAM-III.b", "ESAM-III.c", "AMB-ESAM-06")
def test_amb_esam_06_the_order_finds_the_first_player_and_then_the_next() -> None:
    hands = [
        stakes("32:1 d2+d3:4", "a"),
        stakes("d3:5 high:5", "b"),
        stakes("red:5 c2:5", "c"),
        stakes("even:5 31/36:2", "d"),
        stakes("32/35:2 c2+c3:6", "e"),
    ]
    paid = payments(load("esam"), settled("esam", 32, *hands))
    order = [(line.stake.player, line.stake.spot.name) for each in paid for line in each.lines]
    assert order == [
        ("e", "c2+c3"),
        ("e", "32/35"),
        ("c", "c2"),
        ("c", "red"),
        ("b", "high"),
        ("b", "d3"),
        ("d", "even"),
        ("d", "31/36"),
        ("a", "d2+d3"),
        ("a", "32"),
    ]


@pytest.mark.rule("ESAM-III.c")
def test_esam_iii_c_the_croupier_pays_a_player_after_the_other() -> None:
    table = opened("esam", {"ana": 100, "luis": 100})
    table.stake("ana", "17:2")
    table.stake("luis", "black:2")
    table.stake("ana", "c2:2")
    table.pocket(17)
    table.call()
    table.collect()
    table.act(commands.PayNext(by="croupier-1"))
    while table.purse("ana") < 100 + 70 + 4:
        assert table.purse("luis") == 98
        table.act(commands.PayNext(by="croupier-1"))
    assert table.state.phase is Phase.PAYING
    table.act(commands.PayNext(by="croupier-1"))
    assert table.purse("luis") == 102


@pytest.mark.rule("ESAM-III.d")
def test_esam_iii_d_in_which_chips_a_winner_is_paid_does_not_change_the_money() -> None:
    for value_chips in ([], ["ana"]):
        table = opened("esam", {"ana": 100}, value_chips=value_chips)
        table.stake("ana", "17:2 red:10 black:10")
        assert coup(table, 17).of("ana").won == 80
        assert table.purse("ana") == 100 + 80 - 10
