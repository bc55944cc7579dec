"""The law of many coups in whole numbers: how many sequences of pockets lead to each result."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, lcm

from novamas.odds.errors import TooLargeError
from novamas.odds.law import Carrier
from novamas.odds.many_coups.rounds import Rounds, Ways
from novamas.odds.play import Prison

QUICK = 30_000_000
"""Up to this cost an exact answer takes about a second and little memory."""
POSSIBLE = 20 * QUICK
"""Above this cost an exact answer is refused, even on request."""


def cost(rounds: Rounds, coups: int) -> int:
    """The cost of an exact answer: results times digits, for every state of the prison."""
    if rounds.is_single:
        low, step = lattice(rounds.ended[0])
        return ((max(rounds.ended[0]) - low) // step * coups + 1) * coups
    nets = {net for ways in rounds.ended for net in ways}
    prisons = {prison for still in rounds.open for _, prison in still}
    count = max(len(prisons), coups) if rounds.lays_on else len(prisons)
    results = (max(nets) - min(nets)) // (gcd(*nets) or 1) * coups + 1
    return 30 * results * coups * count


def lattice(nets: Mapping[int, object]) -> tuple[int, int]:
    """The least of some results, and the greatest common step to all others."""
    low = min(nets)
    return low, gcd(*(net - low for net in nets)) or 1


def counted(rounds: Rounds, coups: int) -> tuple[dict[int, int], int]:
    """Every result after a number of coups with its number of ways, and the total of ways.

    What is in prison after the last coup is followed until it is decided.
    """
    if cost(rounds, coups) > POSSIBLE:
        raise TooLargeError(
            f"the exact law of {coups} coups has too many digits",
            instead="ask for it in floating point, with its precision",
        )
    if rounds.is_single:
        return power(rounds.ended[0], coups), rounds.pockets**coups
    return _followed(rounds, coups)


def power(ways: Ways, coups: int) -> dict[int, int]:
    """The ways of independent coups, by the recurrence for the power of a polynomial.

    If Q is the n-th power of P, then P·Q' = n·P'·Q; comparing coefficients gives each coefficient
    of Q from those before it, and every division is exact.

    >>> power({-1: 19, 1: 18}, 2)
    {-2: 361, 0: 684, 2: 324}
    """
    low, step = lattice(ways)
    terms = sorted(((net - low) // step, count) for net, count in ways.items())
    (_, first), *rest = terms
    length = (terms[-1][0]) * coups
    found = [first**coups]
    for k in range(1, length + 1):
        total = 0
        for place, count in rest:
            if place > k:
                break
            total += (place * (coups + 1) - k) * count * found[k - place]
        found.append(total // (k * first))
    start = low * coups
    return {start + step * k: value for k, value in enumerate(found) if value}


def _followed(rounds: Rounds, coups: int) -> tuple[dict[int, int], int]:
    """The ways where zero may lead into prison: follows every prison state coup by coup."""
    play = rounds.play
    at: dict[Prison, Ways] = {(): {0: 1}}
    for _ in range(coups):
        then: dict[Prison, Ways] = {}
        for prison, ways in at.items():
            times = 1 if rounds.lays_on or not prison else 0
            for turn in play.turns(times=times, prison=prison):
                _add(ways, turn.net, turn.pockets, into=then.setdefault(turn.prison, {}))
        at = then
    carrier = Carrier(play)
    laws = {prison: carrier.law(prison).outcomes for prison in at}
    # A common denominator, so that integers are added instead of fractions.
    common = lcm(*(chance.denominator for law in laws.values() for chance in law.values()))
    found: Ways = {}
    for prison, ways in at.items():
        for amount, chance in laws[prison].items():
            _add(ways, int(amount), int(chance * common), into=found)
    return dict(sorted(found.items())), rounds.pockets**coups * common


def _add(ways: Ways, net: int, times: int, *, into: Ways) -> None:
    for before, count in ways.items():
        result = before + net
        into[result] = into.get(result, 0) + count * times
