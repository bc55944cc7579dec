"""Names: which ones people may take, so that nobody can impersonate another.

A name uses one alphabet, because mixed alphabets allow look-alike letters. Some words look the same
in two alphabets (`copa` in Latin, `сора` in Cyrillic), so shapes are compared too, after the
skeletons of Unicode's technical standard 39. That table is large; as a name has one alphabet, the
letters that look like Latin ones are enough.

Existing names stay as they are: only new names are checked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

ALPHABETS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "Latin": ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x1BF), (0x1C4, 0x24F), (0x1E00, 0x1EFF)),
    "Greek": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x482), (0x48A, 0x52F)),
    "Armenian": ((0x531, 0x556), (0x561, 0x587)),
    "Hebrew": ((0x5D0, 0x5EA),),
    "Arabic": ((0x620, 0x64A), (0x671, 0x6D3)),
    "Devanagari": ((0x900, 0x963),),
    "Thai": ((0xE01, 0xE3A), (0xE40, 0xE4E)),
    "Georgian": ((0x10A0, 0x10FF), (0x1C90, 0x1CBF)),
    "East Asian": ((0x3041, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3)),
}
"""The alphabets in which a name can be written, and the ranges of their letters."""
SIGNS: Final = frozenset("’·")
"""What a name may have besides letters, combining marks, and what every keyboard has."""
MARKS: Final = ((0x300, 0x333), (0x591, 0x5C7), (0x64B, 0x65F), (0x900, 0x963), (0xE31, 0xE4E))
"""Combining marks that are visible, and do not turn a letter into another one."""
MOST_MARKS: Final = 2
"""How many combining marks a letter may have."""

_LATIN_ALIKE: Final = (
    # Each letter that looks like a Latin one, and that one; upper and lower case separately.
    "Аa Вb Еe Ѕs Іi Јj Кk Мm Нh Оo Рp Сc Тt Уy Хx Ғf Үy Һh Ԁd Ԛq Ԝw Ѵv "
    "аa еe ѕs іi јj оo рp сc уy хx һh ԁd ԛq ԝw ѵv ӏl Ӏl гr ԍg кk тt мm ёë їï ӧö ӓä "
    "Αa Βb Εe Ζz Ηh Ιl Κk Μm Νn Οo Ρp Τt Υy Χx "
    "αa γy ιi κk νv οo ρp σo υu χx ωw ςc ηn τt ϲc ϳj "
    "օo Օo ոn սu հh ցg զq լl յj "
    "וl ןl סo اl هo "
    "ıi ƅb ƿp ſf Øo øo Łl łl Đd đd Ðd ðd"
)
_ALIKE: Final = {ord(each[0]): each[1:] for each in _LATIN_ALIKE.split()} | {
    ord(each): "l" for each in "I1|"
}
"""A letter and what it looks like."""


def flaw(name: str) -> str | None:
    """What is wrong with the letters of a name, in words; None if nothing is.

    >>> flaw("Ана"), flaw("ana")
    (None, None)
    >>> flaw("аna")
    'a name is written in one alphabet'
    """
    found: set[str] = set()
    marks = 0
    for place, letter in enumerate(name):
        if letter.isascii() and not letter.isalpha():
            marks = 0
            continue
        if unicodedata.category(letter) in ("Mn", "Mc"):
            marks += 1
            is_mark = any(first <= ord(letter) <= last for first, last in MARKS)
            if not is_mark or marks > MOST_MARKS or place == 0:
                return "a name has no more marks on a letter than can be read"
            continue
        marks = 0
        alphabet = _alphabet(letter)
        if alphabet is None and letter not in SIGNS:
            return "a name has letters, digits and the signs of a keyboard"
        if alphabet is not None:
            found.add(alphabet)
    return "a name is written in one alphabet" if len(found) > 1 else None


def _alphabet(letter: str) -> str | None:
    if not letter.isalpha() or unicodedata.normalize("NFKC", letter) != letter:
        return None
    code = ord(letter)
    for alphabet, parts in ALPHABETS.items():
        if any(first <= code <= last for first, last in parts):
            return alphabet
    return None


@lru_cache(maxsize=65_536)
def shape(name: str) -> str:
    """The shape of a name: names that look alike have the same.

    >>> shape("сора") == shape("copa"), shape("Ivan") == shape("lvan"), shape("ana") == shape("eva")
    (True, True, False)
    """
    plain = unicodedata.normalize("NFKC", name).translate(_ALIKE)
    folded = " ".join(plain.casefold().translate({ord("0"): "o"}).split())
    return folded.replace("rn", "m").replace("’", "'")


def like(name: str, others: Iterable[str]) -> str | None:
    """The first of the other names that this one looks like, if any."""
    seen = shape(name)
    return next((each for each in others if shape(each) == seen), None)


HOUSE_NAMES: Final = frozenset(map(shape, ("auto", "house", "machine", "management")))
"""Reserved names: the automatic croupier's names begin with "auto", and what is done at the machine
itself is recorded as done by "machine"."""
STAFF_NAMES: Final = frozenset(
    map(
        shape,
        (
            "admin administrator auditor bank cashier casino chief croupier dealer inspector"
            " manager moderator novamas operator root security staff support system"
            " banca banco cajero cajera capotavola cassiere crupier ispettore caissier inspecteur"
            " администратор инспектор каса касиер крупие мениджър охрана персонал"
        ).split(),
    )
)
"""Names that sound like staff; players may not take them."""
