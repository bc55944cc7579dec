"""Draws the layers of the code as SVG, from the contracts of import-linter in pyproject.toml.

The order of the layers is the contract that `lint-imports` checks, and what a layer holds is the
first sentence of its package's docstring. So the picture always matches the code.
"""

import ast
import re
import tomllib
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from scripts.ledger import ROOT

SPACE = "http://www.w3.org/2000/svg"
WIDTH = 760
MARGIN = 20
TOP = 56
HEIGHT, SHARED = 36, 60
"""The height of a row with one layer, and of a row that layers share."""
GAP = 10
PAPER, INK, LINE, PURE, OTHER = "#fbf8f0", "#2b2a26", "#b9b29e", "#dfe9dc", "#f3ead6"
FONT = f'font-family="Georgia, &#x27;Times New Roman&#x27;, serif" fill="{INK}"'
BOLD = 'font-weight="bold"'
EDGE = f'rx="4" stroke="{LINE}"'
TITLE = "Each layer imports only what stands below it"
LEGEND = "imports the standard library alone, and neither clock, chance nor files"
LETTER = 6.2
"""The average width of a letter of the small text, for line breaks."""


class Layer(NamedTuple):
    """A package and the first sentence of its docstring."""

    name: str
    does: str
    is_pure: bool
    """Whether a contract restricts it to the standard library, without clock, chance or files."""


def contracts(project: Path = ROOT / "pyproject.toml") -> list[dict[str, Any]]:
    """The contracts that `lint-imports` checks."""
    settings = tomllib.loads(project.read_text("utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def layers(project: Path = ROOT / "pyproject.toml") -> list[list[Layer]]:
    """The layers from the top to the bottom; those of one row do not import each other."""
    found = contracts(project)
    (ladder,) = (each for each in found if each["type"] == "layers")
    pure = {
        module.removeprefix("novamas.")
        for each in found
        if each["type"] == "standard_library_only"
        for module in each["modules"]
    }
    return [
        [_layer(name.strip(" ()"), pure) for name in row.split("|")] for row in ladder["layers"]
    ]


def _layer(name: str, pure: set[str]) -> Layer:
    text = (ROOT / "src" / "novamas" / name / "__init__.py").read_text("utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    said = " ".join(first.replace("`", "").split()).removesuffix(".")
    # A docstring may begin with the layer's own name, which the box already shows.
    return Layer(name, re.sub(rf"(?i)^(the )?{name}: ", "", said), name in pure)


def layers_svg() -> str:
    """The picture: a box for each layer, above those that it may import."""
    rows = layers()
    parts, y = [], TOP
    for row in rows:
        high = HEIGHT if len(row) == 1 else SHARED
        parts += _row(row, y, high)
        y += high + GAP
    said = "; ".join(" and ".join(layer.name for layer in row) for row in rows)
    head = [
        f'<svg xmlns="{SPACE}" viewBox="0 0 {WIDTH} {y + 28}" role="img" {FONT}>',
        "<title>The layers of novamas</title>",
        f"<desc>From the top to the bottom: {said}.</desc>",
        f'<rect width="{WIDTH}" height="{y + 28}" fill="{PAPER}"/>',
        f'<text x="{MARGIN}" y="34" font-size="20">{TITLE}</text>',
    ]
    foot = [
        f'<rect x="{MARGIN}" y="{y}" width="14" height="14" fill="{PURE}" {EDGE}/>',
        f'<text x="{MARGIN + 22}" y="{y + 11}" font-size="12">{LEGEND}</text>',
        "</svg>",
    ]
    return "\n".join([*head, *parts, *foot]) + "\n"


def _row(row: list[Layer], y: int, high: int) -> list[str]:
    width = (WIDTH - 2 * MARGIN - GAP * (len(row) - 1)) // len(row)
    parts = []
    for place, layer in enumerate(row):
        x = MARGIN + place * (width + GAP)
        fill = PURE if layer.is_pure else OTHER
        parts += [
            f'<rect x="{x}" y="{y}" width="{width}" height="{high}" fill="{fill}" {EDGE}/>',
            f'<text x="{x + 12}" y="{y + 22}" font-size="15" {BOLD}>{layer.name}</text>',
        ]
        indent = 12 if len(row) > 1 else 110
        lines = wrap(layer.does, int((width - indent - 12) / LETTER))
        start = y + (22 if len(row) == 1 else 38)
        parts += [
            f'<text x="{x + indent}" y="{start + 15 * number}" font-size="12">{escape(line)}</text>'
            for number, line in enumerate(lines)
        ]
    return parts
