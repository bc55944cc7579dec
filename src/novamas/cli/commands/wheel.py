"""`novamas wheel`: the wheel as it turns, the neighbours of a number, and the table of them all."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from novamas.cli.arguments import number, whole
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal
from novamas.game import wheel

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import (
        NeighboursAnswer,
        NeighboursTableAnswer,
        Pocket,
        WheelAnswer,
    )

EACH_SIDE = "2"
"""The default number of neighbours."""
WIDE = 4
"""Columns of a pocket."""
HIGH = 5
"""Rows of the ring."""
TOP = 15
"""Pockets in its top row, zero in the middle; the bottom row has one more."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Shows the wheel, the neighbours of a number, or the whole table."""
    if args.neighbours is None and args.each_side is not None:
        hint = "name it: --neighbours 17"
        raise InputError("--each-side: needs the number", hint=hint)
    if args.neighbours is not None and args.table:
        problem = "--table has the neighbours of all numbers, --neighbours of one"
        raise InputError(problem, hint="leave one of them out")
    if args.neighbours is not None:
        return _neighbours(args, terminal)
    if args.table:
        return _table(terminal, as_json=args.json, language=args.lang)
    if args.json:
        pockets: list[Pocket] = [
            {"number": each, "colour": wheel.colour(each).value} for each in wheel.ORDER
        ]
        sectors = {name: [list(arc) for arc in arcs] for name, arcs in wheel.SECTORS.items()}
        whole_wheel: WheelAnswer = {"pockets": pockets, "sectors": sectors}
        terminal.data(whole_wheel)
        return 0
    for line in ring(terminal):
        terminal.say(terminal.fit(line, drawn=True))
    terminal.say()
    for name, arcs in wheel.SECTORS.items():
        numbers = " / ".join(" ".join(map(str, arc)) for arc in arcs)
        terminal.tell(numbers, indent=" " * 11, first=f"{name:<11}")
    return 0


def painted(terminal: Terminal, pocket: int, text: str | None = None) -> str:
    """A number on the colour of its pocket."""
    shown = str(pocket) if text is None else text
    return terminal.paint(shown, f"on_{wheel.colour(pocket)}")


def ring(terminal: Terminal) -> list[str]:
    """The pockets as a racetrack, zero in the middle of the top row, clockwise.

    >>> import io
    >>> plain = Terminal(io.StringIO(), colour=False, columns=80)
    >>> print(ring(plain)[0].strip())
    ◇29  ◆7 ◇28 ◆12 ◇35  ◆3 ◇26   0 ◆32 ◇15 ◆19  ◇4 ◆21  ◇2 ◆25
    """
    rows: list[list[tuple[int, int]]] = [[] for _ in range(HIGH)]
    for pocket, (column, row) in zip(wheel.ORDER, _places(), strict=True):
        rows[row].append((column, pocket))
    lines = []
    for placed in rows:
        line, at = "", 0
        for column, pocket in sorted(placed):
            line += " " * (column - at) + _pocket(terminal, pocket)
            at = column + WIDE
        lines.append(line.rstrip())
    return lines


def _pocket(terminal: Terminal, pocket: int) -> str:
    if terminal.colour:
        return painted(terminal, pocket, f" {pocket:>2} ")
    mark = {wheel.Colour.RED: "◆", wheel.Colour.BLACK: "◇"}.get(wheel.colour(pocket), " ")
    return f"{mark + str(pocket):>3} "


def _places() -> list[tuple[int, int]]:
    """The column and the row of each pocket, from zero on: along the top, down, back and up."""
    half, below, side = TOP // 2, wheel.POCKETS - TOP - 2 * (HIGH - 2), HIGH - 2
    left, right = 0, WIDE * (below + 1)
    top = [(WIDE + WIDE // 2 + WIDE * place, 0) for place in range(TOP)]
    down = [(right, 1 + row) for row in range(side)]
    back = [(WIDE * (below - place), HIGH - 1) for place in range(below)]
    up = [(left, side - row) for row in range(side)]
    return [*top[half:], *down, *back, *up, *top[:half]]


def _neighbours(args: Namespace, terminal: Terminal) -> int:
    middle = number(args.neighbours)
    text = EACH_SIDE if args.each_side is None else args.each_side
    each_side = whole(text, most=wheel.POCKETS // 2, what="--each-side")
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


def _table(terminal: Terminal, *, as_json: bool, language: str) -> int:
    rows = wheel.neighbours_table()
    if as_json:
        data: NeighboursTableAnswer = {
            "rows": [
                {
                    "row": row,
                    "sorted": list(in_order),
                    "by_position": list(by_position),
                    "by_number": list(by_number),
                }
                for row, (in_order, by_position, by_number) in enumerate(rows)
            ]
        }
        terminal.data(data)
        return 0
    shown = [["", *(said(language, name) for name in ("sorted", "by_place", "by_number"))]]
    shown += [
        [str(row), *("-".join(map(str, block)) for block in blocks)]
        for row, blocks in enumerate(rows)
    ]
    terminal.table(shown, "rlll", head=True)
    return 0
