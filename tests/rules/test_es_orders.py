"""Spain: what the chief orders and a croupier carries out, and the zone at the end of the table."""

import pytest

from novamas.game.post_zones import ZoneError, read_zone
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from tests.rules.helpers import Table, coup, opened, place, refused

ZONE = tuple(str(number) for number in range(25, 37))
"""The numbers 25 to 36, and all that lies between them."""


def order(on: str = "8", **more: str) -> commands.OrderCorrection:
    """The chief orders that the stake `a` be moved."""
    return commands.OrderCorrection(by="chief-1", id="a", on=on, **more)


def correct(by: Identity, on: str = "8", **more: str) -> commands.CorrectStake:
    """Somebody moves the stake `a`."""
    return commands.CorrectStake(by=by, id="a", on=on, **more)


def mistaken() -> Table:
    """20 lie on 5, and should lie on 8."""
    table = opened("es", {"ana": 100})
    table.stake("ana", "5:20", id="a")
    return table


# The chief's order --------------------------------------------------------------------------------


@pytest.mark.rule("AMB-ES-17", "ES-P.2", "ES-P.3")
def test_amb_es_17_the_chief_orders_a_correction_and_a_croupier_carries_it_out() -> None:
    table = mistaken()
    table.act(order(reason="the player said 8"))
    ordered = table.last(events.CorrectionOrdered)
    assert (ordered.by, ordered.before, ordered.on) == ("chief-1", "5", "8")
    assert {"ES-P.2", "AMB-ES-17"} <= set(ordered.articles)
    # Nothing has moved yet.
    assert (table.state.stakes["a"].spot.name, table.purse("ana")) == ("5", 80)
    table.act(correct("croupier-1"))
    moved = table.last(events.StakeMoved)
    assert (moved.by, moved.ordered_by, moved.correction) == ("croupier-1", "chief-1", True)
    assert (moved.before, moved.on, moved.reason) == ("5", "8", "the player said 8")
    assert "AMB-ES-17" in moved.articles
    assert not table.state.orders
    # The money is as if it had lain there from the beginning.
    assert coup(table, 8).of("ana").won == 700


@pytest.mark.rule("AMB-ES-17", "ES-P.3")
def test_amb_es_17_the_chief_does_not_carry_it_out() -> None:
    table = mistaken()
    for _ in range(2):
        refusal = refused(table, correct("chief-1"))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.NOT_OF_THIS_POST,
            ("ES-P.3", "AMB-ES-17"),
        )
        table.act(order())


@pytest.mark.rule("AMB-ES-17")
@pytest.mark.parametrize("by", ["croupier-1", "ana", MANAGEMENT])
def test_amb_es_17_nobody_else_gives_orders(by: Identity) -> None:
    refusal = refused(mistaken(), commands.OrderCorrection(by=by, id="a", on="8"))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail == "order correction is for the jefe de mesa"


@pytest.mark.rule("AMB-ES-17", "ES-P.5")
def test_es_p_5_a_croupier_corrects_without_an_order_too() -> None:
    table = mistaken()
    table.act(correct("croupier-2", reason="as I laid it"))
    moved = table.last(events.StakeMoved)
    assert (moved.by, moved.ordered_by, moved.reason) == ("croupier-2", None, "as I laid it")
    # What goes elsewhere than was ordered is the croupier's own correction.
    table.act(order("11"))
    table.act(correct("croupier-1", on="14"))
    assert table.last(events.StakeMoved).ordered_by is None
    assert not table.state.orders


@pytest.mark.rule("AMB-ES-17")
def test_amb_es_17_the_last_order_for_a_stake_holds() -> None:
    table = mistaken()
    table.act(order("11"))
    table.act(order("8"))
    table.act(correct("croupier-1", on="8"))
    assert table.last(events.StakeMoved).ordered_by == "chief-1"


@pytest.mark.rule("AMB-ES-17")
@pytest.mark.parametrize(
    "gone",
    [
        commands.MoveStake(by="ana", id="a", on="11"),
        commands.WithdrawStake(by="ana", id="a"),
        commands.CloseTable(by="chief-1"),
    ],
)
def test_amb_es_17_an_order_lapses_with_the_place_of_the_stake(gone: commands.Command) -> None:
    table = mistaken()
    table.act(order())
    table.act(gone)
    assert not table.state.orders


