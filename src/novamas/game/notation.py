"""The notation: one line of text for a spot, an announcement, a bet, a hand or a whole coup.

A spot is written as the croupier names it, first and last number, lower first: `17`, `17/20`,
`16/18`, `25/29`, `13/18`, `d1`, `c2`, `red`, `d1+d2`. An announcement is `voisins`, the sector
`17~2` or the final `f4/7`. With an amount it is a bet, `17:5`; bets after a player's name are a
hand; and a coup is the house, the number that came out (`-` before it has), and the hands:

    ar 17 | ana 17:5 14/17:10 red:50 | luis 17/20:4

Output is always in that form. Input may also use any house's words, with hyphens or blanks between
them (`tre-primi:5`, `tre primi:5`), with or without accents and capitals, and with a class before
its numbers (`cavallo-17/20`). This module does not check whether a house offers a bet.

A player's name begins with a letter, so that it cannot be a number, and continues with letters,
digits, `-`, `_` and `.`; it is case-sensitive.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from novamas.game.arguments import shown
from novamas.game.cloth import EUROPEAN, SPOTS, Spot, SpotClass
from novamas.game.errors import NovamasError, UsageError, has_type
from novamas.game.house_words import (
    CLASSES,
    FINAL,
    FINALS,
    WIDEST_SECTOR,
    Announced,
    Playable,
    Words,
    WordsError,
    by_numbers,
    classes_before,
    read,
    spoken,
)
from novamas.game.wheel import Pocket, is_pocket_of_any_wheel, read_pocket, written_order

__all__ = [
    "LARGEST_AMOUNT",
    "Announced",
    "Bet",
    "Coup",
    "Hand",
    "NotationError",
    "Playable",
    "Words",
    "WordsError",
    "format_bets",
    "format_coup",
    "format_hand",
    "name_of",
    "parse_bets",
    "parse_call",
    "parse_coup",
    "parse_hand",
    "parse_spot",
    "player_name",
    "spoken",
]

LARGEST_AMOUNT: Final = 10**15
"""The largest amount that can be written; a larger one is taken for a typing mistake."""

_PLAIN: Final = Words()
_HOUSE: Final = re.compile(r"[a-z0-9]+")
_WINDOW: Final = 76
"""How much of a long text an error shows."""

_A_SPOT: Final = "a spot such as `17/20`, `d1` or `red`"
_A_CALL: Final = "an announcement such as `voisins`, `17~2` or `f4`"
_A_NUMBER: Final = "a number from 0 to 36, or 00"
_NUMBER_OUT: Final = f"{_A_NUMBER}, or `-` before it is out"
_AN_AMOUNT: Final = "a whole amount in digits, such as `17:5`"
_A_NAME: Final = "a player's name: a letter, then letters, digits, `-`, `_` or `.`"


class NotationError(NovamasError, ValueError):
    """A text that is not in the notation: where it goes wrong, and what was expected there.

    >>> import novamas as nv
    >>> try:
    ...     nv.parse("17:5 rad:10")
    ... except nv.NotationError as error:
    ...     print(error.position, error.near)
    5 red
    """

    def __init__(
        self, text: str, position: int, *, expected: str, problem: str = "", near: str = ""
    ) -> None:
        self.text = text
        self.position = position
        self.expected = expected
        self.problem = problem
        self.near = near
        message = f"{problem}: expected {expected}" if problem else f"expected {expected}"
        asked = f"; did you mean `{near}`?" if near else ""
        super().__init__(f"{_pointed_at(text, position)}\n{message}{asked}")


def _pointed_at(text: str, position: int) -> str:
    """The text on one line, and under it a caret at the position."""
    start = max(0, position - _WINDOW * 2 // 3) if len(text) > _WINDOW else 0
    shown = text[start : start + _WINDOW]
    # A character that a terminal cannot show still takes one place.
    line = "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in shown)
    before, after = ("…" if start else ""), ("…" if start + _WINDOW < len(text) else "")
    column = sum(map(_width, before + line[: position - start]))
    return f"{before}{line}{after}\n{' ' * column}^"


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


@dataclass(frozen=True, slots=True, repr=False)
class Bet:
    """An amount on a spot or on an announcement.

    >>> import novamas as nv
    >>> (bet,) = nv.parse("17/20:4")
    >>> bet, bet.what, bet.amount
    (<Bet 17/20:4>, <split 17/20>, 4)
    """

    what: Playable
    amount: int

    def __post_init__(self) -> None:
        if not has_type(self.what, Spot, Announced):
            raise UsageError(f"what: expected a spot or an announcement, not {shown(self.what)}")
        if type(self.amount) is not int or not 0 < self.amount <= LARGEST_AMOUNT:
            expected = f"expected an amount from 1 to {LARGEST_AMOUNT}"
            raise UsageError(f"amount: {expected}, not {shown(self.amount)}")

    def __repr__(self) -> str:
        return f"<Bet {self.what.name}:{self.amount}>"


@dataclass(frozen=True, slots=True)
class Hand:
    """All the bets of one player in a coup."""

    player: str
    bets: tuple[Bet, ...]

    def __post_init__(self) -> None:
        player = player_name(self.player)
        if not self.bets:
            raise UsageError(f"{self.player} has no bets")
        object.__setattr__(self, "player", player)


@dataclass(frozen=True, slots=True)
class Coup:
    """A coup: the house, the number that came out (`None`: not yet), and the hands."""

    house: str
    number: Pocket | None
    hands: tuple[Hand, ...]

    def __post_init__(self) -> None:
        if not _HOUSE.fullmatch(self.house):
            raise UsageError(f"{self.house!r} is no id of a house")
        if self.number is not None and not is_pocket_of_any_wheel(self.number):
            raise UsageError(f"{self.number!r} is no number of the wheel")


def player_name(name: str) -> str:
    """Normalises a player's name, so that one name is one player however its accents were typed.

    >>> player_name("Ana-2")
    'Ana-2'
    """
    if not has_type(name, str) or _misfit(name) is not None:
        raise UsageError(f"expected {_A_NAME}, not {shown(name)}")
    return unicodedata.normalize("NFC", name)


def _misfit(name: str) -> int | None:
    """The position of the first character that a player's name cannot have there, if any."""
    for place, character in enumerate(name):
        fits = character.isalpha() or (
            place > 0
            and (
                character.isdecimal()
                or character in "-_."
                or unicodedata.category(character).startswith("M")
            )
        )
        if not fits:
            return place
    return None if name else 0


