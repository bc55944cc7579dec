"""Reads what a person typed: a house, hands of bets, limits, the values of chips."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from novamas import rulebooks
from novamas.cli.errors import InputError
from novamas.game.limits import Limits, LimitsError, placard
from novamas.game.notation import Hand, NotationError, Words, WordsError, parse_hand
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.game.wheel import Pocket, Wheel, read_pocket


def near(word: str, known: Iterable[str], *, shown: Mapping[str, str] | None = None) -> str:
    """A question that suggests the known words nearest to a mistyped one; or an empty text.

    `shown` gives the proper spelling of each known word.

    >>> near("voisin", ["voisins", "tiers"])
    'did you mean voisins?'
    """
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=3)
    if shown is not None:
        found = list(dict.fromkeys(shown[each] for each in found))
    return f"did you mean {' or '.join(found)}?" if found else ""


def house(name: str) -> Rulebook:
    """The book of a house, by its id or the path of its file."""
    known = name.lower() if name.lower() in rulebooks.HOUSES else name
    if not name.strip():
        listed = ", ".join(rulebooks.houses())
        raise InputError(f"HOUSE: expected {listed}, or the path of a rulebook file, not {name!r}")
    if known not in rulebooks.HOUSES and not name.endswith(".toml") and Path(name).is_file():
        raise InputError(f"{name}: a rulebook file must have a name that ends in .toml")
    try:
        return rulebooks.load_any(known)
    except RulebookError as problem:
        raise InputError(str(problem)) from None


def written(text: str) -> str:
    """A name for a message; an empty one is shown as quotes.

    >>> written("house.db"), written("")
    ('house.db', "''")
    """
    return text or repr(text)


def words_for(book: Rulebook) -> Words:
    """The words for bets: those of all houses, or those of a book from another source."""
    try:
        return rulebooks.words_of(book)
    except WordsError as problem:
        raise InputError(str(problem)) from None


def number(text: str, wheel: Wheel) -> Pocket:
    """A number of the wheel.

    >>> from novamas.game.wheel import AMERICAN
    >>> number("17", AMERICAN), number("00", AMERICAN)
    (17, '00')
    """
    found = read_pocket(text)
    if found is None or found not in wheel:
        hint = f"the wheel has the numbers {wheel.described}"
        raise InputError(f"{text!r} is not on the wheel", hint=hint)
    return found


def hands(texts: Iterable[str], words: Words) -> list[Hand]:
    """The hands of some players; `;` or `|` separates those in one text."""
    found: list[Hand] = []
    for text in texts:
        # A `;` at the end, or two together, is a typing mistake.
        for part in [part for part in re.split(r"[;|]", text) if part.strip()] or [text]:
            try:
                found.append(parse_hand(part.strip(), words))
            except NotationError as mistake:
                hint = "a hand is a player and the player's bets: ana 17:5 14/17:10 red:50"
                raise InputError(str(mistake), hint=hint) from None
    return found


def limits(
    book: Rulebook, text: str | None, *, minimum: str | None, words: Words | None = None
) -> Limits:
    """The placard: from the table's minimum if the house has a list, and the limits in `text`."""
    hanging = Limits({})
    if minimum is not None:
        if not book.limits.multiples_of_minimum:
            problem = f"{book.id} has no list of maxima by the table's minimum"
            hint = 'name its limits instead: --limits "straight:1-100 simple:5-1000"'
            raise InputError(problem, hint=hint)
        hanging = placard(book, whole(minimum, what="--minimum"))
    if text is None:
        return hanging
    named: dict[str, dict[str, int]] = {}
    # A class may have blanks in its name: `fila transversal:5-90`.
    for item in re.findall(r"\S[^:]*(?::\S*)?", text):
        name, bounds = _limit(item.strip(), words)
        named[name] = bounds
    try:
        return hanging.changed(named)
    except LimitsError as problem:
        raise InputError(f"--limits: {problem}") from None


def _limit(item: str, words: Words | None) -> tuple[str, dict[str, int]]:
    found = re.fullmatch(r"([^:]+):([0-9]{0,15})-([0-9]{0,15})", item)
    if not found or not (found[2] or found[3]):
        hint = "write a class with its least and its most: straight:1-100, simple:5-, corner:-400"
        raise InputError(f"--limits: {item!r} is not a limit", hint=hint)
    name = words.get(found[1], found[1]) if words is not None else found[1]
    bounds = {"min": found[2], "max": found[3]}
    return name, {key: int(value) for key, value in bounds.items() if value}


def chips(texts: Sequence[str]) -> tuple[int, dict[str, int]]:
    """What a chip is worth: for all players, and for single ones (`5`, `ana=5`)."""
    everyone = 1
    by_player: dict[str, int] = {}
    for text in texts:
        player, equals, value = text.rpartition("=")
        if not re.fullmatch(r"[0-9]{1,15}", value) or not int(value) or (equals and not player):
            hint = "write --chip 5 for everyone, or --chip ana=5"
            raise InputError(f"--chip: {text!r} is not a chip value", hint=hint)
        if player:
            by_player[player] = int(value)
        else:
            everyone = int(value)
    return everyone, by_player


def whole(text: str, *, least: int = 1, most: int = 10**15, what: str) -> int:
    """A whole number between two bounds, also written 1e6 or 1_000_000.

    >>> whole("5e3", what="--coups")
    5000
    """
    found = re.fullmatch(r"([0-9]{1,20})(?:e([0-9]{1,2}))?", text.lower().replace("_", ""))
    if found and least <= (number := int(found[1] + "0" * int(found[2] or 0))) <= most:
        return number
    raise InputError(f"{what}: expected a whole number from {least} to {most}, not {text!r}")
