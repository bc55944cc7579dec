"""Second factors: enrolled at the first sign-in for a post, asked for ever after."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import httpx
import msgspec
import pyotp
import pytest

from novamas.house.encryption import SealingKey
from novamas.house.people import decide, events, second_factor
from novamas.house.people.decide import FIRST_PASSWORD, RegisterError
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG, Kept
from novamas.house.people.state import MACHINE
from novamas.web.factor_proofs import CHALLENGED, STEP, Factors
from novamas.web.server import LocalHouse, Options
from tests.web.accounts import PASSWORD, Accounts, bearer, open_accounts, passed
from tests.web.authenticator import Authenticator
from tests.web.door import HOST, Signed, run

ORIGIN = f"http://{HOST}"
FACTORS = "/api/me/factors"


async def chief(accounts: Accounts) -> dict[str, str]:
    """A chief who has signed in for the first time, and has nothing but a password yet."""
    await accounts.known("cora", Post.CHIEF)
    answer = await accounts.sign_in("cora", post="chief", body={"by": "token"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["enrolling"]
    who = {"Authorization": f"Bearer {answer.json()['token']}"}
    body = {"name": "cora, in"}
    answer = await accounts.http.put("/api/me/sign-in-name", json=body, headers=who)
    assert answer.status_code == 200, answer.text
    return who


async def with_app(
    accounts: Accounts, who: dict[str, str], **more: str
) -> tuple[str, httpx.Response]:
    """Enrols an app; gives its secret, and what the house said."""
    told = (await accounts.http.post(f"{FACTORS}/totp", headers=who)).json()
    code = pyotp.TOTP(told["secret"]).at(accounts.clock.now() // 1000)
    body = {"ticket": told["ticket"], "code": code, "label": "phone", **more}
    answer = await accounts.http.post(f"{FACTORS}/totp/confirm", json=body, headers=who)
    return told["secret"], answer


async def with_passkey(
    accounts: Accounts, who: dict[str, str], held: Authenticator, **more: str
) -> httpx.Response:
    """Enrols a passkey."""
    told = (await accounts.http.post(f"{FACTORS}/passkey/challenge", headers=who)).json()
    body = {"credential": held.make(told["publicKey"], ORIGIN), "label": "key", **more}
    return await accounts.http.post(f"{FACTORS}/passkey", json=body, headers=who)


async def challenge(accounts: Accounts) -> dict[str, Any]:
    answer = await accounts.http.post("/api/sign-in/passkey/challenge")
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["publicKey"]
    return options


async def shows(accounts: Accounts, credential: dict[str, Any], post: str = "chief") -> Any:
    body = {"credential": credential, "post": post, "by": "token"}
    return await accounts.http.post("/api/sign-in/passkey", json=body)


def why(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["why"]


# Codes --------------------------------------------------------------------------------------------


@run
async def test_a_post_s_first_sign_in_leads_through_enrolling_and_the_next_asks_for_it() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        assert why(await accounts.http.get("/api/people", headers=who)) == (
            403,
            "second_factor_missing",
        )
        secret, answer = await with_app(accounts, who)
        assert answer.status_code == 201
        assert [each["kind"] for each in answer.json()["factors"]] == ["totp"]
        assert answer.json()["required"]
        assert (await accounts.http.get("/api/people", headers=who)).status_code == 200
        assert why(await accounts.sign_in("cora", post="chief")) == (401, "code_needed")
        accounts.clock.later += STEP * 1000
        accounts.apps["cora"] = secret
        answer = await accounts.sign_in("cora", post="chief")
        assert answer.status_code == 200
        assert not answer.json()["enrolling"]
        kept = Kept()
        kept.go_on(accounts.house.store.read(LOG))
        assert kept.register == accounts.people.registry.register


@run
async def test_a_code_is_good_once_and_for_a_step_before_and_after() -> None:
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.enrol("cora")
        app = pyotp.TOTP(accounts.apps["cora"])

        async def tries(seconds: int) -> int:
            at = accounts.clock.now() // 1000 + seconds
            body = {"code": app.at(at)}
            return (await accounts.sign_in("cora", post="chief", body=body)).status_code

        # From the middle of a step, so that none ends while the test asks.
        accounts.clock.later += 1000 * (STEP + STEP // 2 - accounts.clock.now() // 1000 % STEP)
        assert [await tries(2 * STEP), await tries(-2 * STEP)] == [401, 401]
        assert [await tries(-STEP), await tries(-STEP)] == [200, 401], "good once"
        assert [await tries(0), await tries(STEP)] == [200, 200]
        assert await tries(0) == 401, "none before one that was used"
        used = await passed(accounts, events.SecondFactorUsed)
        assert [each.counter for each in used] == sorted({each.counter for each in used})


@run
async def test_a_code_that_comes_twice_at_once_lets_one_in() -> None:
    """Two servers may find it right at the same moment; the register takes it once."""
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.enrol("cora")
        person = accounts.people.registry.register.person("cora")
        assert person is not None
        found = accounts.people.factors.step_of(person, accounts.code("cora"), accounts.clock.now())
        assert found is not None
        used = found[0].id, found[1]
        await accounts.people._open("cora", Post.CHIEF, code=used)
        with pytest.raises(RegisterError, match="was used"):
            await accounts.people._open("cora", Post.CHIEF, code=used)


@run
async def test_a_secret_counts_once_its_code_is_shown_and_in_its_own_session_alone() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        told = (await accounts.http.post(f"{FACTORS}/totp", headers=who)).json()
        assert told["uri"].startswith("otpauth://totp/novamas:cora?secret=" + told["secret"])
        assert told["picture"]["path"].startswith("M0 0h1v1h-1z")
        app, path = pyotp.TOTP(told["secret"]), f"{FACTORS}/totp/confirm"
        body = {"ticket": told["ticket"], "code": "000000", "label": "phone"}
        assert why(await accounts.http.post(path, json=body, headers=who)) == (409, "code_not_good")
        body["code"] = app.at(accounts.clock.now() // 1000)
        again = await accounts.sign_in("cora", post="chief", body={"by": "token"})
        other = {"Authorization": f"Bearer {again.json()['token']}"}
        assert why(await accounts.http.post(path, json=body, headers=other))[0] == 409
        accounts.clock.later += CHALLENGED
        body["code"] = app.at(accounts.clock.now() // 1000)
        assert why(await accounts.http.post(path, json=body, headers=who))[0] == 409, "too late"
        # With the first factor every other session that a password alone opened ends.
        assert (await with_app(accounts, who))[1].status_code == 201
        assert (await accounts.http.get("/api/me", headers=other)).status_code == 401


@run
async def test_a_secret_is_sealed_and_the_register_shows_nothing_of_it() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        secret, _ = await with_app(accounts, who)
        await with_passkey(accounts, who, Authenticator(), password=PASSWORD)
        payloads = b"".join(record.payload for record in accounts.house.store.read(LOG))
        assert secret.encode() not in payloads
        await accounts.known("otto", Post.AUDITOR)
        otto = bearer(await accounts.signed("otto", Post.AUDITOR))
        shown = (await accounts.http.get("/api/register", headers=otto)).json()
        enrolled = [each for each in shown if each["type"].endswith("Enrolled")]
        assert {each["type"] for each in enrolled} == {"TotpEnrolled", "PasskeyEnrolled"}
        fields = {field for each in enrolled for field in each["data"]}
        assert fields == {"name", "factor", "label", "counter"}


@run
async def test_with_another_key_no_code_is_right_and_the_house_says_why() -> None:
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.enrol("cora")
        accounts.people.factors = accounts.people._recognition._factors = Factors(SealingKey())
        answer = await accounts.sign_in("cora", post="chief")
        assert why(answer) == (503, "codes_not_checked")


@run
async def test_a_post_is_not_signed_in_to_under_the_name_that_players_see() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        await with_app(accounts, who)
        nobody = await accounts.http.post(
            "/api/sign-in", json={"name": "nobody", "password": PASSWORD, "post": "chief"}
        )
        seen = await accounts.http.post(
            "/api/sign-in", json={"name": "cora", "password": PASSWORD, "post": "chief"}
        )
        assert (seen.status_code, seen.text) == (401, nobody.text)
        assert why(await accounts.sign_in("cora", post="chief")) == (401, "code_needed")
        # It is nobody else's, neither to sign in nor to be called; and the register shows none.
        await accounts.known("gil", Post.CROUPIER)
        gil = bearer(await accounts.signed("gil", Post.CROUPIER))
        for taken in ("cora", "CORA, in", "gil"):
            body = {"name": taken, "password": PASSWORD}
            answer = await accounts.http.put("/api/me/sign-in-name", json=body, headers=gil)
            assert why(answer) == (409, "name_taken")
        person = {"name": "cora, in", "password": PASSWORD, "posts": ["player"]}
        assert why(await accounts.http.post("/api/people", json=person, headers=who))[0] == 409
        await accounts.known("otto", Post.AUDITOR)
        otto = bearer(await accounts.signed("otto", Post.AUDITOR))
        assert "cora, in" not in (await accounts.http.get("/api/register", headers=otto)).text
        # Whose password was set anew, by whomever else, comes in under their own name and chooses.
        for by in ("gil", MACHINE):
            await accounts.people.set_password("cora", "another to begin with 5", by=by)
            asked = {"name": "cora", "password": "another to begin with 5", "post": "chief"}
            answer = await accounts.http.post("/api/sign-in", json={**asked, "new": PASSWORD})
            assert why(answer) == (401, "code_needed")


# Passkeys -----------------------------------------------------------------------------------------


async def holder(accounts: Accounts, **more: Any) -> Authenticator:
    """A chief's passkey."""
    held = Authenticator(**more)
    assert (await with_passkey(accounts, await chief(accounts), held)).status_code == 201
    return held


