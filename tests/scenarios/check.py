"""Plays a file of table scripts with the `novamas` command and compares what comes of each.

    python -m tests.scenarios.check [FILE] [--command "novamas run --json"]

A script says what must come of it under `expect`; only the keys named there are compared.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCENARIOS = Path(__file__).with_name("scenarios.json")


def every_script() -> list[dict[str, Any]]:
    """The scripts of every file beside this one."""
    files = sorted(SCENARIOS.parent.glob("*.json"))
    return [script for file in files for script in json.loads(file.read_text("utf-8"))]


def differences(expected: Any, found: Any, at: str = "") -> Iterator[str]:
    """Every place where what was found is not what was expected.

    >>> list(differences({"bank": 5, "coups": [{"number": 17}]}, {"bank": 5, "coups": []}))
    ['coups: expected 1 entries, found 0']
    >>> list(differences({"purses": {"ana": 10}}, {"purses": {"ana": 9, "luis": 1}}))
    ['purses.ana: expected 10, found 9']
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            inner = f"{at}.{key}" if at else key
            if key in found:
                yield from differences(value, found[key], inner)
            else:
                yield f"{inner}: missing"
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{at}: expected {len(expected)} entries, found {len(found)}"
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            yield from differences(one, other, f"{at}[{index}]")
    # True equals 1 in Python, but not in a script.
    elif expected != found or type(expected) is not type(found):
        yield f"{at}: expected {expected!r}, found {found!r}"


def main() -> None:
    """Play the file, and exit with 1 when a script does not come out as it says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=SCENARIOS)
    parser.add_argument("--command", default="novamas run --json")
    arguments = parser.parse_args()

    done = subprocess.run(
        [*shlex.split(arguments.command), arguments.file],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{arguments.command} exited with {done.returncode}: {done.stderr.strip()[-600:]}")
    outcomes = {outcome["id"]: outcome for outcome in json.loads(done.stdout)}
    scripts = json.loads(arguments.file.read_text("utf-8"))
    failed = 0
    for script in scripts:
        found = list(differences(script["expect"], outcomes.get(script["id"])))
        failed += bool(found)
        for line in found:
            print(f"    {script['id']} {line}")
    print(f"    {len(scripts) - failed} scripts as expected, {failed} not")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
