"""France, American roulette, article 55-1: the table, its staff, a coup and its payments."""

import pytest

from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.wheel import Pocket
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase, State
from tests.rules.alike import (
    check_a_void_ball_settles_nothing,
    check_the_chief_touches_no_chip,
    check_the_close,
    check_the_wheel_alternates,
    check_words_are_no_stake,
)
from tests.rules.helpers import (
    Table,
    case,
    coup,
    number_called,
    opened,
    paid_in_order,
    place,
    refused,
    settled,
    stakes,
)

# The table and its chips --------------------------------------------------------------------------


@pytest.mark.rule("FRAM-55-1.c", "AMB-FRAM-11")
def test_fram_55_1_c_there_are_ten_colours_and_each_shows_its_value() -> None:
    assert load("fram").chips.colours == 10
    table = opened("fram", {"ana": 100, "luc": 100}, chips={"ana": 5, "luc": 20})
    shown = {each.name: (each.colour, each.chip) for each in table.state.players.values()}
    assert shown["ana"][0] != shown["luc"][0]
    assert (shown["ana"][1], shown["luc"][1]) == (5, 20)


@pytest.mark.rule("FRAM-55-1.d", "AMB-FRAM-11")
def test_fram_55_1_d_an_eighth_player_finds_no_seat() -> None:
    table = opened("fram", {f"p{number}": 0 for number in range(7)})
    refusal = refused(table, commands.Sit(by="p8"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NO_SEAT_LEFT,
        ("FRAM-55-1.d", "AMB-FRAM-11"),
    )
    table.act(commands.Leave(by="p0"))
    table.act(commands.Sit(by="p8"))


@pytest.mark.rule("FRAM-55-1.e")
def test_fram_55_1_e_a_double_table_seats_fourteen() -> None:
    table = opened("fram", {f"p{number}": 0 for number in range(14)}, double=True)
    refusal = refused(table, commands.Sit(by="p15"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_SEAT_LEFT, ("FRAM-55-1.e",))


@pytest.mark.rule("FRAM-55-1.d", "FRAM-55-2.h", "FRAM-55-2.i", "FRAM-55-2.j")
def test_fram_55_1_d_the_chances_of_the_small_table_lie_on_one_side() -> None:
    cloth = load("fram").cloth
    assert cloth.drawing == "american"
    assert cloth.left == ("low", "even", "red", "black", "odd", "high")


@pytest.mark.rule("FRAM-55-1.s", "AMB-FRAM-10")
@pytest.mark.parametrize("on", ["17", "red", "d1"])
def test_fram_55_1_s_stakes_are_laid_in_colour_chips_alone(on: str) -> None:
    table = opened("fram", {"ana": 100})
    refusal = refused(table, place("ana", f"{on}:5", chips=ChipKind.VALUE))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.CHIPS_NOT_TAKEN_HERE,
        ("FRAM-55-1.s", "AMB-FRAM-10"),
    )


@pytest.mark.rule("FRAM-55-1.s")
def test_fram_55_1_s_winners_are_paid_in_their_own_colour() -> None:
    table = opened("fram", {"ana": 100, "luc": 100}, chips={"ana": 5})
    table.stake("ana", "17:10")
    colour = table.state.players["ana"].colour
    assert coup(table, 17).of("ana").won == 35 * 10
    ana = table.state.players["ana"]
    assert (ana.purse, ana.colour, ana.chip) == (100 + 350, colour, 5)
    taken = commands.BuyChips(by="croupier-1", player="luc", amount=10, colour=colour)
    assert "FRAM-55-1.s" in refused(table, taken).articles


@pytest.mark.rule("FRAM-38")
def test_fram_38_money_is_changed_into_chips_and_back() -> None:
    table = opened("fram", {"ana": 100}, chips={"ana": 5})
    for person in ("chief-1", "ana"):
        sale = commands.BuyChips(by=person, player="ana", amount=10)
        assert refused(table, sale).why is RefusalReason.NOT_OF_THIS_POST
    assert refused(table, place("ana", "17:105")).articles == ("FRAM-38",)
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount, changed.articles) == (20, 100, ("FRAM-38",))


# The staff ----------------------------------------------------------------------------------------


@pytest.mark.rule("FRAM-55-1.f")
@pytest.mark.parametrize(
    ("posts", "opens"),
    [(("chief", "croupier"), True), (("croupier",), False), (("chief",), False)],
)
def test_fram_55_1_f_a_chief_and_a_croupier_open_the_table(
    posts: tuple[str, ...], *, opens: bool
) -> None:
    table = Table(State.fresh(load("fram")))
    for post in posts:
        table.act(commands.TakePost(by=post, post=post))
    if opens:
        table.act(commands.OpenTable(by=MANAGEMENT))
        assert table.state.phase is Phase.BETTING
    else:
        refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.POST_MUST_BE_HELD,
            ("FRAM-55-1.f",),
        )


@pytest.mark.rule("FRAM-55-1.f", "FRAM-55-1.n")
def test_fram_55_1_f_an_employee_may_help_and_one_of_each_post_is_enough() -> None:
    table = opened("fram", {"ana": 100})
    table.act(commands.TakePost(by="employee-1", post="employee"))
    for post in ("chief", "croupier", "employee"):
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert refusal.why is RefusalReason.POST_IS_FULL
    assert {name: post.word for name, post in load("fram").posts.items()} == {
        "chief": "chef de table",
        "croupier": "croupier",
        "employee": "employé",
    }
    assert {act.value for act in load("fram").posts["employee"].may} == {"collect"}
    assert {act.value for act in load("fram").posts["croupier"].may} == {
        "launch_ball",
        "close_betting",
        "void_ball",
        "pocket_ball",
        "call_number",
        "collect",
        "pay",
        "sell_chips",
        "place_for_player",
        "correct",
        "declare_orphan",
        "count_float",
    }