@pytest.mark.rule("AMB-ES-17", "ES-G.7")
def test_amb_es_17_an_order_that_nobody_carried_out_ends_with_the_close() -> None:
    table = mistaken()
    table.act(order())
    table.close()
    assert not table.state.orders
    for late in (order(), correct("croupier-1")):
        refusal = refused(table, late)
        assert (refusal.why, refusal.articles) == (RefusalReason.REPORTED_TOO_LATE, ("ES-G.7",))
    assert coup(table, 5).of("ana").won == 700


@pytest.mark.rule("AMB-ES-17")
def test_amb_es_17_what_could_not_be_carried_out_is_not_ordered() -> None:
    table = opened("es", {"ana": 100}, limits={"straight": {"max": 20}})
    table.stake("ana", "5:20", id="a")
    table.stake("ana", "8:20", id="b")
    assert refused(table, order("8")).why is RefusalReason.EXCEEDS_MAXIMUM
    assert refused(table, order("5/10")).why is RefusalReason.NO_SUCH_SPOT
    nothing = commands.OrderCorrection(by="chief-1", id="x", on="8")
    assert refused(table, nothing).why is RefusalReason.NO_SUCH_STAKE


@pytest.mark.rule("AMB-ES-17")
def test_amb_es_17_a_script_tells_who_ordered() -> None:
    outcome = run_script(
        {
            "rulebook": "es",
            "purses": {"ana": 100},
            "script": [
                {"do": "stake", "id": "a", "player": "ana", "on": "5", "amount": 20},
                {"do": "correct", "id": "a", "on": "8", "ordered_by": "chief-1"},
                {"do": "correct", "id": "a", "on": "11", "by": "chief-1"},
                {"do": "no_more_bets"},
                {"do": "number", "number": 8},
            ],
        },
        load,
    )
    assert outcome["refused"] == [2]
    assert outcome["purses"] == {"ana": 800}


# The zone at the end of the table -----------------------------------------------------------------


def with_end(*zone: str) -> Table:
    """An open table with a croupier at its end, `end-1`, who has a zone."""
    table = opened("es", {"ana": 1000}, zone=read_zone(load("es"), zone or ZONE))
    table.act(commands.TakePost(by="end-1", post="end"))
    return table


@pytest.mark.rule("AMB-ES-18", "ES-P.7")
@pytest.mark.parametrize("inside", ["31/34", "25", "36", "25/29", "31/36", "34/36"])
def test_amb_es_18_the_end_of_the_table_lays_what_a_player_asks_in_the_zone(inside: str) -> None:
    table = with_end()
    table.act(place("ana", f"{inside}:10", by="end-1"))
    assert table.state.stakes["late"].spot.name == inside


@pytest.mark.rule("AMB-ES-18", "ES-P.7")
@pytest.mark.parametrize("outside", ["5", "24", "22/25", "22/27", "d3", "red", "c1", "d2+d3", "0"])
def test_amb_es_18_and_nothing_outside_it(outside: str) -> None:
    refusal = refused(with_end(), place("ana", f"{outside}:10", by="end-1"))
    assert refusal.why is RefusalReason.OUTSIDE_THE_ZONE
    assert refusal.articles == ("ES-P.7", "AMB-ES-18")
    assert refusal.detail == f"{outside} is not in the zone of the extremo de mesa"


@pytest.mark.rule("AMB-ES-18")
def test_amb_es_18_boxes_are_in_the_zone_if_it_names_them() -> None:
    table = with_end("31/36", "d2", "d3", "red")
    for number, on in enumerate(("31", "d3", "d2+d3", "red")):
        table.act(place("ana", f"{on}:10", by="end-1", id=f"s{number}"))
    for on in ("30", "28/31", "black", "d1", "d1+d2"):
        assert (
            refused(table, place("ana", f"{on}:10", by="end-1")).why
            is RefusalReason.OUTSIDE_THE_ZONE
        )


@pytest.mark.rule("AMB-ES-18", "ES-P.8")
def test_amb_es_18_mistakes_are_corrected_in_the_zone_alone() -> None:
    table = with_end()
    table.stake("ana", "31:10", id="in")
    table.stake("ana", "5:10", id="out")
    table.act(commands.CorrectStake(by="end-1", id="in", on="34"))
    assert table.last(events.StakeMoved).by == "end-1"
    for id, on in (("in", "5"), ("out", "31"), ("out", "8")):
        refusal = refused(table, commands.CorrectStake(by="end-1", id=id, on=on))
        assert refusal.why is RefusalReason.OUTSIDE_THE_ZONE
    # A croupier at the cylinder is bound to no zone.
    table.act(commands.CorrectStake(by="croupier-1", id="out", on="31"))


