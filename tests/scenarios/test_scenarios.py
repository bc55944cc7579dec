"""Every table script comes out as it says, played by the command in this process."""

import contextlib
import io
import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from tests.scenarios.check import differences, every_script


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, id=script["id"], marks=pytest.mark.rule(*script["rules"]))
        for script in every_script()
    ],
)
def test_the_script_comes_out_as_it_says(script: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps([script]), "utf-8")
    printed = io.StringIO()
    (command,) = entry_points(group="console_scripts", name="novamas")
    with contextlib.redirect_stdout(printed):
        code = command.load()(["run", "--json", str(file)])
    assert not code
    (outcome,) = json.loads(printed.getvalue())
    assert outcome["id"] == script["id"]
    assert not list(differences(script["expect"], outcome))
