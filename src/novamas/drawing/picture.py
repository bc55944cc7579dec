"""A small picture as PNG: the numbers of the cloth, and of a coup the one that came up.

It stands where a link is previewed; programs that do so show no SVG. It is drawn with the
standard library alone, in flat colours and twice as large as it is shown, so that it has
smooth edges when a program makes it smaller. The digits are strokes of a pen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, isqrt, pi, sin
from struct import pack
from typing import Final
from zlib import compress, crc32

from novamas.game.wheel import Colour, Pocket, colour

SIZE: Final = 2400, 1260
"""Twice the size that previews have."""
BAIZE, LINE, RED, BLACK, GREEN, WHITE, BRASS = range(7)
PALETTE: Final = "0d4a33 e8dfc4 b3202b 16181a 137a4b ffffff e0b45a"
INKS: Final = {Colour.RED: RED, Colour.BLACK: BLACK, Colour.GREEN: GREEN}
MARGIN: Final = 120
ROWS: Final = 3
COLUMNS: Final = 12
CELL: Final = 166, 300
PLATE: Final = 560
"""The side of the square that shows the number that came up."""

Points = Sequence[tuple[float, float]]
Span = tuple[int, int, int]
"""A row, and where in it a shape begins and ends."""


def _arc(
    x: float, y: float, rx: float, ry: float, begin: float, end: float
) -> list[tuple[float, float]]:
    """Points of an ellipse, by angles in degrees, clockwise from the right."""
    angles = [(begin + (end - begin) * n / 24) * pi / 180 for n in range(25)]
    return [(x + rx * cos(angle), y + ry * sin(angle)) for angle in angles]


_SIX: Final = ([(0.44, 0.03), (0.1, 0.55)], _arc(0.3, 0.69, 0.26, 0.28, 0, 360))
STROKES: Final[dict[str, Sequence[Points]]] = {
    "0": [_arc(0.3, 0.5, 0.27, 0.47, 0, 360)],
    "1": [[(0.08, 0.22), (0.36, 0.03), (0.36, 0.97)]],
    "2": [[*_arc(0.3, 0.29, 0.25, 0.26, 185, 390), (0.05, 0.97), (0.57, 0.97)]],
    "3": [_arc(0.29, 0.27, 0.24, 0.24, 195, 450), _arc(0.29, 0.73, 0.26, 0.24, -90, 165)],
    "4": [[(0.42, 0.97), (0.42, 0.03), (0.03, 0.7), (0.58, 0.7)]],
    "5": [[(0.53, 0.03), (0.13, 0.03), (0.1, 0.46), *_arc(0.29, 0.67, 0.27, 0.3, -132, 150)]],
    "6": _SIX,
    "7": [[(0.04, 0.03), (0.57, 0.03), (0.22, 0.97)]],
    "8": [_arc(0.3, 0.26, 0.22, 0.23, 0, 360), _arc(0.3, 0.73, 0.26, 0.24, 0, 360)],
    "9": [[(0.6 - x, 1 - y) for x, y in stroke] for stroke in _SIX],
}
"""The strokes of each digit, in a box 0.6 wide and 1 high."""
ADVANCE: Final = 0.8
PEN: Final = 0.15
"""How far a digit moves the pen on, and how thick the pen is, in heights of a digit."""


class _Canvas:
    """A picture in the colours of the palette."""

    def __init__(self, width: int, height: int, colour: int) -> None:
        self._width = width
        self._rows = [bytearray([colour]) * width for _ in range(height)]

    def spans(self, spans: Iterable[Span], colour: int, *, x: int = 0, y: int = 0) -> None:
        """Fills spans; what lies outside the picture is left out."""
        ink = bytes([colour])
        for row, begin, end in spans:
            left, right = max(0, begin + x), min(self._width, end + x)
            if 0 <= row + y < len(self._rows) and left < right:
                self._rows[row + y][left:right] = ink * (right - left)

    def box(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fills a rectangle."""
        self.spans(((row, x, x + width) for row in range(y, y + height)), colour)

    def text(self, text: str, x: int, y: int, height: int, colour: int) -> None:
        """Writes digits around a point."""
        width = (len(text) - 1) * ADVANCE + 0.6
        for place, digit in enumerate(text):
            left = x + round((place * ADVANCE - width / 2) * height)
            self.spans(_digit(digit, height), colour, x=left, y=y - height // 2)

    def png(self) -> bytes:
        """The picture as a file."""
        colours = b"".join(bytes.fromhex(each) for each in PALETTE.split())
        pixels = compress(b"".join(b"\0" + row for row in self._rows), 6)
        head = pack(">IIBBBBB", self._width, len(self._rows), 8, 3, 0, 0, 0)
        chunks = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))
            for kind, data in chunks
        )


