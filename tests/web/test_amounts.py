"""Amounts are whole numbers at every edge: neither `true` nor `"100"` nor `100.0` is one."""

from __future__ import annotations

import copy
import json
import typing
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from pydantic import TypeAdapter, ValidationError

from novamas.cli.arguments import whole
from novamas.cli.errors import InputError
from novamas.game.limits import Limits, LimitsError
from novamas.game.wheel import Pocket
from novamas.house.people.events import Post
from novamas.house.refusals import BadCommandError
from novamas.house.table.commands import COMMANDS
from novamas.rulebooks import load
from novamas.table.commands import PocketBall
from novamas.table.script import run_script
from novamas.table.script_fields import ScriptError
from novamas.web.app import create_app
from novamas.web.command_reader import read_command
from novamas.web.schemas import Shape
from tests.web.accounts import bearer, open_accounts
from tests.web.door import open_door, run
from tests.web.sample_commands import sample

NUMBERS: tuple[Any, ...] = (True, False, "100", 100.0, 100.5, "1e2", [100], None)
"""What is no whole number, though some would read it as one."""
FLAGS: tuple[Any, ...] = (1, 0, 1.0, "true", "yes", "1", None)
EVENING = Path(__file__).parents[2] / "docs" / "examples" / "evening.json"


def wrapped(wrong: Any) -> Iterator[Any]:
    """A value, and what it could lie in."""
    yield wrong
    yield [wrong]
    yield {"straight": wrong}
    yield {"straight": {"max": wrong}}


def refuses(taking: Callable[[Any], object], value: Any) -> bool:
    """Whether a value is not taken."""
    try:
        taking(value)
    except (ValidationError, msgspec.ValidationError, ScriptError, BadCommandError):
        return True
    return False


def every(kind: type[Shape]) -> Iterator[type[Shape]]:
    for each in kind.__subclasses__():
        yield each
        yield from every(each)


async def bodies() -> list[type[Shape]]:
    """Every shape that the house is sent."""
    async with open_door() as door:
        described = create_app(door.house, door.people).openapi()
    sent = {
        each["$ref"].rpartition("/")[2]
        for path in described["paths"].values()
        for route in path.values()
        for content in route.get("requestBody", {}).get("content", {}).values()
        # A body that may be left out is one of several shapes.
        for each in content["schema"].get("anyOf", [content["schema"]])
        if each != {"type": "null"}
    }
    found = {each.__name__: each for each in every(Shape)}
    return [found[name] for name in sorted(sent)]


@run
async def test_no_body_takes_for_a_number_or_a_flag_what_is_none() -> None:
    checked = 0
    for kind in await bodies():
        for name, field in kind.model_fields.items():
            kept: Any = Annotated[(field.annotation, *field.metadata, name)]
            adapter: TypeAdapter[Any] = TypeAdapter(kept)
            schema = json.dumps(adapter.json_schema())
            wrong = NUMBERS if '"integer"' in schema else FLAGS if '"boolean"' in schema else ()
            optional = '"null"' in schema
            for value in (each for one in wrong for each in wrapped(one)):
                if value is None and optional:
                    continue
                assert refuses(adapter.validate_python, value), f"{kind} {name} took {value!r}"
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("amount", NUMBERS)
@run
async def test_the_cash_desk_takes_whole_numbers(amount: Any) -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        await accounts.known("carl", Post.CASHIER)
        cashier = bearer(await accounts.signed("carl", Post.CASHIER))
        for way in ("in", "out"):
            body = {"amount": amount, "id": "c1"}
            answer = await accounts.http.post(f"/api/desk/ana/{way}", json=body, headers=cashier)
            assert answer.status_code == 422
            assert answer.json()["why"] == "not_understood"
        assert accounts.people.registry.register.has("ana") == 0


def typed(name: str) -> dict[str, Any]:
    return typing.get_type_hints(COMMANDS[name], include_extras=True)


def reading(name: str, field: str, value: Any) -> object:
    """A command with this value in one of its fields, as the house reads it."""
    return read_command(name, {**sample(name, player="ana"), field: value}, by="ana")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_command_takes_for_a_number_or_a_flag_what_is_none(name: str) -> None:
    for field, kind in typed(name).items():
        said = str(kind)
        assert "Any" not in said, f"{name}.{field} takes anything"
        is_number = kind is int or "int" in said.replace("print", "")
        wrong = NUMBERS if is_number else FLAGS if kind is bool else ()
        for value in (each for one in wrong for each in wrapped(one)):
            if value is None and "None" in said:
                continue
            taking = partial(msgspec.convert, type=kind, strict=True)
            if kind == Pocket:
                # It may be the text of a further zero, which no type can tell from others.
                taking = partial(reading, name, field)
            assert refuses(taking, value), f"{name}.{field} took {value!r}"


@pytest.mark.parametrize("amount", NUMBERS)
def test_no_stake_and_no_purchase_is_of_what_is_no_number(amount: Any) -> None:
    stake = {"id": "b1", "player": "ana", "on": "17", "amount": amount}
    with pytest.raises(BadCommandError, match="amount"):
        read_command("PlaceStake", stake, by="ana")
    with pytest.raises(BadCommandError, match="amount"):
        read_command("BuyChips", {"player": "ana", "amount": amount}, by="ana")


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where whole numbers stand."""
    if type(node) is int:
        yield path
    inner = node.items() if isinstance(node, dict) else enumerate(node) if path_like(node) else ()
    for key, value in inner:
        yield from leaves(value, (*path, key))


def path_like(node: Any) -> bool:
    return isinstance(node, list)


def test_no_script_has_an_amount_that_is_no_number() -> None:
    script = json.loads(EVENING.read_text("utf-8"))
    script = script[0] if isinstance(script, list) else script
    script.pop("expect")  # It is compared with what came out, and moves nothing.
    places = list(leaves(script))
    assert places
    for place in places:
        for wrong in NUMBERS[:5]:
            changed = copy.deepcopy(script)
            node = changed
            for key in place[:-1]:
                node = node[key]
            node[place[-1]] = wrong
            playing = partial(run_script, load=load)
            assert refuses(playing, changed), f"{place} took {wrong!r}"


@pytest.mark.parametrize("wrong", [each for each in NUMBERS if each is not None])
def test_no_placard_has_a_limit_that_is_no_number(wrong: Any) -> None:
    for key in ("min", "max"):
        assert Limits.of({"straight": {key: 100}}) is not None
        with pytest.raises(LimitsError):
            Limits.of({"straight": {key: wrong}})


@pytest.mark.parametrize("text", ["true", "1.0", "1.5", "١٠٠", "１００", "0x10", "", " "])
def test_no_option_is_a_number_that_is_none(text: str) -> None:
    with pytest.raises(InputError):
        whole(text, least=0, most=10**6, what="--port")


def test_a_pocket_is_a_whole_number_or_a_further_zero() -> None:
    for number in (0, 36, "00", "000"):
        assert reading("PocketBall", "number", number) == PocketBall(by="ana", number=number)
    wrong: tuple[Any, ...] = ("0", "17", "0 0", "", "٠٠", "00x", None, 0.0, True)
    for value in wrong:
        with pytest.raises(BadCommandError, match="number"):
            reading("PocketBall", "number", value)
