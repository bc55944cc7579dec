"""People at the door, one by one: counting, rates, passwords, addresses and tokens."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from argon2 import PasswordHasher
from starlette.requests import HTTPConnection

from novamas.house.people.decide import NameTakenError, ShutOutError
from novamas.house.people.events import Post
from novamas.web import guess_throttle
from novamas.web.auth import COOKIE, SAFE_COOKIE, address_of, is_same_origin, token_of
from novamas.web.guess_throttle import Often
from novamas.web.passwords import AT_ONCE, BadPasswordError, Passwords
from novamas.web.sessions import Rate, digest
from tests.web.accounts import QUICK, open_accounts
from tests.web.door import open_door, run


class Hands:
    """A clock whose hands a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_how_often_is_counted_for_a_while_and_for_each() -> None:
    clock = Hands()
    often = Often(3, 60, clock)
    for _ in range(3):
        assert not often.is_too_often("ana")
        often.note("ana")
        clock.now += 10
    assert often.is_too_often("ana")
    assert not often.is_too_often("bea")
    clock.now = 60.0  # The first of them is a minute old.
    assert not often.is_too_often("ana")
    often.note("ana")
    assert often.is_too_often("ana")
    often.forget("ana")
    assert not often.is_too_often("ana")


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes names up does not fill the house's memory."""
    monkeypatch.setattr(guess_throttle, "REMEMBERED", 100)
    often = Often(2, 60, Hands())
    for number in range(1_000):
        often.note(f"made up {number}")
        often.note("ana")
    assert len(often._times) == 100
    assert often.is_too_often("ana")


def test_a_rate_lets_some_through_at_once_and_then_so_many_a_second() -> None:
    clock = Hands()
    rate = Rate(10, 20, clock)
    assert sum(rate.allows() for _ in range(100)) == 20
    clock.now += 0.5
    assert sum(rate.allows() for _ in range(100)) == 5
    clock.now += 3600
    assert sum(rate.allows() for _ in range(100)) == 20


# Passwords ----------------------------------------------------------------------------------------


def test_a_password_is_the_same_however_its_letters_are_composed() -> None:
    passwords = Passwords(QUICK)

    async def scene() -> None:
        kept = await passwords.hashed("voisins du zéro")
        assert kept.startswith("$argon2id$")
        assert "voisins" not in kept
        assert await passwords.is_right(kept, "voisins du ze\u0301ro")
        assert not await passwords.is_right(kept, "voisins du zero")
        assert not await passwords.is_right("no hash at all", "voisins du zéro")
        assert not await passwords.is_right(None, "whoever is not known has this one")
        assert kept != await passwords.hashed("voisins du zéro"), "each has a salt of its own"

    asyncio.run(scene())


def test_argon2id_costs_what_is_advised() -> None:
    """At least 19 MiB twice, or 46 MiB once; the library's own choice is above both."""
    kept = asyncio.run(Passwords().hashed("voisins du zéro"))
    parameters = dict(part.split("=") for part in kept.split("$")[3].split(","))
    assert int(parameters["m"]) >= 46 * 1024
    assert int(parameters["t"]) >= 2


def test_only_a_few_are_worked_out_at_a_time() -> None:
    """Each takes much memory: whoever sends a hundred does not take a hundred times as much."""
    running, most, lock = 0, 0, threading.Lock()

    class Slow(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.02)
            with lock:
                running -= 1
            return QUICK.hash(password, salt=salt)

    passwords = Passwords(Slow())

    async def scene() -> None:
        await asyncio.gather(*(passwords.hashed(f"number {n}") for n in range(12)))

    asyncio.run(scene())
    assert most == AT_ONCE


@pytest.mark.parametrize("name", ["x", "al", "Jo"])
def test_a_short_name_may_stand_in_a_long_password(name: str) -> None:
    passwords = Passwords(QUICK)
    passwords.require_good(f"{name} and something of one's own", name=name)
    with pytest.raises(BadPasswordError):
        passwords.require_good(f"{name}1234567890", name=name)


