"""`novamas house password`: the way back in for a chief who has lost the password, as recorded."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from novamas.house.clock import SystemClock
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people import events
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.registry import LOG, Registry, decode
from novamas.web.sessions import People
from tests.cli.running import bad, good, novamas
from tests.web.serving import NOVAMAS, opened_by

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people
REASON = "the notebook burnt"


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a house with its first chief; a password takes long to hash."""
    folder = tmp_path_factory.mktemp("founded")
    good("house", "init", str(folder / "house.db"), "--chief", "Cora", stdin=PASSWORD)
    return folder


@pytest.fixture
def store(founded: Path, tmp_path: Path) -> Path:
    """A copy of the house, to be changed."""
    shutil.copytree(founded, tmp_path, dirs_exist_ok=True)
    return tmp_path / "house.db"


def reset(store: object, *, chief: str = "cora", reason: str | None = REASON) -> tuple[str, ...]:
    more = () if reason is None else ("--reason", reason)
    return ("house", "password", str(store), "--chief", chief, *more)


def written(store: object) -> list[RegisterEvent]:
    with closing(open_durable(str(store), read_only=True)) as log:
        return [decode(each) for each in log.read(LOG)]


def first_password(said: str) -> str:
    found = re.search(r"^first password of Cora: (\S+)$", said, re.MULTILINE)
    assert found is not None, said
    return found[1]


def sign_in(url: str, password: str, **more: str) -> httpx.Response:
    who = {"name": "Cora", "password": password, "post": "chief", "by": "token", **more}
    return httpx.post(f"{url}/api/sign-in", json=who, timeout=60)


def test_it_is_written_down_by_the_machine_with_the_reason(store: Path) -> None:
    before = written(store)
    first = first_password(good(*reset(store)))
    restored, password = written(store)[len(before) :]
    assert isinstance(restored, events.AccessRestored)
    assert (restored.name, restored.by, restored.reason) == ("Cora", "machine", REASON)
    assert restored.account
    assert isinstance(password, events.PasswordSet)
    assert (password.name, password.by) == ("Cora", "machine")
    assert first not in password.password
    assert good("verify", "log", str(store), "register").startswith("the register: 4 events")


def test_the_second_factors_of_the_chief_are_taken_away(store: Path) -> None:
    async def enrol() -> None:
        with closing(SqliteStore(store)) as log:

            async def at_once(work: Callable[[], Any]) -> Any:
                return work()

            registry = Registry(log, at_once, SystemClock())
            await registry.open()
            app = events.TotpEnrolled(name="Cora", factor="f", label="x", sealed="00", counter=1)
            await registry.do(lambda _, __: [app])

    asyncio.run(enrol())
    good(*reset(store))
    restored, lost, password = written(store)[-3:]
    assert isinstance(restored, events.AccessRestored)
    assert isinstance(lost, events.SecondFactorsReset)
    assert (lost.name, lost.by, lost.reason) == ("Cora", "machine", REASON)
    assert isinstance(password, events.PasswordSet)


def test_the_sessions_of_the_chief_end(store: Path) -> None:
    async def sign_on() -> None:
        with closing(SqliteStore(store)) as log:

            async def at_once(work: Callable[[], Any]) -> Any:
                return work()

            registry = Registry(log, at_once, SystemClock())
            await registry.open()
            await People(registry)._open("Cora", Post.CHIEF)

    asyncio.run(sign_on())
    good(*reset(store))
    *_, ended = written(store)
    assert isinstance(ended, events.SessionEnded)
    assert (ended.by, ended.reason) == ("machine", "the password was changed")


@pytest.mark.slow
def test_the_first_password_lets_in_once_with_another_to_take_its_place(store: Path) -> None:
    command = [NOVAMAS, "serve", "--port", "0", "--store", str(store)]
    first = first_password(good(*reset(store)))
    with opened_by(command, keys=0) as house:
        assert sign_in(house.url, PASSWORD).status_code == 401
        refused = sign_in(house.url, first)
        assert refused.json()["why"] == "chosen_by_another"
        own = "another lamp and wheel"
        assert sign_in(house.url, first, new=own).status_code == 200
        assert sign_in(house.url, first).status_code == 401
        assert sign_in(house.url, own).status_code == 200


@pytest.mark.slow
def test_while_a_house_runs_on_the_file_nothing_is_done(store: Path) -> None:
    before = written(store)
    command = [NOVAMAS, "serve", "--port", "0", "--store", str(store)]
    with opened_by(command, keys=0):
        ran = novamas(*reset(store))
        assert (ran.code, ran.out) == (1, "")
        assert "is in use by another process" in ran.err
        assert "end the house that runs on it first" in ran.err
        assert written(store) == before
    first_password(good(*reset(store)))


def test_a_house_on_a_database_has_the_same_way_back(database: str) -> None:
    good("house", "init", database, "--chief", "Cora", stdin=PASSWORD)
    first_password(good(*reset(database)))
    assert [type(each).__name__ for each in written(database)][2:] == [
        "AccessRestored",
        "PasswordSet",
    ]


def test_a_name_that_was_locked_is_locked_no_longer(store: Path) -> None:
    async def look(*, locked: bool) -> int:
        with closing(SqliteStore(store)) as log:

            async def at_once(work: Callable[[], Any]) -> Any:
                return work()

            registry = Registry(log, at_once, SystemClock())
            await registry.open()
            if locked:
                locks = events.PersonLocked(name="Cora", until=2**50, reason="10 wrong passwords")
                await registry.do(lambda _, __: [locks])
            person = registry.register.person("cora")
            assert person is not None
            return person.locked_until

    assert asyncio.run(look(locked=True)) == 2**50
    good(*reset(store))
    assert asyncio.run(look(locked=False)) == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"chief": "nobody"}, "'nobody' is no chief of this house; the chiefs are: Cora"),
        ({"chief": ""}, "'' is no chief of this house"),
        ({"reason": None}, "--reason: say why the password is set here"),
        ({"reason": "  "}, "--reason: say why the password is set here"),
        ({"reason": "x" * 201}, "--reason: at most 200 printable characters"),
        ({"reason": "one\ntwo"}, "--reason: at most 200 printable characters"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    store: Path, options: dict[str, Any], told: str
) -> None:
    before = written(store)
    assert told in bad(*reset(store, **options))
    assert written(store) == before


def test_a_house_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert "there is no such store" in bad(*reset(tmp_path / "none.db"))
    assert list(tmp_path.iterdir()) == []
    SqliteStore(tmp_path / "new.db").close()
    assert "it has none: novamas house init" in bad(*reset(tmp_path / "new.db"))


def test_nobody_is_called_like_the_machine(tmp_path: Path) -> None:
    init = ("house", "init", str(tmp_path / "house.db"), "--chief", "Machine")
    assert "the name 'Machine' is taken" in bad(*init, stdin=PASSWORD)
    assert "--reason: goes with house password" in bad(*init, "--reason", "why not")
