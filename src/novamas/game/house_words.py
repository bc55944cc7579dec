"""The words of the houses, and what each means: a spot, an announcement, or a class of spots.

Every spot and announcement has a plain name, the one that the notation prints (`17/20`, `red`,
`voisins`). This module finds the plain name of a word in any house's language, or of a form such as
`20/17` or `cavallo-17/20`, and finds the words of a house for a plain name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from novamas.game.cloth import EUROPEAN, SPOTS, Spot, SpotClass, with_numbers
from novamas.game.errors import NovamasError, UsageError
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import WHEELS, read_pocket, written_order

FINAL: Final = "final"
"""The plain name of the finals as a class: `final-4` is `f4`."""

CLASSES: Final = frozenset((*(kind.value for kind in SpotClass), FINAL))
"""The plain names of classes; a class name alone cannot be played."""

CALLS: Final = ("voisins", "tiers", "orphelins", "orphelins-plein", "nassa", "zerospiel")
"""The announcements that have a plain name of their own, besides finals and sectors."""

FINALS: Final = tuple(
    f"f{spot.name}"
    for spot in (*EUROPEAN.of_class(SpotClass.STRAIGHT), *EUROPEAN.of_class(SpotClass.SPLIT))
    if int(spot.name.partition("/")[0]) <= 9
)
"""The finals: a last digit, or two that touch on the cloth (IT-sett-10, IT-sett-12)."""

WIDEST_SECTOR: Final = max(wheel.widest for wheel in WHEELS.values())
"""With this many neighbours on each side, a sector is the whole wheel, or all but one pocket."""

SEPARATORS: Final = re.compile(r"[\s:;|]")
"""The characters that separate words, and so cannot be part of one."""

_LETTERS: Final = {SpotClass.DOZEN.value: "d", SpotClass.COLUMN.value: "c"}
_STRADDLES: Final = EUROPEAN.of_class(SpotClass.STRADDLE)
_NUMBERS: Final = re.compile(r"(?:0+|[1-9][0-9]?)(?:/(?:0+|[1-9][0-9]?))*")
_SECTOR: Final = re.compile(r"(0+|[1-9][0-9]?)~([1-9][0-9]?)")
_ACCENTS: Final = re.compile(r"(?<=[^\W\d_])[\u0300-\u036f]+")
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_HYPHEN: Final = re.compile(r"[-‐‑‒–—−\s]")
_LONGEST: Final = 200
"""The length of the longest name; a longer text is not looked up."""


@dataclass(frozen=True, slots=True)
class Announced:
    """An announcement by its plain name: `voisins`, the sector `17~2`, the final `f4/7`."""

    name: str

    def __post_init__(self) -> None:
        if not self.name or self.name in SPOTS or SEPARATORS.search(self.name):
            raise UsageError(f"{self.name!r} is no name of an announcement")


Playable: TypeAlias = Spot | Announced
"""What can be played: a spot, or an announcement."""


class WordsError(NovamasError, ValueError):
    """A word of a book has two meanings, or none, or cannot be written in the notation."""


_PLAINLY: Final = "the notation"


class _Word(NamedTuple):
    name: str
    written: str
    said_in: str


class Words(Mapping[str, str]):
    """The words of some houses, each with the plain name of a spot, an announcement or a class.

    The lookup ignores capitals and accents, and takes hyphens and blanks as the same.

    >>> words = Words()
    >>> words["RED"], words["Split"]
    ('red', 'split')
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, _Word] = {}
        for name in (*SPOTS, *CALLS, *FINALS, *sorted(CLASSES)):
            self._add(name, means=name, said_in=_PLAINLY)

    @classmethod
    def of(cls, *books: Rulebook) -> Words:
        """The plain names and the words of these books; a word with two meanings is an error."""
        words = cls()
        for book in books:
            for call in book.announcements.calls:
                words._add(call, means=call, said_in=book.id)
            for name, said in book.words.items():
                if name not in words._known or words._known[name].name != name:
                    raise WordsError(f"{book.id}: [words] {name}: no such spot, call or class")
                for word in said:
                    words._add(word, means=name, said_in=book.id)
        # A word that can also be read as numbers, or as a class and its numbers, must mean the same
        # that way.
        for folded, known in words._known.items():
            read = _by_form(folded, words)
            if read is not None and read.name != known.name:
                form = _Word(read.name, known.written, _PLAINLY)
                raise WordsError(_conflict(known, form))
        return words

    def _add(self, word: str, *, means: str, said_in: str) -> None:
        folded = fold(word)
        if not folded or SEPARATORS.search(folded):
            raise WordsError(f"{said_in}: {word!r} cannot be written as one word")
        new = _Word(means, "-".join(word.split()), said_in)
        known = self._known.setdefault(folded, new)
        if known.name != means:
            raise WordsError(_conflict(known, new))

    def __getitem__(self, word: str) -> str:
        return self._known[fold(word)].name

    def __iter__(self) -> Iterator[str]:
        return (known.written for known in self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def near(self, word: str, of: type[Playable] | None = None) -> str:
        """The known word most like an unknown one, or an empty text if none is near.

        `of` limits the search to words for spots, or to words for announcements.

        >>> Words().near("ted")
        'red'
        >>> Words().near("ted", of=Announced)
        ''
        """
        # Only a mistake needs the search, so the module is loaded here.
        from difflib import get_close_matches

        folded = fold(word)
        if len(folded) > _LONGEST:
            return ""
        head, dash, numbers = folded.rpartition("-")
        if dash and numbers[:1].isdigit() and of is not Announced:
            classes = [each for each, known in self._known.items() if known.name in CLASSES]
            for close in get_close_matches(head, classes):
                if read(f"{close}-{numbers}", self) is not None:
                    return f"{self._known[close].written}-{numbers}"
        playable = [
            each
            for each, known in self._known.items()
            if known.name not in CLASSES and (of is None or isinstance(read(each, self), of))
        ]
        return "".join(self._known[each].written for each in get_close_matches(folded, playable, 1))


def _conflict(one: _Word, other: _Word) -> str:
    said = f"{one.name} in {one.said_in} and {other.name} in {other.said_in}"
    return f"`{other.written}` has two meanings: {said}"


def fold(word: str) -> str:
    """Normalises a word for comparison: no capitals or accents, hyphens for blanks and dashes.

    >>> fold("Línea"), fold("tre primi"), fold("1–18")
    ('linea', 'tre-primi', '1-18')
    """
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word.casefold()))
    return "-".join(bare.translate(_DASHES).split())