@run
async def test_a_passkey_lets_one_in_by_itself_and_a_password_alone_does_not() -> None:
    async with open_accounts() as accounts:
        held = await holder(accounts)
        assert why(await accounts.sign_in("cora", post="chief")) == (401, "passkey_needed")
        options = await challenge(accounts)
        assert options.get("allowCredentials", []) == [], "it tells a stranger nobody's passkeys"
        assert (options["rpId"], options["userVerification"]) == (HOST, "required")
        answer = await shows(accounts, held.sign(options, ORIGIN))
        assert answer.status_code == 200
        who = {"Authorization": f"Bearer {answer.json()['token']}"}
        assert (await accounts.http.get("/api/people", headers=who)).status_code == 200
        wrong = await shows(accounts, held.sign(await challenge(accounts), ORIGIN), "cashier")
        assert why(wrong) == (403, "not_their_post")


@run
async def test_who_guesses_at_the_same_address_keeps_no_passkey_out() -> None:
    async with open_accounts() as accounts:
        held = await holder(accounts)
        while (await accounts.sign_in("nobody", "wrong password")).status_code == 401:
            pass
        assert (
            await shows(accounts, held.sign(await challenge(accounts), ORIGIN))
        ).status_code == 200


@run
async def test_a_challenge_is_good_once_and_for_five_minutes() -> None:
    async with open_accounts() as accounts:
        held = await holder(accounts, counts=False)
        options = await challenge(accounts)
        signed = held.sign(options, ORIGIN)
        assert (await shows(accounts, signed)).status_code == 200
        assert why(await shows(accounts, signed)) == (401, "passkey_not_good")
        # Signed anew it is the same challenge still.
        assert why(await shows(accounts, held.sign(options, ORIGIN)))[0] == 401
        late = held.sign(await challenge(accounts), ORIGIN)
        accounts.clock.later += CHALLENGED
        assert why(await shows(accounts, late)) == (401, "passkey_not_good")
        assert len(await passed(accounts, events.SecondFactorUsed)) == 1
        assert (
            await shows(accounts, held.sign(await challenge(accounts), ORIGIN))
        ).status_code == 200
        assert len(accounts.people.registry.register.challenges) == 1, "expired ones are forgotten"


