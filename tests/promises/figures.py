"""The figures of the promises: each test records what it saw, for docs/reference/promises.md."""

import fcntl
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "build" / "promises"
SOAK = os.environ.get("NOVAMAS_SOAK") == "1"
"""Whether the long variants are run: `make soak`."""


def counted(what: str, times: int) -> Iterator[int]:
    """From 1 to so many; at length it tells how far it is."""
    for number in range(1, times + 1):
        if SOAK and number % max(1, times // 20) == 0:
            sys.stderr.write(f"    {what} {number} of {times}\n")
        yield number


def gather(id: str, text: str, *, part: int, **figures: float) -> None:
    """Writes down what one part of a test saw; what is recorded is the sum of all parts."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f".{id}.parts.json"
    with (FOLDER / f".{id}.parts.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        parts = json.loads(path.read_text("utf-8")) if path.exists() else {}
        seen = {**parts.get(text, {}), str(part): figures}
        path.write_text(json.dumps({**parts, text: seen}, ensure_ascii=False), "utf-8")
        record(id, text, **{name: sum(each[name] for each in seen.values()) for name in figures})


def record(id: str, text: str, **figures: float | str) -> None:
    """Writes down what a promise's test saw; what another test of the promise wrote stays."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{id}.json"
    # Two tests of one promise may run at the same time.
    with (FOLDER / f".{id}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tests = json.loads(path.read_text("utf-8"))["tests"] if path.exists() else {}
        known = {"id": id, "tests": {**tests, text: figures}}
        written = path.with_suffix(".new")
        written.write_text(json.dumps(known, ensure_ascii=False, indent=2) + "\n", "utf-8")
        written.replace(path)
