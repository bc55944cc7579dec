"""A house that could not be begun leaves nothing behind, and keys are told apart."""

from __future__ import annotations

import builtins
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from novamas.house.encryption import KeyFile, SealError
from novamas.house.key_files import CHECKPOINT_LABEL, describe, make
from novamas.house.log.checkpoints import Checkpoint, CheckpointError, Checkpoints
from novamas.house.log.store import StoreError
from novamas.house.log.stores.create import Unmade, new_file
from novamas.house.log.stores.sqlite import SqliteStore
from tests.cli.running import Ran, bad, good, novamas

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people
PEM = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n"
NOVAMAS = str(Path(sys.executable).with_name("novamas"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "empty"
    found.mkdir()
    return found


def left(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


# house init ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chief", "password", "told"),
    [
        ("a/b", PASSWORD, "a name has no slash"),
        ("", PASSWORD, "a name has 1 to 24"),
        ("management", PASSWORD, "is taken"),
        ("cora", "short", "10 to 200 characters"),
        ("cora", "", "10 to 200 characters"),
        ("cora", "password123", "everybody knows"),
        ("cora", "aaaaaaaaaaaa", "everybody knows"),
    ],
)
def test_an_init_that_is_refused_leaves_nothing(
    folder: Path, chief: str, password: str, told: str
) -> None:
    store = str(folder / "house.db")
    assert told in bad("house", "init", store, "--chief", chief, stdin=password)
    assert left(folder) == []


def test_an_init_without_its_libraries_leaves_nothing(folder: Path) -> None:
    importing = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "argon2":
            raise ModuleNotFoundError("No module named 'argon2'", name="argon2")
        return importing(name, *args, **kwargs)

    gone = dict.fromkeys(("novamas.web.passwords", "novamas.web.sessions"))
    kept = {name: sys.modules.pop(name) for name in gone if name in sys.modules}
    try:
        with mock.patch("builtins.__import__", without):
            told = bad("house", "init", str(folder / "house.db"), "--chief", "cora", stdin=PASSWORD)
    finally:
        sys.modules.update(kept)
    assert "argon2 is not installed: the house comes as an extra" in told
    assert "pip install 'novamas[house]'" in told
    assert left(folder) == []


def test_an_init_whose_store_fails_leaves_nothing(folder: Path) -> None:
    store = folder / "house.db"
    failing = mock.patch.object(SqliteStore, "append", side_effect=StoreError(f"{store}: full"))
    with failing:
        ran = novamas("house", "init", str(store), "--chief", "cora", stdin=PASSWORD)
    assert ran.code == 1
    assert f"{store}: full" in ran.err
    assert left(folder) == []


def test_an_init_that_is_interrupted_at_the_password_leaves_nothing(folder: Path) -> None:
    process = subprocess.Popen(
        [NOVAMAS, "house", "init", str(folder / "house.db"), "--chief", "cora"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode != 0
    assert left(folder) == []


def test_an_init_whose_name_was_taken_meanwhile_leaves_what_is_there(folder: Path) -> None:
    path = folder / "house.db"

    def begin() -> None:
        with new_file(str(path)) as at:
            SqliteStore(at).close()
            path.write_text("another's")

    with pytest.raises(StoreError, match="made by somebody else meanwhile"):
        begin()
    assert left(folder) == ["house.db"]
    assert path.read_text() == "another's"


def test_a_house_that_was_begun_is_one_file(folder: Path) -> None:
    good("house", "init", str(folder / "house.db"), "--chief", "cora", stdin=PASSWORD)
    assert left(folder) == ["house.db"]
    assert (folder / "house.db").stat().st_mode & 0o777 == 0o600


# serve --------------------------------------------------------------------------------------------


def serve(folder: Path, *options: str, local: bool = True) -> Ran:
    mode = ("--local",) if local else ()
    store = str(folder / "house.db")
    return novamas("serve", *mode, "--port", "0", "--store", store, *options)


@pytest.fixture
def taken() -> Iterator[str]:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield str(held.getsockname()[1])


def test_a_house_with_accounts_that_was_never_begun_is_not_made(folder: Path) -> None:
    ran = serve(folder, "--checkpoints", str(folder / "seen"), local=False)
    assert ran.code == 1
    assert "nobody is known here who could sign in" in ran.err
    assert f"novamas house init {folder / 'house.db'} --chief NAME" in ran.err
    assert left(folder) == []


@pytest.mark.parametrize("option", ["--port", "--metrics"])
def test_a_port_that_is_taken_leaves_nothing(folder: Path, taken: str, option: str) -> None:
    ran = serve(folder, "--log", str(folder / "house.log"), option, taken)
    assert ran.code == 1
    assert "Address already in use" in ran.err
    assert left(folder) == []


def test_a_key_that_cannot_be_made_leaves_nothing(folder: Path) -> None:
    nowhere = folder / "none" / "key"
    ran = serve(folder, "--ball-key", str(nowhere))
    assert ran.code == 1
    assert f"{nowhere}: No such file or directory" in ran.err
    assert "--ball-key FILE: where the key of the ball is kept" in ran.err
    ran = serve(folder, "--checkpoints", str(folder / "none" / "seen"))
    assert ran.code == 1
    assert "none/seen.signing-key: No such file or directory" in ran.err
    assert left(folder) == []


def test_half_a_key_is_never_left(folder: Path) -> None:
    with (
        mock.patch("novamas.house.key_files.os.fsync", side_effect=OSError(28, "No space left")),
        pytest.raises(OSError, match="No space left"),
    ):
        make(folder / "key", "00")
    assert left(folder) == []


@pytest.mark.parametrize("wrong", ["none.pem", "folder", "text"])
def test_a_certificate_that_cannot_be_read_leaves_nothing(
    folder: Path, tmp_path: Path, wrong: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no certificate")
    given = str(tmp_path / wrong)
    ran = serve(folder, "--certificate", given, "--key", given, local=False)
    assert ran.code == 2
    assert f"--certificate {given}" in ran.err
    assert left(folder) == []


def test_a_journal_that_cannot_be_written_leaves_nothing(folder: Path) -> None:
    ran = serve(folder, "--log", str(folder / "none" / "house.log"))
    assert ran.code == 1
    assert "none/house.log: No such file or directory" in ran.err
    assert left(folder) == []


def test_a_source_that_is_broken_leaves_nothing(folder: Path) -> None:
    with mock.patch("novamas.house.house._flaws", return_value=["it is stuck"]):
        ran = serve(folder, "--checkpoints", str(folder / "seen"), "--log", str(folder / "log"))
    assert ran.code == 1
    assert "the source of the ball is broken: it is stuck" in ran.err
    assert left(folder) == []


def test_what_was_there_before_is_left_as_it_was(folder: Path) -> None:
    store, key, log = folder / "house.db", folder / "house.db.ball-key", folder / "house.log"
    SqliteStore(store).close()
    key.write_text("00" * 32)
    log.touch()
    with mock.patch("novamas.house.house._flaws", return_value=["it is stuck"]):
        assert serve(folder, "--log", str(log)).code == 1
    assert left(folder) == ["house.db", "house.db.ball-key", "house.log"]


def test_a_store_with_something_in_it_is_never_taken_back(tmp_path: Path) -> None:
    store, key = tmp_path / "house.db", tmp_path / "key"
    unmade = Unmade(str(store), [key], None)
    good("house", "init", str(store), "--chief", "cora", stdin=PASSWORD)
    key.write_text("00" * 32)
    unmade.take_back()
    assert left(tmp_path) == ["house.db", "key"]


# restore ------------------------------------------------------------------------------------------


def test_a_restore_that_fails_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    SqliteStore(tmp_path / "backup.db").close()
    with mock.patch("novamas.house.log.backup.verify_copy", side_effect=StoreError("it differs")):
        ran = novamas("restore", str(tmp_path / "backup.db"), str(folder / "house.db"))
    assert ran.code == 1
    assert "nothing is restored: it differs" in ran.err
    assert "there is no such store" in bad("restore", str(folder / "x"), str(folder / "house.db"))
    assert left(folder) == []


# Keys of one kind where another is wanted ---------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    paths = folder / "tls-certificate.pem", folder / "tls-key.pem"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    made = ("-out", str(paths[0]), "-keyout", str(paths[1]))
    subprocess.run(
        ["openssl", "req", "-x509", *curve, "-days", "2", "-subj", "/CN=localhost", *made],  # noqa: S607 - the machine's own
        check=True,
        capture_output=True,
    )
    return paths


@pytest.mark.program("openssl")
def test_tls_takes_no_key_of_the_house(
    folder: Path, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    seen = Checkpoints(tmp_path / "seen")
    ball = tmp_path / "ball"
    ball.write_text("00" * 32)

    def told(certificate: Path, key: Path) -> str:
        files = ("--certificate", str(certificate), "--key", str(key))
        ran = serve(folder, *files, local=False)
        assert ran.code == 2
        return ran.err

    cert, key = certificate
    said = told(cert, seen.key_path)
    assert f"--key {seen.key_path}: not a private key, but a key of checkpoints" in said
    assert "--key wants a file in PEM that begins -----BEGIN PRIVATE KEY-----" in said
    assert "not a private key, but 64 hexadecimal digits" in told(cert, ball)
    assert f"--key {cert}: not a private key, but a certificate in PEM" in told(cert, cert)
    assert f"--certificate {key}: not a certificate, but a private key in PEM" in told(key, cert)
    assert left(folder) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (PEM, "a private key in PEM"),
        ("-----BEGIN RSA PRIVATE KEY-----", "a private key in PEM"),
        ("00" * 32, "64 hexadecimal digits"),
        ("nonsense", "neither PEM nor a key of a house"),
        ("", "an empty file"),
        (CHECKPOINT_LABEL + "0", "neither PEM nor a key of a house"),
    ],
)
def test_checkpoints_take_no_key_of_another_kind(folder: Path, text: str, what: str) -> None:
    path = folder / "house.checkpoints"
    key = folder / "house.checkpoints.signing-key"
    key.write_text(text)
    with pytest.raises(CheckpointError, match=re.escape(f"{key} holds {what}")):
        Checkpoints(path)
    assert key.read_text() == text, "no key is written over"
    ran = serve(folder, "--checkpoints", str(path))
    assert ran.code == 2
    assert "put the right one there; the house writes over none" in ran.err
    assert left(folder) == [key.name]


def test_the_ball_takes_no_key_of_another_kind(tmp_path: Path) -> None:
    seen = Checkpoints(tmp_path / "seen")
    other = KeyFile(seen.key_path)
    with pytest.raises(SealError, match=r"seen\.signing-key holds a key of checkpoints"):
        other.prepare()
    (tmp_path / "tls-key.pem").write_text(PEM)
    with pytest.raises(SealError, match="holds a private key in PEM"):
        KeyFile(tmp_path / "tls-key.pem").prepare()
    assert (tmp_path / "tls-key.pem").read_text() == PEM


def test_the_key_of_checkpoints_has_a_name_that_tls_never_has(tmp_path: Path) -> None:
    tls = tmp_path / "house.key"
    tls.write_text(PEM)
    Checkpoints(tmp_path / "house.checkpoints").write(Checkpoint("t", 1, "00" * 32, 0))
    assert tls.read_text() == PEM
    key = tmp_path / "house.checkpoints.signing-key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert describe(key.read_text()) == "a key of checkpoints"
    assert len(list(Checkpoints(tmp_path / "house.checkpoints").read())) == 1


def test_checkpoints_of_an_earlier_version_go_on_with_the_key_that_they_have(
    tmp_path: Path,
) -> None:
    path, early = tmp_path / "house.checkpoints", tmp_path / "house.key"
    Checkpoints(path, bytes(32)).write(Checkpoint("t", 1, "00" * 32, 0))
    early.write_text("00" * 32 + "\n")
    early.chmod(0o600)
    Checkpoints(path).write(Checkpoint("t", 2, "11" * 32, 0))
    assert [each.seq for each in Checkpoints(path).read()] == [1, 2]
    assert left(tmp_path) == ["house.checkpoints", "house.key"]
    early.write_text(PEM)
    with pytest.raises(CheckpointError, match=r"house\.key holds a private key in PEM"):
        Checkpoints(path)
    early.unlink()
    with pytest.raises(CheckpointError, match="the key of these checkpoints is missing"):
        Checkpoints(path)
    assert left(tmp_path) == ["house.checkpoints"], "no key is made for what it did not sign"


def test_a_key_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    assert make(tmp_path / "key", "one")
    assert not make(tmp_path / "key", "two")
    assert (tmp_path / "key").read_text() == "one\n"
    assert left(tmp_path) == ["key"]
