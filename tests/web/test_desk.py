"""The cash desk and the chief's book of people, over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from novamas.house.people import events
from novamas.house.people.events import Post
from novamas.house.people.state import DAY
from tests.web.accounts import PASSWORD, Accounts, bearer, open_accounts, passed
from tests.web.door import run


class Desk:
    """A house whose posts are asked over HTTP."""

    def __init__(self, accounts: Accounts, tokens: dict[str, dict[str, str]]) -> None:
        self.accounts = accounts
        self._tokens = tokens

    async def approved(self, who: str, method: str, path: str, body: Any) -> None:
        """Asks for what takes two people, and has another chief approve it."""
        status, waits = await self.ask(who, method, path, {"reason": "needed", **body})
        assert status == 202, waits
        decision = {"approve": True, "reason": "I know of it"}
        decided = await self.ask("dino", "POST", f"/api/approvals/{waits['id']}", decision)
        assert decided == (204, None)

    async def ask(self, who: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        more: dict[str, Any] = {} if body is None else {"json": body}
        answer = await self.accounts.http.request(method, path, headers=self._tokens[who], **more)
        return answer.status_code, answer.json() if answer.content else None


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    async with open_accounts() as accounts:
        tokens = {}
        for name, post in (
            ("ana", Post.PLAYER),
            ("caj", Post.CASHIER),
            ("cora", Post.CHIEF),
            ("dino", Post.CHIEF),
            ("otto", Post.AUDITOR),
        ):
            await accounts.known(name, post)
            tokens[name] = bearer(await accounts.signed(name, post))
        yield Desk(accounts, tokens)


# Money --------------------------------------------------------------------------------------------


@run
async def test_money_comes_and_goes_once_whatever_is_sent_twice() -> None:
    async with desk() as house:
        wallet = {"name": "ana", "money": 500}
        for _ in range(2):
            paid = await house.ask("caj", "POST", "/api/desk/ana/in", {"amount": 500, "id": "1"})
            assert paid == (200, wallet)
        for _ in range(2):
            paid = await house.ask("caj", "POST", "/api/desk/ana/out", {"amount": 200, "id": "2"})
            assert paid == (200, {**wallet, "money": 300})
        assert await house.ask("otto", "GET", "/api/desk/ANA") == (200, {**wallet, "money": 300})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/desk/ana/in", {"amount": 501, "id": "1"}),
        ("/api/desk/ana/out", {"amount": 500, "id": "1"}),
        ("/api/desk/bea/in", {"amount": 500, "id": "1"}),
    ],
)
@run
async def test_something_else_under_the_same_id_is_not_said_to_be_done(
    path: str, body: dict[str, Any]
) -> None:
    async with desk() as house:
        await house.accounts.known("bea", Post.PLAYER)
        await house.ask("caj", "POST", "/api/desk/ana/in", {"amount": 500, "id": "1"})
        status, told = await house.ask("caj", "POST", path, body)
        assert (status, told["detail"]) == (409, "id: something else was done under it")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/desk/nobody/in", {"amount": 5, "id": "1"}, 409),
        ("/api/desk/cora/in", {"amount": 5, "id": "1"}, 409),
        ("/api/desk/ana/out", {"amount": 5, "id": "1"}, 409),
        ("/api/desk/ana/in", {"amount": 0, "id": "1"}, 422),
        ("/api/desk/ana/in", {"amount": 1.5, "id": "1"}, 422),
        ("/api/desk/ana/in", {"amount": 5, "id": ""}, 422),
        ("/api/desk/ana/in", {"amount": 10**13, "id": "1"}, 422),
    ],
)
@run
async def test_what_cannot_be_done_moves_nothing(
    path: str, body: dict[str, Any], status: int
) -> None:
    async with desk() as house:
        assert (await house.ask("caj", "POST", path, body))[0] == status
        assert await passed(house.accounts, events.CashTaken) == []


@run
async def test_for_play_money_nobody_is_paid() -> None:
    async with desk() as house:
        house.accounts.session(Post.PLAYER, "gus")
        house.accounts.people.registry.register.wallets["gus"] = 1_000
        for way in ("in", "out"):
            body = {"amount": 100, "id": way}
            status, told = await house.ask("caj", "POST", f"/api/desk/gus/{way}", body)
            assert (status, told["detail"]) == (409, "name: a guest has play money alone")


@run
async def test_a_cashier_who_plays_too_does_not_serve_himself() -> None:
    async with desk() as house:
        chief = {"posts": ["player", "cashier"], "reason": "both"}
        await house.approved("cora", "PUT", "/api/people/caj/posts", chief)
        body = {"amount": 100, "id": "1"}
        status, told = await house.ask("caj", "POST", "/api/desk/CAJ/in", body)
        assert (status, told["detail"]) == (409, "nobody serves themselves at the cash desk")


# People -------------------------------------------------------------------------------------------


@run
async def test_a_chief_makes_people_known_and_lets_them_go() -> None:
    async with desk() as house:
        person = {"name": "vera", "password": PASSWORD, "posts": ["croupier", "player"]}
        await house.approved("cora", "POST", "/api/people", person)
        assert (await house.ask("cora", "POST", "/api/people", person))[0] == 409
        own = {"by": "token", "new": "whatever she likes 8"}
        signed = await house.accounts.sign_in("vera", post="croupier", body=own)
        assert signed.status_code == 200
        known = {each["name"]: each for each in (await house.ask("otto", "GET", "/api/people"))[1]}
        assert (known["vera"]["signed_in"], known["vera"]["posts"]) == (1, ["player", "croupier"])
        gone = {"posts": [], "reason": "left the house"}
        await house.approved("cora", "PUT", "/api/people/vera/posts", gone)
        known = {each["name"]: each for each in (await house.ask("otto", "GET", "/api/people"))[1]}
        assert (known["vera"]["posts"], known["vera"]["signed_in"]) == ([], 0)
        for post in ("croupier", "player"):
            assert (await house.accounts.sign_in("vera", own["new"], post)).status_code == 403


@run
async def test_nobody_changes_his_own_posts_and_nobody_those_of_nobody() -> None:
    async with desk() as house:
        body = {"posts": ["chief", "cashier"], "reason": ""}
        for name in ("cora", "nobody"):
            assert (await house.ask("cora", "PUT", f"/api/people/{name}/posts", body))[0] == 409
        assert (await house.ask("cora", "DELETE", "/api/people/nobody/sessions"))[0] == 409
        new = {"new": "another one of nine"}
        assert (await house.ask("cora", "PUT", "/api/people/nobody/password", new))[0] == 409


@run
async def test_a_forgotten_password_is_set_anew_and_everybody_reads_by_whom() -> None:
    async with desk() as house:
        new = {"new": "another one of nine"}
        await house.approved("cora", "PUT", "/api/people/ana/password", new)
        assert (await house.accounts.sign_in("ana")).status_code == 401
        own = {"new": "whatever she likes 8"}
        assert (await house.accounts.sign_in("ana", new["new"], body=own)).status_code == 200
        status, log = await house.ask("otto", "GET", "/api/register")
        *_, set_anew, chosen = [entry["data"] for entry in log if entry["type"] == "PasswordSet"]
        assert (status, set_anew) == (200, {"name": "ana", "by": "cora"})
        assert chosen == {"name": "ana", "by": "ana"}


@run
async def test_a_chief_s_own_password_is_not_set_without_the_old_one() -> None:
    """Nobody can take over an open post by the way of those who forgot their password."""
    async with desk() as house:
        for name in ("cora", "CORA"):
            asked = await house.ask(
                "cora", "PUT", f"/api/people/{name}/password", {"new": "another one of nine"}
            )
            assert asked == (
                403,
                {
                    "detail": "name: your own password you change, with the old one",
                    "why": "old_one_is_needed",
                },
            )
        assert (await house.accounts.sign_in("cora", post="chief")).status_code == 200


@run
async def test_the_register_is_read_by_parts() -> None:
    async with desk() as house:
        _, whole = await house.ask("otto", "GET", "/api/register")
        assert [entry["seq"] for entry in whole] == list(range(1, len(whole) + 1))
        _, part = await house.ask("otto", "GET", "/api/register?after=2&most=3")
        assert part == whole[2:5]
        opened = [entry["data"] for entry in whole if entry["type"] == "SessionOpened"]
        assert {len(data["session"]) for data in opened} == {8}
        assert (await house.ask("otto", "GET", "/api/register?most=1001"))[0] == 422


# A player's own protection ------------------------------------------------------------------------


@run
async def test_a_player_sees_what_he_forbids_himself_and_what_waits() -> None:
    async with desk() as house:
        nothing = {"amount": None, "coming": None, "binds": None}
        status, told = await house.ask("ana", "GET", "/api/me/limits")
        assert status == 200
        assert told == {
            "limits": {"spend": nothing, "minutes": nothing},
            "spent": 0,
            "minutes": 0,
            "excluded_until": None,
        }
        await house.ask("ana", "PUT", "/api/me/limits", {"kind": "spend", "amount": 500})
        _, told = await house.ask("ana", "PUT", "/api/me/limits", {"kind": "spend", "amount": 900})
        spend = told["limits"]["spend"]
        assert (spend["amount"], spend["coming"]) == (500, 900)
        assert abs(spend["binds"] - house.accounts.clock.now() - DAY) < 60_000
        assert (await house.ask("ana", "GET", "/api/me/limits"))[1] == told


@run
async def test_who_shuts_himself_out_hears_until_when_and_is_out() -> None:
    async with desk() as house:
        soon = {"until": house.accounts.clock.now() + 1000}
        assert (await house.ask("ana", "POST", "/api/me/exclusion", soon))[0] == 409
        # For good with the password: a page that was left open shuts nobody out for good.
        for password in (None, "not the right one"):
            body = {"until": None, "password": password}
            status, told = await house.ask("ana", "POST", "/api/me/exclusion", body)
            assert (status, told["why"]) == (403, "not_recognised")
        body = {"until": None, "password": PASSWORD}
        status, told = await house.ask("ana", "POST", "/api/me/exclusion", body)
        assert (status, told["excluded_until"]) == (200, 2**53)
        assert (await house.ask("ana", "GET", "/api/me/limits"))[0] == 401
        assert (await house.accounts.sign_in("ana")).status_code == 403


# Two people ---------------------------------------------------------------------------------------


@run
async def test_a_large_sum_waits_for_a_second_person_and_counts_once_under_its_id() -> None:
    async with desk() as house:
        body = {"amount": 2_000_000, "id": "big"}
        status, told = await house.ask("caj", "POST", "/api/desk/ana/in", body)
        assert (status, told["why"]) == (409, "reason_not_valid")
        body["reason"] = "a suitcase"
        for _ in range(2):
            status, waits = await house.ask("caj", "POST", "/api/desk/ana/in", body)
            assert (status, waits["id"], waits["own"], waits["yours"]) == (202, "big", True, False)
        (listed,) = (await house.ask("dino", "GET", "/api/approvals"))[1]
        assert (listed["details"], listed["yours"]) == ({"amount": 2_000_000}, True)
        approve = {"approve": True, "reason": "counted"}
        assert (await house.ask("caj", "POST", "/api/approvals/big", approve))[0] == 409
        assert await house.ask("dino", "POST", "/api/approvals/big", approve) == (204, None)
        wallet = {"name": "ana", "money": 2_000_000}
        # Whoever asks again is told how it stands, and nothing is done or asked for once more.
        status, told = await house.ask("caj", "POST", "/api/desk/ana/in", body)
        assert (status, told["name"], told["money"]) == (200, *wallet.values())
        assert (await house.ask("dino", "GET", "/api/approvals")) == (200, [])
        assert (await house.ask("dino", "POST", "/api/approvals/big", approve))[0] == 409
        other = {**body, "amount": 2_000_001}
        status, told = await house.ask("caj", "POST", "/api/desk/ana/in", other)
        assert (status, told["why"]) == (409, "id_reused")


@run
async def test_nobody_reads_the_password_that_waits() -> None:
    async with desk() as house:
        new = {"new": "another one of nine", "reason": "forgotten"}
        status, waits = await house.ask("cora", "PUT", "/api/people/ana/password", new)
        assert status == 202
        for who, path in (("dino", "/api/approvals"), ("otto", "/api/register")):
            told = str((await house.ask(who, "GET", path))[1])
            assert waits["id"] in told
            assert "argon2" not in told
            assert new["new"] not in told


@run
async def test_a_lost_second_factor_is_replaced_by_two_people() -> None:
    async with desk() as house:
        await house.accounts.enrol("caj")
        path = "/api/people/caj/factors/reset"
        await house.approved("cora", "POST", path, {"reason": "lost the phone"})
        caj = house.accounts.people.registry.register.person("caj")
        assert caj is not None
        assert caj.factors == {}
        (reset,) = await passed(house.accounts, events.SecondFactorsReset)
        (decided,) = await passed(house.accounts, events.ApprovalDecided)
        assert (reset.by, decided.by) == ("cora", "dino")
        # Who has none, or asks for their own, is told so.
        lost = {"reason": "lost the phone"}
        for name, why in (("caj", "no_such_factor"), ("cora", "not_for_you")):
            status, told = await house.ask(
                "cora", "POST", f"/api/people/{name}/factors/reset", lost
            )
            assert (status, told["why"]) == (409, why)
