"""R13: each post does its own work and no other.

Every route and every message, asked for by every post, by nobody in particular, and by those whose
sessions are over, were taken away or are of another house: what is answered is what one matrix
says. What has no row is for nobody, and a row that nothing answers to is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pyotp
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG
from novamas.house.people.second_factor import EVERYONE
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import BallMode
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.state import Phase
from novamas.web import permissions
from novamas.web.permissions import ANYBODY, MESSAGES, ROUTES
from tests.promises.every_post import NAMES, address, opened
from tests.promises.figures import record
from tests.web.accounts import (
    PASSWORD,
    Accounts,
    bearer,
    cookie,
    open_accounts,
    table_with_staff,
    within,
)
from tests.web.authenticator import Authenticator
from tests.web.door import HOST, Closed, Signed, open_door, run
from tests.web.sample_commands import sample

SOCKET = "WS /api/tables/{table}/socket"
SIGN_IN = "POST /api/sign-in"


def rows_of(app: FastAPI) -> Iterator[str]:
    """Every route of an application, as the matrix names it."""
    for context in iter_route_contexts(app.routes):
        path = context.path
        kind = type(context.original_route).__name__
        if "WebSocket" in kind:
            yield f"WS {path}"
        elif context.methods:
            yield from (f"{method} {path}" for method in context.methods)
        else:
            yield f"{kind} {path}"  # A part of the application that nobody thought of.


# Rows ---------------------------------------------------------------------------------------------


@run
async def test_r13_every_route_and_message_has_a_row_and_every_row_is_asked_for() -> None:
    async with opened() as accounts:
        rows = list(rows_of(accounts.app))
    assert len(rows) == len(set(rows))
    assert set(rows) - set(ROUTES) == set(), "a route without a row"
    assert set(ROUTES) - set(rows) == set(), "a row without a route"
    assert MESSAGES.keys() == COMMANDS.keys()
    record("R13", "the rows of the one matrix", routes=len(ROUTES), messages=len(MESSAGES))


@run
async def test_r13_a_new_route_without_a_row_is_for_nobody_and_is_found() -> None:
    """The check can fail, and until it is heeded nobody comes in."""
    async with opened() as accounts:
        from fastapi import APIRouter, Depends

        from novamas.web.auth import permitted

        new = APIRouter(dependencies=[Depends(permitted)])
        new.add_api_route("/api/vault", lambda: "gold", methods=["GET"])
        accounts.app.include_router(new)
        assert set(rows_of(accounts.app)) - set(ROUTES) == {"GET /api/vault"}
        assert (await accounts.http.get("/api/vault")).status_code == 401
        for post, name in NAMES.items():
            shown = bearer(await accounts.signed(name, post))
            assert (await accounts.http.get("/api/vault", headers=shown)).status_code == 403
        assert not permissions.may(MESSAGES, "BurnDown", Post.CHIEF)


@pytest.mark.parametrize(
    "text",
    [
        'enrolling = []\n[routes]\n"GET /" = []\n[messages]',
        'enrolling = []\n[routes]\n"GET /" = ["everybody"]\n[messages]',
        'enrolling = []\n[routes]\n"GET /" = ["anybody", "chief"]\n[messages]',
        "enrolling = []\n[routes]\n[messages]\n[more]\n",
        'enrolling = ["GET /gone"]\n[routes]\n[messages]\n',
    ],
)
def test_r13_a_matrix_that_names_nobody_known_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|unknown|no route"):
        permissions.read(text)


# Routes -------------------------------------------------------------------------------------------


def refused(answer: httpx.Response) -> str | None:
    """What the door said to somebody whom it did not let through; None if it did."""
    if answer.status_code not in (401, 403):
        return None
    detail = str(answer.json()["detail"])
    at_the_door = detail in ("sign in first", "the token is not good")
    return detail if at_the_door or detail.startswith("this is not for") else None


KINDS = ("good", "over", "revoked", "of another house")


async def shown(accounts: Accounts, other: Accounts, kind: str, post: Post) -> Signed:
    """Somebody with a token of some kind."""
    name = NAMES[post]
    if kind == "over":
        return await accounts.over(name, post)
    if kind == "revoked":
        return await accounts.revoked(name, post)
    return await (accounts if kind == "good" else other).signed(name, post)


def facts(accounts: Accounts) -> Any:
    """All that is durable."""
    return accounts.house.store.head(LOG), accounts.facts()


def is_carried(accounts: Accounts) -> bool:
    """Whether everybody has left a table that closed."""
    register = accounts.people.registry.register
    for actor in accounts.house.tables.values():
        state = actor.house_table.state
        if state.phase is Phase.ENDED and any(map(register.person, state.players)):
            return False
    return True


@run
async def test_r13_every_route_is_for_whom_the_matrix_says() -> None:
    asked: Counter[str] = Counter()
    async with opened() as accounts, opened() as other:
        for row in sorted(set(ROUTES) - {SOCKET}):
            method, path = address(row)
            body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
            for post in Post:
                for kind in KINDS:
                    for by in (bearer, cookie):
                        who = by(await shown(accounts, other, kind, post))
                        before = facts(accounts)
                        answer = await accounts.http.request(method, path, headers=who, **body)
                        said = refused(answer)
                        assert said == expected(row, post, kind, by=by.__name__), (row, post, kind)
                        if said is not None:
                            assert facts(accounts) == before, (row, post, kind)
                        assert answer.status_code < 500
                        asked["refused" if said else "let through"] += 1
            before = facts(accounts)
            answer = await accounts.http.request(method, path, **body)
            assert refused(answer) == (None if ANYBODY in ROUTES[row] else "sign in first")
            if answer.status_code == 401:
                assert facts(accounts) == before
            asked["by nobody in particular"] += 1
    record("R13", "routes × posts × good, over, revoked, another house’s; token or cookie", **asked)


def expected(row: str, post: Post, kind: str, *, by: str) -> str | None:
    """What the matrix says."""
    if kind != "good" and by == "bearer" and row not in UNGUARDED:
        return "the token is not good"
    if permissions.may(ROUTES, row, post if kind == "good" else None):
        return None
    return "sign in first" if kind != "good" else f"this is not for {post.spoken}"


UNGUARDED = {"GET /openapi.json", "HEAD /openapi.json"}
"""What FastAPI serves by itself, and asks nobody for a token."""


def test_r13_what_asks_for_no_token_is_for_anybody() -> None:
    assert all(ROUTES[row] == {ANYBODY} for row in UNGUARDED)


async def a_totp(accounts: Accounts, who: dict[str, str]) -> dict[str, str]:
    """A secret with its first code."""
    told = (await accounts.http.post("/api/me/factors/totp", headers=who)).json()
    code = pyotp.TOTP(told["secret"]).at(accounts.clock.now() // 1000)
    return {"ticket": told["ticket"], "code": code, "label": "phone", "password": PASSWORD}


async def a_passkey(accounts: Accounts, who: dict[str, str]) -> dict[str, Any]:
    """A passkey that was made for this house."""
    told = (await accounts.http.post("/api/me/factors/passkey/challenge", headers=who)).json()
    made = Authenticator().make(told["publicKey"], f"http://{HOST}")
    return {"credential": made, "label": "key", "password": PASSWORD}


async def a_removal(accounts: Accounts, _: dict[str, str]) -> dict[str, str]:
    """A player who has an app, and wants it no more."""
    await accounts.enrol(NAMES[Post.PLAYER])
    return {"password": PASSWORD}


async def alone_at_a_drawn_table(accounts: Accounts, _: dict[str, str]) -> None:
    """A player who has a drawn table for themselves."""
    drawn = await accounts.set_up("drawn", "es", ball=BallMode.DRAWN)
    await accounts.must("drawn", commands.Sit(by=NAMES[Post.PLAYER]))
    accounts.house.tables["t"] = drawn


async def a_called_coup(accounts: Accounts, _: dict[str, str]) -> None:
    """A coup whose number was called."""
    for do in (commands.LaunchBall, commands.CloseBetting):
        await accounts.must("t", do(by="croupier 1"))
    await accounts.must("t", commands.PocketBall(by="croupier 1", number=17))
    await accounts.must("t", commands.CallNumber(by="croupier 1"))


GOOD: dict[str, tuple[Post, Any, int]] = {
    "GET /metrics": (Post.AUDITOR, None, 200),
    "POST /api/sign-out": (Post.CASHIER, None, 204),
    "GET /api/me": (Post.PLAYER, None, 200),
    "POST /api/me/presence": (Post.CHIEF, None, 204),
    "PUT /api/me/password": (Post.CASHIER, {"old": PASSWORD, "new": "tiers et orphelins 8"}, 204),
    "GET /api/me/sessions": (Post.AUDITOR, None, 200),
    "POST /api/me/sessions/end": (Post.PLAYER, {"password": PASSWORD}, 204),
    "GET /api/me/limits": (Post.PLAYER, None, 200),
    "PUT /api/me/limits": (Post.PLAYER, {"kind": "spend", "amount": 900}, 200),
    "PUT /api/me/sign-in-name": (Post.CHIEF, {"name": "other", "password": PASSWORD}, 200),
    "GET /api/me/factors": (Post.CHIEF, None, 200),
    "POST /api/me/factors/totp": (Post.PLAYER, None, 200),
    "POST /api/me/factors/totp/confirm": (Post.CROUPIER, a_totp, 201),
    "POST /api/me/factors/passkey/challenge": (Post.AUDITOR, None, 200),
    "POST /api/me/factors/passkey": (Post.CASHIER, a_passkey, 201),
    "POST /api/me/factors/{factor}/remove": (Post.PLAYER, a_removal, 200),
    "POST /api/me/exclusion": (Post.PLAYER, {"until": None, "password": PASSWORD}, 200),
    "GET /api/tables/{table}/profit": (Post.PLAYER, None, 200),
    "GET /api/people": (Post.CHIEF, None, 200),
    "POST /api/people": (
        Post.CHIEF,
        {"name": "mia", "password": PASSWORD, "posts": ["croupier"], "reason": "new"},
        202,
    ),
    "PUT /api/people/{name}/posts": (Post.CHIEF, {"posts": ["cashier"], "reason": "new"}, 202),
    "PUT /api/people/{name}/password": (
        Post.CHIEF,
        {"new": "voisins du zéro 22", "reason": "forgotten"},
        202,
    ),
    "POST /api/people/{name}/factors/reset": (Post.CHIEF, {"reason": "lost the phone"}, 202),
    "GET /api/approvals": (Post.AUDITOR, None, 200),
    "POST /api/approvals/{id}": (Post.CHIEF, {"approve": True, "reason": "I saw it"}, 204),
    "GET /api/alone-limits": (Post.CASHIER, None, 200),
    "PUT /api/alone-limits": (Post.CHIEF, {"desk": 5, "table": 5, "reason": "thieves"}, 202),
    "DELETE /api/people/{name}/sessions": (Post.CHIEF, None, 204),
    "GET /api/register": (Post.AUDITOR, None, 200),
    "GET /api/desk/{name}": (Post.AUDITOR, None, 200),
    "POST /api/desk/{name}/in": (Post.CASHIER, {"amount": 100, "id": "in"}, 200),
    "POST /api/desk/{name}/out": (Post.CASHIER, {"amount": 100, "id": "out"}, 200),
    "POST /api/tables": (Post.CHIEF, {"table": "new", "rulebook": "es"}, 201),
    "GET /api/tables/{table}/coups/{coup}/elsewhere": (Post.PLAYER, a_called_coup, 200),
    "GET /api/tables/{table}/short": (Post.PLAYER, None, 200),
    "POST /api/tables/{table}/spin": (Post.PLAYER, alone_at_a_drawn_table, 204),
    "GET /api/tables/{table}/payments": (Post.CROUPIER, None, 200),
    "GET /api/tables/{table}/export": (Post.AUDITOR, None, 200),
}
"""For what is not for anybody: a post that may, what it asks for, and that it is done."""


@run
async def test_r13_what_is_for_a_post_it_can_really_do() -> None:
    assert set(GOOD) == {row for row, who in ROUTES.items() if ANYBODY not in who}
    for row, (post, body, status) in GOOD.items():
        async with opened() as accounts:
            method, path = address(row)
            who = bearer(await accounts.signed(NAMES[post], post))
            made = await body(accounts, who) if callable(body) else body
            more: dict[str, Any] = {} if made is None else {"json": made}
            answer = await accounts.http.request(method, path, headers=who, **more)
            assert answer.status_code == status, (row, answer.text)
    record("R13", "routes for a post, each asked for by one that may: it is done", routes=len(GOOD))


@run
async def test_r13_whose_post_lacks_its_second_factor_does_nothing_but_enrol() -> None:
    asked: Counter[str] = Counter()
    async with opened(required=EVERYONE) as accounts:
        for post in NAMES:
            token, session = await accounts.people._open(NAMES[post], post)
            assert session.enrolling
            who = Signed(accounts.people, token, NAMES[post], post)
            before = facts(accounts)
            for row in sorted(set(ROUTES) - {SOCKET, *UNGUARDED, *permissions.ENROLLING}):
                method, path = address(row)
                body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
                answer = await accounts.http.request(method, path, headers=bearer(who), **body)
                assert (answer.status_code, answer.json()["why"]) == (403, "second_factor_missing")
                asked["refused"] += 1
            closed = await accounts.listening("t", who).end_of_hello()
            assert (closed.code, closed.reason) == (4401, "a second factor is to be enrolled first")
            assert facts(accounts) == before
            assert (await accounts.http.get("/api/me", headers=bearer(who))).json()["enrolling"]
            await accounts.enrol(NAMES[post])
            told = (await accounts.http.get("/api/me", headers=bearer(who))).json()
            assert not told["enrolling"]
    record("R13", "what is asked for at a post before its second factor is there", **asked)


# Messages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["header", "cookie"])
@run
async def test_r13_every_message_is_for_whom_the_matrix_says(by: str) -> None:
    asked: Counter[str] = Counter()
    async with opened() as accounts:
        await accounts.must("t", commands.Sit(by=NAMES[Post.PLAYER]))
        for post in (*Post, None):
            signed = await accounts.signed(NAMES[post], post) if post is not None else None
            for do in sorted(COMMANDS):
                async with accounts.listening("t", signed, by=by) as socket:
                    await within(60, lambda: is_carried(accounts))
                    before = facts(accounts)
                    fields = sample(do, player=NAMES[Post.PLAYER])
                    answer = await socket.give(do, **fields)
                    if post is None:
                        assert answer["problem"].startswith("onlookers give no commands")
                    elif post in MESSAGES[do]:
                        assert "is not for a" not in answer.get("problem", ""), (do, answer)
                    else:
                        assert answer["problem"] == f"do: {do} is not for {post.spoken}"
                    if "problem" in answer:
                        assert facts(accounts) == before, (do, post)
                    asked["refused at the door" if "problem" in answer else "let through"] += 1
    record("R13", f"messages × posts and onlookers, by a {by}", **asked)


@pytest.mark.parametrize("by", ["header", "cookie"])
@run
async def test_r13_no_message_is_said_by_whose_session_is_not_good(by: str) -> None:
    """They do not get as far as to say one."""
    async with opened() as accounts, opened() as other:
        for post in Post:
            for kind in KINDS[1:]:
                signed = await shown(accounts, other, kind, post)
                closed = await accounts.listening("t", signed, by=by).end_of_hello()
                assert (closed.code, closed.reason) == (4401, "the token is not good")


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_r13_a_post_at_one_table_is_none_at_another(rulebook: str) -> None:
    """A croupier of one table does nothing at the next, though the matrix lets them ask."""
    free = {"TakePost", "BuyChips"}
    refused = 0
    async with open_accounts() as accounts:
        for table in ("one", "other"):
            await table_with_staff(accounts, table, rulebook)
        await accounts.must("other", commands.Sit(by="ana"))
        book = load(rulebook)
        dealer = next(post for post in book.posts.values() if Act.LAUNCH_BALL in post.may)
        takes = commands.TakePost(by="vera", post=dealer.name, relieves=f"{dealer.name} 1")
        await accounts.must("one", takes)
        await accounts.known("vera", Post.CROUPIER)
        vera = await accounts.signed("vera", Post.CROUPIER)
        async with accounts.listening("one", vera) as socket:
            await socket.must("LaunchBall")
        async with accounts.listening("other", vera) as socket:
            for do in sorted(do for do, who in MESSAGES.items() if "croupier" in who):
                if do in free:
                    continue
                before = facts(accounts)
                answer = await socket.give(do, **sample(do, player="ana"))
                assert "ack" not in answer, (do, answer)
                assert facts(accounts) == before, do
                refused += 1
    record("R13", f"{rulebook}: what a croupier asks for at another table", refused=refused)


# What only a machine of one's own has -------------------------------------------------------------


@run
async def test_r13_in_a_house_nobody_is_guest_or_management() -> None:
    """Neither by asking for it, nor with what a store kept of an evening on one's own machine."""
    async with opened() as accounts:
        http = accounts.http
        assert (await http.post("/api/guests", json={"name": "gus"})).status_code == 403
        assert (await http.post("/api/sessions", json={"key": "x"})).status_code == 403
        chief = bearer(await accounts.signed(NAMES[Post.CHIEF], Post.CHIEF))
        person = {"name": "mia", "password": PASSWORD, "posts": ["management"]}
        assert (await http.post("/api/people", json=person, headers=chief)).status_code == 403
        posts = {"posts": ["management"], "reason": ""}
        asked = await http.put("/api/people/zoe/posts", json=posts, headers=chief)
        assert asked.status_code == 403
        # A token of local mode does not open the same store's house.
        left = accounts.session(Post.MANAGEMENT, "boss")
        assert (await http.get("/api/me", headers=bearer(left))).status_code == 401
        with pytest.raises(Closed, match="4401"):
            await accounts.listening("t", left).__aenter__()


@run
async def test_r13_on_a_machine_of_one_s_own_nobody_has_an_account() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        answer = await door.http.post("/api/sign-in", json={"name": "ana", "password": "x" * 12})
        assert answer.status_code == 401
        assert (await door.http.get("/api/mode")).json() == {"mode": "local", "me": None}
        management = {"Authorization": f"Bearer {door.session(Post.MANAGEMENT).token}"}
        person = {"name": "mia", "password": PASSWORD, "posts": ["croupier"]}
        made = await door.http.post("/api/people", json=person, headers=management)
        assert made.status_code == 409
