"""Payment order: the winners of a coup, noted while it is settled, and put in the house's order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple, TypeVar

from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import ChipKind, PayBy
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Stake

Noted = tuple[list[int], list[str], list[Line]]
"""Winners noted side by side: their places on the cloth (a stake that was laid earlier has a
smaller one), their players and their lines. In a large coup each look at a line or a stake waits
for memory, so the order of payment is found in these lists, as indices."""
Paid = dict[tuple[int, bool], Noted]
"""The winners of a coup by the rank of their spots in the house's order, and by whether they lie on
the numbers."""


def note(noted: Noted, place: int, line: Line) -> None:
    """Notes a winner."""
    places, players, lines = noted
    places.append(place)
    players.append(line.stake.player)
    lines.append(line)


class Ordered(NamedTuple):
    """Winners as the house pays them, side by side."""

    lines: list[Line]
    on_numbers: list[str | None]
    """The player of a line on the numbers; None for another. Empty if the house never reduces."""


class _Rank(NamedTuple):
    """The winners of one rank."""

    rank: int
    places: list[int]
    players: list[str]
    on_numbers: Sequence[str | None]
    lines: list[Line]
    order: Sequence[int]
    """The indices of the others in the order of payment."""


_Each = TypeVar("_Each")


def _picked(column: Sequence[_Each], order: Iterable[int]) -> Iterable[_Each]:
    """The parts of a column at these indices."""
    return map(column.__getitem__, order)


def in_order(book: Rulebook, paid: Paid, laid: Sequence[Stake]) -> Ordered:
    """The winners as the house pays them; `laid` are the stakes by their places."""
    by = book.payment.by
    ranks: list[_Rank] = []
    for (rank, on_numbers), noted in sorted(paid.items()):
        there = _as_they_lie(rank, noted, on_numbers=on_numbers)
        if ranks and ranks[-1].rank == rank:
            there = _merged(ranks.pop(), there)
        ranks.append(there)
    # When the order first reaches each player.
    turns: dict[str, int] = {}
    if by is not PayBy.STAKE:
        players = list(chain.from_iterable(_picked(rank.players, rank.order) for rank in ranks))
        turns = dict(zip(dict.fromkeys(players), count()))
    if by in (PayBy.COLOUR, PayBy.SPOOL):
        ranks = [_numbers_by_turn(book, rank, laid, turns) for rank in ranks]
    lines = list(chain.from_iterable(_picked(rank.lines, rank.order) for rank in ranks))
    whose: list[str | None] = []
    if book.reduction is not None:
        whose += chain.from_iterable(_picked(rank.on_numbers, rank.order) for rank in ranks)
    if by is PayBy.PLAYER:
        # All winners of a player together, chances too (ESAM-III.c).
        keys = [turns[player] for player in players]
        order = sorted(range(len(lines)), key=keys.__getitem__)
        lines = list(_picked(lines, order))
        whose = list(_picked(whose, order)) if whose else []
    return Ordered(lines, whose)


def _as_they_lie(rank: int, noted: Noted, *, on_numbers: bool) -> _Rank:
    """Winners in the order of their places."""
    places, players, lines = noted
    order: Sequence[int] = range(len(places))
    if places != sorted(places):
        # Some were settled late.
        order = sorted(order, key=places.__getitem__)
    whose = players if on_numbers else [None] * len(places)
    return _Rank(rank, places, players, whose, lines, order)


def _merged(chances: _Rank, numbers: _Rank) -> _Rank:
    """The winners of one rank in the order of their places, where it has chances and numbers."""
    places = [*chances.places, *numbers.places]
    return _Rank(
        chances.rank,
        places,
        [*chances.players, *numbers.players],
        [*chances.on_numbers, *numbers.on_numbers],
        [*chances.lines, *numbers.lines],
        sorted(range(len(places)), key=places.__getitem__),
    )


def _numbers_by_turn(
    book: Rulebook, rank: _Rank, laid: Sequence[Stake], turns: Mapping[str, int]
) -> _Rank:
    """The winners of one rank: the chances as they lie, then the numbers player by player."""
    if rank.on_numbers.count(None) == len(rank.places):
        return rank
    last = len(turns)
    numbers = zip(rank.places, rank.on_numbers, strict=True)
    if book.payment.by is PayBy.SPOOL:
        # The first reduction lies last in the spool, so of two equal values the later one is paid
        # first.
        keys = [
            0 if player is None else laid[place].chip * last - turns[player]
            for place, player in numbers
        ]
    else:
        value = ChipKind.VALUE if book.payment.value_chips_last else None
        keys = [
            -1 if player is None else last if laid[place].kind is value else turns[player]
            for place, player in numbers
        ]
    return rank._replace(order=sorted(rank.order, key=keys.__getitem__))
