"""R8: the log cannot be altered unseen.

Whoever can write to the file changes it in every way that the test can think of, event by event:
each change is found when the log is verified against the checkpoints that are kept elsewhere. The
most careful forger works all hashes, transfers and balances out again: the log is whole in itself
then, and only the checkpoints know.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import msgspec
import pytest

from novamas.house import ledger
from novamas.house.clock import ManualClock
from novamas.house.house import House, SelfCheckError
from novamas.house.key_files import CHECKPOINT_LABEL, make
from novamas.house.log.checkpoints import Checkpoint, CheckpointError, Checkpoints
from novamas.house.log.codec import Encoded, decode
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Record
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table import snapshot
from novamas.house.table.croupier import AutomaticCroupier
from novamas.house.table.events import BallMode, TableSetUp
from novamas.house.table.state import HouseTable, advance
from novamas.table import commands
from novamas.table.state import Setup
from tests.promises.figures import record

TABLE = "1"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a house's files after some coups, closed in order."""
    folder = tmp_path_factory.mktemp("played")
    asyncio.run(_play(folder))
    return folder


async def _play(folder: Path) -> None:
    clock = ManualClock()
    house = House(
        SqliteStore(folder / "house.db"), clock=clock, checkpoints=Checkpoints(folder / "seen")
    )
    await house.open()
    table = await house.set_up(TABLE, "es", Setup(), ball=BallMode.DRAWN)
    table._snapshot_every = 20
    croupier = AutomaticCroupier(table)
    await croupier.open()
    seller = next(iter(table.house_table.state.posts_of("croupier")))
    for name in ("ana", "bea"):
        await table.submit(f"sit {name}", commands.Sit(by=name))
        buy = commands.BuyChips(by=seller, player=name, amount=1_000, value_chips=True)
        await table.submit(f"buy {name}", buy)
    croupier.start()
    for coup in range(1, 5):
        for name, spot in (("ana", "red"), ("bea", "17"), ("bea", "even")):
            id = f"{name}-{spot}-{coup}"
            stake = commands.PlaceStake(by=name, id=id, player=name, on=spot, amount=20)
            assert (await table.submit(id, stake)).refusal is None
        async with asyncio.timeout(20):
            while table.house_table.state.coup == coup:
                await clock.advance(1)
                await asyncio.sleep(0.005)
                await table.summary()
    await croupier.stop()
    last = commands.PlaceStake(by="ana", id="last", player="ana", on="odd", amount=20)
    assert (await table.submit("last", last)).refusal is None
    await house.close()


@pytest.fixture
def store(played: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(played / "house.db")
    yield opened
    opened.close()


@contextmanager
def altered(store: SqliteStore) -> Iterator[apsw.Connection]:
    """The file, to be changed by whoever can; afterwards it is as it was."""
    connection = store._connection
    connection.execute("BEGIN")
    yield connection
    connection.execute("ROLLBACK")


def seen(folder: Path) -> list[Checkpoint]:
    return list(Checkpoints(folder / "seen").read())


def is_found(store: SqliteStore, checkpoints: list[Checkpoint]) -> bool:
    return not verify_table(store, TABLE, checkpoints).is_sound


def test_r8_what_nobody_altered_is_sound(played: Path, store: SqliteStore) -> None:
    verdict = verify_table(store, TABLE, seen(played))
    assert verdict.problems == []
    assert (verdict.coups, verdict.drawn, verdict.unwitnessed) == (4, 4, 0)
    assert store.snapshot(TABLE) is not None
    # A checkpoint at the end of every coup, and one at the end of the day.
    assert len(seen(played)) == 5


# One change at a time -----------------------------------------------------------------------------

Change = Callable[[apsw.Connection, int], bool]
"""Changes something at an event; False if there is nothing of the kind there."""


def flip(column: str) -> Change:
    """One bit, or one unit, of one field of an event."""

    def change(file: apsw.Connection, seq: int) -> bool:
        where = "tbl = ? AND seq = ?"
        query = f"SELECT {column} FROM records WHERE {where}"  # noqa: S608 - a column's name
        value = file.execute(query, (TABLE, seq)).get
        if isinstance(value, bytes):
            middle = len(value) // 2
            value = value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :]
        elif isinstance(value, int):
            value += 1
        elif value is None:
            value = "x"
        else:
            value = value[:-1] + chr(ord(value[-1]) ^ 1)
        update = f"UPDATE records SET {column} = ? WHERE {where}"  # noqa: S608 - a column's name
        file.execute(update, (value, TABLE, seq))
        return True

    return change


