"""`novamas house rekey`: all that lies sealed goes under another key, whole or not at all."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pyotp
import pytest

from novamas.house import rekey as rekeying
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock, SystemClock
from novamas.house.encryption import KeyFile, SealError, SealingKey
from novamas.house.log.codec import decode
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.stores.file_lock import OwnedStore
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people import events
from novamas.house.people.registry import LOG, Kept, Registry
from novamas.house.people.registry import decode as decode_register
from novamas.house.people.state import FactorKind
from novamas.house.rekey import RekeyError, rekey
from novamas.table.state import Phase
from novamas.web.factor_proofs import Factors, NotProvedError
from tests.cli.running import Ran, good, novamas
from tests.promises.house_on_file import TABLE, house

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people
REASON = "the yearly change"
SECRET = pyotp.random_base32()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with a closed coup, two chains of seeds, and a chief who has an app."""
    folder = tmp_path_factory.mktemp("made")
    store, key = folder / "house.db", KeyFile(folder / "house.db.ball-key")
    good("house", "init", str(store), "--chief", "Cora", stdin=PASSWORD)

    async def play() -> None:
        async with house(store, key) as table:
            await table.coup()
        async with house(store, key) as table:
            await table.close()

    asyncio.run(play())
    enrol(store, key)
    return folder


def enrol(store: Path, key: SealingKey) -> None:
    """Gives the chief an app."""
    factors, now = Factors(key), SystemClock().now()
    ticket = factors._issue({"secret": SECRET}, "enrol totp s", now)
    code = pyotp.TOTP(SECRET).at(now // 1000)
    event = factors.enrolled_secret("Cora", "phone", ticket, code, session="s", now=now)

    async def blocking(do: Any) -> Any:
        return do()

    async def add() -> None:
        with closing(SqliteStore(store)) as opened:
            registry = Registry(opened, blocking, SystemClock())
            await registry.open()
            await registry.do(lambda *_: [event])

    asyncio.run(add())


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "house"))


def change(store: object, *more: str, new: str = "new.ball-key", reason: str = REASON) -> Ran:
    where = Path(str(store)).parent / new if "://" not in str(store) else new
    words = ("house", "rekey", str(store), "--new-ball-key", str(where), *more)
    return novamas(*words, "--reason", reason, columns=400)


def opens(store: object, key: SealingKey) -> list[bool]:
    """Which of the secrets of a store a key opens: the seeds of its chains, then the app's."""
    found = []
    with closing(open_durable(str(store), read_only=True)) as opened:
        source, factors = BallSource(key=key), Factors(key)
        for record in opened.read(TABLE):
            if record.type == "BallChainCommitted":
                event: Any = decode(record.type, record.version, record.payload, None)
                found.append(_can(lambda e=event: source.unseal(TABLE, e, secret_of(opened, e))))
        person = Kept.load(opened).register.person("Cora")
        assert person is not None
        for factor in person.factors.values():
            assert factor.kind is FactorKind.TOTP
            found.append(_can(lambda f=factor: _same(factors._secret(person, f))))
    return found


def secret_of(store: Any, event: Any) -> bytes | None:
    found: bytes | None = store.secret(TABLE, event.number)
    return found


def _same(secret: str) -> None:
    assert secret == SECRET


def _can(do: Any) -> bool:
    try:
        do()
    except (SealError, NotProvedError) as problem:
        if "is not the key that sealed" not in str(problem):
            raise
        return False
    return True


def written(store: object) -> list[events.RegisterEvent]:
    with closing(open_durable(str(store), read_only=True)) as log:
        return [decode_register(each) for each in log.read(LOG)]


def everything(store: Path) -> list[Any]:
    """All rows of a store that a key has to do with."""
    with closing(SqliteStore(store, read_only=True)) as opened:
        return [*opened.secrets(TABLE), *opened.read(LOG), *opened.read(TABLE)]


# What it does -------------------------------------------------------------------------------------


