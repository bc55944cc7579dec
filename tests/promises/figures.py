"""The figures of the promises: each test writes down what it saw, for docs/promises.md."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "build" / "promises"


def record(id: str, text: str, **figures: float | str) -> None:
    """Writes down what a promise's test saw; what another test of the promise wrote stays."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{id}.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else {"id": id, "tests": {}}
    known["tests"][text] = figures
    path.write_text(json.dumps(known, ensure_ascii=False, indent=2) + "\n", "utf-8")
