"""Backup and restore: a whole house, from any store to any other, or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.longlog import LongTable
from novamas.house.log import backup
from novamas.house.log.backup import BackupError, back_up, contents, copy_house, restore
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table.loading import load_table
from tests.cli.running import bad, good, novamas
from tests.contracts.batches import batch
from tests.postgres import Postgres

EVENTS = 700


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a house can be."""
    if request.param == "sqlite":
        yield str(tmp_path / "house.db")
    else:
        yield request.getfixturevalue("database")


@pytest.fixture(params=["sqlite", "postgres"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where another house can be."""
    if request.param == "sqlite":
        yield str(tmp_path / "elsewhere.db")
        return
    server: Postgres = request.getfixturevalue("postgres_server")
    made = server.database()
    yield made
    server.give_back(made)


def grow(address: str) -> None:
    """A house with two tables: snapshots, refusals without events, open and revealed secrets."""
    with closing(open_durable(address)) as store:
        for name in ("1", "mesa ñ"):
            table = LongTable(store, name, players=5)
            table.grow(EVENTS // 2)
            table.grow(EVENTS, remember=False)
            store.append(
                batch(1, table=name)._replace(records=(), entries=(), after=table.loaded.head.seq)
            )


def all_of(address: str) -> dict[str, backup.Contents]:
    with closing(open_durable(address, read_only=True)) as store:
        return {log: contents(store, log) for log in store.tables()}


def test_a_backup_is_a_house_and_so_is_what_is_restored(
    address: str, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PART", 64)
    grow(address)
    file = tmp_path / "backup.db"
    with closing(open_durable(address, read_only=True)) as store:
        seen: list[tuple[str, int]] = []
        verdicts = back_up(store, file, copying=lambda log, many: seen.append((log, many)))
        assert [verdict.table for verdict in verdicts] == ["1", "mesa ñ"]
        assert seen[-1] == ("mesa ñ", store.head("mesa ñ").seq)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.glob("backup.db*")] == ["backup.db"]
    with (
        closing(SqliteStore(file, read_only=True)) as kept,
        closing(open_durable(elsewhere)) as target,
    ):
        restore(kept, target)
        # It can be played on as if nothing had been.
        assert load_table(target, "1").head == load_table(kept, "1").head
        assert target.check() == []
    assert all_of(address) == all_of(str(file)) == all_of(elsewhere)


def test_nothing_is_restored_over_a_house(address: str, elsewhere: str) -> None:
    grow(address)
    with closing(open_durable(elsewhere)) as target:
        target.append(batch(1))
    before = all_of(elsewhere)
    with (
        closing(open_durable(address, read_only=True)) as source,
        closing(open_durable(elsewhere)) as target,
        pytest.raises(BackupError, match="not empty"),
    ):
        restore(source, target)
    assert all_of(elsewhere) == before


def test_a_restore_that_ends_in_the_middle_leaves_nothing(
    elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PART", 64)
    grow(str(tmp_path / "source.db"))

    def stop(log: str, many: int) -> None:
        if log != "1" and many > 200:
            raise KeyboardInterrupt

    with (
        closing(SqliteStore(tmp_path / "source.db", read_only=True)) as source,
        closing(open_durable(elsewhere)) as target,
    ):
        with pytest.raises(KeyboardInterrupt):
            restore(source, target, copying=stop)
        assert list(target.tables()) == []
        assert target.balances("1") == {}
        restore(source, target)
        assert list(target.tables()) == ["1", "mesa ñ"]


def test_what_does_not_verify_is_no_backup(address: str, tmp_path: Path) -> None:
    grow(address)
    with closing(open_durable(address)) as store:
        forged = "UPDATE {} SET amount = amount + 1 WHERE tbl = '1' AND seq = 20"
        if isinstance(store, PostgresStore):
            store._connection.execute(forged.format("novamas.entries").encode())
        else:
            assert isinstance(store, SqliteStore)
            store._connection.execute(forged.format("entries"))
    file = tmp_path / "backup.db"
    with (
        closing(open_durable(address, read_only=True)) as store,
        pytest.raises(BackupError, match="1: event"),
    ):
        back_up(store, file)
    assert list(tmp_path.glob("backup.db*")) == []


def test_what_differs_is_found() -> None:
    source = MemoryStore()
    table = LongTable(source, players=3)
    table.grow(200)
    first = contents(source, "1")
    copy = MemoryStore()
    copy_house(source, copy)
    assert contents(copy, "1") == first
    assert verify_table(copy, "1").is_sound
    for change in (
        lambda: copy._secrets.pop(("1", 1)),
        lambda: copy._outcomes.update({("1", "x"): batch(1).outcomes[0]}),
        lambda: copy._balances["1"].update(desk=7),
        copy._entries["1"].pop,
        lambda: copy._snapshots.pop("1"),
        copy._records["1"].pop,
    ):
        before = contents(copy, "1")
        change()
        assert contents(copy, "1") != before
        with pytest.raises(BackupError):
            backup.verify_copy(source, copy)


# The commands -------------------------------------------------------------------------------------


def test_the_commands_copy_a_house_there_and_back(address: str, tmp_path: Path) -> None:
    grow(address)
    file, again = str(tmp_path / "backup.db"), str(tmp_path / "again.db")
    told = good("backup", address, file)
    assert "verified, and nothing differs" in told
    restored = json.loads(good("restore", file, again, "--json"))
    assert (restored["sound"], restored["problems"]) == (True, [])
    assert [log["table"] for log in restored["logs"]] == ["1", "mesa ñ"]
    assert all_of(again) == all_of(address)
    assert "whole" in good("verify", "log", again)


def test_the_commands_say_why_not(tmp_path: Path) -> None:
    house, file = str(tmp_path / "house.db"), str(tmp_path / "backup.db")
    assert "there is no such store" in bad("backup", house, file)
    assert "there is no such store" in bad("restore", file, house)
    grow(house)
    good("backup", house, file)
    for command, told in (
        (("backup", house, file), "is there already"),
        (("backup", house, str(tmp_path / "no" / "folder.db")), "no"),
        (("restore", file, house), "not empty"),
    ):
        ran = novamas(*command)
        assert ran.code == 1
        assert told in ran.err
        assert "Traceback" not in ran.err
