"""The picture of a coup: a PNG that any program reads, with the number that came up before all."""

from __future__ import annotations

import zlib
from struct import unpack

import pytest

from novamas.drawing.picture import BAIZE, BLACK, BRASS, GREEN, INKS, RED, SIZE, STROKES, picture
from novamas.game.wheel import Pocket, colour
from novamas.rulebooks import HOUSES, load


def read(png: bytes) -> tuple[tuple[int, int], list[bytes]]:
    """The size of a picture and its rows, by its own chunks, whose sums must be right."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        (length,) = unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(kind + data),)
        chunks[kind] = data
        at += 12 + length
    width, height, depth, paletted, *rest = unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, paletted, rest) == (8, 3, [0, 0, 0])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (width + 1)
    rows = [pixels[n * (width + 1) + 1 : (n + 1) * (width + 1)] for n in range(height)]
    assert max(map(max, rows)) < len(chunks[b"PLTE"]) // 3
    return (width, height), rows


@pytest.mark.parametrize(
    ("zeros", "number", "ink"),
    [((0,), 17, BLACK), ((0,), 36, RED), ((0,), 0, GREEN), ((0, "00"), "00", GREEN)],
)
def test_the_number_that_came_up_is_shown_in_its_colour(
    zeros: tuple[Pocket, ...], number: Pocket, ink: int
) -> None:
    size, rows = read(picture(zeros, number))
    assert size == SIZE
    framed = [row for row in rows if row.count(BRASS) > 500]
    assert framed
    plate = rows[rows.index(framed[0]) + 30]
    begin = plate.index(BRASS) + 22
    assert INKS[colour(number)] == ink
    assert set(plate[begin : begin + 500]) == {ink}
    assert rows[0] == bytes([BAIZE]) * size[0]


def test_without_a_coup_the_cloth_alone_is_drawn() -> None:
    size, rows = read(picture((0,)))
    assert size == SIZE
    assert not any(BRASS in row for row in rows)
    assert any(RED in row and BLACK in row for row in rows)


def test_every_number_of_every_house_can_be_drawn() -> None:
    digits = {digit for id in HOUSES for each in load(id).wheel.pockets for digit in str(each)}
    assert digits == set(STROKES)
    for strokes in STROKES.values():
        for stroke in strokes:
            assert all(-0.05 <= x <= 0.65 and -0.05 <= y <= 1.05 for x, y in stroke)
