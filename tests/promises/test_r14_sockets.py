"""R14: sockets are as safe as pages. Whoever has no right to a socket gets none, or loses it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from novamas.house.clock import monotonic
from novamas.house.people.decide import SESSION
from novamas.house.people.events import Post
from novamas.house.people.state import DAY
from novamas.web import sessions as web_people
from novamas.web.sessions import digest
from tests.promises.figures import record
from tests.simulated_house.scene import in_simulated_time
from tests.web.accounts import PASSWORD, Accounts, bearer, open_accounts, table_with_staff, within
from tests.web.door import HOST, Closed, Signed, Socket, run

IN_TIME = 1.0
"""Seconds within which a connection ends that has lost its right."""
BY = pytest.mark.parametrize("by", ["header", "cookie"])


async def people(accounts: Accounts) -> None:
    """A table, and whoever comes to it."""
    await table_with_staff(accounts)
    await accounts.known("ana", Post.PLAYER, money=1_000)
    await accounts.known("gil", Post.CROUPIER)
    await accounts.known("cora", Post.CHIEF)
    await accounts.known("dino", Post.CHIEF)


# At the door --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": f"http://{HOST}:81"},
        {"origin": f"https://{HOST}"},
        {"origin": f"http://{HOST}.elsewhere.example"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": f"http://{HOST}", "sec-fetch-site": "cross-site"},
    ],
)
@BY
@run
async def test_r14_a_page_of_another_site_opens_no_socket(headers: dict[str, str], by: str) -> None:
    async with open_accounts() as accounts:
        await people(accounts)
        ana = await accounts.signed("ana", Post.PLAYER)
        with pytest.raises(Closed, match="403"):
            await accounts.listening("t", ana, by=by, **headers).__aenter__()
        own = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
        async with accounts.listening("t", ana, by=by, **own) as socket:
            await socket.must("Sit")


@run
async def test_r14_without_a_token_one_looks_on_and_sees_nothing_of_anybody() -> None:
    async with open_accounts() as accounts:
        await people(accounts)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", None) as looker, accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=100)
            assert "onlookers" in await looker.problem("Sit")
            bought = next(each for each in looker.events if each["type"] == "ChipsBought")
            assert "amount" not in bought["data"]
            assert "yours" not in bought
            assert looker.table.get("you") is None


@run
async def test_r14_no_token_is_taken_from_an_address() -> None:
    """Addresses stand in logs and histories; so in a house nobody comes in by one."""
    async with open_accounts() as accounts:
        await people(accounts)
        ana = await accounts.signed("ana", Post.PLAYER)
        for token in (ana.token, "wrong", ""):
            closed = await accounts.socket("t", token=token).end_of_hello()
            assert (closed.code, closed.reason) == (4401, "no token is taken from an address")


@pytest.mark.parametrize("token", ["wrong", "", "x" * 5000, "ü", "a b"])
@BY
@run
async def test_r14_a_wrong_token_opens_no_socket(token: str, by: str) -> None:
    async with open_accounts() as accounts:
        await people(accounts)
        who = Signed(accounts.people, token, "ana", Post.PLAYER)
        socket = accounts.listening("t", who, by=by)
        assert (await socket.end_of_hello()).code == 4401


# Mid-stream ---------------------------------------------------------------------------------------

Scene = Callable[[Accounts, Signed], Awaitable[Any]]


async def signs_out(accounts: Accounts, who: Signed) -> None:
    await accounts.http.post("/api/sign-out", headers=bearer(who))


async def is_revoked(accounts: Accounts, who: Signed) -> None:
    chief = bearer(await accounts.signed("cora", Post.CHIEF))
    answer = await accounts.http.delete(f"/api/people/{who.name}/sessions", headers=chief)
    assert answer.status_code == 204


async def changes_password(accounts: Accounts, who: Signed) -> None:
    body = {"old": PASSWORD, "new": "another one of nine"}
    answer = await accounts.http.put("/api/me/password", json=body, headers=bearer(who))
    assert answer.status_code == 204


async def is_given_a_password(accounts: Accounts, who: Signed) -> None:
    chief = bearer(await accounts.signed("cora", Post.CHIEF))
    path = f"/api/people/{who.name}/password"
    body = {"new": "another one of nine", "reason": "forgotten"}
    await is_approved(accounts, await accounts.http.put(path, json=body, headers=chief))


async def is_approved(accounts: Accounts, asked: httpx.Response) -> None:
    """A second chief approves what the first has asked for."""
    assert asked.status_code == 202, asked.text
    second = bearer(await accounts.signed("dino", Post.CHIEF))
    body = {"approve": True, "reason": "I know of it"}
    path = f"/api/approvals/{asked.json()['id']}"
    answer = await accounts.http.post(path, json=body, headers=second)
    assert answer.status_code == 204, answer.text


async def runs_out(accounts: Accounts, _: Signed) -> None:
    accounts.clock.later += SESSION


async def loses_the_post(accounts: Accounts, who: Signed) -> None:
    chief = bearer(await accounts.signed("cora", Post.CHIEF))
    body = {"posts": ["auditor"], "reason": "on leave"}
    path = f"/api/people/{who.name}/posts"
    await is_approved(accounts, await accounts.http.put(path, json=body, headers=chief))


async def loses_every_post(accounts: Accounts, who: Signed) -> None:
    chief = bearer(await accounts.signed("cora", Post.CHIEF))
    path = f"/api/people/{who.name}/posts"
    answer = await accounts.http.put(path, json={"posts": [], "reason": ""}, headers=chief)
    assert answer.status_code == 200


async def reaches_the_own_limit(accounts: Accounts, who: Signed) -> None:
    body = {"kind": "minutes", "amount": 30}
    answer = await accounts.http.put("/api/me/limits", json=body, headers=bearer(who))
    assert answer.status_code == 200
    accounts.clock.later += 30 * 60_000


async def shuts_himself_out(accounts: Accounts, who: Signed) -> None:
    body = {"until": accounts.clock.now() + 2 * DAY}
    answer = await accounts.http.post("/api/me/exclusion", json=body, headers=bearer(who))
    assert answer.status_code == 200


SCENES: list[tuple[str, str, Post, Scene]] = [
    ("signed out", "ana", Post.PLAYER, signs_out),
    ("signed out", "gil", Post.CROUPIER, signs_out),
    ("revoked", "ana", Post.PLAYER, is_revoked),
    ("revoked", "gil", Post.CROUPIER, is_revoked),
    ("password changed", "gil", Post.CROUPIER, changes_password),
    ("password set by a chief", "gil", Post.CROUPIER, is_given_a_password),
    ("time over", "ana", Post.PLAYER, runs_out),
    ("time over", "gil", Post.CROUPIER, runs_out),
    ("post taken away", "gil", Post.CROUPIER, loses_the_post),
    ("every post taken away", "ana", Post.PLAYER, loses_every_post),
    ("own limit of time reached", "ana", Post.PLAYER, reaches_the_own_limit),
    ("shut out by himself", "ana", Post.PLAYER, shuts_himself_out),
]


async def ending(socket: Socket) -> tuple[float, Closed]:
    """How long it takes until a socket is ended, and with which words."""
    began = monotonic()
    closed = await socket.end()
    return monotonic() - began, closed


@pytest.mark.parametrize(("why", "name", "post", "scene"), SCENES)
@BY
@in_simulated_time
async def test_r14_who_loses_his_right_loses_his_socket(
    why: str, name: str, post: Post, scene: Scene, by: str
) -> None:
    async with open_accounts() as accounts:
        await people(accounts)
        who = await accounts.signed(name, post)
        async with (
            accounts.listening("t", who, by=by) as one,
            accounts.listening("t", who, by=by) as two,
            accounts.listening("t", await accounts.signed("cora", Post.CHIEF)) as other,
        ):
            await scene(accounts, who)
            (took, closed), (_, again) = await asyncio.gather(ending(one), ending(two))
            assert closed.code == again.code == 4401
            assert closed.reason.startswith("you are signed out: ")
            assert took < IN_TIME
            if why != "time over":
                assert "ack" not in await other.give("LaunchBall"), "others stay"
        # What was shown once is not good a second time.
        assert (await accounts.listening("t", who, by=by).end_of_hello()).code == 4401
        assert (await accounts.http.get("/api/me", headers=bearer(who))).status_code == 401
    record("R14", f"{why} mid-stream, {post.spoken}: seconds until the socket is ended", took=took)


@BY
@run
async def test_r14_a_command_behind_a_revocation_is_not_done(by: str) -> None:
    """It may come before the connection is ended; it is not done all the same."""
    async with open_accounts(attended=False) as accounts:
        await people(accounts)
        ana = await accounts.signed("ana", Post.PLAYER)
        async with accounts.listening("t", ana, by=by) as socket:
            before = accounts.records("t")
            accounts.clock.later += SESSION  # Nobody has noticed yet.
            socket.ask("Sit")
            closed = await socket.end()
            assert closed.code == 4401
            assert accounts.records("t") == before


@in_simulated_time
async def test_r14_an_idle_post_loses_its_socket_though_its_page_looks_on() -> None:
    async with open_accounts(idle=2.0) as accounts:
        await people(accounts)
        gil = await accounts.signed("gil", Post.CROUPIER)
        async with accounts.listening("t", gil) as socket:
            ended = asyncio.create_task(socket.end())
            for _ in range(6):  # At work, by whatever they do.
                await asyncio.sleep(0.4)
                answer = await accounts.http.post("/api/me/presence", headers=bearer(gil))
                assert answer.status_code == 204
            assert not ended.done()
            began = monotonic()
            while not ended.done():  # A page that reads by itself.
                await accounts.http.get("/api/tables", headers=bearer(gil))
                await asyncio.sleep(0.05)
                assert monotonic() - began < 2.0 + IN_TIME
            assert "idle" in ended.result().reason


# Several servers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["revoked", "post taken away", "password set by a chief"])
@run
async def test_r14_revoked_at_another_server_of_the_house(why: str, database: str) -> None:
    scene = next(each for text, _, _, each in SCENES if text == why)
    async with open_accounts(database) as here, open_accounts(database) as there:
        await people(here)
        gil = await here.signed("gil", Post.CROUPIER)
        async with here.listening("t", gil) as socket:
            await there.people.registry.read()
            await scene(there, gil)
            took, closed = await ending(socket)
            assert closed.code == 4401
            assert took < IN_TIME
        for accounts in (here, there):
            answer = await accounts.http.get("/api/me", headers=bearer(gil))
            assert answer.status_code == 401
    record("R14", f"{why} at another server: seconds until the socket is ended", took=took)


@run
async def test_r14_who_signs_in_at_one_server_is_known_at_the_others_at_once(database: str) -> None:
    async with open_accounts(database) as here, open_accounts(database, attended=False) as there:
        await people(here)
        answer = await here.sign_in("ana", body={"by": "token"})
        who = Signed(here.people, answer.json()["token"], "ana", Post.PLAYER)
        assert (await there.http.get("/api/me", headers=bearer(who))).json()["name"] == "ana"


def heard_of(accounts: Accounts, who: Signed) -> int:
    """How many milliseconds ago a server heard that somebody is at work."""
    session = accounts.people.registry.register.sessions[digest(who.token)]
    return accounts.clock.now() - session.seen


@run
async def test_r14_whoever_works_at_one_server_is_not_idle_for_the_others(database: str) -> None:
    async with open_accounts(database) as here, open_accounts(database) as there:
        await people(here)
        gil = await here.signed("gil", Post.CROUPIER)
        await there.people.registry.read()
        # The other server has not seen them for longer than a post may be idle.
        clock = time.monotonic
        minutes = 0.0
        there.people._clock = lambda: clock() + minutes
        here.people._clock = lambda: clock() + minutes
        for _ in range(8):
            minutes += web_people.SHARED
            for accounts in (here, there):
                accounts.clock.later += int(web_people.SHARED * 1000)
            answer = await here.http.post("/api/me/presence", headers=bearer(gil))
            assert answer.status_code == 204
            await within(60, lambda: heard_of(there, gil) < web_people.SHARED * 1000)
        assert (await there.http.get("/api/me", headers=bearer(gil))).status_code == 200
        minutes += web_people.IDLE + web_people.SHARED + 1
        for accounts in (here, there):
            accounts.clock.later += int((web_people.IDLE + web_people.SHARED + 1) * 1000)
        assert (await there.http.get("/api/me", headers=bearer(gil))).status_code == 401