class _Token(NamedTuple):
    """A part of a text with its position, so that an error can point at it."""

    text: str
    start: int
    raw: str

    def part(self, start: int, end: int | None = None) -> _Token:
        return _Token(self.text, self.start + start, self.raw[start:end])

    def words(self) -> list[_Token]:
        """The parts between blanks."""
        return [self.part(*found.span()) for found in re.finditer(r"\S+", self.raw)]

    def split(self, mark: str) -> list[_Token]:
        """The parts between occurrences of a mark."""
        return [
            self.part(*found.span())
            for found in re.finditer(rf"(?<![^{mark}])[^{mark}]*", self.raw)
        ]

    def fault(
        self, place: int = 0, *, expected: str, problem: str = "", near: str = ""
    ) -> NotationError:
        position = self.start + place
        return NotationError(self.text, position, expected=expected, problem=problem, near=near)


def parse_spot(text: str, words: Words | None = None) -> Spot:
    """The spot that a text names.

    >>> parse_spot("20/17"), parse_spot("25/26/28/29"), parse_spot("D2+D1")
    (<split 17/20>, <corner 25/29>, <straddle d1+d2>)
    """
    token = _whole(text)
    found = _played(token, _known(words), expected=_A_SPOT)
    if isinstance(found, Announced):
        raise token.fault(expected=_A_SPOT, problem=f"{found.name} is an announcement")
    return found


