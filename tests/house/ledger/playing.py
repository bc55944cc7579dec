"""Table scripts, played in the process of the test."""

from typing import Any

from novamas.rulebooks import load_any
from novamas.table.script import ScriptRun
from novamas.table.script_fields import Fields


def played(script: dict[str, Any]) -> ScriptRun:
    """A table script played to its end."""
    run = ScriptRun(load_any(script["rulebook"]), Fields("script", script))
    for index, command in enumerate(script["script"]):
        run.play(index, Fields(f"script[{index}]", command))
    return run
