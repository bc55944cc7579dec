"""`novamas house init`, and what a house asks before it serves people whom it does not see."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from novamas.house.clock import SystemClock
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people.events import PasswordSet, PersonRegistered, Post
from novamas.house.people.registry import LOG, Registry, decode
from novamas.web.passwords import Passwords
from novamas.web.sessions import People
from tests.certificates import certified
from tests.cli.running import bad, good, novamas

NOVAMAS = str(Path(sys.executable).with_name("novamas"))
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
        "one chief alone cannot register staff, because that takes two people; give --chief twice",
        f"open it: novamas serve --store {store}",
    ]
    person, password = written(store)
    assert isinstance(person, PersonRegistered)
    assert (person.name, person.posts, person.by) == ("cora", (Post.CHIEF,), "house init")
    assert isinstance(password, PasswordSet)
    assert password.password.startswith("$argon2id$")
    assert asyncio.run(Passwords().is_right(password.password, PASSWORD))


def test_two_chiefs_begin_a_house_with_a_password_each(store: Path) -> None:
    """What takes two people could not be done in a house that one person begins alone."""
    other = "voisins du zéro 22"
    said = good(*init(store), "--chief", "dino", stdin=f"{PASSWORD}\n{other}\n")
    assert said.splitlines()[:2] == ["cora is chief of the house", "dino is chief of the house"]
    cora, _, dino, password = written(store)
    assert isinstance(cora, PersonRegistered)
    assert isinstance(dino, PersonRegistered)
    assert (cora.name, dino.name, dino.posts) == ("cora", "dino", (Post.CHIEF,))
    assert isinstance(password, PasswordSet)
    assert asyncio.run(Passwords().is_right(password.password, other))


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [("dino", "x", "10 to 200 characters"), ("CORA", PASSWORD, "the same name is given twice")],
)
def test_if_one_cannot_be_made_known_nobody_is(
    store: Path, name: str, password: str, said: str
) -> None:
    assert said in bad(*init(store), "--chief", name, stdin=f"{PASSWORD}\n{password}\n")
    assert written(store) == []


def test_a_terminal_that_takes_nothing_is_not_the_store_s_fault(store: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [NOVAMAS, *init(store)],
            input=PASSWORD,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == 74
    assert ran.stderr == "novamas: cannot write: No space left on device\n"
    assert len(written(store)) == 2


def test_an_evening_on_one_machine_leaves_room_for_the_first_chief(store: Path) -> None:
    """Whoever opened the chief's console in local mode has no password, and leads no house."""
    log = SqliteStore(store)

    async def at_once(work: Callable[[], Any]) -> Any:
        return work()

    async def open_console() -> None:
        registry = Registry(log, at_once, SystemClock())
        people = People(registry, guest_money=100)
        assert await people.use_key(people.issue_key("chief", Post.CHIEF)) is not None

    asyncio.run(open_console())
    log.close()
    ran = novamas("serve", "--port", "0", "--store", str(store))
    assert (ran.code, ran.out) == (1, "")
    assert "nobody is known here who could sign in" in ran.err
    assert "cora is chief" in good(*init(store), stdin=PASSWORD)


def test_a_house_that_nobody_could_enter_does_not_open(store: Path) -> None:
    ran = novamas("serve", "--port", "0", "--store", str(store))
    assert (ran.code, ran.out) == (1, "")
    assert "nobody is known here who could sign in" in ran.err
    assert f"novamas house init {store} --chief NAME" in ran.err


def test_a_house_has_its_first_chief_once(store: Path) -> None:
    good(*init(store), stdin=PASSWORD)
    before = written(store)
    assert "the house already has a chief" in bad(*init(store, "eve"), stdin=PASSWORD)
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
            mock.patch("novamas.cli.commands.house.sys.stdin", Terminal()),
        ):
            from novamas.cli.commands.house import _password

            assert _password("cora") == PASSWORD

    typed([PASSWORD, PASSWORD])
    assert asked == ["password for cora: ", "once more: "]
    with pytest.raises(Exception, match="the two passwords differ"):
        typed([PASSWORD, "another"])