@run
async def test_what_proves_nothing_lets_nobody_in() -> None:
    async with open_accounts() as accounts:
        held = await holder(accounts)
        options = await challenge(accounts)
        made_up = {**options, "challenge": "A" * 50}
        # A challenge that was made to enrol a passkey is not one to sign in with.
        ana = accounts.people.registry.register.person("cora")
        assert ana is not None
        foreign = Factors(SealingKey())
        from novamas.web.factor_proofs import Site

        others = foreign.authentication(Site(HOST, ORIGIN), now=accounts.clock.now())
        cases = {
            "another site's page": held.sign(options, "https://elsewhere.example"),
            "another site's name": held.sign({**options, "rpId": "elsewhere.example"}, ORIGIN),
            "a challenge of nobody": held.sign(made_up, ORIGIN),
            "a challenge of another house": held.sign(others, ORIGIN),
            "a passkey of nobody": Authenticator().sign(options, ORIGIN),
            "another key": Authenticator(id=held.id, count=9).sign(options, ORIGIN),
            "not made sure whose": _unverified(held).sign(options, ORIGIN),
            "nothing at all": {},
            "nonsense": {"id": 3, "response": {"clientDataJSON": "e30"}},
            "a broken signature": _broken(held.sign(options, ORIGIN)),
        }
        for case, credential in cases.items():
            assert why(await shows(accounts, credential)) == (401, "passkey_not_good"), case
        assert not await passed(accounts, events.SecondFactorUsed)
        assert (await shows(accounts, held.sign(options, ORIGIN))).status_code == 200


