"""R14, what sockets and pages share: cookies, other sites' pages, signing in, and what is told."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from statistics import median
from typing import Any, Literal

import httpx
import pytest
from argon2 import PasswordHasher

from novamas.house.people import events
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG
from novamas.house.table.events import BallMode
from novamas.web.app import AT_ONCE, FOR_A_YEAR, LARGEST_BODY, SAFE_HEADERS
from novamas.web.auth import ASKING, COOKIE, SAFE_COOKIE
from novamas.web.guess_throttle import FAILURES, TRIES
from novamas.web.passwords import Passwords
from novamas.web.permissions import ROUTES
from novamas.web.routes.account import WRONG
from tests.promises.every_post import NAMES, address, opened
from tests.promises.figures import record
from tests.web.accounts import (
    PASSWORD,
    QUICK,
    bearer,
    cookie,
    open_accounts,
    over_tls,
    passed,
    table_with_staff,
)
from tests.web.door import HOST, Signed, run

NOTHING_OF = ("default-src", "base-uri", "form-action", "frame-ancestors")
"""What no answer of the house may load, be led to, send or be shown in."""
OTHERS = "this was not asked from a page of this house"
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": f"https://{HOST}"},
    {"Origin": f"http://{HOST}:81"},
    {"Origin": "null"},
]


# Cookies and other sites --------------------------------------------------------------------------


@run
async def test_r14_no_page_of_another_site_does_anything_with_a_cookie() -> None:
    """Every route that changes something, from every kind of foreign page: nothing is changed."""
    asked = 0
    async with opened() as accounts:
        for row in sorted(ROUTES):
            method, path = address(row)
            if method in (*ASKING, "WS") or row == "POST /api/sign-in":
                continue
            for post in ROUTES[row] & {*Post}:
                who = await accounts.signed(NAMES[Post(post)], Post(post))
                before = accounts.house.store.head(LOG)
                for foreign in FOREIGN:
                    headers = {**cookie(who), **foreign}
                    answer = await accounts.http.request(method, path, headers=headers, json={})
                    assert (answer.status_code, answer.json()) == (
                        403,
                        {"detail": OTHERS, "why": "other_page"},
                    )
                    asked += 1
                assert accounts.house.store.head(LOG) == before
        # The house's own page may, and so may a program that shows its token.
        zoe = await accounts.signed("zoe", Post.PLAYER)
        for headers in (
            {**cookie(zoe), "Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"},
            bearer(zoe),
        ):
            limit = {"kind": "spend", "amount": 100}
            answer = await accounts.http.put("/api/me/limits", json=limit, headers=headers)
            assert answer.status_code == 200
    record("R14", "requests of other sites’ pages with a good cookie: all refused", asked=asked)


@pytest.mark.parametrize("foreign", FOREIGN)
@run
async def test_r14_no_page_of_another_site_signs_anybody_in(foreign: dict[str, str]) -> None:
    """Else somebody could be made to play under another's name."""
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        answer = await accounts.sign_in("ana", headers=foreign)
        assert (answer.status_code, answer.json()["detail"]) == (403, OTHERS)
        assert "set-cookie" not in answer.headers