def test_a_store_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    def told(store: str) -> str:
        ran = novamas("house", "init", store, "--chief", "cora", stdin=PASSWORD)
        assert (ran.code, ran.out) == (1, "")
        assert "Error" not in ran.err
        return ran.err

    nowhere = tmp_path / "nowhere"
    assert f"there is no folder {nowhere}" in told(str(nowhere / "house.db"))
    assert f"{tmp_path} is a folder: a store is a file" in told(str(tmp_path))
    other = told("mysql://cora:hush@localhost/house")
    assert "mysql://…: a store is a file, or a database at postgresql://…" in other
    assert "hush" not in other


def test_the_register_is_a_log_like_any_other(store: Path) -> None:
    good(*init(store), stdin=PASSWORD)
    for command in (("verify", "log"), ("verify", "ledger")):
        assert good(*command, str(store)).startswith("the register: ")
        for name in ("register", LOG):
            assert good(*command, str(store), name).startswith("the register: ")
        (data,) = json.loads(good(*command, str(store), "register", "--json"))["logs"]
        assert data["table"] == LOG

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
        ((), "needs a --store"),
        (("--store", "x.db", "--host", "0.0.0.0"), "people sign in over TLS alone"),  # noqa: S104
        (("--store", "x.db", "--certificate", "c.pem"), "go together"),
        (("--store", "x.db", "--key", "k.pem"), "go together"),
        (("--local", "--host", "0.0.0.0"), "this machine alone"),  # noqa: S104
        (("--local", "--name", "casino.example"), "this machine alone"),
        (("--local", "--certificate", "c.pem"), "this machine alone"),
        (("--local", "--proxy", "10.0.0.1"), "this machine alone"),
        (("--store", "x.db", "--proxy", "", "--host", "0.0.0.0"), "neither an address"),  # noqa: S104
        (("--store", "x.db", "--proxy", "nonsense"), "--proxy: 'nonsense' is neither an address"),
        (("--store", "x.db", "--proxy", "127.0.0.1", "--proxy", "*"), "--proxy: '*' is neither"),
        (("--store", "x.db", "--proxy", "10.0.0.1/24"), "is neither an address nor a network"),
        (("--store", "x.db", "--proxy", "10.0.0.1"), "a proxy on another machine must use TLS"),
        (("--store", "x.db", "--proxy", "127.0.0.1", "--proxy", "0.0.0.0/0"), "another machine"),
        (("--store", "x.db", "--proxy", "127.0.0.1", "--host", "::"), "over TLS alone"),
        (
            ("--store", "x.db", "--metrics", "0.0.0.0:0"),
            "metrics leave this machine over TLS alone",
        ),
        (
            ("--store", "x.db", "--metrics", "nowhere.invalid:9"),
            "metrics leave this machine over TLS alone",
        ),
        (("--local", "--metrics", "0.0.0.0:0"), "--metrics: local mode serves this machine alone"),
    ],
)
def test_a_house_does_not_open_where_it_could_not_keep_a_secret(
    options: tuple[str, ...], told: str
) -> None:
    assert told in bad("serve", "--port", "0", *options)


def test_a_certificate_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    text, none = tmp_path / "text.pem", tmp_path / "none.pem"
    text.write_text("no certificate\n")

    def complaint(certificate: Path, key: Path) -> str:
        store = str(tmp_path / "house.db")
        options = ("--store", store, "--certificate", str(certificate), "--key", str(key))
        return bad("serve", "--port", "0", *options)

    assert f"--certificate {none}: No such file or directory" in complaint(none, text)
    assert f"--key {none}: No such file or directory" in complaint(text, none)
    assert f"--key {tmp_path}: Is a directory" in complaint(text, tmp_path)
    assert f"--certificate {text}: not a certificate, but neither" in complaint(text, text)
    assert not (tmp_path / "house.db").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--metrics", "nowhere.invalid:9"), "--metrics nowhere.invalid:9: "),
        (("--metrics", "192.0.2.1:9"), "--metrics 192.0.2.1:9: Cannot assign"),
        (("--host", "nowhere.invalid"), "--host nowhere"),
        (("--host", "192.0.2.1"), "--host 192.0.2.1: "),
    ],
)
@pytest.mark.program("openssl")
def test_where_nobody_can_listen_the_option_is_named(
    options: tuple[str, ...], told: str, store: Path, tmp_path: Path
) -> None:
    certificate, key = certified(tmp_path)
    own = ("--certificate", str(certificate), "--key", str(key))
    ran = novamas("serve", "--store", str(store), "--port", "0", *own, *options)
    assert ran.code == 1
    assert told in ran.err
    assert "cannot write" not in ran.err
