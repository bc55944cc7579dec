"""Every command that prints JSON prints the shape that is written down for it, and no other."""

import asyncio
import json
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

import pytest

from novamas.cli.json_shapes import ANSWERS, BACKUP, COPY, SCRIPTS, STORE, Answer, is_shape, keys_of
from novamas.cli.parser import build_parser
from novamas.cli.parser_tree import arguments, leaves
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.table.events import BallMode
from novamas.table.state import Setup
from scripts.json_page import PAGE, REFRESH, page
from scripts.ledger import ROOT
from tests.cli.running import good
from tests.promises.drawn import drawn_table
from tests.web.serving import served

HOUSE = ("verify", "backup", "restore")


def differences(data: Any, shape: Any, where: str = "answer") -> Iterator[str]:
    """Where data is not of a shape: a missing or unknown key, a value of another kind."""
    origin, arguments = get_origin(shape), get_args(shape)
    if origin is Annotated:
        yield from differences(data, arguments[0], where)
    elif origin in (Union, types.UnionType):
        tried = [list(differences(data, each, where)) for each in arguments]
        if all(tried):
            yield from min(tried, key=len)
    elif origin is list and isinstance(data, list):
        for place, each in enumerate(data):
            yield from differences(each, arguments[0], f"{where}[{place}]")
    elif origin is dict and isinstance(data, dict):
        for key, each in data.items():
            yield from differences(each, arguments[1], f"{where}.{key}")
    elif is_shape(shape) and isinstance(data, dict):
        keys = keys_of(shape)
        needed = {name for name, key in keys.items() if not key.optional}
        yield from (f"{where}: {name} is missing" for name in sorted(needed - data.keys()))
        yield from (f"{where}: {name} is not documented" for name in data.keys() - keys.keys())
        for name in data.keys() & keys.keys():
            yield from differences(data[name], keys[name].kind, f"{where}.{name}")
    elif is_shape(shape):
        yield f"{where}: {data!r} is no {shape.__name__}"
    else:
        # A whole number is also a number; true is neither.
        taken = (int, float) if shape is float else origin or shape
        if not isinstance(data, taken) or (isinstance(data, bool) and shape is not bool):
            yield f"{where}: {data!r} is not {shape}"


def asked(kind: str) -> list[Any]:
    """The examples of the game's commands, or of the house's."""
    return [
        pytest.param(answer.shape, example, id=" ".join(example))
        for answer in ANSWERS
        for example in answer.examples
        if answer.command != "tell" and (answer.command.split()[0] in HOUSE) == (kind == "house")
    ]


def answer_of(command: str) -> Answer:
    (found,) = (each for each in ANSWERS if each.command == command)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of a drawn table and one with a wheel, and its backup."""
    path = tmp_path_factory.mktemp("house")

    async def play() -> None:
        store = SqliteStore(path / STORE)
        async with drawn_table(store=store, name="es", rulebook="es") as table:
            await table.house.set_up("wheel", "ar", Setup(), ball=BallMode.WHEEL)
            await table.seat("ana", 1_000, nonce="17 y medio")
            for _ in range(3):
                await table.stake("ana", "17", 10)
                await table.coup()

    asyncio.run(play())
    good("backup", str(path / STORE), str(path / f"first-{BACKUP}"))
    return path


@pytest.mark.parametrize(("shape", "example"), asked("game"))
def test_an_answer_about_the_game_has_its_shape(shape: Any, example: tuple[str, ...]) -> None:
    argv = [
        str(ROOT / "docs" / "examples" / SCRIPTS) if word == SCRIPTS else word for word in example
    ]
    assert list(differences(json.loads(good(*argv, "--json")), shape)) == []


@pytest.mark.parametrize(("shape", "example"), asked("house"))
def test_an_answer_about_a_house_has_its_shape(
    shape: Any, example: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    made = {STORE: folder / STORE, BACKUP: tmp_path / BACKUP, COPY: tmp_path / COPY}
    if example[0] == "restore":
        made[BACKUP] = folder / f"first-{BACKUP}"
    argv = [str(made.get(word, word)) for word in example]
    data = json.loads(good(*argv, "--json"))
    assert list(differences(data, shape)) == []
    assert data["sound"] is True
    assert data["problems"] == []


@pytest.mark.slow
def test_the_answer_of_a_table_has_its_shape(tmp_path: Path) -> None:
    token = tmp_path / "ana.token"
    with served() as house:
        token.write_text(house.guest("ana"))
        told = good("tell", house.url, "es", "Sit", "--token", str(token), "--json")
    assert list(differences(json.loads(told), answer_of("tell").shape)) == []


def test_every_command_that_prints_json_is_on_the_page() -> None:
    assert {answer.command.partition(" --")[0] for answer in ANSWERS} == with_json()


def with_json() -> set[str]:
    """The commands that have `--json`."""
    return {
        " ".join(leaf.words)
        for leaf in leaves(build_parser())
        if any("--json" in action.option_strings for action in arguments(leaf.parser))
    }


def test_the_page_is_what_the_types_say() -> None:
    assert PAGE.read_text("utf-8") == page(), f"`{REFRESH}` writes it anew"


def test_every_key_is_explained_or_explains_itself() -> None:
    rows = [line.split(" | ") for line in page().splitlines() if line.startswith("| `")]
    bare = {key.strip("|` ") for key, _, said in rows if not said.strip("| ")}
    named = {"target", "stop_loss", "variance", "skewness", "value"}
    assert bare <= named | {"sorted", "by_position", "by_number"}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"chips": 5, "wins": {"straight": 175}}, []),
        ({"chips": 5}, ["answer: wins is missing"]),
        ({"chips": 5, "wins": {}, "more": 1}, ["answer: more is not documented"]),
        ({"chips": 5.0, "wins": {}}, ["answer.chips: 5.0 is not <class 'int'>"]),
        ({"chips": True, "wins": {}}, ["answer.chips: True is not <class 'int'>"]),
        ([], ["answer: [] is no PaysRow"]),
    ],
)
def test_another_shape_is_seen(data: Any, found: list[str]) -> None:
    (row,) = get_args(keys_of(answer_of("pays").shape)["pays"].kind)
    assert list(differences(data, row)) == found


# What was missing ---------------------------------------------------------------------------------


def test_settle_has_the_choice_that_the_text_offers() -> None:
    data = json.loads(good("settle", "es", "0", "ana rojo:51 17:5", "--json"))
    (choice,) = data["choices"]
    assert (choice["player"], choice["on"], choice["amount"]) == ("ana", "red", 51)
    assert (choice["half"]["returned"], choice["half"]["lost"]) == (26, 25)
    assert choice["half"]["articles"] == ["ES-7.2.b1", "ES-7.2.b2"]
    assert choice["prison"]["held"] == 51
    for argv in (
        ("es", "0", "ana rojo:50", "--last"),
        ("it", "0", "ana red:50"),
        ("es", "1", "a 17:5"),
    ):
        assert json.loads(good("settle", *argv, "--json"))["choices"] == []


def test_odds_have_the_warnings_that_the_text_prints() -> None:
    (warning,) = json.loads(good("odds", "it", "red:1", "--json"))["warnings"]
    assert (warning["on"], warning["amount"]) == ("red", 1)
    assert warning["articles"]
    assert warning["text"] in " ".join(good("odds", "it", "red:1").split())
    assert json.loads(good("odds", "it", "red:10", "--json"))["warnings"] == []
    limited = good("odds", "it", "red:9", "--limits", "simple:1-9", "--json")
    assert json.loads(limited)["warnings"] == []
