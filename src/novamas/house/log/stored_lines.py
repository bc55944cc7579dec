"""The stored form of a settlement's lines: every part has a name.

A part that is 0 or empty is left out, so that the line of a lost stake stays short. In version 1 of
`NumberCalled` and `ChoiceMade` a line was a list with fixed positions; `upgraded` converts such a
payload to the current form, and no other code reads the old one.
"""

from __future__ import annotations

from typing import Any

import msgspec

from novamas.game.cloth import SpotClass
from novamas.game.lines import Line, Part, Reason, Unplayed
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.table.commands import Choice

NAMED = 2
"""The version since which the parts of a line have names."""


class StoredPart(msgspec.Struct, frozen=True):
    """A part of a stake that played at a class of its own."""

    kind: SpotClass
    """The class of spots at which it played."""
    amount: int
    """The size of the part."""
    won: int


class StoredUnplayed(msgspec.Struct, frozen=True):
    """An amount of a stake that did not play."""

    reason: Reason
    """Why it did not play."""
    amount: int
    """How much did not play."""


class StoredLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The result of one stake; a part that is left out is 0 or empty.

    Player, spot and amount are stored too, so that a log can be read without the table's state.
    """

    id: str
    player: str
    on: str
    amount: int
    """The size of the stake."""
    won: int = 0
    returned: int = 0
    lost: int = 0
    held: int = 0
    stays: int = 0
    aside: int = 0
    articles: tuple[str, ...] = ()
    """The articles behind the result."""
    parts: tuple[StoredPart, ...] = ()
    """The parts, where an excess played at other classes."""
    freed: int = 0
    """Of what is returned, the value of chips that a reduction sent to the bank."""
    reduced: int = 0
    """Of the stake, what a reduction put on the winning number."""
    into: str | None = None
    """The id of the stake that a reduction made of it."""
    unplayed: tuple[StoredUnplayed, ...] = ()
    """The amounts that did not play."""


class StoredCall(msgspec.Struct, frozen=True):
    """`NumberCalled` as it is stored."""

    call: str
    """What the croupier says."""
    pocket: Pocket
    """The number that came out."""
    lines: list[StoredLine]
    """The results of the stakes."""


class StoredChoice(msgspec.Struct, frozen=True):
    """`ChoiceMade` as it is stored."""

    id: str
    choice: Choice
    line: StoredLine
    """What became of the stake by the choice."""


def store_line(line: Line) -> StoredLine:
    """Converts a line to its stored form."""
    # A large coup has many lines, and arguments in their order are passed faster than by name. Most
    # lines are lost entirely: nothing else became of their stakes.
    laid, taken = line.stake, line.lost
    if taken == laid.amount and not line.won and not line.parts:
        id, player, on = laid.id, laid.player, laid.spot.name
        return StoredLine(id, player, on, taken, 0, 0, taken, 0, 0, 0, line.articles)
    stake, won, returned, lost, held, stays, aside, articles, parts, freed, reduced, into, rest = (
        line
    )
    return StoredLine(
        stake.id,
        stake.player,
        stake.spot.name,
        stake.amount,
        won,
        returned,
        lost,
        held,
        stays,
        aside,
        articles,
        tuple(StoredPart(*part) for part in parts) if parts else (),
        freed,
        reduced,
        into,
        tuple(StoredUnplayed(*each) for each in rest) if rest else (),
    )


def read_line(stored: StoredLine, stake: Stake | Prisoner) -> Line:
    """Converts a stored line of this stake."""
    parts: tuple[Part, ...] = ()
    unplayed: tuple[Unplayed, ...] = ()
    if stored.parts:
        parts = tuple(Part(each.kind, each.amount, each.won) for each in stored.parts)
    if stored.unplayed:
        unplayed = tuple(Unplayed(each.reason, each.amount) for each in stored.unplayed)
    return Line(
        stake,
        won=stored.won,
        returned=stored.returned,
        lost=stored.lost,
        held=stored.held,
        stays=stored.stays,
        aside=stored.aside,
        articles=stored.articles,
        parts=parts,
        freed=stored.freed,
        reduced=stored.reduced,
        into=stored.into,
        unplayed=unplayed,
    )


# Before the parts had names -----------------------------------------------------------------------

_KINDS = frozenset(kind.value for kind in SpotClass)
"""The names of the parts that played; other parts of an old line name why they did not."""


def named_line(places: list[Any]) -> StoredLine:
    """Converts a line of version 1, whose parts have fixed positions."""
    id, player, on, amount, *moved = places
    won, returned, lost, held, stays, aside, articles, parts, *reduction = moved
    # Only a line that lost chips to a reduction has these parts.
    freed, reduced, into = reduction or (0, 0, None)
    return StoredLine(
        id=id,
        player=player,
        on=on,
        amount=amount,
        won=won,
        returned=returned,
        lost=lost,
        held=held,
        stays=stays,
        aside=aside,
        articles=tuple(articles),
        parts=tuple(StoredPart(SpotClass(name), n, w) for name, n, w in parts if name in _KINDS),
        freed=freed,
        reduced=reduced,
        into=into,
        unplayed=tuple(
            StoredUnplayed(Reason(name), n) for name, n, _ in parts if name not in _KINDS
        ),
    )


def upgraded(type_name: str, version: int, payload: bytes) -> bytes:
    """Converts the payload of an event to the current form."""
    if version >= NAMED or type_name not in ("NumberCalled", "ChoiceMade"):
        return payload
    plain = msgspec.json.decode(payload)
    if type_name == "NumberCalled":
        plain["lines"] = [named_line(each) for each in plain["lines"]]
    else:
        plain["line"] = named_line(plain["line"])
    return msgspec.json.encode(plain)
