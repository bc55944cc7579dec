"""The way of a coup up to the close, and what the staff of the model's table say."""

import math

from tests.properties.model.cloth import CAUSES
from tests.properties.model.minima import too_little
from tests.properties.model.table import BETTING, CLOSED, ENDED, Limits, Table
from tests.properties.model.things import Command, Prisoner, refuse_if, up


def launch(table: Table, _: Command) -> None:
    """The ball is launched; betting goes on."""
    refuse_if(table.phase != BETTING or table.launched or table.suspended)
    table.launched = True
    table.spins += 1


def no_more_bets(table: Table, command: Command) -> None:
    """Close the betting, and send back what is too little."""
    refuse_if(table.phase != BETTING or (table.suspended and not table.launched))
    if not table.launched:
        launch(table, command)
    table.phase = CLOSED
    for prisoner in table.prison:
        prisoner.was_open, prisoner.may_choose = prisoner.may_choose, False
    for stake in too_little(table, table.cloth):
        table.give_back(stake.player, stake.amount, foreign=stake.foreign)
        table.cloth.remove(stake)


def void(table: Table, command: Command) -> None:
    """No va esta bola: betting opens again, with everything where it is."""
    refuse_if(table.phase not in (BETTING, CLOSED) or command["cause"] not in CAUSES[table.house])
    if not table.launched:  # It may slip from the hand (AR-18.a, BG-10b).
        refuse_if(command["cause"] != "ball_escaped")
        table.spins += 1
    if table.phase == CLOSED:
        for prisoner in table.prison:  # AMB-ES-15
            prisoner.may_choose = prisoner.was_open
    table.phase, table.launched = BETTING, False
    table.exceptions.clear()
    if not table.cloth:  # AMB-IT-27
        bind_limits(table)


def bind_limits(table: Table) -> None:
    """Let the limits bind that were announced."""
    table.limits, table.coming = table.coming or table.limits, None


def change_limits(table: Table, command: Command) -> None:
    """Change the limits, where the house may (X-06, AMB-IT-27)."""
    refuse_if(table.house != "it" or table.phase == ENDED)
    limits: Limits = dict(table.coming or table.limits)
    for kind, bounds in command["limits"].items():
        limits[kind] = {**limits.get(kind, {}), **bounds}
        refuse_if(limits[kind].get("min", 0) > limits[kind].get("max", math.inf))
    table.coming = limits
    if table.phase == BETTING and not table.launched and not table.cloth:
        bind_limits(table)


def last_games(table: Table, _: Command) -> None:
    """Announce the last three games (BG-30)."""
    refuse_if(table.house != "bg" or table.phase != BETTING or table.games_left is not None)
    table.games_left = 3


def suspend(table: Table, _: Command) -> None:
    """Play is suspended."""
    refuse_if(table.suspended or table.phase == ENDED)
    table.suspended = True


def resume(table: Table, _: Command) -> None:
    """Play goes on."""
    refuse_if(not table.suspended)
    table.suspended = False


def close(table: Table, _: Command) -> None:
    """The table closes, and what lies on it goes back."""
    between = table.phase == BETTING and not table.launched
    refuse_if(not between and table.phase != ENDED)
    if table.house == "bg":  # AMB-BG-17
        refuse_if(table.players and table.games_left != 0)
    table.phase = ENDED
    for stake in table.cloth:
        table.hand(stake.player, stake.amount, foreign=stake.foreign)
    for one in table.prison:
        back = up(one.amount) if table.house == "es" else one.amount
        table.hand(one.player, back, foreign=one.foreign)
        table.bank += one.amount - back
    table.cloth, table.prison = [], []


def choose(table: Table, command: Command) -> None:
    """Half or prison, after a zero (ES)."""
    refuse_if(table.phase != BETTING or command["choice"] not in ("half", "prison"))
    held = [one for one in table.prison if one.id == command["id"] and one.may_choose]
    refuse_if(not held)
    (prisoner,) = held
    if command["choice"] == "half":
        least = table.limit(prisoner.spot, "min") or 0
        refuse_if(prisoner.zeros > 1 and up(prisoner.amount) < least)  # ES-G.2
        release_half(table, prisoner, table.coups[-1]["players"][prisoner.player])
    prisoner.may_choose = False


def release_half(table: Table, prisoner: Prisoner, line: dict[str, int]) -> None:
    """Give a prisoner's player half, and the bank the rest (ES-7.2.b2)."""
    half = up(prisoner.amount)
    table.prison.remove(prisoner)
    table.hand(prisoner.player, half)
    table.bank += prisoner.amount - half
    line["held"] -= prisoner.amount
    line["returned"] += half
    line["lost"] += prisoner.amount - half
