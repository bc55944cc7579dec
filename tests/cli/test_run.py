"""`novamas run`: table scripts, told or as data; and scripts that cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest

from novamas import rulebooks
from tests.cli.running import bad, good, novamas
from tests.scenarios.check import SCENARIOS

STAKE = {"do": "stake", "id": "b1", "player": "ana", "on": "17", "amount": 10}
CLOSE = {"do": "no_more_bets"}


def script(*commands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "S1", "rulebook": "ar", "purses": {"ana": 100}, "script": commands, **more}


def ran(*scripts: object) -> Any:
    return json.loads(good("run", "--json", "-", stdin=json.dumps(scripts)))


def test_the_outcomes_are_a_list_in_the_order_of_the_scripts() -> None:
    number = {"do": "number", "number": 17}
    one, two = ran(script(STAKE, CLOSE, number), script(id="S2"))
    assert (one["id"], two["id"]) == ("S1", "S2")
    assert one["purses"] == {"ana": 450}
    assert one["bank"] == -350
    assert one["coups"] == [
        {
            "number": 17,
            "players": {"ana": {"won": 350, "returned": 10, "lost": 0, "held": 0}},
            "purses": {"ana": 450},
        }
    ]


def test_several_files_make_one_list(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps([script(id=name)]), "utf-8")
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert [each["id"] for each in json.loads(good("run", *files, "--json"))] == ["a", "b"]


def test_double_zero_is_a_text_in_scripts_and_outcomes() -> None:
    stake = {**STAKE, "on": "0/00"}
    number = {"do": "number", "number": "00"}
    (outcome,) = ran(script(stake, CLOSE, number, rulebook="sd"))
    assert [coup["number"] for coup in outcome["coups"]] == ["00"]
    assert outcome["purses"] == {"ana": 270}
    told = good("run", "-", stdin=json.dumps([script(stake, CLOSE, number, rulebook="sd")]))
    assert "   1      00  ana     170" in told


def test_no_scripts_are_an_empty_list() -> None:
    assert ran() == []
    assert good("run", "-", stdin="[]") == ""


def test_a_script_is_told_to_a_person() -> None:
    late = {**STAKE, "id": "b2", "on": "red", "amount": 5}
    number = {"do": "number", "number": 17}
    told = good("run", "-", stdin=json.dumps([script(STAKE, CLOSE, late, number, title="a coup")]))
    assert told.splitlines() == [
        "S1 a coup (ar)",
        "coup  number  player  won  returned  lost  held  purse",
        "   1      17  ana     350        10     -     -    450",
        "refused [2] stake b2 ana red 5: betting is closed: wait for the next coup (AR-20.a)",
        "purses: ana 450; bank -350",
    ]


def test_what_is_expected_is_not_looked_at() -> None:
    (outcome,) = ran(script(STAKE, expect={"bank": 1_000_000}))
    assert outcome["bank"] == 0


def test_all_the_scenarios_can_be_told() -> None:
    # A long title is broken into lines.
    told = " ".join(good("run", str(SCENARIOS)).split())
    for each in json.loads(SCENARIOS.read_text("utf-8")):
        assert f"{each['id']} {each['title']} ({each['rulebook']})" in told
    assert "in custody: B 180, A 80" in told
    assert "last games left: 2 1 0" in told


def test_a_rulebook_can_lie_beside_its_script(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(rulebooks.source("ar"), "utf-8")
    file = tmp_path / "script.json"
    file.write_text(json.dumps([script(rulebook="own.toml")]), "utf-8")
    assert json.loads(good("run", "--json", str(file)))[0]["purses"] == {"ana": 100}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[\n  {]", "input: line 2, column 4: not valid JSON"),
        ("", "input: line 1, column 1: not valid JSON"),
        ("{}", "input: expected a list of scripts"),
        ("[1]", "input: script 0: expected an object"),
        ("[{}]", "input: script 0.rulebook: missing"),
        ("[NaN]", "NaN is not a number in JSON"),
        (f"[{'9' * 5000}]", "a number of 5000 digits"),
        ("[" * 100_000, "not valid JSON"),
        ('[{"rulebook": "ar", "script": 5}]', "script 0.script: expected a list of commands"),
        ('[{"rulebook": 5, "script": []}]', "script 0.rulebook: expected a text, found 5"),
        ('[{"rulebook": "xx", "script": []}]', "script 0.rulebook: xx: no such rulebook"),
        ('[{"rulebook": "a\\u0000.toml", "script": []}]', "cannot be read"),
    ],
)
def test_a_file_that_is_no_list_of_scripts(text: str, said: str) -> None:
    assert said in bad("run", "-", stdin=text)
    assert said in bad("run", "--json", "-", stdin=text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"script": [STAKE, {"do": "jump"}]}, "script 1 S1.script[1].do: expected one of stake,"),
        ({"script": [{**STAKE, "amount": "x"}]}, "S1.script[0].amount: expected a whole number"),
        ({"script": [{**STAKE, "on": None}]}, "S1.script[0].on: expected a text"),
        ({"script": [{"do": "stake"}]}, "S1.script[0].player: missing"),
        ({"script": [{**STAKE, "colour": 1}]}, "S1.script[0].colour: unknown field"),
        ({"script": ["stake"]}, "S1.script[0]: expected an object"),
        ({"purses": {"ana": -1}}, "S1.purses.ana: expected a whole number"),
        ({"purses": []}, "S1.purses: expected an object"),
        ({"limits": {"straight": {"min": -1}}}, "S1.limits.straight.min: expected a whole number"),
        ({"settings": {"winning": "bank"}}, "S1.settings.winning: expected one of hand, cloth"),
    ],
)
def test_a_mistake_in_a_script_is_told_with_its_place(change: dict[str, Any], said: str) -> None:
    text = json.dumps([script(id="S0"), script(**change)])
    assert said in bad("run", "--json", "-", stdin=text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert "no such" in bad("run", str(tmp_path / "none.json")).lower()
    assert "cannot be read" in bad("run", str(tmp_path))
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'[{"id": "\xe9"}]')
    assert "byte 9 is not UTF-8" in bad("run", str(latin))


def test_a_mark_at_the_start_of_a_file_is_no_mistake() -> None:
    assert novamas("run", "--json", "-", stdin=b"\xef\xbb\xbf[]").out == "[]\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"limts": {}}, "S1.limts: unknown field; is limits meant?"),
        ({"value_chips": [["ana"]]}, "S1.value_chips: expected a list of players"),
        ({"chip": "x"}, "S1.chip: expected a whole number of at least 1, or one by player"),
        ({"chip": {"luis": 0}}, "S1.chip: expected a whole number of at least 1"),
        ({"settings": {"colours": 10**90}}, "colours: expected a whole number from 0 to 10000"),
        ({"settings": {"rotation": 0}}, "rotation: expected a whole number of at least 1"),
        ({"purses": {"management": 5}}, "script 0 S1: the table cannot be set up"),
        ({"rulebook": "a" * 5000 + ".toml"}, "cannot be read"),
        ({"script": [{"do": "pay", "payments": 0}]}, "payments: expected a whole number"),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_field(change: dict[str, Any], said: str) -> None:
    assert said in bad("run", "-", stdin=json.dumps([script(**{"script": [], **change})]))


def test_notes_of_one_s_own_are_no_mistake() -> None:
    (outcome,) = ran({**script(STAKE), "comment": "for Luis", "source": "page 3"})
    assert outcome["refused"] == []


def test_who_was_reduced_and_has_left_is_told_of_all_the_same() -> None:
    split = {**STAKE, "id": "b2", "on": "17/20", "amount": 20}
    number, leave = {"do": "number", "number": 17}, {"do": "leave", "player": "ana"}
    (outcome,) = ran(script(STAKE, split, CLOSE, number, leave, chip=10))
    assert [(each["player"], each["straights"]) for each in outcome["reductions"]] == [("ana", 2)]
    assert outcome["purses"] == {}


def test_a_spot_is_moved_to_however_it_is_written() -> None:
    lay = {**STAKE, "on": "20/17"}
    move = {"do": "move", "id": "b1", "on": "21/18"}
    correct = {"do": "correct", "id": "b1", "on": "23/20"}
    (outcome,) = ran(script(lay, move, correct, CLOSE, {"do": "number", "number": 23}))
    assert (outcome["refused"], outcome["purses"]) == ([], {"ana": 100 + 170})


def test_paint_from_outside_is_not_sent_to_the_terminal() -> None:
    told = good("run", "-", stdin=json.dumps([script(title="\x1b[31mred")]))
    assert "\x1b" not in told


@pytest.mark.parametrize("house", rulebooks.HOUSES)
def test_more_payments_than_are_due_are_refused_and_none_is_made(house: str) -> None:
    steps: list[dict[str, Any]] = [
        {"do": "pocket", "number": 17},
        {"do": "call"},
        {"do": "collect"},
    ]
    pays = [{"do": "pay", "payments": payments} for payments in (2, 1, 1)]
    (outcome,) = ran(script(STAKE, CLOSE, *steps, *pays, rulebook=house))
    assert outcome["refused"] == [5, 7]
    told = [(each["why"], each["detail"]) for each in outcome["refusals"]]
    assert told[0] == ("more_payments_than_due", "of 2 asked for, 1 due")
    assert told[1][0] == "losers_not_collected"
    assert (outcome["purses"], len(outcome["coups"])) == ({"ana": 450}, 1)
