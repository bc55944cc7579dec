"""A plain Python loop: red, coup after coup, until the purse is gone.

The best of its kind because one call draws all payoffs of a player, which is the fastest way of the
standard library; the loop only adds and compares.
"""

import random
from collections.abc import Sequence


def play(nets: Sequence[int], *, players: int, coups: int, purse: int) -> list[int]:
    """What each player has in the end."""
    chance = random.Random(7)  # noqa: S311 - a simulation
    found = []
    for _ in range(players):
        wealth = purse
        for net in chance.choices(nets, k=coups):
            wealth += net
            if wealth < 1:
                break
        found.append(wealth)
    return found