def _shift(file: apsw.Connection, *, after: int, by: int) -> None:
    """Gives every later event another number."""
    last = 1_000_000
    file.execute("UPDATE records SET seq = seq + ? WHERE seq > ?", (last, after))
    file.execute("UPDATE records SET seq = seq - ? + ? WHERE seq > ?", (last, by, last))


def delete(file: apsw.Connection, seq: int) -> bool:
    file.execute("DELETE FROM records WHERE tbl = ? AND seq = ?", (TABLE, seq))
    return True


def delete_and_close_the_gap(file: apsw.Connection, seq: int) -> bool:
    delete(file, seq)
    _shift(file, after=seq, by=-1)
    return True


def insert(file: apsw.Connection, seq: int) -> bool:
    """The same event once more, with all that follows moved on."""
    _shift(file, after=seq, by=1)
    file.execute(
        "INSERT INTO records SELECT tbl, seq + 1, at, type, version, payload, command, previous,"
        " hash FROM records WHERE tbl = ? AND seq = ?",
        (TABLE, seq),
    )
    return True


def swap(file: apsw.Connection, seq: int) -> bool:
    """An event and the one behind it change places."""
    if file.execute("SELECT max(seq) FROM records").get == seq:
        return False
    file.execute("UPDATE records SET seq = 0 WHERE seq = ?", (seq,))
    file.execute("UPDATE records SET seq = ? WHERE seq = ?", (seq, seq + 1))
    file.execute("UPDATE records SET seq = ? WHERE seq = 0", (seq + 1,))
    return True


def truncate(file: apsw.Connection, seq: int) -> bool:
    """The log ends before this event, as do the ledger and the snapshot."""
    for table in ("records", "entries", "snapshots"):
        file.execute(f"DELETE FROM {table} WHERE seq >= ?", (seq,))  # noqa: S608 - a table's name
    return True


def _entries(file: apsw.Connection, seq: int) -> int:
    return int(file.execute("SELECT count(*) FROM entries WHERE seq = ?", (seq,)).get)


def flip_transfer(file: apsw.Connection, seq: int) -> bool:
    file.execute("UPDATE entries SET amount = amount + 1 WHERE seq = ?", (seq,))
    return bool(_entries(file, seq))


def turn_transfer(file: apsw.Connection, seq: int) -> bool:
    file.execute("UPDATE entries SET source = target, target = source WHERE seq = ?", (seq,))
    return bool(_entries(file, seq))


def delete_transfer(file: apsw.Connection, seq: int) -> bool:
    there = bool(_entries(file, seq))
    file.execute("DELETE FROM entries WHERE seq = ?", (seq,))
    return there


def insert_transfer(file: apsw.Connection, seq: int) -> bool:
    given = (TABLE, seq, 999_999, "bank", "purse:ana", 5)
    file.execute("INSERT INTO entries VALUES (?,?,?,?,?,?)", given)
    return True


def move_transfer(file: apsw.Connection, seq: int) -> bool:
    """A transfer is told of the event before."""
    there = bool(_entries(file, seq))
    file.execute("UPDATE entries SET seq = seq - 1, place = place + 1000 WHERE seq = ?", (seq,))
    return there


CHANGES: dict[str, Change] = {
    **{
        f"flip {column}": flip(column)
        for column in ("at", "type", "version", "payload", "command", "previous", "hash")
    },
    "delete": delete,
    "delete and close the gap": delete_and_close_the_gap,
    "insert": insert,
    "reorder": swap,
    "truncate": truncate,
    "flip a transfer": flip_transfer,
    "turn a transfer": turn_transfer,
    "delete a transfer": delete_transfer,
    "insert a transfer": insert_transfer,
    "move a transfer": move_transfer,
}


