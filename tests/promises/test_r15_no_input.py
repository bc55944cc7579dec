"""R15: no input breaks it. Requests of every shape, and frames of every kind.

No answer is a fault of the house, nothing is logged, no table is lost, and where nothing was done
no log and no account has moved.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from enum import Enum
from typing import Any, Self, TypeVar, get_args, get_type_hints

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novamas.house.log.verify import verify_table
from novamas.house.people.events import Post as Role
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import BallMode
from novamas.rulebooks import HOUSES
from novamas.table import commands
from tests.promises.figures import SOAK, record
from tests.web.door import Door, Socket, open_door

T = TypeVar("T")
AnyCase = Case[Any]
SECONDS = 600.0 if SOAK else math.inf
"""How long requests are made up, and how long frames: the ordinary run counts them instead, so that
a busy machine makes up no fewer. It makes up 12 requests of each kind, always the same: a fault
that one in six of them shows is found nine times out of ten. `make soak` looks for rarer ones."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


class Elsewhere:
    """A house in a thread of its own: those who make up requests do not wait in its loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.faults: list[str] = []
        self._stack = AsyncExitStack()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self.door: Door

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(300)

    async def _open(self) -> None:
        self.loop.set_exception_handler(lambda _, told: self.faults.append(str(told)))
        self.door = await self._stack.enter_async_context(open_door(hosts=None))
        await self.door.set_up("t", "es")
        await self.door.set_up("d", "it", ball=BallMode.DRAWN)
        for table in ("t", "d"):
            await self.door.must(table, commands.Sit(by="ana"))
            buys = commands.BuyChips(by="croupier 1", player="ana", amount=100_000)
            await self.door.must(table, buys)
            stake = commands.PlaceStake(by="ana", id="b", player="ana", on="17", amount=50)
            await self.door.must(table, stake)

    def __enter__(self) -> Self:
        self._thread.start()
        self.call(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self._stack.aclose())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(30)
        self.loop.close()


def carried(app: ASGIApp, loop: asyncio.AbstractEventLoop) -> ASGIApp:
    """The application, called from whichever loop a request is made in."""

    async def carry(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        said: list[Message] = []

        async def given_body() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def taken(message: Message) -> None:
            said.append(message)

        inside = asyncio.run_coroutine_threadsafe(_run(app, scope, given_body, taken), loop)
        await asyncio.wrap_future(inside)
        for message in said:
            await send(message)

    return carry


async def _run(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


@pytest.fixture
def house(caplog: pytest.LogCaptureFixture) -> Iterator[Elsewhere]:
    """A house of which nothing may be heard, and whose tables must be sound at the end."""
    caplog.set_level(logging.WARNING)
    with Elsewhere() as elsewhere:
        yield elsewhere
        assert elsewhere.faults == []
        for name in ("t", "d"):
            actor = elsewhere.door.house.tables[name]
            assert actor.failed is None
            assert actor.house_table.stopped is None
            verdict = verify_table(elsewhere.door.house.store, name)
            assert verdict.problems == []
    assert [each.getMessage() for each in caplog.records if each.name != "httpx"] == []


# Requests -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def budget(seconds: float) -> Iterator[float]:
    """The moment until which things are made up."""
    yield time.monotonic() + seconds


def test_r15_no_request_breaks_it(house: Elsewhere) -> None:
    """Every route, with what fits it and what does not, by everybody."""
    schema = schemathesis.openapi.from_asgi("/openapi.json", carried(house.door.app, house.loop))
    tokens = {role: {"Authorization": f"Bearer {house.door.session(role).token}"} for role in Role}
    who: list[dict[str, str] | None] = [None, {"Authorization": "Bearer wrong"}, *tokens.values()]
    before = house.door.facts()
    answers: Counter[str] = Counter()
    operations = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    assert len(operations) == len(list(schema.get_all_operations()))
    kinds = [
        (operation, mode, path)
        for operation in operations
        for mode in GenerationMode
        for path in _paths(operation.path)
    ]
    for number, (operation, mode, path) in enumerate(kinds):
        with budget(SECONDS / len(kinds)) as until:
            strategy = operation.as_strategy(mode, path_parameters=path)
            _ask(strategy, who[number % len(who) :] + who[: number % len(who)], until, answers)
    after = house.door.facts()
    assert {name: after[name] for name in before} == before
    # Only the management makes tables.
    made = set(after) - set(before)
    assert all(len(house.door.records(name)) >= 1 for name in made)
    assert not [status for status in answers if status.startswith("5")]
    assert answers["200"] > 50
    assert answers["422"] > 50
    record(
        "R15",
        "requests made up from the published shapes: none is a fault, none moves a table",
        routes=len(operations),
        requests=sum(answers.values()),
        faults=0,
        **{f"answered_{status}": many for status, many in sorted(answers.items())},
    )


def _paths(path: str) -> list[dict[str, Any] | None]:
    """The places that a route is asked about: made up, and such as there are."""
    if "{table}" in path:
        return [None, {"table": "t"}, {"table": "d"}]
    return [None, *({"id": id} for id in HOUSES[:2])] if "{id}" in path else [None]


def _ask(
    strategy: st.SearchStrategy[AnyCase],
    who: list[dict[str, str] | None],
    until: float,
    answers: Counter[str],
) -> None:
    @hypothesis.settings(
        max_examples=100_000 if SOAK else 12,
        deadline=None,
        database=None,
        derandomize=not SOAK,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy, place=st.integers(0, len(who) - 1))
    def ask(case: AnyCase, place: int) -> None:
        if time.monotonic() > until:
            return
        response = case.call(headers=who[place])
        case.validate_response(response, checks=CHECKS)
        answers[str(response.status_code)] += 1

    # Of a route without parameters nothing can be made up that does not fit it.
    with contextlib.suppress(hypothesis.errors.Unsatisfiable):
        ask()


# Frames -------------------------------------------------------------------------------------------


def _limits(value: str) -> str:
    return '{"id":"x","do":"ChangeLimits","with":{"limits":' + value + "}}"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=12,
)
FRAMES = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    JSON.map(json.dumps),
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.just("x") | JSON,
            "do": st.sampled_from(sorted(COMMANDS)) | JSON,
            "with": st.dictionaries(
                st.sampled_from(("id", "player", "on", "amount", "limits", "post")), JSON
            )
            | JSON,
            "as": st.sampled_from(("ana", "croupier 1")) | JSON,
        },
    ).map(json.dumps),
    st.integers(1, 6000).map(lambda depth: '{"id":"x","do":"Sit","with":' + "[" * depth),
    st.integers(1, 3000).map(lambda depth: _limits("[" * depth + "]" * depth)),
    st.integers(10_000, 70_000).map(lambda size: "x" * size),
)


def _connect(house: Elsewhere, role: Role, table: str) -> Socket:
    name = "ana" if role is Role.PLAYER else role.value
    session = house.door.session(role, name)
    return house.call(house.door.socket(table, session).__aenter__())


async def _send(socket: Socket, frame: str | bytes) -> dict[str, Any]:
    """Sends a frame and gives back its answer."""
    socket.say(frame)
    while True:
        said = await socket.receive()
        if "type" not in said:
            return said


async def _unmoved(
    house: Elsewhere, socket: Socket, frame: str | bytes, seen: Counter[str]
) -> None:
    """A frame is answered; unless something was done, nothing has moved."""
    before = house.door.facts()
    answer = await _send(socket, frame)
    kind = next(each for each in ("ack", "refused", "problem") if each in answer)
    seen[kind] += 1
    if kind != "ack":
        assert house.door.facts() == before


@pytest.mark.parametrize("role", list(Role))
def test_r15_no_frame_breaks_it(role: Role, house: Elsewhere) -> None:
    """Bytes, texts, values and nearly commands."""
    seen: Counter[str] = Counter()
    sockets = {table: _connect(house, role, table) for table in ("t", "d")}

    with budget(SECONDS / 2 / len(Role)) as until:

        @hypothesis.settings(
            max_examples=1_000_000 if SOAK else 700,
            deadline=None,
            database=None,
            derandomize=not SOAK,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(frame=FRAMES, table=st.sampled_from(("t", "d")))
        def send(frame: str | bytes, table: str) -> None:
            if time.monotonic() < until:
                house.call(_unmoved(house, sockets[table], frame, seen))

        send()
    for socket in sockets.values():
        house.call(socket.hang_up())
    assert seen["problem"] > 50
    record("R15", f"frames of every kind, from {role.spoken}: none is a fault", **seen)


WRONG: list[Any] = [
    None,
    True,
    0,
    -1,
    17,
    10**12 + 1,
    2**63,
    10**40,
    -(10**40),
    1.5,
    "",
    "x",
    "ana",
    "\x00",
    "x" * 1001,
    "\u202e17",
    [],
    ["x"],
    [[["x"]]],
    {},
    {"x": {}},
    {"number": "x"},
]
"""Something of every kind; each is put into each field of each command."""


def _sample(command: str) -> dict[str, Any]:
    """A command as it might be given."""
    hints = get_type_hints(COMMANDS[command])
    told: dict[str, Any] = {}
    for field in dataclasses.fields(COMMANDS[command]):
        kinds = get_args(hints[field.name]) or (hints[field.name],)
        named = {"player": "ana", "on": "18", "id": "b", "post": "croupier", "limits": {}}
        if field.name == "by" or field.default is not dataclasses.MISSING:
            continue
        if field.name in named:
            told[field.name] = named[field.name]
        elif isinstance(kinds[0], type) and issubclass(kinds[0], Enum):
            told[field.name] = next(iter(kinds[0])).value
        else:
            told[field.name] = {str: "x", int: 10}.get(kinds[0], {})
    return told


def _fields(command: str) -> list[str]:
    """The fields of a command, and one that it does not have."""
    names = [each.name for each in dataclasses.fields(COMMANDS[command])]
    return [*(name for name in names if name != "by"), "by", "nothing"]


def _wrong_requests(role: Role) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each wrong value in each field of each command, and in each part of a request."""
    for command in COMMANDS:
        whole = _sample(command)
        for name in _fields(command):
            for number, wrong in enumerate(WRONG):
                request = {
                    "id": f"{role}-{command}-{name}-{number}",
                    "do": command,
                    "with": {**whole, name: wrong},
                }
                if role is Role.MANAGEMENT:
                    request["as"] = "croupier 1" if number % 2 else "ana"
                yield "t" if number % 3 else "d", request
    for field in ("id", "do", "with", "as"):
        for wrong in WRONG:
            yield "t", {"id": "x", "do": "Sit", "with": {}, field: wrong}


@pytest.mark.parametrize("role", list(Role))
def test_r15_a_wrong_value_in_any_field_of_any_command_breaks_nothing(
    role: Role, house: Elsewhere
) -> None:
    seen: Counter[str] = Counter()
    sockets = {table: _connect(house, role, table) for table in ("t", "d")}
    requests = list(_wrong_requests(role))

    async def send_all() -> None:
        for table, request in requests:
            await _unmoved(house, sockets[table], json.dumps(request), seen)

    house.call(send_all())
    for socket in sockets.values():
        house.call(socket.hang_up())
    fields = sum(len(_fields(command)) for command in COMMANDS)
    assert sum(seen.values()) == fields * len(WRONG) + 4 * len(WRONG)
    assert seen["problem"] > seen["ack"]
    record(
        "R15",
        f"a wrong value in every field of every command, by {role.spoken}",
        fields=fields,
        **seen,
    )
