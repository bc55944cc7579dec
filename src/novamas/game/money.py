"""Money: whole numbers of the table's smallest unit, and who gets an odd unit.

>>> halve(5)
Halves(player=3, bank=2)
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from novamas.game.languages import SEPARATORS


class Halves(NamedTuple):
    """An amount divided between player and bank."""

    player: int
    bank: int


def halve(amount: int) -> Halves:
    """Divides an amount in two; the odd unit goes to the player (X-03)."""
    bank = amount // 2
    return Halves(player=amount - bank, bank=bank)


def times(amount: int, odds: Fraction) -> int:
    """What a stake wins at the given odds, rounded up to a whole unit for the player (X-03).

    >>> times(5, Fraction(1, 2))
    3
    """
    return -(-amount * odds.numerator // odds.denominator)


def is_whole(amount: int, odds: Fraction) -> bool:
    """Whether a stake wins whole units at the given odds, so that nothing is rounded.

    >>> is_whole(4, Fraction(1, 2)), is_whole(5, Fraction(1, 2))
    (True, False)
    """
    return amount * odds.numerator % odds.denominator == 0


def written(amount: int, language: str) -> str:
    """Formats an amount for a language; four digits are grouped too.

    >>> written(3500, "es"), written(-1250000, "en"), written(350, "fr")
    ('3.500', '-1,250,000', '350')
    """
    return f"{amount:,}".replace(",", SEPARATORS[language])


def is_amount(value: object) -> bool:
    """Whether `value` is an amount that can be staked: a whole number above zero, not a boolean."""
    return type(value) is int and value > 0
