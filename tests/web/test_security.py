"""Tests of the checklist in docs/reference/security.md that no promise of the house covers."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from novamas.house.people import events
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG, Kept
from novamas.web import json_logging
from novamas.web.app import AT_ONCE, FILES_AT_ONCE, Doorkeeper
from novamas.web.json_logging import FIELDS, JsonLines
from novamas.web.remote_scripts import RemoteError, RemoteHouse
from scripts.ledger import ROOT
from tests.web.accounts import (
    PASSWORD,
    bearer,
    cookie,
    open_accounts,
    passed,
    table_with_staff,
)
from tests.web.door import open_door, run
from tests.web.serving import served

# The journal --------------------------------------------------------------------------------------


def told(caplog: pytest.LogCaptureFixture, said: str) -> list[dict[str, Any]]:
    """The journal's lines of a kind, as they are written."""
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    return [line for line in lines if line["said"] == said]


@run
async def test_the_journal_tells_who_came_in_and_who_wanted_what_he_may_not_have(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """By the marks of their sessions, which the register knows, and by no name."""
    caplog.set_level(logging.INFO, "novamas")
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        await accounts.sign_in("ana", "wrong password")
        await accounts.sign_in("ana")
        accounts.http.cookies.clear()
        ana = await accounts.signed("ana", Post.PLAYER)
        mark = {"session": accounts.people.of(ana.token).mark}  # type: ignore[union-attr]
        await accounts.http.get("/api/register", headers=bearer(ana))
        await accounts.http.get("/api/register")
        async with accounts.listening("t", ana) as seat:
            await seat.give("OpenTable")
        foreign = {**cookie(ana), "Origin": "https://elsewhere.example"}
        await accounts.http.put("/api/me/limits", json={}, headers=foreign)
        wrong = {"old": "not the right one", "new": "another one of nine"}
        await accounts.http.put("/api/me/password", json=wrong, headers=bearer(ana))
        marks = {each.id[:8] for each in accounts.people.registry.register.sessions.values()}
    (failed,) = told(caplog, "a sign-in failed")
    assert failed["address"] == "127.0.0.1"
    (came,) = told(caplog, "signed in")
    assert came["session"] in marks
    by_route, unknown, by_message = told(caplog, "not permitted")
    assert by_route.items() >= {"why": "GET /api/register", **mark}.items()
    assert "session" not in unknown
    assert by_message.items() >= {"why": "OpenTable", "table": "t", **mark}.items()
    assert len(told(caplog, "a page of another site asked")) == 1
    assert told(caplog, "a password was not changed")[0].items() >= mark.items()
    written = " ".join(JsonLines().format(record) for record in caplog.records)
    assert "ana" not in written


@run
async def test_the_journal_tells_once_of_whoever_asks_too_often(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        caplog.set_level(logging.INFO, "novamas")
        async with accounts.listening("t", ana) as seat:
            answered = 0
            for _ in range(200):
                seat.say("{}")
            while answered < 200:
                answered += "problem" in await seat.receive()
        for _ in range(int(AT_ONCE) + 50):
            await accounts.http.get("/api/health")
    assert len(told(caplog, "too many commands")) == 1
    (line,) = told(caplog, "an address asks too often")
    assert (line["address"], line["level"]) == ("127.0.0.1", "warning")


@run
async def test_the_files_of_the_room_have_a_quota_of_their_own() -> None:
    """A page loads some thirty of them, and many people may sit behind one address."""
    async with open_accounts(counted=True) as accounts:
        for _ in range(int(AT_ONCE) + 50):
            assert (await accounts.http.get("/room/none.js")).status_code == 404
        assert (await accounts.http.get("/api/health")).status_code == 200


@run
async def test_who_asks_for_too_many_files_waits() -> None:
    async def answer(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    given: Counter[int] = Counter()

    async def note(message: Message) -> None:
        if message["type"] == "http.response.start":
            given[message["status"]] += 1

    async def nothing_to_read() -> Message:
        return {"type": "http.request"}

    door = Doorkeeper(answer, counts=True)
    scope = {"type": "http", "method": "GET", "path": "/room/a.js", "headers": []}
    for _ in range(2 * int(FILES_AT_ONCE)):
        await door({**scope, "client": ("192.0.2.1", 1)}, nothing_to_read, note)
    assert given.keys() == {200, 429}
    assert given[200] >= FILES_AT_ONCE


def test_nobody_writes_a_line_of_his_own_into_the_journal() -> None:
    forged = 'x"}\n{"at": "now", "said": "the house is closed"}\r\u2028'
    record = logging.LogRecord("novamas", logging.INFO, "", 0, "%s", (forged,), None)
    for name in FIELDS:
        setattr(record, name, forged)
    line = JsonLines().format(record)
    assert len(line.splitlines()) == 1
    assert json.loads(line)["said"] == forged
    assert json.loads(line)["why"] == forged


def test_the_journal_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.log"
    before = os.umask(0)
    try:
        with json_logging.kept(str(path)):
            logging.getLogger("novamas").info("the house is open")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "the house is open" in path.read_text("utf-8")


# Passwords and sessions ---------------------------------------------------------------------------

OWN = "whatever she likes 8"


@run
async def test_a_password_that_somebody_else_chose_is_good_for_choosing_one_s_own() -> None:
    """Nobody works under a password that a chief knows: each act is surely its owner's."""
    async with open_accounts() as accounts:
        for name in ("cora", "dino"):
            await accounts.known(name, Post.CHIEF)
        chief = bearer(await accounts.signed("cora", Post.CHIEF))
        second = bearer(await accounts.signed("dino", Post.CHIEF))

        async def approved(asked: httpx.Response) -> None:
            path = f"/api/approvals/{asked.json()['id']}"
            body = {"approve": True, "reason": "I know of it"}
            answer = await accounts.http.post(path, json=body, headers=second)
            assert answer.status_code == 204, answer.text

        first = "what the chief wrote down"
        person = {"name": "caj", "password": first, "posts": ["cashier"], "reason": "new"}
        await approved(await accounts.http.post("/api/people", json=person, headers=chief))
        for body, status, said in (
            ({}, 403, "new: somebody else chose this password; choose your own"),
            ({"new": first}, 409, "password: another one than before"),
            ({"new": "password123"}, 409, "password: everybody knows this one; take another"),
            ({"new": "x"}, 409, "password: 10 to 200 characters"),
        ):
            answer = await accounts.sign_in("caj", first, "cashier", body=body)
            assert (answer.status_code, answer.json()["detail"]) == (status, said)
            assert "set-cookie" not in answer.headers
        # For a post that is not theirs no password is changed either.
        answer = await accounts.sign_in("caj", first, "player", body={"new": OWN})
        assert (answer.status_code, answer.json()["detail"]) == (
            403,
            "post: caj is not player here",
        )
        assert len(await passed(accounts, events.SessionOpened)) == 2, "the chiefs' own"
        # Whoever guesses at it learns nothing of whose choice it was.
        wrong = await accounts.sign_in("caj", "wrong password", "cashier", body={"new": OWN})
        assert wrong.status_code == 401
        answer = await accounts.sign_in("caj", first, "cashier", body={"new": OWN})
        assert answer.status_code == 200
        assert (await accounts.sign_in("caj", first, "cashier")).status_code == 401
        assert (await accounts.sign_in("caj", OWN, "cashier")).status_code == 200
        # The same after the chief was asked for a new one; and after a restart, from the log.
        again = {"new": "what the chief wrote then", "reason": "forgotten"}
        path = "/api/people/caj/password"
        await approved(await accounts.http.put(path, json=again, headers=chief))
        assert (await accounts.sign_in("caj", again["new"], "cashier")).status_code == 403
        kept = Kept()
        kept.go_on(accounts.house.store.read(LOG))
        assert kept.register == accounts.people.registry.register


@run
async def test_one_sees_one_s_own_sessions_and_ends_the_others_with_the_password() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER, Post.CROUPIER)
        await accounts.known("bea", Post.PLAYER)
        here, there = [await accounts.signed("ana", Post.PLAYER) for _ in range(2)]
        await accounts.over("ana", Post.CROUPIER)
        bea = await accounts.signed("bea", Post.PLAYER)
        shown = (await accounts.http.get("/api/me/sessions", headers=bearer(here))).json()
        assert [(each["post"], each["here"]) for each in shown] == [
            ("player", True),
            ("player", False),
        ]
        assert all(len(each["mark"]) == 8 for each in shown)
        path = "/api/me/sessions/end"
        for password, status in (("wrong password", 403), (PASSWORD, 204)):
            body = {"password": password}
            answer = await accounts.http.post(path, json=body, headers=bearer(here))
            assert answer.status_code == status
            known = [await accounts.people.known(each.token) for each in (here, there, bea)]
            assert [each is not None for each in known] == [True, status == 403, True]


# What is asked for --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "OPTIONS", "PATCH", "DELETE", "PROPFIND"])
@run
async def test_what_no_route_answers_to_is_not_answered(method: str) -> None:
    async with open_door() as door:
        for path in ("/", "/api/tables", "/api/sign-in"):
            answer = await door.http.request(method, path, headers={"X-Secret": "hush"})
            assert answer.status_code == 405, path
            assert "hush" not in answer.text


@pytest.mark.parametrize(
    "path", ["/.git/config", "/room/", "/room/../app.py", "/docs", "/redoc", "/room/.env"]
)
@run
async def test_no_folder_no_source_and_no_page_for_developers_is_shown(path: str) -> None:
    async with open_door() as door:
        assert (await door.http.get(path)).status_code == 404


@run
async def test_a_secret_is_read_from_a_body_and_never_from_an_address() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        query = {"name": "ana", "password": "Nine-Zulu-orphelins"}
        assert (await accounts.http.post("/api/sign-in", params=query)).status_code == 422
        ana = await accounts.signed("ana", Post.PLAYER)
        for name in ("token", "novamas", "authorization"):
            asked = await accounts.http.get("/api/me", params={name: ana.token})
            assert asked.status_code == 401


@run
async def test_what_is_said_twice_is_not_half_believed() -> None:
    """Of two tokens the header's counts alone, of two queries the last: nobody adds them up."""
    async with open_accounts() as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        both = {**cookie(ana), "Authorization": "Bearer wrong"}
        assert (await accounts.http.get("/api/me", headers=both)).status_code == 401
        asked = await accounts.http.get("/api/tables/t/events?most=x&most=1")
        assert len(asked.json()) == 1
        unknown = {"kind": "spend", "amount": 5, "name": "bea"}
        answer = await accounts.http.put("/api/me/limits", json=unknown, headers=bearer(ana))
        assert answer.status_code == 422, "a field that nobody asked for"


def test_one_request_is_not_two() -> None:
    """A length and pieces at once: where the body ends is not for the sender to say twice."""
    hidden = b"GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with (
        served() as house,
        socket.create_connection(("127.0.0.1", house.port), timeout=60) as wire,
    ):
        wire.sendall(
            b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"2\r\n{}\r\n0\r\n\r\n" + hidden
        )
        answered = b""
        while part := wire.recv(65_536):
            answered += part
    assert answered.count(b"HTTP/1.1 ") == 1
    assert answered.startswith((b"HTTP/1.1 201", b"HTTP/1.1 400"))


# The room -----------------------------------------------------------------------------------------

SINKS = re.compile(
    r"@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function"
    r"|postMessage|importScripts|javascript:"
)
"""What makes markup or a program of a text, or hears what other pages say."""


def test_the_room_shows_texts_as_texts_and_listens_to_no_other_page() -> None:
    sources = [
        path for path in (ROOT / "ui" / "src").rglob("*") if path.suffix in (".ts", ".svelte")
    ]
    assert len(sources) > 100
    assert [str(path) for path in sources if SINKS.search(path.read_text("utf-8"))] == []


KNOWN_TO_MANAGERS = re.compile(
    r'autocomplete="(current|new)-password"'
    r'|autocomplete=\{isNew \? "new-password" : "current-password"\}'
)
"""What a field says to programs that keep passwords."""


def test_a_password_is_typed_unseen_and_may_be_pasted() -> None:
    """Every field for one masks it until its owner wants to see it, and lets managers fill it."""
    sources = [path.read_text("utf-8") for path in (ROOT / "ui" / "src").rglob("*.svelte")]
    fields = [
        field for text in sources for field in re.findall(r"<input[^>]*?-password\"[^>]*>", text)
    ]
    shared = sum(text.count("<PasswordField") for text in sources)
    assert (len(fields), shared) == (3, 9), "the shared field, and two of their own"
    for field in fields:
        assert re.search(r'type="password"|type=\{shown \? "text" : "password"\}', field), field
        assert KNOWN_TO_MANAGERS.search(field), field
        assert "onpaste" not in field


# Elsewhere ----------------------------------------------------------------------------------------


@contextmanager
def listening(asked: list[str], status: int, to: str | None = None) -> Iterator[str]:
    """A server that is no house, and sends everybody somewhere else."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.headers.get("Authorization", ""))
            self.send_response(status)
            if to is not None:
                self.send_header("Location", to)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - so it is called

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_token_does_not_follow_where_it_is_sent(status: int) -> None:
    there: list[str] = []
    here: list[str] = []
    with (
        listening(there, 200) as thief,
        listening(here, status, f"{thief}/api/sessions") as house,
        pytest.raises(RemoteError, match=f"the house refuses: {status}"),
    ):
        RemoteHouse.with_key(house, "a key")
    assert len(here) == 1
    assert there == []
