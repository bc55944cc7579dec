"""R18: the house knows when not to run.

Before it opens, the house looks at its store, its clock and its source of chance. Where it could
not keep what it promises it does not open, and says why.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from bench.longlog import LongTable
from novamas.house.ball.fair_draw import Entropy, SystemEntropy
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import Clock, ManualClock
from novamas.house.house import House, SelfCheckError
from novamas.house.log.checkpoints import Checkpoint, Checkpoints
from novamas.house.log.store import Store, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import MIGRATIONS, SqliteStore
from tests.promises.figures import record

NOW = 1_700_000_000_000
"""A time of this age; the long tables of these tests were played then."""


class Stuck:
    """A source that always gives the same."""

    def secret(self) -> bytes:
        """Always the same 32 bytes."""
        return bytes(32)


class Silent:
    """A source that gives nothing."""

    def secret(self) -> bytes:
        """Never anything."""
        raise OSError("no source of chance on this machine")


class Short:
    """A source that gives too little."""

    def __init__(self) -> None:
        self._given = 0

    def secret(self) -> bytes:
        """Other bytes each time, but only eight."""
        self._given += 1
        return self._given.to_bytes(8, "big")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house's file with a table that was played at."""
    path = tmp_path_factory.mktemp("played") / "house.db"
    store = SqliteStore(path)
    LongTable(store).grow(2_000)
    store.close()
    return path


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    path = tmp_path / "house.db"
    path.write_bytes(played.read_bytes())
    return path


def open_house(
    store: Store,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    checkpoints: Checkpoints | None = None,
) -> None:
    """Opens a house and closes it again; whatever it refuses is raised."""

    async def run() -> None:
        house = House(
            store,
            clock=clock or ManualClock(NOW),
            source=BallSource(entropy or SystemEntropy()),
            checkpoints=checkpoints,
        )
        try:
            await house.open()
        finally:
            await house.close()

    asyncio.run(run())


def refusal(opening: Callable[[], None]) -> str:
    """Why a house does not open."""
    with pytest.raises((SelfCheckError, StoreError)) as refused:
        opening()
    return str(refused.value)


def report(what: str, reason: str) -> None:
    record("R18", f"{what}: refused", says=reason.rpartition("/")[2])


def test_r18_a_sound_house_opens(file: Path) -> None:
    open_house(SqliteStore(file))
    assert SqliteStore(file).check() == []


# The store ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["OFF", "NORMAL"])
def test_r18_commits_that_are_not_synchronous_are_refused(file: Path, level: str) -> None:
    store = SqliteStore(file)
    store._connection.execute(f"PRAGMA synchronous = {level}")
    reason = refusal(lambda: open_house(store))
    assert "not synchronous=FULL" in reason
    report(f"synchronous={level}", reason)


@pytest.mark.parametrize("mode", ["DELETE", "MEMORY", "OFF"])
def test_r18_another_journal_than_wal_is_refused(file: Path, mode: str) -> None:
    store = SqliteStore(file)
    store._connection.execute(f"PRAGMA journal_mode = {mode}")
    reason = refusal(lambda: open_house(store))
    assert "not in WAL mode" in reason
    report(f"journal_mode={mode}", reason)


def test_r18_an_old_sqlite_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The one that Python itself may carry corrupts a log when its WAL is reset.
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    reason = refusal(lambda: open_house(SqliteStore(tmp_path / "new.db")))
    assert "3.40.1 is too old" in reason
    report("SQLite 3.40.1", reason)


def test_r18_a_newer_version_is_refused(file: Path) -> None:
    newer = sqlite3.connect(file)
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    reason = refusal(lambda: open_house(SqliteStore(file)))
    assert "newer version" in reason
    report("a file of a newer version", reason)


def test_r18_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "cats.db")
    other.execute("CREATE TABLE cats (name TEXT)")
    other.close()
    reason = refusal(lambda: open_house(SqliteStore(tmp_path / "cats.db")))
    assert "another program" in reason
    report("a file of another program", reason)


