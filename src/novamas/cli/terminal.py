"""The terminal: colours where they help, letters that it can print, and columns that line up.

Colours are used if the output is a terminal and the user did not turn them off. A terminal whose
encoding lacks a letter gets the nearest plain one, so that the columns still line up. Control
characters in a text from outside are shown as a mark, never sent.
"""

from __future__ import annotations

import codecs
import json
import math
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TextIO

from novamas.game.money import written

STYLES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
    "on_red": "1;97;41",
    "on_black": "1;97;40",
    "on_green": "1;97;42",
    "ball": "1;30;103",
    "chosen": "7",
}
FULL: Final = {
    **STYLES,
    "dim": "38;2;142;158;150",
    "red": "38;2;255;122;122",
    "green": "38;2;110;224;150",
    "yellow": "38;2;255;215;94",
    "cyan": "38;2;120;205;230",
    "on_red": "1;38;2;255;255;255;48;2;179;32;44",
    "on_black": "1;38;2;255;255;255;48;2;42;47;51",
    "on_green": "1;38;2;255;255;255;48;2;23;128;78",
    "ball": "1;38;2;16;16;16;48;2;255;215;94",
}
"""The same on a full screen, whose background is known: the colours are the drawing's own."""
_PAINTED: Final = re.compile(r"\x1b\[[0-9;]*m")
_UNSEEN: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BLANKS: Final = re.compile(r"[ \t\n]+")
"""Where a line may be broken."""
_ROOM: Final = 32
"""With fewer columns than this, the last column of a table is printed below its row."""
_READABLE: Final = 100
"""The most columns of a line of prose; longer lines are hard to read."""
_FALLBACK: Final = "novamas.plain"
_ONE_FOR_ONE: Final = "novamas.one-for-one"
"""Replacements in a drawing, letter by letter, so that the columns still line up."""

