"""Writes docs/reference/promises.md: what the house promises, and the tests that show it.

    python -m scripts.promises

Each test of `tests/promises` is named by its promise, and writes its figures into build/promises
when it runs. The program gathers the figures of the last run in docs/reference/promises.json and
writes the page from them: a sentence with the main figures of each promise, and its tests. A test
compares the page with the tests and with the data file. No test compares figures with those of a
new run: they differ from run to run.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "promises"
FIGURES = ROOT / "build" / "promises"
PAGE = ROOT / "docs" / "reference" / "promises.md"
DATA = ROOT / "docs" / "reference" / "promises.json"
REFRESH = "make promises"
UNKNOWN = "?"
"""The placeholder for a figure that no test recorded."""

Seen = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Promise → what a test showed → its figures."""


class Promise(NamedTuple):
    """A promise, and what a run shows of it in one sentence."""

    text: str
    cases: str
    """A pattern: which of the recorded cases the sentence sums up."""
    sentence: str
    """The main figures. A name stands for the sum of a figure over the cases; `most_` and `least_`
    before it for the highest and the lowest; `cases` for how many cases there are."""


PROMISES = {
    "F1": Promise(
        "Every pocket is equally likely.",
        "each pocket",
        (
            "{bytes_for_each_pocket} of {bytes_tried} bytes stand for each pocket, "
            "{bytes_thrown_away} for none"
        ),
    ),
    "F2": Promise(
        "The drawn numbers look random to every test we know.",
        "production draw",
        "{draws} numbers drawn, {tests} tests, smallest chance {smallest_chance}",
    ),
    "F4": Promise(
        "Our tests of the ball can fail: broken sources are caught.",
        "is caught",
        "{cases} broken sources, all caught",
    ),
    "F5": Promise(
        "No stream of secrets repeats, whatever is started or forked.",
        "",
        "{forks} forks and {starts} starts, {equal} equal secrets",
    ),
    "F6": Promise(
        "A broken source stops its table.",
        "the table stops",
        "{cases} broken sources, each stopped its table after {most_coups} coups at most",
    ),
    "F7": Promise(
        "The odds shown are the odds played.",
        "the exact law",
        (
            "{spots} spots and {announcements} announcements in {cases} houses, "
            "{laws_that_differ} differ"
        ),
    ),
    "F9": Promise(
        "A player can check us with one small file and Python alone.",
        "one file",
        "{coups} coups verified, {wrong} wrong, by a file of {lines_of_the_file} lines",
    ),
    "F12": Promise(
        "No stake moves the ball.",
        "balls drawn twice",
        "{times} balls drawn again with other stakes, {other_numbers} other numbers",
    ),
    "F13": Promise(
        "Every way to choose a ball that we know is found by the player's verifier, or bounded.",
        "ways to cheat",
        (
            "{ways} ways to cheat, all found; {honest_evenings} honest evenings, {false_alarms} "
            "false alarms"
        ),
    ),
    "R1": Promise(
        "An acknowledged stake survives anything.",
        "kills",
        "{kills} kills, {stakes_acknowledged} stakes acknowledged, {lost} lost",
    ),
    "R2": Promise(
        "A failing disk fails closed.",
        "",
        (
            "{break_downs} break-downs, {acknowledged} stakes acknowledged, "
            "{acknowledged_and_missing} missing"
        ),
    ),
    "R4": Promise(
        "Any failure can be replayed.",
        "seeded worlds",
        (
            "{worlds} simulated houses, {hours_of_their_time} hours of their time, {broken} "
            "promises broken"
        ),
    ),
    "R5": Promise(
        "A retry happens once.",
        "",
        "{commands} commands, {answers} answers, {happened_twice} happened twice",
    ),
    "R6": Promise(
        "No stake is taken after “no va más”.",
        "within",
        "{closes} closes, {sent_after} stakes sent after them, {accepted_after_the_close} accepted",
    ),
    "R7": Promise(
        "An interrupted coup ends well.",
        "",
        (
            "interrupted at {moments} moments of a coup at {tables} tables, and {kills} kills "
            "with {gaps} gaps"
        ),
    ),
    "R8": Promise(
        "The log cannot be altered unseen.",
        "",
        "{tried} alterations tried, {found} found",
    ),
    "R9": Promise(
        "The past can be played again.",
        "",
        (
            "{events} events played again, {purses_that_differ} purses and {numbers_that_differ} "
            "numbers differ"
        ),
    ),
    "R10": Promise(
        "A restart is short.",
        "a restart",
        "the first stake {seconds} s after a start, with {events_in_the_log} events in the log",
    ),
    "R11": Promise(
        "Durability is cheap.",
        "stakes of",
        (
            "{acknowledgements_for_each_commit} acknowledgements a commit, {ratio} of the speed "
            "in memory"
        ),
    ),
    "R12": Promise(
        "A slow client hurts nobody.",
        "sockets at one table",
        (
            "{gaps} gaps for the others; p99 {p99_ms_of_bursts_of_400} ms, without the slow one "
            "{p99_ms_without_it} ms"
        ),
    ),
    "R13": Promise(
        "Each post does its own work and no other.",
        "routes × posts",
        "{let_through} requests let through and {refused} refused, as the matrix says",
    ),
    "R14": Promise(
        "Sockets are as safe as pages, and both are safe.",
        "until the socket is ended",
        "{cases} ways to end a session, the socket ends within {most_took} s",
    ),
    "R15": Promise(
        "No input breaks the house.",
        "requests made up",
        "{requests} made-up requests to {routes} routes, {faults} faults",
    ),
    "R16": Promise(
        "Two pairs of eyes see a number change.",
        "a called number",
        "{cases} houses, one person alone refused in each",
    ),
    "R17": Promise(
        "People are protected, from themselves if they wish.",
        "the shortest",
        "the shortest coup of {cases} houses lasts {least_seconds} s",
    ),
    "R18": Promise(
        "The house knows when not to run.",
        "refused",
        "{cases} faults, each refused",
    ),
    "R20": Promise(
        "A backup is a house.",
        "",
        "{backups} backups made during play, {restored} restored, {differences} differences",
    ),
    "R21": Promise(
        "Nothing is created between logs.",
        "",
        "{commands} commands in {cases} random evenings, {differences} differences",
    ),
    "R22": Promise(
        "An id binds its command.",
        "",
        "{altered} altered commands under a used id, {refused} refused",
    ),
    "R23": Promise(
        "Nobody alone mints.",
        "",
        "{kinds} kinds of transfer credit somebody, {tried} tried alone",
    ),
    "R24": Promise(
        "What one person or one address may cost is bounded.",
        "flooded",
        (
            "{connections_of_strangers} connections of strangers, slowest health check "
            "{most_slowest_health_ms} ms"
        ),
    ),
}
"""The promises by id: the F are of fairness, the R of what must not be lost."""