def _disc(x: int, y: int, rx: int, ry: int) -> Iterable[Span]:
    """The rows of an ellipse."""
    for row in range(-ry, ry + 1):
        half = rx * isqrt(ry * ry - row * row) // ry
        yield y + row, x - half, x + half + 1


@lru_cache(maxsize=32)
def _digit(digit: str, height: int) -> tuple[Span, ...]:
    """The rows of a digit: a round pen that is led along its strokes."""
    pen = round(PEN * height / 2)
    spans: list[Span] = []
    for stroke in STROKES[digit]:
        for (x0, y0), (x1, y1) in pairwise(stroke):
            steps = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) * height / (pen / 8)))
            for step in range(steps + 1):
                x = round((x0 + (x1 - x0) * step / steps) * height)
                y = round((y0 + (y1 - y0) * step / steps) * height)
                spans.extend(_disc(x, y, pen, pen))
    return tuple(spans)


@lru_cache(maxsize=128)
def picture(zeros: tuple[Pocket, ...], number: Pocket | None = None) -> bytes:
    """The numbers as they lie on a cloth with these zeros, and the one that came up if any, as PNG.

    >>> picture((0, "00"), "00")[1:4]
    b'PNG'
    """
    canvas = _Canvas(*SIZE, BAIZE)
    width, height = CELL
    left, top = SIZE[0] - MARGIN - COLUMNS * width, (SIZE[1] - ROWS * height) // 2
    middles: dict[Pocket, tuple[int, int]] = {}
    for place, zero in enumerate(zeros):
        high = ROWS * height // len(zeros)
        # The first zero lies nearest to the player.
        y = top + ROWS * height - (place + 1) * high
        _cell(canvas, left - width, y, width, high)
        middles[zero] = left - width // 2, y + high // 2
    for whole in range(1, ROWS * COLUMNS + 1):
        column, row = divmod(whole - 1, ROWS)
        x, y = left + column * width, top + (ROWS - 1 - row) * height
        _cell(canvas, x, y, width, height)
        middles[whole] = x + width // 2, y + height // 2
    for pocket, (x, y) in middles.items():
        if pocket not in zeros:
            canvas.spans(_disc(x, y, width * 9 // 20, height * 2 // 5), INKS[colour(pocket)])
        canvas.text(str(pocket), x, y, 70, LINE)
    if number is not None:
        _plate(canvas, number, *middles[number])
    return canvas.png()


def _plate(canvas: _Canvas, number: Pocket, x: int, y: int) -> None:
    """The number that came up, over its box and as far within the picture as it goes."""
    half = PLATE // 2
    x = min(max(x, half + 60), SIZE[0] - half - 60)
    for inset, ink in ((0, BRASS), (22, INKS[colour(number)])):
        side = PLATE - 2 * inset
        canvas.box(x - half + inset, y - half + inset, side, side, ink)
    canvas.text(str(number), x, y, 270, WHITE)


def _cell(canvas: _Canvas, x: int, y: int, width: int, height: int) -> None:
    """An empty box of the cloth, with its lines."""
    canvas.box(x, y, width + 6, height + 6, LINE)
    canvas.box(x + 6, y + 6, width - 6, height - 6, BAIZE)
