"""France, English roulette, article 55-10: the table, its chips, its staff, a coup."""

from dataclasses import replace

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import ChipKind
from novamas.house.views.payment_view import Piles, of_payments
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
)
from tests.rules.helpers import (
    Table,
    case,
    coup,
    number_called,
    opened,
    paid_in_order,
    pieces,
    place,
    refused,
    settled,
    stakes,
)

# The table and its chips --------------------------------------------------------------------------


@pytest.mark.rule("FRAN-55-10.b", "FRAN-55-10.c")
def test_fran_55_10_b_there_are_seven_colours_and_each_shows_its_value() -> None:
    assert load("fran").chips.colours == 7
    table = opened("fran", {f"p{number}": 100 for number in range(7)}, chips={"p0": 5})
    shown = {each.name: (each.colour, each.chip) for each in table.state.players.values()}
    assert len({colour for colour, _ in shown.values()}) == 7
    assert (shown["p0"][1], shown["p1"][1]) == (5, 1)


@pytest.mark.rule("FRAN-55-10.c")
def test_fran_55_10_c_chips_of_another_table_are_refused() -> None:
    table = opened("fran", {"ana": 100})
    foreign = ForeignChips(3, "4", opening_minimum=5)
    refusal = refused(table, place("ana", "17:15", foreign=foreign, by="croupier-1"))
    assert refusal.why is RefusalReason.CHIPS_NOT_BOUGHT_HERE
    assert "FRAN-55-10.c" in refusal.articles