def _unverified(held: Authenticator) -> Authenticator:
    return Authenticator(verifies=False, count=held.count, id=held.id, key=held.key)


def _broken(credential: dict[str, Any]) -> dict[str, Any]:
    return {**credential, "response": {**credential["response"], "signature": "AAAA"}}


@run
async def test_a_count_that_goes_back_gives_a_copy_away() -> None:
    async with open_accounts() as accounts:
        held = await holder(accounts)
        copy = Authenticator(count=held.count, id=held.id, key=held.key)
        for _ in range(2):
            signed = held.sign(await challenge(accounts), ORIGIN)
            assert (await shows(accounts, signed)).status_code == 200
        assert why(await shows(accounts, copy.sign(await challenge(accounts), ORIGIN)))[0] == 401


@run
async def test_a_passkey_is_enrolled_where_it_was_asked_for_and_verifies_its_user() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        path = f"{FACTORS}/passkey"
        told = (await accounts.http.post(f"{path}/challenge", headers=who)).json()["publicKey"]
        chosen = told["authenticatorSelection"]
        assert (chosen["residentKey"], chosen["userVerification"]) == ("required", "required")
        await accounts.known("caj", Post.CASHIER)
        token, _ = await accounts.people._open("caj", Post.CASHIER)
        caj = bearer(Signed(accounts.people, token, "caj", Post.CASHIER))
        held = Authenticator()
        for headers, made in (
            (who, Authenticator(verifies=False).make(told, ORIGIN)),
            (who, Authenticator(origin="https://elsewhere.example").make(told, ORIGIN)),
            (who, Authenticator().make({**told, "rp": {"id": "elsewhere.example"}}, ORIGIN)),
            (
                who,
                Authenticator().make(
                    await challenge(accounts) | {"rp": told["rp"], "user": told["user"]}, ORIGIN
                ),
            ),
            (caj, Authenticator().make(told, ORIGIN)),
            (who, {"id": "x"}),
        ):
            body = {"credential": made, "label": "key"}
            answer = await accounts.http.post(path, json=body, headers=headers)
            assert why(answer) == (409, "passkey_not_good")
        body = {"credential": held.make(told, ORIGIN), "label": "key"}
        assert (await accounts.http.post(path, json=body, headers=who)).status_code == 201
        again = {**body, "password": PASSWORD}
        assert why(await accounts.http.post(path, json=again, headers=who)) == (
            409,
            "factor_enrolled",
        )


# One's own factors --------------------------------------------------------------------------------