def parse_call(text: str, words: Words | None = None) -> Announced:
    """The announcement that a text names.

    >>> parse_call("f7/4").name, parse_call("17~2").name
    ('f4/7', '17~2')
    """
    token = _whole(text)
    found = _played(token, _known(words), expected=_A_CALL)
    if isinstance(found, Spot):
        raise token.fault(expected=_A_CALL, problem=f"{found.name} is a spot")
    return found


def parse_bets(text: str, words: Words | None = None) -> tuple[Bet, ...]:
    """The bets of a text, in its order; a blank text has none.

    >>> format_bets(parse_bets("17:5 17/14:10 RED:50 voisins:9 corner 25/29:2"))
    '17:5 14/17:10 red:50 voisins:9 25/29:2'
    """
    return tuple(_bets(_Token(text, 0, text).words(), _known(words)))


def parse_hand(text: str, words: Words | None = None) -> Hand:
    """A player and their bets.

    >>> parse_hand("ana 17:5").player
    'ana'
    """
    return _hand(_Token(text, 0, text), _known(words))


def parse_coup(text: str, words: Words | None = None) -> Coup:
    """A coup on one line.

    >>> coup = parse_coup("ar 17 | ana 17:5 red:50 | luis 17/20:4")
    >>> coup.house, coup.number, [hand.player for hand in coup.hands]
    ('ar', 17, ['ana', 'luis'])
    """
    head, *hands = _Token(text, 0, text).split("|")
    said = head.words()
    if not said or not _HOUSE.fullmatch(said[0].raw.lower()):
        raise (said or [head])[0].fault(expected="the id of a house, such as `ar`")
    if len(said) == 1:
        raise said[0].fault(len(said[0].raw), expected=_NUMBER_OUT)
    if len(said) > 2:
        raise said[2].fault(expected="`|` and a player's hand")
    number = None if said[1].raw == "-" else _number(said[1])
    return Coup(said[0].raw.lower(), number, tuple(_hand(hand, _known(words)) for hand in hands))


def name_of(what: Playable) -> str:
    """The name of a spot or an announcement in the notation.

    >>> name_of(parse_spot("18/17/16"))
    '16/18'
    """
    return what.name


def format_bets(bets: Iterable[Bet]) -> str:
    """Bets as text.

    >>> format_bets([Bet(SPOTS["17/20"], 4), Bet(Announced("voisins"), 9)])
    '17/20:4 voisins:9'
    """
    return " ".join(f"{bet.what.name}:{bet.amount}" for bet in bets)


def format_hand(hand: Hand) -> str:
    """A hand as text.

    >>> format_hand(Hand("ana", (Bet(SPOTS["red"], 50),)))
    'ana red:50'
    """
    return f"{hand.player} {format_bets(hand.bets)}"


def format_coup(coup: Coup) -> str:
    """A coup on one line.

    >>> format_coup(Coup("ar", None, (Hand("ana", (Bet(SPOTS["red"], 50),)),)))
    'ar - | ana red:50'
    """
    number = "-" if coup.number is None else coup.number
    return " | ".join((f"{coup.house} {number}", *map(format_hand, coup.hands)))


def _known(words: Words | None) -> Words:
    return _PLAIN if words is None else words


def _whole(text: str) -> _Token:
    return _Token(text, len(text) - len(text.lstrip()), text.strip())


def _hand(part: _Token, words: Words) -> Hand:
    said = part.words()
    if not said:
        raise part.fault(len(part.raw), expected=_A_NAME)
    misfit = _misfit(said[0].raw)
    if misfit is not None:
        # A bet where the name should be means that the name is missing.
        raise said[0].fault(0 if ":" in said[0].raw else misfit, expected=_A_NAME)
    if len(said) == 1:
        raise said[0].fault(len(said[0].raw), expected="a bet such as `17:5`")
    return Hand(said[0].raw, tuple(_bets(said[1:], words)))