def test_r18_a_damaged_page_anywhere_is_refused(file: Path) -> None:
    """Every page is overwritten in turn: the house opens on none of them."""
    sound = file.read_bytes()
    pages = len(sound) // 4096
    reasons: set[str] = set()
    for page in range(0, pages, max(1, pages // 60)):
        start = page * 4096
        file.write_bytes(sound[:start] + b"\xa5" * 4096 + sound[start + 4096 :])
        reasons.add(refusal(lambda: open_house(SqliteStore(file))))
        for left in (f"{file}-wal", f"{file}-shm"):
            Path(left).unlink(missing_ok=True)
    assert all("damaged" in reason or "Error" in reason for reason in reasons), reasons
    report("a damaged page", min(reasons, key=len))


def test_r18_a_changed_event_at_the_end_is_refused(file: Path) -> None:
    """The file is whole, but its last events are not what was recorded."""
    store = SqliteStore(file)
    with store._connection:
        store._connection.execute(
            "UPDATE records SET at = at + 1 WHERE seq = (SELECT max(seq) FROM records)"
        )
    reason = refusal(lambda: open_house(store))
    assert "is not what was recorded" in reason
    report("a changed event", reason)


def test_r18_a_ledger_that_disagrees_with_the_table_is_refused(file: Path) -> None:
    store = SqliteStore(file)
    with store._connection:
        store._connection.execute("UPDATE balances SET amount = amount + 7 WHERE account = 'desk'")
    reason = refusal(lambda: open_house(store))
    assert "does not sum to zero" in reason
    with store_again(file)._connection as connection:
        connection.execute(
            "UPDATE balances SET amount = amount - 7 WHERE account = 'purse:player 1'"
        )
    other = refusal(lambda: open_house(SqliteStore(file)))
    assert "purse:player 1" in other
    report("a ledger that disagrees", other)


def store_again(file: Path) -> SqliteStore:
    return SqliteStore(file)


def test_r18_an_event_that_is_not_known_is_refused(file: Path) -> None:
    store = SqliteStore(file)
    with store._connection:
        store._connection.execute("DELETE FROM snapshots")
        store._connection.execute("UPDATE records SET version = 2 WHERE seq = 5")
    reason = refusal(lambda: open_house(store))
    assert "event 5" in reason
    report("an event that was changed in the middle", reason)


def test_r18_a_log_that_its_checkpoints_do_not_know_is_refused(file: Path, tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path / "seen")
    kept.write(Checkpoint("1", 999_999, "00" * 32, NOW))
    reason = refusal(lambda: open_house(SqliteStore(file), checkpoints=kept))
    assert "event 999999 was witnessed" in reason
    report("a log shorter than its checkpoint", reason)
    (tmp_path / "seen").write_text("what somebody scribbled\n")
    reason = refusal(lambda: open_house(SqliteStore(file), checkpoints=kept))
    assert "not one of our checkpoints" in reason
    report("checkpoints that nobody signed", reason)


class Hurried(SqliteStore):
    """A store whose check at the door had no time to see anything."""

    def check(self) -> list[str]:
        """Sees nothing."""
        return []


def test_r18_what_the_door_had_no_time_for_is_looked_at_afterwards(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file too large for the check at the door: damage in it stops the tables soon after."""
    sound = bytearray(file.read_bytes())
    with_rows = sqlite3.connect(file)
    root = with_rows.execute("SELECT rootpage FROM sqlite_schema WHERE name='outcomes'").fetchone()
    with_rows.close()
    start = (root[0] - 1) * 4096
    sound[start : start + 4096] = b"\xa5" * 4096
    file.write_bytes(bytes(sound))

    async def run() -> str:
        house = House(Hurried(file), clock=ManualClock(NOW))
        await house.open()
        async with asyncio.timeout(60):
            while house.tables["1"].failed is None:
                await asyncio.sleep(0.01)
        reason = house.tables["1"].failed
        await house.close()
        return reason

    reason = asyncio.run(run())
    # Everybody is told that it failed; what is damaged stands in the journal.
    assert reason.startswith("the store failed (reference ")
    assert any("damaged" in str(getattr(each, "why", "")) for each in caplog.records)
    report("damage that is found while play goes on", reason)


# The clock and the ball ---------------------------------------------------------------------------


def test_r18_a_clock_before_2020_is_refused() -> None:
    reason = refusal(lambda: open_house(MemoryStore(), clock=ManualClock(1_577_836_799_999)))
    assert "before 2020" in reason
    report("a clock before 2020", reason)
    open_house(MemoryStore(), clock=ManualClock(1_577_836_800_000))


@pytest.mark.parametrize(
    ("source", "why"),
    [(Stuck, "same secret twice"), (Short, "less than 32 bytes"), (Silent, "no source of chance")],
)
def test_r18_a_broken_source_is_refused(source: type[Entropy], why: str) -> None:
    reason = refusal(lambda: open_house(MemoryStore(), entropy=source()))
    assert "source of the ball is broken" in reason
    assert why in reason
    report(f"a {source.__name__.lower()} source", reason)


def test_r18_all_reasons_are_told_at_once(file: Path) -> None:
    store = SqliteStore(file)
    store._connection.execute("PRAGMA synchronous = OFF")
    reason = refusal(lambda: open_house(store, clock=ManualClock(0), entropy=Stuck()))
    assert reason.count(";") == 2
