"""The store in PostgreSQL: its schema, its settings, and the leases that several servers share."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from novamas.house.log.store import ConflictError, Head, Lease, LeaseLostError, StoreError
from novamas.house.log.stores import postgres
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.postgres_schema import MIGRATIONS
from tests.contracts.batches import batch, everything, filled
from tests.contracts.servers import cut_off
from tests.postgres import Postgres

ONE, OTHER = Lease("one", "http://one"), Lease("other", "http://other")


@pytest.fixture
def two(database: str) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """Two servers' stores on one database."""
    one, other = PostgresStore(database), PostgresStore(database)
    yield one, other
    one.close()
    other.close()


def outdated(store: PostgresStore, table: str = "1") -> None:
    """Lets a lease run out now."""
    store._connection.execute(
        "UPDATE novamas.leases SET until = clock_timestamp() - interval '1 ms' WHERE tbl = %s",
        (table,),
    )


def test_whoever_only_reads_sees_one_moment_and_changes_nothing(database: str) -> None:
    with pytest.raises(StoreError, match="not a store"):
        PostgresStore(database, read_only=True)
    store = PostgresStore(database)
    store.append(batch(2))
    reader = PostgresStore(database, read_only=True)
    store.append(batch(2, after=store.head("1")))
    assert [record.seq for record in reader.read("1")] == [1, 2]
    with pytest.raises(StoreError, match="read-only"):
        reader.append(batch(1, after=reader.head("1")))
    reader.close()
    store.close()