def _bets(tokens: Iterable[_Token], words: Words) -> Iterator[Bet]:
    for token in _joined(tokens, words):
        name, colon, _ = token.raw.partition(":")
        what = _played(token.part(0, len(name)), words, expected=f"{_A_SPOT}, or {_A_CALL}")
        if not colon:
            raise token.fault(len(name), expected=f"`:` and {_AN_AMOUNT}")
        yield Bet(what, _amount(token.part(len(name) + 1)))


def _joined(tokens: Iterable[_Token], words: Words) -> Iterator[_Token]:
    """The bets of a text; joins words where a name has blanks: `vicini dello zero:9`."""
    waiting: list[_Token] = []
    for token in tokens:
        waiting.append(token)
        first = waiting[0]
        if ":" not in token.raw and first.raw[0].isalpha():
            continue
        end = token.start + len(token.raw)
        whole = _Token(token.text, first.start, token.text[first.start : end])
        has_blanks = len(waiting) > 1 and read(whole.raw.partition(":")[0], words) is not None
        yield from [whole] if has_blanks else waiting
        waiting = []
    yield from waiting


def _amount(token: _Token) -> int:
    misfit = re.search(r"[^0-9]", token.raw)
    if misfit or not token.raw:
        raise token.fault(misfit.start() if misfit else 0, expected=_AN_AMOUNT)
    if token.raw.startswith("0"):
        problem = "an amount begins with a digit from 1 to 9"
        raise token.fault(expected=_AN_AMOUNT, problem=problem)
    # The digits are counted first, because a very long number is slow to parse.
    if len(token.raw) > len(str(LARGEST_AMOUNT)) or int(token.raw) > LARGEST_AMOUNT:
        raise token.fault(expected=f"at most {LARGEST_AMOUNT}", problem="too much")
    return int(token.raw)


def _number(token: _Token) -> Pocket:
    pocket = read_pocket(token.raw)
    if pocket is None:
        raise token.fault(expected=_NUMBER_OUT)
    return pocket


def _played(token: _Token, words: Words, *, expected: str) -> Playable:
    found = read(token.raw, words)
    if found is None:
        raise _mistake(token, words, expected=expected)
    return found


# The functions below find out what is wrong with a text that means nothing.


def _mistake(token: _Token, words: Words, *, expected: str) -> NotationError:
    if re.fullmatch(r"[0-9/]+", token.raw):
        return _numbers_mistake(token)
    if "~" in token.raw:
        return _sector_mistake(token)
    if re.fullmatch(r"[fF][0-9][0-9/]*", token.raw):
        return _final_mistake(token.part(1))
    before = list(classes_before(token.raw, words))
    if "+" in token.raw:
        skipped = (start for kind, start in before if kind == SpotClass.STRADDLE)
        return _boxes_mistake(token.part(next(skipped, 0)), words)
    for kind, start in before:
        return _class_mistake(token.part(start), kind, said=token.raw[: start - 1])
    kind = words.get(token.raw, "")
    if kind in CLASSES:
        return _class_mistake(token.part(len(token.raw)), kind, said=token.raw)
    of = {_A_CALL: Announced, _A_SPOT: Spot}.get(expected)
    return token.fault(expected=expected, near=words.near(token.raw, of))


def _numbers_mistake(token: _Token, kind: SpotClass | None = None) -> NotationError:
    """What is wrong with numbers that make no spot, or none of the class that was said."""
    parts = token.split("/")
    for place, part in enumerate(parts):
        if by_numbers(part.raw) is None:
            return part.fault(expected=_A_NUMBER)
        if part.raw in (earlier.raw for earlier in parts[:place]):
            return part.fault(expected="another number", problem=f"{part.raw} stands twice")
    expected = _spots_at(parts[0].raw, kind)
    found = by_numbers(token.raw)
    if len(parts) == 2 and kind in (None, SpotClass.SPLIT):
        problem = f"{parts[0].raw} and {parts[1].raw} do not touch"
        return parts[1].fault(expected=expected, problem=problem)
    if found is not None:
        return token.fault(expected=expected, problem=f"{found.name} is a {found.kind}")
    return token.fault(expected=expected, problem=f"these numbers make no {kind or 'spot'}")