@run
async def test_r14_a_cookie_is_out_of_reach_of_scripts_and_other_hosts() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        plain = await accounts.sign_in("ana")
        assert plain.json() == {
            "name": "ana",
            "post": "player",
            "enrolling": False,
            "token": None,
        }
        given, device = plain.headers.get_list("set-cookie")
        # A device is remembered for longer than a session, and just as far out of reach.
        assert device.startswith("novamas-device=")
        kept = {"HttpOnly", "Path=/", "SameSite=strict", "Max-Age=7776000"}
        assert set(device.split("; ")[1:]) == kept
        name, _, rest = given.partition("=")
        token, *parts = rest.split("; ")
        assert (name, set(parts)) == (COOKIE, {"HttpOnly", "Path=/", "SameSite=strict"})
        assert len(token) >= 43  # 256 bits
        async with over_tls(accounts) as tls:
            body = {"name": "ana", "password": PASSWORD}
            safe = await tls.post("/api/sign-in", json=body)
            given, device = safe.headers.get_list("set-cookie")
            assert device.startswith("__Host-novamas-device=")
            assert set(device.split("; ")[1:]) == {*kept, "Secure"}
            name, _, rest = given.partition("=")
            parts = rest.split("; ")[1:]
            assert name == SAFE_COOKIE
            assert set(parts) == {"HttpOnly", "Path=/", "SameSite=strict", "Secure"}
            assert (await tls.get("/api/me")).json()["name"] == "ana"
            # What was given over a line that others can read is not good over TLS.
            other = {"Cookie": f"{COOKIE}={token}; {SAFE_COOKIE}="}
            tls.cookies.clear()
            assert (await tls.get("/api/me", headers=other)).status_code == 401
        gone = await accounts.http.post("/api/sign-out")
        assert 'novamas=""' in gone.headers["set-cookie"]
        assert "Max-Age=0" in gone.headers["set-cookie"]
        assert (await accounts.http.get("/api/me")).status_code == 401


@run
async def test_r14_signing_in_again_ends_the_session_before() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        await accounts.known("bea", Post.PLAYER)
        await accounts.sign_in("ana")
        first = accounts.http.cookies[COOKIE]
        await accounts.sign_in("bea")
        assert (await accounts.http.get("/api/me")).json()["name"] == "bea"
        ended = [each.reason for each in await passed(accounts, events.SessionEnded)]
        assert ended == ["signed in again"]
        was = Signed(accounts.people, first, "ana", Post.PLAYER)
        assert (await accounts.http.get("/api/me", headers=bearer(was))).status_code == 401


# Headers ------------------------------------------------------------------------------------------


@run
async def test_r14_every_answer_is_safe() -> None:
    seen: Counter[int] = Counter()
    async with opened() as accounts, over_tls(accounts) as tls:

        def fails() -> None:
            raise ZeroDivisionError("a secret of the house")

        accounts.app.add_api_route("/fails", fails)
        chief = bearer(await accounts.signed(NAMES[Post.CHIEF], Post.CHIEF))
        asked: list[tuple[str, str, dict[str, Any]]] = [
            (*address(row), {"headers": headers, "json": {}})
            for row in sorted(ROUTES)
            if not row.startswith("WS")
            for headers in ({}, chief)
        ]
        asked += [
            ("GET", "/nowhere", {}),
            ("PATCH", "/api/tables", {}),
            ("POST", "/api/sign-in", {"content": b"x" * (LARGEST_BODY + 1)}),
            ("POST", "/api/sign-in", {"content": b"{"}),
            ("GET", "/", {"headers": {"Host": "elsewhere.example"}}),
            ("GET", "/fails", {}),
        ]
        for method, path, more in asked:
            for http, secure in ((accounts.http, False), (tls, True)):
                if path == "/fails" and not secure:
                    continue
                answer = await http.request(method, path, **more)
                for name, value in SAFE_HEADERS.items():
                    found = answer.headers.get(name)
                    assert found is not None, (method, path, name)
                    if name not in ("Content-Security-Policy", "Cache-Control"):
                        assert found == value
                policy = answer.headers["Content-Security-Policy"].split("; ")
                assert {f"{of} 'none'" for of in NOTHING_OF} <= set(policy), (method, path)
                assert (answer.headers.get("Strict-Transport-Security") == FOR_A_YEAR) is secure
                assert "server" not in answer.headers
                assert "access-control-allow-origin" not in answer.headers
                seen[answer.status_code] += 1
                if answer.status_code == 500:
                    assert answer.json() == {
                        "detail": "the house made a mistake",
                        "why": "house_failed",
                    }
    assert set(seen) >= {200, 401, 403, 404, 405, 413, 421, 422, 500}
    many = {f"answered_{status}": number for status, number in sorted(seen.items())}
    record("R14", "answers of every kind, each with every safe header; HSTS over TLS alone", **many)


