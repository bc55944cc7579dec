"""R14, guessing: who guesses is slowed, and whose name is guessed at comes in all the same."""

from __future__ import annotations

import httpx

from novamas.house.people import events
from novamas.house.people.decide import LOCKED_OUT
from novamas.house.people.events import Post
from novamas.web.guess_throttle import CODES_DAY, FAILURES, STRANGERS_DAY
from tests.promises.figures import record
from tests.web.accounts import PASSWORD, Accounts, open_accounts, over_tls, passed
from tests.web.door import run


@run
async def test_r14_a_stranger_s_wrong_passwords_slow_the_stranger_alone() -> None:
    """For whoever guesses the right one is like a wrong one; its owner signs in meanwhile."""
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        async with over_tls(accounts, "192.0.2.66") as stranger:

            async def tries(password: str) -> httpx.Response:
                body = {"name": "ANA", "password": password}
                return await stranger.post("/api/sign-in", json=body)

            before = await tries("wrong password")
            assert before.status_code == 401
            for _ in range(FAILURES - 1):
                await tries("wrong password")
            after = await tries(PASSWORD)
            assert (after.status_code, after.text) == (before.status_code, before.text)
            assert (await accounts.sign_in("ana")).status_code == 200, "from another address"
        # Now and then a wrong one does no harm to its owner.
        for _ in range(3):
            for _ in range(FAILURES - 1):
                await accounts.sign_in("ana", "wrong password")
            assert (await accounts.sign_in("ana")).status_code == 200
    record("R14", "wrong passwords of a name from one address in 15 minutes", wrong=FAILURES)


async def attacked(accounts: Accounts, name: str, tries: int) -> None:
    """Strangers try a name, each from an address of their own."""
    for number in range(tries):
        async with over_tls(accounts, f"198.51.{number // 250}.{number % 250}") as http:
            body = {"name": name, "password": f"guess number {number}"}
            assert (await http.post("/api/sign-in", json=body)).status_code == 401


async def from_elsewhere(accounts: Accounts, **body: str) -> httpx.Response:
    """A try from an address that has done nothing before."""
    async with over_tls(accounts, "203.0.113.9") as http:
        return await http.post("/api/sign-in", json=body)


@run
async def test_r14_no_stranger_locks_a_post_out_and_guessing_is_bounded() -> None:
    """Beyond the bound a stranger shows password and code at once; its own device goes on."""
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.enrol("cora")
        own = await accounts.sign_in("cora", post="chief")
        assert own.status_code == 200
        await attacked(accounts, "cora, in", STRANGERS_DAY)
        (locked,) = await passed(accounts, events.PersonLocked)
        assert locked.until - accounts.clock.now() > LOCKED_OUT - 60_000
        who = {"name": "cora, in", "password": PASSWORD, "post": "chief"}
        # A stranger who guesses the password now does not even learn that it is right.
        told = await from_elsewhere(accounts, **who)
        wrong = await from_elsewhere(accounts, **{**who, "password": "guess number 0"})
        assert (told.status_code, told.text) == (wrong.status_code, wrong.text) == (401, wrong.text)
        # The chief comes in from anywhere with both, and from the same device as ever.
        code = accounts.code("cora")
        assert (await from_elsewhere(accounts, **who, code=code)).status_code == 200
        half = await accounts.http.post("/api/sign-in", json=who)
        assert (half.status_code, half.json()["why"]) == (401, "code_needed")
        assert (await accounts.sign_in("cora", post="chief")).status_code == 200
    record("R14", "strangers' guesses at a name in a day", guesses=STRANGERS_DAY)


@run
async def test_r14_a_reset_password_unlocks() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        await attacked(accounts, "ana", STRANGERS_DAY)
        assert (await from_elsewhere(accounts, name="ana", password=PASSWORD)).status_code == 401
        await accounts.people.set_password("ana", "a fresh one of nine", by="the test")
        fresh = {"name": "ana", "password": "a fresh one of nine"}
        assert (await from_elsewhere(accounts, **fresh)).status_code == 200


@run
async def test_r14_codes_are_guessed_no_further_than_passwords() -> None:
    """Who knows the password guesses at codes: twenty in a day, from however many addresses."""
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.enrol("cora")
        who = {"name": "cora, in", "password": PASSWORD, "post": "chief"}
        for number in range(CODES_DAY):
            async with over_tls(accounts, f"198.51.100.{number}") as http:
                answer = await http.post("/api/sign-in", json={**who, "code": "000000"})
                assert (answer.status_code, answer.json()["why"]) == (401, "code_not_good")
        answer = await from_elsewhere(accounts, **who, code=accounts.code("cora"))
        assert answer.json()["why"] == "code_not_good", "even the right one"
        await accounts.people.set_password("cora", "a fresh one of nine", by="cora")
        fresh = {**who, "password": "a fresh one of nine"}
        answer = await from_elsewhere(accounts, **fresh, code=accounts.code("cora"))
        assert answer.status_code == 200
    record("R14", "wrong codes of a name in a day", guesses=CODES_DAY)


@run
async def test_r14_who_guesses_next_door_keeps_nobody_s_own_device_out() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        assert (await accounts.sign_in("ana")).status_code == 200
        while (await accounts.sign_in("nobody", "wrong password")).status_code == 401:
            pass
        assert (await accounts.sign_in("ana")).status_code == 200
