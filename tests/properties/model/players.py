"""Who sits at the model's table: seats, chips, absence."""

from tests.properties.model.table import CLOSED, ENDED, Table
from tests.properties.model.things import Command, Player, refuse_if


def seated(table: Table, command: Command) -> Player:
    """The player of a command, who must have a seat."""
    refuse_if(command["player"] not in table.players)
    return table.players[command["player"]]


def sit(table: Table, command: Command) -> None:
    """A player sits down without chips."""
    refuse_if(table.phase == ENDED or command["player"] in table.players)
    table.players[command["player"]] = Player()


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
    refuse_if(value and table.house == "ar")
    if chip is not None:
        # Whoever plays with value chips may choose anew, unless their colour lies on the cloth.
        lies = has_colour_down(table, command["player"])
        has_colour = player.chip is not None and (lies or not player.value)
        refuse_if(chip < 1 or (has_colour and chip != player.chip))
        refuse_if(table.house == "it" and chip % table.chip)
    player.purse += command["amount"]
    player.value = value
    if not value:
        player.chip = chip or player.chip or table.chip


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


def claim(table: Table, command: Command) -> None:
    """A player takes what was set aside."""
    player = seated(table, command)
    refuse_if(not table.custody[command["player"]])
    player.purse += table.custody.pop(command["player"])


def exception(table: Table, command: Command) -> None:
    """The chief allows a player one late stake (IT-gioco-7c, AMB-IT-15)."""
    seated(table, command)
    refuse_if(table.house != "it" or table.phase != CLOSED)
    table.exceptions.add(command["player"])
