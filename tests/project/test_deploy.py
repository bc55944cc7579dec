"""What lies in `deploy/` starts a house that speaks plainly to nobody elsewhere, by no password."""

from __future__ import annotations

import configparser
import os
import pwd
import re
import shlex
import shutil
import stat
import subprocess
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml  # type: ignore[import-untyped]

from novamas.cli.network_safety import require_private
from novamas.cli.parser import build_parser
from novamas.house.encryption import KeyFile, kept_key
from novamas.house.key_files import CHECKPOINT_LABEL
from novamas.house.log.checkpoints import Checkpoints
from novamas.house.log.stores import postgres_tls
from scripts.ledger import ROOT
from tests.postgres import NotInstalledError, Postgres, postgres

DEPLOY = ROOT / "deploy"


def read(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def unit() -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(read("novamas.service").replace("\\\n", " "))
    return parser


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read("compose.yaml"))["services"]
    return found


def served() -> list[Namespace]:
    """How the unit and the containers start the house."""
    (store,) = re.findall(r"^#   STORE=(\S+)$", read("novamas.service"), re.MULTILINE)
    words = shlex.split(unit()["Service"]["ExecStart"].replace("${STORE}", store))[1:]
    return [build_parser().parse_args(each) for each in (words, services()["house"]["command"])]


def test_what_is_shipped_speaks_plainly_on_one_machine_alone() -> None:
    for args in served():
        require_private(args, ("127.0.0.1", int(args.metrics)))
        postgres_tls.require_private(args.store)
        assert args.proxy == ["127.0.0.1"]
        assert args.host is None
    both = services()
    assert both["database"]["network_mode"] == "none"
    assert both["house"]["network_mode"] == "host"
    assert "proxy_pass http://127.0.0.1:8037;" in read("nginx.conf")


def test_the_house_has_a_name_of_its_own() -> None:
    """Nothing else is served under it, whose pages would be the house's."""
    text = re.sub(r"#.*", "", read("nginx.conf"))
    assert set(re.findall(r"server_name (.+);", text)) == {"house.example.org"}
    assert re.findall(r"proxy_pass (.+);", text) == ["http://127.0.0.1:8037"]
    assert not re.search(r"^\s*(root|alias|fastcgi_pass|uwsgi_pass) ", text, re.MULTILINE)


def test_no_password_stands_in_what_is_shipped() -> None:
    for name in ("compose.yaml", "novamas.service", "role.sql", "access.sh"):
        text = re.sub(r"^\s*(#|--).*", "", read(name), flags=re.MULTILINE)
        assert not re.search(r"passw|PGPASS|[0-9a-f]{32}", text, re.IGNORECASE), name


KEYS = {"ball-key", "checkpoints-key"}
"""The names under which a manager of secrets hands the keys of a house over."""


def test_the_keys_are_handed_over_by_a_manager_of_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for args in served():
        assert {args.ball_key, args.checkpoints_key} == {f"credential:{name}" for name in KEYS}
    loaded = re.findall(
        r"^LoadCredentialEncrypted=(\S+):(\S+)$", read("novamas.service"), re.MULTILINE
    )
    assert dict(loaded) == {name: f"/etc/novamas/{name}.cred" for name in KEYS}
    compose = yaml.safe_load(read("compose.yaml"))
    assert set(compose["services"]["house"]["secrets"]) == KEYS
    assert "secrets" not in compose["services"]["database"]
    assert compose["secrets"] == {name: {"file": f"./secrets/{name}"} for name in KEYS}
    assert "/deploy/secrets/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    # As they are given: to be read, in a folder where nothing is written.
    given = tmp_path / "given"
    given.mkdir()
    (given / "ball-key").write_text(f"{'5e' * 32}\n")
    (given / "checkpoints-key").write_text(f"{CHECKPOINT_LABEL}{'5e' * 32}\n")
    for each in given.iterdir():
        each.chmod(0o440)
    given.chmod(0o500)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    key = kept_key("credential:ball-key")
    key.prepare()
    assert key.unseal(key.seal(b"seed", bound_to=b"here"), bound_to=b"here") == b"seed"
    assert not key.made
    Checkpoints(tmp_path / "seen", source="credential:checkpoints-key")
    assert {each.name for each in given.iterdir()} == KEYS


