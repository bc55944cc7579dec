"""`novamas wheel`: the wheel as it turns, the neighbours of a number, and the table of them all."""

from __future__ import annotations

from argparse import Namespace
from itertools import pairwise
from math import cos, pi, sin

from novamas.cli.reading import number, whole
from novamas.cli.terminal import Terminal
from novamas.game import wheel

WIDE, HIGH = 62, 17
"""The raster on which the ring of pockets is drawn."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Shows the wheel, or what was asked of it."""
    if args.neighbours is not None:
        return _neighbours(args, terminal)
    if args.table:
        return _table(terminal, as_json=args.json)
    if args.json:
        pockets = [{"number": each, "colour": wheel.colour(each).value} for each in wheel.ORDER]
        terminal.data({"pockets": pockets, "sectors": wheel.SECTORS})
        return 0
    for line in ring(terminal):
        terminal.say(terminal.fit(line, drawn=True))
    terminal.say()
    for name, arcs in wheel.SECTORS.items():
        numbers = " / ".join(" ".join(map(str, arc)) for arc in arcs)
        terminal.tell(numbers, indent=" " * 11, first=f"{name:<11}")
    return 0


def painted(terminal: Terminal, pocket: int, text: str | None = None) -> str:
    """A number on the ground of its pocket."""
    shown = str(pocket) if text is None else text
    return terminal.paint(shown, f"on_{wheel.colour(pocket)}")


def ring(terminal: Terminal) -> list[str]:
    """The pockets in a ring, zero on top, clockwise.

    >>> import io
    >>> plain = Terminal(io.StringIO(), colour=False, columns=80)
    >>> print(ring(plain)[0].strip())
    ◆3 ◇26   0 ◆32 ◇15
    """
    rows: list[list[tuple[int, int]]] = [[] for _ in range(HIGH)]
    for pocket, (column, row) in zip(wheel.ORDER, _places(), strict=True):
        rows[row].append((column, pocket))
    lines = []
    for placed in rows:
        line, at = "", 0
        for column, pocket in sorted(placed):
            line += " " * (column - at) + _pocket(terminal, pocket)
            at = column + 4
        lines.append(line.rstrip())
    return lines


def _pocket(terminal: Terminal, pocket: int) -> str:
    if terminal.colour:
        return painted(terminal, pocket, f" {pocket:>2} ")
    mark = {wheel.Colour.RED: "◆", wheel.Colour.BLACK: "◇"}.get(wheel.colour(pocket), " ")
    return f"{mark + str(pocket):>3} "


def _places() -> list[tuple[int, int]]:
    """Where on the raster each pocket stands: along an ellipse, in equal steps of its length."""
    steps = 3_700
    across, down = (WIDE - 4) / 2, (HIGH - 1) / 2
    angles = [2 * pi * step / steps - pi / 2 for step in range(steps + 1)]
    points = [(across * cos(a), down * sin(a)) for a in angles]
    # A character is about twice as high as it is wide.
    lengths = [0.0]
    for (x, y), (then_x, then_y) in pairwise(points):
        lengths.append(lengths[-1] + ((then_x - x) ** 2 + 4 * (then_y - y) ** 2) ** 0.5)
    places = []
    step = 0
    for pocket in range(wheel.POCKETS):
        wanted = lengths[-1] * pocket / wheel.POCKETS
        while lengths[step] < wanted:
            step += 1
        x, y = points[step]
        places.append((round(across + x), round(down + y)))
    return places


def _neighbours(args: Namespace, terminal: Terminal) -> int:
    middle = number(args.neighbours)
    each_side = whole(args.each_side, most=wheel.POCKETS // 2, what="--each-side")
    found = wheel.neighbours(middle, each_side)
    if args.json:
        terminal.data({"number": middle, "each_side": each_side, "neighbours": found})
    else:
        terminal.say(" ".join(painted(terminal, each) for each in found))
    return 0


def _table(terminal: Terminal, *, as_json: bool) -> int:
    rows = wheel.neighbours_table()
    if as_json:
        keys = ("sorted", "by_position", "by_number")
        terminal.data(
            [{"row": n, **dict(zip(keys, row, strict=True))} for n, row in enumerate(rows)]
        )
        return 0
    shown = [["", "sorted", "by place on the wheel", "by number"]]
    shown += [
        [str(row), *("-".join(map(str, block)) for block in blocks)]
        for row, blocks in enumerate(rows)
    ]
    terminal.table(shown, "rlll", head=True)
    return 0