INTRODUCTION = f"""\
# Promises

What the house promises, and the tests that would see a promise broken. Each test is named by the
id of its promise. The F are about fairness, the R about what must not be lost. An id that is
missing is not promised yet.

This page is generated: `{REFRESH}` writes it again from what the tests saw when they last ran.
The last column has the main figures of that run, on a machine with two processors; all figures are
in [promises.json](promises.json). `make test` runs the ordinary variant of each test, `make soak`
the long one.

"""

TESTED = """\
## The tests

What each test shows, promise by promise. The files are in `tests/promises`.
"""

BALL = """\
## What a player can check of a drawn ball

[The player's guide](../how-to/players-guide.md#check-the-ball) shows how to check a number.
[Fairness](../explanation/fairness.md) says what the check proves, and what remains: with a text of
yours in a spin nobody could know the number before the close, and nobody chose it; one text that a
player of the house withholds makes a given number come 5.3 % of the time instead of 2.7 %.
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


def overview(seen: Seen, folder: Path = TESTS) -> str:
    """Every promise with how many tests it has, and the main figures of the last run."""
    rows = ["| id | promise | tests | what a run saw |", "|---|---|---|---|"]
    for id, promise in PROMISES.items():
        count = len(named_by(id, folder))
        link = f"[{count}](#{id.lower()})" if count else "**none**"
        rows.append(f"| {id} | {promise.text} | {link} | {main_figures(id, seen)} |")
    return "\n".join([*rows, ""])


def listed(folder: Path = TESTS) -> str:
    """The tests of each promise, in words."""
    lines = [TESTED]
    for id, promise in PROMISES.items():
        lines += [f"### {id}", "", promise.text, ""]
        for test in named_by(id, folder):
            file, _, name = test.partition("::")
            lines.append(f"- {in_words(id, name)} (`{file}`)")
        lines.append("")
    return "\n".join(lines)


def page(seen: Seen, folder: Path = TESTS) -> str:
    """The text of the page."""
    return f"{INTRODUCTION}{overview(seen, folder)}\n{BALL}\n{listed(folder)}".rstrip("\n") + "\n"


def in_words(id: str, name: str) -> str:
    """What a test shows, by its name.

    >>> in_words("R9", "test_r9_a_replay_gives_the_same_purses")
    'a replay gives the same purses'
    """
    return name.removeprefix(f"test_{id.lower()}_").replace("_s_", "’s ").replace("_", " ")


def main_figures(id: str, seen: Seen) -> str:
    """The sentence of a promise, with the figures of a run; empty if none were recorded."""
    promise = PROMISES[id]
    cases = [each for text, each in seen.get(id, {}).items() if re.search(promise.cases, text)]
    if not cases:
        return ""
    found: dict[str, Any] = {"cases": len(cases)}
    for key in {key for each in cases for key in each}:
        values = [each[key] for each in cases if key in each]
        name = key.replace(" ", "_")
        if all(isinstance(value, int | float) for value in values):
            found |= {name: sum(values), f"most_{name}": max(values), f"least_{name}": min(values)}
    shown = {name: formatted(value) for name, value in found.items()}
    return promise.sentence.format_map(defaultdict(lambda: UNKNOWN, shown))


def figures(folder: Path = FIGURES) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures of the tests, by promise and by what was shown."""
    seen = {}
    for id in PROMISES:
        path = folder / f"{id}.json"
        seen[id] = json.loads(path.read_text("utf-8"))["tests"] if path.exists() else {}
    return seen


def recorded(data: Path = DATA) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures in the committed data file."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(data.read_text("utf-8"))
    return found


def formatted(value: float) -> str:
    """A figure for a reader.

    >>> formatted(10_000_000), formatted(0.25), formatted(3.2e-9), formatted(1.0)
    ('10,000,000', '0.25', '3.2e-09', '1')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def main() -> None:
    """Writes the data file and the page; a promise whose tests did not run keeps its figures."""
    new = {id: seen for id, seen in figures().items() if seen}
    known = recorded() if DATA.exists() else {}
    seen = {id: new.get(id) or known.get(id, {}) for id in PROMISES}
    text = json.dumps(seen, ensure_ascii=False, indent=1, sort_keys=True)
    DATA.write_text(f"{text}\n", "utf-8")
    PAGE.write_text(page(seen), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)} and {DATA.relative_to(ROOT)}")
    older = [id for id in PROMISES if id not in new]
    if older:
        print(f"no new figures of {', '.join(older)}: run their tests first")


if __name__ == "__main__":
    main()
