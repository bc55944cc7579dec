"""Every problem with people and their money is told by a reason that is published."""

from __future__ import annotations

from typing import Any

import pytest

from novamas.house.people import decide
from novamas.house.people.events import Post
from novamas.house.people.state import DAY
from novamas.house.refusals import HouseRefusalReason, Problem
from novamas.table.refusals import RefusalReason
from novamas.web import schemas
from tests.web.accounts import PASSWORD, Accounts, bearer, open_accounts
from tests.web.door import open_door, run

POSTS = {
    "ana": Post.PLAYER,
    "out": Post.PLAYER,
    "caj": Post.CASHIER,
    "cora": Post.CHIEF,
    "otto": Post.AUDITOR,
}
PERSON = {"name": "new", "password": PASSWORD, "posts": ["player"]}
CASH = {"amount": 5, "id": "1"}

ASKED: list[tuple[str, str, str, Any, int, Problem]] = [
    ("cora", "POST", "/api/people", PERSON | {"name": "ANA"}, 409, Problem.NAME_TAKEN),
    ("cora", "POST", "/api/people", PERSON | {"name": "auto"}, 409, Problem.NAME_TAKEN),
    ("cora", "POST", "/api/people", PERSON | {"name": "a/b"}, 409, Problem.NAME_NOT_VALID),
    ("cora", "POST", "/api/people", PERSON | {"name": "a\nb"}, 409, Problem.NAME_NOT_VALID),
    ("cora", "POST", "/api/people", PERSON | {"password": "x"}, 409, Problem.LENGTH_NOT_TAKEN),
    (
        *("cora", "POST", "/api/people", PERSON | {"password": "password123"}),
        *(409, Problem.KNOWN_TO_ALL),
    ),
    (
        *("cora", "POST", "/api/people", PERSON | {"name": "benito", "password": "xyz benito qw"}),
        *(409, Problem.HAS_THE_NAME),
    ),
    (
        *("cora", "POST", "/api/people", PERSON | {"password": "abcdefghij1"}),
        *(409, Problem.EASY_TO_GUESS),
    ),
    (
        *("cora", "POST", "/api/people", PERSON | {"posts": ["management"]}),
        *(403, Problem.POST_NOT_GIVEN),
    ),
    ("cora", "POST", "/api/people", PERSON | {"posts": []}, 422, Problem.NOT_UNDERSTOOD),
    ("caj", "POST", "/api/people", PERSON, 403, Problem.NOT_FOR_YOU),
    (
        *("cora", "PUT", "/api/people/cora/posts", {"posts": [], "reason": ""}),
        *(409, Problem.OWN_POSTS),
    ),
    (
        *("cora", "PUT", "/api/people/nobody/posts", {"posts": [], "reason": ""}),
        *(409, Problem.NOT_KNOWN),
    ),
    (
        *("cora", "PUT", "/api/people/ana/posts", {"posts": [], "reason": "\x00"}),
        *(409, Problem.REASON_NOT_VALID),
    ),
    (
        *("cora", "PUT", "/api/people/cora/password", {"new": PASSWORD}),
        *(403, Problem.OLD_ONE_IS_NEEDED),
    ),
    ("cora", "PUT", "/api/people/gus/password", {"new": PASSWORD}, 409, Problem.IS_A_GUEST),
    ("cora", "DELETE", "/api/people/nobody/sessions", None, 409, Problem.NOT_KNOWN),
    ("caj", "GET", "/api/desk/nobody", None, 409, Problem.NOT_KNOWN),
    ("caj", "POST", "/api/desk/cora/in", CASH, 409, Problem.NOT_KNOWN),
    ("caj", "POST", "/api/desk/gus/in", CASH, 409, Problem.IS_A_GUEST),
    ("caj", "POST", "/api/desk/ana/out", CASH, 409, Problem.NO_MONEY),
    ("caj", "POST", "/api/desk/out/in", CASH, 409, Problem.SHUT_OUT),
    ("caj", "POST", "/api/desk/out/in", CASH | {"id": "in out"}, 409, Problem.ID_REUSED),
    ("caj", "POST", "/api/desk/caj/in", CASH, 409, Problem.OWN_CASH),
    (
        *("ana", "PUT", "/api/me/password", {"old": "wrong", "new": PASSWORD}),
        *(403, Problem.NOT_RECOGNISED),
    ),
    (
        *("ana", "PUT", "/api/me/password", {"old": PASSWORD, "new": PASSWORD}),
        *(409, Problem.SAME_AS_BEFORE),
    ),
    ("ana", "POST", "/api/me/sessions/end", {"password": "wrong"}, 403, Problem.NOT_RECOGNISED),
    ("ana", "POST", "/api/me/exclusion", {"until": 0}, 409, Problem.SHUT_OUT_FOR_A_DAY),
    ("ana", "PUT", "/api/me/limits", {"kind": "spend"}, 422, Problem.NOT_UNDERSTOOD),
    ("nobody", "GET", "/api/me/limits", None, 401, Problem.NOT_SIGNED_IN),
    ("wrong", "GET", "/api/me/limits", None, 401, Problem.SESSION_NOT_GOOD),
    ("ana", "GET", "/api/nothing", None, 404, Problem.NO_SUCH_THING),
    ("ana", "PUT", "/api/sign-out", None, 405, Problem.NOT_UNDERSTOOD),
]


