"""South Dakota: colours and value chips, and who may use which."""

from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.rulebooks import load, load_any
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Setup
from tests.rules.helpers import Table, case, coup, opened, place, refused

VALUE = ChipKind.VALUE


def two_players() -> Table:
    """A table at which ana and luis have bought chips."""
    return opened("sd", {"ana": 100, "luis": 100})


def buy(player: str = "ana", amount: int = 100, **more: Any) -> commands.BuyChips:
    """The wish to buy chips."""
    return commands.BuyChips(by="dealer-1", player=player, amount=amount, **more)


# Which chips are taken ----------------------------------------------------------------------------


@pytest.mark.rule("SD-03.a", "SD-03.b")
@pytest.mark.parametrize("on", ["17", "0/00", "red", "d1", "c3"])
def test_sd_03_b_value_chips_are_taken_for_every_bet(on: str) -> None:
    table = two_players()
    table.stake("ana", f"{on}:5")
    table.stake("ana", f"{on}:5", chips=VALUE)
    kinds = [stake.kind for stake in table.state.stakes.values()]
    assert kinds == [ChipKind.COLOUR, VALUE]
    refusal = refused(table, place("ana", f"{on}:5", chips=ChipKind.CHANCE))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.CHIPS_NOT_TAKEN_HERE,
        ("SD-03.a", "SD-03.b"),
    )


