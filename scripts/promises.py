"""Writes docs/reference/promises.md: what the house promises, and the tests that show it.

    python -m scripts.promises

Each test of `tests/promises` is named by its promise, and writes its figures into build/promises
when it runs. The page is written from the figures of the last run. A test compares the promises and
their tests with the committed page, but no figures: those differ from run to run.
"""

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "promises"
FIGURES = ROOT / "build" / "promises"
PAGE = ROOT / "docs" / "reference" / "promises.md"
REFRESH = "make promises"

PROMISES = {
    "F1": "Every pocket is equally likely.",
    "F2": "The drawn numbers look random to every test we know.",
    "F4": "Our tests of the ball can fail: broken sources are caught.",
    "F5": "No stream of secrets repeats, whatever is started or forked.",
    "F6": "A broken source stops its table.",
    "F7": "The odds shown are the odds played.",
    "F9": "A player can check us with one small file and Python alone.",
    "F12": "No stake moves the ball.",
    "F13": "Every way to choose a ball that we know is found by the player's verifier, or bounded.",
    "R1": "An acknowledged stake survives anything.",
    "R2": "A failing disk fails closed.",
    "R4": "Any failure can be replayed.",
    "R5": "A retry happens once.",
    "R6": "No stake is taken after “no va más”.",
    "R7": "An interrupted coup ends well.",
    "R8": "The log cannot be altered unseen.",
    "R9": "The past can be played again.",
    "R10": "A restart is short.",
    "R11": "Durability is cheap.",
    "R12": "A slow client hurts nobody.",
    "R13": "Each post does its own work and no other.",
    "R14": "Sockets are as safe as pages, and both are safe.",
    "R15": "No input breaks the house.",
    "R16": "Two pairs of eyes see a number change.",
    "R17": "People are protected, from themselves if they wish.",
    "R18": "The house knows when not to run.",
    "R20": "A backup is a house.",
    "R21": "Nothing is created between logs.",
    "R22": "An id binds its command.",
    "R23": "Nobody alone mints.",
    "R24": "What one person or one address may cost is bounded.",
}
"""The promises by id: the F are of fairness, the R of what must not be lost."""

INTRODUCTION = f"""\
# Promises

What the house promises, and the tests that would see a promise broken: each is named by its id.
This page is generated: `{REFRESH}` writes it anew from what the tests saw when they last ran.
The F are of fairness, the R of what must not be lost; an id that is missing is not promised yet.

## The promises and their tests
"""

SEEN = """\
## What a run saw

The figures of one run, on a machine with two processors. `make test` runs the ordinary
variant of each test, `make soak` the long one.
"""

BALL = """\
## What a player can check of a drawn ball

Secrets come from a chain whose tip is published when the table opens; each spin reveals the next
one. Your machine adds a fresh text to every spin: its hash while betting is open, the text itself
after the close. Save your proof, and run one small file that needs nothing but Python:
`src/novamas/house/ball/verify_ball.py`.

    python3 verify_ball.py proof.json events.json

It works every number out again, and compares what the house used with what your machine saw and
sent. At the house itself `novamas verify STORE` does the same from the log.

With a text of yours in a spin nobody could know the number before the close, and nobody chose it.
What a house with players of its own can still do is to let them withhold their texts: one withheld
text makes a given number come 5.3 % of the time instead of 2.7 %. It is recorded and counted. If
nobody but the house added a text, the house could choose the number.
[Fairness](../explanation/fairness.md) has the adversaries, the proofs and the test vectors.
"""


def named_by(id: str, folder: Path = TESTS) -> list[str]:
    """The tests that are named by a promise, as file and function."""
    start = f"test_{id.lower()}_"
    found = []
    for path in sorted(folder.glob(f"{start}*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found += [f"{path.name}::{node.name}"] if node.name.startswith(start) else []
    return found


def overview(folder: Path = TESTS) -> str:
    """The part of the page that no run changes: every promise with its tests."""
    rows = ["| id | promise | tests |", "|---|---|---|"]
    for id, promise in PROMISES.items():
        shown: dict[str, list[str]] = {}
        for test in named_by(id, folder):
            file, _, name = test.partition("::")
            shown.setdefault(file, []).append(in_words(id, name))
        cells = [f"`{file}`: {'; '.join(names)}" for file, names in shown.items()]
        rows.append(f"| {id} | {promise} | {'<br>'.join(cells) or '**none**'} |")
    return "\n".join([INTRODUCTION, *rows, ""])


def in_words(id: str, name: str) -> str:
    """What a test shows, told by its name.

    >>> in_words("R9", "test_r9_a_replay_gives_the_same_purses")
    'a replay gives the same purses'
    """
    return name.removeprefix(f"test_{id.lower()}_").replace("_s_", "’s ").replace("_", " ")


def figures(folder: Path = FIGURES) -> dict[str, dict[str, dict[str, Any]]]:
    """What the tests of each promise saw, by promise and by what was shown."""
    seen = {}
    for id in PROMISES:
        path = folder / f"{id}.json"
        seen[id] = json.loads(path.read_text("utf-8"))["tests"] if path.exists() else {}
    return seen


def told(value: object) -> str:
    """A figure as it is read.

    >>> told(10_000_000), told(0.25), told(3.2e-9), told(1.0), told("none")
    ('10,000,000', '0.25', '3.2e-09', '1', 'none')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def seen_part(seen: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """The part of the page that a run wrote."""
    rows = ["| id | shown | figures |", "|---|---|---|"]
    for id in PROMISES:
        for text, each in sorted(seen.get(id, {}).items()):
            listed = "; ".join(f"{n.replace('_', ' ')} {told(v)}" for n, v in each.items())
            rows.append(f"| {id} | {text} | {listed} |".replace("\n", " "))
    return "\n".join([SEEN, *rows, ""])


def main() -> None:
    """Writes the page."""
    seen = figures()
    PAGE.write_text(f"{overview()}\n{seen_part(seen)}\n{BALL}", "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    unseen = [id for id, lines in seen.items() if not lines]
    if unseen:
        print(f"no figures of {', '.join(unseen)}: run their tests first")


if __name__ == "__main__":
    main()
