"""Keys that are kept in a file of their owner, with a manager of secrets, or behind a command."""

from __future__ import annotations

import asyncio
import re
import shlex
import sys
from pathlib import Path

import pytest

from novamas.house import key_sources
from novamas.house.encryption import KeyFile, SealError, kept_key
from novamas.house.key_files import CHECKPOINT_LABEL
from novamas.house.key_sources import KeySourceError, key_source
from novamas.house.log.checkpoints import Checkpoint, CheckpointError, Checkpoints
from novamas.web.server import LocalHouse, Options
from tests.certificates import certified
from tests.cli.running import Ran, novamas

DIGITS = "5e" * 32
SIGNED = f"{CHECKPOINT_LABEL}{DIGITS}"


def printing(text: str, *, code: int = 0, said: str = "") -> str:
    """A command that prints a text, as the client of a vault does."""
    program = f"import sys; print({text!r}); print({said!r}, file=sys.stderr); sys.exit({code})"
    return f"command:{shlex.join((sys.executable, '-c', program))}"


def written(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(f"{text}\n")
    path.chmod(mode)
    return path


def serve(folder: Path, *words: str) -> Ran:
    """What a house says that does not open."""
    return novamas(
        "serve", "--local", "--port", "0", "--store", str(folder / "house.db"), *words, columns=400
    )


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "whose"),
    [
        (0o640, "can be read by its group (mode 0640)"),
        (0o644, "can be read by everybody (mode 0644)"),
        (0o604, "can be read by everybody (mode 0604)"),
        (0o620, "can be changed by its group (mode 0620)"),
    ],
)
def test_a_key_that_others_can_read_is_refused_with_what_to_do(
    tmp_path: Path, mode: int, whose: str
) -> None:
    ball = written(tmp_path / "house.db.ball-key", DIGITS, mode)
    with pytest.raises(SealError, match=re.escape(f"{ball} {whose}")):
        KeyFile(ball).prepare()
    ran = serve(tmp_path)
    assert ran.code == 1
    assert f"{whose}: make it private with chmod go= {ball}" in ran.err
    ball.chmod(0o600)
    KeyFile(ball).prepare()
    signing = written(tmp_path / "seen.signing-key", SIGNED, mode)
    with pytest.raises(CheckpointError, match=re.escape(f"{signing} {whose}")):
        Checkpoints(tmp_path / "seen")
    ran = serve(tmp_path, "--checkpoints", str(tmp_path / "seen"))
    assert ran.code == 2
    assert f"chmod go= {signing}" in ran.err
    signing.chmod(0o400)
    Checkpoints(tmp_path / "seen")


@pytest.mark.program("openssl")
def test_the_key_of_tls_is_not_everybody_s(tmp_path: Path) -> None:
    certificate, key = certified(tmp_path)
    words = ("serve", "--store", str(tmp_path / "none.db"), "--port", "0")
    files = ("--certificate", str(certificate), "--key", str(key))
    for mode, is_refused in ((0o644, True), (0o640, False), (0o600, False)):
        key.chmod(mode)
        ran = novamas(*words, *files, columns=400)
        assert (f"chmod o= {key}" in ran.err) == is_refused
        assert ("nobody is known here" in ran.err) != is_refused


# Managers of secrets ------------------------------------------------------------------------------


def test_a_credential_is_read_where_systemd_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = tmp_path / "credentials"
    given.mkdir()
    # Systemd lets the service's user in by an access list, which shows as a right of the group.
    written(given / "ball-key", DIGITS, 0o440)
    written(given / "signing-key", SIGNED, 0o440)
    with pytest.raises(SealError, match="can be read by its group"):
        KeyFile(given / "ball-key").prepare()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    for key in (kept_key("credential:ball-key"), KeyFile(given / "ball-key")):
        key.prepare()
        assert key.found() == bytes.fromhex(DIGITS)
    checkpoints = Checkpoints(tmp_path / "seen", source="credential:signing-key")
    checkpoints.write(Checkpoint("t", 1, "00" * 32, 0))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["credentials", "seen"]
    with pytest.raises(SealError, match=r"credential:none: there is no .*; give the service this"):
        kept_key("credential:none").prepare()
    assert sorted(each.name for each in given.iterdir()) == ["ball-key", "signing-key"]


