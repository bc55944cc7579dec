"""The commands of the house: verify and serve."""

import asyncio
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import apsw
import httpx
import pytest

from novamas.cli.open_store import Progress
from novamas.house.house import House
from novamas.house.log.checkpoints import Checkpoint, Checkpoints
from novamas.house.log.codec import VERSIONS
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people.registry import LOG
from novamas.house.table.events import BallMode
from novamas.rulebooks import HOUSES
from novamas.table.state import Setup
from tests.cli.running import bad, good, novamas
from tests.promises.drawn import FLOAT, drawn_table

NOVAMAS = str(Path(sys.executable).with_name("novamas"))
COUPS = 12
NOBODY = 65_534


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a drawn table that was played at, and a table with a wheel."""
    path = tmp_path_factory.mktemp("house") / "house.db"

    async def play() -> None:
        async with drawn_table(store=SqliteStore(path), name="es", rulebook="es") as table:
            await table.house.set_up("wheel", "ar", Setup(), ball=BallMode.WHEEL)
            await table.seat("ana", 10_000, nonce="17 y medio")
            for _ in range(COUPS):
                await table.stake("ana", "17", 10)
                await table.coup()

    asyncio.run(play())
    return path


@pytest.fixture
def store(played: Path, tmp_path: Path) -> Path:
    """A copy of the store, to be tampered with."""
    return Path(shutil.copy(played, tmp_path / "house.db"))


def tamper(store: Path, statement: str) -> None:
    with closing(apsw.Connection(str(store))) as connection:
        connection.execute(statement)
        assert connection.changes() > 0


def unsound(*argv: str) -> str:
    """What a command says that finds something wrong."""
    ran = novamas(*argv)
    assert ran.code == 1, ran
    assert ran.err == ""
    return ran.out


# verify -------------------------------------------------------------------------------------------


def test_verify_tells_of_every_table(played: Path) -> None:
    drawn, chains, wheel = good("verify", "ball", str(played)).splitlines()
    assert chains == "  chains of secrets: 1"
    assert drawn.startswith(f"es: {COUPS} of {COUPS} coups are as they were committed to; ")
    assert drawn.endswith("; one commitment waits for its ball")
    assert wheel == "wheel: plays with a wheel; its numbers are not drawn"
    data = json.loads(good("verify", "ball", str(played), "--json"))
    assert (data["sound"], data["problems"]) == (True, [])
    drawn, wheel = data["logs"]
    nothing = {"taken_up": 0, "withheld": 0, "sound": True, "problems": [], "wrong": []}
    coups = {"coups": COUPS, "open": 1, "chains": 1}
    assert drawn == {"table": "es", "drawn": True, **coups, **nothing}
    none = {"coups": 0, "open": 0, "chains": 0}
    assert wheel == {"table": "wheel", "drawn": False, **none, **nothing}
    assert good("verify", "ball", str(played), "es").startswith(f"es: {COUPS} of {COUPS}")


def test_verify_tells_how_one_number_came_about(played: Path) -> None:
    told = good("verify", "ball", str(played), "es", "--coup", "7")
    assert told.startswith("es, coup 7: ")
    data = json.loads(good("verify", "ball", str(played), "es", "--coup", "7", "--json"))
    assert data["nonces"] == {"ana": "17 y medio"}
    assert (data["sound"], data["problems"]) == (True, [])
    for each in (data["commitment"], data["secret"], "nonce of ana  17 y medio"):
        assert each in told
    assert told.endswith(f"the secret opens the commitment, and draws {data['number']}\n")


def test_verify_finds_another_number(store: Path) -> None:
    tamper(
        store,
        "UPDATE records SET payload = CAST(json_set(payload, '$.number',"
        " (json_extract(payload, '$.number') + 1) % 37) AS BLOB)"
        " WHERE tbl = 'es' AND type IN ('BallRevealed', 'BallPocketed') AND seq - ("
        "  SELECT seq FROM records WHERE tbl = 'es' AND type = 'BallRevealed'"
        "  AND json_extract(payload, '$.spin') = 3) IN (0, 1)",
    )
    told = unsound("verify", "ball", str(store), "es")
    assert told.startswith(f"es: {COUPS - 1} of {COUPS} coups")
    assert "coup 3: spin 3 drew " in told
    assert unsound("verify", "ball", str(store), "es", "--coup", "3").count("spin 3 drew ") == 1
    data = json.loads(unsound("verify", "ball", str(store), "es", "--coup", "3", "--json"))
    assert data["sound"] is False
    assert "spin 3 drew " in data["problems"][0]
    data = json.loads(unsound("verify", "ball", str(store), "--json"))
    assert [data["sound"], *(each["sound"] for each in data["logs"])] == [False, False, True]
    assert data["logs"][0]["wrong"] == [3]
    assert data["logs"][0]["problems"][0].startswith("coup 3: spin 3 drew ")
    assert good("verify", "ball", str(store), "es", "--coup", "4")


def test_verify_finds_a_log_that_makes_no_sense(store: Path) -> None:
    tamper(store, "UPDATE records SET type = 'Miracle' WHERE tbl = 'es' AND type = 'BallRevealed'")
    event = f"Miracle/{VERSIONS['BallRevealed']}"
    complaint = f"the log cannot be read: {event} was written by a newer version of novamas"
    assert complaint in unsound("verify", "ball", str(store))


def test_verify_says_what_it_cannot_do(played: Path, tmp_path: Path) -> None:
    store = str(played)
    assert "there is no table 'ar'" in bad("verify", "ball", store, "ar")
    assert "tables: es, wheel" in bad("verify", "ball", store, "ar")
    assert "--coup: needs the name of one table" in bad("verify", "ball", store, "--coup", "1")
    assert "has no drawn coup 99" in bad("verify", "ball", store, "es", "--coup", "99")
    assert "--coup: expected a whole number" in bad("verify", "ball", store, "es", "--coup", "x")
    assert "wheel plays with a wheel" in bad("verify", "ball", store, "wheel")
    SqliteStore(tmp_path / "new.db").close()
    assert "no table was ever set up" in bad("verify", "ball", str(tmp_path / "new.db"))


# verify log ---------------------------------------------------------------------------------------


@pytest.fixture
def witnessed(store: Path, tmp_path: Path) -> Path:
    """Checkpoints of the whole logs of the store."""
    path = tmp_path / "kept elsewhere.checkpoints"
    checkpoints = Checkpoints(path)
    with closing(SqliteStore(store)) as opened:
        for table in opened.tables():
            head = opened.head(table)
            checkpoints.write(Checkpoint(table, head.seq, head.hash.hex(), 0))
    return path


def test_log_verify_tells_that_the_logs_are_whole(store: Path, witnessed: Path) -> None:
    told = good("verify", "log", str(store))
    assert f", {COUPS} coups: whole\n" in told
    assert "a tail that was cut off does not show" in told
    told = good("verify", "log", str(store), "--checkpoints", str(witnessed))
    assert told.count(": whole, and witnessed\n") == 2
    (data,) = json.loads(good("verify", "log", str(store), "es", "--json"))["logs"]
    assert data["sound"] is True
    assert data["coups"] == data["drawn"] == COUPS


def test_log_verify_finds_what_was_changed(store: Path) -> None:
    tamper(store, "UPDATE records SET at = at + 1 WHERE tbl = 'es' AND seq = 20")
    assert "es: event 20 was changed" in unsound("verify", "log", str(store))
    assert "wheel: 1 event, 0 coups: whole" in unsound("verify", "log", str(store))
    data = json.loads(unsound("verify", "log", str(store), "--json"))
    assert [data["sound"], *(each["sound"] for each in data["logs"])] == [False, False, True]


def test_log_verify_finds_a_tail_that_was_cut_off(store: Path, witnessed: Path) -> None:
    tamper(store, "DELETE FROM records WHERE tbl = 'wheel' AND seq = 1")
    tamper(
        store,
        "DELETE FROM records WHERE tbl = 'es'"
        " AND seq = (SELECT max(seq) FROM records WHERE tbl = 'es')",
    )
    told = unsound("verify", "log", str(store), "--checkpoints", str(witnessed))
    assert "but a checkpoint saw " in told
    assert "wheel: the whole log is missing" in told
    assert good("verify", "log", str(store), "es")


def test_log_verify_tells_how_much_nobody_has_witnessed(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "early.checkpoints"
    with closing(SqliteStore(store)) as opened:
        early = next(opened.read("es", after=9))
        last = opened.head("es").seq
    Checkpoints(path).write(Checkpoint("es", 10, early.hash.hex(), 0))
    told = good("verify", "log", str(store), "es", "--checkpoints", str(path))
    assert f"witnessed but for the last {last - 10}" in told


def test_log_verify_does_not_say_that_all_is_witnessed_where_nothing_is(
    store: Path, witnessed: Path, tmp_path: Path
) -> None:
    def told(*more: str) -> dict[str, dict[str, object]]:
        found = json.loads(good("verify", "log", str(store), "--json", *more))["logs"]
        return {each["table"]: each for each in found}

    for each in told().values():
        assert (each["witnessed"], each["unwitnessed"]) == (False, None)
        assert each["note"] == "nothing witnesses this log: no checkpoints were given"
    for each in told("--checkpoints", str(witnessed)).values():
        assert (each["witnessed"], each["unwitnessed"], each["note"]) == (True, 0, "")
    path = tmp_path / "other.checkpoints"
    with closing(SqliteStore(store)) as opened:
        early = next(opened.read("es", after=9))
        last = opened.head("es").seq
    Checkpoints(path).write(Checkpoint("es", 10, early.hash.hex(), 0))
    found = told("--checkpoints", str(path))
    assert found["es"]["unwitnessed"] == last - 10
    assert (found["wheel"]["witnessed"], found["wheel"]["unwitnessed"]) == (False, None)
    assert found["wheel"]["note"] == "nothing witnesses this log: the checkpoints do not name it"
    path.write_text("")
    assert told("--checkpoints", str(path))["es"]["unwitnessed"] is None


def test_log_verify_trusts_no_checkpoints_but_its_own(
    store: Path, witnessed: Path, tmp_path: Path
) -> None:
    def complaint(path: Path | str) -> str:
        return bad("verify", "log", str(store), "--checkpoints", str(path))

    assert "there are no such checkpoints" in complaint(tmp_path / "none")
    assert not list(tmp_path.glob("none*")), "no key is made for what is not there"
    assert "there are no such checkpoints" in complaint("a\0b")
    witnessed.write_text(witnessed.read_text("utf-8").replace('"es"', '"fr"'), "utf-8")
    assert "line 1: not one of our checkpoints" in complaint(witnessed)
    key = Path(f"{witnessed}.signing-key")
    key.write_text("no key\n")
    assert "elsewhere.checkpoints.signing-key holds neither PEM nor a key of a house" in complaint(
        witnessed
    )
    key.unlink()
    assert "the key of these checkpoints is missing" in complaint(witnessed)


# verify ledger ------------------------------------------------------------------------------------


def test_ledger_check_tells_what_the_accounts_hold(played: Path) -> None:
    told = good("verify", "ledger", str(played), "es")
    assert "summing to zero and agreeing with" in told
    assert "purse +" in told
    (data,) = json.loads(good("verify", "ledger", str(played), "es", "--json"))["logs"]
    assert data["sound"] is True
    assert sum(data["accounts"].values()) == 0
    assert data["accounts"]["desk"] == -10_000 - FLOAT


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE entries SET amount = amount + 1 WHERE seq = 9", "the ledger does not have"),
        ("DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)", "does not have"),
        ("UPDATE balances SET amount = amount + 1 WHERE account = 'bank'", "the balances kept"),
        (
            "INSERT INTO entries VALUES ('es', 100000, 0, 'bank', 'purse:ana', 5)",
            "transfers that no event made",
        ),
    ],
)
def test_ledger_check_finds_a_chip_that_is_not_where_it_should_be(
    store: Path, statement: str, problem: str
) -> None:
    with closing(apsw.Connection(str(store))) as connection:
        seq = connection.execute("SELECT seq FROM entries WHERE tbl = 'es' LIMIT 1 OFFSET 4").get
    tamper(store, statement.replace("seq = 9", f"seq = {seq}"))
    assert problem in unsound("verify", "ledger", str(store), "es")
    data = json.loads(unsound("verify", "ledger", str(store), "es", "--json"))
    assert data["sound"] is data["logs"][0]["sound"] is False
    assert data["logs"][0]["problems"]
    assert unsound("verify", "log", str(store), "es")


# Any store ----------------------------------------------------------------------------------------

# verify house -------------------------------------------------------------------------------------


def test_verify_house_looks_from_every_side(played: Path) -> None:
    told = good("verify", "house", str(played))
    for command in ("log", "ledger", "ball"):
        assert f"{command}\n{good('verify', command, str(played))}" in told
    assert told.endswith("the house is sound\n")


@pytest.mark.parametrize(
    ("statement", "sides"),
    [
        ("UPDATE records SET at = at + 1 WHERE tbl = 'es' AND seq = 20", {"log"}),
        ("UPDATE balances SET amount = amount + 1 WHERE account = 'bank'", {"log", "ledger"}),
    ],
)
def test_verify_house_says_which_side_is_wrong(
    store: Path, statement: str, sides: set[str]
) -> None:
    tamper(store, statement)
    data = json.loads(unsound("verify", "house", str(store), "--json"))
    assert data["sound"] is False
    assert {side for side in ("log", "ledger", "ball") if not data[side]["sound"]} == sides
    assert unsound("verify", "house", str(store)).endswith("the house is not sound\n")


def test_verify_needs_to_know_what() -> None:
    assert "the following arguments are required: WHAT" in bad("verify")
    assert "invalid choice: 'logs'" in bad("verify", "logs", "house.db")


LOOKING = [("verify", what) for what in ("ball", "log", "ledger", "house")]


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_what_is_no_store_is_said_to_be_none(command: tuple[str, ...], tmp_path: Path) -> None:
    assert "there is no such store" in bad(*command, str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()
    assert "there is no such store" in bad(*command, str(tmp_path))
    assert "a store is a file, or a database" in bad(*command, "mysql://127.0.0.1/house")
    bad(*command, "a\0b")
    text = tmp_path / "text.db"
    text.write_text("not a store " * 100, "utf-8")
    assert "file is not a database" in bad(*command, str(text))
    other = tmp_path / "other.db"
    with closing(apsw.Connection(str(other))) as connection:
        connection.execute("CREATE TABLE mine (id)")
    assert "a file of another program" in bad(*command, str(other))
    empty = tmp_path / "empty.db"
    empty.touch()
    assert "not a store of this version" in bad(*command, str(empty))


@pytest.mark.parametrize("command", LOOKING[1:3], ids=" ".join)
def test_a_store_without_people_has_no_register(command: tuple[str, ...], store: Path) -> None:
    assert "this store has no register" in bad(*command, str(store), "register")

    async def set_up() -> None:
        house = House(SqliteStore(store))
        await house.open()
        await house.set_up("register", "ar", Setup(), ball=BallMode.WHEEL)
        await house.close()

    asyncio.run(set_up())
    assert good(*command, str(store), "register").startswith("register: ")


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write anywhere: so whoever runs the tests as root is nobody for a while."""
    if os.getuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_an_auditor_may_look_where_he_may_not_write(command: tuple[str, ...], played: Path) -> None:
    good(*command, str(played))
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = Path(shutil.copy(played, folder))
        store.chmod(0o444)
        folder.chmod(0o555)
        with as_nobody():
            assert "es: " in good(*command, str(store))
        folder.chmod(0o755)
        Path(f"{store}-wal").write_bytes(b"what a house has not put away yet")
        folder.chmod(0o555)
        with as_nobody():
            told = bad(*command, str(store))
        assert "may not be written: copy house.db and house.db-wal where it may" in told
        store.chmod(0o000)
        with as_nobody():
            assert "may not be read by the user who runs this" in bad(*command, str(store))
        folder.chmod(0o755)


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_the_house_that_is_looked_at_may_go_on(command: tuple[str, ...], store: Path) -> None:
    with closing(SqliteStore(store)) as running:
        tables = list(running.tables())
        before = store.read_bytes()
        assert good(*command, str(store))
        assert running.tables() == tables
        assert store.read_bytes() == before


