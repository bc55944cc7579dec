"""How long the command takes to start."""

import sys
from pathlib import Path

from bench.measure import Result, benchmark, interleaved


@benchmark
def help_against_an_empty_program() -> list[Result]:
    """`novamas --help` against `python -c pass`."""
    novamas = str(Path(sys.executable).with_name("novamas"))
    ours, empty = interleaved([novamas, "--help"], [sys.executable, "-c", "pass"], runs=25)
    name = "start-up: novamas --help against python -c pass"
    return [Result(name=name, value=ours, unit="s", against=empty, at_most=4)]