def test_a_credential_is_read_where_a_container_has_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    assert isinstance(found := key_source("credential:ball-key"), key_sources.CredentialSource)
    assert found.path == Path("/run/secrets/ball-key")
    monkeypatch.setattr(key_sources, "CONTAINER_SECRETS", tmp_path)
    written(tmp_path / "ball-key", DIGITS, 0o444)
    for key in (kept_key("credential:ball-key"), KeyFile(tmp_path / "ball-key")):
        assert key.found() == bytes.fromhex(DIGITS)


@pytest.mark.parametrize("name", ["", "../ball-key", "/etc/ball-key", ".."])
def test_a_credential_has_a_name_and_no_path(name: str) -> None:
    with pytest.raises(KeySourceError, match="is no name"):
        key_source(f"credential:{name}")


# Commands -----------------------------------------------------------------------------------------


def test_what_a_command_prints_is_the_key(tmp_path: Path) -> None:
    key = kept_key(printing(DIGITS))
    sealed = key.seal(b"seed", bound_to=b"here")
    assert KeyFile(written(tmp_path / "same", DIGITS)).unseal(sealed, bound_to=b"here") == b"seed"
    assert not key.made
    source = printing(SIGNED)
    Checkpoints(tmp_path / "seen", source=source).write(Checkpoint("t", 1, "00" * 32, 0))
    assert [each.seq for each in Checkpoints(tmp_path / "seen", source=source).read()] == [1]
    other = printing(f"{CHECKPOINT_LABEL}{'00' * 32}")
    with pytest.raises(CheckpointError, match="not one of our checkpoints"):
        list(Checkpoints(tmp_path / "seen", source=other).read())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["same", "seen"]


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    line = f"command:echo {DIGITS} ; touch {tmp_path / 'made'}"
    with pytest.raises(SealError, match="command:echo holds neither PEM nor a key"):
        kept_key(line).prepare()
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (printing("", code=3, said="permission denied"), "failed with 3: permission denied"),
        (printing(DIGITS, code=1), "failed with 1"),
        (printing(""), "holds an empty file; a key of the ball is 64 hexadecimal digits"),
        (printing(SIGNED), "holds a key of checkpoints; a key of the ball is 64"),
        ("command:/nowhere/vault get", "command:vault: No such file or directory"),
        ("command:", "command: names no program"),
        ("command:'", "command: not to be split into words: No closing quotation"),
    ],
)
def test_a_house_does_not_open_without_the_key_that_a_command_owes(
    tmp_path: Path, source: str, told: str
) -> None:
    ran = serve(tmp_path, "--ball-key", source)
    assert ran.code == 1
    assert told in ran.err
    assert "--ball-key FILE" in ran.err
    assert DIGITS not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_sources, "SECONDS", 0.01)
    line = shlex.join((sys.executable, "-c", "import time; time.sleep(600)"))
    with pytest.raises(SealError, match="printed no key in"):
        kept_key(f"command:{line}").prepare()


def test_a_house_runs_with_keys_that_lie_in_no_file(tmp_path: Path) -> None:
    async def play() -> None:
        options = Options(
            store=str(tmp_path / "house.db"),
            ball_key=printing(DIGITS),
            checkpoints=str(tmp_path / "seen"),
            checkpoints_key=printing(SIGNED),
        )
        house = LocalHouse(options)
        try:
            await house.open()
            assert house.house.tables["es"].house_table.chain is not None
        finally:
            await house.close()

    asyncio.run(play())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["house.db", "seen"]
    words = ("verify", "log", str(tmp_path / "house.db"), "--checkpoints", str(tmp_path / "seen"))
    ran = novamas(*words, "--checkpoints-key", printing(SIGNED))
    assert ran.code == 0
    assert "and witnessed" in ran.out
    ran = novamas(*words, columns=400)
    assert ran.code == 2
    assert "the key of these checkpoints is missing" in ran.err


@pytest.mark.parametrize(
    "command",
    [("serve", "--local"), ("verify", "log", "house.db"), ("verify", "house", "house.db")],
)
def test_a_key_of_checkpoints_goes_with_them(command: tuple[str, ...]) -> None:
    ran = novamas(*command, "--checkpoints-key", "some.key")
    assert ran.code == 2
    assert "--checkpoints-key: goes with --checkpoints FILE" in ran.err
