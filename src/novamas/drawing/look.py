"""The look of cloth and chips: hues, patterns and lettering, the same in pictures and on screens.

This module is the only definition. The SVG pictures are drawn from it, and `scripts/room look`
writes it as TypeScript and CSS for the screens, where a test compares the two.
"""

from __future__ import annotations

from typing import Final

# The chips ------------------------------------------------------------------------------------

HUES: Final = (
    "#2b5bd7",
    "#ffd21f",
    "#d6331f",
    "#eef6ee",
    "#8f3a86",
    "#7bccf8",
    "#5e2f08",
    "#ea902c",
    "#9491a6",
    "#1f1a38",
)
"""Blue, yellow, vermilion, ivory, violet, sky, brown, orange, slate and ink."""

EDGES: Final = (
    (6, (1.0,)),
    (4, (0.5, 0.5)),
    (12, (1.0,)),
    (3, (1.0, 0.3, 0.3)),
)
"""The edge spots: how often a group repeats around the chip, and the widths of its spots."""
EDGE_SHARE: Final = 0.5
"""How much of a group its spots take."""
EDGE_GAP: Final = 0.22
"""The gap between two spots of a group, as a share of what the spots take."""

LUMA: Final = (299, 587, 114)
"""How bright red, green and blue look, in thousandths."""
LIGHT_FROM: Final = 140_000
"""Hues of this luma or more carry ink, darker ones ivory."""

INK: Final = "#221c14"
IVORY: Final = "#fbf6e6"
CHANCE: Final = "#f6edd3"
"""The edge of a chance chip."""
CHANCE_INLAY: Final = "#1a2521"
CHANCE_RIM: Final = "#d9b14a"
VALUE: Final = "#b8892b"
"""The edge of a value chip."""
VALUE_RING: Final = "#f3d58a"
VALUE_RIM: Final = "#5b3d0c"

BAND: Final = 0.28
"""The width of the band of edge spots. This and the following are in radii of the chip."""
RING: Final = 0.88
"""The ring on the edge of a common chip."""
INLAY: Final = 0.68
CHANCE_INLAY_RADIUS: Final = 0.73
VALUE_INLAY_RADIUS: Final = 0.76
INLAY_RIM: Final = 0.07
FIGURE: Final = 0.74
"""The largest figures of an amount."""
FIGURES_WIDTH: Final = 1.14
"""The width that the figures of an amount may take."""
NUMBER_LIFT: Final = 0.14
"""How much an amount moves up where a small number stands below it."""

RISE: Final = 0.13
"""How much a chip lifts the one on top of it, in radii."""
STEPS: Final = (5, 10, 25, 100)
"""From each of these numbers of chips on, a stack is drawn one chip higher."""
FULL: Final = 8
"""A stack of more chips than this is drawn no higher."""
CROWDED: Final = 4
"""The same limit where several stacks share a spot."""

# The cloth ------------------------------------------------------------------------------------

GOLD: Final = "#ffe08a"
"""The light on the winning number."""
FIGURES_ON_CLOTH: Final = "#fffaf0"

# The lettering --------------------------------------------------------------------------------

SPACING: Final = 0.06
"""The letter spacing of a word in capitals, in ems."""
WIDE_LETTERS: Final = "MWQ@%ШЩЖЮФЫДМ"
NARROW_LETTERS: Final = "IJ1!|.,:;'’·()[]/-–"
EMS: Final = {
    "wide": 1.02,
    "narrow": 0.5,
    "blank": 0.36,
    "digit": 0.7,
    "lower": 0.62,
    "cyrillic": 0.92,
    "capital": 0.82,
}
"""How wide a letter of a bold roman face is; the estimate errs on the wide side."""

FIGURE_EMS: Final = {"point": 0.34, "digit": 0.6}
"""How wide the figures on a chip are."""
WHOLE_BELOW: Final = 10_000
"""Amounts below this are written in full on a chip."""
THOUSANDS: Final = "kMGTPE"
"""What follows an amount in thousands, millions and so on."""