def test_all_that_lies_sealed_is_under_the_new_key_and_the_closed_coup_is_settled_with_it(
    folder: Path,
) -> None:
    store, old = folder / "house.db", KeyFile(folder / "house.db.ball-key")
    assert opens(store, old) == [True, True, True]
    before = len(written(store))
    ran = change(store)
    assert ran.code == 0, ran.err
    assert "2 seeds of the ball and 1 secret of apps are sealed with the new key" in ran.out
    new = KeyFile(folder / "new.ball-key")
    assert opens(store, new) == [True, True, True]
    assert opens(store, old) == [False, False, False]
    assert new.path.stat().st_mode & 0o777 == 0o600
    changed, resealed = written(store)[before:]
    assert isinstance(changed, events.KeyChanged)
    assert (changed.by, changed.reason, changed.seeds, changed.apps) == ("machine", REASON, 2, 1)
    assert changed.account
    assert isinstance(resealed, events.TotpResealed)
    assert resealed.name == "Cora"
    assert "whole" in good("verify", "log", str(store), "register")

    async def play() -> None:
        async with house(store, new) as table:
            assert table.actor.house_table.state.phase is Phase.CLOSED
            await table.draw()
            assert table.actor.house_table.state.phase is not Phase.CLOSED

    asyncio.run(play())


def test_asked_for_again_it_changes_nothing(folder: Path) -> None:
    store = folder / "house.db"
    assert change(store).code == 0
    before = everything(store)
    ran = change(store)
    assert ran.code == 0
    assert "everything was sealed with the new key before; nothing was changed" in ran.out
    assert everything(store) == before


def test_the_new_key_may_be_what_a_command_prints(folder: Path) -> None:
    store = folder / "house.db"
    line = f"command:echo {'7a' * 32}"
    ran = novamas("house", "rekey", str(store), "--new-ball-key", line, "--reason", REASON)
    assert ran.code == 0, ran.err
    (folder / "same").write_text("7a" * 32)
    (folder / "same").chmod(0o600)
    assert opens(store, KeyFile(folder / "same")) == [True, True, True]


def test_what_an_earlier_key_had_sealed_stays_as_it_is(folder: Path) -> None:
    store, newer = folder / "house.db", KeyFile(folder / "newer")

    async def play() -> None:
        async with house(store, KeyFile(folder / "house.db.ball-key")) as table:
            await table.draw()
            await table.settle()
        async with house(store, newer) as table:
            await table.coup()

    asyncio.run(play())
    ran = change(store, "--ball-key", str(newer.path))
    assert ran.code == 0, ran.err
    assert "secrets that an earlier key had sealed stay as they are" in ran.out
    assert opens(store, KeyFile(folder / "new.ball-key"))[-2:] == [True, False]


def test_a_house_in_which_nothing_is_sealed_is_left_alone(tmp_path: Path) -> None:
    store = tmp_path / "house.db"
    good("house", "init", str(store), "--chief", "Cora", stdin=PASSWORD)
    KeyFile(tmp_path / "house.db.ball-key").prepare()
    before = written(store)
    ran = change(store)
    assert ran.code == 0, ran.err
    assert "nothing lies sealed in this store yet" in ran.out
    assert written(store) == before


# What it refuses ----------------------------------------------------------------------------------


def test_it_is_refused_while_a_server_has_the_store(folder: Path) -> None:
    store = folder / "house.db"
    with closing(OwnedStore(store)):
        ran = change(store)
    assert ran.code == 1
    assert "is in use by another process" in ran.err
    assert opens(store, KeyFile(folder / "house.db.ball-key")) == [True, True, True]


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("none", "the old key is missing"),
        ("another", "is not the key that sealed the ball's seed"),
        ("new.ball-key", "is the old key: name another place for a new one"),
        ("house.db", "a key of the ball is 64 hexadecimal digits"),
    ],
)
def test_a_wrong_old_key_changes_nothing(folder: Path, key: str, told: str) -> None:
    store = folder / "house.db"
    for name in ("another", "new.ball-key"):
        KeyFile(folder / name).prepare()
    before = everything(store)
    ran = change(store, "--ball-key", str(folder / key))
    assert ran.code == 1
    assert told in ran.err
    assert "nothing was changed: the house goes on with the old key" in ran.err
    assert everything(store) == before


def test_an_old_key_that_opens_no_app_is_refused(folder: Path) -> None:
    """In a house without a drawn table the apps alone tell whether the key is the right one."""
    store = folder / "plain.db"
    good("house", "init", str(store), "--chief", "Cora", stdin=PASSWORD)
    enrol(store, KeyFile(folder / "house.db.ball-key"))
    KeyFile(folder / "another").prepare()
    ran = change(store, "--ball-key", str(folder / "another"))
    assert ran.code == 1
    assert "opens nothing of what is sealed in this store" in ran.err
    assert not (folder / "new.ball-key").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--reason", "x"), "--new-ball-key: say where the new key is kept"),
        (("--new-ball-key", "n"), "--reason: say why the key is changed"),
        (("--new-ball-key", "n", "--reason", " "), "--reason: say why the key is changed"),
        (("--new-ball-key", "n", "--reason", "x" * 999), "--reason: at most"),
        (("--chief", "Cora"), "--chief: goes with house init and house password"),
    ],
)
def test_it_says_what_is_missing(folder: Path, words: tuple[str, ...], told: str) -> None:
    ran = novamas("house", "rekey", str(folder / "house.db"), *words, columns=400)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize("what", ["init", "password"])