@pytest.mark.rule("FRAM-55-1.g")
def test_fram_55_1_g_the_chief_corrects_signs_and_decides() -> None:
    chief = load("fram").posts["chief"]
    assert {act.value for act in chief.may} == {
        "order_correction",
        "sign_number",
        "declare_orphan",
        "change_limits",
        "suspend",
        "decide_dispute",
        "close_table",
    }
    assert chief.watches
    table = opened("fram", {"ana": 100})
    table.stake("ana", "17:5")
    table.act(commands.OrderCorrection(by="chief-1", id="s1", on="20"))


@pytest.mark.rule("FRAM-55-1.h")
def test_fram_55_1_h_the_chief_handles_neither_chips_nor_plaques() -> None:
    check_the_chief_touches_no_chip("fram", ("FRAM-55-1.h",))


# A coup -------------------------------------------------------------------------------------------


@pytest.mark.rule("FRAM-55-1.i", "FRAM-55-1.k", "AMB-FR-14")
def test_fram_55_1_i_the_cylinder_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    check_the_wheel_alternates("fram", void="object_in_wheel")


@pytest.mark.parametrize(
    ("cause", "article"),
    [
        case("FRAM-55-1.k", "object_in_wheel", "FRAM-55-1.k"),
        case("AMB-FR-08", "ball_escaped", "AMB-FR-08"),
        case("AMB-FR-08", "ball_out", "AMB-FR-08"),
        case("AMB-FR-08", "ball_stuck", "AMB-FR-08"),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_fram_55_1_k_a_void_ball_settles_nothing_and_the_stakes_lie(
    cause: str, article: str, phase: Phase
) -> None:
    void = check_a_void_ball_settles_nothing("fram", cause, phase, call="Coup nul", by="croupier-1")
    assert article in void.articles


@pytest.mark.rule("FRAM-55-1.l", "FRAM-55-1.m")
def test_fram_55_1_l_stakes_are_taken_while_the_ball_runs_until_rien_ne_va_plus() -> None:
    check_the_close("fram", ("FRAM-55-1.m",), call="Rien ne va plus")


@pytest.mark.rule("FRAM-55-1.m")
def test_fram_55_1_m_words_without_chips_are_no_stake() -> None:
    check_words_are_no_stake("fram", ("FRAM-55-1.m",))


@pytest.mark.rule("FRAM-55-1.o")
@pytest.mark.parametrize(
    ("number", "call"),
    [(32, "trente-deux, rouge, pair, passe"), (0, "zéro"), ("00", "double zéro")],
)
def test_fram_55_1_o_the_number_is_called_with_the_simple_chances_that_win(
    number: Pocket, call: str
) -> None:
    assert number_called("fram", number).replace(" et ", ", ") == call


@pytest.mark.rule("FRAM-55-1.p")
def test_fram_55_1_p_losers_are_collected_first() -> None:
    lines = paid_in_order("fram").last(events.NumberCalled).settlement.lines
    (lost,) = (line for line in lines if line.lost)
    assert "FRAM-55-1.p" in lost.articles


@pytest.mark.rule("FRAM-55-1.q", "AMB-FRAM-09")
def test_fram_55_1_q_all_that_a_player_won_is_paid_before_the_next_player() -> None:
    laid = [*stakes("17:2 c2:2", "ana"), *stakes("black:2", "luc")]
    paid = payments(load("fram"), settled("fram", 17, laid))
    assert [line.stake.id for each in paid for line in each.lines] == ["ana2", "ana1", "luc1"]
    assert all({"FRAM-55-1.q", "AMB-FRAM-09"} <= set(each.articles) for each in paid)


@pytest.mark.parametrize(
    ("out", "laid", "order"),
    [
        case(
            "FRAM-55-1.r AMB-FRAM-08",
            17,
            "17:2 17/20:2 16/20:2 16/18:2 13/18:2 d2:2 low:2 black:2 odd:2 c2:2",
            "c2 odd black low d2 13/18 16/18 16/20 17/20 17",
        ),
        case("FRAM-55-1.r", 36, "even:2 red:2 high:2 c3:2", "c3 high red even"),
        case(
            "FRAM-55-1.r AMB-FRAM-08",
            2,
            "2:2 0/2:2 0/1/2:2 0/00/1/2/3:2 1/6:2 d1:2",
            "d1 1/6 0/00/1/2/3 0/1/2 0/2 2",
        ),
    ],
)
def test_fram_55_1_r_the_winners_of_a_player_are_paid_class_by_class(
    out: int, laid: str, order: str
) -> None:
    paid = payments(load("fram"), settled("fram", out, laid))
    assert [line.stake.spot.name for each in paid for line in each.lines] == order.split()


@pytest.mark.rule("FRAM-55-1.r")
@pytest.mark.parametrize(
    ("out", "first", "then"),
    [
        (19, "high", "odd"),
        (17, "odd", "black"),
        (19, "odd", "red"),
        (8, "black", "even"),
        (36, "red", "even"),
        (18, "even", "low"),
    ],
)
def test_fram_55_1_r_each_simple_chance_has_its_place(out: int, first: str, then: str) -> None:
    paid = payments(load("fram"), settled("fram", out, f"{then}:2 {first}:2"))
    assert [line.stake.spot.name for each in paid for line in each.lines] == [first, then]
