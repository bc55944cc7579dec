"""The page on table scripts has every command with its fields, and the example as it is."""

import inspect
import json
import re

from novamas.table import script
from scripts.ledger import ROOT

PAGE = (ROOT / "docs" / "reference" / "scripts.md").read_text("utf-8")
TAKEN = re.compile(r'\bfields\.(?:text|text_or|who|whole|flag|one|pocket|table|take|has)\("(\w+)"')


def rows(heading: str) -> dict[str, str]:
    """The first two columns of the first table below a heading."""
    text = PAGE.split(f"\n## {heading}\n")[1].split("---|\n")[1].split("\n\n")[0]
    found = re.findall(r"^\| `(\w+)`([^|]*) \| ([^|]*?) ?\| ?", text, flags=re.MULTILINE)
    return {name: fields for first, more, fields in found for name in (first, *code(more))}


def code(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def test_the_page_has_every_command_with_its_fields() -> None:
    shown = {do: set(code(fields)) for do, fields in rows("Commands").items()}
    read = {
        do: set(TAKEN.findall(inspect.getsource(function)))
        for do, function in script._COMMANDS.items()
    }
    assert shown == read


def test_the_page_explains_what_a_stake_need_not_have() -> None:
    text = PAGE.split("The fields that a stake need not have:")[1]
    explained = set(re.findall(r"^\| `(\w+)` \| \S", text.split("\n\n")[1], flags=re.MULTILINE))
    fields = set(code(rows("Commands")["stake"]))
    assert explained == fields - {"id", "player", "on", "amount", "by"}


def test_the_page_has_every_key_of_a_table() -> None:
    source = "".join(
        inspect.getsource(part) for part in (script.run_script, script.ScriptRun, script._setup)
    )
    for_the_reader = {"title", "rules", "expect"}
    assert set(TAKEN.findall(source)) - {"do"} == set(rows("The table")) - for_the_reader
    settings = re.findall(r'\bsettings\.\w+\("(\w+)"', source)
    assert set(settings) == set(re.findall(r"`(\w+)`: ", rows("The table")["settings"]))


def test_the_page_has_every_key_of_the_result() -> None:
    played = json.loads((ROOT / "tests" / "scenarios" / "scenarios.json").read_text("utf-8"))
    expected = {key for each in played for key in each["expect"]}
    result = PAGE.split("\n## The result\n")[1]
    shown = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.+?`) \| ", result, re.MULTILINE)))
    )
    assert expected <= shown
    outcome = inspect.getsource(script.ScriptRun.outcome)
    assert {*re.findall(r'^ +"(\w+)": ', outcome, re.MULTILINE)} <= shown
    assert {*re.findall(r'outcome\["(\w+)"\]', outcome)} <= shown


def test_the_page_shows_the_example_as_it_is() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    evening = json.loads((ROOT / "docs" / "examples" / "evening.json").read_text("utf-8"))
    assert json.loads(shown) == evening[0]
