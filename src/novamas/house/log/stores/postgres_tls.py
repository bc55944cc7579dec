"""TLS to a database: required unless it is on this machine, with a verified certificate."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from psycopg.pq.abc import PGconn

from novamas.house.log.store import StoreError

VERIFIED = "verify-full"
"""libpq's name for TLS that verifies the authority and the host name of the certificate."""
TOO_MANY_RIGHTS = "the role in the database has more rights than the house needs"
HINT = "end its address with ?sslmode=verify-full&sslrootcert=FILE (or sslrootcert=system)"


def is_here(host: str) -> bool:
    """Whether a host, or a socket's folder, is on this machine.

    >>> [is_here(each) for each in ("/run/postgresql", "127.0.0.1", "::1", "localhost", "")]
    [True, True, True, True, True]
    >>> [is_here(each) for each in ("10.0.0.7", "database", "127.0.0.1.example.org")]
    [False, False, False]
    """
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def require_private(address: str) -> None:
    """Refuses a connection that others could read or intercept, before it is made."""
    given = {name: str(value) for name, value in conninfo_to_dict(address).items()}
    used = _standing() | given
    if used.get("sslrootcert") == "system" and "sslmode" not in given:
        used["sslmode"] = VERIFIED  # So libpq accepts nothing less.
    _require(used)


def require_was_private(connection: PGconn) -> None:
    """Checks an open connection too: a service file may have named another host."""
    used = {each.keyword.decode(): each.val.decode() for each in connection.info if each.val}
    _require(used)


def _standing() -> dict[str, str]:
    """The parameters that libpq takes from the environment, and its defaults."""
    found = Conninfo.get_defaults()
    return {each.keyword.decode(): each.val.decode() for each in found if each.val is not None}


def _require(used: Mapping[str, str]) -> None:
    # With both, libpq connects to the address, and checks the certificate against the name.
    hosts = (used.get("hostaddr") or used.get("host") or "").split(",")
    away = [host for host in hosts if not is_here(host)]
    if not away or used.get("sslmode") == VERIFIED:
        return
    raise StoreError(
        f"{', '.join(away)}: a database on another machine is spoken to over verified TLS alone: "
        + HINT
    )


def cautions(connection: psycopg.Connection[tuple[object, ...]]) -> list[str]:
    """Warnings about more rights or less protection than the house should have."""
    found = []
    row = connection.execute(
        "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls"
        " FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    if row is not None and row[0]:
        found.append(TOO_MANY_RIGHTS)
    if connection.pgconn.used_password and not is_here(connection.info.host):
        found.append("the database knows the house by a password, which stays: take a certificate")
    return found
