"""The page of the socket: current, complete, and true in its examples."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.ball import fair_draw
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import EVENTS, BallMode
from novamas.table import commands
from novamas.web.command_reader import Request, read_command
from novamas.web.permissions import MESSAGES
from novamas.web.socket_schema import socket_schema
from scripts import socket_page
from tests.web.door import Role, open_door, run

PAGE = socket_page.PAGE.read_text("utf-8")
SCHEMA = socket_schema()


def section(heading: str) -> str:
    """What stands under a heading, up to the next one."""
    found = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None, heading
    return found[1]


def example(heading: str) -> dict[str, Any]:
    """The example under a heading."""
    found = re.search(r"```json\n(.*?)\n```", section(heading), re.DOTALL)
    assert found is not None, heading
    shown: dict[str, Any] = json.loads(found[1])
    return shown


def check(part: dict[str, Any], message: object) -> None:
    """Holds a message against its schema."""
    jsonschema_rs.validate({**part, "$defs": SCHEMA["$defs"]}, message)


def test_the_page_is_current() -> None:
    assert socket_page.page() == PAGE, f"run `{socket_page.REFRESH}`"


def test_the_page_has_every_command_once() -> None:
    listed = [name for names in socket_page.GROUPS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_stands_there_with_its_fields_and_who_may_give_it(name: str) -> None:
    told = section(name)
    fields = set(COMMANDS[name].__dataclass_fields__) - {"by"}
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| ([^|]+) \|$", told, re.MULTILINE)
    assert {field for field, _, _ in rows} == fields
    assert all(kind and meaning for _, kind, meaning in rows)
    posts = ", ".join(sorted(MESSAGES[name] - {"management"}))
    assert f"For: {posts}." in told


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_example_of_a_command_can_be_read(name: str) -> None:
    shown = example(name)
    request = msgspec.convert(shown, type=Request)
    assert request.do == name
    assert type(read_command(request.do, request.with_, by="ana")) is COMMANDS[name]
    check(SCHEMA["request"], shown)
    check(SCHEMA["commands"][name]["with"], request.with_)


@run
async def test_the_house_understands_every_example() -> None:
    """Each reaches the table, which does it or refuses it by a rule."""
    answers: dict[str, dict[str, Any]] = {}
    async with open_door() as door:
        await door.set_up("t", "it")
        roles = (Role.PLAYER, Role.CROUPIER, Role.CHIEF, Role.CASHIER)
        people = {
            role: door.session(role, "ana" if role is Role.PLAYER else None) for role in roles
        }
        listed = [name for names in socket_page.GROUPS.values() for name in names]
        for name in sorted(listed, key=("SeePlayerOff", "Leave").__contains__):  # These come last.
            role = next(each for each in people if each in MESSAGES[name])
            async with door.socket("t", people[role]) as socket:
                shown = example(name)
                answers[name] = await socket.give(
                    shown["do"], under=f"page {name}", **shown.get("with", {})
                )
    assert answers.keys() == COMMANDS.keys()
    assert not {name: each for name, each in answers.items() if "problem" in each}
    assert {"Sit", "BuyChips", "PlaceStake", "Announce"} <= {
        name for name, each in answers.items() if "ack" in each
    }
    assert "command_not_understood" not in {each.get("why") for each in answers.values()}


@pytest.mark.parametrize("name", ["clock", "ack", "refused", "problem"])
def test_the_example_of_a_message_is_as_the_schema_says(name: str) -> None:
    check(SCHEMA[name], example(name))


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_an_event_stands_there_with_its_fields_and_who_sees_it(name: str) -> None:
    told, schema = section(name), SCHEMA["events"][name]
    rows = re.findall(r"^\| `(\w+)` \| .+? \| ([^|]+) \|$", told, re.MULTILINE)
    assert {field for field, _ in rows} == set(schema["data"]["properties"])
    assert f"For {schema['for']}." in told
    private = {field for field, meaning in rows if "*Private.*" in meaning}
    assert private == set(schema["only_yours"])


@pytest.mark.parametrize("code", sorted(SCHEMA["closes"]))
def test_every_code_with_which_the_house_closes_stands_there(code: str) -> None:
    assert f"| {code} | {SCHEMA['closes'][code]} |" in section("How the house closes a connection")


def test_every_link_leads_to_a_heading() -> None:
    headings = {
        re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-")
        for each in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= headings


# The hash of a nonce, byte for byte ---------------------------------------------------------------


def test_the_test_vector_of_the_page_is_what_the_house_computes() -> None:
    told = section("The draw")
    rows = re.findall(r"^\| .+ \| `([0-9a-f]{8})` \| `([0-9a-f]+)` \|$", told, re.MULTILINE)
    fields = [bytes.fromhex(field) for _, field in rows]
    assert [int(length, 16) for length, _ in rows] == [len(field) for field in fields]
    table, spin, commitment, player, nonce = (field.decode() for field in fields[1:])
    assert fields[0] == b"novamas nonce 1"
    found = re.search(r"```text\n([0-9a-f]{64})\n```", told)
    assert found is not None
    framed = bytes.fromhex("".join(length + field for length, field in rows))
    assert hashlib.sha256(framed).hexdigest() == found[1]
    assert fair_draw.nonce_hash(table, int(spin), commitment, player, nonce) == found[1]
    assert found[1] == "79b0b2efbb73c33496df6def4c6761544693f9e3b94cfdf043414bd79e0cb104"


def by_the_page(*fields: str) -> str:
    """The hash of a nonce, written as the page says it and not as the house does it."""
    framed = b""
    for field in ("novamas nonce 1", *fields):
        text = field.encode("utf-8")
        framed += bytes([0, 0, len(text) // 256, len(text) % 256]) + text
    return hashlib.sha256(framed).hexdigest()


@pytest.mark.parametrize(
    "nonce", ["seven 00112233445566778899aabbccddeeff", "щастие ✓ 77", "x" * 128]
)
@run
async def test_a_nonce_that_is_hashed_as_the_page_says_is_taken(nonce: str) -> None:
    async with open_door() as door:
        await door.set_up("sala 1", "es", ball=BallMode.DRAWN)
        async with door.socket("sala 1", door.session(Role.PLAYER, "Ána")) as socket:
            await socket.must("Sit")
            draw = socket.table["draw"]
            bound = ("sala 1", str(draw["spin"]), draw["commitment"], "Ána")
            commits = {"commitment": draw["commitment"], "hash": by_the_page(*bound, nonce)}
            await socket.must("CommitNonce", **commits)
            state = door.house.tables["sala 1"].house_table.state
            launches, closes = state.who_may(Act.LAUNCH_BALL), state.who_may(Act.CLOSE_BETTING)
            await door.must("sala 1", commands.LaunchBall(by=launches or ""))
            await door.must("sala 1", commands.CloseBetting(by=closes or ""))
            assert (await socket.give("OpenNonce", nonce=nonce + " "))["why"] == "nonce_not_valid"
            answer = await socket.must("OpenNonce", nonce=nonce)
            event = (await socket.until(answer["seq"]))[-1]
    assert (event["type"], event["data"]["nonce"]) == ("NonceOpened", nonce)
