"""What the page of the house shows is what the house does."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from novamas.house.people.events import Post as Role
from novamas.house.table.croupier import Pace
from novamas.web.app import create_app
from novamas.web.server import LocalHouse, Options
from novamas.web.socket import BAD_AFTER, BAD_TOKEN, ELSEWHERE, NO_TABLE, RESTART, TRY_AGAIN
from tests.web.door import Door, Socket, run
from tests.web.serving import served

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "house.md").read_text("utf-8")


def block(mark: str) -> str:
    """The block of the page that follows a mark."""
    found = re.search(rf"<!-- {mark} -->\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@run
async def test_the_conversation_of_the_page_goes_as_it_says() -> None:
    local = LocalHouse(Options())
    await local.open()
    door = Door(local.house, local.people, create_app(local.house, local.people))
    ana = door.session(Role.PLAYER, "ana")
    shown: list[dict[str, Any]] = []
    lines = block("played").replace("\n   ", " ").splitlines()
    async with door.socket("bg", ana) as socket:
        for line in lines:
            arrow, _, told = line.partition(" ")
            if arrow == "→":
                await check(socket, shown)
                socket.say(told)
            else:
                assert arrow == "←"
                shown.append(json.loads(told.replace(", …", "")) | {"…": "…" in told})
        await check(socket, shown)
    await door.http.aclose()
    await local.close()
    assert sum(line.startswith("→") for line in lines) == 6


async def check(socket: Socket, shown: list[dict[str, Any]]) -> None:
    """What is shown has come, in either order; when it was is not the page's to know."""
    came = [await socket.receive() for _ in shown]
    for said in came:
        if "at" in said:
            said["at"] = 1_700_000_000_000
    for told in shown:
        left_out = told.pop("…")
        assert any(holds(said, told) if left_out else said == told for said in came), told
    shown.clear()


def holds(said: Any, told: Any) -> bool:
    """Whether something says all that it is shown to say, and perhaps more."""
    if isinstance(said, dict) and isinstance(told, dict):
        return all(key in said and holds(said[key], value) for key, value in told.items())
    return bool(said == told)


def test_the_client_of_the_page_plays() -> None:
    names: dict[str, Any] = {}
    exec(compile(block("executed"), "docs/reference/house.md", "exec"), names)  # noqa: S102 - our own page
    with served() as house:
        seq = asyncio.run(names["evening"](house.url, house.guest("ana")))
        assert seq > 0


@run
async def test_every_route_of_the_page_is_there_and_the_other_way_round() -> None:
    told = set(re.findall(r"^\| `(GET|POST|PUT|DELETE) (/api/[^`]*)`", PAGE, re.MULTILINE))
    told |= {("GET", "/api/rulebooks/{id}"), ("GET", "/api/rulebooks/{id}/cloth.svg")}
    app = create_app(LocalHouse(Options()).house, LocalHouse(Options()).people)
    paths = app.openapi()["paths"]
    there = {(how.upper(), path) for path, methods in paths.items() for how in methods}
    assert told == there - {("GET", "/api/health")}


def test_the_codes_of_the_page_are_those_of_the_house() -> None:
    told = {int(code) for code in re.findall(r"^\| (\d{4}) \|", PAGE, re.MULTILINE)}
    assert told == {RESTART, TRY_AGAIN, BAD_AFTER, BAD_TOKEN, NO_TABLE, ELSEWHERE}


@pytest.mark.parametrize(
    ("told", "is_so"),
    [
        ("betting is open for 20 seconds", Pace().betting == 20),
        ("called 5 seconds before the launch", Pace().warning == 5),
        ("the ball runs for 5 seconds", Pace().launched == 5),
        ("for 5 more while players' texts are opened", Pace().running == 5),
        ("the ball falls into its pocket within 3 seconds", Pace().falling == 3),
        ("within 5.5 seconds after that", Pace().called + Pace().paying == 5.5),
    ],
)
def test_the_pace_of_the_page_is_that_of_the_croupier(told: str, *, is_so: bool) -> None:
    assert told in " ".join(PAGE.split())
    assert is_so
