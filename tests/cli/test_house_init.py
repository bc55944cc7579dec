"""`novamas house init`, and what a house asks before it serves people whom it does not see."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from novamas.house.clock import SystemClock
from novamas.house.register.events import PasswordSet, PersonRegistered, Post
from novamas.house.register.keeping import LOG, Registry, decode
from novamas.house.stores.sqlite import SqliteStore
from novamas.web.passwords import Passwords
from tests.cli.running import bad, good, novamas

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


def init(store: Path, name: str = "cora") -> tuple[str, ...]:
    return "house", "init", str(store), "--chief", name


def written(store: Path) -> list[object]:
    log = SqliteStore(store)
    found: list[object] = [decode(each) for each in log.read(LOG)]
    log.close()
    return found


def test_the_first_chief_is_made_known_with_a_password_from_the_input(store: Path) -> None:
    said = good(*init(store), stdin=f"{PASSWORD}\n")
    assert said.splitlines() == [
        "cora is chief of the house",
        "open it: novamas serve --store FILE",
    ]
    person, password = written(store)
    assert isinstance(person, PersonRegistered)
    assert (person.name, person.posts, person.by) == ("cora", (Post.CHIEF,), "house init")
    assert isinstance(password, PasswordSet)
    assert password.password.startswith("$argon2id$")
    assert asyncio.run(Passwords().is_right(password.password, PASSWORD))


def test_a_house_has_its_first_chief_once(store: Path) -> None:
    good(*init(store), stdin=PASSWORD)
    before = written(store)
    assert "has its chief already" in bad(*init(store, "eve"), stdin=PASSWORD)
    assert written(store) == before


@pytest.mark.parametrize(
    ("password", "told"),
    [
        ("", "10 to 200"),
        ("short", "10 to 200"),
        ("password123", "everybody knows"),
        ("cora-cora-1", "your name"),
    ],
)
def test_a_password_that_many_would_guess_is_not_taken(
    store: Path, password: str, told: str
) -> None:
    complaint = bad(*init(store), stdin=f"{password}\n")
    assert told in complaint
    assert not password or password not in complaint
    assert written(store) == []


@pytest.mark.parametrize("name", ["", "management", "a/b", "..", "x" * 25])
def test_a_name_that_nobody_can_have_is_refused(store: Path, name: str) -> None:
    assert "name" in bad(*init(store, name), stdin=PASSWORD)


def test_the_password_is_typed_twice_and_unseen() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    asked: list[str] = []

    def typed(answers: list[str]) -> None:
        def ask(prompt: str) -> str:
            asked.append(prompt)
            return answers.pop(0)

        with (
            mock.patch("getpass.getpass", ask),
            mock.patch("novamas.cli.house.sys.stdin", Terminal()),
        ):
            from novamas.cli.house import _password

            assert _password("cora") == PASSWORD

    typed([PASSWORD, PASSWORD])
    assert asked == ["password for cora: ", "once more: "]
    with pytest.raises(Exception, match="not the same"):
        typed([PASSWORD, "another"])


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    ran = novamas(*init(tmp_path / "nowhere" / "house.db"), stdin=PASSWORD)
    assert ran.code != 0
    assert "Traceback" not in ran.err


def test_the_register_is_a_log_like_any_other(store: Path) -> None:
    good(*init(store), stdin=PASSWORD)
    assert LOG in good("log", "verify", str(store))

    async def look() -> list[str]:
        log = SqliteStore(store)

        async def at_once(work: Callable[[], Any]) -> Any:
            return work()

        registry = Registry(log, at_once, SystemClock())
        await registry.open()
        log.close()
        return [person.name for person in registry.register.holders(Post.CHIEF)]

    assert asyncio.run(look()) == ["cora"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "keeps a --store"),
        (("--store", "x.db", "--host", "0.0.0.0"), "nobody signs in where others can listen"),  # noqa: S104
        (("--store", "x.db", "--certificate", "c.pem"), "go together"),
        (("--store", "x.db", "--key", "k.pem"), "go together"),
        (("--local", "--host", "0.0.0.0"), "this machine alone"),  # noqa: S104
        (("--local", "--name", "casino.example"), "this machine alone"),
        (("--local", "--certificate", "c.pem"), "this machine alone"),
        (("--local", "--proxy", "10.0.0.1"), "this machine alone"),
    ],
)
def test_a_house_does_not_open_where_it_could_not_keep_a_secret(
    options: tuple[str, ...], told: str
) -> None:
    assert told in bad("serve", "--port", "0", *options)
