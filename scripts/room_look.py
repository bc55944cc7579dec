"""Writes the look of cloth and chips for the room: `scripts/room look`.

`novamas.drawing.look` is the definition. `look.generated.ts` and `look.generated.css` say the same
to the screens; `look.fixture.json` has what Python makes of it, and the room's tests compare.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from novamas.drawing import look, svg_chips
from novamas.drawing.layout import layout
from novamas.drawing.lettering import breadth, label, short_amount
from novamas.game.chips import COLOURS
from novamas.house.views import rulebook_view
from novamas.rulebooks import HOUSES, load

FOLDER = Path(__file__).parents[1] / "ui" / "src" / "cloth"
HEADER = "Generated from src/novamas/drawing/look.py by `scripts/room look`. Do not edit."
COLOUR_NAMES = "COLOURS"
IN_STYLES = {"GOLD": "gold", "FIGURES_ON_CLOTH": "ivory", "INK": "chip-ink"}
"""The colours that style sheets use, and their names there."""


def definitions() -> dict[str, Any]:
    """What `look` defines, and the names of the colours, by name."""
    own = {name: value for name, value in vars(look).items() if name.isupper()}
    return {COLOUR_NAMES: COLOURS, **own}


def typescript() -> str:
    """The definitions as constants."""
    constants = "\n".join(
        f"export const {name} = {_literal(value)};" for name, value in definitions().items()
    )
    return f"/** {HEADER} */\n\n{constants}\n"


def _literal(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if isinstance(value, str | int | float) else f"{text} as const"


def css() -> str:
    """The colours that style sheets use."""
    lines = "\n".join(f"  --{name}: {getattr(look, of)};" for of, name in IN_STYLES.items())
    return f"/* {HEADER} */\n:root {{\n{lines}\n}}\n"


def fixture() -> str:
    """What Python makes of the definitions, for the room's tests."""
    amounts = (0, 1, 9_999, 10_000, 12_500, 99_999, 100_000, 3_141_592, 10**9, 7 * 10**14)
    chips = (1, 2, 3, 4, 5, 9, 10, 24, 25, 99, 100, 1000)
    texts = ("MENOR", "Pares", "1–18", "ЧЕТНО", "ДЮЖИНА 12", "Q'I.", "è")
    made = {
        "liveries": [svg_chips.livery(seat)._asdict() for seat in range(45)],
        "spots": [svg_chips.spot_colour(hue) for hue in look.HUES],
        "dashes": [svg_chips.dashes(edge, radius=17) for edge in range(len(look.EDGES))],
        "amounts": [[amount, short_amount(amount)] for amount in amounts],
        "heights": [
            [count, svg_chips.height(count), svg_chips.height(count, crowded=True)]
            for count in chips
        ],
        "breadths": [[text, breadth(text)] for text in texts],
        "labels": {book: _labels(book) for book in HOUSES},
    }
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _labels(name: str) -> list[dict[str, Any]]:
    """What is printed in each box of a house, with the facts that the room knows of the box."""
    book = load(name)
    seen = rulebook_view.of_rulebook(book)
    boxes = []
    for box in layout(book).boxes:
        if box.spot.kind.on_numbers:
            continue
        spot = seen.spots[box.spot.name]
        facts = {"spot": box.spot.name, "kind": str(box.spot.kind), "language": book.language}
        known = {"word": book.word(box.spot.name), "numbers": spot.numbers, "pays": spot.pays}
        boxes.append(facts | known | {"label": label(book, box.spot)._asdict()})
    return boxes


def files() -> dict[str, str]:
    """Every file that is written, by its name."""
    return {
        "look.generated.ts": typescript(),
        "look.generated.css": css(),
        "look.fixture.json": fixture(),
    }


def stale(folder: Path = FOLDER) -> list[str]:
    """The files that are missing or differ from what would be written."""
    return [
        name
        for name, text in files().items()
        if not (folder / name).is_file() or (folder / name).read_text("utf-8") != text
    ]


def main() -> None:
    """Writes the files, or with `--check` fails if one of them is stale."""
    if sys.argv[1:] == ["--check"]:
        if found := stale():
            sys.exit(f"    stale in {FOLDER.name}: {', '.join(found)}; run scripts/room look")
        return
    for name, text in files().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