# Guests and keys ----------------------------------------------------------------------------------


@run
async def test_a_guest_is_given_a_name_and_money_and_keeps_others_names_free() -> None:
    async with open_door(guest_money=500) as door:
        key = door.people.issue_key("croupier", Post.CROUPIER)
        with pytest.raises(NameTakenError):
            await door.people.guest("Croupier")
        token, first = await door.people.guest()
        _, second = await door.people.guest()
        assert first.name != second.name
        assert door.people.registry.register.has(first.name) == 500
        assert door.people.of(token) == first
        opened = await door.people.use_key(key)
        assert opened is not None
        assert opened[1].post is Post.CROUPIER
        assert await door.people.use_key(key) is None, "a key is good once"


@run
async def test_a_key_can_be_typed_after_an_option() -> None:
    async with open_door() as door:
        keys = [door.people.issue_key("chief", Post.CHIEF) for _ in range(400)]
        assert all(key.isalnum() for key in keys)
        assert len(set(keys)) == len(keys)


@run
async def test_in_a_house_there_are_no_guests() -> None:
    async with open_accounts() as accounts:
        assert not accounts.people.is_local
        with pytest.raises(ShutOutError):
            await accounts.people.guest("gus")


@run
async def test_a_token_is_kept_as_its_hash_alone() -> None:
    async with open_door() as door:
        token, session = await door.people.guest("ana")
        assert session.id == digest(token)
        assert len(token) >= 43
        assert token not in str(door.people.registry.register)
        assert door.people.of(session.id) is None, "the hash opens nothing"


# The entrance -------------------------------------------------------------------------------------


def connection(scheme: str = "http", **headers: str) -> HTTPConnection:
    raw = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    scope: dict[str, Any] = {
        "type": "http",
        "scheme": scheme,
        "path": "/",
        "query_string": b"",
        "headers": raw,
        "server": ("house.example", 443),
        "client": ("203.0.113.5", 1),
    }
    return HTTPConnection(scope)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_address_is_counted_as_whoever_has_it(address: str, counted: str) -> None:
    assert address_of({"client": (address, 1)}) == counted
    assert address_of({"client": None}) == ""


@pytest.mark.parametrize(
    ("origin", "scheme", "is_ours"),
    [
        ("https://house.example", "https", True),
        ("https://house.example", "wss", True),
        ("http://house.example", "http", True),
        ("http://house.example", "https", False),
        ("https://house.example", "http", False),
        ("https://house.example:444", "https", False),
        ("https://evil.example", "https", False),
        ("null", "https", False),
        ("", "https", False),
    ],
)
def test_a_page_is_this_house_s_by_its_whole_origin(
    origin: str, scheme: str, *, is_ours: bool
) -> None:
    assert is_same_origin(connection(scheme, host="house.example", origin=origin)) is is_ours


@pytest.mark.parametrize(
    ("headers", "scheme", "token"),
    [
        ({}, "http", (None, True)),
        ({"authorization": "Bearer abc"}, "http", ("abc", False)),
        ({"authorization": "Basic abc"}, "http", ("", False)),
        ({"authorization": "Bearer abc", "cookie": f"{COOKIE}=def"}, "http", ("abc", False)),
        ({"cookie": f"{COOKIE}=def"}, "http", ("def", True)),
        ({"cookie": f"{COOKIE}=def"}, "https", (None, True)),
        ({"cookie": f"{SAFE_COOKIE}=def"}, "https", ("def", True)),
        ({"cookie": f"{SAFE_COOKIE}=def"}, "http", (None, True)),
    ],
)
def test_a_token_is_shown_in_a_header_or_kept_in_a_cookie(
    headers: dict[str, str], scheme: str, token: tuple[str | None, bool]
) -> None:
    assert token_of(connection(scheme, **headers)) == token
