"""The cloth in a terminal: drawn with lines of text, zero to the left, in eighty columns.

Below the cloth a list names the owners of the stakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from novamas.drawing.lettering import clean, columns, short_amount
from novamas.drawing.piles import Pile, by_place, check, holding, place_name
from novamas.drawing.text_grid import DISC, LYING, PAINT, Grid
from novamas.game import wheel
from novamas.game.cloth import spot
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket

WIDTH: Final = LYING.width
RESET: Final = "\x1b[0m"


def cloth_text(
    book: Rulebook,
    piles: Iterable[Pile] = (),
    *,
    dolly: Pocket | None = None,
    prison: Iterable[Pile] = (),
    colour: bool = False,
) -> str:
    """A house's cloth with its stakes as text of at most eighty columns."""
    piles, prison = tuple(piles), tuple(prison)
    check((*piles, *prison), dolly=dolly, wheel=book.wheel.pockets)
    grid = Grid(book)
    for pile in prison:
        grid.layout.prison_line(spot(pile.spot.name))
    rows = grid.cells(piles, dolly=dolly)
    listed = _list(book, by_place(piles), prison, dolly=dolly)
    return "\n".join([*(_line(row, colour=colour) for row in rows), *listed]) + "\n"


def _line(cells: Iterable[tuple[str, str]], *, colour: bool) -> str:
    line = last = ""
    for character, paint in cells:
        if colour and paint != last:
            line += (RESET if last else "") + PAINT.get(paint, "")
            last = paint
        line += character
    return (line + (RESET if colour and last else "")).rstrip()


def _list(
    book: Rulebook,
    placed: Mapping[str, list[Pile]],
    prison: tuple[Pile, ...],
    *,
    dolly: Pocket | None,
) -> Iterator[str]:
    """The list below the cloth: the winning number, and who has how much on each place."""
    if dolly is not None:
        coloured = "" if wheel.is_zero(dolly) else book.word(wheel.colour(dolly))
        yield f"[{dolly}] {coloured}".rstrip()
    for here in placed.values():
        yield from _entry(place_name(book, here[0].spot), here)
    for here in by_place(prison).values():
        yield from _entry(f"en prison: {place_name(book, here[0].spot)}", here)


def _entry(name: str, here: list[Pile]) -> Iterator[str]:
    total = sum(pile.amount for pile in here)
    summed = str(total) if total < 10**8 else short_amount(total, longest=8)
    start = f"{DISC} {name[:28]:<28} {summed:>8}  "
    line = start
    for place, pile in enumerate(here):
        label = _pile_label(pile, room=WIDTH - columns(start) - 1)
        label += ", " if place + 1 < len(here) else ""
        if line != start and columns(line + label.rstrip()) > WIDTH:
            yield line.rstrip()
            line = " " * columns(start)
        line += label
    yield line.rstrip()


def _pile_label(pile: Pile, *, room: int) -> str:
    """A player and an amount; the name is cut to fit the line."""
    amount = holding(pile)
    if columns(amount) > room // 2:
        amount = str(pile.amount)
    name = clean(pile.player)
    while name and columns(f"{name} {amount}") > room:
        name = name[:-2] + "…" if len(name) > 1 else ""
    return f"{name} {amount}"
