"""The 37 numbers as croupiers say them, in the languages in which a house may call them."""

from __future__ import annotations

from typing import Final


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
    return tuple(called[:37])


def _spanish() -> tuple[str, ...]:
    called = (
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés "
        "veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta"
    ).split()
    called.extend(f"treinta y {unit}" for unit in called[1:7])
    return tuple(called)


DIGITS: Final = "digits"

NUMERALS: Final[dict[str, tuple[str, ...]]] = {
    DIGITS: tuple(str(number) for number in range(37)),
    "es": _spanish(),
    "fr": _french(),
}
"""Language → the words for 0 to 36; `digits` where the house just shows the figure."""

AND: Final = {"es": " y ", "fr": " et "}
"""Language → the word that joins the last two chances of a call; a comma where it has none."""

THE: Final = {"es": " el ", "fr": " le "}
"""Language → the word between a colour and its number; a blank where it has none."""
