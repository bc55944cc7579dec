"""`novamas wheel`: the wheel as it turns, the neighbours of a number, and the table of them all."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from novamas.cli.arguments import house, number, whole
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal, width
from novamas.game.wheel import EUROPEAN, Colour, Pocket, Wheel, colour

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import (
        NeighboursAnswer,
        NeighboursTableAnswer,
        WheelAnswer,
        WheelPocket,
    )

EACH_SIDE = "2"
"""The default number of neighbours."""
WIDE = 4
"""Columns of a pocket."""
HIGH = 5
"""Rows of the ring."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Shows the wheel, the neighbours of a number, or the whole table."""
    wheel = EUROPEAN if args.house is None else house(args.house).wheel.pockets
    if args.neighbours is None and args.each_side is not None:
        hint = "name it: --neighbours 17"
        raise InputError("--each-side: needs the number", hint=hint)
    if args.neighbours is not None and args.table:
        problem = "--table has the neighbours of all numbers, --neighbours of one"
        raise InputError(problem, hint="leave one of them out")
    if args.neighbours is not None:
        return _neighbours(args, wheel, terminal)
    if args.table:
        return _table(terminal, wheel, as_json=args.json, language=args.lang)
    if args.json:
        pockets: list[WheelPocket] = [
            {"number": each, "colour": colour(each).value} for each in wheel.order
        ]
        sectors = {name: [list(arc) for arc in arcs] for name, arcs in wheel.sectors.items()}
        whole_wheel: WheelAnswer = {"pockets": pockets, "sectors": sectors}
        terminal.data(whole_wheel)
        return 0
    for line in ring(terminal, wheel):
        terminal.say(terminal.fit(line, drawn=True))
    if wheel.sectors:
        terminal.say()
    for name, arcs in wheel.sectors.items():
        numbers = " / ".join(" ".join(map(str, arc)) for arc in arcs)
        terminal.tell(numbers, indent=" " * 11, first=f"{name:<11}")
    return 0


def painted(terminal: Terminal, pocket: Pocket, text: str | None = None) -> str:
    """A number on the colour of its pocket."""
    shown = str(pocket) if text is None else text
    return terminal.paint(shown, f"on_{colour(pocket)}")


def ring(
    terminal: Terminal,
    wheel: Wheel,
    *,
    wide: int = WIDE,
    high: int = HIGH,
    middle: Sequence[str] = (),
    ball: Pocket | None = None,
) -> list[str]:
    """The pockets as a racetrack, zero in the middle of the top row, clockwise.

    `middle` stands inside it, line by line, and the pocket under the ball is marked.

    >>> import io
    >>> plain = Terminal(io.StringIO(), colour=False, columns=80)
    >>> print(ring(plain, EUROPEAN)[0].strip())
    ◇29  ◆7 ◇28 ◆12 ◇35  ◆3 ◇26   0 ◆32 ◇15 ◆19  ◇4 ◆21  ◇2 ◆25
    """
    rows: list[list[tuple[int, Pocket]]] = [[] for _ in range(high)]
    for pocket, (column, row) in zip(wheel.order, _places(len(wheel), wide, high), strict=True):
        rows[row].append((column, pocket))
    lines = []
    for row, placed in enumerate(rows):
        line, at = "", 0
        for column, pocket in sorted(placed, key=lambda each: each[0]):
            gap = " " * (column - at)
            if at and 0 < row <= len(middle):
                shown = middle[row - 1]
                before = max(0, (len(gap) - width(shown)) // 2)
                gap = " " * before + shown + " " * (len(gap) - width(shown) - before)
            line += gap + _pocket(terminal, pocket, wide, under_ball=pocket == ball)
            at = column + wide
        lines.append(line.rstrip())
    return lines


def _pocket(terminal: Terminal, pocket: Pocket, wide: int, *, under_ball: bool) -> str:
    if under_ball:
        return terminal.paint(f"▸{pocket}".rjust(3).ljust(wide), "ball")
    if terminal.colour:
        return painted(terminal, pocket, f"{pocket:>3}".ljust(wide))
    mark = {Colour.RED: "◆", Colour.BLACK: "◇"}.get(colour(pocket), "")
    return f"{mark + str(pocket):>3}".ljust(wide)


def _places(pockets: int, wide: int, high: int) -> list[tuple[int, int]]:
    """The column and the row of each pocket, from zero on: along the top, down, back and up."""
    side = high - 2
    # Zero stands in the middle of the top row, which is no longer than the bottom row.
    half = ((pockets - 2 * side) // 2 - 1) // 2
    above = 2 * half + 1
    below = pockets - 2 * side - above
    left, right = 0, wide * (below + 1)
    start = wide + wide * (below - above) // 2
    top = [(start + wide * place, 0) for place in range(above)]
    down = [(right, 1 + row) for row in range(side)]
    back = [(wide * (below - place), high - 1) for place in range(below)]
    up = [(left, side - row) for row in range(side)]
    return [*top[half:], *down, *back, *up, *top[:half]]


def _neighbours(args: Namespace, wheel: Wheel, terminal: Terminal) -> int:
    middle = number(args.neighbours, wheel)
    text = EACH_SIDE if args.each_side is None else args.each_side
    each_side = whole(text, most=wheel.widest, what="--each-side")
    found = wheel.neighbours(middle, each_side)
    if args.json:
        data: NeighboursAnswer = {
            "number": middle,
            "each_side": each_side,
            "neighbours": list(found),
        }
        terminal.data(data)
    else:
        terminal.say(" ".join(painted(terminal, each) for each in found))
    return 0


def _table(terminal: Terminal, wheel: Wheel, *, as_json: bool, language: str) -> int:
    rows = dict(zip(wheel.pockets, wheel.neighbours_table(), strict=True))
    if as_json:
        data: NeighboursTableAnswer = {
            "rows": [
                {
                    "row": pocket,
                    "sorted": list(in_order),
                    "by_position": list(by_position),
                    "by_number": list(by_number),
                }
                for pocket, (in_order, by_position, by_number) in rows.items()
            ]
        }
        terminal.data(data)
        return 0
    shown = [["", *(said(language, name) for name in ("sorted", "by_place", "by_number"))]]
    shown += [
        [str(pocket), *("-".join(map(str, block)) for block in blocks)]
        for pocket, blocks in rows.items()
    ]
    terminal.table(shown, "rlll", head=True)
    return 0
