"""Venice: what winners may do with their stake, and what an absence does to a colour."""

from __future__ import annotations

import pytest

from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import coup, opened, place, refused


@pytest.mark.rule("IT-general-11")
def test_it_general_11_a_winning_piece_left_on_the_cloth_may_be_moved() -> None:
    table = opened("it", {"ana": 100}, winning="cloth")
    table.act(commands.Announce(by="ana", id="v", player="ana", call="voisins", amount=9))
    whole = refused(table, commands.MoveStake(by="ana", id="v/6", on="17"))
    assert whole.why is RefusalReason.PIECE_OF_AN_ANNOUNCEMENT
    coup(table, 26)
    stakes = table.state.stakes
    assert [(s.id, s.spot.name, s.amount) for s in stakes.values()] == [("v/6", "25/29", 2)]
    table.act(commands.MoveStake(by="ana", id="v/6", on="17"))
    assert [(s.spot.name, s.amount, s.call) for s in stakes.values()] == [("17", 2, None)]
    assert table.state.announcements == {}


@pytest.mark.rule("IT-gioco-4b", "IT-general-4a")
def test_it_a_colour_stays_its_owners_while_a_chip_of_it_lies_on_the_cloth() -> None:
    table = opened("it", {"ana": 100, "bruno": 100})
    ana = table.state.players["ana"]
    colour = ana.colour
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    assert ana.value_chips
    assert ana.colour == colour
    table.act(commands.Sit(by="carla"))
    wanted = commands.BuyChips(by="croupier-1", player="carla", amount=10, colour=colour)
    assert refused(table, wanted).why is RefusalReason.COLOUR_IN_PLAY
    coup(table, 2)
    table.act(commands.ComeBack(by="ana"))
    table.act(commands.Leave(by="ana"))
    table.act(wanted)
    assert table.state.players["carla"].colour == colour


def test_who_is_away_lays_no_stake() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.StepAway(by="ana"))
    assert refused(table, place("ana", "red:5")).why is RefusalReason.PLAYER_IS_AWAY
