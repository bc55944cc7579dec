"""The languages in which the house speaks, by their codes."""

from __future__ import annotations

from typing import Final

ENGLISH, SPANISH, ITALIAN, BULGARIAN, FRENCH = "en", "es", "it", "bg", "fr"

SEPARATORS: Final = {
    ENGLISH: ",",
    SPANISH: ".",
    ITALIAN: ".",
    BULGARIAN: "\u00a0",
    FRENCH: "\u202f",
}
"""Language → its separator between the thousands of an amount, the same as in the room."""