# Signing in ---------------------------------------------------------------------------------------


@run
async def test_r14_nobody_signs_in_where_others_can_listen() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        body = {"name": "ana", "password": PASSWORD}
        async with accounts.from_address("203.0.113.5") as beyond:
            answer = await beyond.post("/api/sign-in", json=body)
            assert answer.status_code == 403
            assert "https" in answer.json()["detail"]
            assert "set-cookie" not in answer.headers
        # From this machine, but under another name: a proxy that nobody has named.
        accounts.app.user_middleware[0].kwargs["hosts"] = None
        accounts.app.middleware_stack = accounts.app.build_middleware_stack()
        headers = {"Host": "casino.example"}
        answer = await accounts.http.post("/api/sign-in", json=body, headers=headers)
        assert answer.status_code == 403
        assert (await accounts.http.post("/api/sign-in", json=body)).status_code == 200
        async with over_tls(accounts) as tls:
            assert (await tls.post("/api/sign-in", json=body)).status_code == 200
        assert len(await passed(accounts, events.SessionOpened)) == 2


@run
async def test_r14_an_address_tries_so_often_and_no_more() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        tried = 0
        body = {"name": "nobody", "password": "wrong password"}
        async with over_tls(accounts) as one:
            while (answer := await one.post("/api/sign-in", json=body)).status_code == 401:
                tried += 1
            assert answer.status_code == 429
            assert answer.headers["Retry-After"] == "60"
            good = {"name": "ana", "password": PASSWORD}
            assert (await one.post("/api/sign-in", json=good)).status_code == 429
        assert tried == TRIES
        assert (await accounts.sign_in("ana")).status_code == 200, "another address may"
    record("R14", "tries to sign in from one address within a minute", tried=tried)


@run
async def test_r14_a_house_behind_one_address_signs_in_and_guesses_are_counted_all_the_same() -> (
    None
):
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        program = {"by": "token"}  # It keeps no cookie, and so is a stranger each time.
        for _ in range(TRIES - 1):
            assert (await accounts.sign_in("nobody", "wrong password")).status_code == 401
            assert (await accounts.sign_in("ana", body=program)).status_code == 200
        assert (await accounts.sign_in("nobody", "wrong password")).status_code == 401
        assert (await accounts.sign_in("ana", body=program)).status_code == 429


@run
async def test_r14_whoever_has_a_whole_network_is_counted_as_one() -> None:
    async with open_accounts() as accounts:
        statuses = Counter[int]()
        for number in range(TRIES + 5):
            transport = httpx.ASGITransport(app=accounts.app, client=(f"2001:db8::{number:x}", 1))
            async with httpx.AsyncClient(transport=transport, base_url=f"https://{HOST}") as http:
                body = {"name": f"nobody {number}", "password": "wrong password"}
                statuses[(await http.post("/api/sign-in", json=body)).status_code] += 1
        assert statuses == {401: TRIES, 429: 5}


@run
async def test_r14_many_guesses_at_once_are_counted_too() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        checked = 0
        real = QUICK

        class Counting(PasswordHasher):
            def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
                nonlocal checked
                checked += hash == kept
                return real.verify(hash, password)

        person = accounts.people.registry.register.person("ana")
        assert person is not None
        kept = person.password
        accounts.people._recognition._passwords = Passwords(
            Counting(time_cost=1, memory_cost=64, parallelism=1)
        )
        guesses = [accounts.sign_in("ana", f"guess number {n}") for n in range(TRIES - 1)]
        answers = await asyncio.gather(*guesses, accounts.sign_in("ana", PASSWORD))
        assert {answer.status_code for answer in answers} == {401}
        assert checked == FAILURES
    record("R14", "guesses at one name at once, and how many were looked at", looked_at=checked)


