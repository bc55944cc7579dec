"""What the commands of a house say to nonsense: what is wrong, where, and what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from novamas.house.log.stores.sqlite import SqliteStore
from tests.cli.running import Ran, good, novamas

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people
NOWHERE = "postgresql://ana:hush@127.0.0.1:1/none"
IS_THE_DATABASE_UP = "is the database up, and the address right?"
A_STORE_IS = "a store is what `novamas house init` or `novamas serve --store` has made"


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a house, and with what is none."""
    folder = tmp_path_factory.mktemp("things")
    good("house", "init", str(folder / "house.db"), "--chief", "cora", stdin=PASSWORD)
    (folder / "text").write_text("nothing of the kind\n" * 100)
    (folder / "cut.db").write_bytes((folder / "house.db").read_bytes()[:5_000])
    SqliteStore(folder / "bare.db").close()
    (folder / "folder").mkdir()
    return folder


@pytest.fixture
def here(things: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which the commands are given."""
    copied = Path(shutil.copytree(things, tmp_path / "things"))
    monkeypatch.chdir(copied)
    return copied


def found(folder: Path) -> dict[str, int]:
    """The files and their sizes, but for those that SQLite keeps beside what it has read."""
    files = (each for each in folder.iterdir() if not each.name.endswith(("-wal", "-shm")))
    return {each.name: each.stat().st_size for each in files}


def complaint(typed: str) -> str:
    """What a command says that cannot do what it is asked; nothing of it is Python's."""
    words = [each if each != "''" else "" for each in typed.split()]
    ran: Ran = novamas(*words, stdin=PASSWORD, columns=400)
    assert ran.code in (1, 2), ran
    assert ran.out == ""
    assert "Traceback" not in ran.err
    assert "hush" not in ran.err
    assert ran.err.startswith("novamas")
    return ran.err


@pytest.mark.parametrize(
    "command", ["verify log", "verify ledger", "verify ball", "verify house", "backup"]
)
@pytest.mark.parametrize(
    ("store", "told"),
    [
        ("text", f"text: NotADBError: file is not a database\n  {A_STORE_IS}"),
        ("cut.db", "keep it, and restore the last backup that verifies"),
        ("folder", "folder: there is no such store"),
        ("none.db", "none.db: there is no such store"),
        ("''", "'': there is no such store"),
        (NOWHERE, IS_THE_DATABASE_UP),
        ("mysql://x", "mysql://…: a store is a file, or a database at postgresql://…"),
    ],
)
def test_a_store_that_is_none(here: Path, command: str, store: str, told: str) -> None:
    before = found(here)
    assert told in complaint(f"{command} {store}{' out.db' if command == 'backup' else ''}")
    assert found(here) == before


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("house init text --chief eve", f"file is not a database\n  {A_STORE_IS}"),
        ("house init folder --chief eve", "folder is a folder: a store is a file"),
        ("house init '' --chief eve", "a path without a name is a folder: a store is a file"),
        ("house init none/x.db --chief eve", "none/x.db: there is no folder "),
        (f"house init {NOWHERE} --chief eve", IS_THE_DATABASE_UP),
        ("house init house.db --chief eve", "house.db: the house already has a chief"),
        ("house init house.db --chief eve", "novamas house password"),
        ("house password text --chief eve --reason x", "file is not a database"),
        ("house password folder --chief eve --reason x", "folder: there is no such store"),
        (f"house password {NOWHERE} --chief eve --reason x", IS_THE_DATABASE_UP),
        ("verify log bare.db", "no table was ever set up in this store\n  a chief sets one up"),
        ("verify log house.db ghost", "there is no table 'ghost' in this store"),
        ("verify log house.db --checkpoints folder", "folder: there are no such checkpoints"),
        ("verify log house.db --checkpoints text", "text is no file of checkpoints"),
        (
            "backup bare.db out.db",
            "bare.db: there is no house in this store\n  check the address",
        ),
        ("backup house.db text", "text is there already, and is left as it is\n  name a new file"),
        ("backup house.db none/x.db", "there is no backup: none/x.db: there is no folder "),
        ("backup house.db ''", "the backup needs the name of a new file\n  such as monday.db"),
        ("restore house.db house.db", "nothing is restored to house.db: the store is not empty"),
        ("restore house.db house.db", "  name a new file, or an empty database"),
        ("restore house.db text", f"file is not a database\n  {A_STORE_IS}"),
        ("restore house.db none/x.db", "nothing is restored: none/x.db: there is no folder "),
        (f"restore house.db {NOWHERE}", IS_THE_DATABASE_UP),
        ("serve --store text", f"file is not a database\n  {A_STORE_IS}"),
        ("serve --store cut.db", "the file is damaged"),
        ("serve --store house.db --name https://x", "--name: 'https://x' is not a host name"),
        ("serve --store house.db --name x:443", "--name: 'x:443' is not a host name"),
        ("serve --store house.db --name -x", "expected one argument"),
        ("serve --local --port 0 --log folder", "--log folder: Is a directory"),
        ("serve --local --port 0 --checkpoints folder", "folder is a folder: checkpoints are a"),
        ("serve --local --port 0 --checkpoints house.db", "house.db is no file of checkpoints"),
        ("serve --local --port 0 --ball-key house.db", "a key of the ball is 64 hexadecimal"),
    ],
)
def test_nonsense_is_told_with_what_to_do(here: Path, typed: str, told: str) -> None:
    before = found(here)
    assert told in complaint(typed)
    assert found(here) == before