def read(text: str, words: Words) -> Playable | None:
    """What a word or a form means, or None if it means nothing.

    >>> read("20/17", Words()), read("final-4", Words()), read("green", Words())
    (<split 17/20>, Announced(name='f4'), None)
    """
    if len(text) > _LONGEST:
        return None
    word = fold(text)
    return _by_name(word, words) or _by_form(word, words)


def _by_name(word: str, words: Words) -> Playable | None:
    name = words.get(word)
    if name is None or name in CLASSES:
        return None
    return SPOTS.get(name) or Announced(name)


def _by_form(word: str, words: Words) -> Playable | None:
    return (
        by_numbers(word)
        or _by_final(word)
        or _by_sector(word)
        or _by_boxes(word, words)
        or _by_class(word, words)
    )


def by_numbers(word: str) -> Spot | None:
    """The spot of a first and a last number, or of all its numbers, in any order (IT-bet-2).

    >>> by_numbers("18/16"), by_numbers("25/26/28/29"), by_numbers("17/22")
    (<street 16/18>, <corner 25/29>, None)
    """
    if not _NUMBERS.fullmatch(word):
        return None
    numbers = [pocket for each in word.split("/") if (pocket := read_pocket(each)) is not None]
    if len(numbers) <= word.count("/"):
        return None
    ordered = sorted(numbers, key=written_order)
    listed = with_numbers(numbers) if len(set(numbers)) == len(numbers) else None
    return listed or SPOTS.get("/".join(map(str, ordered)))


def _by_final(word: str) -> Announced | None:
    spot = by_numbers(word[1:]) if word.startswith("f") else None
    return Announced(f"f{spot.name}") if spot and f"f{spot.name}" in FINALS else None


def _by_sector(word: str) -> Announced | None:
    found = _SECTOR.fullmatch(word)
    if not found or read_pocket(found[1]) is None or int(found[2]) > WIDEST_SECTOR:
        return None
    return Announced(word)


def _by_boxes(word: str, words: Words) -> Spot | None:
    if word.count("+") != 1:
        return None
    return straddle(_by_name(side, words) or _by_class(side, words) for side in word.split("+"))


def straddle(boxes: Iterable[Playable | None]) -> Spot | None:
    """The spot across two boxes, in either order, if they lie side by side.

    >>> straddle((SPOTS["d2"], SPOTS["d1"]))
    <straddle d1+d2>
    """
    names = {box.name for box in boxes if box is not None}
    return next((s for s in _STRADDLES if names == set(s.boxes)), None)


def _by_class(word: str, words: Words) -> Playable | None:
    for kind, start in classes_before(word, words):
        found = _of_class(kind, word[start:], words)
        if found is not None:
            return found
    return None


def classes_before(word: str, words: Words) -> Iterator[tuple[str, int]]:
    """The classes that a word may begin with, each with the position where the rest begins.

    >>> list(classes_before("corner-25/29", Words()))
    [('corner', 7)]
    """
    for dash in _HYPHEN.finditer(word[:_LONGEST]):
        kind = words.get(word[: dash.start()])
        if kind is not None and kind in CLASSES:
            yield kind, dash.end()


def _of_class(kind: str, rest: str, words: Words) -> Playable | None:
    if kind == FINAL:
        return _by_final(f"f{rest}")
    which = SPOTS.get(f"{_LETTERS[kind]}{rest}") if kind in _LETTERS else None
    found = which or _by_name(rest, words) or by_numbers(rest) or _by_boxes(rest, words)
    return found if isinstance(found, Spot) and found.kind == kind else None


def spoken(book: Rulebook, what: Playable) -> str:
    """A spot or an announcement in a house's own words, such as "semipleno 17/20".

    >>> from novamas import rulebooks
    >>> spoken(rulebooks.load("it"), SPOTS["17/20"]), spoken(rulebooks.load("it"), SPOTS["1/3"])
    ('cavallo 17/20', 'tre primi')
    """
    if what.name in book.words:
        return book.word(what.name)
    if isinstance(what, Announced):
        return f"{book.word(FINAL)} {what.name[1:]}" if what.name in FINALS else what.name
    if what.kind.on_numbers:
        return f"{book.word(what.kind)} {what.name}"
    if what.kind is SpotClass.STRADDLE:
        return f"{book.word(what.kind)} {'+'.join(map(book.word, what.boxes))}"
    return what.name
