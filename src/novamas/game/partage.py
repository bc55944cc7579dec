"""Partage: the odd chips that zero leaves to players with several stakes on one chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from novamas.game.lines import Line, cited
from novamas.game.rulebook.model import ZeroRules
from novamas.game.stakes import Stake


def pair_odd_chips(
    rules: ZeroRules, divided: Iterable[Sequence[Stake]], collected: list[Line]
) -> None:
    """Divides the odd chips that a player has in several stakes on one chance.

    A partage counts all of a player's chips on the chance, however many stakes they form, so two
    odd chips of one value make an even pair: one goes back, and one goes to the bank. `divided` are
    the stakes of which an odd chip is held, for each player, chance and value; their lines in
    `collected` are changed.
    """
    paired: dict[str, bool] = {}
    for stakes in divided:
        for first, second in zip(stakes[0::2], stakes[1::2], strict=False):
            paired[first.id] = True
            paired[second.id] = False
    if not paired:
        return
    for place, line in enumerate(collected):
        goes_back = paired.get(line.stake.id)
        if goes_back is None or not line.held:
            continue
        kept = tuple(id for id in line.articles if id not in rules.cites.prison)
        chip = line.held
        collected[place] = line._replace(
            held=0,
            returned=line.returned + (chip if goes_back else 0),
            lost=line.lost + (0 if goes_back else chip),
            articles=cited(kept, rules.cites.half),
        )
