"""Bets views: what lay on the cloth in a coup, one's own and that of all others together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from novamas.game.lines import Line
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.house.views.view import View


class LaidBet(View):
    """What lay on a spot."""

    on: str
    """The spot."""
    amount: int
    """All that lay there."""


class CoupBets(View):
    """What lay on the cloth when a number was called, without what was in prison."""

    coup: int
    number: Pocket
    own: tuple[LaidBet, ...]
    """The bets of the player who asks; none for the staff and for onlookers."""
    others: tuple[LaidBet, ...]
    """The bets of everybody else, by spot and without names."""


def of_lines(coup: int, number: Pocket, lines: Iterable[Line], *, player: str | None) -> CoupBets:
    """What lay there, from the lines of the call; `player` is who asks, None if nobody played."""
    own: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for line in lines:
        if isinstance(line.stake, Stake):
            laid = own if line.stake.player == player else others
            laid[line.stake.spot.name] += line.stake.amount
    return CoupBets(coup=coup, number=number, own=_bets(own), others=_bets(others))


def _bets(laid: Counter[str]) -> tuple[LaidBet, ...]:
    return tuple(LaidBet(on=on, amount=amount) for on, amount in laid.items())