@pytest.mark.parametrize("name", CHANGES)
def test_r8_every_change_is_found(played: Path, store: SqliteStore, name: str) -> None:
    checkpoints, tried = seen(played), 0
    for seq in range(1, store.head(TABLE).seq + 1):
        with altered(store) as file:
            if CHANGES[name](file, seq):
                tried += 1
                assert is_found(store, checkpoints), f"{name} at event {seq} was not found"
    assert tried
    assert not is_found(store, checkpoints)
    record("R8", name, tried=tried, found=tried)


def test_r8_a_changed_balance_or_memento_is_found(played: Path, store: SqliteStore) -> None:
    checkpoints = seen(played)
    tried: Counter[str] = Counter()
    for account in store.balances(TABLE):
        with altered(store) as file:
            query = "UPDATE balances SET amount = amount + ? WHERE account = ?"
            file.execute(query, (7, account))
            assert is_found(store, checkpoints)
            # Even if the sum is right again.
            other = "bank" if account != "bank" else "desk"
            file.execute(query, (-7, other))
            assert is_found(store, checkpoints)
        with altered(store) as file:
            file.execute("DELETE FROM balances WHERE account = ?", (account,))
            assert is_found(store, checkpoints)
        tried["balances"] += 3
    with altered(store) as file:
        file.execute("INSERT INTO balances VALUES (?, 'purse:eve', 5)", (TABLE,))
        assert is_found(store, checkpoints)
    kept = store.snapshot(TABLE)
    assert kept is not None
    house_table = snapshot.recall(kept[1])
    house_table.state.players["ana"].purse += 1
    for forged in (snapshot.remember(house_table), kept[1][:-1], b""):
        with altered(store) as file:
            file.execute("UPDATE snapshots SET memento = ?", (forged,))
            assert is_found(store, checkpoints)
            tried["snapshots"] += 1
    with altered(store) as file:
        file.execute("UPDATE snapshots SET seq = seq + 1")
        assert is_found(store, checkpoints)
    record("R8", "balances and snapshots", tried=sum(tried.values()), found=sum(tried.values()))


# The careful forger -------------------------------------------------------------------------------


def rewritten(log: list[Record], seq: int, payload: bytes) -> list[Record]:
    """The log with another event in one place, and all hashes worked out again."""
    made: list[Record] = []
    previous = GENESIS
    for old in log:
        event = Encoded(old.type, old.version, payload if old.seq == seq else old.payload)
        made.append(link(old.table, old.seq, old.at, event, old.command, previous))
        previous = made[-1].hash
    return made


def put(file: apsw.Connection, log: list[Record]) -> None:
    """Writes a whole log with the ledger and the balances that belong to it."""
    for table in ("records", "entries", "balances", "snapshots"):
        file.execute(f"DELETE FROM {table}")  # noqa: S608 - a table's name
    file.executemany("INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?)", log)
    found: Counter[str] = Counter()
    house_table: HouseTable | None = None
    for each in log:
        state = house_table.state if house_table is not None else None
        event = decode(each.type, each.version, each.payload, state)
        if isinstance(event, TableSetUp):
            house_table = HouseTable.fresh(event)
            continue
        assert house_table is not None
        for place, moved in enumerate(ledger.transfers(house_table, event)):
            row = (each.table, each.seq, place, *moved)
            file.execute("INSERT INTO entries VALUES (?,?,?,?,?,?)", row)
            found[moved.source] -= moved.amount
            found[moved.target] += moved.amount
        advance(house_table, event)
    rows = [(TABLE, account, amount) for account, amount in found.items()]
    file.executemany("INSERT INTO balances VALUES (?,?,?)", rows)


def test_r8_a_rewritten_past_is_found_by_the_checkpoints_alone(
    played: Path, store: SqliteStore
) -> None:
    checkpoints, log = seen(played), list(store.read(TABLE))
    forged = 0
    for each in log:
        data = msgspec.json.decode(each.payload)
        if each.type == "ChipsBought":
            data["amount"] += 9_000
        elif each.type == "StakePlaced":
            data["unclear"] = True
        elif each.type == "PlayerSat":
            data["articles"] = ["AR-1"]
        else:
            continue
        with altered(store) as file:
            put(file, rewritten(log, each.seq, msgspec.json.encode(data)))
            # A careful forger: the log is whole in itself.
            assert not is_found(store, [])
            assert is_found(store, checkpoints)
        forged += 1
    assert forged > 10
    record(
        "R8", "rewrite, with all hashes and the ledger worked out again", tried=forged, found=forged
    )