def test_its_options_are_its_own(tmp_path: Path, what: str) -> None:
    store = str(tmp_path / "house.db")
    ran = novamas("house", what, store, "--chief", "Cora", "--new-ball-key", "n")
    assert ran.code == 2
    assert "--new-ball-key: goes with house rekey" in ran.err
    ran = novamas("house", what, store)
    assert ran.code == 2
    assert "--chief: say who it is" in ran.err


# What goes wrong on the way -----------------------------------------------------------------------


def test_a_secret_that_cannot_be_read_again_leaves_the_old_state(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, old = folder / "house.db", KeyFile(folder / "house.db.ball-key")
    before = everything(store)

    def bad(*_: object) -> None:
        raise RekeyError("it cannot be read again")

    monkeypatch.setattr(rekeying, "_require_opens", bad)
    new, now = KeyFile(folder / "new.ball-key"), ManualClock().now()
    with closing(SqliteStore(store)) as opened, pytest.raises(RekeyError, match="read again"):
        rekey(opened, old, new, now=now, account="me", reason=REASON)
    assert everything(store) == before


KILLED = """
import os, signal, sys
from novamas.cli.main import main
from novamas.house import rekey
from novamas.house.log.stores.sqlite import SqliteStore

def killing(do, at):
    calls = 0
    def called(*given):
        nonlocal calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return do(*given)
    return called

point, at = sys.argv.pop(1), int(sys.argv.pop(1))
if point == "write":
    SqliteStore._write = killing(SqliteStore._write, at)
else:
    rekey._require_opens = killing(rekey._require_opens, at)
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("point", "at", "is_new"),
    [("write", 1, False), ("write", 2, False), ("verify", 1, False), ("verify", 2, True)],
)
def test_killed_at_any_point_all_of_it_is_under_one_key(
    folder: Path, point: str, at: int, *, is_new: bool
) -> None:
    """Before the first write, between two, before the commit, and right behind it."""
    store, new = folder / "house.db", folder / "new.ball-key"
    command = [sys.executable, "-c", KILLED, point, str(at), "house", "rekey", str(store)]
    command += ["--new-ball-key", str(new), "--reason", REASON]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == -signal.SIGKILL, ran
    assert opens(store, KeyFile(folder / "house.db.ball-key")) == [not is_new] * 3
    assert opens(store, KeyFile(new)) == [is_new] * 3
    again = change(store)
    assert again.code == 0, again.err
    assert opens(store, KeyFile(new)) == [True] * 3
    assert "whole" in good("verify", "log", str(store), "register")


# On a database ------------------------------------------------------------------------------------


def test_a_database_is_refused_to_it_while_anything_of_the_house_is_connected(
    folder: Path, database: str
) -> None:
    good("restore", str(folder / "house.db"), database)
    old, new = folder / "house.db.ball-key", folder / "new.ball-key"
    with closing(PostgresStore(database)):
        ran = change(database, "--ball-key", str(old), new=str(new))
    assert ran.code == 1
    assert "the database is in use by 1 other connection of the house" in ran.err
    assert opens(database, KeyFile(old)) == [True] * 3
    ran = change(database, "--ball-key", str(old), new=str(new))
    assert ran.code == 0, ran.err
    assert opens(database, KeyFile(new)) == [True] * 3
    assert opens(database, KeyFile(old)) == [False] * 3
    with closing(PostgresStore(database)) as store:
        assert store.leases() == {}, "the tables are free again"
    ran = novamas("house", "rekey", database, "--new-ball-key", "n", "--reason", REASON)
    assert ran.code == 2
    assert "--ball-key: say where the key is that the servers of the house share" in ran.err


def test_a_table_that_is_served_is_not_sealed_anew(folder: Path, database: str) -> None:
    from novamas.house.log.store import Lease, StoreError

    good("restore", str(folder / "house.db"), database)
    with closing(PostgresStore(database)) as server, closing(PostgresStore(database)) as other:
        assert server.take_lease(TABLE, Lease("a server", "there"), seconds=60)
        with pytest.raises(StoreError, match="is served: end every server"):
            rekeying.hold_tables(other)