@pytest.mark.parametrize("command", [*LOOKING, ("serve", "--local")], ids=" ".join)
def test_a_house_that_is_not_installed_says_how_to_get_it(
    command: tuple[str, ...], played: Path
) -> None:
    loaded = [
        name for name in sys.modules if name.startswith(("novamas.house.log.st", "novamas.web"))
    ]
    with mock.patch.dict(sys.modules):
        for name in loaded:
            del sys.modules[name]
        sys.modules["apsw"] = None  # type: ignore[assignment] # So an import does not find it.
        store = () if command[0] == "serve" else (str(played),)
        complaint = bad(*command, *store)
    assert "apsw is not installed: the house comes as an extra" in complaint
    assert "novamas[house]" in complaint


class Screen(io.StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", screen := Screen())
    progress = Progress("es")
    progress(999)
    progress.done()
    assert screen.getvalue() == ""
    progress(12_000)
    progress.done()
    assert screen.getvalue() == "\res: 12,000 events …\r\x1b[K"
    monkeypatch.setattr("sys.stderr", plain := io.StringIO())
    progress = Progress("es")
    progress(12_000)
    progress.done()
    assert plain.getvalue() == ""


# serve --------------------------------------------------------------------------------------------


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A house in a process of its own, and its address."""
    process = subprocess.Popen(
        [NOVAMAS, "serve", "--local", *options], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("the house is open: http://127.0.0.1:"), first
        yield process, first.partition(": ")[2].strip()
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_opens_a_house_and_closes_it_in_order(number: signal.Signals, tmp_path: Path) -> None:
    store, checkpoints = tmp_path / "house.db", tmp_path / "kept.checkpoints"
    options = ("--port", "0", "--store", str(store), "--checkpoints", str(checkpoints))
    with serving(*options) as (process, url):
        tables = httpx.get(f"{url}api/tables").json()
        assert sorted(table["table"] for table in tables) == sorted(HOUSES)
        assert {table["ball"] for table in tables} == {"drawn"}
        assert process.stdout is not None
        made = process.stdout.readline().strip()
        assert made == f"the key of the ball was made: {store}.ball-key; keep it apart from backups"
        assert Path(f"{store}.ball-key").stat().st_mode & 0o777 == 0o600
        keys = [process.stdout.readline().split(":")[0].strip() for _ in range(4)]
        assert keys == ["croupier", "chief", "cashier", "management"]
        process.send_signal(number)
        assert process.stdout.read() == "the house is closed; nothing was lost\n"
        assert process.wait(30) == 0
    told = good("verify", "log", str(store), "--checkpoints", str(checkpoints))
    assert told.count(": whole, and witnessed\n") == 1 + len(HOUSES)  # The tables and the register.
    assert good("verify", "ball", str(store)).count(
        "0 of 0 coups are as they were committed to"
    ) == len(HOUSES)
    assert good("verify", "ledger", str(store)).count("1 transfer, ") == len(HOUSES)  # The float.


def refused(*options: str) -> str:
    """Why a house does not open, as the command says it."""
    ran = novamas("serve", "--local", *options)
    assert ran.code == 1
    assert ran.out == ""
    return ran.err


def test_serve_says_why_it_does_not_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        complaint = refused("--port", str(port))
    assert f"port {port}: Address already in use" in complaint
    assert "--port 0 takes one that is free" in complaint
    text = tmp_path / "text.db"
    text.write_text("not a store " * 100, "utf-8")
    assert "the house does not open: " in refused("--port", "0", "--store", str(text))
    nowhere = os.fspath(tmp_path / "no folder" / "house.db")
    assert "the house does not open: " in refused("--port", "0", "--store", nowhere)
    elsewhere = os.fspath(tmp_path / "no folder" / "house.checkpoints")
    complaint = refused("--port", "0", "--checkpoints", elsewhere)
    assert "house.checkpoints.signing-key: No such file or directory" in complaint


@pytest.mark.slow
def test_the_register_is_witnessed_like_a_table(tmp_path: Path) -> None:
    store, checkpoints = tmp_path / "house.db", tmp_path / "kept.checkpoints"
    options = ("--port", "0", "--store", str(store), "--checkpoints", str(checkpoints))
    with serving(*options) as (process, url):
        assert httpx.post(f"{url}api/guests", json={"name": "ana"}).status_code == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    told = good("verify", "log", str(store), "--checkpoints", str(checkpoints))
    assert told.count(": whole, and witnessed\n") == 1 + len(HOUSES)
    whole = store.read_bytes()
    # Whoever cuts the end off has the ledger agree, so that only the checkpoints know.
    with closing(SqliteStore(store)) as opened:
        last = opened.head(LOG).seq
    tamper(store, f"DELETE FROM records WHERE tbl = '{LOG}' AND seq = {last}")  # noqa: S608 - ours
    good("verify", "log", str(store))
    told = unsound("verify", "log", str(store), "--checkpoints", str(checkpoints))
    assert f"the log ends at {last - 1}, but a checkpoint saw {last}" in told
    complaint = refused(*options)
    assert f"the log of the register is not the one whose event {last} was" in complaint
    assert "begin a new file of checkpoints, and keep the old one" in complaint
    store.write_bytes(whole)
    tamper(store, f"DELETE FROM records WHERE tbl = '{LOG}'")  # noqa: S608 - ours
    assert "the whole log is missing" in unsound(
        "verify", "log", str(store), "--checkpoints", str(checkpoints)
    )


def test_a_backup_is_a_file(played: Path) -> None:
    told = bad("backup", str(played), "postgresql://house:hush@127.0.0.1/house")
    assert "a backup is a file; restore makes a file or a database of it" in told
    assert "hush" not in told


def test_serve_is_local_so_far() -> None:
    assert "novamas serve --local" in bad("serve")
    assert "--port: expected a whole number from 0 to 65535" in bad(
        "serve", "--local", "--port", "65536"
    )
