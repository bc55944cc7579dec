"""Compares the table's outcome of a script with the model's."""

import json
from typing import Any

from novamas.rulebooks import load_any
from novamas.table.script import run_script
from tests.properties.model.play import play
from tests.properties.model.things import Undetermined
from tests.scenarios.check import differences

Script = dict[str, Any]

ORDERS = ("payment_order", "reduction_order", "payment_order_players")


def named_in(script: Script) -> set[str]:
    """The ids that a script itself gives, and its players."""
    names = set(script["purses"])
    for command in script["script"]:
        names |= {command[key] for key in ("id", "as", "player") if key in command}
    return names


def apart(script: Script) -> list[str]:
    """Where the table's outcome is not the model's."""
    try:
        expected = play(script)
    except Undetermined:
        return []
    found = {"custody": {}, "last_games_left": [], **run_script(script, load_any)}
    orders = {key: expected.pop(key) for key in ORDERS}
    # `differences` looks at what is expected alone, so it looks once from each side.
    named = {key: found[key] for key in expected}
    wrong = list(differences(expected, named)) or list(differences(named, expected))
    known = named_in(script)
    for key, groups in orders.items():
        # A stake that a reduction made has an id of the house's choice.
        told = [name if name in known else "made" for name in found.get(key, [])]
        for group in groups:
            due = sorted(name if name in known else "made" for name in group)
            now, told = told[: len(due)], told[len(due) :]
            if sorted(now) != due:
                wrong.append(f"{key}: expected {due}, found {now}")
        wrong += [f"{key}: {name} found" for name in told]
    return wrong


def smallest(script: Script) -> Script:
    """The script without whatever its difference does not need."""
    while True:
        less = smaller(script)
        if less is None:
            return script
        script = less


def smaller(script: Script) -> Script | None:
    """A script with a little less in it that still comes out differently."""
    commands = script["script"]
    for index in reversed(range(len(commands))):
        less = {**script, "script": commands[:index] + commands[index + 1 :]}
        if apart(less):
            return less
    for player in script["purses"]:
        purses = {name: purse for name, purse in script["purses"].items() if name != player}
        if purses and isinstance(script.get("chip", 1), int):
            less = {**script, "purses": purses}
            less["value_chips"] = [one for one in script.get("value_chips", []) if one != player]
            if apart(less):
                return less
    for kind in script.get("limits", {}):
        limits = {name: both for name, both in script["limits"].items() if name != kind}
        less = {**script, "limits": limits}
        if apart(less):
            return less
    return None


def told(script: Script) -> str:
    """The smallest such script, as a file that `novamas run` takes, and what is apart."""
    script = smallest(script)
    return "\n".join([json.dumps([script]), *apart(script)])