@pytest.mark.rule("FRAN-55-10.e", "AMB-FRAN-07")
def test_fran_55_10_e_an_eighth_player_finds_no_seat() -> None:
    table = opened("fran", {f"p{number}": 10 for number in range(7)}, value_chips=["p0", "p1"])
    refusal = refused(table, commands.Sit(by="p8"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NO_SEAT_LEFT,
        ("FRAN-55-10.e", "AMB-FRAN-07"),
    )


@pytest.mark.rule("FRAN-55-10.e")
def test_fran_55_10_e_a_double_table_seats_fourteen() -> None:
    table = opened("fran", {f"p{number}": 0 for number in range(14)}, double=True)
    refusal = refused(table, commands.Sit(by="p15"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_SEAT_LEFT, ("FRAN-55-10.e",))


@pytest.mark.rule("FRAN-55-10.e", "FRAN-55-12.h", "FRAN-55-12.i", "FRAN-55-12.j")
def test_fran_55_10_e_the_chances_of_the_small_table_lie_on_one_side() -> None:
    cloth = load("fran").cloth
    assert cloth.drawing == "american"
    assert cloth.left == ("low", "even", "red", "black", "odd", "high")


@pytest.mark.rule("FRAN-55-10.r", "AMB-FRAN-02")
@pytest.mark.parametrize(
    ("on", "taken"),
    [
        *((chance, True) for chance in ("red", "black", "even", "odd", "low", "high")),
        *((spot, False) for spot in ("d1", "c2", "17", "d1+d2", "17/20", "0/1/2/3")),
    ],
)
def test_fran_55_10_r_value_chips_are_taken_on_the_simple_chances_only(
    on: str, *, taken: bool
) -> None:
    table = opened("fran", {"ana": 100})
    if taken:
        table.stake("ana", f"{on}:5", chips=ChipKind.VALUE)
        assert table.state.on_cloth == 5
    else:
        refusal = refused(table, place("ana", f"{on}:5", chips=ChipKind.VALUE))
        assert refusal.why is RefusalReason.CHIPS_NOT_TAKEN_HERE
        assert "FRAN-55-10.r" in refusal.articles
        table.stake("ana", f"{on}:5")


@pytest.mark.rule("FRAN-55-10.r")
@pytest.mark.parametrize("on", ["red", "black", "even", "odd", "low", "high"])
def test_fran_55_10_r_colours_are_taken_on_the_simple_chances_too(on: str) -> None:
    table = opened("fran", {"ana": 100})
    table.stake("ana", f"{on}:5", chips=ChipKind.COLOUR)
    assert table.state.on_cloth == 5
    # A player who says nothing lays the first of them.
    assert load("fran").chips.on_chances == (ChipKind.COLOUR, ChipKind.VALUE)


@pytest.mark.rule("FRAN-55-10.r")
def test_fran_55_10_r_a_holder_of_value_chips_is_told_where_they_are_not_taken() -> None:
    table = opened("fran", {"ana": 100}, value_chips=["ana"])
    refusal = refused(table, place("ana", "17:5"))
    assert refusal.why is RefusalReason.CHIPS_NOT_TAKEN_HERE
    assert "FRAN-55-10.r" in refusal.articles
    table.stake("ana", "red:5")
    assert table.state.on_cloth == 5


@pytest.mark.rule("AMB-FRAN-02")
@pytest.mark.parametrize("on", ["d1", "c2", "d1+d2"])
def test_amb_fran_02_dozens_and_columns_are_no_simple_chances(on: str) -> None:
    table = opened("fran", {"ana": 100})
    refusal = refused(table, place("ana", f"{on}:5", chips=ChipKind.VALUE))
    assert "AMB-FRAN-02" in refusal.articles


@pytest.mark.rule("FRAN-55-10.u", "AMB-FRAN-03")
@pytest.mark.parametrize("on", ["17", "d1", "c2+c3"])
def test_fran_55_10_u_value_chips_that_could_not_be_changed_in_time_play(on: str) -> None:
    table = opened("fran", {"ana": 100})
    table.act(place("ana", f"{on}:5", by="croupier-1", chips=ChipKind.VALUE, change_pending=True))
    assert table.state.on_cloth == 5
    assert coup(table, 17).of("ana").lost in {0, 5}


@pytest.mark.rule("FRAN-55-10.x")
def test_fran_55_10_x_winners_are_paid_in_their_own_colour() -> None:
    table = opened("fran", {"ana": 100, "luc": 100}, chips={"ana": 5})
    table.stake("ana", "17:10")
    colour = table.state.players["ana"].colour
    coup(table, 17)
    ana = table.state.players["ana"]
    assert (ana.purse, ana.colour, ana.chip) == (100 + 350, colour, 5)
    taken = commands.BuyChips(by="croupier-1", player="luc", amount=10, colour=colour)
    assert "FRAN-55-10.x" in refused(table, taken).articles


@pytest.mark.rule("FRAN-38")
@pytest.mark.parametrize("person", ["chief-1", "ana"])
def test_fran_38_chips_are_sold_by_the_croupier_alone(person: str) -> None:
    table = opened("fran", {"ana": 100})
    sale = commands.BuyChips(by=person, player="ana", amount=10)
    assert refused(table, sale).why is RefusalReason.NOT_OF_THIS_POST
    assert "FRAN-38" in refused(table, place("ana", "17:105")).articles


# The staff ----------------------------------------------------------------------------------------


@pytest.mark.rule("FRAN-55-10.f", "FRAN-55-10.g")
@pytest.mark.parametrize(
    ("posts", "article"),
    [
        (("chief", "croupier"), None),
        (("croupier",), "FRAN-55-10.g"),
        (("chief",), "FRAN-55-10.f"),
    ],
)
def test_fran_55_10_f_a_chief_and_a_croupier_open_the_table(
    posts: tuple[str, ...], article: str | None
) -> None:
    table = Table(State.fresh(load("fran")))
    for post in posts:
        table.act(commands.TakePost(by=post, post=post))
    if article is None:
        table.act(commands.InspectTable(by="chief"))
        table.act(commands.OpenTable(by=MANAGEMENT))
        assert table.state.phase is Phase.BETTING
    else:
        refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
        assert refusal.why is RefusalReason.POST_MUST_BE_HELD
        assert article in refusal.articles


@pytest.mark.rule("FRAN-55-10.f", "FRAN-55-10.g")
def test_fran_55_10_f_one_more_employee_may_help() -> None:
    table = opened("fran", {"ana": 100})
    table.act(commands.TakePost(by="employee-1", post="employee"))
    for post in ("chief", "croupier", "employee"):
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert refusal.why is RefusalReason.POST_IS_FULL
    assert {name: post.word for name, post in load("fran").posts.items()} == {
        "chief": "chef de table",
        "croupier": "croupier",
        "employee": "employé",
    }
    assert {act.value for act in load("fran").posts["employee"].may} == {"collect"}
    assert {act.value for act in load("fran").posts["croupier"].may} == {
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


@pytest.mark.rule("FRAN-55-10.g", "FRAN-55-10.s")
def test_fran_55_10_g_a_chief_has_two_tables_at_most_and_one_with_a_racetrack() -> None:
    chief = load("fran").posts["chief"]
    assert (chief.tables, chief.tables_with_racetrack) == (2, 1)
    assert chief.cites.tables == ("FRAN-55-10.g",)
    assert chief.cites.tables_with_racetrack == ("FRAN-55-10.s",)
    assert chief.watches
    assert {act.value for act in chief.may} == {
        "inspect_table",
        "order_correction",
        "sign_number",
        "declare_orphan",
        "change_limits",
        "suspend",
        "decide_dispute",
        "close_table",
    }


@pytest.mark.rule("FRAN-55-10.h")
def test_fran_55_10_h_the_chief_handles_no_chips() -> None:
    check_the_chief_touches_no_chip("fran", ("FRAN-55-10.h",))


@pytest.mark.rule("FRAN-55-10.q")
def test_fran_55_10_q_the_croupier_places_for_a_player_who_holds_a_colour() -> None:
    table = opened("fran", {"ana": 100, "luc": 100}, value_chips=["luc"])
    table.act(place("ana", "17:5", by="croupier-1", id="a"))
    assert table.last(events.StakePlaced).by == "croupier-1"
    refusal = refused(table, place("luc", "red:5", by="croupier-1", id="b"))
    assert "FRAN-55-10.q" in refusal.articles
    # What a player without a colour lays in person is taken.
    table.stake("luc", "red:5")


@pytest.mark.rule("FRAN-55-10.i")
def test_fran_55_10_i_the_chief_checks_the_colours_before_the_table_opens() -> None:
    table = Table(State.fresh(load("fran")))
    for post in ("chief", "croupier"):
        table.act(commands.TakePost(by=post, post=post))
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.TABLE_NOT_INSPECTED,
        ("FRAN-55-10.i",),
    )
    check = commands.InspectTable(by="chief", done="every colour is complete")
    assert refused(table, replace(check, by="croupier")).why is RefusalReason.NOT_OF_THIS_POST
    table.act(check)
    logged = table.last(events.TableInspected)
    assert (logged.by, logged.done, logged.articles) == (
        "chief",
        "every colour is complete",
        ("FRAN-55-10.i",),
    )
    table.act(commands.OpenTable(by=MANAGEMENT))


# A coup -------------------------------------------------------------------------------------------


@pytest.mark.rule("FRAN-55-10.j", "FRAN-55-10.l", "AMB-FR-14")
def test_fran_55_10_j_the_plate_turns_the_other_way_each_time_and_the_ball_against_it() -> None:
    check_the_wheel_alternates("fran", void="object_in_wheel")


@pytest.mark.parametrize(
    ("cause", "article"),
    [
        case("FRAN-55-10.l", "object_in_wheel", "FRAN-55-10.l"),
        case("AMB-FR-08", "ball_escaped", "AMB-FR-08"),
        case("AMB-FR-08", "ball_out", "AMB-FR-08"),
        case("AMB-FR-08", "ball_stuck", "AMB-FR-08"),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_fran_55_10_l_a_void_ball_settles_nothing_and_the_stakes_lie(
    cause: str, article: str, phase: Phase
) -> None:
    void = check_a_void_ball_settles_nothing("fran", cause, phase, call="Coup nul", by="croupier-1")
    assert article in void.articles


@pytest.mark.rule("FRAN-55-10.m", "FRAN-55-10.n")
def test_fran_55_10_m_stakes_are_taken_while_the_ball_runs_until_rien_ne_va_plus() -> None:
    check_the_close("fran", ("FRAN-55-10.n",), call="Rien ne va plus")


@pytest.mark.rule("FRAN-55-10.p")
@pytest.mark.parametrize(("number", "call"), [(32, "trente-deux, rouge, pair, passe"), (0, "zéro")])
def test_fran_55_10_p_number_and_winning_chances_are_called_and_the_number_shown(
    number: int, call: str
) -> None:
    assert number_called("fran", number).replace(" et ", ", ") == call
    table = opened("fran", {})
    table.pocket(number)
    table.call()
    assert table.state.number == number


@pytest.mark.rule("FRAN-55-10.v")
def test_fran_55_10_v_losers_are_collected_then_winners_are_paid_player_by_player() -> None:
    paid_in_order("fran")
    laid = [
        *stakes("17:2 c2:2", "ana"),
        *stakes("black:2", "luc"),
        *pieces("fran", "orphelins", 5, "eva"),
    ]
    paid = payments(load("fran"), settled("fran", 17, laid))
    players = [line.stake.player for each in paid for line in each.lines]
    assert players == ["ana", "ana", "luc", "eva", "eva"]
    assert all("FRAN-55-10.v" in each.articles for each in paid)


@pytest.mark.parametrize(
    ("out", "laid", "order"),
    [
        case("FRAN-55-10.w", 17, "17/20:2 d2:2 black:2 c2:2", "c2 black d2 17/20"),
        case(
            "FRAN-55-10.w AMB-FRAN-05",
            17,
            "17:2 17/20:2 16/20:2 16/18:2 13/18:2 d2:2 d1+d2:2 low:2 black:2 odd:2 c2:2 c1+c2:2",
            "c1+c2 c2 odd black low d1+d2 d2 13/18 16/18 16/20 17/20 17",
        ),
        case("FRAN-55-10.w", 36, "even:2 red:2 high:2 c3:2", "c3 high red even"),
        case("FRAN-55-10.w", 18, "low:2 even:2", "even low"),
        case("FRAN-55-10.w", 19, "red:2 odd:2 high:2", "high odd red"),
        case("FRAN-55-10.w", 8, "low:2 even:2 black:2", "black even low"),
    ],
)
def test_fran_55_10_w_the_winners_of_a_player_are_paid_class_by_class(
    out: int, laid: str, order: str
) -> None:
    paid = payments(load("fran"), settled("fran", out, laid))
    assert [line.stake.spot.name for each in paid for line in each.lines] == order.split()


@pytest.mark.rule("FRAN-55-10.y")
def test_fran_55_10_y_a_payment_is_cut_into_piles_of_twenty() -> None:
    table = opened("fran", {"ana": 100, "luc": 100}, chips={"ana": 5})
    table.stake("ana", "17:25")
    table.stake("luc", "17:1")
    table.pocket(17)
    table.call()
    ana, luc = of_payments(table.state).payments
    # Five chips win 175 chips.
    assert (ana.player, ana.paid, ana.piles) == ("ana", 875, Piles(size=20, piles=8, rest=15))
    assert (luc.player, luc.paid, luc.piles) == ("luc", 35, Piles(size=20, piles=1, rest=15))
    assert "FRAN-55-10.y" in ana.articles


@pytest.mark.rule("FRAN-55-10.z")
def test_fran_55_10_z_what_is_paid_is_the_same_in_any_chips() -> None:
    table = opened("fran", {"ana": 100, "luc": 100}, chips={"ana": 5})
    table.stake("ana", "red:10")
    table.stake("luc", "red:10", chips=ChipKind.VALUE)
    tally = coup(table, 9)
    assert tally.of("ana").won == tally.of("luc").won == 10
    # The leave is the chief's to give.
    assert "FRAN-55-10.z" in load("fran").posts["chief"].cites.may
