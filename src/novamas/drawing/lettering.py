"""What is printed in the boxes of the cloth, and how wide a text is without a known font.

The words are the house's own. A box has, from top to bottom, a word, something large in the middle
where the chips will lie, and another word; a long name is split between the two words.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Final, NamedTuple

from novamas.drawing.look import EMS, NARROW_LETTERS, THOUSANDS, WHOLE_BELOW, WIDE_LETTERS
from novamas.game.cloth import Spot, SpotClass
from novamas.game.rulebook.model import Rulebook


class Label(NamedTuple):
    """The text of a box; any part may be empty."""

    above: str
    middle: str
    below: str


def label(book: Rulebook, spot: Spot) -> Label:
    """What a house prints in the box of a chance.

    >>> from novamas import rulebooks
    >>> from novamas.game.cloth import spot
    >>> label(rulebooks.load("it"), spot("d2"))
    Label(above='DOZZINA', middle='13–24', below='DI MEZZO')
    """
    word = book.word(spot.name).upper()
    if spot.kind is SpotClass.SIMPLE:
        if _has_digit(word):
            return Label(word, "", "")
        return Label(word, "", _hint(spot))
    if spot.kind is SpotClass.COLUMN:
        return _around(word, f"{book.terms[spot].pays}:1")
    return _around(word, _range(spot))


def call_label(book: Rulebook, call: str) -> Label:
    """What a house prints in the space of an announcement."""
    return _around(book.word(call).upper(), "")


def _around(word: str, middle: str) -> Label:
    """The words above and below the middle; a part of the name with digits is the middle itself."""
    parts = word.split()
    figures = [part for part in parts if _has_digit(part)]
    if figures:
        plain = [part for part in parts if part not in figures]
        return Label(" ".join(plain), " ".join(figures), "")
    return Label(parts[0] if parts else "", middle, " ".join(parts[1:]))


def _range(spot: Spot) -> str:
    numbers = _whole_numbers(spot)
    return f"{numbers[0]}–{numbers[-1]}"


def _whole_numbers(spot: Spot) -> list[int]:
    """The numbers of a chance, none of which is a zero."""
    return sorted(map(int, spot.numbers))


def _hint(spot: Spot) -> str:
    """What a simple chance covers, for players who do not know its word; empty for a colour.

    >>> from novamas.game.cloth import spot
    >>> _hint(spot("high")), _hint(spot("odd")), _hint(spot("red"))
    ('19–36', '1·3·5', '')
    """
    numbers = _whole_numbers(spot)
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    if steps == {1}:
        return _range(spot)
    return "·".join(map(str, numbers[:3])) if len(steps) == 1 else ""


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


_WIDE: Final = frozenset(WIDE_LETTERS)
_NARROW: Final = frozenset(NARROW_LETTERS)


def breadth(text: str) -> float:
    """How wide a text is in ems of a bold roman face; the estimate errs on the wide side."""
    return sum(_em(character) for character in text)


def _em(character: str) -> float:
    if character in _WIDE:
        return EMS["wide"]
    if character in _NARROW:
        return EMS["narrow"]
    if character == " ":
        return EMS["blank"]
    if character.isdigit():
        return EMS["digit"]
    if character.islower():
        return EMS["lower"]
    # The capitals of Cyrillic are broader than those of Latin.
    return EMS[
        "cyrillic" if character >= "\N{CYRILLIC CAPITAL LETTER IE WITH GRAVE}" else "capital"
    ]


def clean(text: str, *, longest: int = 40) -> str:
    r"""A name that is safe to show: one line, without terminal or text direction controls.

    >>> clean("Ana\x1b[31m\n")
    'Ana�[31m�'
    """
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}" if _steers(each) else each for each in text[: longest + 1]
    )
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def _steers(character: str) -> bool:
    # Controls, formats that change the direction of a line, lone surrogates, line ends, and the
    # last two code points of each plane, which XML forbids.
    return (
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        or ord(character) & 0xFFFE == 0xFFFE
    )


def short_amount(amount: int, *, longest: int = 5) -> str:
    """An amount that fits on a chip: in full up to four digits, then in thousands and so on.

    >>> short_amount(9999), short_amount(12_500), short_amount(3_141_592)
    ('9999', '12.5k', '3.14M')
    >>> short_amount(12_500, longest=4)
    '12k'
    """
    if amount < WHOLE_BELOW:
        return str(amount)
    power = (len(str(amount)) - 1) // 3
    if power > len(THOUSANDS):
        return f"1e{len(str(amount)) - 1}"
    # Integer arithmetic: digits that do not fit are cut off, never rounded up.
    whole, rest = divmod(amount, 1000**power)
    places = max(longest - len(str(whole)) - 2, 0)
    digits = str(rest).zfill(3 * power)[:places].rstrip("0")
    return f"{whole}{'.' + digits if digits else ''}{THOUSANDS[power - 1]}"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0
        if unicodedata.combining(each)
        else 2
        if unicodedata.east_asian_width(each) in {"W", "F"}
        else 1
        for each in text
    )
