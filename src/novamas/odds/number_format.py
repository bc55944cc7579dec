"""Number format: a number of significant digits, and never a power of ten."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isfinite, log10

SMALLEST_PERCENT = 0.001
"""A smaller percentage is only shown as less than this."""


def plain(value: float, digits: int, *, sign: bool = False, commas: bool = False) -> str:
    """A number with `digits` significant digits; all digits before the point are written.

    >>> plain(1234567.8, 6), plain(-4.05405, 3), plain(3e-7, 1), plain(12.0, 6, sign=True)
    ('1234568', '-4.05', '0.0000003', '+12')
    """
    if not value or not isfinite(value):
        return f"{value:g}"
    decimals = max(digits - 1 - floor(log10(abs(value))), 0)
    text = f"{value:{'+' if sign else ''}{',' if commas else ''}.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def counted(number: int, what: str, *, commas: bool = False) -> str:
    """A count with its noun, in English.

    >>> counted(1, "coup"), counted(0, "coup"), counted(12_000, "coup", commas=True)
    ('1 coup', '0 coups', '12,000 coups')
    """
    return f"{number:{',' if commas else ''}} {what}{'' if number == 1 else 's'}"


def spread(start: int, end: int) -> str:
    """Net results from one to another.

    >>> spread(-10, 20), spread(0, 0)
    ('-10 … +20', '0')
    """
    first, last = (plain(each, 1, sign=True) for each in (start, end))
    return first if start == end else f"{first} … {last}"


def share(value: float) -> str:
    """A probability, or an edge, which can be negative.

    >>> share(18 / 37), share(1 / 1369), share(0.0), share(3e-9), share(-3 / 74)
    ('48.6 %', '0.073 %', '0 %', '<0.001 %', '-4.05 %')
    """
    percent = 100 * value
    if 0 < abs(percent) < SMALLEST_PERCENT:
        return f"<{SMALLEST_PERCENT} %" if percent > 0 else f">-{SMALLEST_PERCENT} %"
    return f"{plain(percent, 3)} %"


def fraction(value: Fraction) -> str:
    """A fraction and its percentage; only the percentage if the fraction is long.

    >>> fraction(Fraction(1, 37)), fraction(Fraction(-3, 74))
    ('1/37 = 2.7 %', '-3/74 = -4.05 %')
    """
    written = str(value)
    return f"{written} = {share(float(value))}" if len(written) <= 12 else share(float(value))


def amount(value: Fraction | float, *, digits: int = 6) -> str:
    """A net amount with its sign, and its fraction if that is short.

    >>> amount(Fraction(-10, 37)), amount(Fraction(5)), amount(2.5e7)
    ('-10/37 = -0.27027', '5 = +5', '+25000000')
    """
    rounded = plain(float(value), digits, sign=True)
    written = str(value) if isinstance(value, Fraction) else ""
    return f"{written} = {rounded}" if 0 < len(written) <= 16 else rounded