_PLAIN: Final = {
    **dict.fromkeys("‐‑‒–—−─━╌·╴╶", "-"),
    **dict.fromkeys("│┃╷╵", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("«»“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    "…": "...",
    "→": "->",
    "×": "x",
    "●": "o",
    "◆": "*",
    "◇": ":",
    "▸": ">",
    "◂": "<",
    "ß": "ss",
    "\ufffd": "?",
}
_CYRILLIC: Final = dict(
    zip(
        "абвгдежзийклмнопрстуфхцчшщъьюя",
        "a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya".split(),
        strict=True,
    )
)
"""Bulgarian in Latin letters, by the Bulgarian law on transliteration."""


def _plain_letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    lower = letter.lower()
    if lower in _CYRILLIC:
        plain = _CYRILLIC[lower]
        return plain if letter == lower else plain.capitalize()
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode("ascii")
    return bare or ("" if unicodedata.combining(letter) else "?")


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    return "".join(map(_plain_letter, missing)), problem.end


def _one_for_one(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    return "".join(_plain_letter(letter)[:1] for letter in missing), problem.end


codecs.register_error(_FALLBACK, _plainly)
codecs.register_error(_ONE_FOR_ONE, _one_for_one)


def width(text: str) -> int:
    """How many columns a text takes, colours not counted.

    >>> width("línea"), width(chr(27) + "[1mline" + chr(27) + "[0m")
    (5, 4)
    """
    return sum(map(_columns, _PAINTED.sub("", text)))


def _columns(letter: str) -> int:
    if letter < "\u0300":
        return 1
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def wrapped(text: str, room: int) -> list[str]:
    r"""A text in lines of at most `room` columns, broken at blanks but not at no-break spaces.

    >>> wrapped("AR-14.b AR-14.c AR-14.d", 16)
    ['AR-14.b AR-14.c', 'AR-14.d']
    >>> wrapped("gain" + chr(160) + ": 3" + chr(160) + "500", 8)
    ['gain\xa0:', '3\xa0500']
    """
    lines: list[str] = []
    line = ""
    for word in _BLANKS.sub(" ", text).strip(" ").split(" "):
        longer = f"{line} {word}" if line else word
        if line and width(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


class Terminal:
    """The output of a command: its width, whether it shows colours, and what it can print."""

    def __init__(
        self, out: TextIO, *, colour: bool, columns: int, styles: Mapping[str, str] = STYLES
    ) -> None:
        self.out = out
        self.colour = colour
        self.styles = styles
        self.columns = columns
        self.encoding = out.encoding or "utf-8"
        # A text can hold a lone surrogate, which no encoding has; it is shown as a mark.
        self.prints_all = codecs.lookup(self.encoding).name.startswith("utf")

    @classmethod
    def on(cls, out: TextIO, *, colour: bool | None = None) -> Terminal:
        """The terminal of a stream; by default with colours if the stream supports them."""
        if colour is None:
            dumb = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
            colour = out.isatty() and not dumb
        return cls(out, colour=colour, columns=max(40, shutil.get_terminal_size((100, 24)).columns))

    def paint(self, text: str, *styles: str) -> str:
        """The text in these styles, if the terminal shows any."""
        if not self.colour or not styles or not text:
            return text
        return f"\x1b[{';'.join(self.styles[style] for style in styles)}m{text}\x1b[0m"

    def fit(self, text: str, *, drawn: bool = False) -> str:
        """The text in letters that the terminal can print, without what would move its cursor.

        In a drawing every letter keeps its place.
        """
        if text.isascii() and text.isprintable():
            return text
        if not self.colour:
            text = text.replace("\x1b", "\ufffd")  # This colour code came from outside.
        errors = "replace" if self.prints_all else _ONE_FOR_ONE if drawn else _FALLBACK
        paints = [*_PAINTED.findall(text), ""]
        parts = []
        for part, paint in zip(_PAINTED.split(text), paints, strict=True):
            seen = _UNSEEN.sub("\ufffd", part).encode(self.encoding, errors)
            parts.append(seen.decode(self.encoding) + paint)
        return "".join(parts)

    def say(self, text: str = "") -> None:
        """Writes lines of text."""
        self.out.write(self.fit(text) + "\n")

    def tell(
        self, text: str, *, indent: str = "", first: str | None = None, style: str = ""
    ) -> None:
        """Writes a text in lines that fit the terminal, indented; `first` starts the first line."""
        start = indent if first is None else first
        styles = (style,) if style else ()
        room = max(20, min(self.columns, _READABLE) - width(indent))
        for line in wrapped(self.fit(text), room):
            self.say(start + self.paint(line, *styles))
            start = indent

    def data(self, data: object) -> None:
        """Writes data as JSON."""
        escaped = not self.prints_all
        text = json.dumps(writable(data), indent=2, ensure_ascii=escaped, allow_nan=False)
        # Lone surrogates are escaped, so that any reader can parse the output.
        self.out.write(text.encode(self.encoding, "backslashreplace").decode(self.encoding) + "\n")

    def table(
        self, rows: Iterable[Sequence[str]], align: str, *, head: bool = False, indent: str = ""
    ) -> None:
        """Writes rows in columns that line up: `l` to the left, `r` to the right.

        The last column is wrapped where the terminal is too narrow for it, and printed below its
        row where even that leaves too little room. With `head` the first row has the names.
        """
        fitted = [[self.fit(cell) for cell in row] for row in rows]
        if not fitted:
            return
        widths = [max(width(row[place]) for row in fitted) for place in range(len(align))]
        before = width(indent) + sum(widths[:-1]) + 2 * (len(widths) - 1)
        room = self.columns - before
        below = widths[-1] > room and room < _ROOM
        under = " " * (width(indent) + widths[0] + 2)
        for number, row in enumerate(fitted):
            cells = [_aligned(*each) for each in zip(row[:-1], widths, align, strict=False)]
            start = indent + "".join(f"{cell}  " for cell in cells)
            if below:
                further = wrapped(row[-1], self.columns - len(under)) if number or not head else []
                lines = [start, *(self.paint(under + line, "dim") for line in further)]
            elif width(row[-1]) > room:
                first, *rest = wrapped(row[-1], room)
                lines = [start + first, *(" " * before + line for line in rest)]
            else:
                lines = [start + _aligned(row[-1], widths[-1], align[-1])]
            for line in filter(None, map(str.rstrip, lines)):
                self.say(self.paint(line, "dim") if head and not number else line)

    def title(self, text: str) -> None:
        """Writes a heading."""
        self.tell(text, indent="  ", first="", style="bold")


def writable(data: object) -> object:
    """Data that JSON can hold: NaN and infinity become None.

    >>> writable({"value": 2.5, "error": float("nan"), "most": [float("inf")]})
    {'value': 2.5, 'error': None, 'most': [None]}
    """
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: writable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [writable(each) for each in data]
    return data


def _aligned(text: str, columns: int, side: str) -> str:
    blanks = " " * (columns - width(text))
    return blanks + text if side == "r" else text + blanks


def money(amount: int, language: str | None = None) -> str:
    """An amount in a table, `-` for 0; in the format of the language if one is given.

    >>> money(1250), money(0), money(1250, "es")
    ('1250', '-', '1.250')
    """
    return plain(amount, language) if amount else "-"


def plain(amount: int, language: str | None = None) -> str:
    """An amount in a sentence, in the format of the language if one is given.

    >>> plain(1250), plain(0), plain(1250, "es")
    ('1250', '0', '1.250')
    """
    return str(amount) if language is None else written(amount, language)


def signed(amount: int, language: str | None = None) -> str:
    """A gain or a loss.

    >>> signed(35), signed(-5), signed(0), signed(1250, "en")
    ('+35', '-5', '0', '+1,250')
    """
    return f"{'+' if amount > 0 else ''}{plain(amount, language)}"


def named(ids: Iterable[str]) -> str:
    """The articles behind something, in brackets; an empty text if there are none.

    >>> named(("AR-5.b", "AR-5.a"))
    ' (AR-5.b, AR-5.a)'
    """
    listed = ", ".join(ids)
    return f" ({listed})" if listed else ""