def test_a_writer_in_another_process_is_noticed(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.head("1") == other.head("1")
    one.append(batch(2))
    with pytest.raises(ConflictError):
        other.append(batch(3))
    assert other.head("1").seq == 2


def test_a_log_that_several_write_is_gone_on_with_where_it_ends(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    one.append(batch(1))
    other.append(batch(1, after=other.head("1")))
    (last,) = one.read("1", after=1)
    one.append(batch(1, after=Head(last.seq, last.hash)))
    assert other.head("1").seq == 2
    with pytest.raises(ConflictError):
        other.append(batch(1, after=other.head("1")))
    other.append(batch(1, after=other.head("1")))
    assert [record.seq for record in one.read("1")] == [1, 2, 3, 4]


def test_servers_that_start_at_once_make_one_schema(database: str) -> None:
    problems: list[Exception] = []

    def start() -> None:
        try:
            PostgresStore(database).close()
        except StoreError as problem:
            problems.append(problem)

    starting = [threading.Thread(target=start) for _ in range(6)]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()
    assert problems == []


def test_a_schema_of_another_program_is_left_alone(database: str) -> None:
    with psycopg.connect(database) as theirs:
        theirs.execute("CREATE SCHEMA novamas")
        theirs.execute("CREATE TABLE novamas.cats (name TEXT)")
    with pytest.raises(StoreError, match="another program"):
        PostgresStore(database)


def test_a_schema_of_a_newer_version_is_refused(database: str) -> None:
    PostgresStore(database).close()
    with psycopg.connect(database) as newer:
        newer.execute("UPDATE novamas.version SET done = %s", (len(MIGRATIONS) + 1,))
    with pytest.raises(StoreError, match="newer version"):
        PostgresStore(database)


def test_a_schema_of_an_older_version_is_brought_up_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled(PostgresStore(database))
    added = "CREATE TABLE novamas.later (note TEXT); INSERT INTO novamas.later VALUES ('new')"
    monkeypatch.setattr(postgres, "MIGRATIONS", (*MIGRATIONS, added))
    for _ in range(2):
        store = PostgresStore(database)
        assert everything(store) == before
        assert store.check() == []
        assert store._one("SELECT count(*) FROM novamas.later") == (1,)
        store.close()


def test_a_migration_that_fails_leaves_the_schema_as_it_was(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    PostgresStore(database).close()
    broken = "CREATE TABLE novamas.later (note TEXT); INSERT INTO novamas.nowhere VALUES (1)"
    with monkeypatch.context() as patched:
        patched.setattr(postgres, "MIGRATIONS", (*MIGRATIONS, broken))
        with pytest.raises(StoreError, match="nowhere"):
            PostgresStore(database)
    store = PostgresStore(database)
    assert store.check() == []
    assert store._one("SELECT to_regclass('novamas.later')") == (None,)
    store.close()


@pytest.mark.parametrize("setting", ["synchronous_commit=off"])
def test_a_database_that_is_not_durable_is_told(database: str, setting: str) -> None:
    store = PostgresStore(f"{database}?options=-c%20{setting.replace('=', '%3D')}")
    assert store.check() == ["the database acknowledges commits before they are durable"]
    store.close()


def test_a_password_does_not_stand_in_what_is_told(postgres_server: Postgres) -> None:
    wrong = f"postgresql://ana:hush@127.0.0.1:{postgres_server.port}/nowhere"
    with pytest.raises(StoreError) as told:
        PostgresStore(wrong)
    assert "hush" not in str(told.value)


def test_a_lost_connection_is_a_fault_of_the_store(database: str) -> None:
    store = PostgresStore(database)
    store.append(batch(1))
    with psycopg.connect(database, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with pytest.raises(StoreError):
        store.append(batch(1, after=store.head("1")))
    store.close()
    again = PostgresStore(database)
    assert again.head("1").seq == 1
    again.close()


# Leases -------------------------------------------------------------------------------------------


def test_a_table_is_held_by_one_at_a_time(two: tuple[PostgresStore, PostgresStore]) -> None:
    one, other = two
    assert one.lease("1") is None
    assert one.take_lease("1", ONE, seconds=60)
    assert not other.take_lease("1", OTHER, seconds=60)
    assert other.lease("1") == ONE
    assert other.take_lease("2", OTHER, seconds=60)


def test_a_lease_that_was_let_go_can_be_taken_at_once(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.take_lease("1", ONE, seconds=60)
    one.release_lease("1")
    assert other.lease("1") is None
    assert other.take_lease("1", OTHER, seconds=60)
    one.release_lease("1")  # Whoever has let go cannot take it from the next.
    assert other.lease("1") == OTHER


def test_a_lease_lasts_as_long_as_it_is_renewed(two: tuple[PostgresStore, PostgresStore]) -> None:
    """It runs by the clock of the database, which nobody simulates; so it is a short one."""
    one, other = two
    ends = "SELECT until > clock_timestamp() + interval '50 s' FROM novamas.leases"
    assert one.take_lease("1", ONE, seconds=10)
    assert other._one(ends) == (False,)
    for _ in range(4):
        assert one.renew_leases(seconds=60) == set()
        assert other._one(ends) == (True,)
        assert not other.take_lease("1", OTHER, seconds=60)
    assert one.renew_leases(seconds=0.05) == set()
    time.sleep(0.1)
    assert other.take_lease("1", OTHER, seconds=60)
    assert one.renew_leases(seconds=60) == {"1"}
    assert other.lease("1") == OTHER


def test_whoever_lost_his_lease_writes_nothing_more(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.take_lease("1", ONE, seconds=60)
    one.append(batch(2))
    late = batch(1, after=one.head("1"))
    outdated(other)
    assert other.take_lease("1", OTHER, seconds=60)
    with pytest.raises(LeaseLostError):
        one.append(late)
    assert other.head("1").seq == 2
    other.append(batch(1, after=other.head("1")))
    assert other.head("1").seq == 3


def test_a_lease_that_ran_out_but_nobody_took_still_holds(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, _ = two
    assert one.take_lease("1", ONE, seconds=60)
    outdated(one)
    one.append(batch(2))
    assert one.renew_leases(seconds=60) == set()
    assert one.lease("1") == ONE


def test_a_commit_that_is_under_way_comes_before_the_next_owner(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.take_lease("1", ONE, seconds=60)
    outdated(other)
    taken = threading.Event()

    def take() -> None:
        assert other.take_lease("1", OTHER, seconds=60)
        taken.set()

    waiting = threading.Thread(target=take)
    with one._connection.transaction():
        one._write(batch(2))
        waiting.start()
        assert not taken.wait(0.5), "the table was taken while its owner was writing"
    waiting.join(60)
    assert taken.is_set()
    assert other.head("1").seq == 2


def test_closing_lets_every_table_go(database: str) -> None:
    one, other = PostgresStore(database), PostgresStore(database)
    assert one.take_lease("1", ONE, seconds=60)
    assert one.take_lease("2", ONE, seconds=60)
    one.close()
    assert other.take_lease("1", OTHER, seconds=60)
    assert other.take_lease("2", OTHER, seconds=60)
    other.close()


def test_whoever_noticed_his_loss_or_let_go_writes_nothing_more_either(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.take_lease("1", ONE, seconds=60)
    outdated(other)
    assert other.take_lease("1", OTHER, seconds=60)
    assert one.renew_leases(seconds=60) == {"1"}
    with pytest.raises(LeaseLostError):
        one.append(batch(1))
    other.release_lease("1")
    with pytest.raises(LeaseLostError):
        other.append(batch(1))
    assert one.take_lease("1", ONE, seconds=60)
    one.append(batch(1))
    assert other.head("1").seq == 1


def test_whoever_takes_his_own_table_again_fences_himself_off(database: str) -> None:
    before, again = PostgresStore(database), PostgresStore(database)
    assert before.take_lease("1", ONE, seconds=60)
    assert again.take_lease("1", ONE, seconds=60)
    with pytest.raises(LeaseLostError):
        before.append(batch(1))
    again.append(batch(1))
    before.close()
    again.close()


def test_everybody_who_serves_is_listed(two: tuple[PostgresStore, PostgresStore]) -> None:
    one, other = two
    assert one.leases() == {}
    assert one.take_lease("1", ONE, seconds=60)
    assert other.take_lease("2", OTHER, seconds=60)
    assert one.leases() == other.leases() == {"1": ONE, "2": OTHER}
    outdated(one)
    assert one.leases() == {"2": OTHER}


def test_a_store_that_was_cut_off_begins_anew_without_its_leases(database: str) -> None:
    one, other = PostgresStore(database), PostgresStore(database)
    assert one.take_lease("1", ONE, seconds=60)
    one.append(batch(2))
    cut_off(other, one)
    with pytest.raises(StoreError):
        one.append(batch(1, after=one.head("1")))
    one.reconnect()
    with pytest.raises(LeaseLostError):
        one.append(batch(1, after=one.head("1")))
    assert one.take_lease("1", ONE, seconds=60)
    one.append(batch(1, after=one.head("1")))
    one.close()
    other.close()


def test_a_table_whose_owner_stands_still_in_a_commit_is_not_waited_for(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    assert one.take_lease("1", ONE, seconds=60)
    outdated(other)
    other._connection.execute("SET lock_timeout = '50ms'")
    with one._connection.transaction():
        one._write(batch(2))
        assert not other.take_lease("1", OTHER, seconds=60)
    assert other.take_lease("1", OTHER, seconds=60)