@pytest.mark.rule("AMB-ES-18", "AMB-ES-17")
def test_amb_es_18_an_order_of_the_chief_gives_the_end_of_the_table_no_further_reach() -> None:
    table = with_end()
    table.stake("ana", "31:10", id="a")
    table.act(order("8"))
    assert refused(table, correct("end-1")).why is RefusalReason.OUTSIDE_THE_ZONE
    table.act(order("34"))
    table.act(correct("end-1", on="34"))
    assert table.last(events.StakeMoved).ordered_by == "chief-1"


@pytest.mark.rule("AMB-ES-18", "ES-P.7")
def test_amb_es_18_stakes_are_moved_and_taken_back_for_a_player_in_the_zone_alone() -> None:
    table = with_end()
    table.stake("ana", "31:10", id="in")
    table.stake("ana", "red:10", id="out")
    for command in (
        commands.MoveStake(by="end-1", id="in", on="5"),
        commands.MoveStake(by="end-1", id="out", on="31"),
        commands.WithdrawStake(by="end-1", id="out"),
    ):
        assert refused(table, command).why is RefusalReason.OUTSIDE_THE_ZONE
    table.act(commands.MoveStake(by="end-1", id="in", on="34"))
    table.act(commands.WithdrawStake(by="end-1", id="in"))


@pytest.mark.rule("AMB-ES-18", "ES-7.2.b2")
@pytest.mark.parametrize("zone", [ZONE, ("red",)])
def test_amb_es_18_a_choice_is_said_for_a_player_in_the_zone_alone(zone: tuple[str, ...]) -> None:
    table = with_end(*zone)
    table.stake("ana", "red:10", id="a")
    coup(table, 0)
    choose = commands.ChooseAfterZero(by="end-1", id="a", choice=commands.Choice.HALF)
    if zone == ZONE:
        assert refused(table, choose).why is RefusalReason.OUTSIDE_THE_ZONE
    else:
        table.act(choose)


@pytest.mark.rule("AMB-ES-18", "ES-P.7")
def test_amb_es_18_the_end_of_the_table_neither_sells_collects_pays_nor_spins() -> None:
    table = with_end()
    table.stake("ana", "31:10 5:10")
    for command in (
        commands.BuyChips(by="end-1", player="ana", amount=10),
        commands.LaunchBall(by="end-1"),
    ):
        assert refused(table, command).why is RefusalReason.NOT_OF_THIS_POST
    table.pocket(31)
    table.call()
    collect = refused(table, commands.CollectLosers(by="end-1"))
    assert (collect.why, collect.articles) == (RefusalReason.NOT_OF_THIS_POST, ("ES-P.7", "ES-P.8"))
    table.collect()
    for pay in (commands.PayNext(by="end-1"), commands.PayWinners(by="end-1")):
        assert refused(table, pay).why is RefusalReason.NOT_OF_THIS_POST


@pytest.mark.rule("AMB-ES-18")
def test_amb_es_18_without_a_zone_the_end_of_the_table_lays_nothing() -> None:
    table = opened("es", {"ana": 100})
    table.act(commands.TakePost(by="end-1", post="end"))
    assert refused(table, place("ana", "31:10", by="end-1")).why is RefusalReason.OUTSIDE_THE_ZONE


@pytest.mark.rule("AMB-ES-18")
@pytest.mark.parametrize(
    ("house", "spots", "problem"),
    [
        ("es", ["25", "37"], "37"),
        ("es", ["low+d3"], "cannot be played here"),
        ("bg", ["25"], "no post of this house has a zone"),
    ],
)
def test_amb_es_18_a_zone_is_made_of_spots_of_a_cloth_with_such_a_post(
    house: str, spots: list[str], problem: str
) -> None:
    with pytest.raises(ZoneError, match=problem):
        read_zone(load(house), spots)


@pytest.mark.rule("AMB-ES-18")
def test_amb_es_18_a_zone_is_written_in_any_way_that_names_its_spots() -> None:
    zone = read_zone(load("es"), ["34/31", "31/34", "D3"])
    assert zone.as_data() == ("31/34", "d3")
