"""The way of a coup up to the close, and what the staff of the model's table say."""

import math

from tests.properties.model.houses import CAUSES, CHOICE_AT_ZERO, LINKED, REOPENS
from tests.properties.model.linked import level
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
    if table.house in LINKED:
        level(table)


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
    table.coming = other_limits(table.coming or table.limits, command["limits"])
    if table.phase == BETTING and not table.launched and not table.cloth:
        bind_limits(table)


def other_limits(limits: Limits, named: Limits) -> Limits:
    """A placard with other limits for the classes named; the others stay."""
    new: Limits = dict(limits)
    for kind, bounds in named.items():
        new[kind] = {**new.get(kind, {}), **bounds}
        refuse_if(new[kind].get("min", 0) > new[kind].get("max", math.inf))
    return new


def reopen(table: Table, command: Command) -> None:
    """The table is closed and opened again with another placard (FR-53.l, AMB-FR-11)."""
    refuse_if(table.house not in REOPENS or table.phase != BETTING or table.launched)
    refuse_if(table.prison)
    table.limits = other_limits(table.limits, command["limits"])
    for stake in table.cloth:
        table.hand(stake.player, stake.amount)
    table.cloth = []


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
        back = up(one.amount) if table.house in CHOICE_AT_ZERO else one.amount
        table.hand(one.player, back, foreign=one.foreign)
        table.bank += one.amount - back
    table.cloth, table.prison = [], []


def choose(table: Table, command: Command) -> None:
    """Half or prison, after a zero (ES, FR)."""
    refuse_if(table.phase != BETTING or command["choice"] not in ("half", "prison"))
    held = [one for one in table.prison if one.id == command["id"] and one.may_choose]
    refuse_if(not held)
    (prisoner,) = held
    if command["choice"] == "half":
        least = table.limit(prisoner.spot, "min") or 0
        small = prisoner.zeros > 1 and up(prisoner.amount) < least
        refuse_if(small and table.house == "es")  # ES-G.2, AMB-FR-04
        release_half(table, prisoner, table.coups[-1]["players"][prisoner.player])
    prisoner.may_choose = False


def release_half(table: Table, prisoner: Prisoner, line: dict[str, int]) -> None:
    """Give a prisoner's player half, and the bank the rest (ES-7.2.b2, FR-52.z1)."""
    half = up(prisoner.amount)
    table.prison.remove(prisoner)
    if table.kept(away=prisoner.away):
        table.custody[prisoner.player] += half
    else:
        table.hand(prisoner.player, half)
        line["returned"] += half
    table.bank += prisoner.amount - half
    line["held"] -= prisoner.amount
    line["lost"] += prisoner.amount - half
