"""How a database is reached: on this machine, or over TLS by a certificate that is verified."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from psycopg.pq.abc import PGconn

from novamas.house.log.store import StoreError

VERIFIED = "verify-full"
"""What libpq calls TLS with a certificate that is of a known authority and of the host's name."""
TOO_MANY_RIGHTS = "the role in the database has more rights than the house needs"
HINT = "end its address with ?sslmode=verify-full&sslrootcert=FILE (or sslrootcert=system)"


def is_here(host: str) -> bool:
    """Whether a host, or the folder of a socket, is on this machine.

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
    """Refuses a way to a database on which others could listen or answer, before it is gone."""
    given = {name: str(value) for name, value in conninfo_to_dict(address).items()}
    used = _standing() | given
    if used.get("sslrootcert") == "system" and "sslmode" not in given:
        used["sslmode"] = VERIFIED  # So libpq takes it, and nothing less.
    _require(used)


def require_was_private(connection: PGconn) -> None:
    """The same of a connection that is made: a file of services may have named another host."""
    used = {each.keyword.decode(): each.val.decode() for each in connection.info if each.val}
    _require(used)


def _standing() -> dict[str, str]:
    """What libpq takes from the environment, and else by itself."""
    found = Conninfo.get_defaults()
    return {each.keyword.decode(): each.val.decode() for each in found if each.val is not None}


def _require(used: Mapping[str, str]) -> None:
    # Where libpq has both it goes to the address, and holds the certificate against the name.
    hosts = (used.get("hostaddr") or used.get("host") or "").split(",")
    away = [host for host in hosts if not is_here(host)]
    if not away or used.get("sslmode") == VERIFIED:
        return
    raise StoreError(
        f"{', '.join(away)}: a database on another machine is spoken to over verified TLS alone: "
        + HINT
    )


def cautions(connection: psycopg.Connection[tuple[object, ...]]) -> list[str]:
    """What is more than the house needs, or less than it should have; it opens all the same."""
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