def test_r8_a_shortened_past_is_found_by_the_checkpoints_alone(
    played: Path, store: SqliteStore
) -> None:
    checkpoints, log = seen(played), list(store.read(TABLE))
    for length in range(1, len(log)):
        with altered(store) as file:
            put(file, log[:length])
            assert not is_found(store, [])
            assert is_found(store, checkpoints)
    record("R8", "truncate, with the ledger cut to fit", tried=len(log) - 1, found=len(log) - 1)


def test_r8_what_is_added_after_the_end_was_witnessed_by_nobody(
    played: Path, store: SqliteStore
) -> None:
    """A house that was closed in order leaves no event behind its last checkpoint."""
    log = list(store.read(TABLE))
    last = log[-1]
    event = Encoded("LastBetsCalled", 1, b'{"call":"Last bets"}')
    added = link(TABLE, last.seq + 1, last.at, event, None, last.hash)
    with altered(store) as file:
        put(file, [*log, added])
        assert verify_table(store, TABLE, seen(played)).unwitnessed == 1


# The checkpoints themselves -----------------------------------------------------------------------


def test_r8_altered_checkpoints_are_found(played: Path, tmp_path: Path) -> None:
    lines = (played / "seen").read_bytes().splitlines(keepends=True)
    tried = 0

    def is_refused(content: bytes) -> bool:
        path = tmp_path / "seen"
        path.write_bytes(content)
        shutil.copy(played / "seen.signing-key", tmp_path)
        try:
            return len(list(Checkpoints(path).read())) < 0
        except CheckpointError:
            return True

    for number, line in enumerate(lines):
        before, after = b"".join(lines[:number]), b"".join(lines[number + 1 :])
        for place in range(len(line) - 1):
            changed = bytes([*line[:place], line[place] ^ 1, *line[place + 1 :]])
            assert is_refused(before + changed + after), f"{number}: {line!r} {changed!r}"
            tried += 1
        if after:
            assert is_refused(before + after)
            assert is_refused(before + line + line + after)
            assert is_refused(b"".join([*lines[:number], lines[number + 1], line]))
            tried += 3
    # Signed by another key.
    make(tmp_path / "other.signing-key", f"{CHECKPOINT_LABEL}{'00' * 32}")
    forger = Checkpoints(tmp_path / "other")
    forger.write(Checkpoint(TABLE, 1, "00" * 32, 0))
    assert is_refused((tmp_path / "other").read_bytes())
    record("R8", "flip, delete, repeat, reorder the checkpoints", tried=tried + 1, found=tried + 1)


def test_r8_an_unfinished_last_line_is_no_forgery(played: Path, tmp_path: Path) -> None:
    """A power cut may leave half a line: it is taken away, and the next is written behind."""
    whole = (played / "seen").read_bytes()
    (tmp_path / "seen").write_bytes(whole + b'["1", 99, "ab')
    shutil.copy(played / "seen.signing-key", tmp_path)
    kept = Checkpoints(tmp_path / "seen")
    assert list(kept.read()) == seen(played)
    added = Checkpoint(TABLE, 100, "ab" * 32, 1)
    kept.write(added)
    assert list(Checkpoints(tmp_path / "seen").read()) == [*seen(played), added]


@pytest.mark.parametrize("length", [1, 20, -1])
def test_r8_a_house_does_not_open_on_a_log_that_was_cut(
    played: Path, tmp_path: Path, length: int
) -> None:
    for name in ("house.db", "seen", "seen.signing-key"):
        shutil.copy(played / name, tmp_path)
    store = SqliteStore(tmp_path / "house.db")
    log = list(store.read(TABLE))
    with store._connection:
        put(store._connection, log[:length])
    store._heads.clear()

    async def open_it() -> None:
        house = House(store, clock=ManualClock(), checkpoints=Checkpoints(tmp_path / "seen"))
        with pytest.raises(SelfCheckError, match=f"event {log[-1].seq} was witnessed"):
            await house.open()
        house._writer.shutdown()

    asyncio.run(open_it())
    store.close()
