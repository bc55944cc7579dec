"""The published OpenAPI document: complete, described, and free of names that collide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from novamas.web import field_texts
from novamas.web.app import PUBLISHED_ROUTERS, create_app
from novamas.web.auth import COOKIE, SAFE_COOKIE
from novamas.web.openapi import SECURITY, SIGNED_IN, TAGS
from novamas.web.permissions import ANYBODY, ROUTES
from novamas.web.server import LocalHouse, Options
from novamas.web.socket_schema import socket_schema
from tests.web.door import Role, open_door, run

LOCAL = LocalHouse(Options())
DOCUMENT: dict[str, Any] = create_app(LOCAL.house, LOCAL.people).openapi()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
SCHEMAS = DOCUMENT["components"]["schemas"]
SAYS_MORE = {
    "GET /api/mode",
    "GET /api/tables",
    "GET /api/tables/{table}",
    "GET /api/tables/{table}/coups",
    "GET /api/tables/{table}/coups/{coup}/bets",
    "GET /api/tables/{table}/decisions",
    "GET /api/tables/{table}/events",
    "GET /api/tables/{table}/why",
}
"""The routes for anybody that say more to somebody who is signed in."""


def test_every_route_of_programs_is_published() -> None:
    asked = {row for row in ROUTES if re.match(r"(GET|POST|PUT|DELETE) /api/", row)}
    assert OPERATIONS.keys() == asked
    assert sum(len(each.routes) for each in PUBLISHED_ROUTERS) == len(OPERATIONS) + 1  # /metrics


@pytest.mark.parametrize("row", OPERATIONS)
def test_an_operation_has_a_short_id_a_tag_and_a_description(row: str) -> None:
    operation = OPERATIONS[row]
    assert re.fullmatch(r"[a-z]+(_[a-z]+){1,3}", operation["operationId"])
    (tag,) = operation["tags"]
    assert tag in {each["name"] for each in TAGS}
    assert re.match(r"[A-Z].+\.", operation["description"])
    assert operation["summary"]
    for parameter in operation.get("parameters", ()):
        assert parameter["description"], parameter


def test_operation_ids_are_unique() -> None:
    ids = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(ids)) == len(ids)


def test_every_tag_is_described_and_used() -> None:
    assert DOCUMENT["tags"] == TAGS
    assert all(each["description"] for each in TAGS)
    used = {operation["tags"][0] for operation in OPERATIONS.values()}
    assert used == {each["name"] for each in TAGS}
    assert DOCUMENT["info"]["description"]


@pytest.mark.parametrize("row", OPERATIONS)
def test_the_security_of_an_operation_is_that_of_the_matrix(row: str) -> None:
    operation = OPERATIONS[row]
    if ANYBODY not in ROUTES[row]:
        assert operation["security"] == SIGNED_IN
        assert f"For: {', '.join(sorted(ROUTES[row]))}." in operation["description"]
        assert {"401", "403"} <= operation["responses"].keys()
    elif row in SAYS_MORE:
        assert operation["security"] == [{}, *SIGNED_IN]
    else:
        assert operation["security"] == []


@run
async def test_the_security_schemes_are_what_the_house_takes() -> None:
    assert DOCUMENT["components"]["securitySchemes"] == SECURITY
    assert (SECURITY["cookie"]["name"], SECURITY["local_cookie"]["name"]) == (SAFE_COOKIE, COOKIE)
    async with open_door() as door:
        token = door.session(Role.PLAYER, "ana").token
        shown = [
            ("http", {"Authorization": f"Bearer {token}"}, 200),
            ("http", {"Cookie": f"{COOKIE}={token}"}, 200),
            ("https", {"Cookie": f"{SAFE_COOKIE}={token}"}, 200),
            ("http", {"Cookie": f"{SAFE_COOKIE}={token}"}, 401),
            ("http", {}, 401),
        ]
        for scheme, headers, status in shown:
            answer = await door.http.get(f"{scheme}://127.0.0.1/api/me", headers=headers)
            assert answer.status_code == status, (scheme, headers)


@pytest.mark.parametrize("row", OPERATIONS)
def test_every_answer_is_described(row: str) -> None:
    responses = OPERATIONS[row]["responses"]
    assert any(status.startswith("2") for status in responses)
    for status, response in responses.items():
        assert response["description"], status
        if not status.startswith("2"):
            schema = response["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}
    takes = {"requestBody", "parameters"} & OPERATIONS[row].keys()
    assert "422" in responses or not takes
    assert {"400", "413"} <= responses.keys() or "requestBody" not in OPERATIONS[row]
    assert {"421", "429", "503"} <= responses.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_and_every_field_is_described(name: str) -> None:
    schema = SCHEMAS[name]
    assert schema.get("title", name) == name
    assert re.match(r"[A-Z`].+[.\"`]$", schema["description"], re.DOTALL)
    for field, each in schema.get("properties", {}).items():
        if "$ref" in each and name in ("EventData", "CommandFields"):
            continue  # What it refers to has the name of the field.
        assert re.match(r"[A-Z`].+\.$", each["description"]), (name, field)


def test_the_socket_describes_every_field_of_a_command_and_of_an_event() -> None:
    schema = socket_schema()
    for part, key in (("commands", "with"), ("events", "data")):
        for name, each in schema[part].items():
            assert each[key]["description"], name
            for field, told in each[key]["properties"].items():
                assert told["description"], (name, field)


def test_no_two_names_become_the_same_name_in_a_client() -> None:
    """A client names a nested shape after its schema and its field: `Book` and `title`."""
    names = [name.lower() for name in SCHEMAS]
    assert len(set(names)) == len(names)
    nested = {
        f"{name}{field.replace('_', '')}".lower()
        for name, schema in SCHEMAS.items()
        for field, each in schema.get("properties", {}).items()
        if {"enum", "additionalProperties"} & each.keys()
    }
    assert len(nested) > 10
    assert nested.isdisjoint(names)


def test_no_schema_is_true_or_false() -> None:
    """Many generators cannot read a schema that is a mere boolean."""

    def look(part: Any, at: str) -> None:
        if isinstance(part, dict):
            assert not isinstance(part.get("items", {}), bool), at
            for key, value in part.items():
                look(value, f"{at}.{key}")
        elif isinstance(part, list):
            for number, value in enumerate(part):
                look(value, f"{at}[{number}]")

    look(DOCUMENT, "")


def test_every_common_description_is_used() -> None:
    """A description that no field uses has lost its field."""
    shown = {
        each.get("description")
        for schema in SCHEMAS.values()
        for each in schema.get("properties", {}).values()
    }
    assert set(field_texts.COMMON.values()) <= shown


# Pockets ------------------------------------------------------------------------------------------


def either_number_or_text(schema: Any) -> Iterator[list[dict[str, Any]]]:
    """The unions that may be a whole number or a text."""
    if isinstance(schema, list):
        for each in schema:
            yield from either_number_or_text(each)
    elif isinstance(schema, dict):
        forms = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
        if {"integer", "string"} <= {each.get("type") for each in forms}:
            yield forms
        for each in schema.values():
            yield from either_number_or_text(each)


def test_a_pocket_is_a_number_of_the_wheel_or_a_further_zero() -> None:
    found = [*either_number_or_text(SCHEMAS), *either_number_or_text(socket_schema())]
    assert len(found) > 30
    for number, text in found:
        assert number == {"type": "integer", "minimum": 0, "maximum": 36}
        assert text == {"type": "string", "pattern": "^00+$"}
        assert re.search(text["pattern"], "00")
        assert not re.search(text["pattern"], "0")
    for name in ("TableView", "CoupView", "BallPocketed", "PocketBall"):
        assert [*either_number_or_text(SCHEMAS[name])], name


@run
async def test_a_rulebook_with_a_double_zero_is_published() -> None:
    async with open_door() as door:
        book = (await door.http.get("/api/rulebooks/sd")).json()
    assert len(book["wheel"]) == 38
    assert book["wheel"].count("00") == 1
    assert book["calls"]["numbers"].keys() == {str(pocket) for pocket in book["wheel"]}
    assert book["spots"]["0/00/1/2/3"]["numbers"] == [0, "00", 1, 2, 3]