@run
async def test_r14_a_session_alone_does_not_change_a_password() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        ana = bearer(await accounts.signed("ana", Post.PLAYER))
        for old in [*(f"guess number {n}" for n in range(FAILURES)), PASSWORD]:
            body = {"old": old, "new": "another one of nine"}
            answer = await accounts.http.put("/api/me/password", json=body, headers=ana)
            assert (answer.status_code, answer.json()["detail"]) == (403, f"old: {WRONG}")
        # Whoever guesses in a session that was left open keeps nobody else from signing in.
        assert (await accounts.sign_in("ana")).status_code == 200


@run
async def test_r14_nobody_learns_whether_a_name_is_known() -> None:
    """The same answer, byte for byte, and the same work, whether somebody is known or not."""
    worked: list[tuple[str, int]] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            worked[-1] = (worked[-1][0], worked[-1][1] + 1)
            return super().verify(hash, password)

    took: dict[str, list[float]] = {}
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        await accounts.known("gil", Post.CROUPIER)
        accounts.session(Post.PLAYER, "gus")  # A guest of an evening on one's own machine.
        await accounts.known("cleo", Post.CHIEF)
        await accounts.enrol("cleo")
        for _ in range(FAILURES):
            await accounts.sign_in("gil", "wrong password")
        real = Passwords(Counting())
        accounts.people._passwords = accounts.people._recognition._passwords = real
        answers = set()
        await accounts.people.set_password("ana", PASSWORD, by="ana")
        for _ in range(3):
            for each in accounts.people._guesses._addresses:
                each.forget(HOST)
            for name in ("ana", "nobody", "gus", "gil", "cleo"):
                worked.append((name, 0))
                began = time.perf_counter()
                answer = await accounts.sign_in(name, "wrong password", post="croupier")
                took.setdefault(name, []).append(time.perf_counter() - began)
                headers = sorted(
                    (key, value) for key, value in answer.headers.items() if key != "date"
                )
                answers.add((answer.status_code, answer.text, str(headers)))
    assert len(answers) == 1
    assert {times for _, times in worked} == {1}
    known, unknown = median(took["ana"]), median(took["nobody"])
    record(
        "R14",
        "a wrong password of a known name against an unknown name: argon2id once each",
        answers=len(answers),
        times_as_long=known / unknown,
    )


BAD = [
    "short 1",
    "x" * 201,
    "password123",
    "qwertyuiop",
    "1234567890",
    "aaaaaaaaaaaaaa",
    "abababababab",
    "anastasia1",
    "my name is anastasia",
    "ANASTASIA 2024",
    "roulette2024!",
    "novamas.2026",
    "e\u0301" * 9,  # Nine letters, however they are composed.
    "football1!",
    "pa\u0073sword1234",
    "letmeinletmein",
    "P@ssw0rd2024",
    "monkey monkey monkey",
    "iloveyou2024",
    "zxcvbnmzxcvbnm",
    "2024-12-31 23",
    "rouletteroulette",
]
TAKEN = [
    "Nine-Zulu-orphelins",
    "voisins du zéro",
    "четиринадесет и черно",
    "🎲🎲🎰🎲 ein Würfel",
    "x" * 5 + "yzä42!§$%",
]


@pytest.mark.parametrize("password", BAD)
@run
async def test_r14_a_password_that_many_would_guess_is_not_taken(password: str) -> None:
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        chief = bearer(await accounts.signed("cora", Post.CHIEF))
        body = {"name": "anastasia", "password": password, "posts": ["player"]}
        answer = await accounts.http.post("/api/people", json=body, headers=chief)
        assert answer.status_code in (409, 422)
        assert "password" in answer.json()["detail"]
        assert password not in answer.text


@pytest.mark.parametrize("password", TAKEN)
@run
async def test_r14_any_other_password_is_taken_whatever_it_is_made_of(password: str) -> None:
    async with open_accounts() as accounts:
        await accounts.people.register("anastasia", password, (Post.PLAYER,), by="chief")
        assert (await accounts.sign_in("anastasia", password)).status_code == 200
        assert (await accounts.sign_in("anastasia", password.swapcase())).status_code == 401


# Rates --------------------------------------------------------------------------------------------


