"""Announcements: what a call plays, what it costs, and how a winning one is played again.

>>> from novamas.rulebooks import load
>>> [spot.name for spot in call_of(load("it"), "f8/9").pieces]
['8/9', '18', '19', '28/29']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from novamas.game.cloth import SPOTS, Spot
from novamas.game.lines import cited
from novamas.game.rulebook.behaviours import Replay
from novamas.game.rulebook.model import Call, Rulebook
from novamas.game.wheel import Pocket, read_pocket


def call_of(book: Rulebook, name: str) -> Call | None:
    """The announcement of that name, or None if the house does not take it.

    A sector is named by its middle number and its neighbours on each side: `17~2`.
    """
    found = book.announcements.calls.get(name)
    if found is not None:
        return found
    middle, tilde, sides = name.partition("~")
    wheel, pocket = book.wheel.pockets, read_pocket(middle)
    if not tilde or sides != str(book.announcements.neighbours):
        return None
    if pocket is None or pocket not in wheel:
        return None
    numbers = wheel.neighbours(pocket, each_side=int(sides))
    return Call(
        name=name,
        pieces=tuple(SPOTS[str(number)] for number in numbers),
        to_place=False,
        all_times=None,
        cites=book.announcements.cites.sector,
        piece_cites={},
    )


def names(book: Rulebook) -> tuple[str, ...]:
    """The names of all announcements of the house, its sectors included."""
    sides = book.announcements.neighbours
    pockets = () if sides is None else book.wheel.pockets
    sectors = (f"{pocket}~{sides}" for pocket in pockets)
    return (*book.announcements.calls, *sectors)


def laid(call: Call, amount: int) -> tuple[tuple[Spot, int], ...] | None:
    """The spots of the call with the amount on each, or None if the amount does not divide evenly.

    >>> from novamas.rulebooks import load
    >>> [(spot.name, amount) for spot, amount in laid(call_of(load("it"), "tiers"), 12)]
    [('5/8', 2), ('10/11', 2), ('13/16', 2), ('23/24', 2), ('27/30', 2), ('33/36', 2)]
    """
    piece, rest = divmod(amount, len(call.pieces))
    if rest or piece < 1:
        return None
    on: dict[Spot, int] = {}
    for spot in call.pieces:
        on[spot] = on.get(spot, 0) + piece
    return tuple(on.items())


class Replayed(NamedTuple):
    """How an announcement that won is played again."""

    amount: int
    """The total amount of the new announcement."""
    winners_stay: bool
    """Whether the winning pieces stay where they won, besides the new announcement."""
    articles: tuple[str, ...]


def replay(book: Rulebook, call: Call, amount: int, mode: Replay) -> Replayed | None:
    """What a replay puts into play, or None where the house does not offer it for this call.

    `rifare` lays the same pieces again and leaves the winning piece. `completare` counts the
    winning piece as part of the new announcement. `per_il_tutto` plays the winnings and the stake:
    the announcement a fixed number of times.
    """
    rules = book.announcements
    if mode not in rules.replays:
        return None
    times = 1
    if mode is Replay.PER_IL_TUTTO:
        if call.all_times is None:
            return None
        times = call.all_times
    articles = (*rules.cites.replays, *rules.cites.of_replay[mode])
    return Replayed(amount * times, mode is Replay.RIFARE, articles)


def price(pieces: Sequence[Spot], unit: int) -> int:
    """What an announcement costs with one unit on each piece."""
    return len(pieces) * unit


def call_cites(book: Rulebook, name: str, spot: Spot, pocket: Pocket) -> tuple[str, ...]:
    """The articles behind a piece of an announcement.

    They are those of the call, of the piece, and of the winning number where the house has an
    article about it (BG-25).
    """
    key = ("call", name, spot, pocket)
    if key not in book.derived:
        call = call_of(book, name)
        found: tuple[str, ...] = ()
        if call is not None:
            of_pieces = call.piece_cites
            piece = of_pieces.get(spot.name, of_pieces.get("*", ()))
            hit = of_pieces.get(f"number {pocket}", ()) if pocket in spot.numbers else ()
            found = cited(call.cites, piece, hit)
        book.derived[key] = found
    cites: tuple[str, ...] = book.derived[key]  # type: ignore[assignment]
    return cites
