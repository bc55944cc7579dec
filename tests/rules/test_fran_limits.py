"""France, English roulette, article 55-13: minima and maxima, and what a colour is worth."""

import pytest

from novamas.game.limits import Limit, placard
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from tests.rules.alike import check_maximum, of_minimum
from tests.rules.helpers import case, opened, refused


@pytest.mark.parametrize(
    ("on", "times"),
    [
        case("FRAN-55-13.g1", "red", 360),
        case("FRAN-55-13.g2", "0", 20),
        case("FRAN-55-13.g3", "0/1", 40),
        case("FRAN-55-13.g4", "16/18", 60),
        case("FRAN-55-13.g5", "0/1/2/3", 80),
        case("FRAN-55-13.g6", "13/18", 120),
        case("FRAN-55-13.g7", "d3", 240),
        case("FRAN-55-13.g7", "c1", 240),
        case("FRAN-55-13.g8", "d1+d2", 480),
        case("FRAN-55-13.g8", "c2+c3", 480),
    ],
)
@pytest.mark.parametrize("minimum", [1, 2])
def test_fran_55_13_g_the_maximum_is_a_multiple_of_the_minimum(
    minimum: int, on: str, times: int
) -> None:
    check_maximum("fran", minimum, on, times)


@pytest.mark.rule("FRAN-55-13.a", "FRAN-55-13.g8", "X-05")
def test_fran_55_13_a_one_minimum_holds_for_all_and_what_is_short_goes_back() -> None:
    limits = placard(load("fran"), 5)
    assert {each["min"] for each in limits.as_data().values()} == {5}
    assert set(limits.apart(load("fran")).values()) == {Limit(5, 2400)}
    table = of_minimum("fran", 5, {"ana": 100})
    table.stake("ana", "17:5 d1+d2:4")
    table.close()
    ((id, amount, articles),) = table.last(events.StakesReturned).returned
    assert (id, amount) == ("s2", 4)
    assert {"FRAN-55-13.a", "X-05"} <= set(articles)


@pytest.mark.rule("FRAN-55-13.b")
def test_fran_55_13_b_the_placard_of_an_open_table_does_not_change() -> None:
    table = of_minimum("fran", 5, {"ana": 100})
    change = commands.ChangeLimits(by=MANAGEMENT, limits={"straight": {"max": 300}})
    refusal = refused(table, change)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LIMITS_STAY_WHILE_OPEN,
        ("FRAN-55-13.b", "AMB-FR-11", "X-06"),
    )


@pytest.mark.rule("AMB-FRAN-04", "FRAN-55-13.g2", "FRAN-55-13.g3")
@pytest.mark.parametrize(("call", "amount"), [("17~2", 105), ("tiers", 246), ("voisins", 549)])
def test_amb_fran_04_limits_bind_each_piece_of_an_announcement(call: str, amount: int) -> None:
    table = of_minimum("fran", 1, {"ana": 1000})
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=amount)
    assert refused(table, wish).why is RefusalReason.EXCEEDS_MAXIMUM


# The value of a colour ----------------------------------------------------------------------------


def buy(amount: int, chip: int | None = None, player: str = "ana") -> commands.BuyChips:
    """The wish to buy chips."""
    return commands.BuyChips(by="croupier-1", player=player, amount=amount, chip=chip)


@pytest.mark.rule("FRAN-55-13.c")
@pytest.mark.parametrize(("chip", "taken"), [(1, True), (5, True), (20, True), (50, False)])
def test_fran_55_13_c_a_colour_is_worth_what_a_plein_takes(chip: int, *, taken: bool) -> None:
    table = of_minimum("fran", 1, {"ana": 0})
    if taken:
        table.act(buy(100, chip))
        assert table.state.players["ana"].chip == chip
    else:
        assert refused(table, buy(100, chip)).articles == ("FRAN-55-13.c", "FRAN-55-13.d")


@pytest.mark.rule("FRAN-55-13.d")
def test_fran_55_13_d_without_a_word_a_chip_is_worth_the_minimum() -> None:
    table = of_minimum("fran", 6, {"ana": 0}, chip=2, live=True)
    table.act(buy(60))
    assert table.state.players["ana"].chip == 6


@pytest.mark.rule("FRAN-55-13.e", "AMB-FRAN-06")
def test_fran_55_13_e_another_value_means_another_colour() -> None:
    table = of_minimum("fran", 1, {"ana": 0})
    table.act(buy(50, 1))
    before = table.state.players["ana"].colour
    table.act(buy(50, 5))
    ana = table.state.players["ana"]
    assert (ana.purse, ana.chip) == (100, 5)
    assert ana.colour != before


@pytest.mark.rule("FRAN-55-13.e", "AMB-FRAN-06")
def test_amb_fran_06_with_stakes_lying_another_value_is_refused() -> None:
    table = of_minimum("fran", 1, {"ana": 0})
    table.act(buy(50, 1))
    table.stake("ana", "17:3")
    refusal = refused(table, buy(50, 5))
    assert {"FRAN-55-13.e", "AMB-FRAN-06"} <= set(refusal.articles)
    table.act(buy(50, 1))


@pytest.mark.rule("AMB-FRAN-06")
def test_amb_fran_06_with_no_other_colour_free_the_colour_stays() -> None:
    table = of_minimum("fran", 1, {f"p{number}": 10 for number in range(7)})
    before = table.state.players["p0"].colour
    table.act(buy(50, 5, player="p0"))
    player = table.state.players["p0"]
    assert (player.colour, player.chip, player.purse) == (before, 5, 60)


@pytest.mark.rule("FRAN-55-13.f")
def test_fran_55_13_f_who_leaves_changes_the_colour_into_value_chips() -> None:
    table = opened("fran", {"ana": 155}, chips={"ana": 5})
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount, changed.articles) == (31, 155, ("FRAN-55-13.f",))


@pytest.mark.rule("FRAN-55-13.f")
def test_fran_55_13_f_so_does_everybody_when_the_table_closes() -> None:
    table = opened("fran", {"ana": 100, "luc": 50}, chips={"ana": 5})
    table.act(commands.CloseTable(by="chief-1"))
    changed = [each for each in table.events if isinstance(each, events.ColourConverted)]
    assert [(each.player, each.amount) for each in changed] == [("ana", 100), ("luc", 50)]
