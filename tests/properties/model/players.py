"""Who sits at the model's table: seats, chips, absence."""

from tests.properties.model.houses import (
    ALL_VALUE,
    NEW_WORTH_NEW_COLOUR,
    NEW_WORTH_WHEN_EMPTY,
    NO_VALUE,
    ORPHANS,
    SEATS,
    WORTH_IN_STRAIGHTS,
)
from tests.properties.model.table import BETTING, CLOSED, ENDED, Table
from tests.properties.model.things import Command, Player, refuse_if


def seated(table: Table, command: Command) -> Player:
    """The player of a command, who must have a seat."""
    refuse_if(command["player"] not in table.players)
    return table.players[command["player"]]


def sit(table: Table, command: Command) -> None:
    """A player sits down without chips."""
    refuse_if(table.phase == ENDED or command["player"] in table.players)
    refuse_if(len(table.players) == SEATS.get(table.house))
    table.players[command["player"]] = Player(value=table.house in ALL_VALUE)


def leave(table: Table, command: Command) -> None:
    """A player leaves for good."""
    seated(table, command)
    refuse_if(table.on_cloth(command["player"]))
    del table.players[command["player"]]


def has_colour_down(table: Table, name: str) -> bool:
    """Whether colour chips of a player lie on the cloth or in prison."""
    stakes = [one for one in table.cloth if one.player == name and not one.foreign]
    held = [one for one in table.prison if one.player == name and not one.foreign]
    return not all(one.value for one in stakes) or not all(one.value for one in held)


def buy(table: Table, command: Command) -> None:
    """Chips are bought (AMB-IT-30)."""
    player = seated(table, command)
    chip, value = command.get("chip"), bool(command.get("value_chips"))
    refuse_if(table.phase == ENDED or command["amount"] < 1)
    refuse_if(value and table.house in NO_VALUE)
    if chip is not None:
        named = chip != table.chip_of(command["player"])
        refuse_if(chip < 1 or (named and table.house in ALL_VALUE))  # AMB-FR-09
        refuse_if(chip != player.chip and keeps_chip(table, command["player"], chip))
        refuse_if(table.house == "it" and chip % table.chip)
        if named and table.house in WORTH_IN_STRAIGHTS:
            straight = table.limits.get("straight", {})  # N-15
            refuse_if(not straight.get("min", 1) <= chip <= straight.get("max", chip))
    value = value or table.house in ALL_VALUE
    player.purse += command["amount"]
    player.value = value
    if not value:
        player.chip = chip or player.chip or table.chip


def keeps_chip(table: Table, name: str, chip: int) -> bool:
    """Whether a player's chips keep them from chips of another worth than they have."""
    player = table.players[name]
    if table.house in NEW_WORTH_NEW_COLOUR:  # N-16, AMB-FRAN-06
        return chip != table.chip_of(name) and any(one.player == name for one in table.cloth)
    lies = has_colour_down(table, name)
    if table.house in NEW_WORTH_WHEN_EMPTY:  # AMB-FRAM-12
        return lies or (player.chip is not None and not player.value and player.purse > 0)
    # Whoever plays with value chips may choose anew, unless their colour lies on the cloth.
    return player.chip is not None and (lies or not player.value)


def step_away(table: Table, command: Command) -> None:
    """A player goes away; in Italy their colour chips become value chips (IT-general-4a)."""
    player = seated(table, command)
    refuse_if(player.away)
    player.away = True
    if table.house == "it":
        player.value = True
    for stake in table.cloth:
        if stake.player == command["player"]:
            stake.away = True


def come_back(table: Table, command: Command) -> None:
    """A player is back."""
    player = seated(table, command)
    refuse_if(not player.away)
    player.away = False
    for stake in table.cloth:
        if stake.player == command["player"]:
            stake.away = False
            stake.wins = 0
    for one in table.prison:
        if one.player == command["player"]:
            one.away = False


def claim(table: Table, command: Command) -> None:
    """A player takes what was set aside."""
    player = seated(table, command)
    refuse_if(not table.custody[command["player"]])
    player.purse += table.custody.pop(command["player"])


def orphan(table: Table, command: Command) -> None:
    """The staff finds a stake abandoned between two coups (FR-41)."""
    refuse_if(table.house not in ORPHANS or table.phase != BETTING or table.launched)
    stakes = table.stakes_of(command["id"])
    refuse_if(not stakes or not all(stake.away for stake in stakes))
    for stake in stakes:
        table.custody[stake.player] += stake.amount
        table.cloth.remove(stake)


def exception(table: Table, command: Command) -> None:
    """The chief allows a player one late stake (IT-gioco-7c, AMB-IT-15)."""
    seated(table, command)
    refuse_if(table.house != "it" or table.phase != CLOSED)
    table.exceptions.add(command["player"])