def _spots_at(number: str, kind: SpotClass | None) -> str:
    """The spots of a class that hold a number; without a class, those that can be named by it."""
    pocket = read_pocket(number)
    spots = EUROPEAN.spots if number in EUROPEAN.spots else SPOTS
    wanted = kind or SpotClass.SPLIT
    held = [s for s in spots.values() if s.kind is wanted and pocket in s.numbers]
    if kind is None:
        starting = (s for s in spots.values() if s.name.startswith(f"{number}/"))
        held = list(dict.fromkeys((*held, *starting)))
    held.sort(key=_by_ends)
    return _either(spot.name for spot in held) or f"another number: no {kind} holds {number}"


def _by_ends(spot: Spot) -> tuple[tuple[bool, int], tuple[bool, int]]:
    """A key that sorts spots by their first and last numbers."""
    ordered = sorted(map(written_order, spot.numbers))
    return ordered[0], ordered[-1]


def _class_mistake(rest: _Token, kind: str, *, said: str) -> NotationError:
    """What is wrong with what follows the word for a class."""
    if kind == FINAL:
        return _final_mistake(rest)
    meant = SpotClass(kind)
    spots = [spot for spot in SPOTS.values() if spot.kind is meant]
    if not meant.on_numbers:
        return rest.fault(expected=_either(spot.name for spot in spots))
    if re.fullmatch(r"[0-9/]+", rest.raw):
        return _numbers_mistake(rest, meant)
    # Every cloth has the whole numbers; another zero stands for a class that is only played there.
    plain = [spot for spot in spots if all(isinstance(number, int) for number in spot.numbers)]
    return rest.fault(expected=f"its numbers, such as `{said}-{(plain or spots)[-1].name}`")


def _boxes_mistake(token: _Token, words: Words) -> NotationError:
    """What is wrong with two boxes that no chip can lie across."""
    sides = token.split("+")
    if len(sides) > 2:
        return sides[2].fault(-1, expected="two boxes, such as `d1+d2`")
    found = [read(side.raw, words) for side in sides]
    straddles = EUROPEAN.of_class(SpotClass.STRADDLE)
    for side, box in zip(sides, found, strict=True):
        if not isinstance(box, Spot) or box.kind.on_numbers or box.kind is SpotClass.STRADDLE:
            expected = "a dozen, a column or a simple chance"
            return side.fault(expected=expected, near="" if box else words.near(side.raw))
    names = [box.name for box in found if box is not None]
    problem = f"{' and '.join(names)} do not lie side by side"
    offered = [spot.name for spot in straddles if set(names) & set(spot.boxes)]
    return token.fault(expected=_either(offered or (s.name for s in straddles)), problem=problem)


def _sector_mistake(token: _Token) -> NotationError:
    number, neighbours = token.split("~")[:2]
    spot = by_numbers(number.raw)
    if spot is None or spot.kind is not SpotClass.STRAIGHT:
        return number.fault(expected=_A_NUMBER)
    return neighbours.fault(expected=f"how many neighbours on each side, 1 to {WIDEST_SECTOR}")


def _final_mistake(rest: _Token) -> NotationError:
    first = rest.raw.partition("/")[0]
    finals = [name for name in FINALS if name[1:] == first or name.startswith(f"f{first}/")]
    known = _either(finals) or "a last digit, or two that touch: `f4`, `f8/9` or `f4/7`"
    return rest.fault(expected=known)


def _either(names: Iterable[str]) -> str:
    """Joins one, two or three names as a person would list them."""
    *others, last = ("", *names)
    return " or ".join(filter(None, (", ".join(filter(None, others)), last)))