@run
async def test_whoever_holds_a_post_keeps_one_and_each_is_changed_with_the_password() -> None:
    async with open_accounts() as accounts:
        who = await chief(accounts)
        _, answer = await with_app(accounts, who)
        (app,) = answer.json()["factors"]
        held = Authenticator()
        for password in ({}, {"password": "not the right one"}):
            assert why(await with_passkey(accounts, who, held, **password)) == (
                403,
                "not_recognised",
            )
        path, body = f"{FACTORS}/{app['id']}/remove", {"password": PASSWORD}
        assert why(await accounts.http.post(path, json=body, headers=who)) == (
            409,
            "last_second_factor",
        )
        assert (await with_passkey(accounts, who, held, password=PASSWORD)).status_code == 201
        wrong = {"password": "not the right one"}
        assert why(await accounts.http.post(path, json=wrong, headers=who))[0] == 403
        left = await accounts.http.post(path, json=body, headers=who)
        assert [each["kind"] for each in left.json()["factors"]] == ["passkey"]
        assert why(await accounts.http.post(path, json=body, headers=who)) == (
            409,
            "no_such_factor",
        )
        assert (
            why(await with_passkey(accounts, who, Authenticator(), password=PASSWORD, label=" "))[1]
            == "label_not_valid"
        )


@run
async def test_a_player_may_have_one_and_give_it_up() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        answer = await accounts.sign_in("ana", body={"by": "token"})
        assert not answer.json()["enrolling"]
        ana = {"Authorization": f"Bearer {answer.json()['token']}"}
        secret, answer = await with_app(accounts, ana, password=PASSWORD)
        assert (answer.status_code, answer.json()["required"]) == (201, False)
        assert why(await accounts.sign_in("ana")) == (401, "code_needed")
        accounts.apps["ana"] = secret
        assert (await accounts.sign_in("ana")).status_code == 200
        (app,) = answer.json()["factors"]
        body = {"password": PASSWORD}
        path = f"{FACTORS}/{app['id']}/remove"
        assert (await accounts.http.post(path, json=body, headers=ana)).status_code == 200
        assert (await accounts.sign_in("ana")).status_code == 200


@run
async def test_a_reset_takes_all_factors_away_ends_sessions_and_says_by_whom() -> None:
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        signed = await accounts.signed("cora", Post.CHIEF)

        async def reset(by: str) -> None:
            await accounts.people.registry.do(
                lambda r, _: second_factor.reset_second_factor(r, "cora", by=by, reason="lost")
            )

        with pytest.raises(RegisterError, match="others"):
            await reset("cora")
        await reset(MACHINE)
        (written,) = await passed(accounts, events.SecondFactorsReset)
        assert (written.by, written.reason) == ("machine", "lost")
        assert (await accounts.http.get("/api/me", headers=bearer(signed))).status_code == 401
        with pytest.raises(RegisterError, match="no second factor"):
            await reset("machine")
        answer = await accounts.sign_in("cora", post="chief")
        assert answer.json()["enrolling"]


@run
async def test_a_first_password_says_that_it_has_expired() -> None:
    async with open_accounts() as accounts:
        await accounts.known("cora", Post.CHIEF)
        await accounts.people.register("ana", PASSWORD, (Post.PLAYER,), by="cora")
        accounts.clock.later += FIRST_PASSWORD
        answer = await accounts.sign_in("ana", body={"new": "whatever she likes 8"})
        assert why(answer) == (403, "first_one_expired")
        assert (await accounts.sign_in("ana", "wrong password")).status_code == 401
        await accounts.people.set_password("ana", "another for ana 5", by="cora")
        new = {"new": "whatever she likes 8"}
        assert (await accounts.sign_in("ana", "another for ana 5", body=new)).status_code == 200


@run
async def test_the_mark_of_a_device_opens_nothing_and_is_of_one_person() -> None:
    async with open_accounts() as accounts:
        factors, now = accounts.people.factors, accounts.clock.now()
        mark = factors.device("Ana", now)
        assert factors.known_device(mark, "ana", now) is not None
        assert factors.known_device(mark, "bea", now) is None
        assert factors.known_device(mark, "ana", now + 91 * 24 * 3_600_000) is None
        assert factors.known_device(mark[:-2] + "AA", "ana", now) is None
        assert factors.known_device("nonsense", "ana", now) is None
        assert Factors(SealingKey()).known_device(mark, "ana", now) is None
        cookies = {"Cookie": f"novamas-device={mark}; novamas={mark}"}
        assert (await accounts.http.get("/api/me", headers=cookies)).status_code == 401