async def staffed(accounts: Accounts) -> None:
    for name, post in POSTS.items():
        await accounts.known(name, post, money=100 if name == "out" else 0)
    await accounts.people.registry.do(
        lambda register, now: decide.exclude(register, "out", None, now=now)
    )
    await accounts.people.registry.do(
        lambda register, _: decide.change_posts(
            register, "caj", [Post.CASHIER, Post.PLAYER], by="cora", reason="both"
        )
    )
    await accounts.people.register("lea", PASSWORD, (Post.PLAYER,), by="cora")
    accounts.session(Post.PLAYER, "gus")


@pytest.mark.parametrize(("who", "method", "path", "body", "status", "why"), ASKED)
@run
async def test_why_it_is_not_done(
    who: str, method: str, path: str, body: Any, status: int, why: Problem
) -> None:
    async with open_accounts() as accounts:
        await staffed(accounts)
        headers = {}
        if who in POSTS:
            headers = bearer(await accounts.signed(who, POSTS[who]))
        elif who == "wrong":
            headers = {"Authorization": "Bearer wrong"}
        more: dict[str, Any] = {} if body is None else {"json": body}
        answer = await accounts.http.request(method, path, headers=headers, **more)
        schemas.Problem.model_validate(answer.json())
        assert (answer.status_code, answer.json()["why"]) == (status, why), answer.json()


@pytest.mark.parametrize(
    ("name", "password", "post", "new", "status", "why"),
    [
        ("ana", "wrong", "player", None, 401, Problem.NOT_RECOGNISED),
        ("nobody", PASSWORD, "player", None, 401, Problem.NOT_RECOGNISED),
        ("ana", PASSWORD, "chief", None, 403, Problem.NOT_THEIR_POST),
        ("out", PASSWORD, "player", None, 403, Problem.SHUT_OUT),
        ("lea", PASSWORD, "player", None, 403, Problem.CHOSEN_BY_ANOTHER),
        ("ana", PASSWORD, "player", "x", 409, Problem.LENGTH_NOT_TAKEN),
        ("ana", PASSWORD, "player", PASSWORD, 409, Problem.SAME_AS_BEFORE),
    ],
)
@run
async def test_why_nobody_is_let_in(
    name: str, password: str, post: str, new: str | None, status: int, why: Problem
) -> None:
    async with open_accounts() as accounts:
        await staffed(accounts)
        answer = await accounts.sign_in(name, password, post, body={"new": new})
        schemas.Problem.model_validate(answer.json())
        assert (answer.status_code, answer.json()["why"]) == (status, why)


@run
async def test_why_at_the_door() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        elsewhere = {"Origin": "https://elsewhere.example"}
        answer = await accounts.sign_in("ana", headers=elsewhere)
        assert (answer.status_code, answer.json()["why"]) == (403, Problem.OTHER_PAGE)
        async with accounts.from_address("192.0.2.7") as far:
            body = {"name": "ana", "password": PASSWORD, "post": "player"}
            answer = await far.post("/api/sign-in", json=body)
            assert (answer.status_code, answer.json()["why"]) == (403, Problem.NOT_PRIVATE)
        answer = await accounts.http.post("/api/guests", json={})
        assert (answer.status_code, answer.json()["why"]) == (403, Problem.NO_GUESTS)
        answer = await accounts.http.get("/api/mode", headers={"Host": "elsewhere.example"})
        assert (answer.status_code, answer.json()["why"]) == (421, Problem.OTHER_ADDRESS)
        for _ in range(30):
            answer = await accounts.sign_in("nobody", "wrong")
        assert (answer.status_code, answer.json()["why"]) == (429, Problem.TOO_OFTEN)


@run
async def test_why_an_exclusion_is_not_made_shorter() -> None:
    async with open_accounts() as accounts:
        await staffed(accounts)
        registry = accounts.people.registry
        with pytest.raises(decide.RegisterError) as refused:
            await registry.do(
                lambda register, now: decide.exclude(register, "out", now + 2 * DAY, now=now)
            )
        assert refused.value.why is Problem.SHUT_OUT_FOR_LONGER


@run
async def test_on_a_machine_of_ones_own_there_are_no_accounts() -> None:
    async with open_door() as door:
        headers = door.bearer(Post.MANAGEMENT)
        answer = await door.http.post("/api/people", json=PERSON, headers=headers)
        assert (answer.status_code, answer.json()["why"]) == (409, Problem.NO_ACCOUNTS)


@run
async def test_the_reasons_are_published() -> None:
    async with open_door() as door:
        published = (await door.http.get("/openapi.json")).json()["components"]["schemas"]
        shape = published["Problem"]["properties"]["why"]
        assert shape["enum"] == [each.value for each in Problem]
        assert published["Problem"]["required"] == ["detail", "why"]


def test_one_reason_has_one_name() -> None:
    # What a table refuses and what never comes to it may be the same, and is then called the same.
    shared = {each.name: each.value for each in (*RefusalReason, *HouseRefusalReason)}
    assert all(shared.get(each.name, each.value) == each.value for each in Problem)