@pytest.mark.rule("SD-03.a", "SD-03.f", "SD-20.13")
def test_sd_03_f_without_chips_there_is_no_wager() -> None:
    table = opened("sd", {"ana": 0})
    refusal = refused(table, place("ana", "17:5"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.EXCEEDS_PURSE,
        ("SD-03.a", "SD-03.f", "SD-20.13"),
    )
    table.act(buy(amount=5))
    assert table.last(events.ChipsBought).articles == ("SD-03.a", "SD-03.f", "SD-20.13")
    table.stake("ana", "17:5")


@pytest.mark.rule("SD-03.e")
def test_sd_03_e_a_wager_that_is_only_spoken_is_not_taken() -> None:
    table = two_players()
    refusal = refused(table, place("ana", "17:10", covered=False, by="dealer-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_LAID, ("SD-03.e",))


# One player for a denomination --------------------------------------------------------------------


@pytest.mark.rule("SD-03.c", "AMB-SD-06")
@pytest.mark.parametrize("on", ["20", "17", "17/20", "0/00/1/2/3"])
def test_sd_03_c_on_the_inside_value_chips_of_one_colour_have_one_player(on: str) -> None:
    table = two_players()
    table.stake("ana", "17:5", chips=VALUE)
    refusal = refused(table, place("luis", f"{on}:5", chips=VALUE))
    assert refusal.articles == ("SD-03.c", "AMB-SD-06")
    table.stake("ana", "20:5", chips=VALUE)


@pytest.mark.rule("SD-03.c", "AMB-SD-06")
@pytest.mark.parametrize("on", ["red", "d1", "c3"])
def test_sd_03_c_outside_they_are_free_to_all(on: str) -> None:
    table = two_players()
    table.stake("ana", "17:5", chips=VALUE)
    table.stake("ana", f"{on}:5", chips=VALUE)
    table.stake("luis", f"{on}:5", chips=VALUE)
    assert table.state.on_cloth == 15


@pytest.mark.rule("SD-03.c", "AMB-SD-06")
def test_amb_sd_06_another_denomination_has_another_colour() -> None:
    table = two_players()
    table.stake("ana", "17:5", chips=VALUE, denomination=5)
    table.stake("luis", "20:25", chips=VALUE, denomination=25)
    for player, denomination in (("luis", 5), ("ana", 25)):
        wish = place(player, "8:25", chips=VALUE, denomination=denomination)
        assert refused(table, wish).articles == ("SD-03.c", "AMB-SD-06")


@pytest.mark.rule("SD-03.c", "AMB-SD-06")
def test_amb_sd_06_only_while_the_first_players_chips_lie_there() -> None:
    table = two_players()
    (id,) = table.stake("ana", "17:5", chips=VALUE)
    table.act(commands.WithdrawStake(by="ana", id=id))
    table.stake("luis", "20:5", chips=VALUE)
    coup(table, 36)
    table.stake("ana", "17:5", chips=VALUE)
    assert [stake.player for stake in table.state.stakes.values()] == ["ana"]


@pytest.mark.rule("SD-03.c")
def test_sd_03_c_an_outside_bet_is_not_moved_to_the_inside_past_it() -> None:
    table = two_players()
    table.stake("ana", "17:5", chips=VALUE)
    (id,) = table.stake("luis", "red:5", chips=VALUE)
    refusal = refused(table, commands.MoveStake(by="luis", id=id, on="20"))
    assert refusal.articles == ("SD-03.c", "AMB-SD-06")


@pytest.mark.rule("SD-03.c", "SD-G.5")
def test_sd_03_c_colours_are_not_concerned() -> None:
    table = two_players()
    table.stake("ana", "17:5", chips=VALUE)
    table.stake("luis", "17:5")
    assert len(table.state.stakes) == 2


@pytest.mark.rule("SD-03.b", "SD-03.c")
def test_sd_03_c_in_a_script() -> None:
    bets = [
        ("ana", "17", {}),
        ("luis", "20", {}),
        ("luis", "20", {"denomination": 25}),
        ("luis", "red", {}),
    ]
    script = [
        {"do": "stake", "id": f"b{at}", "player": player, "on": on, "amount": 25}
        | {"value_chips": True, **more}
        for at, (player, on, more) in enumerate(bets)
    ]
    table = {"rulebook": "sd", "purses": {"ana": 100, "luis": 100}, "script": script}
    assert run_script(table, load_any)["refused"] == [1]


# Colours ------------------------------------------------------------------------------------------


@pytest.mark.rule("SD-G.5")
def test_sd_g_5_a_colour_has_one_player_who_sets_its_value_before_betting() -> None:
    table = opened("sd", {"ana": 0, "luis": 0})
    table.act(buy(chip=25))
    ana = table.state.players["ana"]
    assert ana.chip == 25
    refusal = refused(table, buy("luis", colour=ana.colour))
    assert (refusal.why, refusal.articles) == (RefusalReason.COLOUR_IN_PLAY, ("SD-G.5",))
    table.stake("ana", "17:25")
    assert refused(table, buy(chip=5)).why is RefusalReason.CHIP_VALUE_IS_SET


@pytest.mark.rule("SD-G.5")
def test_sd_g_5_another_value_is_set_before_betting_and_not_while_chips_are_in_play() -> None:
    table = opened("sd", {"ana": 0})
    table.act(buy(amount=25, chip=25))
    assert refused(table, buy(chip=5)).why is RefusalReason.CHIP_VALUE_IS_SET
    table.stake("ana", "17:25")
    refusal = refused(table, buy(chip=5))
    assert refusal.why is RefusalReason.CHIP_VALUE_IS_SET
    coup(table, 20)
    table.act(buy(chip=5))
    assert table.state.players["ana"].chip == 5


@pytest.mark.rule("SD-G.5")
@pytest.mark.parametrize("chip", [1, 2, 5, 100])
def test_sd_g_5_the_value_is_the_players_choice(chip: int) -> None:
    table = opened("sd", {"ana": 0}, chip=3, limits={"straight": {"min": 5, "max": 25}})
    table.act(buy(chip=chip))
    assert table.state.players["ana"].chip == chip


@pytest.mark.rule("SD-20.13")
def test_sd_20_13_colour_chips_of_another_table_are_not_taken() -> None:
    table = opened("sd", {"ana": 100})
    foreign = ForeignChips(3, "4", opening_minimum=5)
    refusal = refused(table, place("ana", "17:15", foreign=foreign, by="dealer-1"))
    assert refusal.why is RefusalReason.CHIPS_NOT_BOUGHT_HERE
    assert "SD-20.13" in refusal.articles


@pytest.mark.rule("SD-20.13", "NV-04")
def test_sd_20_13_a_colour_serves_this_table_alone_and_is_changed_when_its_owner_leaves() -> None:
    table = opened("sd", {"ana": 100}, chip=5)
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount) == (20, 100)
    assert changed.articles == ("SD-20.13", "NV-04")


# What the text does not say -----------------------------------------------------------------------


@pytest.mark.rule("X-02")
def test_x_02_what_wins_goes_back_to_the_hand_unless_the_table_says_otherwise() -> None:
    assert Setup.usual(load("sd")).winning is Winning.HAND


@pytest.mark.parametrize("on", [case("X-07", "17"), case("X-07", "black")])
def test_x_07_what_wins_for_a_player_who_is_away_goes_to_their_hand(on: str) -> None:
    table = opened("sd", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", f"{on}:10")
    table.act(commands.StepAway(by="ana"))
    won = coup(table, 17).of("ana").won
    assert (table.purse("ana"), table.state.on_cloth) == (100 + won, 0)