@pytest.mark.parametrize("name", ["novamas.service", "compose.yaml"])
def test_the_keys_are_made_as_the_files_say(name: str, tmp_path: Path) -> None:
    """The lines that make them, without what only root or systemd could do."""
    comment = "\n".join(re.findall(r"^#   (.*)$", read(name), re.MULTILINE))
    lines = [line for line in comment.replace("|\n", "| ").splitlines() if "openssl rand" in line]
    assert len(lines) == len(KEYS)
    for line in lines:
        kept = re.sub(r"\|\s+(systemd-creds encrypt.*|install .*)/", "> ", line)
        kept = kept.replace(".cred", "")
        subprocess.run(["bash", "-c", f"umask 077; {kept}"], check=True, cwd=tmp_path)  # noqa: S607
    assert {each.name for each in tmp_path.iterdir()} == KEYS
    KeyFile(tmp_path / "ball-key").prepare()
    Checkpoints(tmp_path / "seen", source=str(tmp_path / "checkpoints-key"))


def test_the_journal_is_carried_to_another_machine() -> None:
    assert "systemd-journal-upload.service" in unit()["Unit"]["Wants"].split()
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(read("journal-upload.conf"))
    upload = parser["Upload"]
    assert upload["URL"].startswith("https://")
    assert {"ServerKeyFile", "ServerCertificateFile", "TrustedCertificateFile"} <= set(upload)
    assert all(each["logging"] == {"driver": "journald"} for each in services().values())
    assert all(args.log == "-" for args in served())


def connected(server: Postgres, role: str, user: int) -> bool:
    """Whether a user of the system is let in over the socket as a role."""
    psql = shutil.which("psql")
    assert psql is not None
    words = ["--host", server.folder, "--port", str(server.port), "--username", role]
    ran = subprocess.run(
        [psql, "--no-password", *words, "--dbname", "house", "--command", "SELECT 1"],
        check=False,
        capture_output=True,
        cwd="/",
        user=user if os.getuid() == 0 else None,
        env={"PATH": os.environ["PATH"]},
    )
    return ran.returncode == 0


def is_refused_over_tcp(server: Postgres) -> bool:
    """Whether nobody comes in but over the socket."""
    try:
        psycopg.connect(server.address()).close()
    except psycopg.OperationalError as problem:
        return "no pg_hba.conf entry" in str(problem)
    return False


@pytest.mark.program("psql")
def test_the_database_of_the_containers_knows_the_house_by_its_user_and_gives_it_no_more() -> None:
    script = DEPLOY / "access.sh"
    assert script.stat().st_mode & stat.S_IXUSR, "the image would run it as part of its own"
    assert "--uid 999" in read("Containerfile")
    mounted = services()["database"]["volumes"]
    assert "./role.sql:/docker-entrypoint-initdb.d/10-role.sql:ro" in mounted
    assert "./access.sh:/docker-entrypoint-initdb.d/20-access.sh:ro" in mounted
    try:
        with postgres() as server:
            Path(server.folder).chmod(0o755)  # As the folder of a socket is.
            with psycopg.connect(server.address(), autocommit=True) as superuser:
                for statement in read("role.sql").split(";\n"):
                    superuser.execute(statement.encode())
                row = superuser.execute(
                    "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
                    " FROM pg_roles WHERE rolname = 'novamas'"
                ).fetchone()
                assert row == (False,) * 5
                data = {**os.environ, "PGDATA": f"{server.folder}/data"}
                subprocess.run([str(script)], check=True, env=data)
                superuser.execute("SELECT pg_reload_conf()")
            until = time.monotonic() + 60  # The server reads its rules when it comes to it.
            while not is_refused_over_tcp(server):
                assert time.monotonic() < until
            if os.getuid() == 0:
                house = pwd.getpwnam("postgres").pw_uid
                assert connected(server, "novamas", house)
                assert not connected(server, "postgres", house)
                assert connected(server, "postgres", 0)
            assert not connected(server, "novamas", os.getuid())
    except NotInstalledError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