@run
async def test_r14_whoever_asks_too_often_waits() -> None:
    async with open_accounts(counted=True) as accounts:
        statuses: Counter[int] = Counter()
        for _ in range(int(AT_ONCE) + 100):
            statuses[(await accounts.http.get("/api/health")).status_code] += 1
        assert statuses[429] > 0
        assert statuses[200] >= AT_ONCE
        async with accounts.from_address("203.0.113.5") as other:
            assert (await other.get("/api/health")).status_code == 200
    record("R14", "requests of one address at once", let_in=statuses[200], refused=statuses[429])


@pytest.mark.parametrize("frame", ['{"id": "x", "do": "Sit"}', "nonsense", "{}"])
@run
async def test_r14_whoever_commands_too_often_waits(frame: str) -> None:
    async with open_accounts(counted=True) as accounts:
        await table_with_staff(accounts)
        await accounts.known("ana", Post.PLAYER)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", ana) as socket:
            for _ in range(300):
                socket.say(frame)
            said: Counter[str] = Counter()
            while said.total() < 300:
                answer = await socket.receive()
                if "type" not in answer:
                    said[answer.get("problem", "answered")] += 1
            assert said["too many commands; slow down"] > 100


# What is told -------------------------------------------------------------------------------------


@run
async def test_r14_no_token_and_no_password_is_told_to_anybody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In no line of any log, no view, no export, nor in the store itself."""
    caplog.set_level(logging.DEBUG)
    new = "another one of nine"
    mistyped = "Nine-Zulu-orphelinss"
    async with open_accounts() as accounts:
        actor = await accounts.set_up("t", "bg", ball=BallMode.DRAWN)
        for name, post in (("ana", Post.PLAYER), ("cora", Post.CHIEF), ("otto", Post.AUDITOR)):
            await accounts.known(name, post, money=1_000 if post is Post.PLAYER else 0)
        await accounts.sign_in("ana", mistyped)
        await accounts.sign_in(PASSWORD, PASSWORD)  # Typed where the name goes.
        told = [await accounts.sign_in("ana"), await accounts.sign_in("ana", body={"by": "token"})]
        tokens = [accounts.http.cookies[COOKIE], told[1].json()["token"]]
        ana = Signed(accounts.people, tokens[1], "ana", Post.PLAYER)
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=100)
        body = {"old": PASSWORD, "new": new}
        await accounts.http.put("/api/me/password", json=body, headers=bearer(ana))
        otto = bearer(await accounts.signed("otto", Post.AUDITOR))
        views = []
        for path in (
            "/api/register",
            "/api/people",
            "/api/desk/ana",
            "/api/tables",
            "/api/tables/t",
            "/api/tables/t/events",
            "/api/tables/t/export",
            "/api/tables/t/coups",
            "/metrics",
            "/api/ready",
            "/openapi.json",
        ):
            answer = await accounts.http.get(path, headers=otto)
            assert answer.status_code == 200, path
            views.append(answer.text)
        register = json.loads(views[0])
        kinds = {entry["type"] for entry in register}
        assert {"PasswordSet", "SessionOpened", "SessionEnded"} <= kinds
        store = accounts.house.store
        kept = [each.payload.decode() for log in (LOG, "t") for each in store.read(log)]
        assert actor.failed is None
        hashes = [p.password for p in accounts.people.registry.register.people.values()]
        person = repr(accounts.people.registry.register.person("ana"))
    logs = [each.getMessage() for each in caplog.records] + [str(vars(r)) for r in caplog.records]
    secrets = [PASSWORD, mistyped, new, *tokens]
    for where, texts in (("views", views), ("store", kept), ("logs", logs), ("repr", [person])):
        for text in texts:
            assert not [each for each in secrets if each in text], where
    for text in (*views, *logs, person):
        assert not [each for each in hashes if each is not None and each in text]
        assert "$argon2id$" not in text
    assert any("$argon2id$" in text for text in kept)
    record("R14", "texts searched for tokens and passwords", views=len(views), lines=len(logs))
