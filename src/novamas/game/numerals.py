"""The numbers of the wheel as croupiers say them, in the languages of the houses' calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from novamas.game.wheel import NUMBERS, Pocket

LAST: Final = NUMBERS[-1]


def _french() -> tuple[str, ...]:
    units = (
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
        "seize dix-sept dix-huit dix-neuf"
    ).split()
    called = list(units)
    for tens in ("vingt", "trente"):
        called.append(tens)
        called.append(f"{tens} et un")
        called.extend(f"{tens}-{unit}" for unit in units[2:10])
    return tuple(called[: LAST + 1])


def _spanish() -> tuple[str, ...]:
    called = (
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés "
        "veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta"
    ).split()
    called.extend(f"treinta y {unit}" for unit in called[1:7])
    return tuple(called)


def _english() -> tuple[str, ...]:
    units = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen"
    ).split()
    called = list(units)
    for tens in ("twenty", "thirty"):
        called.append(tens)
        called.extend(f"{tens}-{unit}" for unit in units[1:10])
    return tuple(called[: LAST + 1])


DIGITS: Final = "digits"

NUMERALS: Final[dict[str, tuple[str, ...]]] = {
    DIGITS: tuple(str(number) for number in range(LAST + 1)),
    "en": _english(),
    "es": _spanish(),
    "fr": _french(),
}
"""Language → the words for 0 to 36; `digits` where the house just shows the figure."""

AND: Final = {DIGITS: ", ", "en": ", ", "es": " y ", "fr": " et "}
"""Language → what joins the last two chances of a call: its word, or a comma."""

THE: Final = {DIGITS: " ", "en": " ", "es": " el ", "fr": " le "}
"""Language → what stands between a colour and its number: its article, or a blank."""

_TIMES: Final = {"en": ("double", "triple"), "es": ("doble", "triple"), "fr": ("double", "triple")}
"""Language → the words for a zero of two figures, and of three."""


def called(pockets: Iterable[Pocket], language: str) -> dict[Pocket, str]:
    """The pockets as croupiers call them in a language.

    >>> called((0, 32, "00"), "fr")
    {0: 'zéro', 32: 'trente-deux', '00': 'double zéro'}
    """
    words = NUMERALS[language]
    found: dict[Pocket, str] = {}
    for pocket in pockets:
        if not isinstance(pocket, str):
            found[pocket] = words[pocket]
        elif len(pocket) - 2 < len(_TIMES.get(language, ())):
            found[pocket] = f"{_TIMES[language][len(pocket) - 2]} {words[0]}"
        else:
            found[pocket] = pocket
    return found
