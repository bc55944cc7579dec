"""Writes what the house and the room must agree on, for `scripts/room types`.

The house defines it; the room gets it as TypeScript.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from novamas.house.table.croupier import Pace
from novamas.web.player_nonces import NOTED

CONSTANTS: dict[str, tuple[str, object]] = {
    "PROOF_EVENTS": ("The events that a proof contains.", sorted(NOTED)),
    "FALLING": (
        "Milliseconds from the number until the ball lies still: then the house calls it.",
        round(1000 * Pace().falling),
    ),
}
"""Name → what it is, and its value."""


def written() -> str:
    """The file in TypeScript."""
    parts = ["/** Generated from the house by scripts/room types: do not change it here. */\n"]
    parts += [
        f"/** {about} */\nexport const {name} = {json.dumps(value)} as const;\n"
        for name, (about, value) in CONSTANTS.items()
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(written(), "utf-8")
