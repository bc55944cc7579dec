"""France, French roulette, article 51: the wheel, the close, the call and the payments."""

from itertools import pairwise

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


@pytest.mark.rule("FR-51.a", "FR-51.b")
def test_fr_51_a_the_wheel_has_37_pockets_red_and_black_by_turns() -> None:
    wheel = load("fr").wheel.pockets
    assert sorted(wheel.order) == list(range(37))
    colours = [settled("fr", out, "red:2").lines[0].won > 0 for out in wheel.order[1:]]
    assert len(colours) == 36
    assert all(one != other for one, other in pairwise(colours))


@pytest.mark.rule("FR-51.a")
def test_fr_51_a_there_is_no_double_zero() -> None:
    table = opened("fr", {"ana": 100})
    table.close()
    fallen = commands.PocketBall(by="croupier-1", number="00")
    assert refused(table, fallen).why is RefusalReason.NUMBER_NOT_ON_THE_WHEEL


@pytest.mark.rule("FR-51.i", "FR-51.j", "FR-51.k", "AMB-FR-14")
def test_fr_51_i_the_cylinder_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    check_the_wheel_alternates("fr", void="object_in_wheel")


@pytest.mark.parametrize(
    ("cause", "articles"),
    [
        case("FR-51.k NV-03", "object_in_wheel", ("FR-51.k",)),
        case("AMB-FR-08", "ball_escaped", ("AMB-FR-08",)),
        case("AMB-FR-08", "ball_out", ("AMB-FR-08",)),
        case("AMB-FR-08", "ball_stuck", ("AMB-FR-08",)),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_fr_51_k_a_void_ball_settles_nothing_and_the_stakes_lie(
    phase: Phase, cause: str, articles: tuple[str, ...]
) -> None:
    void = check_a_void_ball_settles_nothing("fr", cause, phase, call="Coup nul", by="croupier-1")
    assert set(articles) <= set(void.articles)


@pytest.mark.rule("AMB-FR-08", "FR-51.k")
@pytest.mark.parametrize("cause", ["wheel_stopped", "same_direction", "too_few_turns"])
def test_fr_51_k_no_other_cause_makes_a_ball_void(cause: str) -> None:
    assert check_no_void_for("fr", cause) == ("FR-51.k", "AMB-FR-08")


@pytest.mark.rule("FR-51.o", "FR-51.k")
def test_fr_51_o_a_ball_at_rest_is_no_longer_void() -> None:
    table = opened("fr", {"ana": 100})
    table.pocket(17)
    refusal = refused(table, commands.VoidBall(by="croupier-1", cause=Cause.OBJECT_IN_WHEEL))
    assert (refusal.why, refusal.articles) == (RefusalReason.BALL_ALREADY_POCKETED, ("FR-51.o",))


@pytest.mark.rule("FR-51.l", "FR-51.m", "FR-51.n")
def test_fr_51_l_stakes_are_taken_while_the_ball_runs_until_rien_ne_va_plus() -> None:
    check_the_close("fr", ("FR-51.n",), call="Rien ne va plus")


@pytest.mark.rule("FR-51.n")
def test_fr_51_n_nobody_grants_an_exception() -> None:
    check_no_exception("fr", ("FR-51.n",))


@pytest.mark.rule("FR-51.r")
def test_fr_51_r_words_without_chips_took_no_part() -> None:
    check_words_are_no_stake("fr", ("FR-51.r",))


@pytest.mark.parametrize(
    ("number", "call"),
    [
        case("FR-51.o", 32, "trente-deux, rouge, pair, passe"),
        case("FR-51.o", 17, "dix-sept, noir, impair, manque"),
        case("FR-51.o FR-51.b", 0, "zéro"),
    ],
)
def test_fr_51_o_the_number_is_called_with_the_simple_chances_that_win(
    number: int, call: str
) -> None:
    assert number_called("fr", number).replace(" et ", ", ") == call


@pytest.mark.rule("FR-51.p")
def test_fr_51_p_the_number_is_marked_while_every_chip_still_lies() -> None:
    table = opened("fr", {"ana": 100})
    table.stake("ana", "17:5 red:5")
    table.pocket(17)
    assert refused(table, commands.CallNumber(by="end-1")).why is RefusalReason.NOT_OF_THIS_POST
    table.call()
    assert table.state.number == table.last(events.NumberCalled).settlement.pocket == 17
    assert (table.purse("ana"), table.state.on_cloth) == (90, 10)


@pytest.mark.rule("NV-03")
def test_nv_03_the_invitation_is_the_customary_one() -> None:
    table = opened("fr", {})
    coup(table, 17)
    assert table.last(events.CoupEnded).call == "Faites vos jeux"


@pytest.mark.rule("FR-51.q")
def test_fr_51_q_losers_are_collected_before_winners_are_paid() -> None:
    table = paid_in_order("fr")
    assert table.state.on_cloth == 0


@pytest.mark.rule("FR-51.s", "AMB-FR-07")
def test_fr_51_s_winners_are_paid_from_the_columns_to_the_pleins() -> None:
    laid = "17:2 17/20:2 16/20:2 16/18:2 13/18:2 odd:2 black:2 d1+d2:2 c1+c2:2 d2:2 c2:2"
    paid = payments(load("fr"), settled("fr", 17, laid))
    order = [line.stake.spot.name for each in paid for line in each.lines]
    assert order == "c2 d2 c1+c2 d1+d2 odd black 13/18 16/18 16/20 17/20 17".split()
    assert {each.articles for each in paid} == {("FR-51.s", "AMB-FR-07")}


@pytest.mark.rule("FR-51.s", "AMB-FR-07")
def test_fr_51_s_within_a_class_each_stake_is_paid_by_itself_as_it_was_laid() -> None:
    ana, luc = stakes("17:2 17/20:2 17:4", "ana"), stakes("17:10", "luc")
    paid = payments(load("fr"), settled("fr", 17, [ana[0], luc[0], ana[1], ana[2]]))
    assert [[line.stake.id for line in each.lines] for each in paid] == [
        ["ana2"],
        ["ana1"],
        ["luc1"],
        ["ana3"],
    ]
