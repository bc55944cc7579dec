"""How the house reaches its database: on this machine, or over TLS that it verifies."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from novamas.house.log.store import StoreError
from novamas.house.log.stores import postgres_tls
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.postgres_tls import require_private
from scripts.ledger import ROOT
from tests.postgres import NotInstalledError, Postgres, postgres

ROLE = "novamas"


def is_private(address: str) -> bool:
    try:
        require_private(address)
    except StoreError:
        return False
    return True


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://house@db.example.org/house",
        "postgresql://house@10.0.0.7/house?sslmode=prefer",
        "postgresql://house@10.0.0.7/house?sslmode=require",
        "postgresql://house@db/house?sslmode=verify-ca",
        "postgresql://house@localhost/house?hostaddr=10.0.0.7",
        "postgresql://house@localhost,db/house",
        "postgresql:///house?host=db.example.org",
        "postgresql://house@db/house?sslrootcert=system&sslmode=require",
    ],
)
def test_a_database_elsewhere_is_refused_without_verified_tls(address: str) -> None:
    for read_only in (True, False):
        with pytest.raises(StoreError, match=r"verified TLS alone: .*sslmode=verify-full"):
            PostgresStore(address, read_only=read_only)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://house@127.0.0.1/house",
        "postgresql://house@[::1]/house",
        "postgresql:///house?host=/run/postgresql",
        "postgresql://house@db/house?sslmode=verify-full&sslrootcert=ca.pem",
        "postgresql://house@db/house?sslrootcert=system",
    ],
)
def test_what_nobody_listens_to_is_not_refused(address: str) -> None:
    assert is_private(address)


def test_what_the_environment_says_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example.org")
    with pytest.raises(StoreError, match=r"db\.example\.org: "):
        require_private("postgresql:///house")
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    assert is_private("postgresql:///house")


class Secured(NamedTuple):
    """A server that knows the house by its certificate, and the folder of the certificates."""

    server: Postgres
    folder: Path

    def address(self, mode: str, *, authority: str = "ca.pem", client: bool = True) -> str:
        own = f"&sslcert={self.folder}/client.pem&sslkey={self.folder}/client.key" if client else ""
        at = f"localhost:{self.server.port}/house?sslmode={mode}"
        return f"postgresql://{ROLE}@{at}&sslrootcert={self.folder}/{authority}{own}"


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)  # noqa: S607


def certified(folder: Path) -> None:
    """An authority, another that nobody knows, and what the first has signed."""
    new = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("ca", "other"):
        root = ("-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem")
        openssl(folder, *new, "-x509", "-days", "2", *root)
    for name, subject in (("server", "localhost"), ("client", ROLE)):
        made = ("-keyout", f"{name}.key", "-out", f"{name}.csr")
        alternative = ("-addext", f"subjectAltName=DNS:{subject}")
        openssl(folder, *new, "-subj", f"/CN={subject}", *alternative, *made)
        by = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy")
        openssl(
            folder, "x509", "-req", "-in", f"{name}.csr", "-days", "2", *by, "-out", f"{name}.pem"
        )
    for key in folder.glob("*.key"):
        key.chmod(0o600)


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    folder = tmp_path_factory.mktemp("certificates")
    certified(folder)

    def prepare(data: Path) -> None:
        for name in ("ca.pem", "server.pem", "server.key"):
            (data / name).write_bytes((folder / name).read_bytes())
            (data / name).chmod(0o600)
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(
                "ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.key'\n"
                "ssl_ca_file = 'ca.pem'\n"
            )
        rules = f"hostssl house {ROLE} 127.0.0.1/32 cert\nhost all postgres 127.0.0.1/32 trust\n"
        rules += "hostssl postgres typist 127.0.0.1/32 scram-sha-256\n"
        (data / "pg_hba.conf").write_text(rules)

    try:
        with postgres(prepare) as server:
            with psycopg.connect(server.address(), autocommit=True) as superuser:
                for statement in (ROOT / "deploy" / "role.sql").read_text("utf-8").split(";\n"):
                    superuser.execute(statement.encode())
            yield Secured(server, folder)
    except NotInstalledError as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the server were on another machine."""
    monkeypatch.setattr(postgres_tls, "is_here", lambda _: False)


@pytest.mark.program("openssl")
@pytest.mark.usefixtures("elsewhere")
def test_both_sides_show_a_certificate_and_the_role_needs_no_more_than_its_own(
    secured: Secured, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    store = PostgresStore(secured.address("verify-full"))
    try:
        assert store.check() == []
        assert store._connection.pgconn.ssl_in_use
        assert not store._connection.pgconn.used_password
        assert caplog.messages == []
        store.reconnect()
    finally:
        store.close()
    with pytest.raises(StoreError, match="verified TLS alone"):
        PostgresStore(secured.address("require"))
    with pytest.raises(StoreError, match="certificate"):
        PostgresStore(secured.address("verify-full", authority="other.pem"))
    with pytest.raises(StoreError, match="certificate"):
        PostgresStore(secured.address("verify-full", client=False))


@pytest.mark.program("openssl")
@pytest.mark.usefixtures("elsewhere")
def test_a_file_of_services_leads_nowhere_else(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What such a file says is known only when the connection is made."""
    file = tmp_path / "services"
    file.write_text(f"[house]\nhost=127.0.0.1\nport={secured.server.port}\nuser=postgres\n")
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    monkeypatch.setattr(postgres_tls, "is_here", lambda host: host != "127.0.0.1")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1: .*verified TLS alone"):
        PostgresStore("postgresql:///house?service=house")


@pytest.mark.program("openssl")
def test_a_password_is_told_where_the_database_is_elsewhere(
    secured: Secured, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(secured.server.address(), autocommit=True) as superuser:
        superuser.execute("CREATE ROLE typist LOGIN PASSWORD 'typed'")
    at = f"postgresql://typist:typed@127.0.0.1:{secured.server.port}/postgres"
    with psycopg.connect(at) as connection:
        assert postgres_tls.cautions(connection) == []
        monkeypatch.setattr(postgres_tls, "is_here", lambda _: False)
        (told,) = postgres_tls.cautions(connection)
        assert "by a password" in told


def test_a_role_with_too_many_rights_is_told(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    store = PostgresStore(database)
    assert store.check() == []
    store.close()
    assert caplog.messages == ["the role in the database has more rights than the house needs"]