def test_the_events_are_read_again_as_they_were_written() -> None:
    made = events.PasskeyEnrolled(
        name="cora", factor="f", label="key", credential="c", public_key="p", counter=3
    )
    assert msgspec.json.decode(msgspec.json.encode(made), type=type(made)) == made


# A house where players must have one too ----------------------------------------------------------


async def player(accounts: Accounts) -> dict[str, str]:
    """A player who has signed in with a password, and has nothing else."""
    await accounts.known("ana", Post.PLAYER, money=5_000)
    answer = await accounts.sign_in("ana", body={"by": "token"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["enrolling"]
    return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.mark.parametrize("kind", ["app", "passkey"])
@run
async def test_a_house_may_want_a_second_factor_of_everyone(kind: str) -> None:
    async with open_accounts(required=second_factor.EVERYONE) as accounts:
        await accounts.set_up("t", "bg")
        who = await player(accounts)
        ana = Signed(accounts.people, who["Authorization"].partition(" ")[2], "ana", Post.PLAYER)
        closed = await accounts.listening("t", ana).end_of_hello()
        assert (closed.code, closed.reason) == (4401, "a second factor is to be enrolled first")
        limit = {"kind": "spend", "amount": 10}
        missing = 403, "second_factor_missing"
        assert why(await accounts.http.put("/api/me/limits", json=limit, headers=who)) == missing
        assert why(await accounts.http.get("/api/tables", headers=who)) == missing
        if kind == "app":
            secret, answer = await with_app(accounts, who)
            accounts.apps["ana"] = secret
        else:
            held = Authenticator()
            answer = await with_passkey(accounts, who, held)
        assert answer.status_code == 201
        assert answer.json()["required"]
        assert not answer.json()["sign_in_name"], "a player's name is seen by all anyway"
        assert (await accounts.http.get("/api/tables", headers=who)).status_code == 200
        async with accounts.listening("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=100)
        # From now on it is asked for, and nobody gives it up.
        accounts.clock.later += STEP * 1000
        if kind == "app":
            body = {"code": "000000", "by": "token"}
            assert why(await accounts.sign_in("ana", body=body)) == (401, "code_not_good")
            answer = await accounts.sign_in("ana", body={"by": "token"})
        else:
            assert why(await accounts.sign_in("ana")) == (401, "passkey_needed")
            signed = held.sign(await challenge(accounts), ORIGIN)
            answer = await shows(accounts, signed, "player")
        assert answer.status_code == 200, answer.text
        assert not answer.json()["enrolling"]
        (factor,) = decide.known(accounts.people.registry.register, "ana").factors
        answer = await accounts.http.post(
            f"{FACTORS}/{factor}/remove", json={"password": PASSWORD}, headers=who
        )
        assert why(answer) == (409, "last_second_factor")


@run
async def test_elsewhere_a_player_may_have_one_and_need_not() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER)
        answer = await accounts.sign_in("ana", body={"by": "token"})
        assert not answer.json()["enrolling"]
        who = {"Authorization": f"Bearer {answer.json()['token']}"}
        _, answer = await with_app(accounts, who, password=PASSWORD)
        (factor,) = answer.json()["factors"]
        assert not answer.json()["required"]
        answer = await accounts.http.post(
            f"{FACTORS}/{factor['id']}/remove", json={"password": PASSWORD}, headers=who
        )
        assert answer.json()["factors"] == []


@pytest.mark.parametrize("said", ["staff", "everyone"])
def test_the_house_is_told_who_must_have_one(said: Literal["staff", "everyone"]) -> None:
    local = LocalHouse(Options(local=False, second_factor=said))
    try:
        wanted = {"staff": second_factor.MUST_HAVE, "everyone": frozenset(Post)}[said]
        assert local.people.required == wanted
    finally:
        asyncio.run(local.house.close())
