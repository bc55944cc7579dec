"""The store's contract: what every store must do, and what the file of SQLite must do besides."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import cast

import apsw
import pytest

from novamas.house.log.store import (
    GENESIS,
    Batch,
    ConflictError,
    Entry,
    Head,
    Outcome,
    Store,
    StoreError,
)
from novamas.house.log.stores import sql, sqlite
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.sqlite import MIGRATIONS, SqliteStore
from novamas.table.accounts import Transfer
from tests.contracts.batches import batch, everything, filled, records
from tests.simulated_house.chance import chance_of
from tests.simulated_house.loop import SimulatedLoop
from tests.simulated_house.store import Connection, Medium


@pytest.fixture
def simulated() -> Iterator[Store]:
    """One server's connection to the medium of a simulated house."""
    loop = SimulatedLoop(chance_of(1, "order"))
    yield cast("Store", Connection(Medium(loop, chance_of(1, "medium")), "s1"))
    loop.close()


@pytest.fixture(params=["memory", "simulated", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    match request.param:
        case "memory":
            made = MemoryStore()
        case "simulated":
            made = request.getfixturevalue("simulated")
        case "sqlite":
            made = SqliteStore(tmp_path / "a.db")
        case _:
            made = PostgresStore(request.getfixturevalue("database"))
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgres"])
def reopen(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[[], SqliteStore | PostgresStore]:
    """Opens a store in SQL, and opens it again."""
    if request.param == "sqlite":
        return partial(SqliteStore, tmp_path / "a.db")
    return partial(PostgresStore, request.getfixturevalue("database"))


@pytest.fixture
def sql_store(
    reopen: Callable[[], SqliteStore | PostgresStore],
) -> Iterator[SqliteStore | PostgresStore]:
    made = reopen()
    yield made
    made.close()


# The contract -------------------------------------------------------------------------------------


def test_a_new_store_has_nothing(store: Store) -> None:
    assert list(store.tables()) == []
    assert store.head("1") == Head(0, GENESIS)
    assert list(store.read("1")) == []
    assert list(store.entries("1")) == []
    assert store.balances("1") == {}
    assert store.outcome("1", "c1") is None
    assert list(store.outcomes("1")) == []
    assert list(store.secrets("1")) == []
    assert store.snapshot("1") is None
    assert store.secret("1", 1) is None
    assert store.check() == []
    assert store.inspect() == []


def test_what_is_appended_is_read_back_field_by_field(store: Store) -> None:
    given = batch(3)
    store.append(given)
    assert tuple(store.read("1")) == given.records
    assert tuple(store.entries("1")) == given.entries
    assert [store.outcome("1", f"c{seq}") for seq in (1, 2, 3)] == list(given.outcomes)
    asked = ["c3", "none", "c1", "c3"]
    assert sorted(store.known("1", asked)) == [given.outcomes[0], given.outcomes[2]]
    assert store.known("2", asked) == store.known("1", []) == []
    assert sorted(store.outcomes("1")) == sorted(given.outcomes)
    assert store.head("1") == Head(3, given.records[-1].hash)


def test_more_than_is_read_at_once_comes_in_order(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "PART", 3)
    seeds = tuple((chain, b"seed %d" % chain) for chain in range(-2, 5))
    given = batch(10)._replace(secrets=seeds)
    store.append(given)
    store.append(batch(4, table="2"))
    assert tuple(store.read("1")) == given.records
    assert tuple(store.read("1", after=2, until=9)) == given.records[2:9]
    assert tuple(store.entries("1")) == given.entries
    assert tuple(store.entries("1", after=3)) == given.entries[3:]
    assert sorted(store.outcomes("1")) == sorted(given.outcomes)
    assert tuple(store.secrets("1")) == seeds


def test_all_commands_of_a_batch_are_looked_up_in_one_query(
    sql_store: SqliteStore | PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = batch(500)
    odd = Outcome("1", 'l\'id "é" \\ 😀 ?%s', "ana", 0, 0, b"{}", b"digest")
    sql_store.append(given._replace(outcomes=(*given.outcomes, odd)))
    run: list[str] = []
    fetch = sql_store._fetch

    def counting(query: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        run.append(query)
        return fetch(query, values)

    monkeypatch.setattr(sql_store, "_fetch", counting)
    asked = [odd.command, *(f"new{n}" for n in range(1_000)), *(f"c{n}" for n in range(1, 301))]
    assert sorted(sql_store.known("1", asked)) == sorted((odd, *given.outcomes[:300]))
    assert len(run) == 1


def test_a_store_opened_again_has_all_of_it(reopen: Callable[[], Store]) -> None:
    store = reopen()
    store.append(batch(3)._replace(snapshot=b"snapshot", secrets=((4, b"secret"),)))
    store.append(batch(1, table="2"))
    before = everything(store)
    store.close()
    again = reopen()
    assert everything(again) == before
    again.append(batch(1, after=again.head("1")))
    assert again.head("1").seq == 4
    again.close()


def test_the_head_moves_with_each_batch(store: Store) -> None:
    store.append(batch(2))
    store.append(batch(3, after=store.head("1")))
    assert store.head("1").seq == 5
    assert [record.seq for record in store.read("1")] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("after", "until", "seqs"),
    [
        (0, None, [1, 2, 3, 4, 5]),
        (2, None, [3, 4, 5]),
        (2, 4, [3, 4]),
        (0, 1, [1]),
        (5, None, []),
        (4, 3, []),
        (0, 99, [1, 2, 3, 4, 5]),
    ],
)
def test_a_log_is_read_after_one_event_until_another(
    store: Store, after: int, until: int | None, seqs: list[int]
) -> None:
    store.append(batch(5))
    assert [record.seq for record in store.read("1", after=after, until=until)] == seqs


def test_entries_are_read_after_an_event_in_order(store: Store) -> None:
    made = records(2)
    many = tuple(
        Entry("1", seq, Transfer("bank", f"purse:{name}", 7))
        for seq in (1, 2)
        for name in ("zoe", "ana", "bea")
    )
    store.append(Batch("1", 0, made, many, ()))
    assert tuple(store.entries("1")) == many
    assert tuple(store.entries("1", after=1)) == many[3:]


def test_balances_are_kept_up_and_an_empty_account_is_not_named(store: Store) -> None:
    first = records(1)
    store.append(Batch("1", 0, first, (Entry("1", 1, Transfer("desk", "purse:ana", 100)),), ()))
    assert store.balances("1") == {"desk": -100, "purse:ana": 100}
    second = records(1, after=store.head("1"))
    moved = (
        Entry("1", 2, Transfer("purse:ana", "cloth", 30)),
        Entry("1", 2, Transfer("purse:ana", "desk", 70)),
    )
    store.append(Batch("1", 1, second, moved, ()))
    assert store.balances("1") == {"desk": -30, "cloth": 30}


def test_tables_are_apart(store: Store) -> None:
    store.append(batch(1, table="b"))
    store.append(batch(2, table="a"))
    store.append(batch(3, table="a b"))
    assert list(store.tables()) == ["a", "a b", "b"]
    assert [store.head(name).seq for name in ("a", "a b", "b")] == [2, 3, 1]
    assert store.outcome("b", "c2") is None
    assert store.balances("b") == {"desk": -1, "purse:ana": 1}
    assert [entry.seq for entry in store.entries("a")] == [1, 2]


def test_the_newest_snapshot_is_kept_with_its_sequence(store: Store) -> None:
    store.append(batch(2)._replace(snapshot=b"first"))
    assert store.snapshot("1") == (2, b"first")
    store.append(batch(3, after=store.head("1")))
    assert store.snapshot("1") == (2, b"first")
    store.append(batch(1, after=store.head("1"))._replace(snapshot=b"second"))
    assert store.snapshot("1") == (6, b"second")
    assert store.snapshot("2") is None


def test_secrets_are_kept_by_table_and_spin(store: Store) -> None:
    store.append(batch(1)._replace(secrets=((1, b"one"), (2, b"two"))))
    assert (store.secret("1", 1), store.secret("1", 2)) == (b"one", b"two")
    assert store.secret("2", 1) is None


def test_a_seed_is_sealed_anew_together_with_what_else_is_written(store: Store) -> None:
    store.append(batch(1)._replace(secrets=((1, b"one"), (2, b"two"))))
    store.append(batch(1, table="2")._replace(secrets=((1, b"three"),)))
    anew = Batch("2", 1, (), (), (), resealed=((1, b"THREE"),))
    store.append(batch(1, after=store.head("1"))._replace(resealed=((2, b"TWO"),)), anew)
    assert list(store.secrets("1")) == [(1, b"one"), (2, b"TWO")]
    assert list(store.secrets("2")) == [(1, b"THREE")]
    before = everything(store), everything(store, "2")
    for wrong in (anew._replace(after=0), anew._replace(resealed=((7, b"none"),))):
        fits = batch(1, after=store.head("1"))._replace(resealed=((1, b"ONE"),))
        with pytest.raises(ConflictError):
            store.append(fits, wrong)
        assert (everything(store), everything(store, "2")) == before


def test_answers_alone_may_be_kept_without_an_event(store: Store) -> None:
    store.append(batch(1))
    refused = Outcome("1", "late", "ana", 0, 1, b'{"why":"betting_is_closed"}')
    store.append(Batch("1", 1, (), (), (refused,)))
    assert store.outcome("1", "late") == refused
    assert store.head("1").seq == 1


def _stale(_: Batch) -> Batch:
    return batch(1)


def _ahead(_: Batch) -> Batch:
    return batch(1, after=Head(7, bytes(32)))


def _gap(given: Batch) -> Batch:
    return given._replace(records=(given.records[0], given.records[2]))


def _unchained(given: Batch) -> Batch:
    wrong = given.records[1]._replace(previous=bytes(32))
    return given._replace(records=(given.records[0], wrong, given.records[2]))


def _of_another_table(given: Batch) -> Batch:
    return given._replace(records=(*given.records[:2], given.records[2]._replace(table="2")))


def _transfer_without_event(given: Batch) -> Batch:
    return given._replace(entries=(Entry("1", 9, Transfer("desk", "bank", 1)),))


def _answered_before(given: Batch) -> Batch:
    return given._replace(outcomes=(*given.outcomes, Outcome("1", "c1", "eve", 5, 5, b"")))


def _answered_twice(given: Batch) -> Batch:
    return given._replace(outcomes=(*given.outcomes, given.outcomes[0]))


@pytest.mark.parametrize(
    "spoil",
    [
        _stale,
        _ahead,
        _gap,
        _unchained,
        _of_another_table,
        _transfer_without_event,
        _answered_before,
        _answered_twice,
    ],
)
def test_a_batch_that_does_not_fit_is_refused_and_leaves_nothing(
    store: Store, spoil: Callable[[Batch], Batch]
) -> None:
    store.append(batch(2)._replace(snapshot=b"kept", secrets=((1, b"kept"),)))
    before = everything(store)
    fits = batch(3, after=store.head("1"))._replace(snapshot=b"lost", secrets=((2, b"lost"),))
    with pytest.raises(ConflictError):
        store.append(spoil(fits))
    assert everything(store) == before
    store.append(fits)
    assert store.head("1").seq == 5


def test_two_writers_do_not_both_write_the_same_place(store: Store) -> None:
    head = store.head("1")
    mine, theirs = batch(2, after=head), batch(3, after=head)
    store.append(mine)
    with pytest.raises(ConflictError):
        store.append(theirs)
    assert tuple(store.read("1")) == mine.records


# The file of SQLite -------------------------------------------------------------------------------


def test_a_writer_in_another_process_is_noticed(tmp_path: Path) -> None:
    one, other = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "a.db")
    assert one.head("1") == other.head("1")
    one.append(batch(2))
    with pytest.raises(ConflictError):
        other.append(batch(3))
    # The loser reads the log anew before writing again.
    assert other.head("1").seq == 2
    one.close()
    other.close()


def test_the_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "a.db").close()
    assert (tmp_path / "a.db").stat().st_mode & 0o777 == 0o600


def test_commits_are_durable_by_its_settings(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    assert store._connection.pragma("journal_mode") == "wal"
    assert store._connection.pragma("synchronous") == 2
    store.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"what the croupier wrote on a napkin\n" * 200)
    with pytest.raises(StoreError, match="not a database"):
        SqliteStore(path)


@pytest.mark.parametrize("mark", [None, ("application_id", 7), ("user_version", 1)])
def test_a_file_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, mark: tuple[str, int] | None
) -> None:
    path = tmp_path / "a.db"
    theirs = apsw.Connection(str(path))
    theirs.execute("CREATE TABLE cats (name TEXT)")
    if mark is not None:
        theirs.pragma(*mark)
    theirs.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    SqliteStore(path).close()
    newer = apsw.Connection(str(path))
    newer.pragma("user_version", len(MIGRATIONS) + 1)
    newer.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_an_empty_file_is_made_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    store = SqliteStore(path)
    assert store._connection.pragma("user_version") == len(MIGRATIONS)
    assert store.check() == []
    store.close()


def test_a_file_of_an_older_version_is_brought_up_with_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    before = filled(SqliteStore(path))
    added = "CREATE TABLE later (note TEXT); INSERT INTO later VALUES ('since version 2')"
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*MIGRATIONS, added))
    store = SqliteStore(path)
    assert everything(store) == before
    assert store.check() == []
    assert store._connection.execute("SELECT note FROM later").get == "since version 2"
    store.close()
    # It is done once.
    store = SqliteStore(path)
    assert store._connection.execute("SELECT count(*) FROM later").get == 1
    store.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.db"
    before = filled(SqliteStore(path))
    broken = "CREATE TABLE later (note TEXT); INSERT INTO nowhere VALUES (1)"
    with monkeypatch.context() as patched:
        patched.setattr(sqlite, "MIGRATIONS", (*MIGRATIONS, broken))
        with pytest.raises(StoreError, match="nowhere"):
            SqliteStore(path)
    store = SqliteStore(path)
    assert everything(store) == before
    assert store.check() == []
    store.close()
