"""Linked combinations carry equal pieces (FRAM-55-3.l and m, section 2.4)."""

from tests.properties.model.cloth import MULTIPLES
from tests.properties.model.table import Table
from tests.properties.model.things import Stake, Undetermined


def level(table: Table) -> None:
    """Send back at the close what a player has too much on linked combinations."""
    for player in table.players:
        mine = [
            stake
            for stake in table.cloth
            if stake.player == player and table.spots[stake.spot][0] in MULTIPLES
        ]
        for group in linked(table, sorted({stake.spot for stake in mine})):
            if len(group) > 1:
                cut(table, [[stake for stake in mine if stake.spot == spot] for spot in group])
    table.cloth = [stake for stake in table.cloth if stake.amount]


def linked(table: Table, spots: list[str]) -> list[list[str]]:
    """Spots in groups: two that have a number in common are in one."""
    groups: list[list[str]] = []
    for spot in spots:
        joined = [
            group
            for group in groups
            if any(table.spots[spot][1] & table.spots[other][1] for other in group)
        ]
        groups = [group for group in groups if group not in joined]
        groups.append([spot, *[one for group in joined for one in group]])
    return groups


def cut(table: Table, there: list[list[Stake]]) -> None:
    """Leave as much on each of these combinations, in whole pieces; the latest go back first."""
    straight = table.limits.get("straight", {})
    least = min(sum(stake.amount for stake in stakes) for stakes in there)
    chip = there[0][0].chip
    if any(stake.chip != chip for stakes in there for stake in stakes):
        raise Undetermined("nothing says how pieces of several values are equal in number")
    plays = min(least, straight.get("max", least)) // chip * chip
    if plays < straight.get("min", 0):  # FRAM-55-3.m: the minimum of a plein binds them too.
        plays = 0
    for stakes in there:
        over = sum(stake.amount for stake in stakes) - plays
        for stake in reversed(stakes):
            back = min(over, stake.amount)
            over -= back
            stake.amount -= back
            table.give_back(stake.player, back)
