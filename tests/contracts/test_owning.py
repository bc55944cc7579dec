"""One SQLite file has one server: the second is refused, and a kill leaves nothing behind."""

from __future__ import annotations

import signal
from contextlib import closing
from pathlib import Path

import pytest

from novamas.house.log.store import StoreError
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.stores.file_lock import InUseError
from tests.cli.running import novamas
from tests.web.accounts import PASSWORD
from tests.web.serving import served


def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with closing(open_durable(str(path))):
        with pytest.raises(InUseError, match="a file has one server"):
            open_durable(str(path))
        link = tmp_path / "link.db"
        link.symlink_to(path)
        with pytest.raises(InUseError, match="in use by another process"):
            open_durable(str(link))
        with closing(open_durable(str(path), read_only=True)) as reading:
            assert list(reading.tables()) == []
    with closing(open_durable(str(path))):
        pass
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.db", "link.db"]


def test_what_cannot_be_opened_is_not_kept(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for _ in range(2):
        with pytest.raises(StoreError, match="is a folder"):
            open_durable(str(folder))
    with pytest.raises(StoreError, match="there is no folder"):
        open_durable(str(tmp_path / "none" / "house.db"))
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_a_file_that_a_dead_process_left_binds_nobody(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    (tmp_path / "house.db.lock").write_text("1\n")
    with closing(open_durable(str(path))):
        pass
    assert not (tmp_path / "house.db.lock").exists()


@pytest.mark.slow
def test_the_second_server_of_a_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with served(path) as house:
        second = novamas("serve", "--local", "--port", "0", "--store", str(path))
        assert second.code != 0
        assert "is in use by another process" in second.err
        assert str(house.process.pid) in second.err
        init = novamas("house", "init", str(path), "--chief", "cora", stdin=PASSWORD)
        assert init.code != 0
        assert "is in use by another process" in init.err
        # Whoever only reads is not refused.
        backup = tmp_path / "backup.db"
        assert novamas("verify", "log", str(path)).code == 0
        assert novamas("verify", "ledger", str(path)).code == 0
        assert novamas("backup", str(path), str(backup)).code == 0
        restore = novamas("restore", str(backup), str(path))
        assert restore.code != 0
        assert "is in use by another process" in restore.err
        house.end(signal.SIGKILL)
    with served(path) as house:
        assert house.end(signal.SIGTERM) == 0
    assert not (tmp_path / "house.db.lock").exists()
